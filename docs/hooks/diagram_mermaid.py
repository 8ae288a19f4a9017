"""Draw a flowchart, or take it from .cache/diagrams. Used by diagrams.py.

mermaidx draws it (Mermaid itself, in a small script engine), diagram_svg.py makes it small.
"""

import hashlib
import os
import re
from importlib import metadata
from pathlib import Path

import diagram_svg
from mermaidx.engines.quickjs_engine import Engine, MermaidRenderError, TextMeasurer
from mkdocs.exceptions import PluginError
from where import where

HERE = Path(__file__).parent
CACHE = HERE.parents[1] / ".cache/diagrams"
# Read when it is loaded: under `mkdocs serve` the files may change, the code that runs does not.
SOURCES = [(HERE / f"diagram_{name}.py").read_text("utf-8") for name in ("mermaid", "svg")]
LOOKS = re.compile(r"^\s*(classDef|style|linkStyle)\b", re.MULTILINE)
SHAPE = re.compile(r"\([^()\n]*\)")
TIE = "\ue000"  # a blank at which Mermaid breaks no line; a no-break space is one to it
LAYOUT = {
    "htmlLabels": False,  # SVG text is never clipped
    "fontSize": 15,
    "themeVariables": {"fontSize": "15px"},  # as in docs/theme/assets/diagrams.css
    "flowchart": {
        "htmlLabels": False,
        "inheritDir": True,
        "wrappingWidth": 122,
        "padding": 8,
        "nodeSpacing": 16,
        "rankSpacing": 30,
        "diagramPadding": 2,
    },
}


class Measure(TextMeasurer):
    """Mermaid's ruler is a font without Chinese; there a character is as wide as a dash."""

    def width(self, text, *font):
        return super().width(self.known(text), *font)

    def full(self, text, *font):
        return super().full(self.known(text), *font)

    def glyphs(self, text, *font):
        return super().glyphs(self.known(text), *font)

    def known(self, text):
        return re.sub("[\u2e80-\ud7ff\uf900-\uffef]", "—", (text or "").replace(TIE, " "))


class Ruled(Engine):
    def _init_context(self):
        super()._init_context()
        self._measurer = Measure()


engine = Ruled()  # starts with the first diagram that is not in the cache


def draw(text, page):
    def refuse(message, line=1):
        raise PluginError(f"{where(page, text, line)}: {message}\n\n{text}") from None

    if not text.startswith("flowchart "):
        refuse("only flowcharts are drawn here; the first line is `flowchart TB`.")
    if look := LOOKS.search(text):
        line = text.count("\n", 0, look.start(1)) + 1
        refuse(f"no {look[1]}; colours are the classes tokens, positions and sum.", line)
    engine.start()
    try:
        tied = SHAPE.sub(lambda shape: shape[0].replace(" ", TIE), text)
        drawing = engine.render_svg(tied, "base", LAYOUT, None)
    except MermaidRenderError as error:
        message = str(error).replace(TIE, " ")
        line = re.search(r"on line (\d+)", message)
        refuse(f"Mermaid does not understand this. {message}", int(line[1]) if line else 1)
    svg = diagram_svg.small(drawing.replace(TIE, " "))
    for tag, name in (("title", "accTitle"), ("desc", "accDescr")):
        if f"<{tag} " not in svg:
            refuse(f"this diagram has no `{name}: …`, for those who do not see it.")
    return svg


def cached(text, page):
    key = repr([text, LAYOUT, metadata.version("mermaidx"), SOURCES])
    path = CACHE / f"{hashlib.sha256(key.encode()).hexdigest()}.svg"
    if not path.is_file():
        CACHE.mkdir(parents=True, exist_ok=True)
        part = path.with_suffix(f".{os.getpid()}")
        part.write_text(draw(text, page), encoding="utf-8")
        part.replace(path)
    return path.read_text(encoding="utf-8")
