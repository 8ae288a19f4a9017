"""Where the result of a lab is kept: in .cache/labs, named by what goes in. Used by labs.py.

A lab runs anew when, and only when, its code, its data, a version, the light style or what runs it
has changed, whatever becomes of its text.
"""

import hashlib
import json
import sys
from importlib.metadata import version
from pathlib import Path

from drawing import ROOT, STYLES

CACHE = ROOT / ".cache/labs"
PACKAGES = ("ipykernel", "ipython", "matplotlib", "matplotlib-inline", "numpy", "pillow", "torch")
# What makes a result. What this file gives to it, style and data, is in the name by itself.
# Read when it is loaded: under `mkdocs serve` the files may change, the code that runs does not.
SOURCES = [
    Path(__file__).with_name(f"{name}.py").read_text("utf-8") for name in ("lab_kernel", "lab_run")
]


def style():
    return "".join(
        (STYLES / f"{part}.mplstyle").read_text("utf-8") for part in ("common", "light")
    )


def data_of(lab):
    files = sorted((ROOT / "data").glob("*.npy"))
    return [file for file in files if any(file.name in cell.text for cell in lab.code)]


def place_of(lab):
    """Where the result of a lab is, or will be."""
    what = [SOURCES, sys.version, [version(package) for package in PACKAGES], style()]
    what += [[cell.text for cell in lab.code]]
    what += [(file.name, file.read_bytes()) for file in data_of(lab)]
    return CACHE / hashlib.sha256(repr(what).encode()).hexdigest()


def result_of(lab):
    """{"cells": per code cell a list of {"text": …} and {"figure": n}, "seconds": …}, or None."""
    place = place_of(lab) / "result.json"
    return json.loads(place.read_text(encoding="utf-8")) if place.is_file() else None


def figure(lab, number, suffix):
    return (place_of(lab) / f"{number}.{suffix}").read_bytes()
