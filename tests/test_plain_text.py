"""Each page as Markdown: whole, with programs and outputs, and where tools look for it."""

import re

import pytest
from building import OWN
from house import PAGES, ROOT, included, listed, name, read
from markdown_it import MarkdownIt
from pytest_codeblocks import extract_from_file

MARKDOWN = MarkdownIt("commonmark").enable("table")
ALTERNATE = re.compile(r'<link rel="alternate" type="text/markdown" href="(.*?)">')
# What only the site understands.
LEFT_OVER = re.compile(
    r'--8<--|^---$|<details|<!--|\{ ?[#.][\w-]|^\?\?\?|^!!!|^=== "', re.MULTILINE
)
ENTRY = re.compile(rf"^- \[.+?\]\(({OWN}\S*\.html\.md)\): \S", re.MULTILINE)


def plain(site, page):
    """The Markdown that is built from docs/<edition>/<page>.md."""
    edition, *parts = page.relative_to(ROOT / "docs").with_suffix("").parts
    address = "" if parts == ["index"] else "/".join([*parts, ""])
    return site / ("" if edition == "en" else edition) / f"{address}index.html.md"


def words_and_links(text):
    """The text without code, and the targets of its links and pictures."""
    words, links = [], []
    for token in MARKDOWN.parse(text):
        if token.type == "html_block":
            words.append(token.content)
        for child in token.children or []:
            links += [child.attrs[key] for key in ("href", "src") if key in child.attrs]
            words.append(child.content if child.type != "code_inline" else "")
    return "\n".join(words), links


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_a_page_as_markdown(site, page):
    text = read(plain(site, page))
    assert text.startswith("# ")
    words, links = words_and_links(text)
    assert not LEFT_OVER.findall(words)
    assert [link for link in links if not link.startswith(("http", "mailto:"))] == []
    fences = [(t.info, t.content) for t in MARKDOWN.parse(text) if t.type == "fence"]
    for snippet in included(read(page)):
        for block in extract_from_file(ROOT / "snippets" / snippet):
            place = fences.index(("python", block.code.rstrip("\n") + "\n"))
            if block.expected_output:
                assert fences[place + 1][1].strip() == block.expected_output.strip(), snippet


def test_every_page_names_its_markdown(site):
    complaints = []
    for page in site.rglob("index.html"):
        found = ALTERNATE.findall(read(page))
        if found != ["index.html.md"] or not (page.parent / found[0]).is_file():
            complaints.append(f"{page.relative_to(site)}: its Markdown is not at {found}")
    assert not complaints, listed(complaints)


@pytest.mark.parametrize("edition", ["", "zh/"])
def test_the_list_names_every_page(site, edition):
    named = ENTRY.findall(read(site / edition / "llms.txt"))
    there = list((site / edition).rglob("index.html.md"))
    if not edition:
        there = [file for file in there if not file.is_relative_to(site / "zh")]
        assert f"{OWN}zh/llms.txt" in read(site / "llms.txt")
    assert sorted(named) == sorted(OWN + file.relative_to(site).as_posix() for file in there)
