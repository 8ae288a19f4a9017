"""The skeleton of every page, as screen readers list it: a title, headings in order, landmarks."""

from html.parser import HTMLParser

import pytest
from house import listed, read

LANDMARKS = {"header", "main", "footer", "nav"}


class Skeleton(HTMLParser):
    """The levels of the headings in order, and how often each landmark is there."""

    def __init__(self, html):
        super().__init__()
        self.levels, self.landmarks, self.unnamed = [], [], 0
        self.feed(html)

    def handle_starttag(self, tag, attributes):
        if tag[0] == "h" and tag[1:].isdigit():
            self.levels.append(int(tag[1:]))
        elif tag in LANDMARKS:
            self.landmarks.append(tag)
            self.unnamed += tag == "nav" and not dict(attributes).get("aria-label")


def complaints(html):
    page = Skeleton(html)
    if page.levels.count(1) != 1 or page.levels[0] != 1:
        yield f"its headings are of the levels {page.levels}; one of level 1 comes first"
    for above, level in zip(page.levels, page.levels[1:], strict=False):
        if level > above + 1:
            yield f"a heading of level {level} follows one of level {above}"
    for landmark in sorted(LANDMARKS):
        count = page.landmarks.count(landmark)
        if count < 1 or (count > 1 and landmark != "nav"):
            yield f"it has {count} <{landmark}>"
    if page.unnamed:
        yield "a <nav> has no name"


def test_every_page_has_a_skeleton(site):
    found = [
        f"/{file.relative_to(site).as_posix()}: {what}"
        for file in sorted(site.rglob("*.html"))
        for what in complaints(read(file))
    ]
    assert not found, listed(found)


PAGE = '<header></header><nav aria-label="x"></nav><main><h1>x</h1>{}</main><footer></footer>'


@pytest.mark.parametrize(
    ("html", "complaint"),
    [
        (PAGE.format("<h2></h2><h3></h3><h2></h2>"), None),
        (PAGE.format("<h3></h3>"), "a heading of level 3 follows one of level 1"),
        (PAGE.format("<h1></h1>"), "its headings are of the levels [1, 1]"),
        (PAGE.format("<nav></nav>"), "a <nav> has no name"),
        (PAGE.format("").replace("main", "div"), "it has 0 <main>"),
    ],
)
def test_a_broken_skeleton_is_seen(html, complaint):
    found = list(complaints(html))
    assert (found == []) if complaint is None else (found[0].startswith(complaint))
