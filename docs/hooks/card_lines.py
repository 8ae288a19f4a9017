"""Break a title into lines, in Chinese too. Used by social_cards.py."""

import re

import jieba

HALF = re.compile(r"(?<=[：，:])\s*")


def pieces(text):
    """Where a line may end: behind a word, in Chinese too, with the marks that follow it."""
    found = []
    for word in jieba.cut(text, HMM=False):
        if found and not found[-1].endswith(" ") and (word < "\u2e80" or not word[0].isalnum()):
            found[-1] += word
        else:
            found.append(word)
    return found


def lines(text, face, width):
    """The text in as few lines as it needs, about equally long, best with a break at a colon."""

    def broken(limit, text=text):
        rows = [""]
        for piece in pieces(text):
            if rows[-1] and face.getlength((rows[-1] + piece).rstrip()) > limit:
                rows.append("")
            rows[-1] += piece
        return [row.strip() for row in rows]

    fewest = len(broken(width))
    halves = [row for half in HALF.split(text, 1) for row in broken(width, half)]
    if len(halves) == fewest:
        return halves
    return next(b for w in range(100, width + 1, 10) if len(b := broken(w)) == fewest)
