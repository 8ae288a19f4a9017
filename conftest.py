"""What pytest does around each program: a clean slate, a clear complaint, `--update-outputs`.

pytest-codeblocks runs every program of a session in one process and compares its output. Fixtures
do not reach its items; the hooks below do.
"""

import difflib
import os
import random
import re
import shutil
import sys
import tempfile
import traceback
from pathlib import Path

import pytest
from pytest_codeblocks.main import stdout_io

ROOT = Path(__file__).parent
os.environ.setdefault("HF_HUB_OFFLINE", "1")
os.environ.setdefault("MPLBACKEND", "Agg")

OUTPUT = re.compile(
    r"(<!--pytest-codeblocks:expected-output-->\n```text\n)(.*?)(^```$)", re.DOTALL | re.MULTILINE
)
DIFFERENCES = pytest.StashKey[list[str]]()


def pytest_addoption(parser):
    parser.addoption(
        "--update-outputs",
        action="store_true",
        help="write what each program prints into its file, and show the difference",
    )


def pytest_configure(config):
    config.stash[DIFFERENCES] = []
    if config.getoption("--update-outputs") and config.getoption("numprocesses", None):
        raise pytest.UsageError("--update-outputs shows its differences in one process: no -n")


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
        numpy.set_printoptions(suppress=False, floatmode="maxprec", sign="-", formatter=None)
    if torch := sys.modules.get("torch"):
        torch.manual_seed(chance)
        torch.set_printoptions(profile="default")
        torch.set_default_dtype(torch.float32)
        torch.set_default_device(None)
        torch.set_grad_enabled(True)
        torch.use_deterministic_algorithms(False)
    if pyplot := sys.modules.get("matplotlib.pyplot"):
        pyplot.close("all")
        pyplot.rcdefaults()
        pyplot.switch_backend("Agg")
    # Programs save figures where they are run; that must not be the repository.
    item.came_from = Path.cwd()
    item.scratch = tempfile.TemporaryDirectory(prefix="snippet-")
    os.chdir(item.scratch.name)
    for data in (ROOT / "data").glob("*.npy"):
        if data.name in item.obj.code:
            shutil.copy(data, item.scratch.name)


def pytest_runtest_teardown(item):
    if is_program(item) and hasattr(item, "scratch"):
        os.chdir(item.came_from)
        item.scratch.cleanup()


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_call(item):
    if is_program(item) and item.config.getoption("--update-outputs"):
        item.runtest = lambda: update_output(item)
    try:
        return (yield)
    except SystemExit as error:
        if not is_program(item):
            raise
        # pytest-codeblocks lets this one through and cannot report it.
        raise RuntimeError("the program ends itself") from error


def update_output(item):
    """Run one program as pytest-codeblocks would and rewrite the output that lies beside it."""
    with stdout_io() as printed:
        try:
            exec(item.obj.code, {"__MODULE__": "__main__"})
        except Exception as error:
            raise RuntimeError("the program stops") from error
    output = printed.getvalue()
    if not item.path.is_relative_to(ROOT / "snippets"):
        return
    if not output.endswith("\n") or "```" in output:
        raise RuntimeError("the program must print whole lines, at least one, and no fence")
    before = item.path.read_text(encoding="utf-8")
    if OUTPUT.search(before):
        after = OUTPUT.sub(lambda match: match[1] + output + match[3], before, count=1)
    else:
        opening = "\n\n<!--pytest-codeblocks:expected-output-->\n```text\n"
        after = f"{before.rstrip()}{opening}{output}```\n"
    rewrite(item.path, before, after, item.config)


def rewrite(path, before, after, config):
    if after != before:
        path.write_text(after, encoding="utf-8")
        name = path.relative_to(ROOT).as_posix()
        lines = difflib.unified_diff(before.splitlines(), after.splitlines(), name, name, n=1)
        config.stash[DIFFERENCES].append("\n".join(line.rstrip() for line in lines))


@pytest.fixture
def stored(request):
    """`stored(path, printed)` is what a file holds; `--update-outputs` first writes `printed`."""

    def text_of(path, printed):
        before = path.read_text(encoding="utf-8") if path.is_file() else ""
        if not request.config.getoption("--update-outputs"):
            return before
        rewrite(path, before, printed, request.config)
        return printed

    return text_of


def pytest_terminal_summary(terminalreporter, config):
    if not config.getoption("--update-outputs"):
        return
    differences = config.stash[DIFFERENCES]
    terminalreporter.section("outputs that changed" if differences else "no output changed")
    for difference in differences:
        for line in difference.splitlines():
            colour = {"+": {"green": True}, "-": {"red": True}}.get(line[:1], {})
            terminalreporter.write_line(line, **colour)
        terminalreporter.write_line("")
    if differences:
        terminalreporter.write_line("Read each line above as a claim: is it still what is meant?")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    report = yield
    if is_program(item) and report.when == "call" and report.failed:
        path = item.path.relative_to(ROOT).as_posix()
        report.longrepr = complaint(path, item.obj, call.excinfo.value)
        report.sections = []
    return report


def complaint(path, block, error):
    """What went wrong in a program, where, and what to do about it."""
    # pytest-codeblocks wraps what the program raised.
    if cause := error.__cause__ or error.__context__:
        steps = traceback.extract_tb(cause.__traceback__)
        lines = [step.lineno for step in steps if step.filename == "<string>"]
        if isinstance(cause, SyntaxError) and cause.filename == "<string>":
            lines = [cause.lineno]
        line = block.lineno + (lines[-1] if lines else 0)
        what = "".join(traceback.format_exception_only(cause))
        return f"{path}:{line}: the program stops with an error.\n\n{what}"
    if "\nbut got\n```\n" not in str(error):
        return f"{path}:{block.lineno}: {error}\n"
    expected = block.expected_output.splitlines()
    printed = str(error).rpartition("\nbut got\n```\n")[2].removesuffix("```").splitlines()
    difference = difflib.unified_diff(
        expected, printed, "on the page", "printed", lineterm="", n=1
    )
    return (
        f"{path}:{block.lineno}: the program does not print what the page shows.\n\n"
        + "\n".join(difference)
        + "\n\nIf the program is right, run `make outputs` and read the difference it shows; "
        "if the page is right, mend the program.\n"
    )
