"""A page's Markdown as Jupyter reads it, cut where a program stands. Used by notebooks.py.

Jupyter knows no admonitions, tabs or attribute lists. Boxes and folded answers become <details>,
tabs a bold line; formulas, tables, fences and diagrams stay as they are.
"""

import re
from html import escape
from textwrap import dedent

from notebook_chinese import chinese

FENCE = re.compile(r" *(```+|~~~+)")
INCLUDE = re.compile(r' *--8<-- "([\w/-]+)\.md"$')
BOX = re.compile(r'( *)(!!!|\?\?\?\+?|===[+!]?) *([\w -]*?) *(?:"(.*)")?$')
HEADING = re.compile(r"(#+ .*?)(?: *\{.*\})?$")
# What only the site understands: attribute lists, wrappers, comments, abbreviations, icons.
ONLY_HERE = re.compile(
    r"^ *\{:?[ .#][^}]*\} *$|(?<=[\])`*])\{:?[ .#][^}\n]*\}(?!`)|^ *</?(?:div|figure)\b[^>]*> *$"
    r"|<!--[\s\S]*?-->|^\*\[.*?\]:.*$|:(?:material|octicons|fontawesome|simple)-[\w-]+:",
    re.MULTILINE,
)
CODE = re.compile("`([^`]+)`")
CONTINUED = {"en": "continued", "zh": "续"}


def rest_of_box(lines, depth):
    """Take the lines that are indented more than the box's first, or empty."""
    taken = []
    while lines and (not lines[0].strip() or len(lines[0]) - len(lines[0].lstrip()) > depth):
        taken.append(lines.pop(0))
    return dedent("\n".join(taken))


def lines_of(text, language):
    """The page in small pieces: ("text", …), ("heading", …), ("program", "theory/heatmap"), and
    ("folded program", …) for a program that the page shows in a folded answer."""
    lines, plain = text.split("\n"), []

    def flush():
        found = ONLY_HERE.sub("", "\n".join(plain))
        plain.clear()
        if language == "zh":
            found = chinese(found)
        return "text", found

    while lines:
        line = lines.pop(0)
        if fence := FENCE.match(line):
            yield flush()
            end = next((i for i, end in enumerate(lines) if end.strip() == fence[1]), len(lines))
            yield "text", "\n".join([line, *lines[: end + 1]])
            del lines[: end + 1]
        elif program := INCLUDE.match(line):
            yield flush()
            yield "program", program[1]
        elif heading := HEADING.match(line):
            yield flush()
            yield "heading", heading[1]
        elif box := BOX.match(line):
            yield flush()
            inner = pieces(rest_of_box(lines, len(box[1])), language)
            yield from boxed(box[2], box[4] or box[3].capitalize(), inner, language)
        else:
            plain.append(line)
    yield flush()


def boxed(kind, title, inner, language):
    """An admonition, a folded answer or a tab, and what it holds."""
    bold = "**" + title.replace("**", "") + "**\n"
    if kind.startswith("==="):
        yield "text", bold
        yield from inner
        return
    start = "<details>" if kind == "???" else "<details open>"
    # Jupyter reads no Markdown in a summary, but it does find formulas.
    name = CODE.sub(r"<code>\1</code>", escape(title, quote=False).replace("**", ""))
    for number, (what, content) in enumerate(inner):
        if what == "text":
            more = f" ({CONTINUED[language]})" if number else ""
            summary = f"{start}<summary><b>{name}{more}</b></summary>"
            yield "text", f"{summary}\n\n{content}\n\n</details>\n"
            continue
        if number == 0:
            yield "text", bold
        yield ("folded program" if kind == "???" else what), content


def unindented(text):
    """Text that stood in a list behind a program would be code if it kept its indent."""
    first = re.match(r"(?: +.*\n|\s*\n)*(?: +.*)?", text)[0]
    return dedent(first) + text[len(first) :]


def pieces(text, language):
    """The cells: a list of (what, content). Text is cut at each heading and each program."""
    cells = []
    for what, content in lines_of(text, language):
        new = what != "text" or not cells or "program" in cells[-1][0]
        if new:
            cells.append(("text" if what == "heading" else what, content))
        else:
            cells[-1] = ("text", f"{cells[-1][1]}\n{content}")
    cells = [(w, c if "program" in w else unindented(c).strip("\n")) for w, c in cells]
    return [(what, re.sub(r"\n{3,}", "\n\n", content)) for what, content in cells if content]
