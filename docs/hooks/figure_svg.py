"""Matplotlib's drawing without what a page does not need. Used by drawing.py and lab_svg.py.

The date of its making goes, and two thirds of its weight: two decimals, the fonts of the page, no
more dots in a raster than are shown.
"""

import base64
import io
import re

from PIL import Image

DOTS, COLOURS = 256, 40

# The same as in site.css.
FONTS = "-apple-system, BlinkMacSystemFont, 'Segoe UI', Roboto, 'Helvetica Neue', sans-serif"

METADATA = re.compile(r"\s*<metadata>.*?</metadata>", re.DOTALL)
PLACES = re.compile(r'(?<= [dxy]=")[\d. a-zA-Z\n-]+(?=")')
DIGITS = re.compile(r"(\.\d\d)\d+")
RASTER = re.compile(r"(?<=base64,)[\w+/=\s]+")


def smaller(match):
    """A raster of as many dots as are shown: a browser that has more drops whole rows and
    columns, which makes patterns that are not in the data."""
    image = Image.open(io.BytesIO(base64.b64decode(match[0])))
    image = image.reduce((-(-image.width // DOTS), -(-image.height // DOTS)))
    if image.getextrema()[-1] == (255, 255):  # nothing is transparent
        # The method that keeps rare colours: the one bright diagonal counts as much as the rest.
        colours = COLOURS if image.width * image.height > 64 * 64 else 256
        image = image.convert("RGB").quantize(colours, Image.Quantize.MAXCOVERAGE, dither=0)
    packed = io.BytesIO()
    image.save(packed, "png", optimize=True)
    return base64.b64encode(packed.getvalue()).decode()


def tidy(svg):
    """The SVG without the date of its making, and a third as heavy."""
    svg = METADATA.sub("", svg)
    svg = PLACES.sub(lambda places: DIGITS.sub(r"\1", places[0]), svg)
    svg = svg.replace("'DejaVu Sans'", FONTS)
    svg = svg.replace("<image ", '<image preserveAspectRatio="none" ')  # dots need not be square
    return RASTER.sub(smaller, svg)
