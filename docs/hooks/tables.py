"""Put each table into a box of its own that scrolls, so that a wide one fits a telephone.

The theme does this with a script. Here it holds without one, and the keyboard can scroll the box.
"""

import re

TABLE = re.compile(r"<table>(.*?</table>)", re.DOTALL)
CORNER = re.compile(r"<th([^>]*)></th>")
LABEL = {"en": "Table", "zh": "表格"}


def on_page_content(html, page, config, files):
    label = LABEL[config.theme["language"]]
    box = f'<div class="table" role="group" tabindex="0" aria-label="{label}">'

    def boxed(match):
        # An empty corner heads nothing: it is a cell. The class keeps the theme's script away.
        rows = CORNER.sub(r"<td\1></td>", match[1])
        return f'{box}<table class="data">{rows}</div>'

    return TABLE.sub(boxed, html)
