"""Give each page its position, and draw the table P that the theme shows rows of.

The pages of a site are a sequence too. Page `pos` carries row `pos` of the sinusoidal table with
64 rows and 16 columns, the one that the pages speak of. The theme uses the drawing as a mask, so
that it takes the colour of positions in either palette.
"""

import math
from collections import defaultdict

from mkdocs.structure.files import File

ROWS, COLUMNS = 64, 16
SHADES = 12


def value(row, column):
    angle = row / 10000 ** ((column - column % 2) / COLUMNS)
    return math.cos(angle) if column % 2 else math.sin(angle)


def drawing():
    """The table as SVG, one unit per cell: the larger the value, the more opaque."""
    strokes = defaultdict(list)
    for column in range(COLUMNS):
        shades = [round((value(row, column) + 1) / 2 * SHADES) for row in range(ROWS)]
        start = 0
        for row in range(1, ROWS + 1):
            if row == ROWS or shades[row] != shades[start]:
                strokes[shades[start]].append(f"M{column}.5 {start}v{row - start}")
                start = row
    paths = "".join(
        f'<path opacity="{0.1 + 0.9 * shade / SHADES:.2f}" d="{"".join(lines)}"/>'
        for shade, lines in sorted(strokes.items())
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {COLUMNS} {ROWS}" '
        f'width="{COLUMNS}" height="{ROWS}" preserveAspectRatio="none" '
        f'shape-rendering="crispEdges" stroke="#000">{paths}</svg>\n'
    )


def on_files(files, config):
    files.append(File.generated(config, "assets/positions.svg", content=drawing()))


def on_nav(nav, config, files):
    for position, page in enumerate(nav.pages[:ROWS]):
        page.position = position
