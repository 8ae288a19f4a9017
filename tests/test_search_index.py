"""docs/hooks/search.py keeps terms whole, adds what else is to be found, and mends a script."""

import json
import sys
from types import SimpleNamespace

import jieba
import pytest
from house import ROOT, read
from mkdocs.exceptions import PluginError

sys.path.append(str(ROOT / "docs/hooks"))
import search


@pytest.fixture(scope="module", autouse=True)
def dictionary():
    search.on_config(None)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("位置编码", "位置编码"),
        ("旋转位置编码和自注意力", "旋转位置编码 和 自注意力"),
        ("每个新词元都要外推", "每个 新 词元 都 要 外推"),
        ("余弦相似度与左填充", "余弦相似度 与 左填充"),
    ],
)
def test_terms_are_kept_whole(text, words):
    assert " ".join(jieba.cut(text)) == words


def test_a_word_that_left_the_glossary_leaves_the_dictionary(monkeypatch):
    for words in {"编码注意力"}, set():
        monkeypatch.setattr(search, "terms", lambda words=words: words)
        search.on_config(None)
        assert ("编码注意力" in jieba.cut("编码注意力")) == bool(words)
    monkeypatch.undo()
    search.on_config(None)


@pytest.fixture
def site(tmp_path):
    (tmp_path / "search").mkdir()
    workers = tmp_path / "assets/javascripts/workers"
    workers.mkdir(parents=True)
    (workers / "search.0.min.js").write_text(f"a;{search.MISTAKE}(s,o)")
    text = (
        "<p>\u200b用\u200b位置插值\u200b。</p><pre><code>IndexError:   index out of range\n"
        "RuntimeError: a (64) must match b (10) at\n               dimension 1\nprint(1)"
        "</code></pre>"
    )
    entries = [{"title": "Title", "text": text}, {"title": "Other", "text": "<p>插值</p>"}]
    (tmp_path / "search/search_index.json").write_text(json.dumps({"docs": entries}))
    return tmp_path


def test_parts_and_errors_are_added(site):
    search.on_post_build(SimpleNamespace(site_dir=str(site)))
    first, second = json.loads(read(site / "search/search_index.json"))["docs"]
    assert first["parts"].split() == ["位置", "插值"]
    assert first["errors"].startswith("IndexError:   index out of range RuntimeError: a (64)")
    assert first["errors"].endswith("dimension 1")
    assert set(second) == {"title", "text"}


def test_the_script_is_mended(site):
    search.on_post_build(SimpleNamespace(site_dir=str(site)))
    script = read(site / "assets/javascripts/workers/search.0.min.js")
    assert script == f"a;{search.MENDED}(s,o)"


def test_another_script_is_refused(site):
    (site / "assets/javascripts/workers/search.0.min.js").write_text("another")
    with pytest.raises(PluginError, match="Material's search has changed"):
        search.on_post_build(SimpleNamespace(site_dir=str(site)))
