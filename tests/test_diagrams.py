"""Diagrams: what a wrong one says, and how they stand on the built pages."""

import re
import subprocess
import sys
from xml.etree import ElementTree

import pytest
from building import rendered_page
from house import PAGES, ROOT, listed, read
from mkdocs.config import load_config
from mkdocs.exceptions import PluginError

HOOKS = ROOT / "docs/hooks"
ASSETS = ROOT / "docs/theme/assets"
sys.path.append(str(HOOKS))
import diagram_mermaid  # noqa: E402
import diagrams  # noqa: E402

HEAD = "flowchart TB\n  accTitle: Title\n  accDescr: What is to be seen\n"
CHINESE = f"""{HEAD}  A["词元编号 (B, T)"] --> B["正弦位置编码，相加之后的表示 (B, T, d)"]
  A -. 梯度回传 .-> C{{"查询、键、值"}}
  subgraph L["每一层都旋转"]
    B --> D(("和"))
  end
  class A tokens
  class B,C positions
  class D sum
"""


@pytest.fixture(scope="module")
def config():
    config = load_config(str(ROOT / "mkdocs.yml"))
    diagrams.on_config(config)
    return config


@pytest.fixture(scope="module", autouse=True)
def drawn(tmp_path_factory):
    """A cache of this test's own, and the engine's end."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(diagram_mermaid, "CACHE", tmp_path_factory.mktemp("diagrams"))
        yield
    diagram_mermaid.engine.close()


@pytest.fixture
def page(config, tmp_path):
    """`page(text)` is a page with this text, rendered as MkDocs renders it, diagrams and all."""

    return lambda text: rendered_page(text, tmp_path, config, diagrams)


def fence(text, indent=""):
    return re.sub("^(?=.)", indent, f"```mermaid\n{text}\n```\n", flags=re.MULTILINE)


# From Mermaid to the page ----------------------------------------------------------------------


def test_a_diagram_is_drawn_wherever_it_stands(page):
    text = fence(f"{HEAD}  A --> B")
    folded = f"??? question\n\n{fence(f'{HEAD}  A --> B', '    ')}"
    built = page(f"{text}{text}\n- one\n\n{fence(f'{HEAD}  A --> B', '    ')}\n{folded}")
    assert built.content.count('<div class="diagram">') == 4
    assert "<code>" not in built.content and "<p><div" not in built.content
    ids = re.findall(r'\bid="([^"]+)"', built.content)
    assert len(ids) == len(set(ids)) == 12


def test_the_search_reads_title_and_description_alone(page):
    indexed = page(fence(f'{HEAD}  A["label of a box"] --> B')).indexed
    assert "Title What is to be seen" in indexed
    assert "label" not in indexed and "<svg" not in indexed


def test_special_characters_come_through(page):
    text = 'flowchart TB\n  accTitle: "A" & b < c\n  accDescr: x > y\n  A["a < b & c"]'
    svg = ElementTree.fromstring(
        re.search("<svg.*</svg>", page(fence(text)).content)[0].replace("&nbsp;", " ")
    )
    assert svg.find("title").text == '"A" & b < c'
    assert svg.find("desc").text == "x > y"
    assert "".join(svg.find(".//text").itertext()) == "a < b & c"


def test_a_shape_stays_in_one_line(page):
    content = page(fence(f'{HEAD}  A["a long label and its shape (B, heads, T, d)"]')).content
    lines = re.findall("<tspan[^>]*>(.*?)</tspan>", content)
    assert len(lines) > 1
    assert any("(B, heads, T, d)" in line for line in lines)


def test_colours_come_from_classes(page):
    content = page(fence(f"{HEAD}  A --> B --> C\n  class A tokens\n  class C sum")).content
    assert re.findall(r'class="node( \w+)?"', content) == [" tokens", "", " both"]
    assert not re.search(r"fill[:=]|stroke[:=]|#[0-9a-f]{3,6}\b|<style", content)


@pytest.mark.parametrize(
    ("text", "line", "complaint"),
    [
        ("flowchart TB\n  accTitle: T\n  A --> B", 2, "has no `accDescr"),
        ("flowchart TB\n  accDescr: T\n  A --> B", 2, "has no `accTitle"),
        (f"{HEAD}  A -->\n  B[[ --> C\n  D --> E", 8, "Parse error on line 7"),
        (f"{HEAD}  A --> B\n  classDef x fill:red", 6, "no classDef"),
        (f"{HEAD}  A --> B\n  style A fill:red", 6, "no style"),
        ("sequenceDiagram\n  A->>B: x", 2, "only flowcharts"),
    ],
)
def test_a_wrong_diagram_ends_the_build(page, tmp_path, text, line, complaint):
    with pytest.raises(PluginError) as error:
        page(fence(text))
    assert f"{tmp_path}/page.md:{line}: " in str(error.value)
    assert complaint in str(error.value)


def test_drawn_in_another_process_it_is_the_same():
    program = (
        "import sys; sys.path.append(sys.argv[1]); import diagram_mermaid;"
        "print(diagram_mermaid.draw(sys.argv[2], None)); diagram_mermaid.engine.close()"
    )
    runs = {
        subprocess.run(
            [sys.executable, "-c", program, HOOKS, CHINESE],
            env={"PYTHONHASHSEED": seed, "PYTHONUTF8": "1"},
            capture_output=True,
            encoding="utf-8",
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(runs) == 1
    assert not re.search(r"\d{6}", runs.pop()), "more digits than a drawing needs"


def test_the_cached_drawing_is_the_one_of_this_text(tmp_path, monkeypatch):
    monkeypatch.setattr(diagram_mermaid, "CACHE", tmp_path)
    drawings = []
    monkeypatch.setattr(diagram_mermaid, "draw", lambda text, page: drawings.append(text) or text)
    assert [diagram_mermaid.cached(text, None) for text in ("a", "b", "a")] == ["a", "b", "a"]
    assert drawings == ["a", "b"]
    monkeypatch.setitem(diagram_mermaid.LAYOUT, "fontSize", 99)
    diagram_mermaid.cached("a", None)
    assert drawings == ["a", "b", "a"], "a new layout, and the old drawing"


# The built pages -------------------------------------------------------------------------------


def test_each_diagram_of_the_pages_is_on_the_site(site):
    complaints, seen = [], 0
    for path in PAGES:
        edition, name = path.relative_to(ROOT / "docs").parts[0], path.stem
        place = site / ("zh" if edition == "zh" else "") / ("" if name == "index" else name)
        if not (place / "index.html").exists():
            continue
        html, expected = read(place / "index.html"), len(re.findall("```mermaid", read(path)))
        seen += expected
        found = html.count('<div class="diagram"')
        if found != expected:
            complaints.append(f"{path}: {expected} diagrams, of which {found} are on the site")
        if html.count("assets/diagrams.css") != bool(expected):
            complaints.append(f"{path}: loads the style sheet for nothing, or not at all")
    assert seen
    assert not complaints, listed(complaints)


def test_each_diagram_has_a_title_and_a_description(site):
    complaints, seen = [], 0
    for path in sorted(site.rglob("*.html")):
        html = read(path)
        for svg in re.findall('<div class="diagram".*?(<svg.*?</svg>)', html, re.DOTALL):
            seen += 1
            labels = re.search(r'role="img" aria-labelledby="([^"]+)"', svg)[1].split()
            texts = [re.search(f'<(title|desc) id="{label}">([^<]+)<', svg) for label in labels]
            if [text and text[1] for text in texts] != ["title", "desc"]:
                complaints.append(f"{path.relative_to(site)}: {svg[:200]}")
            complaints += [
                f"{path.relative_to(site)}: the id {label} is there twice"
                for label in re.findall(r'\bid="([^"]+)"', svg)
                if html.count(f'id="{label}"') != 1
            ]
    assert seen
    assert not complaints, listed(complaints)


def test_the_theme_finds_no_diagram_of_its_own(site):
    """Its script would load a library from another host for any element of this class."""
    complaints = [
        f"{path.relative_to(site)}: {mark}"
        for path in sorted(site.rglob("*.html"))
        for mark in ('class="mermaid"', "language-mermaid", "unpkg.com", "data-diagram")
        if mark in read(path)
    ]
    assert not complaints, listed(complaints)


# In a browser ----------------------------------------------------------------------------------

CLIPPED = """() => [...document.querySelectorAll(".diagram :is(.node, .group)")].filter((node) => {
  const box = node.firstElementChild.getBoundingClientRect();
  const text = node.querySelector("text").getBoundingClientRect();
  return text.left < box.left || text.right > box.right
    || text.top < box.top - 1 || text.bottom > box.bottom + 1;
}).map((node) => node.textContent)"""
CONTRASTS = """() => {
  const paint = document.createElement("canvas").getContext("2d");
  const light = (colour) => {
    paint.fillStyle = colour;
    paint.fillRect(0, 0, 1, 1);
    const parts = [...paint.getImageData(0, 0, 1, 1).data].slice(0, 3).map((part) => part / 255);
    const [r, g, b] = parts.map((p) => p <= 0.04045 ? p / 12.92 : ((p + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ratio = (a, b) => {
    const [high, low] = [light(a), light(b)].sort((x, y) => y - x);
    return (high + 0.05) / (low + 0.05);
  };
  const paper = getComputedStyle(document.body).backgroundColor;
  return [...document.querySelectorAll(".diagram .node")].map((node) => {
    const shape = getComputedStyle(node.firstElementChild);
    const text = getComputedStyle(node.querySelector("text"));
    return [node.getAttribute("class"), ratio(text.fill, shape.fill), ratio(shape.stroke, paper)];
  });
}"""


@pytest.fixture
def trial(browser, config):
    """A page with the Chinese diagram, in the styles of the site and in nothing else."""
    contexts = []

    def opened(width, palette):
        context = browser.new_context(
            viewport={"width": width, "height": 800}, color_scheme=palette
        )
        contexts.append(context)
        page = context.new_page()
        css = [read(ASSETS / f"{name}.css") for name in ("site", "diagrams")]
        css += [read(ASSETS / "dark.css")] * (palette == "dark")
        svg = diagrams.boxed(diagram_mermaid.cached(CHINESE, None))
        page.set_content(f"<style>{' '.join(css)}</style><main class=md-typeset>{svg}</main>")
        return page

    yield opened
    for context in contexts:
        context.close()


@pytest.mark.parametrize("palette", ["light", "dark"])
def test_labels_are_whole_and_stand_out(trial, palette):
    page = trial(390, palette)
    assert page.evaluate(CLIPPED) == []
    contrasts = page.evaluate(CONTRASTS)
    assert {kind for kind, _, _ in contrasts} == {
        f"node {k}" for k in ("tokens", "positions", "both")
    }
    for kind, text, line in contrasts:
        assert text >= 4.5, f"{kind}: a text of contrast {text:.1f}"
        assert line >= 3, f"{kind}: a line of contrast {line:.1f}"


def test_diagrams_of_the_site_are_readable_on_a_phone(site, served, browser):
    files = [path for path in site.rglob("*.html") if 'class="diagram"' in read(path)]
    context = browser.new_context(
        viewport={"width": 390, "height": 844}, java_script_enabled=False
    )
    page, complaints = context.new_page(), []
    for path in sorted(files):
        page.goto(served + path.relative_to(site).as_posix().removesuffix("index.html"))
        complaints += [f"{path.relative_to(site)}: clipped: {t}" for t in page.evaluate(CLIPPED)]
        for box in page.locator(".diagram").all():
            size = box.evaluate(
                "box => 15 * box.firstElementChild.getBoundingClientRect().width"
                " / box.firstElementChild.viewBox.baseVal.width"
            )
            if size < 11.9:
                complaints.append(f"{path.relative_to(site)}: letters of {size:.1f} px")
            wide = box.evaluate("box => box.scrollWidth > box.clientWidth")
            if wide and box.get_attribute("tabindex") != "0":
                complaints.append(f"{path.relative_to(site)}: scrolls, but not by keyboard")
    context.close()
    assert files
    assert not complaints, listed(complaints)
