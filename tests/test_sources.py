"""Sources are cited so that a wrong digit shows: what a link says and where it leads agree."""

import re

import pytest
from house import PAGES, listed, name, read
from lab_texts import editions

ID = r"\d{2}(?:0[1-9]|1[0-2])\.\d{4,5}"  # year, month, number
LINK = re.compile(r"\[([^\]]*)\]\(([^)\s]*arxiv\.org[^)\s]*)\)", re.IGNORECASE)
ABSTRACT = re.compile(rf"https://arxiv\.org/abs/({ID})")
NAMED = re.compile(r"\d{4}\.\d{4,5}")
THREAD = re.compile(r"\[([^\]]*#(\d+))\]\(([^)\s]*?)/?\)")  # [owner/repo#12](…/issues/12)


def complaints(page, text):
    head, _, sources = text.partition("{ #sources }")
    for match in LINK.finditer(text):
        where = f"{page}:{text.count(chr(10), 0, match.start()) + 1}: "
        words, address = match.groups()
        if not (paper := ABSTRACT.fullmatch(address)):
            yield f"{where}{address}: write https://arxiv.org/abs/ and the paper's number"
        elif NAMED.findall(words) not in ([], [paper[1]]):
            yield f"{where}the link says {words} and leads to {address}"
        elif f"[arXiv:{paper[1]}]" not in sources and match.start() < len(head):
            yield f"{where}the sources of this page do not list [arXiv:{paper[1]}]({address})"
    for match in THREAD.finditer(text):
        words, number, address = match.groups()
        if address.rsplit("/")[-1] != number:
            line = text.count(chr(10), 0, match.start()) + 1
            yield f"{page}:{line}: the link says {words} and leads to {address}"


@pytest.mark.parametrize("path", PAGES, ids=name)
def test_sources(path):
    found = list(complaints(name(path), read(path)))
    assert not found, listed(found)


@pytest.mark.parametrize(
    ("path", "text"),
    [pytest.param(p, text, id=f"{p.stem}-{lang}") for p, lang, text in editions()],
)
def test_sources_of_labs(path, text):
    found = list(complaints(name(path), text))
    assert not found, listed(found)


SOURCES = "\n\n## Sources { #sources }\n\n- [arXiv:2203.16634](https://arxiv.org/abs/2203.16634)\n"


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ("[Haviv et al. 2022](https://arxiv.org/abs/2203.16634)", None),
        ("[arXiv:2203.16634](https://arxiv.org/abs/2203.16634)", None),
        ("[me/it#12](https://example.org/me/it/issues/12)", None),
        ("[me/it#13](https://example.org/me/it/issues/12)", "the link says me/it#13 and leads to"),
        ("[arXiv:2203.16635](https://arxiv.org/abs/2203.16634)", "the link says arXiv:2203.16635"),
        (
            "[Haviv et al. 2022](https://arxiv.org/abs/2203.16635)",
            "the sources of this page do not",
        ),
        (
            "[Haviv et al. 2022](https://arxiv.org/abs/2213.16634)",
            "https://arxiv.org/abs/2213.16634",
        ),
        (
            "[Haviv et al. 2022](https://arxiv.org/pdf/2203.16634)",
            "https://arxiv.org/pdf/2203.16634",
        ),
    ],
)
def test_wrong_sources_fail(words, complaint):
    found = list(complaints("x.md", f"# Title\n\n{words}{SOURCES}"))
    if complaint is None:
        assert found == []
    else:
        assert len(found) == 1 and found[0].startswith(f"x.md:3: {complaint}")
