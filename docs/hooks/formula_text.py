"""A formula in one line of text, as it would stand in a mail: "√(d/2)", "cos(ω_i k)".

The search, the table of contents and the window's title take text only. Used by formulas.py.
"""

import unicodedata
import xml.etree.ElementTree as ET

SPACED = set("=<>≤≥≈≠≡∈∝→↦⇒⇔")


def token(node):
    text = "".join(
        unicodedata.normalize("NFKC", c) if c.isalpha() else c
        for c in node.text or ""
        if unicodedata.category(c) not in ("Cf", "Mn")
    )
    return f" {text} " if node.tag == "mo" and text in SPACED else text


def group(text):
    return text if len(text) < 2 or text.isalnum() or text[0] + text[-1] == "()" else f"({text})"


def joined(parts):
    line = before = ""
    for part in filter(None, parts):
        # "2i" and "pos" are one word; "sin θ" and "ω_i k" are two.
        if before[-1:].isalnum() and part[0].isalnum() and len(before) + len(part) > 2:
            line += " "
        line += part
        before = part
    return line


def of(node):
    """The text of a MathML element, or of its source."""
    if isinstance(node, str):
        return " ".join(of(ET.fromstring(node)).split())
    parts = [of(child) for child in node]
    grouped = [group(part) for part in parts]
    match node.tag:
        case "mi" | "mn" | "mo" | "mtext":
            return token(node)
        case "msub" | "munder":
            return f"{parts[0]}_{grouped[1]}"
        case "msup" | "mover" if node.get("accent") or parts[1] == "′":
            return parts[0] + parts[1]
        case "msup" | "mover":
            return f"{parts[0]}^{grouped[1]}"
        case "msubsup" | "munderover":
            return f"{parts[0]}_{grouped[1]}^{grouped[2]}"
        case "mfrac":
            return "/".join(grouped)
        case "msqrt" | "mroot":
            return f"√{group(joined(parts[:1] if node.tag == 'mroot' else parts))}"
        case "mspace":
            return " " if node.get("width") else ""
        case "mtable":
            return "; ".join(parts)
        case "mtr":
            return " ".join(parts)
        case _:
            return joined(parts)
