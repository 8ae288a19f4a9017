"""What docs/hooks/minified.py leaves out of scripts and style sheets, and what it leaves alone."""

import re
import sys

import pytest
from house import ROOT, listed, read

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


def test_no_template_stands_within_another():
    """The minifier takes the inner one for code, and the blanks out of its words."""
    assert MINIFY[".js"]("`a ${b ? `, c` : d}`") == "`a ${b ? `,c` : d}`"
    found = [
        f"{path.name}:{text.count(chr(10), 0, match.start()) + 1}: {match[0]}"
        for path in ASSETS
        if path.suffix == ".js"
        for text in [read(path)]
        for match in re.finditer(r"\$\{[^`}]*`", text)
    ]
    assert not found, listed(["Write it in two steps, or with quotation marks:", *found])


@pytest.mark.parametrize("path", ASSETS, ids=lambda path: path.name)
def test_what_is_published(site, path):
    published = (site / "assets" / path.name).read_text("utf-8")
    assert published == MINIFY[path.suffix](path.read_text("utf-8"))
    assert len(published) < path.stat().st_size
