"""No Chinese page lags behind its English twin."""

from followed import followed, lagging, marked, state
from house import listed

ENGLISH = "# Why\n"


def test_every_page_follows():
    complaints = list(lagging())
    assert not complaints, listed(complaints)


def test_marking():
    page = '---\ndescription: x\nfollows: "00000000"\n---\n\n# 为什么\n'
    after = marked(page, ENGLISH)
    assert followed(page) != state(ENGLISH)
    assert followed(after) == state(ENGLISH)
    assert followed(after) != state(ENGLISH + "More.\n")
    assert after == page.replace("00000000", state(ENGLISH))
    assert followed(marked("# 为什么\n", ENGLISH)) == state(ENGLISH)
    added = marked("---\ndescription: x\n---\n# 为什么\n", ENGLISH)
    assert added == f'---\ndescription: x\nfollows: "{state(ENGLISH)}"\n---\n# 为什么\n'


def test_marking_leaves_the_text_alone():
    # A line like the mark, below the front matter, is text.
    page = "---\ndescription: x\n---\n\nfollows: 12345678\n"
    assert marked(page, ENGLISH).endswith("---\n\nfollows: 12345678\n")
