"""The two editions say the same: each page against its twin, fact by fact.

What has an order on the page is compared in that order: headings, programs, figures, displayed
formulas, tables, admonitions and folded answers, fences, HTML. What a Chinese sentence may say in
another order is compared section by section: formulas, links, numbers, code, footnotes.
"""

import re
from collections import Counter
from typing import NamedTuple

import pytest
from house import INCLUDE, ROOT, listed, name, read
from lab_texts import LABS, edition
from prose import HEADING_ID, front_matter, lines, parse
from test_numbers import NUMBER, canonical

ENGLISH, CHINESE = ROOT / "docs/en", ROOT / "docs/zh"
PAGES, TWINS = ({p.relative_to(d) for p in d.rglob("*.md")} for d in (ENGLISH, CHINESE))

OWN_WORDS = {"title", "description", "follows", "given"}
LATEX_TEXT = re.compile(r"\\text\{[^{}]*\}")
ATTRIBUTES = re.compile(r"\{:?\s*([^{}]*?)\s*\}")
SHAPE = re.compile(r"\([^()\u3400-\u9fff]*\)")
ARROW_LABEL = re.compile(r"(-\.|--|==) +[^\s|\"][^|\"\n]*? +(\.->|-->|==>)")
TAG = re.compile(r"<([a-z][\w-]*)([^>]*)>")
NAMES = re.compile(r'\b(?:id|class|src|href|data-[\w-]+)="[^"]*"')
NO_NUMBER = re.compile(r"`[^`]*`|\$[^$]*\$|\]\([^)]*\)|\{[^{}]*\}|,(?=\d{3})|[^\d.]|\.(?!\d)")

# Where in a cited work: section 3.2, Tables 13 and 15; 第 3.2 节, 表 13 和表 15.
PLACE = r"(?:[A-Z]\.)?[1-9]\d*(?:\.\d+)*"
CITED = re.compile(
    rf"\b(?:section|appendix|chapter|table|figure|equation|page)s?\s{PLACE}"
    rf"(?:(?:,| and|–|,? to)\s?{PLACE}\b(?!\s?%))*"
    rf"|第\s{PLACE}(?:(?:、|\s?和\s?第?\s?|–|\s?到\s?){PLACE})*\s(?:小?节|[章页])"
    rf"|(?:[表图式]|附录)\s{PLACE}(?:(?:、|\s?和\s?[表图]?\s?|–|\s?到\s?){PLACE})*",
    re.IGNORECASE,
)
MODEL = re.compile(r"\b(?:Llama|Qwen|Gemma|Phi) ?\d+(?:\.\d+)?")
ALONE = re.compile(r"(?<![\d.,])\d(?![.,]?\d)")  # not the 2 of 0.2, nor that of 12

# How either language says a small number. Ordinals and "both" count: they say it too.
ENGLISH_WORDS = (
    "zero no none|one once ones first single"
    "|two twice both pair second half double doubled doubling|three third"
    "|four fourth quarter|five fifth|six sixth|seven seventh|eight eighth|nine ninth"
)
CHINESE_WORDS = "零没|一单首|二两双半倍|三|四|五|六|七|八|九"
SMALL = {
    word: str(number)
    for number, words in enumerate(
        zip(ENGLISH_WORDS.split("|"), CHINESE_WORDS.split("|"), strict=True)
    )
    for word in (*words[0].split(), *words[1])
}


class Fact(NamedTuple):
    line: int
    section: str
    kind: str
    value: str | tuple

    def __str__(self):
        if self.kind == "table":
            return f"a table of {len(self.value)} × {len(self.value[0])}"
        return f"the {self.kind} {self.value.strip().replace(chr(10), ' ⏎ ')}"


def latex(formula):
    """A formula without its words and blanks, which may differ."""
    return re.sub(r"\s+", "", LATEX_TEXT.sub(r"\\text{}", formula))


def diagram(text):
    """The boxes and arrows of a diagram, with the shapes in its labels and without the words."""
    text = re.sub(r"^ *acc(Title|Descr):.*\n", "", text, flags=re.MULTILINE)
    text = re.sub(r'"[^"]*"', lambda label: f'"{"".join(SHAPE.findall(label[0]))}"', text)
    return ARROW_LABEL.sub(r"\1\2", text)


def numbers(cell):
    return tuple(NO_NUMBER.sub(" ", cell).split())


def blocks(text):
    """The tokens of a page, each with the id of its section."""
    section, tokens = "", parse(text)
    for token, after in zip(tokens, [*tokens[1:], None], strict=True):
        if token.type == "heading_open":
            named = HEADING_ID.search(after.content)
            section = named[1] if named else after.content
        yield token, section


def ordered(text):
    """What has an order on the page."""
    facts, rows = [], None
    for match in INCLUDE.finditer(text):
        facts.append(Fact(text.count("\n", 0, match.start()) + 1, "", "program", match["path"]))
    for token, section in blocks(text):
        line = token.map[0] + 1 if token.map else 0
        if token.type == "heading_open":
            facts.append(Fact(line, section, "heading", f"{token.markup} #{section}"))
        elif token.type == "admonition_open":
            facts.append(Fact(line, section, "box", f"{token.markup} {token.meta['tag']}"))
        elif token.type == "fence":
            content = diagram(token.content) if token.info == "mermaid" else token.content
            facts.append(Fact(line, section, "fence", f"{token.markup}{token.info}\n{content}"))
        elif token.type == "math_block":
            facts.append(Fact(line, section, "formula", latex(token.content)))
        elif token.type == "html_block":
            for tag in TAG.finditer(token.content):
                at = line + token.content.count("\n", 0, tag.start())
                label = " ".join([tag[1], *sorted(NAMES.findall(tag[2]))])
                facts.append(Fact(at, section, "tag", f"<{label}>"))
        elif token.type == "table_open":
            table, rows = (line, section), []
        elif token.type == "tr_open":
            rows.append(())
        elif token.type == "table_close":
            facts.append(Fact(*table, "table", tuple(rows)))
            rows = None
        elif token.type == "inline":
            if rows:
                rows[-1] += (numbers(token.content),)
            for child, following in zip(token.children, [*token.children[1:], None], strict=False):
                if child.type == "image":
                    own = ATTRIBUTES.match(following.content) if following else None
                    own = " ".join(["", *sorted(own[1].split())]) if own else ""
                    facts.append(Fact(line, section, "figure", child.attrs["src"] + own))
                elif child.type == "math_inline_double":
                    facts.append(Fact(line, section, "formula", latex(child.content)))
    return sorted(facts, key=lambda fact: fact.line)


def unordered(text):
    """What a section says, in whatever order its language wants."""
    for token, section in blocks(text):
        if token.type != "inline":
            continue
        line = token.map[0] + 1
        for child in token.children:
            if child.type in ("softbreak", "hardbreak"):
                line += 1
            elif child.type == "math_inline":
                yield Fact(line, section, "formula", latex(child.content))
            elif child.type == "link_open":
                yield Fact(line, section, "link", child.attrs["href"])
            elif child.type == "code_inline":
                yield Fact(line, section, "code", child.content)
            elif child.type == "footnote_ref":
                yield Fact(line, section, "footnote", child.meta["label"])
            elif child.type in ("text", "image"):
                for match in CITED.finditer(child.content):
                    for place in re.findall(PLACE, match[0]):
                        yield Fact(line, section, "place", place)
                for match in MODEL.finditer(child.content):
                    yield Fact(line, section, "model", match[0])
    for line, words, section in lines(text):
        for match in NUMBER.finditer(words):
            # A single digit may be a word in either language.
            if len(match["number"] or "") > 1:
                number = canonical((match["sign"] or "") + match["number"])
                yield Fact(line, section, "number", number)


def paragraphs(text):
    """For each line of a paragraph, a list item or a row of a table: its section and its place."""
    places, counts = {}, Counter()
    for token, section in blocks(text):
        if token.type == "inline" and token.map[0] + 1 not in places:
            counts[section] += 1
            places |= dict.fromkeys(range(token.map[0] + 1, token.map[1] + 1), counts[section])
    return places, counts


def small_numbers(text, by_paragraph):
    """For each part: its single digits with their lines, and how often it says each small number.

    A part is a paragraph, an item, a row, in the sections named; elsewhere it is the section.
    """
    digits, said, (places, _) = {}, {}, paragraphs(text)
    for line, words, section in lines(text):
        part = section, places.get(line, 0) if section in by_paragraph else 0
        found = [match["number"] for match in NUMBER.finditer(words)]
        digits.setdefault(part, []).extend((n, line) for n in found if len(n or "") == 1)
        often = said.setdefault(part, Counter())
        often.update(ALONE.findall(words))
        often.update(SMALL[word] for word in re.findall(r"[a-z]+", words.lower()) if word in SMALL)
        often.update(SMALL[sign] for sign in words if sign in SMALL)
    return digits, said


def differences(english, chinese, page="page.md"):
    """What is not the same on two twins, each time with both places."""
    here, there = f"docs/zh/{page}", f"docs/en/{page}"
    theirs, ours = front_matter(english), front_matter(chinese)
    for key in sorted({*theirs, *ours} - OWN_WORDS):
        if theirs.get(key) != ours.get(key):
            yield f"{here}:1: `{key}:` is {ours.get(key)}, in {there} it is {theirs.get(key)}"

    theirs, ours = ordered(english), ordered(chinese)
    for a, b in zip([*theirs, None], [*ours, None], strict=False):
        if (a and a[2:]) == (b and b[2:]):
            continue
        if (
            a
            and b
            and a.kind == b.kind == "table"
            and [*map(len, a.value)] == [*map(len, b.value)]
        ):
            row, cell = next(
                (r, c)
                for r, cells in enumerate(a.value)
                for c, _ in enumerate(cells)
                if a.value[r][c] != b.value[r][c]
            )
            yield (
                f"{here}:{b.line}: row {row + 1}, column {cell + 1} of the table holds "
                f"{' '.join(b.value[row][cell]) or 'no number'}, "
                f"{there}:{a.line} {' '.join(a.value[row][cell]) or 'no number'}"
            )
        else:
            place = f"{here}:{b.line}: here is {b}" if b else f"{here}: the page ends"
            yield f"{place}, but {f'{there}:{a.line} has {a}' if a else f'{there} has ended'}"
        break
    if [f.value for f in theirs if f.kind == "heading"] != [
        f.value for f in ours if f.kind == "heading"
    ]:
        return  # sections that are not the same cannot be compared

    theirs, ours = list(unordered(english)), list(unordered(chinese))
    for facts, others, place, other in (theirs, ours, there, here), (ours, theirs, here, there):
        left = Counter(fact[1:] for fact in others)
        for fact in facts:
            # A Chinese sentence may repeat the name of a variable, or be clear without it.
            left[fact[1:]] -= fact.kind != "code" or left[fact[1:]] == 0
            if left[fact[1:]] < 0:
                yield f"{place}:{fact.line}: {other} lacks {fact} in the section #{fact.section}"

    (_, theirs), (_, ours) = paragraphs(english), paragraphs(chinese)
    alike = {section for section in theirs if theirs[section] == ours[section]}
    theirs, said = small_numbers(english, alike)
    ours, said_here = small_numbers(chinese, alike)
    for digits, others, place, other in (
        (theirs, said_here, there, here),
        (ours, said, here, there),
    ):
        for part, found in digits.items():
            left = others.get(part, Counter()).copy()
            for digit, line in found:
                left[digit] -= 1
                if left[digit] < 0:
                    where = "paragraph" if part[1] else "section"
                    yield (
                        f"{place}:{line}: {other} says {digit} less often in this {where} of "
                        f"#{part[0]}, digits and words together"
                    )


@pytest.mark.parametrize("page", sorted(PAGES | TWINS), ids=str)
def test_twin(page):
    if page not in PAGES:
        pytest.fail(f"docs/zh/{page} has no twin: write docs/en/{page}, or delete it", False)
    if page not in TWINS:
        if not (CHINESE / "index.md").exists():
            pytest.skip("the Chinese edition is not there yet: docs/zh/index.md switches it on")
        pytest.fail(f"docs/en/{page} has no twin: write docs/zh/{page} (CONTRIBUTING.md)", False)
    found = list(differences(read(ENGLISH / page), read(CHINESE / page), page))
    assert not found, listed(found)


@pytest.mark.parametrize("path", LABS, ids=name)
def test_languages_of_a_lab(path):
    source = read(path)
    found = differences(edition(source, "en"), edition(source, "zh"), path.stem)
    place = re.compile(rf"docs/(en|zh)/{path.stem}(:\d+|)")
    found = [
        place.sub(lambda m: f"{name(path)}{m[2]}" if m[2] else f"the {m[1]} text", said)
        for said in found
    ]
    assert not found, listed(found)


SAMPLE = """\
---
description: A sample.
given:
  - {number: "28.4", source: "arXiv:1706.03762"}
---

# Sample { #sample }

The score is 0.693 for `d_model` and $x_i$, see [why](why.md#two) and [^1].

$$
a = b \\quad \\text{for even } i
$$

--8<-- "theory/uniqueness.md"

## Table { #table }

![A figure](heatmap.svg){ .wide #map }

| distance | similarity |
|---|---|
| 3 | 0.693 |
| 7 | 0.737 |

<div class="explorer" id="explorer"></div>

??? question "Is 512 enough?"

    Not for Llama 2 (Touvron et al., section 2.1 and Table 1).
    It is `max_len`, and 1,024 is not, at distance 3 and 7.

```text
IndexError
```

```mermaid
flowchart TB
  accTitle: A
  A["ids (B, T)"] -. gradient .-> B["token (B, T, d)"]
```

[^1]: A note.
"""


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("#sample", "#simple", "page.md:7: here is the heading # #simple"),
        ("# Table", "## Table", "the heading ### #table"),
        ("theory/uniqueness", "theory/waves", "page.md:15: here is the program theory/waves.md"),
        ('--8<-- "theory/uniqueness.md"', "", "docs/en/page.md:15 has the program"),
        ("heatmap.svg", "waves.svg", "the figure waves.svg"),
        (".wide ", "", "page.md:19: here is the figure heatmap.svg #map"),
        ("a = b", "a = c", "page.md:11: here is the formula a=c"),
        ("$x_i$", "$x_j$", "docs/zh/page.md lacks the formula x_i in the section #sample"),
        ("why.md#two", "why.md", "lacks the link why.md#two"),
        (" and [^1]", "", "lacks the footnote 1"),
        ("| 7 | 0.737 |", "| 7 | 0.693 |", "row 3, column 2 of the table holds 0.693"),
        ("| 7 | 0.737 |\n", "", "a table of 2 × 2"),
        ("??? question", "??? note", "the box ??? note"),
        ("??? question", "!!! question", "the box !!! question"),
        ("is 0.693", "is 0.692", "page.md:9: docs/en/page.md lacks the number 0.692"),
        ("1,024", "many", "lacks the number 1024 in the section #table"),
        ("for `d_model`", "4 times", "docs/en/page.md says 4 less often in this paragraph"),
        ("distance 3 and 7", "distance 3 and 6", "page.md:31: docs/en/page.md says 6 less often"),
        ("distance 3 and 7", "distance 3 and 3", "docs/en/page.md says 3 less often in this"),
        ("Is 512", "Is it", "lacks the number 512"),
        ("`max_len`", "it", "lacks the code max_len"),
        ("section 2.1", "section 2.2", "lacks the place 2.2 in the section #table"),
        ("Table 1", "Table 3", "lacks the place 3"),
        ("Llama 2", "Llama 3", "lacks the model Llama 3"),
        ("IndexError", "TypeError", "page.md:33: here is the fence ```text ⏎ TypeError"),
        ("(B, T, d)", "(B, d)", 'here is the fence ```mermaid ⏎ flowchart TB ⏎   A["(B, T)"]'),
        (".-> B", ".-> C", "here is the fence ```mermaid"),
        ('class="explorer" ', "", 'page.md:26: here is the tag <div id="explorer">'),
        ("description:", "template: home.html\ndescription:", "`template:` is home.html"),
    ],
)
def test_difference_is_found(old, new, said):
    assert said in listed(differences(SAMPLE, SAMPLE.replace(old, new, 1)))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("for even } i", "偶数 } i"),
        ("for `d_model` and $x_i$", "：$x_i$，`d_model`，`d_model`"),
        ("distance | similarity", "距离 | 相似度"),
        ("A sample.", "一个例子。"),
        ("A figure", "一张图"),
        ("Is 512 enough?", "512 够吗？"),
        ("token (B, T, d)", "词元 (B, T, d)"),
        (". gradient .", ". 梯度 ."),
        ("accTitle: A", "accTitle: 图"),
        ("distance 3 and", "距离三和"),
        ("section 2.1 and Table 1", "第 2.1 节和表 1"),
        ("section 2.1 and Table 1", "表 1、第 2.1 节"),
    ],
)
def test_language_is_free(old, new):
    assert not list(differences(SAMPLE, SAMPLE.replace(old, new, 1)))
