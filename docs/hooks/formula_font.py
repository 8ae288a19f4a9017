"""STIX Two Math, cut down to the glyphs that the formulas of this edition use.

The font comes in the package ziamath (1.5 MB); about 25 kB of it are left. They go, with the rules
of docs/theme/assets/formulas.css, into one style sheet, which only pages with a formula load. Not
into a file of their own: that one would arrive after the text, and the text would jump.
"""

import base64
import hashlib
import html
import re
import unicodedata

from formula_glyphs import cached
from mkdocs.structure.files import File
from mkdocs.utils import get_relative_url

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
