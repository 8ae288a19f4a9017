"""How Chinese is set: what a line of a Chinese page should look like.

autocorrect knows where blanks and full-width marks belong, but takes the marks of Markdown for
text. So it sees the words alone; what it changes is put back between the marks. Code, formulas,
addresses, attributes and tags stay as they are. Run by `make typeset`:

    python tests/typography.py [theory ...]     rewrites all Chinese pages, or those named
"""

import difflib
import re
import sys

import autocorrect_py
from house import ROOT, name, read
from lab_texts import LABS, edition, with_text

autocorrect_py.load_config('{"rules": {"space-bracket": 0}}')

PAGES = ROOT / "docs/zh"
HAN = re.compile(r"[\u3400-\u9fff]")
FULL = dict(zip(",;:?!.「」『』", "，；：？！。“”‘’", strict=True))
BRACKETS = re.compile(r'\(([^()]*)\)|"([^"]*)"')
RULES = [
    (re.compile("[「」『』]"), lambda mark: FULL[mark[0]]),
    # Beside Chinese, and at the end of a line that holds some.
    (
        re.compile(
            "(?<=[㐀-鿿”）]) *[,;:?!] *|(?<=[㐀-鿿”）])[.]$| *[,;:?!] *(?=[㐀-鿿“（])"
            r"|(?<=\w)[,;:?!]$|(?<=\w\w\w)[.]$"
        ),
        lambda mark: FULL[mark[0].strip()],
    ),
    (re.compile("(?<=[㐀-鿿])(?:[.]{3,}|。{2,}|(?<!…)…(?!…))"), "……"),
    (re.compile("(?<=[㐀-鿿]) *(?:--+|[—–]) *(?=[㐀-鿿])"), "——"),
    (re.compile(" *([，；：？！。、（）“”]) *"), r"\1"),
]

# What begins a line, up to its words.
PREFIX = re.compile(
    r"\s*(?:(?:[-*+:>]|\d+\.|#+|\[\^\w+\]:|\*\[[^\]]+\]:) +)*"
    r'(?:[!?]{3}\+? .*?"|(?:title|description): +"?)?'
)
PART = re.compile(
    # These stand in a sentence as a Latin word does.
    r"(?P<word>`+[^`]+`+|\$\$?[^$]+\$\$?|<?https?://[\w./#?=&%~+-]+>?|&#?\w+;)"
    # These are not seen: what is before them and what is after them are neighbours.
    r"|(?P<opens>!?\[(?=[^\]]*\]\()|<[a-z][^<>]*>)"
    r"|(?P<closes>\]\([^()]*\)|\[\^\w+\]|</[a-z]+>|\{:?\s*[#.\w][^{}]*\})"
    r"|(?P<emphasis>\*\*|\*)",
    re.ASCII,
)
WORD = re.compile(r"Z(\d+)Z")


def full(match):
    """Brackets and quotation marks around Chinese, or touching it, are full-width."""
    around = match.string[max(match.start() - 1, 0) : match.end() + 1]
    if not HAN.search(around):
        return match[0]
    return f"（{match[1]}）" if match[0][0] == "(" else f"“{match[2]}”"


def typeset(words):
    words = BRACKETS.sub(full, autocorrect_py.format(words))
    for pattern, right in RULES:
        words = pattern.sub(right, words)
    return words


def typeset_line(line):
    """A line of Markdown with its words set as they should be."""
    if line.lstrip().startswith("|"):
        cells = re.split(r"(?<!\\)(\s*\|\s*)", line)
        return "".join(cell if "|" in cell else typeset_line(cell) for cell in cells)
    start = PREFIX.match(line)[0]
    end = '"' if start.endswith('"') and line.endswith('"') else ""
    words, hidden, marks, emphasized = "", [], [], set()
    last = len(start)
    for part in PART.finditer(line, last, len(line) - len(end)):
        words += line[last : part.start()]
        last = part.end()
        if part["word"]:
            words += f"Z{len(hidden)}Z"
            hidden.append(part["word"])
            continue
        emphasized ^= {part["emphasis"]}
        opens = part["opens"] or part["emphasis"] in emphasized
        marks.append((len(words), bool(opens), part[0]))
    words += line[last : len(line) - len(end)]
    if not HAN.search(words):
        return line

    after = typeset(words)
    # Where each character of the words has gone: an opening mark stays before the character that
    # follows it, a closing one after the character it follows.
    before_it, after_it = [0] * (len(words) + 1), [0] * (len(words) + 1)
    for _, a, b, c, d in difflib.SequenceMatcher(None, words, after, False).get_opcodes():
        for i in range(a, b):
            before_it[i], after_it[i + 1] = min(c + i - a, d), min(c + i - a + 1, d)
    before_it[-1] = len(after)
    done, last = start, 0
    for at, opens, mark in marks:
        to = max(before_it[at] if opens else after_it[at], last)
        done += after[last:to] + mark
        last = to
    done += after[last:] + end
    return WORD.sub(lambda m: hidden[int(m[1])], done)


def typeset_page(text):
    """Each line of a page, with the line as it should be."""
    block = ""  # what ends the block in which nothing is touched
    for number, line in enumerate(text.splitlines(), 1):
        bare = line.strip()
        if block == "---" and bare.startswith(("title: ", "description: ")):
            yield number, line, typeset_line(line)
        elif block:
            block = "" if bare == block or (block == "```" and bare.startswith(block)) else block
            yield number, line, line
        elif number == 1 and bare == "---":
            block = "---"
            yield number, line, line
        elif bare.startswith(("```", "$$")) and not (bare[2:].endswith("$$") and bare != "$$"):
            block = bare[:3] if bare.startswith("```") else "$$"
            yield number, line, line
        elif bare.startswith(("--8<--", "<!--")):
            yield number, line, line
        else:
            yield number, line, typeset_line(line)


def typeset_file(path):
    """The text of a page or of a lab as it should be."""
    if path.suffix == ".md":
        return "".join(f"{right}\n" for _, _, right in typeset_page(read(path)))
    right = {number: line for number, _, line in typeset_page(edition(read(path), "zh"))}
    return with_text(read(path), "zh", lambda number, _: right[number])


def main(pages):
    files = {path.stem: path for path in [*sorted(PAGES.rglob("*.md")), *LABS]}
    for page in [files[p] for p in pages] or files.values():
        before, after = read(page), typeset_file(page)
        if after != before:
            page.write_text(after, encoding="utf-8")
            print(f"{name(page)} is typeset anew: read the difference")


if __name__ == "__main__":
    main(sys.argv[1:])
