"""The cells of a notebook, and the whole that they make. Used by notebooks.py and labs.py.

A notebook is read far from the site: it says where it comes from and what it needs, and fetches
the data that it reads.
"""

import re
import sys
from urllib.parse import urljoin

from drawing import ROOT

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


def home_of(page, config):
    """Where the site is, seen from the page's notebook; offline it is the folder around it."""
    return config.site_url or "../" * (page.file.src_uri.count("/") + 1)


def completed(cells, page, config):
    """The cells, with one at the top that says where they come from and what they need, and one
    that fetches data before the first program that reads them."""
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


def as_notebook(cells):
    """A whole notebook of these cells, as Jupyter stores it."""
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    return {
        "cells": [{"id": f"cell-{number}"} | cell for number, cell in enumerate(cells)],
        "metadata": {"kernelspec": kernel, "language_info": {"name": "python"}},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
