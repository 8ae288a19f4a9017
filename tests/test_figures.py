"""The figures are what the programs draw today, in both palettes, and each says what is on it."""

import base64
import io
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from html.parser import HTMLParser

import numpy
import pytest
from house import PAGES, ROOT, SNIPPETS, included, listed, name, read
from PIL import Image

HOOKS = ROOT / "docs/hooks"
DRAWERS = [path for path in SNIPPETS if ".savefig(" in read(path)]
FIGURE = re.compile(r"!\[[^\n]*?\]\([^)\s]*\bfigures/([\w/-]+)\.svg\)")
# Where matplotlib fills with black, it leaves the colour out.
BLACK = re.compile(r'#000000|<(?:text|tspan|path d="[^"]*") (?![^>]*fill)[^>]*>')
ENOUGH = {"en": 30, "zh": 15}  # characters of an alt text that say what is to be seen

sys.path.append(str(HOOKS))
import drawing  # noqa: E402
import figure_svg  # noqa: E402


def figure_of(path):
    return path.relative_to(ROOT / "snippets").with_suffix("").as_posix()


# What stands on the pages ----------------------------------------------------------------------


def test_a_program_that_draws_is_shown_with_its_figure():
    complaints = [
        f"{name(page)}: includes {snippet}, which draws a figure, but does not show it: "
        f"![What is to be seen](figures/{figure_of(ROOT / 'snippets' / snippet)}.svg)"
        for page in PAGES
        for snippet in included(read(page))
        if ROOT / "snippets" / snippet in DRAWERS
        and figure_of(ROOT / "snippets" / snippet) not in FIGURE.findall(read(page))
    ]
    assert not complaints, listed(complaints)


class Images(HTMLParser):
    def __init__(self, html):
        super().__init__()
        self.found = []
        self.feed(html)

    def handle_starttag(self, tag, attributes):
        if tag == "img":
            self.found.append(dict(attributes))


def shown(site):
    """Each picture of a figure in the built site: its page, and its attributes."""
    for page in sorted(site.rglob("*.html")):
        for image in Images(read(page)).found:
            if "data-palette" in image:
                yield page.relative_to(site), image


def test_alt_texts_say_what_is_to_be_seen(site):
    complaints, seen = [], 0
    for page, image in shown(site):
        seen += 1
        edition = "zh" if page.parts[0] == "zh" else "en"
        if len(image["alt"] or "") < ENOUGH[edition]:
            complaints.append(f"{page}: the alt text of {image['src']} is “{image['alt']}”")
    assert seen
    assert not complaints, listed(complaints)


def test_each_figure_is_there_twice_and_keeps_its_place(site):
    found = list(shown(site))
    palettes = [image["data-palette"] for _, image in found]
    assert found and palettes == ["light", "dark"] * (len(found) // 2)
    for page, image in found:
        svg = read((site / page).parent / image["src"])
        width, height = map(float, re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', svg).groups())
        assert int(image["width"]) / int(image["height"]) == pytest.approx(width / height, 0.01)


# What the programs draw ------------------------------------------------------------------------


@pytest.mark.parametrize("path", DRAWERS, ids=figure_of)
def test_drawn_again_it_is_the_same(path, site, tmp_path, monkeypatch):
    """In another process, on another day, from nothing: byte for byte what the site shows."""
    figure = figure_of(path)
    published = site / f"figures/{figure}.svg"
    if not published.exists():
        pytest.skip("no page shows it; tests/test_includes.py says so")
    monkeypatch.setattr(drawing, "CACHE", tmp_path)
    svg, png = drawing.draw(figure, "light")
    assert svg == published.read_bytes()
    assert png == published.with_suffix(".png").read_bytes()


def test_dark_pictures_are_drawn_for_the_dark(site):
    """Black is what a program draws when it takes its colours from elsewhere than the style."""
    pictures = sorted(site.glob("figures/**/*.dark.svg"))
    complaints = [
        f"{path.relative_to(site)} holds black, which nobody sees on a dark page"
        for path in pictures
        if BLACK.search(read(path))
    ]
    assert pictures
    assert not complaints, listed(complaints)


def test_a_raster_becomes_small_and_keeps_its_rare_colours():
    ramp = numpy.linspace(0, 255, 600).astype("uint8")
    values = numpy.zeros((600, 200, 4), "uint8") + 255
    values[..., 0] = values[..., 1] = ramp[:, None] // 2
    values[402:405, 80] = (255, 230, 0, 255)  # three dots, which become one
    packed = io.BytesIO()
    Image.fromarray(values).save(packed, "png")
    encoded = base64.b64encode(packed.getvalue()).decode()
    svg = figure_svg.tidy(f'<svg><image xlink:href="data:image/png;base64,\n{encoded}"/></svg>')
    assert 'preserveAspectRatio="none"' in svg  # for its dots are no longer square
    small = re.search(r"base64,([^\"]+)", svg)[1]
    image = Image.open(io.BytesIO(base64.b64decode(small)))
    assert image.size == (200, 200)
    assert len(small) < len(encoded) / 3
    brightest = max(image.convert("RGB").get_flattened_data())
    assert brightest == pytest.approx((255, 230, 0), abs=16)


def luminance(colour):
    parts = [int(colour[place : place + 2], 16) / 255 for place in (0, 2, 4)]
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize(("palette", "sheet"), [("light", "site.css"), ("dark", "dark.css")])
def test_colours_are_those_of_the_page_and_stand_out(palette, sheet):
    css = dict(re.findall(r"--pe-(\w+): #(\w{6})", read(ROOT / "docs/theme/assets" / sheet)))
    style = read(ROOT / f"docs/theme/figures/{palette}.mplstyle")
    cycle = re.search(r"^axes.prop_cycle: (.*)", style, re.MULTILINE)[1]
    colours = re.findall(r'"(\w{6})"', cycle)
    assert colours[:3] == [css["position"], css["token"], css["sum"]]
    for colour in set(re.findall(r"\b[0-9a-f]{6}\b", style)):
        lighter, darker = sorted(map(luminance, (colour, css["paper"])), reverse=True)
        assert (lighter + 0.05) / (darker + 0.05) >= 4.5, colour


# What the hook does, on a small project of its own ---------------------------------------------

CONFIG = """\
site_name: Small
docs_dir: docs/en
strict: true
theme: {name: material, font: false}
hooks: [docs/hooks/figures.py]
markdown_extensions:
  admonition:
  pymdownx.details:
  pymdownx.superfences:
  pymdownx.tabbed: {alternate_style: true}
  pymdownx.snippets: {base_path: [snippets], check_paths: true}
  pymdownx.striphtml:
"""
PROGRAM = """\
import matplotlib.pyplot as plt

open("LOG", "a").write("STEM ")
fig, ax = plt.subplots()
ax.plot([1, 2, 3])
fig.savefig("STEM.svg")
"""
ALT = "A line that rises from the lower left to the upper right"


class Project:
    def __init__(self, folder):
        self.folder, self.log = folder, folder / "log"
        for hook in ("figures.py", "drawing.py", "figure_svg.py"):
            self.write(f"docs/hooks/{hook}", read(HOOKS / hook))
        shutil.copytree(ROOT / "docs/theme/figures", folder / "docs/theme/figures")
        self.write("mkdocs.yml", CONFIG)
        self.program("one")
        self.page(f'![{ALT}](figures/small/one.svg)\n\n--8<-- "small/one.md"\n')

    def write(self, path, text):
        (self.folder / path).parent.mkdir(parents=True, exist_ok=True)
        (self.folder / path).write_text(text, encoding="utf-8")

    def page(self, text, path="index.md"):
        self.write(f"docs/en/{path}", f"# A page\n\n{text}")

    def program(self, stem, change=lambda program: program):
        program = PROGRAM.replace("LOG", self.log.as_posix()).replace("STEM", stem)
        self.write(f"snippets/small/{stem}.md", f"```python\n{change(program)}```\n")

    def start(self):
        return subprocess.Popen(
            [sys.executable, "-m", "mkdocs", "build", "-q"],
            cwd=self.folder,
            env=os.environ | {"NO_MKDOCS_2_WARNING": "1"},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            start_new_session=True,
        )

    def build(self):
        """Build; return what MkDocs says, which is nothing if all is well."""
        process = self.start()
        said, _ = process.communicate(timeout=120)
        assert bool(said) == bool(process.returncode)
        return said

    def runs(self):
        """Which programs have run since one asked."""
        ran = self.log.read_text(encoding="utf-8").split() if self.log.exists() else []
        self.log.unlink(missing_ok=True)
        return sorted(ran)


@pytest.fixture
def project(tmp_path):
    return Project(tmp_path)


def test_wherever_it_stands_on_a_page(project):
    image, include = "![{}]({}figures/small/{}.svg)", '--8<-- "small/{}.md"'
    text = ""
    for stem, start, indent in (
        ("one", "", ""),
        ("two", '??? question "Folded"\n', "    "),
        ("three", '=== "Tab"\n', "    "),
    ):
        project.program(stem)
        lines = (image.format(f"{ALT}: “{stem}” > [0]", "UP", stem), include.format(stem))
        text += f"{start}\n{indent}{lines[0]}\n\n{indent}{lines[1]}\n\n"
    project.page(text.replace("UP", ""))
    project.page(text.replace("UP", "../"), "deep/page.md")
    assert project.build() == ""
    for page in ("index.html", "deep/page/index.html"):
        html = project.folder / "site" / page
        images = [image for image in Images(read(html)).found if "data-palette" in image]
        stems = [stem for stem in ("one", "two", "three") for _ in range(2)]
        assert [image["alt"] for image in images] == [f"{ALT}: “{stem}” > [0]" for stem in stems]
        assert all(image["loading"] == "lazy" for image in images)
        light, dark = ((html.parent / image["src"]).read_bytes() for image in images[:2])
        assert b"#b5470b" in light and b"#ffa25c" in dark
        assert b"metadata" not in light + dark


def test_drawn_when_and_only_when_something_has_changed(project):
    (project.folder / "data").mkdir()
    (project.folder / "data/table.npy").write_bytes(b"one")
    project.program("two", lambda program: f'open("table.npy")\n{program}')
    project.page(
        "".join(
            f'![{ALT}](figures/small/{s}.svg)\n\n--8<-- "small/{s}.md"\n\n' for s in ("one", "two")
        )
    )
    light = "docs/theme/figures/light.mplstyle"
    assert project.build() == ""
    assert project.runs() == ["one", "one", "two", "two"]
    before = read(project.folder / "site/figures/small/one.svg")
    assert project.build() == ""
    assert project.runs() == []
    assert read(project.folder / "site/figures/small/one.svg") == before

    project.program("one", lambda program: program.replace("[1, 2, 3]", "[3, 2, 1]"))
    assert project.build() == ""
    assert project.runs() == ["one", "one"]
    assert read(project.folder / "site/figures/small/one.svg") != before

    project.write(light, read(project.folder / light).replace("b5470b", "b5470c"))
    assert project.build() == ""
    assert project.runs() == ["one", "two"]
    assert "#b5470c" in read(project.folder / "site/figures/small/one.svg")

    (project.folder / "data/table.npy").write_bytes(b"two")
    assert project.build() == ""
    assert project.runs() == ["two", "two"]

    for hook, each in {"drawing": 2, "figure_svg": 2, "figures": 0}.items():
        path = f"docs/hooks/{hook}.py"
        project.write(path, read(project.folder / path) + "# changed\n")
        assert project.build() == ""
        assert project.runs() == ["one"] * each + ["two"] * each, hook


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda text: text + "1 / 0\n", ['small/one.md", line 8', "ZeroDivisionError", "1 / 0"]),
        (lambda text: text.replace("fig.savefig", "str"), ['call fig.savefig("one.svg")']),
        (lambda text: text.replace("one.svg", "two.svg"), ['call fig.savefig("one.svg")']),
        (lambda text: re.sub(r"\bfig\b", "picture", text), ['call fig.savefig("one.svg")']),
        (lambda text: text.replace("fig.", "ax.set(title='词元')\nfig."), ["Glyph", "missing"]),
    ],
    ids=["crash", "no savefig", "another name", "another variable", "no such letter"],
)
def test_without_a_picture_there_is_no_site(change, says, project):
    assert project.build() == ""
    project.program("one", change)
    said = project.build()
    for words in ["docs/en/index.md:3", "snippets/small/one.md", *says]:
        assert words in said
    assert not (project.folder / "site/index.html").exists()
    # Nor does the failure stay: the program as it was is the picture as it was.
    project.program("one")
    project.runs()
    assert project.build() == ""
    assert project.runs() == []


def test_a_figure_needs_its_program_on_the_page(project):
    project.page(f"![{ALT}](figures/small/one.svg)\n")
    said = project.build()
    assert "docs/en/index.md:3" in said and '--8<-- "small/one.md"' in said
    project.page(f"![{ALT}](figures/small/none.svg)\n")
    said = project.build()
    assert "docs/en/index.md:3" in said and "snippets/small/none.md" in said
    assert project.runs() == []


def test_an_interrupted_build_leaves_nothing_broken(project):
    slow = project.folder / "slow"
    slow.touch()
    wait = f"import os, time\nwhile os.path.exists({slow.as_posix()!r}): time.sleep(0.1)\n"
    project.program("one", lambda program: program.replace("fig.savefig", f"{wait}fig.savefig"))
    process = project.start()
    while not project.log.exists():
        time.sleep(0.1)
        assert process.poll() is None
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate()
    slow.unlink()
    assert project.build() == ""
    assert "#b5470b" in read(project.folder / "site/figures/small/one.svg")


# What a browser makes of it --------------------------------------------------------------------


# Scrolls to each picture that fits and waits for it, as for a reader. Those that fit are shown and
# load as pictures, the others are not shown.
WRONG = """async (palette) => {
  const wrong = [];
  for (const one of document.querySelectorAll("img[data-palette]")) {
    const fits = one.dataset.palette === palette;
    if (one.checkVisibility() !== fits) wrong.push(`${one.src}: shown ${!fits}`);
    else if (fits) {
      one.scrollIntoView();
      await one.decode().catch(() => wrong.push(`${one.src}: is no picture`));
    }
  }
  return wrong;
}"""


@pytest.mark.parametrize("script", [True, False], ids=["script", "no script"])
@pytest.mark.parametrize("palette", ["light", "dark"])
def test_only_the_picture_that_fits_is_shown_and_loaded(palette, script, site, served, browser):
    context = browser.new_context(color_scheme=palette, java_script_enabled=script)
    page, asked, wrong = context.new_page(), [], []
    page.on("request", lambda request: asked.append(request.url))
    for path in sorted({page for page, _ in shown(site)}):
        page.goto(f"{served}{path.parent.as_posix()}/")
        wrong += page.evaluate(WRONG, palette)
    context.close()
    assert not wrong, listed(wrong)
    figures = [url for url in asked if "/figures/" in url]
    assert figures
    if script:  # without, browsers do not load lazily, lest they tell how far one reads
        assert all(url.endswith(".dark.svg") == (palette == "dark") for url in figures)
