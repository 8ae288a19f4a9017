"""Two builds from nothing are the same, byte for byte: another folder, day, seed, time zone."""

import re
import shutil
import subprocess
from datetime import UTC, datetime
from pathlib import Path

import pytest
from building import build_site
from house import ROOT


def copy_of_the_project(folder):
    """What git would commit, without the caches."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        check=True,
    )
    for name in listed.stdout.decode().split("\0"):
        if name and (ROOT / name).is_file():
            target = folder / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, target)


def contents(folder):
    return {p.relative_to(folder): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def differences(one, other):
    """The files that are in one site only, or differ."""
    a, b = contents(Path(one)), contents(Path(other))
    return sorted(str(name) for name in a.keys() | b.keys() if a.get(name) != b.get(name))


def test_differences(tmp_path):
    for name, files in (("a", {"x": "1", "y": "1"}), ("b", {"x": "1", "y": "2", "z": ""})):
        (tmp_path / name).mkdir()
        for file, text in files.items():
            (tmp_path / name / file).write_text(text)
    assert differences(tmp_path / "a", tmp_path / "b") == ["y", "z"]
    assert differences(tmp_path / "a", tmp_path / "a") == []


@pytest.fixture
def last_commit():
    """Seconds since 1970."""
    git = subprocess.run(
        ["git", "log", "-1", "--format=%ct"], cwd=ROOT, capture_output=True, check=True
    )
    return git.stdout.decode().strip()


def test_dates_are_those_of_the_last_commit(site, last_commit):
    day = datetime.fromtimestamp(int(last_commit), UTC).strftime("%Y-%m-%d")
    sitemap = (site / "sitemap.xml").read_text(encoding="utf-8")
    assert set(re.findall("<lastmod>(.*?)</lastmod>", sitemap)) == {day}


def test_two_builds(site, last_commit, tmp_path):
    copy_of_the_project(tmp_path / "elsewhere")
    # The labs do not run a second time here: that would take minutes. Their pages, figures and
    # downloads are made again from what the first build's run has printed and drawn. That a second
    # run gives the same is checked for the short ones, in test_labs.py.
    shutil.copytree(ROOT / ".cache/labs", tmp_path / "elsewhere/.cache/labs", dirs_exist_ok=True)
    build = build_site(
        tmp_path / "again",
        tmp_path / "elsewhere/mkdocs.yml",
        PYTHONHASHSEED="4711",
        TZ="Asia/Shanghai",
        LC_ALL="C.UTF-8",
        SOURCE_DATE_EPOCH=last_commit,  # the copy has no history to look it up in
    )
    assert build.returncode == 0, build.stdout
    assert not (different := differences(site, tmp_path / "again")), "\n".join(different)
