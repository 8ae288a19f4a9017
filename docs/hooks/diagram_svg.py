"""Mermaid's drawing of a flowchart without what a page does not need. Used by diagram_mermaid.py.

A third of its 20 kB stays: one decimal, the arrow heads in use, no style sheet, no data for
editors. Colours and lines are left to docs/theme/assets/diagrams.css.
"""

import html
import re
import xml.etree.ElementTree as ET

SVG = "{http://www.w3.org/2000/svg}"
UNSEEN = {"style", "defs", "linearGradient"}
ATTRIBUTES = re.findall(
    r"\S+",
    "id class d x y cx cy r rx ry points width height transform text-anchor viewBox refX refY "
    "markerUnits markerWidth markerHeight orient marker-start marker-end",
)
CLASSES = {
    "node": "node",
    "cluster": "group",
    "flowchart-link": "link",
    "edge-pattern-dotted": "dotted",
    "edge-thickness-thick": "thick",
    "background": "back",
    "arrowMarkerPath": "head",
    "tokens": "tokens",
    "positions": "positions",
    "sum": "both",  # the site has a class "sum" of its own
}


def rounded(text):
    return re.sub(r"-?\d+\.\d+", lambda m: f"{float(m[0]):.1f}".removesuffix(".0"), text)


def tidy(node, ids):
    """Clean an element and what is in it; False if nothing of it would be seen."""
    node.tag = node.tag.removeprefix(SVG)
    classes = [CLASSES[name] for name in node.get("class", "").split() if name in CLASSES]
    kept = {name: rounded(node.get(name)) for name in ATTRIBUTES if node.get(name)}
    kept["class"] = " ".join(dict.fromkeys(classes))
    if kept.get("id") not in ids:
        kept["id"] = ""
    node.attrib = {name: value for name, value in kept.items() if value}
    node.tail = None
    if node.tag == "text":
        lines = [html.unescape("".join(line.itertext())).strip() for line in node]
        node[:] = []
        for number, line in enumerate(lines):
            ET.SubElement(node, "tspan", x="0", y=f"{1 + 1.1 * number:.1f}em").text = line
        node.attrib.pop("y", None)
        return any(lines)
    node[:] = [child for child in node if tidy(child, ids)]
    return not (
        node.tag in UNSEEN
        or (node.tag == "marker" and "id" not in node.attrib)
        or (node.tag == "g" and not len(node))
        or (node.tag == "rect" and "width" not in node.attrib)
    )


def small(drawing):
    """The SVG as it goes into the page; its ids begin with "my-svg" until the page numbers it."""
    svg = ET.fromstring(drawing)
    ids = set(re.findall(r"url\(#([^)]+)\)", drawing))
    tidy(svg, ids)
    left, top, width, height = map(float, svg.attrib.pop("viewBox").split())
    svg.attrib = {
        "viewBox": rounded(f"{left:.1f} {top:.1f} {width:.1f} {height:.1f}"),
        "width": f"{width:.0f}",
        "height": f"{height:.0f}",
        "role": "img",
        "aria-labelledby": "my-svg-title my-svg-desc",
    }
    for tag in ("title", "desc"):
        if (text := svg.find(tag)) is not None:
            text.set("id", f"my-svg-{tag}")
            text.text = html.unescape(text.text)
    return ET.tostring(svg, encoding="unicode")
