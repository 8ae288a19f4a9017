"""What conftest.py promises about the programs: no leaks, clear complaints, outputs rewritten."""

import re
import shutil
import subprocess
import sys

import pytest
from house import ROOT

GOOD = """```python
total = 0.25
for k in range(4):
    total += k
print(f"sum: {total:.3f}")
```

<!--pytest-codeblocks:expected-output-->
```text
sum: 6.250
```
"""


@pytest.fixture
def house(tmp_path):
    """A repository in small: our conftest.py and pyproject.toml, and snippets to be written."""
    for file in ("conftest.py", "pyproject.toml"):
        shutil.copy(ROOT / file, tmp_path)
    (tmp_path / "snippets").mkdir()
    return tmp_path


def run(house, *options, order=("-p", "no:randomly"), **snippets):
    """Write snippets, run pytest on them, return its exit code and what it said."""
    for name, text in snippets.items():
        (house / f"snippets/{name}.md").write_text(text, encoding="utf-8")
    pytest_ = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "--color=no"]
    process = subprocess.run(
        [*pytest_, *order, *options, "snippets"],
        cwd=house,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
    )
    return process.returncode, process.stdout


DIRTY = """```python
import os
import random
import matplotlib.pyplot as plt
import numpy as np
import torch

random.seed(0)
np.random.seed(0)
torch.manual_seed(0)
np.set_printoptions(precision=1, suppress=True, linewidth=20, sign="+")
torch.set_printoptions(precision=1, sci_mode=True)
torch.set_default_dtype(torch.float64)
torch.set_default_device("meta")
torch.set_grad_enabled(False)
torch.use_deterministic_algorithms(True)
plt.rcParams["lines.linewidth"] = 9
plt.figure()
open("left_behind.txt", "w").close()
os.makedirs("deep")
os.chdir("deep")
```
"""
# Prints the state that it finds; the expected output is that of a fresh process.
CLEAN = """```python
import os
import matplotlib.pyplot as plt
import numpy as np
import torch

print(np.array([1 / 3, 1e-9]))
print(torch.tensor([1 / 3, 200.0]))
print(torch.zeros(1).dtype, torch.zeros(1).device)
print(torch.is_grad_enabled(), torch.are_deterministic_algorithms_enabled())
print(plt.rcParams["lines.linewidth"], plt.get_fignums())
print(os.listdir())
```
"""
CHANCE = """```python
import random
import numpy as np
import torch

print(random.random(), np.random.rand(), torch.rand(()).item())
```
"""


def in_a_fresh_process(snippet, folder):
    folder.mkdir()
    program = snippet.removeprefix("```python\n").removesuffix("```\n")
    return subprocess.run(
        [sys.executable, "-c", program], cwd=folder, capture_output=True, text=True, check=True
    ).stdout


def with_output(snippet, output):
    return f"{snippet}\n<!--pytest-codeblocks:expected-output-->\n```text\n{output}```\n"


def test_no_state_leaks(house):
    clean = with_output(CLEAN, in_a_fresh_process(CLEAN, house / "empty"))
    code, said = run(house, a_dirty=DIRTY, b_clean=clean, c_dirty=DIRTY, d_clean=clean)
    assert code == 0, said
    assert "4 passed" in said
    # Without conftest.py it does leak: the check above can fail.
    code, said = run(house, "--noconftest")
    assert code == 1 and "2 failed" in said, said


def test_a_program_must_set_its_own_seed(house):
    """Twice the same seed of pytest-randomly, and still other numbers from torch."""
    chance = with_output(CHANCE, in_a_fresh_process(CHANCE, house / "empty"))
    order = ("-p", "randomly", "--randomly-seed=1")
    runs = [run(house, order=order, a_torch=DIRTY, b_chance=chance) for _ in range(2)]
    assert [code for code, _ in runs] == [1, 1]
    drawn = [re.findall(r"\+\d\S* \d\S* (0\.\d+)", said) for _, said in runs]
    assert drawn[0] and drawn[0] != drawn[1]


def test_programs_run_in_another_order_each_time(house):
    names = [f"p{n}" for n in range(8)]
    for workers in ("0", "2"):
        orders = {tuple(names)}
        for seed in (11, 222, 3333):
            order = ("-p", "randomly", f"--randomly-seed={seed}", "-n", workers)
            code, said = run(house, "-v", order=order, **dict.fromkeys(names, GOOD))
            ran = re.findall(r"PASSED snippets/(p\d)", said) or re.findall(r"(p\d).*PASSED", said)
            assert code == 0 and sorted(ran) == names, said
            assert f"--randomly-seed={seed}" in said
            orders.add(tuple(ran))
        assert len(orders) >= 3


CHANGES = [
    ("sum: 6.250", "sum: 6.251", "-sum: 6.251\n+sum: 6.250"),
    ("sum: 6.250", "Sum: 6.250", "-Sum: 6.250\n+sum: 6.250"),
    ("sum: 6.250\n", "sum: 6.250 \n", "-sum: 6.250 \n+sum: 6.250"),
    ("0.25", "0.35", "-sum: 6.250\n+sum: 6.350"),
    ("range(4)", "range(5)", "-sum: 6.250\n+sum: 10.250"),
    ('f"sum:', 'f"total:', "-sum: 6.250\n+total: 6.250"),
    ("+= k", "-= k", "-sum: 6.250\n+sum: -5.750"),
]


def test_any_change_fails_and_says_what_to_do(house):
    changed = {f"x{n}": GOOD.replace(old, new) for n, (old, new, _) in enumerate(CHANGES)}
    code, said = run(house, good=GOOD, **changed)
    assert code == 1 and f"{len(CHANGES)} failed, 1 passed" in said, said
    for n, (_, _, difference) in enumerate(CHANGES):
        start = f"snippets/x{n}.md:1: the program does not print what the page shows."
        complaint = said.partition(start)[2].partition("\n____")[0]
        assert difference in complaint and "run `make outputs`" in complaint


FAULTS = {
    "name": "total += kk",
    "syntax": "total +=",
    "bare": "raise ValueError",
    "exit": "exit()",
    "wordless": "assert total > 1",
}


@pytest.mark.parametrize("options", [(), ("--update-outputs",)])
def test_an_error_names_its_line_and_spoils_nothing(house, options):
    wrong = {name: GOOD.replace("total += k", fault) for name, fault in FAULTS.items()}
    code, said = run(house, *options, good=GOOD, **wrong)
    assert code == 1 and f"{len(FAULTS)} failed, 1 passed" in said, said
    for name, text in wrong.items():
        assert f"snippets/{name}.md:4: the program stops with an error." in said
        assert (house / f"snippets/{name}.md").read_text(encoding="utf-8") == text


def test_outputs_are_rewritten_and_shown(house):
    code, said = run(house, "--update-outputs", x=GOOD.replace("6.250", "6.251"), y=GOOD)
    assert code == 0
    assert (house / "snippets/x.md").read_text(encoding="utf-8") == GOOD
    assert "--- snippets/x.md" in said and "\n-sum: 6.251\n+sum: 6.250\n" in said
    assert "--- snippets/y.md" not in said
    code, said = run(house, "--update-outputs")
    assert code == 0 and "no output changed" in said


def test_a_first_output_is_written(house):
    code, said = run(house, "--update-outputs", x=GOOD.partition("\n<!--")[0])
    assert code == 0 and "\n+sum: 6.250\n" in said
    assert (house / "snippets/x.md").read_text(encoding="utf-8") == GOOD


def test_an_output_that_no_fence_can_hold_is_refused(house):
    programs = {"none": "x = 1", "half": "print(1, end='')", "fence": "print('```')"}
    texts = {name: f"```python\n{program}\n```\n" for name, program in programs.items()}
    code, said = run(house, "--update-outputs", **texts)
    assert code == 1
    for name, text in texts.items():
        assert f"snippets/{name}.md:1: the program must print whole lines" in said
        assert (house / f"snippets/{name}.md").read_text(encoding="utf-8") == text


def test_outputs_are_not_updated_by_several_processes(house):
    code, said = run(house, "--update-outputs", "-n", "2", x=GOOD)
    assert code != 0 and "no -n" in said
