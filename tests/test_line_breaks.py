"""docs/hooks/line_breaks.py joins the lines of a Chinese paragraph, and nothing else."""

import sys
from types import SimpleNamespace

import pytest
from house import ROOT

sys.path.append(str(ROOT / "docs/hooks"))
import line_breaks


def joined(html, language="zh"):
    config = SimpleNamespace(theme={"language": language})
    return line_breaks.on_page_content(html, None, config, None)


@pytest.mark.parametrize(
    ("html", "shown"),
    [
        ("<p>位置\n编\n码</p>", "<p>位置编码</p>"),
        ("<p>位置，\n编码</p>", "<p>位置，编码</p>"),
        ("<p>位置\n（编码）</p>", "<p>位置（编码）</p>"),
        ("<p>位置，\nRoPE</p>", "<p>位置，RoPE</p>"),
        ("<li>位置\n  编码，\n   RoPE\n  。</li>", "<li>位置编码，RoPE。</li>"),
        ("<p>位置<b>甲</b>\n<em>乙</em></p>", "<p>位置<b>甲</b><em>乙</em></p>"),
        ("<p><code>pe</code>\n，位置</p>", "<p><code>pe</code>，位置</p>"),
        ("<p>位置：\n<span>\\(x\\)</span></p>", "<p>位置：<span>\\(x\\)</span></p>"),
        ('<p>报错：\n<code>"exp"</code></p>', '<p>报错：<code>"exp"</code></p>'),
    ],
)
def test_joined(html, shown):
    assert joined(html) == shown


@pytest.mark.parametrize(
    "html",
    [
        "<p>位置\nRoPE\n编码</p>",
        "<p>位置\n<code>pe</code>\n编码</p>",
        "<p>位置</p>\n<p>编码</p>",
        "<ul>\n<li>位</li>\n<li>置</li>\n</ul>",
        "<p>位置<br />\n编码</p>",
        "<pre><code>位置\n编码</code></pre>",
        "<p>Position\nencoding</p>",
    ],
)
def test_left_alone(html):
    assert joined(html) == html


def test_only_chinese_pages():
    assert joined("<p>位置\n编码</p>", "en") is None
