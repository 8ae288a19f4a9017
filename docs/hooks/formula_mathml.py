"""One formula, from LaTeX to MathML. Used by formulas.py.

math-core converts it; a wrong one, or one that browsers would misplace, ends the build.
"""

import html
import re

from math_core import LatexError, LatexToMathML
from mkdocs.exceptions import PluginError
from where import where

CONVERTER = LatexToMathML(fancy_error=False)
ROW = re.compile(r"\\\\\[[\d.]+(?:em|ex|mm|pt)\]")  # unknown to math-core; formulas.css gives room
MISPLACED = re.compile(r"[\u0300-\u036f\u20d0-\u20ff](?=</mo>)")  # combining characters


def mathml(latex, display=False):
    """Convert one formula; raises LatexError."""
    converted = CONVERTER.convert_with_local_state(ROW.sub(r"\\\\", latex), displaystyle=display)
    if MISPLACED.search(converted):
        raise LatexError(
            "0: Browsers misplace this accent; \\bar, \\hat, \\tilde and \\dot are well."
        )
    return re.sub(
        r"&(?!lt;|gt;|amp;|quot;)\w+;", lambda entity: html.unescape(entity[0]), converted
    )


def convert(latex, display, page):
    latex = latex.strip()
    try:
        return mathml(latex, display)
    except LatexError as error:
        offset, _, message = str(error).partition(": ")
        line = latex.count("\n", 0, int(offset)) + 1
        raise PluginError(
            f"{where(page, latex, line)}: this formula is wrong. {message}\n\n{latex}\n"
        ) from None
