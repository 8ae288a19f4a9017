"""ruff reads the programs on the pages, as it reads hooks and tests."""

import re
import subprocess
import sys

import pytest
from house import ROOT, SNIPPETS, listed, name, read

PROGRAM = re.compile(r"```python\n(.*?)^```$", re.DOTALL | re.MULTILINE)
# Lines that fit a page. A beginner is spared zip(strict=True); `0 < T` may stand as in a formula.
RULES = ["--config", "line-length = 79", "--ignore", "B905,E741,SIM300"]


def complaints(sources, folder):
    """What ruff says about the programs in some Markdown texts, with their own line numbers."""
    for path, text in sources.items():
        if program := PROGRAM.search(text):
            file = (folder / path).with_suffix(".py")
            file.parent.mkdir(parents=True, exist_ok=True)
            blank = text.count("\n", 0, program.start(1))
            file.write_text("\n" * blank + program[1], encoding="utf-8")
    settings = ["--config", str(ROOT / "pyproject.toml"), "--no-cache", "--output-format=concise"]
    ruff = subprocess.run(
        [sys.executable, "-m", "ruff", "check", *settings, *RULES, "."],
        cwd=folder,
        capture_output=True,
        encoding="utf-8",
    )
    assert ruff.returncode < 2, ruff.stderr
    return [line.replace(".py:", ".md:", 1) for line in ruff.stdout.splitlines() if ".py:" in line]


def test_programs_on_pages(tmp_path):
    found = complaints({name(path): read(path) for path in SNIPPETS}, tmp_path)
    assert not found, listed(found)


@pytest.mark.parametrize(
    ("program", "complaint"),
    [
        ("import math\n\nprint(1)", "x/y.md:2:8: F401"),
        ("print(undefined)", "x/y.md:2:7: F821"),
        ("print(" + "1 + " * 20 + "1)", "x/y.md:2:80: E501"),
        ("x = 1\nif x == None:\n    print(x)", "x/y.md:3:9: E711"),
        ("x = 1 # (T, d)\nprint(x)", None),
    ],
)
def test_that_ruff_reads_them(program, complaint, tmp_path):
    found = complaints({"x/y.md": f"```python\n{program}\n```\n"}, tmp_path)
    assert found == [] if complaint is None else found[0].startswith(complaint), found
