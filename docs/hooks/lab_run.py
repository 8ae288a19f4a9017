"""Run a lab and keep what it prints and draws. Used by labs.py.

A result enters the cache whole, by a rename, or not at all.
"""

import base64
import io
import json
import tempfile
from contextlib import suppress
from pathlib import Path

import lab_cache
from lab_kernel import execute
from PIL import Image


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
                lab.refuse(cell.line, f"this cell warns, and readers would see it:\n{said}")
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
    lab_cache.CACHE.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=lab_cache.CACHE, prefix="running-") as scratch:
        result = Path(scratch, "result")
        result.mkdir()
        outputs, seconds = execute(lab, Path(scratch), report, kernels)
        kept(lab, outputs, seconds, result)
        with suppress(OSError):  # another build was faster
            result.rename(lab_cache.place_of(lab))
