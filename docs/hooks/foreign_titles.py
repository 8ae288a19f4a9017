"""In the Chinese edition, say of an emphasised title that it is English.

Emphasis in Chinese is bold and upright. The title of an English work is in italics all the same,
and a screen reader has to read it as English: `*Attention Is All You Need*`.
"""

import re

TITLE = re.compile(r"<em>(?=[^<]*[A-Za-z])([^<\u2e80-\uffef]+)</em>")


def on_page_content(html, page, config, files):
    if config.theme["language"] != "zh":
        return None
    return TITLE.sub(r'<em lang="en">\1</em>', html)
