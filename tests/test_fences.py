"""Every Python fence is a program that runs. An independent parser counts them.

pytest-codeblocks runs a fence that opens with exactly ```python and skips any other spelling
without a word.
"""

import re
import subprocess
import sys

import pytest
from house import PAGES, ROOT, SNIPPETS, TEXTS, listed, name, read
from prose import parse
from pytest_codeblocks import extract_from_file

FENCE = re.compile(r"^(?P<before>[\s>*+\-\d.)]*)(?P<fence>`{3,}|~{3,})(?P<info>[^`]*)$")
PYTHON = {"python", "python3", "py", "py3", "pyi", "pycon", "ipython", "ipython3", "pyodide"}
SHELL = {"sh", "bash"}  # pytest-codeblocks would run these too
OTHERS = {"bibtex", "console", "css", "diff", "html", "ini", "json", "latex", "makefile"}
OTHERS |= {"markdown", "mermaid", "powershell", "text", "toml", "yaml"}


def fences(text):
    """Line and opening of each fence, however deep it stands; what it holds is passed over."""
    end = None
    for number, line in enumerate(text.splitlines(), 1):
        if not (match := FENCE.match(line)):
            continue
        if end is None:
            end = match["fence"]
            yield number, line, match
        elif match["fence"].startswith(end) and not match["info"].strip():
            end = None


def complaints(file, text, page=False):
    """Fences that would be skipped, run unasked, or that stand where no program may stand."""
    for number, line, match in fences(text):
        info = match["info"].strip()
        words = [re.split(r"[\s{}.,:=]+", info.strip("{ ."))[0].lower()]
        words += [word.lower() for word in re.findall(r"\.([\w+-]+)", info)]
        where = f"{file}:{number}: "
        if PYTHON.intersection(words):
            if page:
                yield (
                    f"{where}a page holds no program. Put it into snippets/<page>/<name>.md and "
                    'show it with --8<-- "<page>/<name>.md"'
                )
            elif line != "```python":
                yield (
                    f"{where}{line!r} is skipped when the programs are run. "
                    "Write ```python, at the start of the line and with nothing after it"
                )
        elif SHELL.intersection(words):
            yield f"{where}pytest would run this. Write ```console for commands that people type"
        elif words[0] not in OTHERS:
            known = ", ".join(sorted(OTHERS))
            yield f"{where}{line!r} is no known opening. Write ```python or {known}"
    for token in parse(text):
        where = f"{file}:{token.map[0] + 1}: " if token.map else ""
        if token.type == "code_block":
            yield f"{where}text this far in is shown as code. Write a fence, or indent it less"
        elif token.type == "html_block" and "<pre" in token.content:
            yield f"{where}no <pre> here. Write a fence"


def counted(text):
    """How many Python fences a second parser sees."""
    return sum(t.type == "fence" and t.info.split()[:1] == ["python"] for t in parse(text))


@pytest.mark.parametrize("path", PAGES + SNIPPETS + TEXTS, ids=name)
def test_each_fence_is_run(path):
    found = list(complaints(name(path), read(path), page=path in PAGES))
    assert not found, listed(found)
    run = [block for block in extract_from_file(path) if block.syntax == "python"]
    assert counted(read(path)) == len(run), f"{name(path)}: not every program is run"


def test_pytest_collects_what_was_counted():
    """Guards `testpaths` and `--codeblocks` in pyproject.toml."""
    collected = subprocess.run(
        [sys.executable, "-m", "pytest", "--collect-only", "-q", "--ignore=tests"],
        cwd=ROOT,
        capture_output=True,
        encoding="utf-8",
    ).stdout
    run = {path: collected.count(f"{name(path)}::line ") for path in PAGES + SNIPPETS + TEXTS}
    assert run == {path: counted(read(path)) for path in run}
    assert sum(run.values()) >= len(SNIPPETS) > 0


@pytest.mark.parametrize(
    "opening",
    [
        '```python title="x"',
        "``` python",
        "```{.python}",
        "``` { .python .annotate }",
        "``` { #id .py }",
        "```py",
        "```python3",
        "```Python",
        "```pycon",
        "```python ",
        "```python\t",
        "```python{1,2}",
        "````python",
        "~~~python",
        "~~~ py",
        "    ```python",
        "\t```python",
        "- ```python",
        "> ```python",
        "1. ~~~python",
    ],
)
def test_other_spellings_fail(opening):
    text = f"# Title\n\n{opening}\nprint(1)\n{re.search('`+|~+', opening)[0]}\n"
    found, *_ = complaints("x.md", text)
    assert found.startswith("x.md:3: ") and "Write ```python, at the start" in found
    assert len(list(complaints("x.md", text.replace(opening, "```python")))) == 0


@pytest.mark.parametrize(
    ("opening", "words"),
    [
        ("```bash", "Write ```console"),
        ("```sh", "Write ```console"),
        ("```", "no known opening"),
        ("```pyhton", "no known opening"),
    ],
)
def test_other_traps_fail(opening, words):
    (found,) = complaints("x.md", f"{opening}\nimport torch\n```\n")
    assert found.startswith("x.md:1: ") and words in found


@pytest.mark.parametrize(
    "text", ["    print(1)", "!!! note\n\n        print(1)", "<pre>\n1\n</pre>"]
)
def test_code_without_a_fence_fails(text):
    (found,) = complaints("x.md", f"Text\n\n{text}\n")
    assert "Write a fence" in found


def test_a_page_holds_no_program():
    (found,) = complaints("docs/en/x.md", "```python\nprint(1)\n```\n", page=True)
    assert found.startswith("docs/en/x.md:1: a page holds no program. Put it into snippets/")


def test_an_example_in_a_longer_fence_is_no_program():
    text = "````markdown\n```python\nprint(1)\n```\n````\n"
    assert not list(complaints("CONTRIBUTING.md", text))
    assert counted(text) == 0


def test_the_count_sees_what_is_not_run(tmp_path):
    """The second parser counts a fence that pytest-codeblocks passes over."""
    path = tmp_path / "x.md"
    path.write_text('```python title="x"\nprint(1)\n```\n')
    assert counted(read(path)) == 1
    assert not [block for block in extract_from_file(path) if block.syntax == "python"]
