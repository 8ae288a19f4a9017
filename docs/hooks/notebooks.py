"""Offer each page as a notebook: notebooks/<page>.ipynb, which the theme links to.

It holds the page's text, its programs, their verified outputs and the figures; links lead to the
site. What the page folds away is folded here too. mkdocs.yml lists this hook where the page's
Markdown is complete and programs.py has not yet marked it.
"""

import base64
import json
import posixpath
import re
import sys
from urllib.parse import urljoin, urlsplit

from drawing import PROGRAM, ROOT
from mkdocs.structure.files import File
from notebook_text import as_notebook, pieces

OUTPUT = re.compile(r"expected-output-->\n```text\n(.*?)^```$", re.DOTALL | re.MULTILINE)
FIGURE = re.compile(
    r"!\[((?:(?!\]\()[\s\S])*)\]\([^)\s]*figures/([\w/-]+)\.svg[^)]*\)(?:\{.*?\})?"
)
LINK = re.compile(r"(?<=\]\()[^)\s]+")
IMPORT = re.compile(r"^(?:import|from) (\w+)", re.MULTILINE)
OWN = {"IPython"}  # what Jupyter itself brings
FROM = {
    "en": "This notebook is the page [{page}]({url}) of [{site}]({home}).",
    "zh": "本笔记本是[{site}]({home})的一页：[{page}]({url})。",
}
NEEDS = {
    "en": " Its outputs are those that the site has checked. To get them yourself, run all cells; "
    "they need `pip install {packages}`.",
    "zh": "其中的输出都由网站核对过。运行全部单元格，就能亲自得到它们；"
    "需要先 `pip install {packages}`。",
}
FETCH = """# The next program reads {name}.
from pathlib import Path
from urllib.request import urlretrieve

if not Path("{name}").exists():
    urlretrieve("{url}", "{name}")"""


def text_cell(text):
    return {"cell_type": "markdown", "metadata": {}, "source": text}


def code_cell(code, outputs=(), folded=False):
    # Jupyter shows dots in place of a folded cell.
    metadata = {"jupyter": {"source_hidden": True, "outputs_hidden": True}} if folded else {}
    rest = {"source": code, "execution_count": None, "outputs": list(outputs)}
    return {"cell_type": "code", "metadata": metadata} | rest


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


def home_of(page, config):
    """Where the site is, seen from the page's notebook; offline it is the folder around it."""
    return config.site_url or "../" * (page.file.src_uri.count("/") + 1)


def completed(cells, page, config):
    """The cells, with one at the top that says where they come from and what they need, and one
    that fetches data before the first program that reads them. Used by labs.py, too."""
    language, home = config.theme["language"], home_of(page, config)
    code = [cell["source"] for cell in cells if cell["cell_type"] == "code"]
    for path in sorted((ROOT / "data").glob("*.npy")):
        if reader := next((source for source in code if path.name in source), None):
            fetch = FETCH.format(name=path.name, url=urljoin(home, f"data/{path.name}"))
            place = [cell["source"] for cell in cells].index(reader)
            cells.insert(place, code_cell(fetch))
    here, title = urljoin(home, page.file.url), page.title.partition(" {")[0]
    first = FROM[language].format(page=title, url=here, site=config.site_name, home=home)
    if packages := sorted(set(IMPORT.findall("\n".join(code))) - sys.stdlib_module_names - OWN):
        first += NEEDS[language].format(packages=" ".join(packages))
    return [text_cell(first), *cells]


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
