"""Run the code of a lab in a kernel and keep what comes out. Used by labs.py.

What goes in names the result in .cache/labs: a lab runs anew when, and only when, its code, its
data, a version or the light style has changed, whatever becomes of its text. A result enters the
cache whole, by a rename, or not at all. The kernel starts in an empty folder with the data beside
it, and with a configuration of its own.
"""

import base64
import hashlib
import io
import json
import os
import re
import shutil
import sys
import tempfile
from contextlib import suppress
from importlib.metadata import version
from itertools import pairwise
from pathlib import Path

from drawing import ROOT, STYLES
from PIL import Image

CACHE = ROOT / ".cache/labs"
# Read when it is loaded: under `mkdocs serve` the file may change, the code that runs does not.
SOURCE = Path(__file__).read_text(encoding="utf-8")
PACKAGES = ("ipykernel", "ipython", "matplotlib", "matplotlib-inline", "numpy", "torch")
KERNEL = """\
c.InlineBackend.figure_formats = {"png", "svg"}  # for the download, for the page
c.InlineBackend.print_figure_kwargs = {"bbox_inches": None}  # as large as the program says
c.InteractiveShell.colors = "nocolor"
c.HistoryManager.enabled = False
c.IPKernelApp.log_level = 40
"""
PLACE = re.compile(r"Cell In\[(\d+)\], line (\d+)")


class LabError(Exception):
    """A lab that cannot be published: why, and at which line of its file."""

    def __init__(self, line, message):
        super().__init__(message)
        self.line = line


def style():
    return "".join(
        (STYLES / f"{part}.mplstyle").read_text("utf-8") for part in ("common", "light")
    )


def data_of(lab):
    files = sorted((ROOT / "data").glob("*.npy"))
    return [file for file in files if any(file.name in cell.text for cell in lab.code)]


def place_of(lab):
    """Where the result of a lab is, or will be."""
    what = [SOURCE, sys.version, [version(package) for package in PACKAGES], style()]
    what += [[cell.text for cell in lab.code]]
    what += [(file.name, file.read_bytes()) for file in data_of(lab)]
    return CACHE / hashlib.sha256(repr(what).encode()).hexdigest()


def settings(folder):
    """The environment of the kernel, whatever that of the build is."""
    profile = folder / "profile_default"
    profile.mkdir()
    (profile / "ipython_kernel_config.py").write_text(KERNEL, encoding="utf-8")
    (folder / "matplotlibrc").write_text(style(), encoding="utf-8")
    own = {"IPYTHONDIR": folder, "MATPLOTLIBRC": folder / "matplotlibrc"}
    own |= {"OMP_NUM_THREADS": "1", "HF_HUB_OFFLINE": "1", "PYTHONHASHSEED": "0"}
    kept = {k: v for k, v in os.environ.items() if k not in ("MPLBACKEND", "PYTHONPATH")}
    return kept | {name: str(value) for name, value in own.items()}


def execute(lab, folder, report, kernels):
    """The outputs of each code cell as a kernel gives them, and the processor's seconds for it."""
    # Only here: most builds run no lab, and these take a second to load.
    import nbformat
    import psutil
    from jupyter_client import AsyncKernelManager
    from jupyter_client.kernelspec import KernelSpecManager
    from nbclient import NotebookClient
    from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError

    class Client(NotebookClient):
        def process_message(self, message, cell, index):
            if "update_display_data" in message["msg_type"]:
                report(index, message["content"]["data"].get("text/plain", ""))
            return super().process_message(message, cell, index)

    notebook = nbformat.v4.new_notebook(
        cells=[nbformat.v4.new_code_cell(cell.text) for cell in lab.code]
    )
    work = folder / "work"
    work.mkdir()
    for file in data_of(lab):
        shutil.copy(file, work)
    begun, ended = [], [0.0]

    def starts(cell, cell_index):
        begun.append(cell_index)
        report(cell_index, "")

    def ends(cell, cell_index, execute_reply):
        # Of the processor, since the machine may have other things to do.
        ended.append(sum(psutil.Process(kernel.provisioner.pid).cpu_times()[:2]))

    # The Python that builds, not a kernel that a user has installed under the same name.
    kernel = AsyncKernelManager(kernel_spec_manager=KernelSpecManager(kernel_dirs=[]))
    kernels.append(kernel)
    client = Client(
        notebook,
        km=kernel,
        timeout=900,
        resources={"metadata": {"path": str(work)}},
        on_cell_start=starts,
        on_cell_executed=ends,
    )
    try:
        client.execute(env=settings(folder), cleanup_kc=True)
    except (CellExecutionError, CellTimeoutError, DeadKernelError) as error:
        number = begun[-1] if begun else 0
        # The innermost line that stands in the lab, be it in a function of an earlier cell.
        places = PLACE.findall(getattr(error, "traceback", "")) or [(number + 1, 1)]
        cell, line = (int(part) for part in places[-1])
        what = f"{error.ename}: {error.evalue}" if hasattr(error, "ename") else str(error)
        message = (
            f"code cell {number + 1} stops. {what}\n\nMend the cell; or, if what it asserts is no "
            "longer so, the text that says it.\n"
        )
        raise LabError(lab.code[cell - 1].line + line - 1, message) from None
    seconds = [round(end - begin, 1) for begin, end in pairwise(ended)]
    return [cell.outputs for cell in notebook.cells], seconds


def white(png):
    """The picture for the notebook, on white ground: a dark Jupyter would swallow its ink."""
    picture = Image.open(io.BytesIO(png)).convert("RGBA")
    ground = Image.new("RGBA", picture.size, "white")
    ground.alpha_composite(picture)
    packed = io.BytesIO()
    ground.convert("RGB").save(packed, "png", optimize=True)
    return packed.getvalue()


def kept(lab, outputs, seconds, folder):
    """Write the outputs into the folder: texts, and figures as files of their own.

    The texts of a cell become one: in how many pieces they arrive is chance.
    """
    cells, figures = [], 0
    for cell, given in zip(lab.code, outputs, strict=True):
        text, drawn = "", []
        for output in given:
            data = output.get("data", {})
            said = output.get("text") or data.get("text/plain", "")
            if output.output_type == "stream" and output.name == "stderr":
                raise LabError(cell.line, f"this cell warns, and readers would see it:\n{said}")
            if "image/svg+xml" in data:
                figures += 1
                (folder / f"{figures}.svg").write_text(data["image/svg+xml"], encoding="utf-8")
                (folder / f"{figures}.png").write_bytes(white(base64.b64decode(data["image/png"])))
                drawn.append({"figure": figures})
            else:
                text += said if said.endswith("\n") or not said else f"{said}\n"
        cells.append(([{"text": text}] if text else []) + drawn)
    result = {"cells": cells, "seconds": seconds}
    (folder / "result.json").write_text(json.dumps(result, ensure_ascii=False), encoding="utf-8")


def run(lab, report, kernels):
    """Run a lab and put its result into the cache; `kernels` gets what an interrupt must stop."""
    CACHE.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=CACHE, prefix="running-") as scratch:
        result = Path(scratch, "result")
        result.mkdir()
        outputs, seconds = execute(lab, Path(scratch), report, kernels)
        kept(lab, outputs, seconds, result)
        with suppress(OSError):  # another build was faster
            result.rename(place_of(lab))


def result_of(lab):
    """{"cells": per code cell a list of {"text": …} and {"figure": n}, "seconds": …}, or None."""
    place = place_of(lab) / "result.json"
    return json.loads(place.read_text(encoding="utf-8")) if place.is_file() else None


def figure(lab, number, suffix):
    return (place_of(lab) / f"{number}.{suffix}").read_bytes()
