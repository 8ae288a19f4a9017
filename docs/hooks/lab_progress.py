"""Run labs, two at once, and say in the terminal how far each is. Used by labs.py.

"Running lab 2 of 4: order-matters, cell 5 of 14: RoPE, seed 1 of 3: step 100 of 300". On a
terminal these lines are rewritten in place; elsewhere one line says that a lab begins, and one
that it has ended.
"""

import logging
import shutil
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import lab_cache
import lab_run

log = logging.getLogger("mkdocs.hooks.labs")


class Progress:
    def __init__(self, labs, stream=None):
        self.stream = stream or sys.stderr
        self.labs, self.lines, self.drawn = labs, {}, 0
        self.lock = threading.Lock()

    def name(self, lab):
        return f"Running lab {self.labs.index(lab) + 1} of {len(self.labs)}: {lab.name}"

    def begins(self, lab):
        if not self.stream.isatty():
            log.info(self.name(lab))

    def says(self, lab, cell, text):
        """What a lab is doing, in place of what it did before."""
        with self.lock:
            line = f"{self.name(lab)}, cell {cell + 1} of {len(lab.code)}"
            self.lines[lab.name] = f"{line}: {text}" if text else line
            self.draw(self.lines.values())

    def ends(self, lab, seconds):
        with self.lock:
            self.lines.pop(lab.name, None)
            self.draw([])
            log.info(f"Lab {lab.name} took {seconds:.0f} s")
            self.draw(self.lines.values())

    def draw(self, lines):
        """Put these lines in the place of those that were drawn last."""
        if not self.stream.isatty():
            return
        width = shutil.get_terminal_size().columns - 1
        up = f"\x1b[{self.drawn}A" if self.drawn else ""
        self.stream.write(f"{up}\r\x1b[J" + "".join(f"{line[:width]}\n" for line in lines))
        self.stream.flush()
        self.drawn = len(lines)


def run_all(labs):
    """Run the labs that have no result yet. The first that fails ends the build."""
    waiting = [lab for lab in labs if lab_cache.result_of(lab) is None]
    if not waiting:
        return
    progress, kernels, stop = Progress(labs), [], threading.Event()

    def run(lab):
        if stop.is_set():
            return
        begun = time.monotonic()
        progress.begins(lab)
        lab_run.run(lab, partial(progress.says, lab), kernels)
        progress.ends(lab, time.monotonic() - begun)

    pool = ThreadPoolExecutor(2)
    futures = [pool.submit(run, lab) for lab in waiting]
    try:
        for future in futures:
            future.result()
    except BaseException:  # also Ctrl+C: no kernel outlives the build, no half result is kept
        stop.set()
        for kernel in kernels:
            if process := getattr(kernel.provisioner, "process", None):
                process.kill()
        raise
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
