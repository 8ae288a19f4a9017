"""Offer each page as a notebook: notebooks/<page>.ipynb, which the theme links to.

It holds the page's text, its programs, their verified outputs and the figures; links lead to the
site. What the page folds away is folded here too. mkdocs.yml lists this hook where the page's
Markdown is complete and programs.py has not yet marked it.
"""

import base64
import json
import posixpath
import re
from urllib.parse import urljoin, urlsplit

from drawing import PROGRAM, ROOT
from mkdocs.structure.files import File
from notebook_cells import as_notebook, code_cell, completed, home_of, text_cell
from notebook_text import pieces

OUTPUT = re.compile(r"expected-output-->\n```text\n(.*?)^```$", re.DOTALL | re.MULTILINE)
FIGURE = re.compile(
    r"!\[((?:(?!\]\()[\s\S])*)\]\([^)\s]*figures/([\w/-]+)\.svg[^)]*\)(?:\{.*?\})?"
)
LINK = re.compile(r"(?<=\]\()[^)\s]+")


def program_cell(name, alt, folded, files):
    """A program, what it prints, and its figure if the page describes one."""
    snippet = (ROOT / f"snippets/{name}.md").read_text(encoding="utf-8")
    outputs = []
    if printed := OUTPUT.search(snippet):
        outputs.append({"output_type": "stream", "name": "stdout", "text": printed[1]})
    if alt:
        picture = files.get_file_from_path(f"figures/{name}.png").content_bytes
        data = {"image/png": base64.b64encode(picture).decode(), "text/plain": alt}
        outputs.append({"output_type": "display_data", "metadata": {}, "data": data})
    return code_cell(PROGRAM.search(snippet)[1].rstrip(), outputs, folded)


def notebook(markdown, page, config, files):
    language, home = config.theme["language"], home_of(page, config)

    def absolute(link):
        path, hash_, anchor = link[0].partition("#")
        if urlsplit(path).scheme:
            return link[0]
        place = posixpath.normpath(posixpath.join(page.file.src_uri, "..", path))
        file = files.get_file_from_path(place) if path else page.file
        return urljoin(home, file.url) + hash_ + anchor if file else link[0]

    figures = {name: alt for alt, name in FIGURE.findall(markdown)}
    text = LINK.sub(absolute, FIGURE.sub("", markdown))
    cells = [
        text_cell(content)
        if what == "text"
        else program_cell(content, figures.get(content), what == "folded program", files)
        for what, content in pieces(text, language)
    ]
    return as_notebook(completed(cells, page, config))


def on_page_markdown(markdown, page, config, files):
    name = f"notebooks/{page.file.src_uri.removesuffix('.md')}.ipynb"
    if page.file.src_uri.endswith(".md"):
        content = json.dumps(notebook(markdown, page, config, files), ensure_ascii=False, indent=1)
        files.append(File.generated(config, name, content=content + "\n"))
        page.meta["notebook"] = name
