"""Both glossary pages hold every term, each with its other name and the page that explains it."""

import re
import sys

import pytest
import yaml
from house import ROOT, needs_chinese, read

sys.path.append(str(ROOT / "docs/hooks"))
import glossary

TERMS = [t for group in yaml.safe_load(read(ROOT / "docs/glossary.yml")) for t in group["terms"]]
TERM = {
    "id": "x",
    "en": "thing (T)",
    "zh": "东西",
    "page": "why",
    "text": {"en": "A.", "zh": "甲。"},
}


@pytest.mark.parametrize(
    ("folder", "language"), [("", "en"), pytest.param("zh/", "zh", marks=needs_chinese)]
)
def test_every_term_is_there(site, folder, language):
    page = site / folder / "glossary/index.html"
    html = read(page)
    found = dict(re.findall(r'<h3 id="([\w-]+)">(.*?)<a class="headerlink"', html))
    assert list(found) == [term["id"] for term in TERMS]
    assert all(term[language] in found[term["id"]] for term in TERMS)
    for term in TERMS:
        other = term["zh" if language == "en" else "en"]
        entry = html.split(f'id="{term["id"]}"')[1].split("<h3")[0]
        name, _, section = term["page"].partition("#")
        address = f"../{'' if name == 'index' else f'{name}/'}{section and f'#{section}'}"
        assert other.split(" (")[0] in entry and f'<a href="{address}"' in entry, term["id"]


def test_entry(tmp_path):
    (tmp_path / "why.md").write_text("# Why { #why }\n")
    english = "### thing (T) { #x }\n\nA. Explained in [Why](why.md). In Chinese: "
    assert glossary.entry(TERM, tmp_path, "en").startswith(english)
    chinese = "### 东西（thing，T） { #x }\n\n甲。详见[Why](why.md#y)。\n"
    assert glossary.entry(TERM | {"page": "why#y"}, tmp_path, "zh") == chinese


def test_a_page_that_is_not_there_is_a_warning(tmp_path, caplog):
    assert glossary.entry(TERM, tmp_path, "zh") == "### 东西（thing，T） { #x }\n\n甲。\n"
    assert "there is no page" in caplog.text and "why.md" in caplog.text
