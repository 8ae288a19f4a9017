"""Join the lines of a Chinese paragraph.

Sources may break a Chinese sentence anywhere; browsers would show each break as a blank. In a list
the next line is indented.
"""

import re

HAN = "[\u3400-\u9fff]"
MARK = "[\u3000-\u303f\uff00-\uffef“”‘’…—]"
INLINE = r"(?:</?(?:a|abbr|b|code|em|i|kbd|mark|span|strong|sub|sup)\b[^>]*>)*"
# Between two Chinese characters, and beside a full-width mark, there is no blank.
BREAK = re.compile(
    rf"({HAN}{INLINE})\n *(?={INLINE}{HAN})|({MARK}{INLINE})\n *(?={INLINE}\S)"
    rf"|\n *(?={INLINE}{MARK})"
)
VERBATIM = re.compile(r"(<pre\b.*?</pre>|<svg\b.*?</svg>)", re.DOTALL)


def on_page_content(html, page, config, files):
    if config.theme["language"] != "zh":
        return None
    parts = VERBATIM.split(html)
    parts[::2] = [BREAK.sub(lambda found: found[1] or found[2] or "", part) for part in parts[::2]]
    return "".join(parts)
