"""Mermaid in the page, SVG in the site, no script.

A fence ```mermaid holds a `flowchart TB` with `accTitle: …` and `accDescr: …`, its title and its
description, for those who do not see it. Colours are classes, `class A,B tokens`, `positions` and
`sum`; `classDef`, `style` and `linkStyle` are refused. A label breaks by itself, though never in a
shape like "(B, T, d)". What an edge leads back up to stands first in the text. A phone is 350 px
wide: two columns.

mermaidx draws it (Mermaid itself, in a small script engine), diagram_svg.py makes it small. Until
the search has read the page, title and description stand in its place.
"""

import hashlib
import html
import os
import re
from importlib import metadata
from pathlib import Path

import diagram_svg
from mermaidx.engines.quickjs_engine import Engine, MermaidRenderError, TextMeasurer
from mkdocs.exceptions import PluginError
from mkdocs.plugins import event_priority
from mkdocs.utils import get_relative_url
from pymdownx.superfences import fence_code_format
from where import where

HERE = Path(__file__).parent
CACHE = HERE.parents[1] / ".cache/diagrams"
FENCE = re.compile(r'<pre class="mermaid"><code>([^<]*)</code></pre>')
# In a folded answer, Markdown puts a paragraph around the fence.
WRAPPED = re.compile(rf"<p>\s*((?:{FENCE.pattern}\s*)+)</p>")
PLACE = re.compile(r'<div data-diagram="(\d+)">[^<]*</div>')
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
NARROW = 340  # what is wider may have to scroll on a phone


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
    sources = [
        path.read_text(encoding="utf-8") for path in (Path(__file__), HERE / "diagram_svg.py")
    ]
    key = repr([text, LAYOUT, metadata.version("mermaidx"), sources])
    path = CACHE / f"{hashlib.sha256(key.encode()).hexdigest()}.svg"
    if not path.is_file():
        CACHE.mkdir(parents=True, exist_ok=True)
        part = path.with_suffix(f".{os.getpid()}")
        part.write_text(draw(text, page), encoding="utf-8")
        part.replace(path)
    return path.read_text(encoding="utf-8")


def boxed(svg):
    """Small on a phone, by a fifth at most; a wider one scrolls in its own box."""
    width = int(re.search(r'width="(\d+)"', svg)[1]) * 0.8
    title = re.search("<title [^>]*>(.*?)</title>", svg)[1].replace('"', "&quot;")
    focus = f' tabindex="0" role="group" aria-label="{title}"' if width > NARROW else ""
    svg = svg.replace("<svg ", f'<svg style="min-width:{width:.0f}px" ', 1)
    return f'<div class="diagram"{focus}>{svg}</div>'


def on_config(config):
    fences = config.mdx_configs.setdefault("pymdownx.superfences", {})
    mermaid = {"name": "mermaid", "class": "mermaid", "format": fence_code_format}
    fences["custom_fences"] = [mermaid]


def on_page_content(content, page, config, files):
    page.diagrams = []

    def place(match):
        svg = cached(html.unescape(match[1]), page)
        number = len(page.diagrams)
        page.diagrams.append(boxed(svg.replace("my-svg", f"diagram-{number + 1}")))
        words = " ".join(re.findall(r"<(?:title|desc) [^>]*>(.*?)</", svg))
        return f'<div data-diagram="{number}">{words}</div>'

    return FENCE.sub(place, WRAPPED.sub(r"\1", content))


@event_priority(-100)  # after the search
def on_page_context(context, page, config, nav):
    page.content = PLACE.sub(lambda place: page.diagrams[int(place[1])], page.content)
    return context


def on_env(env, config, files):
    engine.close()


def on_post_page(output, page, config):
    if not page.diagrams:
        return output
    sheet = get_relative_url("assets/diagrams.css", page.url)
    return output.replace("</head>", f'<link rel="stylesheet" href="{sheet}"></head>', 1)
