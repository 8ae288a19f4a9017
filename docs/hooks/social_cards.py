"""Draw the picture that a chat or a feed shows where someone shares a page: 1200 by 630 dots.

Its title, in the page's language, and its position: its row of the table P, and where that row
stands among those of the other pages. The font comes in a package, since what a machine has
installed differs from one to the next, and two builds are to be the same.
"""

import hashlib
import io
import math
import os
from importlib import metadata
from pathlib import Path

from card_lines import lines, pieces
from mkdocs.structure.files import File
from PIL import Image, ImageDraw, ImageFont
from positions import COLUMNS, value

CACHE = Path(__file__).parents[2] / ".cache/social_cards"
SOURCES = [
    Path(__file__).with_name(f"{name}.py").read_text("utf-8")
    for name in ("social_cards", "card_lines", "positions")
]
FONTS = "pylopdf-fonts-zh-cn"  # Noto Serif SC; its Latin letters are those of Source Serif
VERSIONS = [metadata.version(name) for name in ("pillow", FONTS)]
WIDTH, HEIGHT, MARGIN, TABLE = 1200, 630, 70, 320
# As in docs/theme/assets/site.css.
PAPER, INK, SOFT, POSITION = (251, 249, 244), (31, 35, 40), (92, 87, 77), (181, 71, 11)


def font(size):
    file = metadata.distribution(FONTS).locate_file("pylopdf_fonts_zh_cn/NotoSerifSC-Regular.otf")
    return ImageFont.truetype(str(file), size, layout_engine=ImageFont.Layout.BASIC)


def shade(cell, strength):
    """The colour of positions over paper: the larger the value, the more opaque."""
    opaque = strength * (0.1 + 0.9 * (cell + 1) / 2)
    return tuple(round(p + (c - p) * opaque) for p, c in zip(PAPER, POSITION, strict=True))


def draw(title, site, position, count):
    card = Image.new("RGB", (WIDTH, HEIGHT), PAPER)
    pen = ImageDraw.Draw(card)
    for row in range(count):
        top, bottom = (round(HEIGHT * edge / count) for edge in (row, row + 1))
        for column in range(COLUMNS):
            left = WIDTH - TABLE + column * TABLE // COLUMNS
            colour = shade(value(row, column), 1 if row == position else 0.3)
            pen.rectangle((left, top, left + TABLE // COLUMNS - 1, bottom - 1), colour)
    if position is not None:
        small = font(28)
        pen.text((MARGIN, MARGIN), f"pos = {position}", SOFT, small, "ls", stroke_width=0.4)
        left = MARGIN + round(small.getlength(f"pos = {position}")) + 22
        for column in range(COLUMNS):
            box = (left + 16 * column, MARGIN - 18, left + 16 * column + 15, MARGIN)
            pen.rectangle(box, shade(value(position, column), 1))
    room = WIDTH - TABLE - 2 * MARGIN
    size = next(s for s in range(92, 30, -4) if len(lines(title, font(s), room)) * s <= 300)
    rows = lines(title, font(size), room)
    first = HEIGHT / 2 - (len(rows) - 1) * size * 0.62 + size * 0.3
    for number, row in enumerate(rows):
        place = (MARGIN, first + number * size * 1.24)
        pen.text(place, row, INK, font(size), "ls", stroke_width=size / 70)
    for wave, colour in ((math.cos, INK), (math.sin, POSITION)):
        curve = [(MARGIN + x, HEIGHT - 80 - 18 * wave(x / 52 * 2 * math.pi)) for x in range(53)]
        pen.line(curve, colour, 5, "curve")
    pen.text((MARGIN + 74, HEIGHT - 70), site, INK, font(30), "ls", stroke_width=0.4)
    packed = io.BytesIO()
    card.quantize(64, Image.Quantize.MEDIANCUT, dither=0).save(packed, "png", optimize=True)
    return packed.getvalue()


def cached(*what):
    # The words too: a new term in the glossary may move the end of a line.
    key = repr([what, pieces(what[0]), VERSIONS, SOURCES])
    path = CACHE / f"{hashlib.sha256(key.encode()).hexdigest()}.png"
    if not path.is_file():
        CACHE.mkdir(parents=True, exist_ok=True)
        part = path.with_suffix(f".{os.getpid()}")
        part.write_bytes(draw(*what))
        part.replace(path)
    return path.read_bytes()


def on_env(env, config, files):
    pages = [file.page for file in files.documentation_pages() if file.page]
    count = sum(getattr(page, "position", None) is not None for page in pages)
    for page in pages:
        name = page.title.partition(" {")[0] if not page.is_homepage else config.site_name
        card = cached(name, config.site_name, getattr(page, "position", None), count)
        page.card = f"assets/cards/{Path(page.file.src_uri).with_suffix('.png').as_posix()}"
        files.append(File.generated(config, page.card, content=card))
    return env
