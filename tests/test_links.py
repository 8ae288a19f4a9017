"""Links that leave the site have the form that lasts; `make links` asks whether they answer."""

import links
import pytest
from house import listed


def test_forms():
    found = [
        f"{', '.join(where)}: {link}: {why}"
        for link, where in links.places().items()
        if (why := links.malformed(link))
    ]
    assert not found, listed(found)


def test_there_are_some():
    assert "https://arxiv.org/abs/1706.03762" in links.places()


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("see [a](https://arxiv.org/abs/1706.03762), and", ["https://arxiv.org/abs/1706.03762"]),
        ("（https://example.com/a_(b)）。", ["https://example.com/a_(b)"]),
        ('source: "arXiv:2204.06745"}', ["arXiv:2204.06745"]),
        ("at http://127.0.0.1:8000/ and https://example.org/x", []),
        ("write arXiv:… there", []),
    ],
)
def test_links_are_found(text, found):
    assert [link for _, link in links.links(text)] == found


@pytest.mark.parametrize(
    ("link", "good"),
    [
        ("https://arxiv.org/abs/1706.03762", True),
        ("https://arxiv.org/abs/1706.03762v5", True),
        ("arXiv:1706.03762", True),
        ("https://arxiv.org/pdf/1706.03762", False),
        ("https://arxiv.org/abs/1713.03762", False),
        ("arXiv:1706.037", False),
        ("https://www.arxiv.org/abs/1706.03762", False),
        ("https://doi.org/10.1162/neco.1997.9.8.1735", True),
        ("https://doi.org/neco.1997.9.8.1735", False),
        ("https://dx.doi.org/10.1162/neco.1997.9.8.1735", False),
        ("doi:10.1162/neco", False),
        ("https://github.com/arxiv/paper", True),
        ("http://github.com/", False),
    ],
)
def test_the_form_of_a_link(link, good):
    assert (links.malformed(link) is None) == good


def test_an_answer_is_told_from_none(served):
    assert links.answer(served) is None
    assert links.answer(f"{served}gone/") == "it answers 404"
    assert links.answer("http://127.0.0.1:9/")
    assert not links.has_network([])
