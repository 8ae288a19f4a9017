"""Mermaid in the page, SVG in the site, no script.

A fence ```mermaid holds a `flowchart TB` with `accTitle: …` and `accDescr: …`, its title and its
description, for those who do not see it. Colours are classes, `class A,B tokens`, `positions` and
`sum`; `classDef`, `style` and `linkStyle` are refused. A label breaks by itself, though never in a
shape like "(B, T, d)". What an edge leads back up to stands first in the text. A phone is 350 px
wide: two columns.

diagram_mermaid.py draws it. Until the search has read the page, title and description stand in its
place.
"""

import html
import re

import diagram_mermaid
from mkdocs.plugins import event_priority
from mkdocs.utils import get_relative_url
from pymdownx.superfences import fence_code_format

FENCE = re.compile(r'<pre class="mermaid"><code>([^<]*)</code></pre>')
# In a folded answer, Markdown puts a paragraph around the fence.
WRAPPED = re.compile(rf"<p>\s*((?:{FENCE.pattern}\s*)+)</p>")
PLACE = re.compile(r'<div data-diagram="(\d+)">[^<]*</div>')
NARROW = 340  # what is wider may have to scroll on a phone


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
        svg = diagram_mermaid.cached(html.unescape(match[1]), page)
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
    diagram_mermaid.engine.close()


def on_post_page(output, page, config):
    if not page.diagrams:
        return output
    sheet = get_relative_url("assets/diagrams.css", page.url)
    return output.replace("</head>", f'<link rel="stylesheet" href="{sheet}"></head>', 1)
