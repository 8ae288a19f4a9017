"""What docs/hooks/comments.py leaves out of scripts and style sheets, and what it leaves alone."""

import sys

import pytest
from house import ROOT

sys.path.append(str(ROOT / "docs/hooks"))
from comments import COMMENT


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("// one\na();\n  // two\nb();\n", "a();\nb();\n"),
        ("/** one\n *  two */\na();\n", "a();\n"),
        ("/* one */\na { b: c }\n", "a { b: c }\n"),
        ("/* one */ a();\n", "/* one */ a();\n"),
        ('a("//b"); // c\n', 'a("//b"); // c\n'),
        ("a / b / c;\n/x/.test(y);\n", "a / b / c;\n/x/.test(y);\n"),
    ],
)
def test_whole_lines_alone(text, left):
    assert COMMENT.sub("", text) == left


def test_no_comment_is_published(site):
    for name in ("encodings.js", "explorer.js", "explorer.css", "site.js", "site.css"):
        published = (site / "assets" / name).read_text("utf-8")
        assert not COMMENT.search(published), name
        source = (ROOT / "docs/theme/assets" / name).read_text("utf-8")
        assert published == COMMENT.sub("", source), name
