"""Chinese pages are set as Chinese is: blanks beside Latin words, full-width marks, “”."""

import pytest
import yaml
from house import ROOT, listed, name, read
from lab_texts import editions
from typography import PAGES, typeset_line, typeset_page


@pytest.mark.parametrize("page", sorted(PAGES.rglob("*.md")), ids=name)
def test_page(page):
    wrong = [
        f"{name(page)}:{number}: {line.strip()}\n  write: {right.strip()}"
        for number, line, right in typeset_page(read(page))
        if line != right
    ]
    assert not wrong, listed([*wrong, "`make typeset` rewrites these lines"])


@pytest.mark.parametrize(
    ("path", "text"),
    [pytest.param(p, text, id=p.stem) for p, lang, text in editions() if lang == "zh"],
)
def test_lab(path, text):
    wrong = [
        f"{name(path)}:{number}: {line.strip()}\n  write: {right.strip()}"
        for number, line, right in typeset_page(text)
        if line != right
    ]
    assert not wrong, listed([*wrong, "`make typeset` rewrites these lines"])


def test_glossary():
    groups = yaml.safe_load(read(ROOT / "docs/glossary.yml"))
    terms = [term for group in groups for term in group["terms"]]
    lines = [line for t in terms for line in (t["zh"], *t["text"]["zh"].splitlines())]
    wrong = [
        f"{line}\n  write: {typeset_line(line)}" for line in lines if line != typeset_line(line)
    ]
    assert not wrong, listed(["docs/glossary.yml", *wrong])


@pytest.mark.parametrize(
    ("line", "right"),
    [
        ("从3到7,相似度从0.693升到0.737.", "从 3 到 7，相似度从 0.693 升到 0.737。"),
        ("**词元**token，token**词元**", "**词元** token，token **词元**"),
        ("用`pe`和$x_i$做", "用 `pe` 和 $x_i$ 做"),
        ("见[理论page](a,b.md#词元a)。", "见[理论 page](a,b.md#词元a)。"),
        ("# 唯一性unique { #unique .中a }", "# 唯一性 unique { #unique .中a }"),
        ("| 值(平均) | 是,的 |", "| 值（平均） | 是，的 |"),
        ('??? question "什么是token?"', '??? question "什么是 token？"'),
        ('    他说"对".', "    他说“对”。"),
        ("词元(token)，形状是 (B, T, d)", "词元（token），形状是 (B, T, d)"),
        ("「词元」和『位置』", "“词元”和‘位置’"),
        ("等等...还有--位置 — 顺序", "等等……还有——位置——顺序"),
        ("是 ， 不是 。", "是，不是。"),
        ('![热力图map](a.svg "x"){ .wide }', '![热力图 map](a.svg "x"){ .wide }'),
        ("<figcaption>图1:表</figcaption>", "<figcaption>图 1：表</figcaption>"),
        ('description: "用torch写,很快"', 'description: "用 torch 写，很快"'),
    ],
)
def test_typeset(line, right):
    assert typeset_line(line) == right
    assert typeset_line(right) == right


@pytest.mark.parametrize(
    "text",
    [
        "```python\nx = '中文a,b'\n```",
        "$$\nx \\text{偶数even}\n$$",
        "    $$\n    x \\text{偶数even}\n    $$",
        "---\nfollows: 1a\nlist:\n  - 中文a,b\n---",
        '--8<-- "中文a,b.md"',
        "English only, (as is). 3.5e-4",
        "`中文a,b`",
    ],
)
def test_left_alone(text):
    assert all(line == right for _, line, right in typeset_page(text))
