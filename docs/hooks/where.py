"""Where a piece of a page stands, for messages: "docs/en/theory.md:12". Used by other hooks."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]


def where(page, text, line=1):
    """The file and the line at which `text` begins; line=3 is its third line."""
    path = Path(page.file.abs_src_path or page.file.src_uri)
    lab = ROOT / f"docs/labs/{path.stem}.py"  # what a lab's notebook is made from
    path = lab if path.suffix == ".ipynb" and lab.is_file() else path
    name = str(path.relative_to(ROOT) if path.is_relative_to(ROOT) else path)
    # In the source it may be indented, quoted with ">", cut by the bars of a table, hold "\|",
    # or stand in the comments of a lab.
    words = [re.escape(word).replace(r"\|", r"\\?\|") for word in text.split()]
    source = path.read_text(encoding="utf-8") if path.is_file() else ""
    found = re.search(r"[\s>|#]+".join(words), source)
    return f"{name}:{source.count(chr(10), 0, found.start()) + line}" if found else name
