"""Formulas: what LaTeX becomes, what a wrong one says, and how they stand on the built pages."""

import base64
import contextlib
import io
import json
import re
import subprocess
import sys
import unicodedata
from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest
from building import rendered_page
from fontTools.ttLib import TTFont
from house import ROOT, listed, read
from mkdocs.config import load_config
from mkdocs.exceptions import PluginError

HOOKS = ROOT / "docs/hooks"
sys.path.append(str(HOOKS))
import formula_glyphs  # noqa: E402
import formula_mathml  # noqa: E402
import formula_text  # noqa: E402
import formulas  # noqa: E402


@pytest.fixture(scope="module")
def config():
    return load_config(str(ROOT / "mkdocs.yml"))


@pytest.fixture
def page(config, tmp_path):
    """`page(text)` is a page with this text, rendered as MkDocs renders it, formulas and all."""

    return lambda text: rendered_page(text, tmp_path, config, formulas)


# From LaTeX to the page ------------------------------------------------------------------------

PLACES = {
    "a line": "so $x_i$ is",
    "a heading": "## Of $x_i$ { #of }",
    "a list": "- one\n- $x_i$",
    "a table": "| a | b |\n|---|---|\n| $x_i$ | 1 |",
    "a box": '!!! note "Title"\n\n    so $x_i$ is',
    "a folded answer": "??? question\n\n    - so $x_i$ is",
    "a footnote": "so[^1]\n\n[^1]: it is $x_i$",
}
BLOCK = "$$\n\\begin{aligned}\na &= b \\\\\nc &< d\n\\end{aligned}\n$$"
BLOCKS = {
    "alone": BLOCK,
    "in a list": "- one\n\n" + re.sub("^", "    ", BLOCK, flags=re.MULTILINE),
    "in a folded answer": "??? note\n\n" + re.sub("^", "    ", BLOCK, flags=re.MULTILINE),
    "in a quotation": re.sub("^", "> ", BLOCK, flags=re.MULTILINE),
}


@pytest.mark.parametrize("text", PLACES.values(), ids=PLACES)
def test_a_formula_in_a_line_becomes_mathml(page, text):
    content = page(text).content
    assert "<math><msub><mi>x</mi><mi>i</mi></msub></math>" in content
    assert "$" not in content and "\\" not in content


@pytest.mark.parametrize("text", BLOCKS.values(), ids=BLOCKS)
def test_a_formula_of_its_own_becomes_mathml_in_a_box(page, text):
    content = page(text).content
    assert re.search(r'<div class="formula"><math display="block"><mtable.*&lt;', content)
    assert content.count("<mtr>") == 2
    assert "$" not in content and "\\" not in content
    assert "<p><div" not in content


@pytest.mark.parametrize(
    "text", ["`$x$`", "```bash\necho $HOME $PATH\n```", "$5 or $10", "$5–$10", "US$5, ($6)"]
)
def test_a_dollar_that_is_none_stays(page, text):
    content = page(text).content
    assert "<math" not in content
    assert content.count("$") == text.count("$")


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("so $x_i$, and", "<math>…</math>,"),
        ("它是 $x_i$，所以", "<math>…</math>，"),
        ("so ($x_i$).", "(<math>…</math>)."),
        ("so $x_i$ is", None),
        ("so $a + b + c + d + e + f$, and", "<math>…</math>,"),
        (f"{BLOCK}\n\n, so", None),
    ],
)
def test_a_mark_stays_with_its_formula(page, text, kept):
    """The browser would let a line begin with it."""
    spans = re.findall('<span class="kept">(.*?)</span>', page(text).content)
    assert [re.sub("(?<=<math>).*(?=</math>)", "…", span) for span in spans] == [kept] * bool(kept)


def test_titles_are_text(page):
    built = page("# The norm $\\sqrt{d/2}$ { #norm }\n\n## If $a<b$ { #if }")
    assert built.title == "The norm √(d/2)"
    (top,) = built.toc
    assert (top.title, top.children[0].title) == ("The norm √(d/2)", "If a &lt; b")


def test_alt_texts_are_text(page):
    assert 'alt="the norm √(d/2)"' in page("![the norm $\\sqrt{d/2}$](a.svg)").content


@pytest.mark.parametrize(
    ("latex", "text"),
    [
        (r"\mathrm{PE}_{(pos,2i)} = \sin\theta", "PE_(pos,2i) = sin θ"),
        (r"\cos(\omega_i k)", "cos(ω_i k)"),
        (r"\frac{QK^\top}{\sqrt{d_k}}", "(Q K^⊤)/(√(d_k))"),
        (r"\begin{bmatrix}1&0\\0&1\end{bmatrix}", "[1 0; 0 1]"),
        (r"\sum_{i=0}^{d/2-1} x'_i", "∑_(i = 0)^(d/2−1)x_i^′"),
        (r"\mathbf{X} \in \mathbb{R}^{T \times d}", "X ∈ R^(T×d)"),
        (r"\bar{x}, \quad y", "x¯, y"),
    ],
)
def test_the_search_reads_text(latex, text):
    assert formula_text.of(formula_mathml.mathml(latex)) == text


def test_the_search_comes_before_the_mathml(page):
    built = page("so $\\sqrt{x}$ is\n\n$$\n\\frac{1}{2}\n$$")
    assert ">√x<" in built.indexed and ">1/2<" in built.indexed
    assert "<math" not in built.indexed


def test_room_between_rows_is_not_printed(page):
    assert "[" not in page("$$\n\\begin{aligned} a \\\\[4pt] b \\end{aligned}\n$$").content


def test_formulas_of_a_lab(config):
    lab = '<p>So $a &lt; b$ and $5.</p>\n<p>$$\nx\n$$</p><code>$x$ $y$</code><img alt="$x$ $y$">'
    assert formulas.marked(lab) == (
        '<p>So <span class="arithmatex">\\(a &lt; b\\)</span> and $5.</p>\n'
        '<div class="arithmatex">\\[\nx\n\\]</div><code>$x$ $y$</code><img alt="$x$ $y$">'
    )


# What is wrong ends the build ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "line", "complaint"),
    [
        ("# T\n\nso $x \\foo$", 3, 'Unknown command "\\foo".\n\nx \\foo'),
        ("# Of $\\foo$", 1, "Unknown command"),
        ("# T\n\n- a\n\n    $$\n    a\n    + \\frac{1}\n    $$", 7, "argument"),
        ("# T\n\n??? note\n\n    so $a_1_2$", 5, "Duplicate subscript"),
        ("# T\n\n| a |\n|---|\n| $\\lvert \\| \\foo$ |", 5, "Unknown command"),
        ("# T\n\n$\\vec{x}$", 3, "misplace this accent"),
        ("$x$\n\na lone $ sign", 3, "belongs to no formula"),
        ("$x$\n\nso\n$$\nx\n$$", 4, "belongs to no formula"),
        ("$x$\n\n| a | b |\n|---|---|\n| $|x|$ | 1 |", 5, "belongs to no formula"),
    ],
)
def test_a_wrong_formula_ends_the_build(page, tmp_path, text, line, complaint):
    with pytest.raises(PluginError) as error:
        page(text)
    assert f"{tmp_path}/page.md:{line}: " in str(error.value)
    assert complaint in str(error.value)


# The built pages -------------------------------------------------------------------------------


class Texts(HTMLParser):
    """The text of a page that is neither code nor script, and its formulas."""

    def __init__(self, html):
        super().__init__()
        self.inside, self.text, self.formulas, self.start = [], [], [], None
        self.html = html
        self.feed(html)

    def handle_starttag(self, tag, attributes):
        if tag in ("pre", "code", "script", "style"):
            self.inside.append(tag)
        shown = ("alt", "aria-label", "content", "title")
        self.text += [value for name, value in attributes if name in shown and value]
        if tag == "math":
            self.start = self.position()

    def handle_endtag(self, tag):
        if self.inside and self.inside[-1] == tag:
            self.inside.pop()
        if tag == "math":
            self.formulas.append(self.html[self.start : self.position()] + "</math>")

    def handle_data(self, data):
        if not self.inside:
            self.text.append(data)

    def position(self):
        line, column = self.getpos()
        starts = self.__dict__.setdefault(
            "starts", [0, *(m.end() for m in re.finditer("\n", self.html))]
        )
        return starts[line - 1] + column


@pytest.fixture(scope="module")
def built(site):
    return {path: Texts(read(path)) for path in sorted(site.rglob("*.html"))}


def test_no_page_shows_latex(site, built):
    raw = re.compile(r"\$\$|\\[(\[]|\\[a-z]{2,}|\$(?!\d)")
    complaints = [
        f"{path.relative_to(site)}: {found[0]!r} in {found.string[found.start() :][:60]!r}"
        for path, page in built.items()
        for found in map(raw.search, page.text)
        if found
    ]
    complaints += [
        f"{path.relative_to(site)}: {mark}"
        for path, page in built.items()
        for mark in ("arithmatex", "data-formula")
        if mark in page.html
    ]
    assert not complaints, listed(complaints)
    assert sum(len(page.formulas) for page in built.values()) > 20


def test_the_search_index_holds_no_latex(site):
    texts = [
        entry["title"] + " " + re.sub(r"<(code|pre)>.*?</\1>", " ", entry["text"], flags=re.DOTALL)
        for index in sorted(site.rglob("search_index.json"))
        for entry in json.loads(read(index))["docs"]
    ]
    found = [text[:200] for text in texts if re.search(r"\\[a-z(\[]|\$(?!\d)", text)]
    assert not found, listed(found)
    assert any("√(d/2)" in text for text in texts), "the formulas are not in it at all"


def sheets(page):
    return re.findall(r'<link rel="stylesheet" href="([^"]*assets/formulas\.\w+\.css)"', page.html)


def font_of(path, page):
    (sheet,) = sheets(page)
    data = re.search(r"base64,([^\"]+)", read((path.parent / sheet).resolve()))[1]
    return TTFont(io.BytesIO(base64.b64decode(data)))


def test_only_pages_with_formulas_load_the_font(site, built):
    complaints = [
        f"{path.relative_to(site)}: {len(page.formulas)} formulas, style sheets: {sheets(page)}"
        for path, page in built.items()
        if len(sheets(page)) != bool(page.formulas)
    ]
    assert not complaints, listed(complaints)


def test_the_font_holds_all_that_the_formulas_need(site, built):
    fonts, complaints = {}, []
    for path, page in built.items():
        if not page.formulas:
            continue
        (sheet,) = sheets(page)
        font = fonts.setdefault((path.parent / sheet).resolve(), font_of(path, page))
        has = {chr(code) for code in font.getBestCmap()}
        for formula in page.formulas:
            for token in ElementTree.fromstring(formula).iter():
                text = (token.text or "").strip()
                if token.tag == "mi" and len(text) == 1:
                    name = unicodedata.name(text).replace("LATIN ", "").replace("GREEK ", "")
                    italic = (
                        "ℎ"
                        if text == "h"
                        else f"MATHEMATICAL ITALIC {name}".replace(
                            "SMALL LETTER", "SMALL"
                        ).replace("CAPITAL LETTER", "CAPITAL")
                    )
                    with contextlib.suppress(KeyError):  # ∞ and ⊤ have no italic form
                        text = italic if text == "h" else unicodedata.lookup(italic)
                if token.tag in ("msqrt", "mroot"):
                    text += "√"
                missing = {c for c in text if c not in has and not "\u2e80" <= c <= "\uffef"}
                if missing:
                    complaints.append(f"{path.relative_to(site)}: no glyph for {missing}")
    assert fonts
    assert not complaints, listed(complaints)
    for font in fonts.values():
        assert "MATH" in font, "brackets would not grow"
        assert "ssty" in {f.FeatureTag for f in font["GSUB"].table.FeatureList.FeatureRecord}
        assert "SIL Open Font License" in font["name"].getDebugName(13)


def test_the_font_is_light_and_its_licence_is_with_it(site):
    found = sorted(site.rglob("formulas*.css"))
    assert found
    for sheet in found:
        text = read(sheet)
        assert re.fullmatch(r"formulas\.[0-9a-f]{8}\.css", sheet.name)
        assert "SIL Open Font License" in text.partition("*/")[0]
        assert len(base64.b64decode(re.search(r"base64,([^\"]+)", text)[1])) < 40_000


def test_the_font_is_cut_the_same_in_every_process():
    program = (
        "import sys, hashlib; sys.path.append(sys.argv[1]); import formula_glyphs;"
        "print(hashlib.sha256(formula_glyphs.cut(sys.argv[2])).hexdigest())"
    )
    runs = {
        subprocess.run(
            [sys.executable, "-c", program, HOOKS, "√(𝑥)[]∑012ab"],
            env={"PYTHONHASHSEED": seed, "SOURCE_DATE_EPOCH": seed * 6},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(runs) == 1


def test_the_cached_font_is_the_one_for_these_characters(tmp_path, monkeypatch):
    monkeypatch.setattr(formula_glyphs, "CACHE", tmp_path)
    cuts = []
    monkeypatch.setattr(formula_glyphs, "cut", lambda text: cuts.append(text) or text.encode())
    assert [formula_glyphs.cached(text) for text in ("a", "b", "a")] == [b"a", b"b", b"a"]
    assert cuts == ["a", "b"]


# In a browser ----------------------------------------------------------------------------------


@pytest.fixture
def opened(browser, served):
    """`opened("theory/", width)` is a page of the site in a fresh browser."""
    contexts = []

    def go(address, width=390, **options):
        context = browser.new_context(viewport={"width": width, "height": 844}, **options)
        contexts.append(context)
        page = context.new_page()
        page.goto(served + address)
        return page

    yield go
    for context in contexts:
        context.close()


@pytest.fixture(scope="module")
def addresses(site, built):
    """The addresses of the pages that hold a formula."""
    files = [path.relative_to(site).as_posix() for path, page in built.items() if page.formulas]
    return [file.removesuffix("index.html") for file in files]


def test_formulas_are_drawn_with_this_font_alone(opened, addresses):
    complaints = []
    page = opened(addresses[0])
    session = page.context.new_cdp_session(page)
    session.send("DOM.enable")
    session.send("CSS.enable")
    for address in addresses:
        page.goto(page.url.split("/pe/")[0] + "/pe/" + address)
        page.wait_for_function("document.fonts.status === 'loaded'")
        root = session.send("DOM.getDocument")["root"]["nodeId"]
        nodes = session.send("DOM.querySelectorAll", {"nodeId": root, "selector": "math"})
        for node in nodes["nodeIds"]:
            used = session.send("CSS.getPlatformFontsForNode", {"nodeId": node})["fonts"]
            html = session.send("DOM.getOuterHTML", {"nodeId": node})["outerHTML"]
            others = {font["familyName"] for font in used if not font["isCustomFont"]}
            if others and not re.search("[\u2e80-\uffef]", html):
                complaints.append(f"/{address}: {others} in {html[:300]}")
    assert not complaints, listed(complaints)


TRIAL = """([roots, matrix, small]) => {
  const article = document.querySelector("article");
  const put = (html) => {
    const p = document.createElement("p");
    p.innerHTML = html;
    article.append(p);
    return p;
  };
  const end = (e) => e.getBoundingClientRect().right;
  const tall = (e) => e.getBoundingClientRect().height;
  const root = put(roots).querySelectorAll("msqrt");
  const bracket = put(matrix).querySelector("mrow");
  return {
    gaps: [...root].map((r) => end(r) - end(r.lastElementChild)),
    signs: [...root].map((r) => r.lastElementChild.getBoundingClientRect().left
      - r.getBoundingClientRect().left),
    grown: tall(bracket.firstElementChild) / tall(bracket.querySelector("mtable")),
    lines: [tall(put("so it is")), tall(put(small)), tall(put("so it is"))],
  };
}"""


def test_formulas_look_like_print(opened, addresses):
    page = opened(addresses[0], 1280)
    page.wait_for_function("document.fonts.status === 'loaded'")
    seen = page.evaluate(
        TRIAL,
        [
            formula_mathml.mathml(r"\sqrt{d}") + formula_mathml.mathml(r"\sqrt{\frac{d}{2}}"),
            formula_mathml.mathml(r"\begin{bmatrix} 1 \\ 2 \\ 3 \end{bmatrix}", True),
            "so " + formula_mathml.mathml(r"\omega_i k = x^2") + " is",
        ],
    )
    assert max(map(abs, seen["gaps"])) < 1, "a gap after a root"
    assert min(seen["signs"]) > 8, "no sign before a root"
    assert seen["grown"] > 0.9, "a bracket does not grow with its matrix"
    assert len(set(seen["lines"])) == 1, "a small formula drives the lines apart"


SCROLLS = "box => box.scrollWidth > box.clientWidth"


def test_a_wide_formula_scrolls_in_its_box_and_is_reached_by_keyboard(browser, page):
    terms = " + ".join(f"x_{i} y_{i}" for i in range(16))
    content = page(f"$$\n{terms}\n$$\n\n$$\nx = y\n$$").content
    css = [read(ROOT / f"docs/theme/assets/{name}.css") for name in ("site", "formulas")]
    context = browser.new_context(viewport={"width": 390, "height": 844})
    view = context.new_page()
    view.set_content(f"<style>{' '.join(css)}</style><main class=md-typeset>{content}</main>")
    wide, narrow = view.locator(".formula").all()
    assert wide.evaluate(SCROLLS) and not narrow.evaluate(SCROLLS)
    assert wide.get_attribute("tabindex") == "0" and wide.get_attribute("aria-label") == "Formula"
    assert narrow.get_attribute("tabindex") is None
    assert view.evaluate("document.documentElement.scrollWidth <= innerWidth")
    context.close()


def test_without_a_script_the_keyboard_reaches_what_scrolls(opened, addresses):
    page = opened(addresses[0], java_script_enabled=False)
    complaints = []
    for address in addresses:
        page.goto(page.url.split("/pe/")[0] + "/pe/" + address)
        complaints += [
            f"/{address}: {box.text_content()}"
            for box in page.locator(".formula").all()
            if box.evaluate(SCROLLS) and box.get_attribute("tabindex") != "0"
        ]
    assert not complaints, listed(complaints)


JUMPS = """window.jumps = 0;
new PerformanceObserver((list) => list.getEntries().forEach((e) => { window.jumps += e.value; }))
  .observe({ type: "layout-shift", buffered: true });"""


def test_the_text_does_not_jump_when_the_font_comes(browser, served, site):
    """Three times, since a busy machine may be late once."""
    (sheet, *_) = sorted(site.glob("assets/formulas.*.css"))
    derivation = formula_mathml.mathml(
        r"\sum_{i=0}^{d-1} \sqrt{\frac{x_i}{2}} = \frac{1}{2}", True
    )
    text = (
        f"<p>so it is {formula_mathml.mathml('x^2 + 1')}</p><div class=formula>{derivation}</div>"
    )
    html = (
        f"<!doctype html><link rel=stylesheet href=../assets/{sheet.name}>"
        f"<main class='md-content md-typeset'>{text * 6}{'<p>so it is' * 3000}</main>"
    )
    jumps = []
    for _ in range(3):
        context = browser.new_context(viewport={"width": 390, "height": 844})
        page = context.new_page()
        page.add_init_script(JUMPS)
        page.route("**/trial/", lambda route: route.fulfill(body=html, content_type="text/html"))
        page.goto(f"{served}trial/")
        page.wait_for_timeout(600)
        assert page.evaluate("document.fonts.size === 1 && document.fonts.status === 'loaded'")
        jumps.append(page.evaluate("window.jumps"))
        context.close()
    assert min(jumps) < 0.01, jumps
