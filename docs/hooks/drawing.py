"""Run a program in a process of its own and keep the figure that it saves. Used by figures.py.

What goes in names the picture in .cache/figures: it is drawn anew when, and only when, something
has changed. A picture enters the cache whole, by a rename, or not at all.
"""

import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path

from figure_svg import tidy

ROOT = Path(__file__).parents[2]
CACHE = ROOT / ".cache/figures"
STYLES = ROOT / "docs/theme/figures"
# Read when it is loaded: under `mkdocs serve` the files may change, the code that runs does not.
SOURCES = [
    Path(__file__).with_name(name).read_text("utf-8") for name in ("drawing.py", "figure_svg.py")
]
PACKAGES = ("matplotlib", "numpy", "pillow", "torch", "transformers")

PROGRAM = re.compile(r"^```python\n(.*?)^```$", re.DOTALL | re.MULTILINE)

# A traceback names the snippet and its lines. The PNG is for the notebooks.
RUN = """
import sys
names = {"__name__": "__main__"}
exec(compile(sys.stdin.read(), sys.argv[1], "exec"), names)
if "fig" in names:
    names["fig"].savefig(sys.argv[2] + ".png", facecolor="white", metadata={"Software": None})
"""


class NoPictureError(Exception):
    """Why a program gave no picture."""


def run(snippet, code, style, data, folder):
    """Run the program in the folder, which is empty; return its SVG and its PNG."""
    rc = folder.with_name("matplotlibrc")
    rc.write_text(style, encoding="utf-8")
    for file in data:
        shutil.copy(file, folder)
    # A letter that the font lacks would be drawn as a box.
    command = [sys.executable, "-P", "-W", "error:Glyph", "-c", RUN, snippet, snippet.stem]
    settings = {"MATPLOTLIBRC": str(rc), "MPLBACKEND": "Agg", "OMP_NUM_THREADS": "1"}
    try:
        done = subprocess.run(
            command,
            input=code,
            cwd=folder,
            env=os.environ | settings,
            capture_output=True,
            encoding="utf-8",
            timeout=120,
        )
    except subprocess.TimeoutExpired:
        raise NoPictureError("this program does not end within two minutes.") from None
    if done.returncode:
        raise NoPictureError(f"this program fails.\n\n{done.stderr}")
    svg, png = (folder / f"{snippet.stem}.{suffix}" for suffix in ("svg", "png"))
    if not (svg.exists() and png.exists()):
        raise NoPictureError(f'this program does not call fig.savefig("{svg.name}").')
    return tidy(svg.read_text(encoding="utf-8")).encode(), png.read_bytes()


def draw(snippet, palette):
    """The figure of snippets/<snippet>.md in this palette, as the bytes of an SVG and of a PNG."""
    path = ROOT / f"snippets/{snippet}.md"
    text = path.read_text(encoding="utf-8")
    if not (program := PROGRAM.search(text)):
        raise NoPictureError("this snippet holds no program.")
    # As many empty lines before it as in the snippet, so that the lines of a traceback are right.
    code = "\n" * text.count("\n", 0, program.start(1)) + program[1]
    data = sorted(file for file in (ROOT / "data").glob("*.npy") if file.name in code)
    style = "".join(
        (STYLES / f"{part}.mplstyle").read_text("utf-8") for part in ("common", palette)
    )
    what = [SOURCES, sys.version, [version(package) for package in PACKAGES], snippet, code, style]
    what += [(file.name, file.read_bytes()) for file in data]
    kept = CACHE / hashlib.sha256(repr(what).encode()).hexdigest()
    if not kept.exists():
        CACHE.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=CACHE) as scratch:
            work, done = Path(scratch, "work"), Path(scratch, "done")
            work.mkdir()
            done.mkdir()
            svg, png = run(path, code, style, data, work)
            (done / "figure.svg").write_bytes(svg)
            (done / "figure.png").write_bytes(png)
            with suppress(OSError):  # another build was faster
                done.rename(kept)
    return (kept / "figure.svg").read_bytes(), (kept / "figure.png").read_bytes()
