"""A figure of a lab in both palettes, from the one run that drew it. Used by lab_figures.py.

The dark picture is the light one with the colours of one style replaced by those of the other.
So a lab may use the colours of the style only: "C0" to "C4", the default ink and grey, and those
of the default colour map, which is the same in both.
"""

import re

from drawing import STYLES
from figure_svg import tidy

# In the style of an element, not in the name of a clip path or in the data of a raster.
COLOUR = re.compile(r"(?<=: )#[0-9a-f]{6}\b")
# Where matplotlib fills with black, it leaves the colour out.
BLACK = re.compile(r'<(?:text|path d="[^"]*") (?![^>]*fill)')
# Names that matplotlib makes of coordinates, and coordinates with the noise of the last digits.
# The layout is found by a solver whose last digits are not the same in each process.
NAMES = re.compile(r"\b[a-z][0-9a-f]{10}\b")
NOISE = re.compile(r"\d+\.\d{4,}")
RASTER = re.compile(r'(base64,[^"]*)')
MAP = re.compile(r"^image.cmap: (\w+)$", re.MULTILINE)
HEX = re.compile(r"\b[0-9a-f]{6}\b")


class ColourError(Exception):
    """A colour that the dark palette has no counterpart for."""


def counterparts():
    """{light colour: dark colour}, read from the two style sheets side by side."""
    lines = [(STYLES / f"{palette}.mplstyle").read_text("utf-8") for palette in ("light", "dark")]
    light, dark = (HEX.findall(re.sub(r"^#.*", "", text, flags=re.M)) for text in lines)
    pairs = dict(zip(light, dark, strict=True))
    assert [pairs[colour] for colour in light] == dark, "a light colour has two dark ones"
    return {f"#{one}": f"#{other}" for one, other in pairs.items()}


def of_the_map():
    """The colours of the default colour map."""
    from matplotlib import colormaps  # only here: few figures need it, and it takes its time
    from matplotlib.colors import to_hex

    name = MAP.search((STYLES / "common.mplstyle").read_text("utf-8"))[1]
    return set(map(to_hex, colormaps[name](range(256))))


def steady(svg):
    """The same bytes from each process that draws the same picture."""
    names, parts = {}, RASTER.split(tidy(svg))
    for place in range(0, len(parts), 2):
        # Rounded, not cut: 12.4 and 12.399999 are one number.
        part = NOISE.sub(lambda number: f"{float(number[0]):.3f}", parts[place])
        parts[place] = NAMES.sub(lambda name: names.setdefault(name[0], f"n{len(names)}"), part)
    return "".join(parts)


def both(svg):
    """The light SVG and the dark one."""
    light, pairs = steady(svg), counterparts()
    unknown = set(COLOUR.findall(light)) - set(pairs)
    if unknown and (unknown := unknown - of_the_map()):
        raise ColourError(f"it holds {', '.join(sorted(unknown))}")
    if BLACK.search(light):
        raise ColourError("it holds black")
    return light, COLOUR.sub(lambda found: pairs.get(found[0], found[0]), light)
