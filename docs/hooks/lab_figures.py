"""The figures of a lab, each described and in both palettes. Used by labs.py."""

import lab_cache
import lab_svg

NO_DARK = (
    "the figure of this cell cannot be shown in the dark: {}, which is no colour of the style. "
    'Use "C0" to "C4", the defaults, and images for what has many colours.'
)
NO_ALT = (
    "this cell draws a figure. Say what is to be seen in it, for those who do not see it: after "
    'it, `# %% [markdown] tags=["en", "alt"]`, and the same with "zh".'
)


def figures(lab):
    """{number of a figure: line of the cell that draws it}; each has a text in both languages."""
    lines = {}
    alts = lab.edition("en")[1]
    for place, (cell, outputs) in enumerate(
        zip(lab.code, lab_cache.result_of(lab)["cells"], strict=True)
    ):
        drawn = [output["figure"] for output in outputs if "figure" in output]
        if len(drawn) > 1:
            lab.refuse(cell.line, "this cell draws two figures. Draw each in a cell of its own.")
        if drawn and place not in alts:
            lab.refuse(cell.line, NO_ALT)
        if place in alts and not drawn:
            lab.refuse(
                cell.line, "this cell draws no figure, but a text follows that describes it."
            )
        lines |= dict.fromkeys(drawn, cell.line)
    return lines


def pictures(lab, number, line):
    """The light SVG and the dark one of a figure, which the cell at this line draws."""
    try:
        return lab_svg.both(lab_cache.figure(lab, number, "svg").decode())
    except lab_svg.ColourError as error:
        return lab.refuse(line, NO_DARK.format(error))


def files_of(lab):
    """The name and the content of each file: the SVG in both palettes, and the PNG."""
    for number, line in figures(lab).items():
        light, dark = pictures(lab, number, line)
        png = lab_cache.figure(lab, number, "png")
        for suffix, content in ((".svg", light), (".dark.svg", dark), (".png", png)):
            yield f"{lab.name}-{number}{suffix}", content
