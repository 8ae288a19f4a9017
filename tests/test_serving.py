"""docs/hooks/editions.py in a small project of its own: what is built when, and never stale."""

import os
import queue
import shutil
import socket
import subprocess
import sys
import threading
import urllib.request
from contextlib import closing

import pytest
from house import ROOT

CONFIG = """\
site_name: Two editions
docs_dir: docs/en
strict: true
theme: {name: material, language: en, font: false, custom_dir: docs/theme}
nav: [index.md, why.md]
plugins: []
hooks: [docs/hooks/editions.py]
watch: [snippets]
markdown_extensions:
  pymdownx.snippets: {base_path: [snippets]}
"""
CHINESE = """\
INHERIT: mkdocs.yml
docs_dir: docs/zh
theme: {language: zh}
"""
FILES = {
    "mkdocs.yml": CONFIG,
    "mkdocs.zh.yml": CHINESE,
    "docs/theme/partials/alternate.html": "",
    "snippets/shared.md": "shared-1\n",
    "docs/en/index.md": "# Home\n\nenglish-1\n",
    "docs/en/why.md": '# Why\n\n--8<-- "shared.md"\n',
    "docs/zh/index.md": "# 首页\n\nchinese-1\n",
    "docs/zh/why.md": '# 为什么\n\n--8<-- "shared.md"\n',
}
MKDOCS = [sys.executable, "-m", "mkdocs"]
ENGLISH_IS_BUILT, CHINESE_IS_BUILT = "Building documentation...", "Building the Chinese edition"
FAILED = "An error happened during the rebuild"


@pytest.fixture
def project(tmp_path):
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    (tmp_path / "docs/hooks").mkdir()
    for hook in ("editions", "edition_state"):
        shutil.copy(ROOT / f"docs/hooks/{hook}.py", tmp_path / "docs/hooks")
    return tmp_path


def build(project):
    return subprocess.run(
        [*MKDOCS, "build"],
        cwd=project,
        env=os.environ | {"NO_MKDOCS_2_WARNING": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
    )


class Server:
    def __init__(self, project):
        with closing(socket.create_server(("127.0.0.1", 0))) as free:
            self.address = f"127.0.0.1:{free.getsockname()[1]}"
        self.project, self.lines = project, queue.Queue()
        self.process = subprocess.Popen(
            [*MKDOCS, "serve", "--livereload", "-a", self.address],
            cwd=project,
            env=os.environ | {"NO_MKDOCS_2_WARNING": "1"},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
        )
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.process.stdout:
            self.lines.put(line)

    def until(self, *said):
        """What the server prints, up to a line that holds one of these."""
        printed = ""
        while not any(words in printed for words in said):
            printed += self.lines.get(timeout=60)
        return printed

    def save(self, name, text):
        (self.project / name).write_text(text, encoding="utf-8")
        return self.until("Reloading browsers", FAILED)

    def get(self, path):
        with urllib.request.urlopen(f"http://{self.address}/{path}") as answer:
            return answer.read().decode()


@pytest.fixture
def server(project):
    server = Server(project)
    try:
        server.until("Serving on")
        yield server
    finally:
        server.process.terminate()
        server.process.wait()


def test_saving_builds_what_is_needed(server):
    assert "chinese-1" in server.get("zh/")

    said = server.save("docs/zh/index.md", "# 首页\n\nchinese-2\n")
    assert CHINESE_IS_BUILT in said and ENGLISH_IS_BUILT not in said
    assert "chinese-2" in server.get("zh/") and "english-1" in server.get("")

    said = server.save("docs/en/index.md", "# Home\n\nenglish-2\n")
    assert CHINESE_IS_BUILT not in said and ENGLISH_IS_BUILT in said
    assert "chinese-2" in server.get("zh/") and "english-2" in server.get("")

    said = server.save("snippets/shared.md", "shared-2\n")
    assert CHINESE_IS_BUILT in said and ENGLISH_IS_BUILT in said
    assert "shared-2" in server.get("why/") and "shared-2" in server.get("zh/why/")

    said = server.save("docs/zh/index.md", "# 首页\n\nchinese-3\n")
    assert CHINESE_IS_BUILT in said and ENGLISH_IS_BUILT not in said


def test_a_broken_chinese_page_is_said_until_it_is_mended(server):
    said = server.save("docs/zh/index.md", "# 首页\n\n[x](nowhere.md)\n")
    assert FAILED in said and "nowhere.md" in said
    # The edition is not complete: it is built, and fails, whatever is saved.
    said = server.save("docs/en/index.md", "# Home\n\nenglish-2\n")
    assert FAILED in said and "nowhere.md" in said
    said = server.save("docs/zh/index.md", "# 首页\n\nchinese-3\n")
    assert FAILED not in said
    assert "chinese-3" in server.get("zh/") and "english-2" in server.get("")


def test_a_broken_english_page_leaves_nothing_stale(server):
    assert FAILED in server.save("docs/en/index.md", "# Home\n\n[x](nowhere.md)\n")
    assert FAILED in server.save("docs/zh/index.md", "# 首页\n\nchinese-2\n")
    assert FAILED not in server.save("docs/en/index.md", "# Home\n\nenglish-2\n")
    assert "chinese-2" in server.get("zh/") and "english-2" in server.get("")


def test_build_gives_both(project):
    built = build(project)
    assert built.returncode == 0, built.stdout
    assert "english-1" in (project / "site/index.html").read_text(encoding="utf-8")
    assert "chinese-1" in (project / "site/zh/index.html").read_text(encoding="utf-8")


def test_a_warning_in_chinese_stops_the_build(project):
    (project / "docs/zh/why.md").write_text("# 为什么\n\n[x](nowhere.md)\n", encoding="utf-8")
    built = build(project)
    assert built.returncode != 0 and "nowhere.md" in built.stdout


def test_english_alone_until_there_is_a_chinese_home(project):
    (project / "docs/zh/index.md").unlink()
    built = build(project)
    assert built.returncode == 0, built.stdout
    assert not (project / "site/zh").exists()
