"""STIX Two Math, cut down to the glyphs that the formulas of this edition use.

The font comes in the package ziamath (1.5 MB); about 25 kB of it are left. They go, with the rules
of docs/theme/assets/formulas.css, into one style sheet, which only pages with a formula load. Not
into a file of their own: that one would arrive after the text, and the text would jump.
"""

import base64
import hashlib
import html
import io
import os
import re
import unicodedata
from importlib import metadata
from pathlib import Path

from fontTools import subset
from mkdocs.structure.files import File
from mkdocs.utils import get_relative_url

CACHE = Path(__file__).parents[2] / ".cache/formulas"
TOKEN = re.compile(r"<(m[ion]|mtext)([^>]*)>([^<]*)</\1>")
# A single letter in <mi> is drawn as the italic one that Unicode has for formulas.
ITALIC = {"h": "ℎ"} | {
    chr(int(unicodedata.decomposition(letter).split()[1], 16)): letter
    for letter in map(chr, range(0x1D434, 0x1D71C))
    if unicodedata.name(letter, "").startswith("MATHEMATICAL ITALIC")
}
SHEET = """\
/*! The font is STIX Two Math, cut down to the glyphs in use.
Copyright 2001-2020 The STIX Fonts Project Authors (https://github.com/stipub/stixfonts)
Licensed under the SIL Open Font License, Version 1.1 (https://openfontlicense.org) */
@font-face {{
  font-family: "STIX Two Math";
  src: url("data:font/woff2;base64,{font}") format("woff2");
}}
{rules}"""


def characters(formula):
    """What a browser draws for a formula; the Chinese in it is left to the page's fonts."""
    drawn = {" "} | ({"√"} if "<msqrt" in formula or "<mroot" in formula else set())
    for tag, attributes, text in TOKEN.findall(formula):
        text = html.unescape(text)
        upright = tag != "mi" or "mathvariant" in attributes
        drawn.update(text if upright else ITALIC.get(text, text))
    return {c for c in drawn if not "\u2e80" <= c <= "\uffff"}


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
    key = repr([text, versions, Path(__file__).read_text(encoding="utf-8")])
    path = CACHE / f"{hashlib.sha256(key.encode()).hexdigest()}.woff2"
    if not path.is_file():
        CACHE.mkdir(parents=True, exist_ok=True)
        part = path.with_suffix(f".{os.getpid()}")
        part.write_bytes(cut(text))
        part.replace(path)  # all of it or none, whoever else builds at this moment
    return path.read_bytes()


def on_env(env, config, files):
    pages = [file.page for file in files.documentation_pages()]
    formulas = [formula for page in pages for formula in page.formulas]
    rules = files.get_file_from_path("assets/formulas.css")
    files.remove(rules)
    if formulas:
        font = cached("".join(sorted(set().union(*map(characters, formulas)))))
        sheet = SHEET.format(font=base64.b64encode(font).decode(), rules=rules.content_string)
        config.extra["formulas"] = f"assets/formulas.{hashlib.sha256(font).hexdigest()[:8]}.css"
        files.append(File.generated(config, config.extra["formulas"], content=sheet))
    return env


def on_post_page(output, page, config):
    if not page.formulas:
        return output
    sheet = get_relative_url(config.extra["formulas"], page.url)
    return output.replace("</head>", f'<link rel="stylesheet" href="{sheet}"></head>', 1)
