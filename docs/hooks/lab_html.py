"""mkdocs-jupyter's page of a lab, brought into the form of the other pages. Used by labs.py.

Its 576 kB of style and its scripts, prompts and buttons are left out. A program and its output
become one block, the headings get their ids, and the table of contents is made from them.
"""

import hashlib
import html
import os
import re
from importlib.metadata import version

from lab_source import ROOT
from mkdocs.structure.toc import AnchorLink, TableOfContents

CACHE = ROOT / ".cache/lab-pages"
CELL = re.compile(  # a program's is in one of the same class
    r'(?:<div class="jp-Cell jp-CodeCell jp-Notebook-cell[^"]*">\s*)?'
    r'<div class="jp-Cell (?=jp-\w+ jp-Notebook-cell[^"]*" id=)'
)
TEXT = re.compile(r'data-mime-type="text/markdown">\n?(.*?)(?:\s*</div>){4}\s*\Z', re.DOTALL)
SOURCE = re.compile(
    r'<div class="highlight-ipynb [^"]*"><pre>(?:<span></span>)?(.*?)</pre>', re.DOTALL
)
PRINTED = re.compile(r'data-mime-type="text/plain"[^>]*>\s*<pre>(.*?)</pre>', re.DOTALL)
IMG = re.compile(r"<img [^>]*>")
HEADING = re.compile(r'<h([1-6])[^>]*>(.*?)<a class="anchor-link"[^>]*>[^<]*</a></h\1>', re.DOTALL)
SUMMARY = re.compile(
    r"<p><strong>(In one sentence|一句话总结)[.。]?</strong>[.。]?\s*(.*?)</p>", re.DOTALL
)
SUCCESS = r'<div class="admonition success"><p class="admonition-title">\1</p><p>\2</p></div>'
BLOCK = '<div class="language-{} highlight"><pre><span></span><code>{}\n</code></pre></div>'
LABEL = {"en": "Output of the run that built this page", "zh": "输出（构建本页时运行所得）"}


def put(path, text):
    """Write a file whole or not at all, whoever else builds at this moment."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(f".{os.getpid()}")
    part.write_text(text, encoding="utf-8")
    part.replace(path)


def render(page, jupyter, notebook, config, files):
    """Have mkdocs-jupyter render the page, or take what it made of the same notebook before."""
    what = [notebook, *map(version, ("mkdocs-jupyter", "nbconvert", "mistune", "pygments"))]
    kept = CACHE / f"{hashlib.sha256(repr(what).encode()).hexdigest()}.html"
    if not kept.is_file():
        jupyter(config, files)
        put(kept, cells(page.content))
    page.content = kept.read_text(encoding="utf-8")


def cells(page):
    """The cells of a page as mkdocs-jupyter gives it, without its style and its scripts."""
    return page.partition('<div class="jupyter-wrapper">')[2].partition("</div> <!-- jp-No")[0]


def program(cell, number, language):
    """A program and its output as one block, as programs.py has it, and then its figure."""
    block = BLOCK.format("python", SOURCE.search(cell)[1].rstrip("\n"))
    # The search reads text and outputs: with these long programs, short sections would weigh more.
    block = block.replace("<div ", '<div data-search-exclude="true" ', 1)
    outputs = cell.partition('class="jp-Cell-outputWrapper')[2]
    if printed := "".join(PRINTED.findall(outputs)).rstrip("\n"):
        block += f'<p class="run-label" data-search-exclude="true">{LABEL[language]}</p>'
        block += BLOCK.format("text", printed)
    figures = "".join(f"<p>{image}</p>" for image in IMG.findall(outputs))
    return f'<div class="run" id="program-{number}">{block}</div>{figures}'


def cleaned(body, language):
    """The cells in the form of this site."""
    done, programs = [], 0
    for cell in CELL.split(body)[1:]:
        if cell.startswith("jp-MarkdownCell"):
            done.append(TEXT.search(cell)[1])
        else:
            programs += 1
            done.append(program(cell, programs, language))
    content = "\n".join(done).replace("<details>", '<details class="question">')
    return SUMMARY.sub(SUCCESS, content)


def with_ids(content, ids, permalink):
    """The content with the ids of its headings, and the table of contents that they make."""
    tree, open_, ids = [], [], iter(ids)

    def heading(match):
        level, words, anchor = int(match[1]), match[2], next(ids)
        title = re.sub(r"\$([^$]+)\$", r"\\(\1\\)", re.sub(r"<[^>]*>", "", words))
        while open_ and open_[-1].level >= level:
            open_.pop()
        link = AnchorLink(html.unescape(title), anchor, level)
        (open_[-1].children if open_ else tree).append(link)
        open_.append(link)
        sign = f'<a class="headerlink" href="#{anchor}" title="{permalink}">&para;</a>'
        return f'<h{level} id="{anchor}">{words}{sign}</h{level}>'

    return HEADING.sub(heading, content), TableOfContents(tree)
