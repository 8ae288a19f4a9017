"""Labs: run once, told twice, published whole; each mistake is named with its line."""

import difflib
import io
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time

import nbformat
import numpy as np
import psutil
import pytest
from house import ROOT, listed, name, read
from lab_texts import LABS, edition, with_text
from markdown_it import MarkdownIt
from mkdocs.exceptions import PluginError
from nbclient import NotebookClient
from PIL import Image
from test_notebooks import draws, printed

sys.path.append(str(ROOT / "docs/hooks"))
import lab_cache
import lab_figures
import lab_progress
import lab_run
import lab_svg
from lab_source import Lab

BUDGET = {"one": 120, "all": 300}  # seconds of a processor
SLACK = 1.5  # of one that is slower, or shares its caches with other work
SHORT = 25  # what takes no longer is run again here
OUTPUTS = ROOT / "tests/lab_outputs"
LAB = """\
# ---
# en:
#   description: One lab.
# zh:
#   description: 一个实验。
# ---

# %% [markdown] tags=["en"]
# # Lab `x` and $x_i$ { #lab }
#
# See [the table](../longer.md#far), and $a < b$.
#
# ## Two { #two }

# %% [markdown] tags=["zh"]
# # 实验 `x` 和 $x_i$ { #lab }
#
# 见[这张表](../longer.md#far)，
# 以及 $a < b$。
#
# ## 二 { #two }

# %%
import time

import matplotlib.pyplot as plt
from IPython.display import display

def line(height):
    return [0, height]

progress = display({"text/plain": ""}, raw=True, display_id=True)
progress.update({"text/plain": "1 of 1"}, raw=True)
print("height:", line(1))

# %%
plt.plot(line(2))
plt.imshow([[0, 1]])
plt.show()

# %% [markdown] tags=["en", "alt"]
# A line that rises from left to right, over two dots.

# %% [markdown] tags=["zh", "alt"]
# 一条从左到右上升的线，下面有两个点。

# %% [markdown] tags=["en"]
# <details><summary>Why?</summary>
#
# So.
#
# </details>
#
# **In one sentence.** It rises.

# %% [markdown] tags=["zh"]
# <details><summary>为什么？</summary>
#
# 就这样。
#
# </details>
#
# **一句话总结。**它上升。
"""
SLOW = ("print(", "time.sleep(60)\nprint(")
FIGURE_CELL = LAB.splitlines().index("plt.plot(line(2))") + 1


@pytest.fixture
def cache(tmp_path, monkeypatch):
    monkeypatch.setattr(lab_cache, "CACHE", tmp_path / "cache")
    return tmp_path / "cache"


@pytest.fixture
def lab(tmp_path, cache):
    """A function that gives the lab above with changes."""

    def written(*changes):
        text = LAB
        for old, new in changes:
            assert old in text
            text = text.replace(old, new, 1)
        path = tmp_path / "lab.py"
        path.write_text(text, encoding="utf-8")
        return Lab(path)

    return written


def ran(lab):
    lab_progress.run_all([lab])
    return lab_cache.result_of(lab)


# A lab as it is written ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "line", "said"),
    [
        ("# ---\n", "", 1, "a lab begins with its description"),
        ("#   description: 一个实验。", "#   title: 一", 1, "`zh:` needs a `description:`"),
        (' tags=["zh"]', "", 15, "a text cell has tags"),
        (' tags=["en", "alt"]', ' tags=["en", "al"]', 41, "a text cell has tags"),
        ("## 二 { #two }", "## 二", 21, "this heading needs an id: ## 二 { #an-id }"),
        (' tags=["zh"]', ' tags=["en"]', 8, "the Chinese twin of this cell must follow it"),
        (' tags=["zh", "alt"]', ' tags=["zh"]', 41, "the Chinese twin of this cell must follow"),
        ('# %% [markdown] tags=["en", "alt"]\n# A', "# A", 43, "the English twin of this cell"),
    ],
)
def test_a_badly_written_lab_is_refused(old, new, line, said, lab):
    with pytest.raises(PluginError, match=re.escape(f"docs/labs/lab.py:{line}: {said}")):
        lab((old, new))


def test_headings_in_a_fence_are_code(lab):
    found = lab(("# ## Two", "# ```text\n# # no heading\n# ```\n#\n# ## Two"))
    assert [heading[2] for heading in Lab.headings(found.cells[0].text)] == ["lab", "two"]


@pytest.mark.parametrize("path", LABS, ids=name)
def test_programs_of_a_lab_fit_a_page(path):
    complaints = []
    for cell in Lab(path).code:
        lines = cell.text.splitlines()
        if len(lines) > 45:
            complaints.append(f"{name(path)}:{cell.line}: a cell of {len(lines)} lines")
        complaints += [
            f"{name(path)}:{cell.line + number}: {len(line)} columns, at most 79 fit"
            for number, line in enumerate(lines)
            if len(line) > 79
        ]
    assert not complaints, listed(complaints)


def test_the_example_in_contributing_is_a_lab(tmp_path, cache):
    (example,) = re.findall(
        r"^````text\n(# ---\n.*?)^````$", read(ROOT / "CONTRIBUTING.md"), re.S | re.M
    )
    path = tmp_path / "mean.py"
    path.write_text(example, encoding="utf-8")
    found = Lab(path)
    assert ran(found)["cells"] == [[{"text": "the same mean in both orders\n"}, {"figure": 1}]]
    assert lab_figures.figures(found) == {1: found.code[0].line}
    assert lab_figures.pictures(found, 1, 1)


def test_lines_of_an_edition_are_those_of_the_file():
    text = edition(LAB, "zh")
    assert text.count("\n") == LAB.count("\n")
    front, body = text.split("---\n")[1:]
    assert front.strip() == "description: 一个实验。"
    assert (
        "Lab" not in body
        and "import" not in body
        and body.splitlines()[9] == "# 实验 " + ("`x` 和 $x_i$ { #lab }")
    )
    changed = with_text(LAB, "zh", lambda number, line: line.replace("上升", f"{number}"))
    assert changed == LAB.replace("上升的线", "45的线").replace("它上升", "它63")


# A lab as it runs ------------------------------------------------------------------------------


def test_what_a_run_keeps(lab):
    found = lab()
    result = ran(found)
    assert result["cells"] == [
        [{"text": "1 of 1\nheight: [0, 1]\n"}],
        [{"figure": 1}],
    ]
    assert len(result["seconds"]) == 2 and all(seconds >= 0 for seconds in result["seconds"])
    assert lab_cache.figure(found, 1, "png").startswith(b"\x89PNG")
    assert "<svg" in lab_cache.figure(found, 1, "svg").decode()


def test_text_may_change_without_a_run(lab, monkeypatch):
    ran(lab())
    monkeypatch.setattr(lab_run, "execute", lambda *_: pytest.fail("it runs", pytrace=False))
    ran(lab(("It rises", "It climbs"), ("# A line", "# One line"), ("# # Lab", "# # A lab")))


@pytest.mark.parametrize("change", [("line(2)", "line(3)"), ("plt.show()", "plt.show()\n")])
def test_code_may_not(change, lab):
    before = lab_cache.place_of(lab())
    assert (lab_cache.place_of(lab(change)) != before) == (change[0] == "line(2)")


def test_data_and_style_belong_to_it(lab, monkeypatch, tmp_path):
    reads = ('print("height:"', 'open("a.npy")\nprint("height:"')
    (tmp_path / "data").mkdir()
    (tmp_path / "data/a.npy").write_text("1")
    monkeypatch.setattr(lab_cache, "ROOT", tmp_path)
    before, with_data = lab_cache.place_of(lab()), lab_cache.place_of(lab(reads))
    (tmp_path / "data/a.npy").write_text("2")
    assert lab_cache.place_of(lab()) == before and lab_cache.place_of(lab(reads)) != with_data
    monkeypatch.setattr(lab_cache, "style", lambda: "")
    assert lab_cache.place_of(lab()) != before


def test_what_runs_it_belongs_to_it(project):
    """And nothing else of the hooks: to find a lab or to show it takes no new run."""
    place = (
        "from types import *; import lab_cache as l; print(l.place_of(SimpleNamespace(code=[])))"
    )
    hooks, new = project / "docs/hooks", []

    def named():
        return subprocess.check_output([sys.executable, "-c", place], cwd=hooks)

    before = named()
    for path in sorted(hooks.glob("lab*.py")):
        source = read(path)
        path.write_text(f"{source}# changed\n", encoding="utf-8")
        new += [path.stem] * (named() != before)
        path.write_text(source, encoding="utf-8")
    assert new == ["lab_kernel", "lab_run"]


@pytest.mark.parametrize(
    ("change", "line", "said"),
    [
        (
            ("print(", 'assert 0, "no longer"\nprint('),
            34,
            "cell 1 stops. AssertionError: no longer",
        ),
        (("return [0", "return [1 / 0"), 30, "code cell 1 stops. ZeroDivisionError"),
        (("plt.plot(line(2))", "plt.plot(line(2)"), 37, "code cell 2 stops. SyntaxError"),
        (("plt.plot(line(2))", 'plt.plot(line("") + 1)'), 37, "code cell 2 stops. TypeError"),
        (("print(", "import os; os._exit(1)\nprint("), 24, "code cell 1 stops."),
        (("print(", 'import sys; sys.stderr.write("w")\nprint('), 24, "this cell warns"),
    ],
)
def test_a_failing_cell_is_named(change, line, said, lab, cache):
    with pytest.raises(PluginError) as error:
        ran(lab(change))
    assert re.match(rf"docs/labs/lab\.py:{line}: .*{re.escape(said)}", str(error.value))
    assert not list(cache.iterdir()), "something of the failed run is kept"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (('["en", "alt"]', '["en"]'), None),
        (("plt.plot(line(2))", "plt.plot(line(2), color='#123456')"), "it holds #123456"),
        (("plt.plot(line(2))", "plt.title('x', color='k')"), "it holds black"),
        (("plt.plot(line(2))", "plt.fill(line(2), line(1), color='k')"), "it holds #000000"),
        (("plt.show()", "plt.show()\nplt.plot([1])\nplt.show()"), "this cell draws two figures"),
        (("plt.show()", "plt.close()"), "this cell draws no figure"),
    ],
)
def test_a_figure_that_cannot_be_shown_is_refused(change, said, lab):
    changes = [change]
    if said is None:  # the text is there, but does not describe the figure
        changes, said = [change, ('["zh", "alt"]', '["zh"]')], "Say what is to be seen in it"
    found = lab(*changes)
    ran(found)
    with pytest.raises(PluginError) as error:
        for number, line in lab_figures.figures(found).items():
            lab_figures.pictures(found, number, line)
    assert str(error.value).startswith(f"docs/labs/lab.py:{FIGURE_CELL}: ")
    assert said in str(error.value)


def test_the_dark_figure_differs_in_its_colours_only(lab):
    found = lab()
    ran(found)
    light, dark = lab_figures.pictures(found, 1, 1)
    assert light != dark
    assert lab_svg.COLOUR.sub("", light) == lab_svg.COLOUR.sub("", dark)
    pairs = lab_svg.counterparts()
    assert pairs["#b5470b"] == "#ffa25c" and not set(pairs) & set(lab_svg.COLOUR.findall(dark))


def test_progress_is_rewritten_on_a_terminal_only(lab):
    class Terminal(io.StringIO):
        def isatty(self):
            return True

    found = lab()
    for stream, lines in ((Terminal(), 2), (io.StringIO(), 0)):
        progress = lab_progress.Progress([None, found, None, None], stream)
        progress.says(found, 0, "step 100 of 300")
        progress.says(found, 1, "")
        progress.ends(found, 1)
        text = stream.getvalue()
        assert text.count("Running lab 2 of 4: lab, cell ") == lines
        assert text.endswith("\x1b[J" if lines else "")
        if lines:
            assert "lab, cell 1 of 2: step 100 of 300\n\x1b[1A\r\x1b[J" in text


def test_time_is_within_the_budget(site):
    """The processor's seconds, as they were when each lab ran, here or where the cache is from."""
    seconds = {path.stem: sum(lab_cache.result_of(Lab(path))["seconds"]) for path in LABS}
    print(seconds)
    hint = (
        f"{seconds}: was the machine busy when they ran? Then delete .cache/labs, and build again "
        "while it is not"
    )
    assert max(seconds.values(), default=0) <= SLACK * BUDGET["one"], hint
    assert sum(seconds.values()) <= SLACK * BUDGET["all"], hint


@pytest.mark.parametrize("path", LABS, ids=name)
def test_what_a_lab_prints_stays(path, site, stored):
    """Word for word what was read, and found to carry the text: in tests/lab_outputs."""
    told = ""
    for number, outputs in enumerate(lab_cache.result_of(Lab(path))["cells"], 1):
        if text := "".join(output.get("text", "") for output in outputs):
            told += f"# code cell {number}\n{text}\n"
    file = OUTPUTS / f"{path.stem}.txt"
    before = stored(file, told)
    if told == before:
        return
    difference = difflib.unified_diff(before.splitlines(), told.splitlines(), n=1, lineterm="")
    message = (
        f"{name(path)} does not print what {name(file)} holds.\n\n"
        + "\n".join(difference)
        + "\n\nIf the lab is right, run `make outputs ONLY=labs`, and look whether its text, in "
        "both languages, still says what it prints; if the file is right, mend the lab."
    )
    pytest.fail(message, pytrace=False)


def test_no_output_without_its_lab():
    assert {file.stem for file in OUTPUTS.iterdir()} == {path.stem for path in LABS}


def short_labs():
    """Labs that take no longer than SHORT; which they are is known when the site is built."""
    return [path for path in LABS if sum(lab_cache.result_of(Lab(path))["seconds"]) <= SHORT]


def test_run_again_short_labs_are_the_same(site, tmp_path, monkeypatch):
    """Texts and figures, from nothing: another folder, day, time zone and seed.

    Longer ones would take minutes. That their prints are the same is what their asserts say; that
    their curves are the same to the last bit, on another processor, nobody promises.
    """
    again = short_labs()
    before = {path: lab_cache.place_of(Lab(path)) for path in again}
    monkeypatch.setattr(lab_cache, "CACHE", tmp_path)
    monkeypatch.setenv("TZ", "Asia/Shanghai")
    lab_progress.run_all([Lab(path) for path in again])
    assert again
    different = [
        f"{path.name}: {what}"
        for path in again
        for what in differences(before[path], lab_cache.place_of(Lab(path)))
    ]
    assert not different, listed(different)


def differences(one, other):
    """What two runs of a lab have not in common: byte for byte, but for the noise in a picture."""
    texts = [json.loads(read(place / "result.json"))["cells"] for place in (one, other)]
    for number, (before, after) in enumerate(zip(*texts, strict=True), 1):
        if before != after:
            yield f"code cell {number} printed {before}, and now {after}"
    for path in sorted({path.name for place in (one, other) for path in place.glob("*.*g")}):
        before, after = one / path, other / path
        if not (before.exists() and after.exists()):
            yield f"{path} is there once only"
        elif path.endswith(".svg"):
            (words, numbers), (others, there) = (drawing(read(each)) for each in (before, after))
            if (
                words != others
                or max(map(abs, map(float.__sub__, numbers, there)), default=0) > 0.02
            ):
                yield f"{path} is not the same"
        # The layout is off by the last digits of a float, which may move an edge by a shade.
        elif shade(before, after) > 1:
            yield f"{path} has another shade in a pixel, by {shade(before, after):.2f} of 255"


def drawing(svg):
    """What a figure says, and its numbers, in points. Raster images are compared as pixels."""
    parts = re.split(r'base64,[^"]*|>[^<]*</text>|(-?\d+(?:\.\d+)?)', lab_svg.steady(svg))
    said = re.findall(r">([^<]*)</text>", svg)
    return [*parts[::2], *said], [float(number) for number in parts[1::2] if number]


def shade(one, other):
    """By how many of 255 two pictures differ, on average; 255 if they are not of one size."""
    one, other = (np.asarray(Image.open(path), dtype=float) for path in (one, other))
    return np.abs(one - other).mean() if one.shape == other.shape else 255


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (('"height:"', '"heights:"'), "code cell 1 printed"),
        (("line(2)", "line(3)"), "1.svg is not the same"),
        (("plt.imshow([[0, 1]])", "plt.imshow([[1, 0]])"), "1.png has another shade in a pixel"),
        (("plt.plot(line(2))", "plt.figure(figsize=(2, 2))"), "1.png has another shade"),
        (("plt.show()", "plt.close()"), "1.svg is there once only"),
        (("plt.imshow", "plt.title('0.69')\nplt.imshow"), "1.svg is not the same"),
        (("line(2)", "line(2 + 1e-12)"), None),
    ],
)
def test_that_a_difference_is_seen(change, said, lab):
    places = []
    for found in (lab(), lab(change)):
        ran(found)
        places.append(lab_cache.place_of(found))
    found = list(differences(*places))
    assert list(differences(places[0], places[0])) == []
    assert any(said in what for what in found) if said else found == []


# A lab in a site -------------------------------------------------------------------------------

CONFIG = """\
site_name: {name}
docs_dir: docs/{language}
site_dir: site/{language}
site_url: https://example.org/pe/
strict: true
theme: {{name: material, language: {language}, font: false, custom_dir: docs/theme}}
nav: [index.md, longer.md, labs/lab.ipynb]
plugins: {{search: {{}}, mkdocs-jupyter: {{include: [labs/*.ipynb], cache: false}}}}
hooks: [{hooks}]
markdown_extensions: {{attr_list: , toc: {{permalink: true}}}}
"""
HOOKS = ("labs", "figures", "notebooks", "programs", "line_breaks", "tables", "formulas")


@pytest.fixture
def project(tmp_path):
    shutil.copytree(ROOT / "docs/hooks", tmp_path / "docs/hooks")
    shutil.copytree(ROOT / "docs/theme/figures", tmp_path / "docs/theme/figures")
    hooks = ", ".join(f"docs/hooks/{hook}.py" for hook in HOOKS)
    for language in ("en", "zh"):
        config = CONFIG.format(name="Small", language=language, hooks=hooks)
        (tmp_path / f"{language}.yml").write_text(config, encoding="utf-8")
        (tmp_path / f"docs/{language}").mkdir()
        for page, text in {"index": "# Home", "longer": "# Longer\n\n## Far { #far }"}.items():
            (tmp_path / f"docs/{language}/{page}.md").write_text(text, encoding="utf-8")
    (tmp_path / "docs/labs").mkdir()
    (tmp_path / "docs/labs/lab.py").write_text(LAB, encoding="utf-8")
    return tmp_path


def mkdocs(project, language="en"):
    return subprocess.Popen(
        [sys.executable, "-m", "mkdocs", "build", "-f", f"{language}.yml"],
        cwd=project,
        env=os.environ | {"NO_MKDOCS_2_WARNING": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
    )


def built(project, language="en"):
    build = mkdocs(project, language)
    output, _ = build.communicate()
    return build.returncode, output


def test_a_lab_as_a_page(project):
    for language in ("en", "zh"):
        code, output = built(project, language)
        assert code == 0, output
        # The second edition takes what the first has run.
        assert ("Running lab 1 of 1: lab" in output) == (language == "en"), output
    english, chinese = (read(project / f"site/{e}/labs/lab/index.html") for e in ("en", "zh"))
    article = english.partition("<article")[2].partition("</article>")[0]
    title = '<h1 id="lab">Lab <code>x</code> and <math><msub><mi>x</mi><mi>i</mi></msub></math>'
    assert title + '<a class="headerlink" href="#lab"' in article
    assert (
        '<a href="../../longer/#far">the table</a>, and <span class="kept"><math><mi>a</mi>'
        in article
    )
    assert '<div class="run" id="program-1"><div class="language-python highlight">' in article
    assert "<code>1 of 1\nheight: [0, 1]\n</code></pre></div></div>" in article
    assert '<details class="question"><summary>Why?</summary>' in article
    assert '<p class="admonition-title">In one sentence</p><p>It rises.</p>' in article
    assert article.count('alt="A line that rises from left to right, over two dots."') == 2
    for palette, suffix in (("light", ""), ("dark", ".dark")):
        assert f'<img data-palette="{palette}" alt="A line' in article
        assert f'src="../../figures/labs/lab-1{suffix}.svg"' in article
        assert (project / f"site/en/figures/labs/lab-1{suffix}.svg").is_file()
    assert '<meta name="description" content="One lab."' in english
    assert (
        "见<a" in chinese
        and '这张表</a>，以及 <span class="kept"><math>' in chinese
        and "Lab" not in chinese
    )
    for stock in ("jp-", "In [", "clipboard", "jupyter", "mathjax", "<style", "¶"):
        assert stock not in article, stock

    index = json.loads(read(project / "site/en/search/search_index.json"))["docs"]
    entries = {entry["location"]: entry for entry in index if entry["location"][:5] == "labs/"}
    assert list(entries) == ["labs/lab/", "labs/lab/#two"]
    assert entries["labs/lab/#two"]["title"] == "Two"
    assert "Copied" not in str(entries) and "height: [0, 1]" in str(entries)


def test_a_dead_link_ends_the_build(project):
    path = project / "docs/labs/lab.py"
    for link, said in {
        "../gone.md": "this link leads nowhere: ../gone.md. There is no gone.md",
        "gone.ipynb": "this link leads nowhere: gone.ipynb. There is no labs/gone.ipynb",
        "../longer.md#gone": "No section there has the id gone",
        "#gone": "No section there has the id gone",
        "lab.ipynb#two": None,
    }.items():
        path.write_text(LAB.replace("../longer.md#far", link, 1), encoding="utf-8")
        code, output = built(project)
        assert (code == 0) == (said is None), output
        assert said is None or ("docs/labs/lab.py:11: " in output and said in output), output


def kernels(project):
    for process in psutil.process_iter(["environ"]):
        if str(project) in (process.info["environ"] or {}).get("IPYTHONDIR", ""):
            yield process


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_an_interrupted_build_leaves_nothing_behind(how, project):
    path = project / "docs/labs/lab.py"
    path.write_text(LAB.replace(*SLOW, 1), encoding="utf-8")
    build = mkdocs(project)
    deadline = time.monotonic() + 60
    while not list(kernels(project)) and time.monotonic() < deadline:
        time.sleep(0.1)
    time.sleep(1)
    build.send_signal(how)
    build.communicate()
    while list(kernels(project)) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert not list(kernels(project)), "a kernel goes on without its build"
    left = [path.name for path in (project / ".cache/labs").iterdir()]
    assert how == signal.SIGKILL or not left, left
    path.write_text(LAB, encoding="utf-8")
    code, output = built(project)
    assert code == 0, output


# What is published -----------------------------------------------------------------------------


def downloads(site, path):
    for folder in (site, site / "zh"):
        yield folder, nbformat.read(folder / f"notebooks/labs/{path.stem}.ipynb", as_version=4)


@pytest.mark.parametrize("path", LABS, ids=name)
def test_the_download_is_whole(path, site):
    lab, jupyter = Lab(path), MarkdownIt("commonmark").enable("table")
    for folder, notebook in downloads(site, path):
        nbformat.validate(notebook)
        assert len({cell.id for cell in notebook.cells}) == len(notebook.cells)
        first, *cells = notebook.cells
        assert f"/labs/{path.stem}/)" in first.source and "pip install" in first.source
        assert ("本笔记本" in first.source) == (folder.name == "zh")
        code = [cell for cell in cells if cell.cell_type == "code"]
        own = [cell for cell in code if not re.match("# The (look of|next program)", cell.source)]
        assert [cell.source for cell in own] == [cell.text for cell in lab.code]
        result = lab_cache.result_of(lab)["cells"]
        assert [draws(cell) for cell in own] == [any("figure" in o for o in c) for c in result]
        texts = ["".join(o.get("text", "") for o in outputs) for outputs in result]
        assert [printed(cell) for cell in own] == texts
        for cell in notebook.cells:
            if cell.cell_type != "markdown":
                continue
            assert not re.search(r"\{ *#|\]\((?!https?://|mailto:)", cell.source), cell.source
            for token in jupyter.parse(cell.source):
                seen = [child.content for child in token.children or [] if child.type == "text"]
                assert "**" not in "".join(seen), f"not bold in Jupyter: {token.content}"


def text_of(output):
    data = output.get("data", {})
    return output.get("text") or ("" if "image/png" in data else f"{data['text/plain']}\n")


def test_downloads_run(site, tmp_path):
    """Of short labs; the longer ones have all run in the build, and the programs are the same."""
    for path in short_labs():
        _, notebook = next(downloads(site, path))
        work = tmp_path / path.stem
        work.mkdir()
        for data in (ROOT / "data").glob("*.npy"):
            shutil.copy(data, work)
        again = nbformat.from_dict(notebook)
        resources = {"metadata": {"path": str(work)}}
        settings = {key: value for key, value in os.environ.items() if key != "MPLBACKEND"}
        NotebookClient(again, timeout=300, kernel_name="python3", resources=resources).execute(
            env=settings | {"IPYTHONDIR": str(work / "ipython")}
        )
        for cell, other in zip(notebook.cells, again.cells, strict=True):
            if cell.cell_type == "code":
                shown = "".join(map(text_of, other.outputs))
                assert printed(cell) == shown and draws(cell) == draws(other), cell.source


@pytest.mark.parametrize("path", LABS, ids=name)
def test_the_page_leads_to_its_download(path, site):
    for folder in (site, site / "zh"):
        html = read(folder / f"labs/{path.stem}/index.html")
        assert f'href="../../notebooks/labs/{path.stem}.ipynb"' in html
