"""Join the lines of a Chinese paragraph.

Sources may break a Chinese sentence anywhere; browsers would show each break as a blank.
"""

import re

CHINESE = "[\u3000-\u303f\u3400-\u9fff\uff00-\uffef“”‘’…—]"
INLINE = r"(?:</?(?:a|abbr|b|code|em|i|kbd|mark|span|strong|sub|sup)\b[^>]*>)*"
BREAK = re.compile(rf"({CHINESE}{INLINE})\n(?={INLINE}{CHINESE})")
VERBATIM = re.compile(r"(<pre\b.*?</pre>|<svg\b.*?</svg>)", re.DOTALL)


def on_page_content(html, page, config, files):
    if config.theme["language"] != "zh":
        return None
    parts = VERBATIM.split(html)
    parts[::2] = [BREAK.sub(r"\1", part) for part in parts[::2]]
    return "".join(parts)
