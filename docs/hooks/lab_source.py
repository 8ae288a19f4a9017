"""Read a lab, docs/labs/<name>.py: its code, and its text in both languages. Used by labs.py.

jupytext's percent format: code cells `# %%`, and text cells `# %% [markdown] tags=["en"]`, each
followed by its twin `tags=["zh"]`. A text cell with a second tag, `alt`, says what is to be seen
in the figure of the code cell above. The file begins with what a page has as its front matter.
"""

import re
from pathlib import Path
from typing import NamedTuple

import jupytext
import yaml
from mkdocs.exceptions import PluginError

ROOT = Path(__file__).parents[2]
LABS = ROOT / "docs/labs"
MARKER = re.compile(r"^# %%(?: |$)", re.MULTILINE)
FENCE = re.compile(r"^(```+|~~~+).*?^\1", re.DOTALL | re.MULTILINE)
HEADING = re.compile(r"^(#{1,6} .*?) *(?:\{ *#([\w-]+) *\})?$", re.MULTILINE)


class Cell(NamedTuple):
    kind: str  # "code", "text", or "alt": the text of the figure above
    language: str  # "" for code
    text: str
    line: int  # where the text begins in the file


class Lab:
    """A lab as it stands in its file; a mistake in it ends the build and is said with its line."""

    def __init__(self, path):
        self.path, self.name = path, path.stem
        source = path.read_text(encoding="utf-8")
        first, *cells = jupytext.reads(source, "py:percent").cells
        lines = [source.count("\n", 0, found.start()) + 2 for found in MARKER.finditer(source)]
        if first.cell_type != "raw" or len(lines) != len(cells):
            self.refuse(1, "a lab begins with its description between two lines `# ---`.")
        self.meta = yaml.safe_load(first.source.strip("-\n"))
        self.cells = [self.cell(*found) for found in zip(cells, lines, strict=True)]
        self.code = [cell for cell in self.cells if cell.kind == "code"]
        for language in ("en", "zh"):
            if not self.meta.get(language, {}).get("description"):
                self.refuse(1, f"`{language}:` needs a `description:`, for search engines.")
        self.check_twins()

    def refuse(self, line, message):
        raise PluginError(f"docs/labs/{self.path.name}:{line}: {message}")

    def cell(self, cell, line):
        if cell.cell_type == "code":
            return Cell("code", "", cell.source, line)
        tags = cell.metadata.get("tags", [])
        if tags not in (["en"], ["zh"], ["en", "alt"], ["zh", "alt"]):
            self.refuse(line - 1, 'a text cell has tags=["en"], ["zh"], ["en", "alt"] or …')
        kind = "alt" if "alt" in tags else "text"
        if kind == "text":
            for heading in self.headings(cell.source):
                if not heading[2]:
                    line += cell.source.count("\n", 0, heading.start())
                    self.refuse(line, f"this heading needs an id: {heading[1]} {{ #an-id }}")
        return Cell(kind, tags[0], cell.source, line)

    def check_twins(self):
        texts = [cell for cell in self.cells if cell.kind != "code"]
        after = dict(zip(self.cells, self.cells[1:], strict=False))
        for cell in texts:
            twin = after.get(cell)
            if cell.language == "en" and (not twin or twin[:2] != (cell.kind, "zh")):
                self.refuse(cell.line - 1, "the Chinese twin of this cell must follow it.")
        if sum(cell.language == "en" for cell in texts) * 2 != len(texts):
            twins = {after.get(cell) for cell in texts if cell.language == "en"}
            lone = next(cell for cell in texts if cell.language == "zh" and cell not in twins)
            self.refuse(lone.line - 1, "the English twin of this cell must stand before it.")

    @staticmethod
    def headings(text):
        """The matches of all headings: 1 is what it says, 2 its id."""
        fences = [found.span() for found in FENCE.finditer(text)]
        return [
            heading
            for heading in HEADING.finditer(text)
            if not any(start <= heading.start() < end for start, end in fences)
        ]

    def edition(self, language):
        """The cells of code and of the text in one language, and the alt texts by code cell."""
        cells, alts, place = [], {}, -1
        for cell in self.cells:
            place += cell.kind == "code"
            if cell.kind == "alt" and cell.language == language:
                alts[place] = " ".join(cell.text.split())
            elif cell.kind == "code" or (cell.kind == "text" and cell.language == language):
                cells.append(cell)
        return cells, alts

    def title(self, language):
        """The first heading, in Markdown."""
        for cell in self.edition(language)[0]:
            for heading in self.headings(cell.text) if cell.kind == "text" else ():
                return heading[1].removeprefix("# ")
        return self.refuse(1, f"the {language} text has no title.")


def labs():
    return [Lab(path) for path in sorted(LABS.glob("*.py"))]
