"""What an edition is made of, as a hash: whether it has to be built anew. Used by editions.py."""

import hashlib
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGES = {"en": ROOT / "docs/en", "zh": ROOT / "docs/zh"}
LABS = ROOT / "docs/labs"
CHINESE = ROOT / "mkdocs.zh.yml"
TEXT = re.compile(
    rb'^# %% \[markdown\] tags=\["(en|zh)".*\n(?:#.*\n|\n)*?(?=# %%|\Z)', re.MULTILINE
)
SOURCES = (ROOT / "docs", ROOT / "snippets", ROOT / "mkdocs.yml", CHINESE)


def state(language):
    """A hash of all that an edition is made of: everything but the text of the other's pages."""
    digest = hashlib.sha256()
    other = PAGES["zh" if language == "en" else "en"]

    def own(cell):
        return cell[0] if cell[1].decode() == language else b""

    for source in SOURCES:
        for file in sorted([source, *source.rglob("*")]):
            if file.is_file() and "__pycache__" not in file.parts:
                text = b"" if file.is_relative_to(other) else file.read_bytes()
                if file.parent == LABS:  # both texts stand side by side
                    text = TEXT.sub(own, text)
                digest.update(f"{file}\0{len(text)}\0".encode() + text)
    return digest.hexdigest()
