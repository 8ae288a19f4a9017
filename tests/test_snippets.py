"""The form of a snippet: one program, the output it prints, nothing else, and not too long."""

import re

import pytest
from house import ROOT, SNIPPETS, listed, name, read

FORM = re.compile(
    r"```python\n(?P<program>.*?)```\n\n"
    r"<!--pytest-codeblocks:expected-output-->\n```text\n(?P<output>.*?)```\n",
    re.DOTALL,
)
SHORTEST, LONGEST, LONGEST_MODULE = 5, 25, 45  # a class for real use, module_*.md, may be longer


def complaints(path, text, pages):
    """What is wrong with one snippet; `path` is the one from snippets/ on."""
    file = f"snippets/{path}"
    page, _, stem = path.removesuffix(".md").rpartition("/")
    if page not in pages:
        yield f"{file}:1: there is no page docs/en/{page}.md. Name the folder after the page"
    if not re.fullmatch("[a-z][a-z0-9_]*", stem):
        yield f"{file}:1: name the file for what it shows, as in shift_is_a_rotation.md"
    match = FORM.fullmatch(text)
    if not match or "```" in match["program"] + match["output"]:
        yield (
            f"{file}:1: a snippet is one ```python fence, an empty line, "
            "<!--pytest-codeblocks:expected-output--> and one ```text fence right below it. "
            "Nothing else: no text, no second fence, no other comment, no mark"
        )
        return
    program = match["program"]
    length, limit = len(program.splitlines()), LONGEST
    if stem.startswith("module_"):
        limit = LONGEST_MODULE
    if not SHORTEST <= length <= limit:
        yield f"{file}:1: the program has {length} lines. Keep it within {SHORTEST} to {limit}"
    if not match["output"].strip():
        yield f"{file}:1: no output. Let the program print what the page says, run `make outputs`"
    for number, line in enumerate(text.splitlines(), 1):
        if "8<" in line:
            yield f"{file}:{number}: a program includes nothing; write the lines out"
        if re.search(r"(?<![.\w])__name__", line):
            yield f"{file}:{number}: pytest runs this with another __name__; do without"


@pytest.mark.parametrize("path", SNIPPETS, ids=name)
def test_form(path):
    pages = {p.stem for p in (ROOT / "docs/en").glob("*.md")}
    inside = path.relative_to(ROOT / "snippets").as_posix()
    found = list(complaints(inside, read(path), pages))
    assert not found, listed(found)


PROGRAM = "```python\na = 1\nb = 2\nc = a + b\nprint(a)\nprint(c)\n```\n"
OUTPUT = "\n<!--pytest-codeblocks:expected-output-->\n```text\n1\n3\n```\n"
GOOD = PROGRAM + OUTPUT


def test_a_good_one_passes():
    assert not list(complaints("theory/sum.md", GOOD, {"theory"}))
    longer = GOOD.replace("a = 1\n", "a = 1\n" * 40)
    assert not list(complaints("theory/module_sum.md", longer, {"theory"}))


@pytest.mark.parametrize(
    "text",
    [
        PROGRAM,
        OUTPUT,
        GOOD + "\n",
        GOOD + "More.\n",
        "# Title\n\n" + GOOD,
        "<!--pytest.mark.xfail-->\n" + GOOD,
        "<!--pytest.mark.skip-->\n" + GOOD,
        "<!--pytest-codeblocks:skipfile-->\n" + GOOD,
        "<!--pytest-codeblocks:importorskip(torch)-->\n" + GOOD,
        PROGRAM + "\n<!--pytest-codeblocks:cont-->\n" + PROGRAM + OUTPUT,
        GOOD + OUTPUT,
        GOOD + "\n" + GOOD,
        GOOD.replace("-output-->", "-output-ignore-whitespace-->"),
        GOOD.replace("```python", "```python "),
        GOOD.replace("```python", "```py"),
        GOOD.replace("```text", "```"),
        GOOD.replace("```text", "\n```text"),
        GOOD.replace("\n", "\r\n"),
    ],
)
def test_other_forms_fail(text):
    (found,) = complaints("theory/sum.md", text, {"theory"})
    assert found.startswith("snippets/theory/sum.md:1: a snippet is one ```python fence")


@pytest.mark.parametrize(
    ("path", "text", "complaint"),
    [
        ("x/sum.md", GOOD, ":1: there is no page docs/en/x.md"),
        ("theory/Sum-1.md", GOOD, ":1: name the file"),
        ("theory/sum.md", GOOD.replace("a = 1\n", ""), ":1: the program has 4 lines"),
        ("theory/sum.md", GOOD.replace("a = 1\n", "a = 1\n" * 22), ":1: the program has 26 lines"),
        ("theory/sum.md", GOOD.replace("1\n3\n```", "```"), ":1: no output"),
        ("theory/sum.md", GOOD.replace("b = 2", "# --8<-- [start:x]"), ":3: a program includes"),
        ("theory/sum.md", GOOD.replace("b = 2", "b = __name__"), ":3: pytest runs this with"),
    ],
)
def test_other_faults_fail(path, text, complaint):
    (found,) = complaints(path, text, {"theory"})
    assert found.startswith(f"snippets/{path}{complaint}")
