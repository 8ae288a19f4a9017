"""What a reader reads on a page, line by line: no addresses, formulas or attributes."""

import re
from typing import NamedTuple

import yaml
from markdown_it import MarkdownIt
from mdit_py_plugins.admon import admon_plugin
from mdit_py_plugins.deflist import deflist_plugin
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.footnote import footnote_plugin
from mdit_py_plugins.front_matter import front_matter_plugin

MARKDOWN = (
    MarkdownIt("commonmark")
    .enable(["table", "strikethrough"])
    .use(admon_plugin)
    .use(deflist_plugin)
    .use(dollarmath_plugin, allow_space=False, double_inline=True)
    .use(footnote_plugin)
    .use(front_matter_plugin)
)
GAP = "\0"  # stands where a formula or a tag stood: its neighbours are no one word
CODE = "\1"  # stands around inline code

ATTRIBUTES = re.compile(r"\{:?\s*(?:[#.][\w-]+|[\w-]+=)[^{}\n]*\}")
HEADING_ID = re.compile(r"\{[^{}]*#([\w-]+)[^{}]*\}")
# Where something stands in a cited work: sections 3.2 and 3.4.2, appendix A.1, Tables 13, 15.
PLACES, PLACE = "section|appendix|chapter|table|figure|equation|page", r"([A-Z]\.)?\d+(\.\d+)*"
NOT_TEXT = re.compile(
    r"https?://\S+"
    r"|\b10\.\d{4,}/\S+"  # DOI
    r"|\barXiv[:\s]*\d{4}\.\d{4,5}(v\d+)?(\s*(,|、|，|and|和)\s*\d{4}\.\d{4,5}(v\d+)?)*"
    r"|([\w.-]+/)?[\w.-]*#\d+"  # a thread on a code host
    r"|\b(19|20)\d\d-\d\d-\d\d\b"  # a date
    rf"|(\b({PLACES})\s|§)\s*{PLACE}\b"
    rf"|第\s*{PLACE}\s*(小?节|[章页])"
    rf"|附录\s*{PLACE}"
    rf"|[表图]\s\d+(?![\d.])"  # 表 3
    rf"|\b({PLACES})s\s+{PLACE}(\s*(,|–|and)\s*{PLACE}\b(?!\s?%))*"
    r"|\b(Llama|Qwen|Gemma|Phi) \d+(\.\d+)?",  # a model's name
    re.IGNORECASE,
)
IN_CITATIONS = re.compile(r"\b(\d{4}\.\d{4,5}(v\d+)?|(19|20)\d\d)\b")  # arXiv's numbers, years
TAG = re.compile(r"<!--.*?-->|<[^>]*>", re.DOTALL)


class Line(NamedTuple):
    number: int
    text: str
    section: str  # the id of the heading above


def parse(text):
    """Markdown as tokens. Included programs are left out: they have their own files."""
    text = re.sub(r"^( *)--8<-- .*$", r"\1", text, flags=re.MULTILINE)
    # Two empty lines would end an admonition for this parser, not for the site's.
    return MARKDOWN.parse(re.sub(r"^ *\n(?= *\n*( *)\S)", r"\1\n", text, flags=re.MULTILINE))


def front_matter(text):
    tokens = parse(text)
    has_any = tokens and tokens[0].type == "front_matter"
    return (yaml.safe_load(tokens[0].content) if has_any else None) or {}


def lines(text):
    """All that a reader reads on a page, programs and their outputs apart."""
    section, level = "", 0
    tokens = parse(text)
    for token, after in zip(tokens, [*tokens[1:], None], strict=True):
        start = token.map[0] + 1 if token.map else 0
        if token.type == "front_matter":
            meta = front_matter(text)
            for key in ("title", "description"):
                if key in meta:
                    yield Line(_line_of(text, key), str(meta[key]), key)
        elif token.type == "heading_open":
            named = HEADING_ID.search(after.content)
            if named or int(token.tag[1]) <= level:
                section, level = named[1] if named else "", int(token.tag[1])
        elif token.type == "inline":
            yield from _inline(token.children, start, section)
        elif token.type == "html_block":
            inside = TAG.sub(lambda m: GAP + "\n" * m[0].count("\n"), token.content)
            for number, line in enumerate(inside.splitlines(), start):
                yield from _inline(MARKDOWN.parseInline(line)[0].children, number, section)
        elif token.type in ("fence", "code_block") and token.info != "mermaid":
            first = start + (token.type == "fence")
            for number, line in enumerate(token.content.splitlines(), first):
                yield Line(number, line, section)


def _inline(children, number, section):
    text, link = "", ""
    for child in children:
        if child.type in ("softbreak", "hardbreak"):
            yield Line(number, text, section)
            number, text = number + 1, ""
        elif child.type == "link_open":
            link = str(child.attrs["href"])
        elif child.type == "link_close":
            link = ""
        elif child.type == "code_inline":
            text += CODE + child.content + CODE
        elif child.type in ("text", "image"):
            words = ATTRIBUTES.sub(GAP, NOT_TEXT.sub(GAP, child.content))
            text += IN_CITATIONS.sub(GAP, words) if link.startswith("http") else words
        elif child.type.startswith(("math", "html", "footnote")):
            text += GAP
    yield Line(number, text, section)


def _line_of(text, key):
    return next(n for n, line in enumerate(text.splitlines(), 1) if line.startswith(f"{key}:"))
