"""Each program works for a reader who pastes it into an empty interpreter."""

import shutil

import alone
import pytest
from house import ROOT, SNIPPETS, listed, name
from pytest_codeblocks import extract_from_file


def complaints(block, file, folder):
    """Run one program in a process and a folder of its own; say where it differs from the page."""
    work = folder / "work"
    work.mkdir()
    for data in (ROOT / "data").glob("*.npy"):
        if data.name in block.code:  # the page offers it for download
            shutil.copy(data, work)
    ended, printed, said = alone.run(block.code, work, folder)
    if not ended:
        yield f"{file}:{block.lineno}: alone, the program stops with an error.\n{said}"
    elif said:
        yield f"{file}:{block.lineno}: the reader would see this warning; avoid it.\n{said}"
    if ended and printed.replace("\r\n", "\n") != block.expected_output:
        yield f"{file}:{block.lineno}: alone, the program prints something else:\n{printed}"


@pytest.mark.parametrize("path", SNIPPETS, ids=name)
def test_alone(path, tmp_path):
    (block,) = (block for block in extract_from_file(path) if block.syntax == "python")
    found = list(complaints(block, name(path), tmp_path))
    assert not found, listed(found)


@pytest.mark.parametrize(
    ("program", "complaint"),
    [
        ("print(1)", None),
        ("print(2)", "something else:\n2"),
        ("print(1, end='')", "something else:\n1"),
        ("print(torch.tensor(1).item())", "NameError: name 'torch' is not defined"),
        ("import warnings\nwarnings.warn('loud')\nprint(1)", "UserWarning: loud"),
        ("import os\nprint(1 + len(os.listdir()))", None),
        ("import sys\nprint(1 + ('matplotlib' in sys.modules))", None),
        ("import os\nos.write(1, b'1\\n')", None),
        ("import os\nos._exit(3)", "stops with an error"),
        ("import torch\nprint(torch.get_num_threads())", None),
    ],
)
def test_that_it_can_fail(program, complaint, tmp_path):
    path = tmp_path / "x.md"
    fences = f"```python\n{program}\n```\n<!--pytest-codeblocks:expected-output-->\n```\n1\n```\n"
    path.write_text(fences, encoding="utf-8")
    found = list(complaints(*extract_from_file(path), "x.md", tmp_path))
    if complaint is None:
        assert found == []
    else:
        assert len(found) == 1 and found[0].startswith("x.md:1: ") and complaint in found[0]
