"""docs/hooks/foreign_titles.py marks what is English in the Chinese edition, and nothing else."""

import re
import sys
from types import SimpleNamespace

import pytest
from house import ROOT, listed

sys.path.append(str(ROOT / "docs/hooks"))
import foreign_titles


def marked(html, language="zh"):
    config = SimpleNamespace(theme={"language": language})
    return foreign_titles.on_page_content(html, None, config, None)


@pytest.mark.parametrize("title", ["Attention Is All You Need", "BERT", "T5"])
def test_a_title_says_that_it_is_english(title):
    assert marked(f"<em>{title}</em>") == f'<em lang="en">{title}</em>'


@pytest.mark.parametrize("html", ["<em>同一个</em>", "<em>RoPE 的对</em>", "<em>4 5</em>"])
def test_what_is_no_title_stays(html):
    assert marked(html) == html


def test_an_english_page_needs_no_mark():
    assert marked("<em>Attention Is All You Need</em>", "en") is None


def test_titles_of_sources_are_marked(site):
    bare = [
        f"{file.relative_to(site)}: {title}"
        for file in (site / "zh").rglob("*.html")
        for title in re.findall(r"<em>([^<]*[A-Za-z][^<]*)</em>", file.read_text("utf-8"))
        if title.isascii()
    ]
    assert not bare, listed(bare)
