"""Publish what programs read, under data/ of each edition, so that a reader can run them.

A program says `np.load("minilm-l6-v2-positions.npy")`; whatever runs it puts the file beside it.
"""

from pathlib import Path

from mkdocs.structure.files import File

DATA = Path(__file__).parents[2] / "data"


def on_files(files, config):
    for path in sorted(DATA.glob("*.npy")):
        files.append(File.generated(config, f"data/{path.name}", abs_src_path=str(path)))
    # As text: MkDocs would make a page of Markdown.
    about = (DATA / "DATA.md").read_text(encoding="utf-8")
    files.append(File.generated(config, "data/DATA.txt", content=about))
    return files
