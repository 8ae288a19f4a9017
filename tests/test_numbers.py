"""Every number that a page states is printed by a program it shows, or given with its source."""

import ast
import difflib
import operator
import re
import sys

import pytest
from house import INCLUDE, PAGES, ROOT, included, listed, name, read
from lab_texts import editions
from prose import CODE, front_matter, lines

sys.path.append(str(ROOT / "docs/hooks"))
import lab_cache
from lab_source import Lab

LETTER = r"A-Za-z_\u0370-\u03ff"
# Digits that belong to a name: GPT-2, Llama-3.1-8B, T5, float32, qwen2.5, v0.18.
NAME = (
    rf"(?:(?=[\w]*[A-Z])[{LETTER}][{LETTER}0-9]*(?:(?<=\d)\.\d+\w*)*(?:-[A-Za-z0-9]+(?:\.\d+\w*)*)+"
    rf"|[{LETTER}][{LETTER}0-9]*(?:(?<=\d)\.\d+)*)"
)
GROUPED = r"\d{1,3}(?:[,\u2009\u202f\u00a0]\d{3})+(?![\d])(?:\.\d+)?"
PLAIN = r"\d+(?:\.\d+){2,}|(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+\-−]?\d+)?"
NUMBER = re.compile(
    rf"{NAME}"
    rf"|(?P<sign>(?<![{LETTER}0-9)\].])[-−])?(?P<number>{GROUPED}|{PLAIN})"
    rf"(?P<percent>\s?%)?(?P<letters>[{LETTER}]\w*|-[A-Z]\b)?",
    re.ASCII,
)
UNITS = {"k", "K", "kB", "MB", "GB", "ms", "s", "px"}
PRINTED = re.compile(
    rf"(?<![{LETTER}0-9.])-?(?:\d{{1,3}}(?:[,_]\d{{3}})+(?!\d)(?:\.\d+)?|{PLAIN})"
)
SOURCE = re.compile(r"https?://\S|arXiv:\d|doi:\d")
FENCES = re.compile(r"```(python|text)\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def canonical(number):
    """One spelling for each: 19,869 and 19869, −0.5 and -0.5, 1e-04 and 1e-4."""
    if number[0].isalpha():
        return number
    number = re.sub(r"[,_%\s\u2009\u202f\u00a0]", "", number.replace("−", "-")).lower()
    mantissa, _, exponent = number.partition("e")
    mantissa = re.sub(r"^(-?)\.", r"\g<1>0.", mantissa)
    return f"{mantissa}e{int(exponent)}" if exponent else mantissa


def squeezed(code):
    return re.sub(r"\s", "", code)


def stated(text, source):
    """Line, number as written, and its kind. Only an output can stand behind a measured one."""
    for line, words, section in lines(text):
        parts = words.split(CODE)
        for place, code in enumerate(parts):
            if place % 2 and re.search(r"[^\d.,%−-]", code):
                if squeezed(code) in source:
                    parts[place] = ""
                elif re.search(r"[(\[]", code) and len(PRINTED.findall(code)) > 1:
                    yield line, code, "code"
                    parts[place] = ""
        words = CODE.join(parts)
        for match in NUMBER.finditer(words):
            if not match["number"]:
                if re.search(r"\d", match[0]) and section != "sources":
                    yield line, match[0], "name"
                continue
            number = (match["sign"] or "") + match["number"]
            if match["percent"] or re.search(r"[.eE]", match["number"]):
                yield line, number, "measured"
            # Years, pages and tables of what is cited stand in the cited work.
            elif section != "sources" and (not match["letters"] or match["letters"] in UNITS):
                yield line, number, "whole"


def shown(snippet):
    """The numbers in a snippet's output, and those in its program."""
    fences = dict(FENCES.findall(snippet))
    found = {}
    for kind in ("text", "python"):
        found[kind] = set()
        for number in map(canonical, PRINTED.findall(fences.get(kind, ""))):
            found[kind] |= {number, number.removeprefix("-")}
            if kind == "python" and re.fullmatch(r"-?\d+\.0*|\d+e\d", number):
                found[kind].add(str(int(float(number))))
    return found["text"], found["python"]


SIGNS = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.USub: operator.neg,
}


def computed(sum_):
    """The value of `4 * 8`, of whole numbers and the signs + - * only; else None."""

    def value(node):
        match node:
            case ast.Constant(value=int()):
                return node.value
            case ast.BinOp() if type(node.op) in SIGNS:
                return SIGNS[type(node.op)](value(node.left), value(node.right))
            case ast.UnaryOp() if type(node.op) in SIGNS:
                return SIGNS[type(node.op)](value(node.operand))
        raise ValueError

    try:
        return value(ast.parse(sum_, mode="eval").body)
    except (SyntaxError, ValueError):
        return None


def of_sections(text):
    """For each section (of level two) that shows programs, which; and the section of each line."""
    section, shows, of_line = "", {}, [""]
    for line in text.splitlines():
        section = line if line.startswith("## ") else section
        of_line.append(section)
        if match := INCLUDE.match(line):
            shows.setdefault(section, []).append(match["path"])
    return shows, of_line


def given(text, snippets, page):
    """The numbers that a page takes from elsewhere, and complaints about how it says so."""
    numbers, complaints = {}, []
    for entry in front_matter(text).get("given") or []:
        entry = entry if isinstance(entry, dict) else {}
        listed_here = entry.get("numbers") or [entry.get("number")]
        source = str(entry.get("source") or "").strip()
        if not all(isinstance(number, str) for number in listed_here):
            complaints.append(
                f"{page}:1: `given:` needs entries such as "
                '{number: "28.4", source: "https://…"}, the number in quotes'
            )
            continue
        for number in listed_here:
            numbers[canonical(number)] = number
            if "computed" in entry:
                if str(computed(str(entry["computed"]))) != canonical(number):
                    complaints.append(f"{page}:1: `given:` {number} is not {entry['computed']}")
            elif source in snippets:
                output, program = shown(snippets[source])
                if canonical(number) not in (output if "." in number else output | program):
                    complaints.append(f"{page}:1: `given:` {number} is not in snippets/{source}")
            elif not SOURCE.search(source):
                complaints.append(
                    f"{page}:1: `given:` {number} needs its source: an address, arXiv:…, doi:… "
                    "a snippet (theory/uniqueness.md), or `computed:` instead, a sum"
                )
    return numbers, complaints


def complaints(page, text, snippets, lab=False):
    """What is wrong with the numbers of one page; `snippets` maps a path to its text. The sizes
    that a lab sets in its first cells hold for all of it."""
    outputs, programs = set(), set()
    for path in included(text):
        output, program = shown(snippets.get(path, ""))
        outputs |= output
        programs |= program
    taken, found = given(text, snippets, page)
    used = set()
    source = squeezed("".join(snippets.get(path, "") for path in included(text)))
    names = "\n".join(snippets.values()).lower()
    shows, section = of_sections(text)
    for line, number, kind in stated(text, source):
        if kind == "code":
            found.append(
                f"{page}:{line}: `{number}` stands like this in no program or output on this "
                "page. Correct it, or say it without the numbers"
            )
            continue
        value = canonical(number)
        used.add(value)
        if value in taken:
            continue
        if value in outputs or (value in programs and kind == "whole"):
            # Somewhere on a long page the same digits soon stand for something else.
            here = kind == "measured" or (len(value) < 3 and not lab)
            near = [set().union(*shown(snippets.get(p, ""))) for p in shows.get(section[line], ())]
            if near and here and value not in set().union(*near):
                found.append(
                    f"{page}:{line}: {number} is in no program or output of this section, only "
                    "elsewhere on the page. Correct it, let the program here print it, or add it "
                    "under `given:` with the snippet or the sum that it comes from"
                )
            continue
        if kind == "name":
            if not re.search(
                rf"(?<![a-z0-9]){re.escape(number.lower())}(?![0-9]|[.-][0-9])", names
            ):
                found.append(
                    f"{page}:{line}: {number} is in no program of this site. "
                    "Correct it, or add it under `given:` with its source"
                )
            continue
        near = difflib.get_close_matches(value, sorted(outputs), 1, 0.5)
        found.append(
            f"{page}:{line}: {number} is "
            + ("printed by no program" if kind == "measured" else "in no program or output")
            + f" on this page{f' (printed: {near[0]})' if near else ''}. Correct it, "
            "show a snippet that prints it, or add it under `given:` with its source"
        )
    for value, number in taken.items():
        if value not in used:
            found.append(f"{page}:1: `given:` {number} is not on the page. Remove it")
        # A short whole number may be printed by chance, with another meaning.
        elif value in outputs and ("." in value or len(value) > 2) and "%" not in number:
            found.append(f"{page}:1: `given:` {number} is printed by a snippet here. Remove it")
    return found


@pytest.mark.parametrize("path", PAGES, ids=name)
def test_numbers_in_prose(path):
    folder = ROOT / "snippets"
    snippets = {p.relative_to(folder).as_posix(): read(p) for p in folder.glob("**/*.md")}
    found = complaints(name(path), read(path), snippets)
    assert not found, listed(found)


def as_snippets(lab):
    """Each code cell with its output, and the line where it stands. What a cell asserts counts as
    printed: a lab may quote the bound that it holds its result to."""
    for cell, outputs in zip(lab.code, lab_cache.result_of(lab)["cells"], strict=True):
        printed = "".join(output.get("text", "") for output in outputs)
        yield cell.line, f"```python\n{cell.text}\n```\n\n```text\n{printed}{cell.text}\n```\n"


@pytest.mark.parametrize(
    ("path", "text"),
    [pytest.param(p, text, id=f"{p.stem}-{lang}") for p, lang, text in editions()],
)
def test_numbers_in_labs(path, text, site):  # the build has run the labs
    folder = ROOT / "snippets"
    snippets = {p.relative_to(folder).as_posix(): read(p) for p in folder.glob("**/*.md")}
    lines = text.splitlines()
    for line, snippet in as_snippets(Lab(path)):
        own = f"labs/{path.stem}/{line}.md"
        snippets[own] = snippet
        lines[line - 2] = f'--8<-- "{own}"'  # in place of `# %%`
    found = complaints(name(path), "".join(f"{line}\n" for line in lines), snippets, lab=True)
    assert not found, listed(found)


SNIPPETS = {
    "theory/a.md": "```python\nd_model = 16\nprint(cosine)\nx = 10000.0 ** -0.25\n```\n\n"
    "<!--pytest-codeblocks:expected-output-->\n```text\ncosine 0.693, -0.5 and 1e-04\n"
    "longest 19,869.2 GPT-2 float32 bfloat16\nrows 32,768 of 2.13.0 at 69.3%\n```\n",
    "theory/b.md": "```python\nprint(1.015)\n```\n\n```text\n1.015\n```\n",
}


def check(words, head=""):
    page = f'{head}# Title {{ #t7 }}\n\n--8<-- "theory/a.md"\n\n{words}\n'
    return complaints("docs/en/x.md", page, SNIPPETS)


@pytest.mark.parametrize(
    "words",
    [
        "The similarity is 0.693, not more.",
        "It is −0.5 or -0.5, that is 0.5 less; 1e-4 = 1e-04.",
        "At most 69.3 % or 69.3%.",
        "32,768 or 32768 or 32\u2009768 rows for 16 dimensions, base 10000 and 10,000",
        "Version 2.13.0.",
        "The 19,869.2 is `19869.2`.",
        "GPT-2, gpt-2, 2-D, float32, `bfloat16`, 1st, 2i, 2π, 16x16",
        "$0.7$ and $$\n0.7\n$$ and $d = 9$ are formulas",
        "[a](https://x.org/0.7) <https://x.org/9> https://x.org/0.7 ![a](x9.svg){ width=900 }",
        "arXiv:2104.09864, 2306.15595 and [2309.00071](https://arxiv.org/abs/2309.00071)",
        "`x = 10000.0**-0.25`, `(16,)`, `10000`",
        "[Vaswani et al. 2017](https://arxiv.org/abs/1706.03762), section 3.5, Table 9, 第 3.5 节",
        "sections 3.2 and 3.4.2, appendix A.1, Tables 13, 15, Figures 2–4; Llama 3.1, Qwen 2.5",
        "doi 10.1234/abc.99 owner/repo#123 2026-05-01",
        "Note[^9].\n\n[^9]: Text.",
        "7. seven\n8. eight",
        '<div class="x9" data-y="0.7"><!-- 0.7 --></div>',
        "```mermaid\nflowchart LR\n  a9 --> b[0.7]\n```",
        "## Sources { #sources }\n\nVaswani et al. (2017), pages 5998–6008, Table 3",
        '??? question "Why 16?"\n\n    Since 0.693.\n\n\n    Two empty lines above.',
        "第一行是 0.693，共 16 维。",
    ],
)
def test_right_numbers_pass(words):
    assert check(words) == []


@pytest.mark.parametrize(
    ("words", "number"),
    [
        ("The similarity is 0.694.", "0.694"),
        ("The similarity is 0.69.", "0.69"),
        ("The similarity is 0.6930.", "0.6930"),
        ("It is −0.693.", "−0.693"),
        ("It falls from 16-0.7 on.", "0.7"),
        ("At most 69.4%.", "69.4"),
        ("At most 16%.", "16"),
        ("Base 0.25.", "0.25"),
        ("1e-5", "1e-5"),
        ("32,769", "32,769"),
        ("32\u2009769", "32\u2009769"),
        ("17 dimensions", "17"),
        ("9 dimensions", "9"),
        ("the 64-dimensional table", "64"),
        ("64 × 16", "64"),
        ("`arange(17)`", "17"),
        ("2.13.1", "2.13.1"),
        ("takes 0.7s", "0.7"),
        ("128K tokens", "128"),
        ("see section 3, 0.7 in all", "0.7"),
        ("Llama 3.1 has 99 layers", "99"),
        ("128k tokens", "128"),
        ("in 2017", "2017"),
        ("[in 2017](theory.md)", "2017"),
        ("[in 9 years](https://example.org)", "9"),
        ("### 0.7 { #x }", "0.7"),
        ("| a |\n|---|\n| `0.7` |", "0.7"),
        ("![falls to 0.7](x.svg)", "0.7"),
        ("[falls to 0.7](x.md)", "0.7"),
        ("**0.7**", "0.7"),
        ('!!! note "From 0.7"\n    x', "0.7"),
        ('??? question "Why?"\n\n    Since 0.7.', "0.7"),
        ("??? note\n\n    a\n\n\n    - b\n\n        c 0.7", "0.7"),
        ("- a\n\n    b 0.7", "0.7"),
        ("Term\n:   0.7", "0.7"),
        ("Note[^1].\n\n[^1]: Text 0.7.", "0.7"),
        ("<figure>\n<figcaption>It is 0.7</figcaption>\n</figure>", "0.7"),
        ("```text\n0.7\n```", "0.7"),
        ("## Sources { #sources }\n\nIts score is 0.7.", "0.7"),
        ("## Sources { #sources }\n\n2017\n\n## Next { #next }\n\n2018", "2018"),
        ("第一行是 0.7，对吗？", "0.7"),
    ],
)
def test_wrong_numbers_fail(words, number):
    (found,) = check(words)
    page = f'# Title {{ #t7 }}\n\n--8<-- "theory/a.md"\n\n{words}\n'
    line = max(n for n, text in enumerate(page.splitlines(), 1) if number in text)
    assert found.startswith(f"docs/en/x.md:{line}: {number} is ")
    assert "show a snippet that prints it, or add it under `given:`" in found


def test_code_with_numbers_stands_in_a_program():
    (found,) = check("It is `(16, 16)`.")
    assert found.startswith("docs/en/x.md:5: `(16, 16)` stands like this in no program or output")


def test_a_number_stands_in_a_program_of_its_section():
    pages = [
        f'# T {{ #t }}\n\n--8<-- "theory/a.md"\n\n## Two {{ #two }}\n\n{here}\n\n{words}\n'
        for here, words in [
            ("", "16 dimensions"),  # no program here: those of the page count
            ('--8<-- "theory/b.md"', "16 dimensions"),
            ('--8<-- "theory/b.md"', "16,000 rows, 32,768 in all"),
        ]
    ]
    first, second, third = (complaints("docs/en/x.md", page, SNIPPETS) for page in pages)
    assert first == []
    assert "docs/en/x.md:9: 16 is in no program or output of this section" in second[0]
    assert len(third) == 1 and "16,000" in third[0]
    assert complaints("docs/en/x.md", pages[1], SNIPPETS, lab=True) == []
    for lab in (False, True):
        measured = complaints("x", pages[1].replace("16 ", "0.693 "), SNIPPETS, lab=lab)
        assert "0.693 is in no program or output of this section" in measured[0]


@pytest.mark.parametrize(
    "name",
    ["GPT-3", "float34", "`bfloat61`", "T5", "v0.99", "Llama-3.1-8B", "Qwen2.5", "GPT-2-XL"],
)
def test_names_that_no_program_knows_fail(name):
    (found,) = check(f"It is {name}.")
    name = name.strip("`")
    assert found.startswith(f"docs/en/x.md:5: {name} is in no program of this site. Correct it")
    assert not check(
        f"It is {name}.", f'---\ngiven:\n  - {{number: "{name}", source: "doi:10"}}\n---\n'
    )


def test_a_near_miss_is_named():
    (found,) = check("It is 0.639.")
    assert "(printed: 0.693)" in found


def test_titles_and_descriptions_are_prose():
    found = check("x", '---\ntitle: From 0.7\ndescription: "To 0.8"\n---\n')
    assert [complaint.split(" is ")[0] for complaint in found] == [
        "docs/en/x.md:2: 0.7",
        "docs/en/x.md:3: 0.8",
    ]


@pytest.mark.parametrize(
    ("given", "words", "complaint"),
    [
        ('{number: "28.4", source: "https://arxiv.org/abs/1706.03762"}', "28.4", None),
        ('{number: "28.4", source: "arXiv:1706.03762"}', "28.4", None),
        ('{numbers: ["28.4", "37,000"], source: "doi:10.1/x"}', "28.4 and 37000", None),
        ('{number: "20%", source: "doi:10.1/x"}', "20%", None),
        ('{number: "1.015", source: "theory/b.md"}', "1.015", None),
        ('{number: "1.016", source: "theory/b.md"}', "1.016", "1.016 is not in snippets/theory/b"),
        ('{number: "28.4", source: "theory/c.md"}', "28.4", "28.4 needs its source"),
        ('{number: "28.4", source: "the paper"}', "28.4", "28.4 needs its source"),
        ('{number: "28.4"}', "28.4", "28.4 needs its source"),
        ('{number: "28.4", source: "https://x"}', "none", "28.4 is not on the page. Remove it"),
        ('{number: "0.693", source: "https://x"}', "0.693", "0.693 is printed by a snippet here"),
        ('{number: 28.40, source: "https://x"}', "none", "the number in quotes"),
        ('"28.4"', "none", "the number in quotes"),
        ('{number: "32", computed: "4 * 8"}', "32", None),
        ('{number: "-1", computed: "-(3 - 2)"}', "-1", None),
        ('{number: "33", computed: "4 * 8"}', "33", "33 is not 4 * 8"),
        ('{number: "33", computed: "len([])"}', "33", "33 is not len([])"),
    ],
)
def test_given(given, words, complaint):
    found = check(words, f"---\ngiven:\n  - {given}\n---\n")
    assert found == [] if complaint is None else complaint in found[0] and len(found) == 1, found
