"""A lab as notebooks in one language: one that mkdocs-jupyter renders, one to download.

Used by labs.py. Links are resolved, and what only the site understands is taken out.
"""

import base64
import html
import re

import lab_cache
from lab_source import Lab
from notebook_cells import as_notebook, code_cell, text_cell
from notebook_chinese import chinese

FENCE = re.compile(r"(^```[\s\S]*?^```)", re.MULTILINE)
CODE = re.compile(r"(```[\s\S]*?```|`[^`]*`)")
LINK = re.compile(r"(?<=\]\()[^)\s]+(?=[^)]*\))")


# The text speaks of colours.
LOOKS = re.compile(
    r"^(axes\.prop_cycle|figure\.figsize|figure\.constrained_layout\.use|image\.cmap): (.*)$",
    re.MULTILINE,
)
LOOK = """# The look of the figures on the site, of which the text speaks.
import matplotlib.pyplot as plt

{}"""


def text_of(cell, resolve):
    """The text of a cell without what only the site understands, its links resolved."""
    parts = CODE.split(cell.text)
    line = cell.line
    for place, part in enumerate(parts):
        if place % 2 == 0:

            def resolved(link, part=part, line=line):
                return resolve(link[0], line + part.count("\n", 0, link.start()))

            parts[place] = LINK.sub(resolved, part)
        line += part.count("\n")
    text = "".join(parts)
    for heading in reversed(Lab.headings(text)):
        text = text[: heading.start()] + heading[1] + text[heading.end() :]
    return text


def cells_of(lab, language, resolve, picture):
    """The cells of a notebook in one language; `picture(number, alt)` is the data of a figure."""
    outputs, _ = lab_cache.result_of(lab).values()
    cells, alts = lab.edition(language)
    done, place = [], -1
    for cell in cells:
        if cell.kind == "text":
            done.append(text_cell(text_of(cell, resolve)))
            continue
        place += 1
        shown = []
        for output in outputs[place]:
            if "text" in output:
                stream = {"output_type": "stream", "name": "stdout", "text": output["text"]}
                shown.append(stream)
            else:
                data = picture(output["figure"], alts[place])
                shown.append({"output_type": "display_data", "metadata": {}, "data": data})
        done.append(code_cell(cell.text, shown))
    return done


def for_page(lab, language, resolve, folder):
    """What mkdocs-jupyter renders; the figures are files in the folder `figures/labs`."""

    def picture(number, alt):
        address = html.escape(f"{folder}{lab.name}-{number}.svg")
        return {"text/html": f'<img alt="{html.escape(alt)}" src="{address}">'}

    return as_notebook(cells_of(lab, language, resolve, picture))


def look():
    """A cell that gives the figures the colours of the site."""
    pairs = LOOKS.findall(lab_cache.style())
    lines = []
    for name, value in pairs:
        quoted = f"'{value}'" if '"' in value else f'"{value}"'
        lines.append(f'plt.rcParams["{name}"] = {quoted}')
    return code_cell(LOOK.format("\n".join(lines)))


def for_download(lab, language, resolve):
    """The cells of the download, figures and all."""

    def picture(number, alt):
        png = base64.b64encode(lab_cache.figure(lab, number, "png")).decode()
        return {"image/png": png, "text/plain": alt}

    cells = cells_of(lab, language, resolve, picture)
    for cell in cells:
        if "outputs" not in cell and language == "zh":
            parts = FENCE.split(cell["source"])
            parts[::2] = map(chinese, parts[::2])
            cell["source"] = "".join(parts)
    first = next(place for place, cell in enumerate(cells) if "outputs" in cell)
    return [*cells[:first], look(), *cells[first:]]
