r"""LaTeX in the page, MathML in the site, no script.

`$…$` within a line, `$$…$$` as a paragraph of its own; also in headings, tables, lists,
admonitions and folded answers. Names of several letters are `\mathrm{pos}`. In a table write
`\lvert x \rvert`, for a bar ends the cell. A dollar sign that opens no formula stands before a
digit ($5) or in `code`.

arithmatex finds the formulas (in a lab, `marked`), formula_mathml.py converts them. Until the
search has read the page, a formula is plain text in it: "√(d/2)".
"""

import html
import re

import formula_text
from formula_mathml import convert
from mkdocs.exceptions import PluginError
from mkdocs.plugins import event_priority
from where import where

LABEL = {"en": "Formula", "zh": "公式"}
LATEX = re.compile(r'<(span|div) class="arithmatex">\\[(\[](.*?)\\[)\]]</\1>(\d?)', re.DOTALL)
BARE = re.compile(r"\\\((.*?)\\\)", re.DOTALL)
ALT = re.compile(r'(?<= alt=)"[^"]*"')
PLACE = re.compile(r'<(span|div) data-formula="(\d+)">[^<]*</\1>')
NOT_TEXT = (
    r"<(?P<raw>pre|code|script|style|svg)\b.*?</(?P=raw)>|<div class=\"clipboard.*?</div>|<[^>]*>"
)
STRAY = re.compile(r"\$(?!\d).{0,40}", re.DOTALL)
DOLLARS = re.compile(
    rf"<p>\s*\$\$(?P<block>[^$<]+)\$\$\s*</p>|{NOT_TEXT}"
    r"|\$(?P<inline>[^$<\s](?:[^$<]*[^$<\s])?)\$",
    re.DOTALL,
)
# A browser may end a line on either side of a formula, even before a comma.
KEPT = re.compile(
    r"[(\[（“‘]*<math>(?:(?!</math>).)*</math>[,.;:?!)\]’”，。；：？！、）]*", re.DOTALL
)
WIDE = 30  # characters in a row; a display formula of more may need to scroll on a phone


def marked(lab):
    """Mark the formulas that nbconvert has left as they are, as arithmatex does."""

    def mark(match):
        if match["block"]:
            return f'<div class="arithmatex">\\[{match["block"]}\\]</div>'
        if match["inline"]:
            return f'<span class="arithmatex">\\({match["inline"]}\\)</span>'
        return match[0]

    return DOLLARS.sub(mark, lab)


def boxed(formula, language):
    """A display formula scrolls in its own box; the keyboard must reach one that may have to."""
    rows = re.split("</mtr>", formula)
    wide = max(len(re.sub(r"<[^>]*>|&\w+;", "", row)) for row in rows) > WIDE
    focus = f' tabindex="0" role="group" aria-label="{LABEL[language]}"' if wide else ""
    return f'<div class="formula"{focus}>{formula}</div>'


def on_page_content(content, page, config, files):
    page.formulas = []

    def place(match):
        kind, latex, digit = match[1], html.unescape(match[2]), match[3]
        if kind == "span" and digit:  # "$5–$10": two amounts, no formula
            return f"${match[2]}${digit}"
        formula = convert(latex, kind == "div", page)
        text = html.escape(formula_text.of(formula), quote=False)
        if kind == "div":
            formula = boxed(formula, config.theme["language"])
        page.formulas.append(formula)
        return f'<{kind} data-formula="{len(page.formulas) - 1}">{text}</{kind}>{digit}'

    def text_only(match):
        formula = convert(html.unescape(match[1]), False, page)
        return html.escape(formula_text.of(formula), quote=False)

    def rename(items):
        for item in items:
            item.title = BARE.sub(text_only, item.title)
            rename(item.children)

    if page.file.src_uri.endswith(".ipynb"):
        content = marked(content)
    content = LATEX.sub(place, content)
    content = ALT.sub(lambda alt: BARE.sub(text_only, alt[0]), content)
    rename(page.toc)
    page.title = BARE.sub(text_only, page.title)
    if stray := STRAY.search(re.sub(NOT_TEXT, " ", content, flags=re.DOTALL)):
        text = " ".join(html.unescape(stray[0]).split())
        raise PluginError(
            f"{where(page, text)}: this dollar sign belongs to no formula. Write $…$ without "
            "blanks inside, $$…$$ with an empty line before and after, \\vert for a bar in a "
            f"table, and &#36; or `code` for a sign that is meant.\n\n{text}\n"
        )
    return content


def kept(match):
    """No line begins with the comma after a formula, or ends with the bracket before it."""
    bare = match[0].startswith("<") and match[0].endswith(">")
    return match[0] if bare else f'<span class="kept">{match[0]}</span>'


@event_priority(-100)  # after the search
def on_page_context(context, page, config, nav):
    page.content = PLACE.sub(lambda place: page.formulas[int(place[2])], page.content)
    page.content = KEPT.sub(kept, page.content)
    return context
