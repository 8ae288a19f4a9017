"""The make targets on a machine where nothing is prepared, in a path that is not plain ASCII."""

import os
import shutil
import socket
import subprocess
import sys

import pytest
from house import ROOT

pytestmark = pytest.mark.skipif(not shutil.which("make"), reason="there is no make here")


@pytest.fixture(scope="module")
def clone(tmp_path_factory):
    """A folder with our Makefile, and requirements that need no network."""
    folder = tmp_path_factory.mktemp("clone") / "位置 编码 (1)"
    folder.mkdir()
    shutil.copy(ROOT / "Makefile", folder)
    (folder / "requirements.txt").write_text("# none\n")
    return folder


def make(folder, *words, **environment):
    process = subprocess.run(
        ["make", *words],
        cwd=folder,
        env=os.environ | environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
    )
    return process.returncode, process.stdout


def ready(clone):
    """An environment that counts as complete and costs nothing."""
    (clone / ".venv/bin").mkdir(parents=True, exist_ok=True)
    if not (clone / ".venv/bin/python").exists():
        (clone / ".venv/bin/python").symlink_to(sys.executable)
    (clone / ".venv/.installed").touch()


def test_the_environment_is_made_once_and_made_again_when_unfinished(clone):
    shutil.rmtree(clone / ".venv", ignore_errors=True)
    stamp = clone / ".venv/.installed"
    code, said = make(clone, ".venv/.installed")
    assert code == 0 and "Creating .venv with Python 3." in said, said
    assert "Done: .venv is ready." in said and stamp.exists()

    code, said = make(clone, ".venv/.installed")
    assert code == 0 and "up to date" in said

    later = stamp.stat().st_mtime + 10
    (clone / "requirements.txt").write_text("./no-such-package\n")
    os.utime(clone / "requirements.txt", (later, later))
    code, said = make(clone, ".venv/.installed")
    assert code != 0 and "requirements.txt has changed" in said
    assert "The installation failed" in said and not stamp.exists()

    # As after an interruption: there is an environment, but no stamp.
    (clone / "requirements.txt").write_text("# none\n")
    (clone / ".venv/half-installed").touch()
    code, said = make(clone, ".venv/.installed")
    assert code == 0 and "Creating .venv" in said and stamp.exists()
    assert not (clone / ".venv/half-installed").exists()


def test_an_old_python_is_refused(clone, tmp_path):
    for name in ("python3", "python3.11"):
        old = tmp_path / name
        old.write_text('#!/bin/sh\n[ "$1" = --version ] && echo "Python 3.9.1" || exit 1\n')
        old.chmod(0o755)
    path = f"{tmp_path}{os.pathsep}{os.environ['PATH']}"
    code, said = make(clone, "-W", "requirements.txt", ".venv/.installed", PATH=path)
    assert code != 0
    assert "Python 3.11 or newer is needed, as python3.11 or python3. Found: Python 3.9.1" in said


@pytest.mark.parametrize("port", [None, "eight", "99999"])
def test_a_port_that_cannot_be_used_is_named(clone, port):
    ready(clone)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = port or str(taken.getsockname()[1])
        code, said = make(clone, "serve", f"PORT={port}")
    assert code != 0
    assert f"Port {port} is taken or is no port. Choose another: make serve PORT=8001" in said


def test_help_names_every_target(clone):
    code, said = make(clone, "help")
    assert code == 0
    for target in ("serve", "test", "site", "outputs", "lint", "clean", "help"):
        assert f"  make {target} " in said


def test_clean_leaves_the_environment(clone):
    ready(clone)
    for file in ("site/index.html", ".cache/x", "docs/hooks/__pycache__/x.pyc", "docs/en/x.md"):
        (clone / file).parent.mkdir(parents=True, exist_ok=True)
        (clone / file).touch()
    code, _ = make(clone, "clean")
    assert code == 0 and (clone / ".venv/.installed").exists()
    left = {p.name for p in clone.rglob("*") if ".venv" not in p.parts}
    assert left == {"Makefile", "requirements.txt", "docs", "en", "hooks", "x.md"}
