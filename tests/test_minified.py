"""What docs/hooks/minified.py leaves out of scripts and style sheets, and what it leaves alone."""

import sys

import pytest
from house import ROOT

sys.path.append(str(ROOT / "docs/hooks"))
from minified import MINIFY

ASSETS = [
    path
    for path in sorted((ROOT / "docs/theme/assets").iterdir())
    # One goes into a style sheet of its own, with the font of the formulas.
    if path.suffix in MINIFY and path.name != "formulas.css"
]


@pytest.mark.parametrize(
    ("suffix", "text", "left"),
    [
        (".js", "// one\na();\n  /* two */ b(); // c\n", "a();b();"),
        (".js", 'a("//b  c"); x = `\n  // d\n`;\n', 'a("//b  c");x=`\n  // d\n`;'),
        (".js", "a / b / c;\nif (/ x/.test(y)) d();\n", "a/b/c;if(/ x/.test(y))d();"),
        (".css", "/* one */\na:hover > b { c: d; }\n", "a:hover>b{c:d}"),
        (".css", "a { width: calc(1px + 2px) }", "a{width:calc(1px + 2px)}"),
    ],
)
def test_what_is_left(suffix, text, left):
    assert MINIFY[suffix](text) == left


@pytest.mark.parametrize("path", ASSETS, ids=lambda path: path.name)
def test_what_is_published(site, path):
    published = (site / "assets" / path.name).read_text("utf-8")
    assert published == MINIFY[path.suffix](path.read_text("utf-8"))
    assert len(published) < path.stat().st_size
