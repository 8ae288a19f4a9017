"""Is the guard awake? Change one thing in what a reader is told, and see whether the tests notice.

    python tests/mutants.py [--number 300] [--seed 1] [--only theory]      (or: make mutants)

Each mutant is one change: a number, an operator, a sine or a truth value in a program; a digit in
a printed output; a number in the prose of one edition of a page or a lab. It is made in a copy of
the project, and the tests that read the changed file run there, each time in a fresh process. What
no test notices is listed with its place. The working tree is never touched, so an interruption
leaves nothing.

The programs of the labs are left alone: they would have to train anew for each change. What they
printed when the site was last built is what their text is compared with.

Not asked is tests/test_followed.py: it refuses any change of an English page until somebody says
that the Chinese one follows, and would catch everything without having read it.
"""

import argparse
import contextlib
import importlib
import io
import multiprocessing
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import tokenize
from collections import Counter
from pathlib import Path
from typing import NamedTuple

from lab_texts import EDITIONS, LABS, edition
from tqdm import tqdm

ROOT = Path(__file__).parents[1]
sys.path.append(str(ROOT / "docs/hooks"))
import lab_cache  # noqa: E402
from lab_source import Lab  # noqa: E402

ENCODINGS = (ROOT / "tests/test_encodings.py").read_text(encoding="utf-8")
KINDS = {"program": 0.4, "output": 0.15, "prose": 0.35, "lab": 0.1}

PROGRAM = re.compile(r"^```python\n(.*?)^```$", re.DOTALL | re.MULTILINE)
OUTPUT = re.compile(r"^```text\n(.*?)^```$", re.DOTALL | re.MULTILINE)
SWAPS = {
    "+": "-", "-": "+", "*": "/", "/": "*", "**": "*", "//": "/", "%": "*",
    "<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "|": "&", "&": "|",
    "sin": "cos", "cos": "sin", "True": "False", "False": "True", "and": "or", "or": "and",
    "max": "min", "min": "max", "triu": "tril", "tril": "triu", "flip": "roll",
}  # fmt: skip
# What a reader does not read as a number of the page: front matter, formulas, addresses, ids.
NOT_PROSE = re.compile(
    r"\A---\n.*?^---$|^ *```.*?^ *```$|\$\$.*?\$\$|\$[^$\n]+\$|^ *--8<-- .*?$|<!--.*?-->|<[^>]*>"
    r"|\]\([^)]*\)|\[[^\]]*\]\(http[^)]*\)|\{[^{}\n]*\}|https?://\S+|\[\^\d+\]|\bdoi\S+|^ *\d+\. "
    r"|^#+ .*\{ #sources \}.*",
    re.DOTALL | re.MULTILINE,
)
# A number by itself, not the 2 of GPT-2, of float32, of x2.
NUMBER = re.compile(r"(?<![\w.#-])\d+(?:[.,]\d+)*(?![\w#])(?!\.\d)", re.ASCII)


class Mutant(NamedTuple):
    kind: str
    path: str
    start: int
    old: str
    new: str

    def apply(self, text):
        assert text.startswith(self.old, self.start), self
        return text[: self.start] + self.new + text[self.start + len(self.old) :]

    def place(self, text):
        line = text.count("\n", 0, self.start) + 1
        whole = text.splitlines()[line - 1].strip()
        return f"{self.path}:{line}: {self.old} → {self.new}   in: {whole}"


def another(number, chance):
    """The number with one digit changed; a single digit becomes a neighbour, as a typo would."""
    places = [place for place, sign in enumerate(number) if sign.isdigit()]
    place = chance.choice(places)
    digit = int(number[place])
    if len(places) == 1:
        new = chance.choice([d for d in (digit - 1, digit + 1, digit + 2) if 0 <= d <= 9])
    else:
        new = chance.choice([d for d in range(10) if d != digit and (d or place)])
    return f"{number[:place]}{new}{number[place + 1 :]}"


def in_program(path, text, chance):
    fence = PROGRAM.search(text)
    starts = [fence.start(1)]
    for line in fence[1].splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    for token in tokenize.generate_tokens(io.StringIO(fence[1]).readline):
        old, new = token.string, None
        if token.type == tokenize.NUMBER:
            # 1 and 1. and 1e-9: the digits before an exponent, so that it stays a number
            digits = re.match(r"\d+(\.\d+)?", old)
            new = digits and another(digits[0], chance) + old[digits.end() :]
        elif token.type in (tokenize.OP, tokenize.NAME):
            new = SWAPS.get(old)
        if not new:
            continue
        mutant = Mutant("program", path, starts[token.start[0] - 1] + token.start[1], old, new)
        # The star of *args and the like: no program, no mutant.
        with contextlib.suppress(SyntaxError):
            compile(PROGRAM.search(mutant.apply(text))[1], path, "exec")
            yield mutant


def in_output(path, text, chance):
    fence = OUTPUT.search(text)
    for match in re.finditer(r"\d+(?:\.\d+)?|True|False", fence[1]):
        new = SWAPS.get(match[0]) or another(match[0], chance)
        yield Mutant("output", path, fence.start(1) + match.start(), match[0], new)


def in_prose(path, text, chance):
    text, _, _ = text.partition("{ #sources }")
    blank = NOT_PROSE.sub(lambda match: re.sub(r"[^\n]", "_", match[0]), text)
    for match in NUMBER.finditer(blank):
        yield Mutant("prose", path, match.start(), match[0], another(match[0], chance))


def in_lab(path, source, chance):
    whole = source.splitlines(keepends=True)
    for language in sorted(EDITIONS):
        text = edition(source, language)
        for mutant in in_prose(path, text, chance):
            # The text of an edition has the lines of its lab, without the marks before them.
            line = text.count("\n", 0, mutant.start)
            right = len(text.splitlines(keepends=True)[line]) - (
                mutant.start - text.rfind("\n", 0, mutant.start) - 1
            )
            start = sum(map(len, whole[: line + 1])) - right
            yield mutant._replace(kind="lab", start=start)


def candidates(chance, only):
    found = {kind: [] for kind in KINDS}
    for path in sorted(ROOT.glob("snippets/*/*.md")):
        if not only or path.parent.name == only:
            inside, text = path.relative_to(ROOT).as_posix(), path.read_text("utf-8")
            found["program"] += in_program(inside, text, chance)
            found["output"] += in_output(inside, text, chance)
    for path in sorted(ROOT.glob("docs/[ez][nh]/*.md")):
        if not only or path.stem == only:
            inside, text = path.relative_to(ROOT).as_posix(), path.read_text("utf-8")
            found["prose"] += in_prose(inside, text, chance)
    for path in LABS:
        if not only or path.stem == only:
            inside, text = path.relative_to(ROOT).as_posix(), path.read_text("utf-8")
            found["lab"] += in_lab(inside, text, chance)
    return found


def drawn(found, number, chance):
    """As many of each kind as KINDS says, or all that there are."""
    for kind, share in KINDS.items():
        yield from chance.sample(found[kind], min(len(found[kind]), round(number * share)))


def tests_for(mutant):
    """The tests of `make test` that read what was changed."""
    if mutant.kind == "lab":
        name = Path(mutant.path).stem
        editions = [f"[{name}-{language}]" for language in sorted(EDITIONS)]
        return [
            *(f"tests/test_numbers.py::test_numbers_in_labs{it}" for it in editions),
            f"tests/test_parity.py::test_languages_of_a_lab[{mutant.path}]",
            *(f"tests/test_sources.py::test_sources_of_labs{it}" for it in editions),
        ]
    if mutant.kind != "prose":
        inside = mutant.path.removeprefix("snippets/")
        tests = re.findall(r"^def (test_\w+)(.*?)(?=^\S)", ENCODINGS, re.DOTALL | re.MULTILINE)
        names = [f"tests/test_encodings.py::{n}" for n, body in tests if f'"{inside}"' in body]
        return [mutant.path, *names, "tests/test_quantities.py"]
    page = mutant.path.rpartition("/")[2]
    return [
        f"tests/test_numbers.py::test_numbers_in_prose[{mutant.path}]",
        f"tests/test_parity.py::test_twin[{page}]",
        f"tests/test_sources.py::test_sources[{mutant.path}]",
    ]


class Plugin:
    """Leaves out what other programs are asked, and remembers what failed first."""

    file = None

    def __init__(self, path):
        self.inside = path.removeprefix("snippets/")

    def pytest_collection_modifyitems(self, items):
        items[:] = [
            item
            for item in items
            if "test_quantities.py" not in item.nodeid or f"[{self.inside}" in item.nodeid
        ]

    def pytest_fixture_setup(self, fixturedef, request):
        """No site is built for a mutant: what the labs printed is there already."""
        if fixturedef.argname == "site":
            fixturedef.cached_result = (None, fixturedef.cache_key(request), None)
            return True
        return None

    def pytest_runtest_logreport(self, report):
        if report.failed:
            file = report.nodeid.partition("::")[0]
            self.file = self.file or (
                Path(file).name if file.startswith("tests/") else "its own output"
            )


def forget_the_original():
    """The tests import the modules of the copy, not what this file has imported."""
    own = [str(ROOT / "tests"), str(ROOT / "docs/hooks")]
    sys.path[:] = [folder for folder in sys.path if folder not in own]
    for name, module in list(sys.modules.items()):
        if (
            name != "__main__"
            and str(Path(getattr(module, "__file__", None) or "/").parent) in own
        ):
            del sys.modules[name]


def caught_by(mutant):
    """The first test file that fails on the mutant, or None. Runs in a process of its own."""
    import pytest

    forget_the_original()
    copy, plugin = Path(copies.get()), Plugin(mutant.path)
    os.chdir(copy)
    path = copy / mutant.path
    before = path.read_text("utf-8")
    path.write_text(mutant.apply(before), "utf-8")
    try:
        with Path(os.devnull).open("w") as nowhere, contextlib.redirect_stdout(nowhere):
            arguments = ["-x", "-q", "-p", "no:randomly", "-p", "no:cacheprovider"]
            end = pytest.main([*arguments, *tests_for(mutant)], plugins=[plugin])
    finally:
        path.write_text(before, "utf-8")
        copies.put(str(copy))
    assert copy == sys.modules["house"].ROOT, "the tests read the original, not the copy"
    if end == pytest.ExitCode.OK:
        return mutant, None
    return mutant, plugin.file or f"error {end}"


def copy_project(folder):
    """What git would commit: the tests read nothing else."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout.decode()
    for name in listed.split("\0"):
        if name and (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, folder / name)
    (folder / ".cache").mkdir()
    (folder / ".cache/labs").symlink_to(lab_cache.CACHE)


def examine(mutants, scratch):
    """Each mutant with what caught it, two at a time, as they end."""
    global copies
    # Imported once, here; every mutant then starts from a fork that has them.
    for module in (
        "matplotlib.pyplot",
        "mdit_py_plugins.admon",
        "torch._inductor",
        "transformers",
    ):
        importlib.import_module(module)
    import torch

    torch.set_num_threads(1)
    fork = multiprocessing.get_context("fork")
    copies = fork.Queue()
    for name in ("a", "b"):
        copy_project(Path(scratch, name))
        copies.put(str(Path(scratch, name)))
    ignored = (signal.SIGINT, signal.SIG_IGN)  # Ctrl+C is for the parent
    with fork.Pool(2, signal.signal, ignored, maxtasksperchild=1) as pool:
        yield from pool.imap_unordered(caught_by, mutants)


def main():
    parser = argparse.ArgumentParser(description="change what a reader is told; do tests notice?")
    parser.add_argument("--number", type=int, default=400, help="how many changes (400)")
    parser.add_argument("--seed", type=int, default=1, help="which ones (1)")
    parser.add_argument("--only", help="one page, by its name")
    options = parser.parse_args()
    chance = random.Random(options.seed)
    mutants = list(drawn(candidates(chance, options.only), options.number, chance))
    if not mutants:
        sys.exit(f"There is nothing to change: is {options.only} a page or a lab?")
    if not all(lab_cache.result_of(Lab(path)) for path in LABS):
        sys.exit("The labs have not run as they are now, so their text proves nothing: make site")
    survivors, counts = [], Counter()
    with tempfile.TemporaryDirectory(prefix="mutants-") as scratch:
        results = examine(mutants, scratch)
        with contextlib.suppress(KeyboardInterrupt):  # what has been seen is told all the same
            for mutant, test in tqdm(results, total=len(mutants), unit=" changes"):
                if test and test.startswith("error"):
                    sys.exit(f"{mutant}\n{test}: the tests could not be run: this says nothing.")
                counts[mutant.kind, test or "nothing"] += 1
                if not test:
                    survivors.append(mutant)
    for kind in KINDS:
        of_kind = {test: n for (k, test), n in sorted(counts.items()) if k == kind}
        total, missed = sum(of_kind.values()), of_kind.get("nothing", 0)
        print(f"{kind}: {total - missed} of {total} caught. {of_kind}")
    print(f"\n{len(survivors)} of {counts.total()} changes were noticed by no test:\n")
    for mutant in sorted(survivors):
        print(mutant.place((ROOT / mutant.path).read_text("utf-8")))


if __name__ == "__main__":
    main()
