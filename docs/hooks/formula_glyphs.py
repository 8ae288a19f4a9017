"""STIX Two Math with the glyphs of a text and no others. Used by formula_font.py."""

import hashlib
import io
import os
from importlib import metadata
from pathlib import Path

from fontTools import subset

CACHE = Path(__file__).parents[2] / ".cache/formulas"
# Read when it is loaded: under `mkdocs serve` the file may change, the code that runs does not.
SOURCE = Path(__file__).read_text(encoding="utf-8")


def even_out(font):
    """Leave no gap beside a small root or bracket.

    Chromium keeps room for the widest of a sign's sizes, whichever it draws. So all roots become
    as wide as the smallest, and round brackets over 2.4 em are put together from pieces, which
    are narrower than single glyphs of that size.
    """
    variants = font["MATH"].table.MathVariants
    sizes = dict(
        zip(variants.VertGlyphCoverage.glyphs, variants.VertGlyphConstruction, strict=True)
    )
    for bracket in ("parenleft", "parenright"):
        records = sizes[bracket].MathGlyphVariantRecord
        sizes[bracket].MathGlyphVariantRecord = [r for r in records if r.AdvanceMeasurement < 2400]
    root = sizes["uni221A"]
    width = font["hmtx"]["uni221A"][0]
    names = [record.VariantGlyph for record in root.MathGlyphVariantRecord]
    for name in names + [part.glyph for part in root.GlyphAssembly.PartRecords]:
        advance, left = font["hmtx"][name]
        font["glyf"][name].coordinates.scale((width / advance, 1))
        font["glyf"][name].recalcBounds(font["glyf"])
        font["hmtx"][name] = (width, round(left * width / advance))


def cut(text):
    """The font with the glyphs for a text, and with those that these lead to: grown brackets,
    roots and sums (MATH), small print (ssty)."""
    options = subset.Options(
        flavor="woff2",
        hinting=False,
        layout_features=["ssty", "ccmp", "mark"],
        name_IDs=[0, 1, 2, 13, 14],  # the licence stays in the font, too
        notdef_outline=True,
        recalc_timestamp=False,
    )
    package = metadata.distribution("ziamath")  # not imported: it has nothing else to do here
    font = subset.load_font(package.locate_file("ziamath/fonts/STIXTwoMath-Regular.ttf"), options)
    even_out(font)
    subsetter = subset.Subsetter(options)
    subsetter.populate(text=text)
    subsetter.subset(font)
    out = io.BytesIO()
    subset.save_font(font, out, options)
    return out.getvalue()


def cached(text):
    versions = [metadata.version(name) for name in ("ziamath", "fonttools", "brotli")]
    key = repr([text, versions, SOURCE])
    path = CACHE / f"{hashlib.sha256(key.encode()).hexdigest()}.woff2"
    if not path.is_file():
        CACHE.mkdir(parents=True, exist_ok=True)
        part = path.with_suffix(f".{os.getpid()}")
        part.write_bytes(cut(text))
        part.replace(path)  # all of it or none, whoever else builds at this moment
    return path.read_bytes()
