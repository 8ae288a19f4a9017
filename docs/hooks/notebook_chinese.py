"""Chinese Markdown as Jupyter should read it. Used by notebook_text.py and lab_notebook.py.

What line_breaks.py does to a page is done here to its source, which is all that Jupyter gets.
"""

import re

from line_breaks import HAN, MARK

# A line of Chinese goes on without a blank, unless the next one starts an item of a list.
BREAK = re.compile(
    rf"({HAN}[*`]*)\n *(?=[*`]*{HAN})|({MARK})\n *(?!\d+\. |\* )(?=[*`\w])|(?<=\S)\n *(?={MARK})"
)
# Bold text that begins or ends with a mark; beside a letter, Jupyter would show the asterisks.
STRONG = re.compile(rf"\*\*({MARK}*)([^*\n]+?)({MARK}*)\*\*")


def chinese(text):
    """The text without breaks within a paragraph, and with bold that ends."""

    def strong(match):
        around = match.string[match.start() - 1 : match.start()], match.string[match.end() :][:1]
        begin, words, end = match.groups()
        begin = f"{begin}**" if around[0].isalnum() else f"**{begin}"
        end = f"**{end}" if around[1].isalnum() else f"{end}**"
        return begin + words + end

    return STRONG.sub(strong, BREAK.sub(lambda m: m[1] or m[2] or "", text))
