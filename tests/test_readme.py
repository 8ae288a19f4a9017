"""README.md and CONTRIBUTING.md are true: paths, targets and links exist, the example works."""

import re
import shlex

import pytest
import test_alone
import test_snippets
from house import ROOT, TEXTS, name, read
from prose import MARKDOWN
from pytest_codeblocks import extract_from_file

EXAMPLES = re.compile(r"^````markdown\n(.*?)^````$", re.DOTALL | re.MULTILINE)


def links(text):
    for token in MARKDOWN.parse(text):
        for child in token.children or []:
            address = child.attrGet("href") or child.attrGet("src")
            if address and not address.startswith("http"):
                yield address.partition("#")[0]


@pytest.mark.parametrize("path", TEXTS, ids=name)
def test_links_lead_somewhere(path):
    assert [link for link in links(read(path)) if not (ROOT / link).exists()] == []


def test_the_map_names_what_is_there():
    (drawn,) = re.findall(
        r"^## What is where\n+```text\n(.*?)^```", read(ROOT / "README.md"), re.S | re.M
    )
    paths = [
        word for line in drawn.splitlines() for word in re.split(r"\s{2,}", line)[0].split(", ")
    ]
    paths += re.findall(r"mkdocs\.\w+\.yml", drawn)
    missing = [path for path in paths if not (ROOT / path.replace("<page>", "theory")).exists()]
    assert len(paths) > 8 and missing == []


@pytest.mark.parametrize("path", TEXTS, ids=name)
def test_make_targets_exist(path):
    targets = re.findall(r"^(\w+):", read(ROOT / "Makefile"), re.MULTILINE)
    named = re.findall(r"make (?=[a-z]+\b)(\w+)(?:`|$| +#| [A-Z]+=)", read(path), re.MULTILINE)
    assert len(named) > 2 and set(named) <= set(targets)


def test_commands_without_make_are_those_of_make():
    """The plain commands on Windows differ from the Makefile's in the path of Python alone."""
    made = read(ROOT / "Makefile")
    for line in re.findall(r"Scripts\\python -m (mkdocs|pytest)(.*)", read(ROOT / "README.md")):
        for word in shlex.split(line[1]):
            assert word in made


def test_the_example_is_a_snippet_that_works(tmp_path):
    draft, snippet, figure = EXAMPLES.findall(read(ROOT / "CONTRIBUTING.md"))
    assert snippet.startswith(draft)
    assert not list(test_snippets.complaints("theory/example.md", snippet, {"theory"}))
    output = "\n<!--pytest-codeblocks:expected-output-->\n```text\nhighest value: 1.0\n```\n"
    for number, text in enumerate((snippet, figure + output)):
        path = tmp_path / f"{number}.md"
        path.write_text(text, encoding="utf-8")
        (block,) = (b for b in extract_from_file(path) if b.syntax == "python")
        folder = tmp_path / f"run-{number}"
        folder.mkdir()
        assert not list(test_alone.complaints(block, path.name, folder))
    assert list(tmp_path.rglob("one_wave.svg"))
