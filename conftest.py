"""What pytest does around each program: a clean slate before it, and `--update-outputs`.

pytest-codeblocks runs every program of a session in one process. Fixtures do not reach its
items, this hook does.
"""

import difflib
import os
import random
import re
import sys
import tempfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent
os.environ.setdefault("HF_HUB_OFFLINE", "1")
os.environ.setdefault("MPLBACKEND", "Agg")


def pytest_addoption(parser):
    parser.addoption(
        "--update-outputs",
        action="store_true",
        help="write what each program prints into its file, and show the difference",
    )


def is_program(item):
    return type(item).__name__ == "TestBlock"


def pytest_runtest_setup(item):
    if not is_program(item):
        return
    # A seed of chance, not a fixed one: a program that forgets its own seed must fail.
    chance = random.SystemRandom().randrange(2**31)
    random.seed(chance)
    if numpy := sys.modules.get("numpy"):
        numpy.random.seed(chance)
        numpy.set_printoptions(edgeitems=3, threshold=1000, precision=8, linewidth=75)
    if torch := sys.modules.get("torch"):
        torch.manual_seed(chance)
        torch.set_printoptions(profile="default")
        torch.set_default_dtype(torch.float32)
        torch.set_grad_enabled(True)
    if pyplot := sys.modules.get("matplotlib.pyplot"):
        pyplot.close("all")
        pyplot.rcdefaults()
        pyplot.switch_backend("Agg")
    # Programs save figures where they are run; that must not be the repository.
    item.came_from = Path.cwd()
    item.scratch = tempfile.TemporaryDirectory(prefix="snippet-")
    os.chdir(item.scratch.name)


def pytest_runtest_teardown(item):
    if is_program(item) and hasattr(item, "scratch"):
        os.chdir(item.came_from)
        item.scratch.cleanup()


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    outcome = yield
    report = outcome.get_result()
    if is_program(item) and report.when == "call" and report.failed:
        path = item.path.relative_to(ROOT)
        report.longrepr = (
            f"{path}:{item.obj.lineno}: this program does not print what the page shows.\n"
            f"If the program is right, run `make outputs` and read the difference; "
            f"if the output is right, mend the program.\n\n{report.longrepr}"
        )
        report.sections = []


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_call(item):
    if is_program(item) and item.config.getoption("--update-outputs"):
        item.obj.expected_output = None
        item.runtest = lambda: update_output(item)


OUTPUT = re.compile(
    r"(<!--pytest-codeblocks:expected-output-->\n```text\n)(.*?)(^```$)", re.DOTALL | re.MULTILINE
)


def update_output(item):
    """Run one program as pytest-codeblocks would and rewrite the output that lies beside it."""
    from pytest_codeblocks.main import stdout_io

    if not item.path.is_relative_to(ROOT / "snippets"):
        return
    with stdout_io() as printed:
        exec(item.obj.code, {"__MODULE__": "__main__"})
    before = item.path.read_text(encoding="utf-8")
    if OUTPUT.search(before):
        after = OUTPUT.sub(lambda m: m[1] + printed.getvalue() + m[3], before, count=1)
    else:
        after = (
            before.rstrip("\n")
            + "\n\n<!--pytest-codeblocks:expected-output-->\n```text\n"
            + printed.getvalue()
            + "```\n"
        )
    if after != before:
        item.path.write_text(after, encoding="utf-8")
        name = str(item.path.relative_to(ROOT))
        difference = difflib.unified_diff(
            before.splitlines(True), after.splitlines(True), name, name
        )
        reporter = item.config.pluginmanager.get_plugin("terminalreporter")
        reporter.ensure_newline()
        reporter.write("".join(difference))
