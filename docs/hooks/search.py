"""Let the search find the terms of the glossary, whole and in part, and pasted error messages.

Material cuts Chinese text into words with jieba, and a query along the words of the index. The
terms are kept whole: 位置插值 is one word. Its parts are listed beside the text, so that 插值 is
found as well; so are the errors that programs print, since they should weigh more than the words
around them. And one character of Material's script is mended: it never tries a query's last one,
so that it looks for 位置 where 位置编码 was asked for.
"""

import json
import re
from pathlib import Path

import jieba
from glossary import load
from mkdocs.exceptions import PluginError

CACHE = Path(__file__).parents[2] / f".cache/jieba-{jieba.__version__}"
WORD = re.compile(r"[\u4e00-\u9fff]{2,}")
ERROR = re.compile(r'\b\w*Error: +(?![ "])[^\n<]+(?:\n {4,}[^\n<]+)?')
OFTEN = 10**6  # more often than any neighbour that could take a character away from a term
MISTAKE, MENDED = "for(let o=s+1;o<t.length;o++)t.slice", "for(let o=s+1;o<=t.length;o++)t.slice"

parts = {}  # per term, the shorter words in it


def terms():
    entries = [term for group in load() for term in group["terms"]]
    names = [name for entry in entries for name in [entry["zh"], *entry.get("words", [])]]
    return {word for name in names for word in WORD.findall(name)}


def on_config(config):
    words = terms()
    if set(parts) == words:
        return
    jieba.setLogLevel("WARNING")
    jieba.dt.tmp_dir = str(CACHE)
    CACHE.mkdir(parents=True, exist_ok=True)
    # From its own dictionary each time: a term that left the glossary must leave this one too.
    jieba.dt.initialized = False
    parts.clear()
    for word in words:
        shorter = {*jieba.cut(word, HMM=False), *(other for other in words if other in word)}
        parts[word] = {part for part in shorter if len(part) > 1 and part != word}
    for word in sorted(words):
        jieba.add_word(word, OFTEN)


def on_post_build(config):
    site = Path(config.site_dir)
    path = site / "search/search_index.json"
    index = json.loads(path.read_text(encoding="utf-8"))
    for entry in index["docs"]:
        words = set(f"{entry['title']}\u200b{entry['text']}".split("\u200b"))
        if shorter := sorted({part for word in words for part in parts.get(word, [])}):
            entry["parts"] = " ".join(shorter)
        if errors := ERROR.findall(entry["text"]):
            entry["errors"] = " ".join(errors)
    path.write_text(json.dumps(index, ensure_ascii=False, separators=(",", ":")), encoding="utf-8")

    for script in site.glob("assets/javascripts/workers/search.*.js"):
        text = script.read_text(encoding="utf-8")
        if text.count(MISTAKE) != 1:
            raise PluginError(
                f"{script.name}: Material's search has changed. See whether it now finds a whole "
                "Chinese term; if so, delete this repair from docs/hooks/search.py, else renew it."
            )
        script.write_text(text.replace(MISTAKE, MENDED), encoding="utf-8")
