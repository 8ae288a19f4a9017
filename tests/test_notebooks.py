"""Every page as a notebook: valid, complete, readable, and it runs in a clean kernel."""

import os
import re
import shutil
import sys

import nbformat
import pytest
from house import PAGES, ROOT, included, listed, read
from nbclient import NotebookClient

sys.path.append(str(ROOT / "docs/hooks"))
from notebook_text import pieces

ENGLISH = ROOT / "docs/en"
NAMES = [
    path.relative_to(ENGLISH).with_suffix("").as_posix()
    for path in PAGES
    if path.is_relative_to(ENGLISH)
]
PROGRAM = re.compile(r"^```python\n(.*?)\n```$", re.DOTALL | re.MULTILINE)
OUTPUT = re.compile(r"expected-output-->\n```text\n(.*?)^```$", re.DOTALL | re.MULTILINE)
FIGURE = re.compile(r"\]\([^)\s]*figures/([\w/-]+)\.svg\)")
VERBATIM = re.compile(r"^( *)```.*?^\1```$|`[^`\n]+`", re.DOTALL | re.MULTILINE)
# Markdown that only the site understands, and links that lead nowhere from a notebook.
FOREIGN = re.compile(
    r"^.*?(?:\{:? *[#.][\w-]|^ *(?:!!!|\?\?\?|===) |--8<--|^\*\[|<!--|"
    r"\]\((?!https?://|mailto:)|<div).*$",
    re.MULTILINE,
)


def notebooks_of(page, site):
    """The page's notebook in each edition that has the page, with its Markdown."""
    for edition, folder in (("en", site), ("zh", site / "zh")):
        source = ROOT / f"docs/{edition}/{page}.md"
        if source.exists() and folder.exists():
            path = folder / f"notebooks/{page}.ipynb"
            yield path, nbformat.read(path, as_version=4), read(source)


def programs(notebook):
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def printed(cell):
    texts = [output.text for output in cell.outputs if output.get("name") == "stdout"]
    return "".join(texts)


def draws(cell):
    return any("image/png" in output.get("data", {}) for output in cell.outputs)


def complaints(notebook, folder):
    """Run it from top to bottom in a kernel of its own; say which cells come out differently."""
    for data in (ROOT / "data").glob("*.npy"):
        shutil.copy(data, folder)
    ran = nbformat.from_dict(notebook)
    NotebookClient(
        ran,
        timeout=120,
        kernel_name="python3",
        resources={"metadata": {"path": str(folder)}},
    ).execute(
        env={key: value for key, value in os.environ.items() if key != "MPLBACKEND"}
        | {"IPYTHONDIR": str(folder / "ipython"), "HF_HUB_OFFLINE": "1", "OMP_NUM_THREADS": "1"}
    )
    for before, after in zip(programs(notebook), programs(ran), strict=True):
        if (printed(before), draws(before)) != (printed(after), draws(after)):
            yield (
                f"{before.id}: the notebook shows\n{printed(before)}picture: {draws(before)}\n"
                f"but a kernel gives\n{printed(after)}picture: {draws(after)}"
            )


@pytest.mark.parametrize("page", NAMES)
def test_it_runs(page, site, tmp_path):
    ran = []
    for path, notebook, _ in notebooks_of(page, site):
        shown = [(cell.source, printed(cell), draws(cell)) for cell in programs(notebook)]
        shown = [cell for cell in shown if "urlretrieve(" not in cell[0]]
        if shown and shown not in ran:  # the same programs in both languages run once
            ran.append(shown)
            folder = tmp_path / str(len(ran))
            folder.mkdir()
            found = list(complaints(notebook, folder))
            assert not found, listed([str(path.relative_to(site)), *found])


@pytest.mark.parametrize(
    ("code", "said", "complaint"),
    [
        ("print(1)", "1\n", None),
        ("print(2)", "1\n", "a kernel gives\n2\n"),
        ("import matplotlib.pyplot as plt\nplt.plot()\nprint(1)", "1\n", "picture: True"),
    ],
)
def test_that_it_can_fail(code, said, complaint, tmp_path):
    output = nbformat.v4.new_output("stream", name="stdout", text=said)
    cell = nbformat.v4.new_code_cell(code, outputs=[output])
    found = list(complaints(nbformat.v4.new_notebook(cells=[cell]), tmp_path))
    assert (complaint in found[0]) if complaint else not found


@pytest.mark.parametrize("page", NAMES)
def test_it_holds_what_the_page_holds(page, site):
    for path, notebook, source in notebooks_of(page, site):
        nbformat.validate(notebook)
        language = "zh" if path.is_relative_to(site / "zh") else "en"
        name = path.relative_to(site)
        cells = [cell for cell in programs(notebook) if "urlretrieve(" not in cell.source]
        snippets = [read(ROOT / "snippets" / snippet) for snippet in included(source)]
        assert [cell.source for cell in cells] == [PROGRAM.search(text)[1] for text in snippets]
        outputs = [OUTPUT.search(text) for text in snippets]
        assert [printed(cell) for cell in cells] == [out[1] if out else "" for out in outputs]
        figures = FIGURE.findall(source)
        with_figure = [snippet.removesuffix(".md") in figures for snippet in included(source)]
        assert [draws(cell) for cell in cells] == with_figure

        text = "\n\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")
        foreign = [match[0].strip() for match in FOREIGN.finditer(VERBATIM.sub("``", text))]
        assert not foreign, listed([f"{name} holds what Jupyter does not read:", *foreign])
        prose = re.findall(r"[\w一-鿿]+", VERBATIM.sub("", re.sub(r"\A---.*?^---$", "", source)))
        assert len(text) > len("".join(prose)) / 2, f"{name}: most of the page's text is missing"
        assert ("本笔记本" if language == "zh" else "This notebook") in notebook.cells[0].source


@pytest.mark.parametrize("page", NAMES)
def test_the_page_links_to_it(page, site):
    for path, _, _ in notebooks_of(page, site):
        edition = path.parents[1]
        html = edition / ("index.html" if page == "index" else f"{page}/index.html")
        links = re.findall(r'href="([^"]+\.ipynb)"[^>]*\bdownload\b', read(html))
        assert [(html.parent / link).resolve() for link in links] == [path.resolve()]


EXAMPLE = """\
# Title { #title }

First *line*,
second line with $a_{1}$ and `{ .code }`.
{ .lead }

$$
x = \\begin{pmatrix} a \\\\ b \\end{pmatrix}
$$

!!! note "A **box** with `a < b`"

    Text.

    ??? question "Inside?"

        Answer.

??? success "Solution"

    --8<-- "small/one.md"

    Notice $b$.

1. One

    --8<-- "small/two.md"

    goes on

2. Two

=== "Tab"

    In the tab.

```mermaid
graph LR
    A --> B{ .x }
```

<div class="grid" markdown>
[link](https://example.org){ .button }
</div>
"""


def test_how_it_reads():
    assert pieces(EXAMPLE, "en") == [
        (
            "text",
            "# Title\n\nFirst *line*,\nsecond line with $a_{1}$ and `{ .code }`.\n\n"
            "$$\nx = \\begin{pmatrix} a \\\\ b \\end{pmatrix}\n$$\n\n"
            "<details open><summary><b>A box with <code>a &lt; b</code></b></summary>\n\nText.\n\n"
            "<details><summary><b>Inside?</b></summary>\n\nAnswer.\n\n</details>\n\n"
            "</details>\n\n**Solution**",
        ),
        ("folded program", "small/one"),
        (
            "text",
            "<details><summary><b>Solution (continued)</b></summary>\n\nNotice $b$.\n\n"
            "</details>\n\n1. One",
        ),
        ("program", "small/two"),
        (
            "text",
            "goes on\n\n2. Two\n\n**Tab**\n\nIn the tab.\n\n"
            "```mermaid\ngraph LR\n    A --> B{ .x }\n```\n\n[link](https://example.org)",
        ),
    ]


def test_how_chinese_reads():
    text = "位置编码\n给出位置。\n“旋转”与\nattention 无关：\n\n1. 一。\n2. 二\n   三\n"
    assert pieces(text, "zh") == [
        ("text", "位置编码给出位置。“旋转”与\nattention 无关：\n\n1. 一。\n2. 二三")
    ]
