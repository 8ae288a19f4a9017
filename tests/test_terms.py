"""No Chinese text uses a word that docs/glossary.yml rules out; the glossary is well formed."""

import re

import pytest
import yaml
from house import ROOT, listed, name, read

TERMS = [
    term for group in yaml.safe_load(read(ROOT / "docs/glossary.yml")) for term in group["terms"]
]
TEXTS = [
    path
    for pattern in ("docs/zh/**/*.md", "docs/labs/*.py", "docs/theme/**/*.html", "mkdocs.zh.yml")
    for path in sorted(ROOT.glob(pattern))
]


def ruled_out():
    """Each word that must not be used, with the phrases that may hold it and what to write."""
    for term in TERMS:
        words = term.get("not", [])
        for word in words:
            yield word, words[word] if isinstance(words, dict) else [], term["zh"]


def complaints(text):
    for number, line in enumerate(text.splitlines(), 1):
        for word, allowed, right in ruled_out():
            if word in re.sub("|".join(map(re.escape, allowed)) or "(?!)", "", line):
                hint = f"; within {'、'.join(allowed)} it is allowed" if allowed else ""
                yield number, f"“{word}” is ruled out, write {right}{hint} (docs/glossary.yml)"


@pytest.mark.parametrize("path", TEXTS, ids=name)
def test_words(path):
    found = [f"{name(path)}:{number}: {said}" for number, said in complaints(read(path))]
    assert not found, listed(found)


def test_words_of_the_glossary():
    found = [f"{t['id']}: {said}" for t in TERMS for _, said in complaints(t["text"]["zh"])]
    assert not found, listed(["docs/glossary.yml", *found])


@pytest.mark.parametrize("term", TERMS, ids=lambda term: term["id"])
def test_term(term):
    assert set(term) <= {"id", "en", "zh", "page", "text", "words", "not"}, sorted(term)
    assert re.fullmatch("[a-z-]+", term["id"])
    assert sum(other["id"] == term["id"] for other in TERMS) == 1, "the id is taken"
    assert set(term["text"]) == {"en", "zh"}
    assert not re.search(r"\d\d|\d\.\d", f"{term['text']}"), "a number here would be unchecked"


def test_ruled_out_word_is_found():
    assert [number for number, _ in complaints("词元\n一个令牌\n")] == [2]
    assert not list(complaints("HTML 是一种标记语言\n"))
    assert list(complaints("标记语言里的标记\n"))
