"""Pages show snippets: each include is spelled right and leads to a file; none is forgotten."""

import re

import pytest
from house import INCLUDE, PAGES, ROOT, SNIPPETS, included, listed, name, read

FOLDER = ROOT / "snippets"


def complaints(page, text, snippets):
    """What is wrong with the includes of one page; `snippets` are paths from snippets/ on."""
    seen = {}
    for number, line in enumerate(text.splitlines(), 1):
        where = f"{page}:{number}: "
        if match := INCLUDE.fullmatch(line):
            path = match["path"]
            if path not in snippets:
                yield f"{where}there is no snippets/{path}"
            if path in seen:
                yield f"{where}{path} is shown on line {seen[path]} already. Link to it instead"
            seen.setdefault(path, number)
        # Dashes of any sort, scissors in either direction.
        elif re.search(r"[-–—−]\s*8\s*(<|&lt;)|8<\s*[-–—−]", line):
            yield (
                f"{where}`{line.strip()}` is no include that works. "
                'Write --8<-- "theory/name.md": straight quotes, a path from snippets/ on, '
                "nothing before or after it"
            )


@pytest.mark.parametrize("path", PAGES, ids=name)
def test_includes(path):
    snippets = {p.relative_to(FOLDER).as_posix() for p in SNIPPETS}
    found = list(complaints(name(path), read(path), snippets))
    assert not found, listed(found)


def test_each_snippet_is_shown():
    english = [path for path in PAGES if path.is_relative_to(ROOT / "docs/en")]
    shown = {path for page in english for path in included(read(page))}
    forgotten = {p.relative_to(FOLDER).as_posix() for p in SNIPPETS} - shown
    assert not forgotten, listed(
        f'snippets/{path}: no page shows it. Show it with --8<-- "{path}", or delete it'
        for path in sorted(forgotten)
    )


@pytest.mark.parametrize("line", ['--8<-- "theory/a.md"', '    --8<-- "theory/a.md"'])
def test_right_includes_pass(line):
    assert not list(complaints("x.md", f"# Title\n\n{line}\n", {"theory/a.md"}))
    assert included(f"# Title\n\n{line}\n") == ["theory/a.md"]


@pytest.mark.parametrize(
    "line",
    [
        '--8<-- "theory/a.md" ',
        '--8<-- "theory/a.md"\t',
        '\t--8<-- "theory/a.md"',
        ';--8<-- "theory/a.md"',
        '--8<-- "theory/a.md:1:3"',
        '--8<-- "theory/a.md:start"',
        '--8<-- "/theory/a.md"',
        '--8<-- "../a.md"',
        '--8<-- "https://example.org/a.md"',
        '--8<--  "theory/a.md"',
        '--8<--"theory/a.md"',
        "--8<-- 'theory/a.md'",
        "--8<-- “theory/a.md”",
        "--8<-- theory/a.md",
        '-8<- "theory/a.md"',
        '---8<--- "theory/a.md"',
        '–8<– "theory/a.md"',
        '— 8< — "theory/a.md"',
        '- --8<-- "theory/a.md"',
        'See --8<-- "theory/a.md"',
        "--8<--",
        '--8&lt;-- "theory/a.md"',
    ],
)
def test_other_spellings_fail(line):
    (found,) = complaints("x.md", f"# Title\n\n{line}\n", {"theory/a.md"})
    assert found.startswith("x.md:3: ") and ' Write --8<-- "theory/name.md": ' in found


def test_missing_and_repeated_snippets_fail():
    text = '--8<-- "theory/b.md"\n\n--8<-- "theory/a.md"\n\n    --8<-- "theory/a.md"\n'
    assert list(complaints("x.md", text, {"theory/a.md"})) == [
        "x.md:1: there is no snippets/theory/b.md",
        "x.md:5: theory/a.md is shown on line 3 already. Link to it instead",
    ]
