"""Run the code of a lab in a kernel of the Python that builds. Used by lab_run.py.

It starts in an empty folder with the data beside it, and with a configuration of its own.
"""

import os
import re
import shutil
from itertools import pairwise

from lab_cache import data_of, style

KERNEL = """\
c.InlineBackend.figure_formats = {"png", "svg"}  # for the download, for the page
c.InlineBackend.print_figure_kwargs = {"bbox_inches": None}  # as large as the program says
c.InteractiveShell.colors = "nocolor"
c.HistoryManager.enabled = False
c.IPKernelApp.log_level = 40
"""
PLACE = re.compile(r"Cell In\[(\d+)\], line (\d+)")


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
        lab.refuse(lab.code[cell - 1].line + line - 1, message)
    seconds = [round(end - begin, 1) for begin, end in pairwise(ended)]
    return [cell.outputs for cell in notebook.cells], seconds
