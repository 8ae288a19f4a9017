"""Run a program as if it had been pasted into an empty interpreter. Used by test_alone.py.

To import torch takes longer than most programs do. Where the system can fork, one process imports
it, and each program runs in a copy of that process: torch is loaded, but no name is defined.
"""

import multiprocessing
import os
import sys
import traceback
from unittest import mock

# One thread here, as many as there are in the other run: the output may not depend on it.
SETTINGS = {
    "OMP_NUM_THREADS": "1",
    "MPLBACKEND": "Agg",
    "HF_HUB_OFFLINE": "1",
    "PYTHONUTF8": "1",
}
SECONDS = 120
context = multiprocessing.get_context("forkserver" if hasattr(os, "fork") else "spawn")
if hasattr(os, "fork"):
    context.set_forkserver_preload(["torch"])


def become(code, work, logs):
    """In the new process: all that is printed goes to files, then the process is the program."""
    os.chdir(work)
    for stream in (1, 2):
        os.dup2(os.open(logs / str(stream), os.O_WRONLY | os.O_CREAT), stream)
    try:
        exec(compile(code, "<stdin>", "exec"), {"__name__": "__main__"})
    except BaseException:
        traceback.print_exc()
        sys.exit(1)


def run(code, work, logs):
    """Run a program in a folder: does it end without an error, what does it print, and complain?

    Raises TimeoutError after SECONDS.
    """
    with mock.patch.dict(os.environ, SETTINGS):
        process = context.Process(target=become, args=(code, work, logs))
        process.start()
    process.join(SECONDS)
    if process.is_alive():
        process.kill()
        raise TimeoutError(f"not ended after {SECONDS} s:\n{code}")
    printed, said = (
        path.read_text(encoding="utf-8") if (path := logs / str(stream)).exists() else ""
        for stream in (1, 2)
    )
    return process.exitcode == 0, printed, said
