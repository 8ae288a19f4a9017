"""Checking costs little: all programs under pytest against the same programs in bare Python."""

import json
import os
import shutil
import subprocess
import sys

import pytest
from house import ROOT, SNIPPETS
from pytest_codeblocks import extract_from_file

resource = pytest.importorskip("resource", reason="Windows does not say what a process cost")
MOST = 1.5
BARE = """
import contextlib, io, json, sys
for program in json.load(sys.stdin):
    with contextlib.redirect_stdout(io.StringIO()):
        exec(program, {"__name__": "__main__"})
"""


def seconds(command, folder, text=None):
    """Processor time, not time on the clock: other tests run on the other core."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    settings = {"OMP_NUM_THREADS": "1", "MPLBACKEND": "Agg", "HF_HUB_OFFLINE": "1"}
    subprocess.run(
        [sys.executable, *command],
        input=text,
        cwd=folder,
        env=os.environ | settings,
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def ratio(folder):
    programs = json.dumps([block.code for path in SNIPPETS for block in extract_from_file(path)])
    bare = seconds(["-c", BARE], folder, programs)
    checked = seconds(["-m", "pytest", "-q", "-p", "no:randomly", "snippets"], ROOT)
    print(f"{len(SNIPPETS)} programs: bare {bare:.1f} s, checked {checked:.1f} s")
    return checked / bare


def test_checking_costs_little(tmp_path):
    for data in (ROOT / "data").glob("*.npy"):
        shutil.copy(data, tmp_path)
    # Whatever disturbs one measurement seldom disturbs two.
    assert ratio(tmp_path) <= MOST or ratio(tmp_path) <= MOST
