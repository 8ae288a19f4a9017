"""Show a program and its output as one block that says that the output was checked.

A page includes `--8<-- "theory/uniqueness.md"`. The reader gets the program, its output under a
label, and an address for both: `#program-uniqueness`.
"""

import re
from pathlib import PurePosixPath

INCLUDE = re.compile(r'^(?P<indent> *)--8<-- "(?P<path>[\w/-]+\.md)"$', re.MULTILINE)
START = re.compile(r'<p class="run-start" id="([\w-]+)">run</p>')
END = '<p class="run-end">run</p>'
# Inside a folded answer, Markdown puts a paragraph around the output's fence.
OUTPUT = re.compile(
    r'(<p>\s*)?(<div class="language-text highlight">.*?</div>)(?(1)\s*</p>)', re.DOTALL
)
LABEL = {"en": "Output, checked on every change", "zh": "输出（每次改动都重新核对）"}


def on_page_markdown(markdown, page, config, files):
    # Marked by paragraphs, since md_in_html does not see a <div> inside a folded answer.
    def mark(match):
        indent = match["indent"]
        name = PurePosixPath(match["path"]).stem.replace("_", "-")
        return (
            f"{indent}run\n{indent}{{ .run-start #program-{name} }}\n\n"
            f"{match[0]}\n\n{indent}run\n{indent}{{ .run-end }}\n"
        )

    return INCLUDE.sub(mark, markdown)


def on_page_content(html, page, config, files):
    label = LABEL[config.theme["language"]]
    label = f'<p class="run-label" data-search-exclude="true">{label}</p>'
    blocks = []
    for block in html.split(END):
        text, *run = START.split(block)
        if run:
            name, program = run
            program = OUTPUT.sub(lambda m: label + m[2], program)
            text += f'<div class="run" id="{name}">{program}</div>'
        blocks.append(text)
    return "".join(blocks)
