"""What several tests share: the built site, a server for it, a browser."""

import contextlib
import functools
import os
import shutil
import threading
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from building import PREFIX, build_site
from filelock import FileLock

BROWSERS = ("chromium", "chromium-browser", "google-chrome")


@pytest.fixture(scope="session")
def site(tmp_path_factory):
    """The folder of the built site: both editions, built once per run, whatever the workers."""
    shared = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        shared = shared.parent
    folder, log = shared / "site", shared / "site.log"
    with FileLock(shared / "site.lock"):
        if not log.exists():
            build = build_site(folder)
            log.write_text(f"{build.returncode}\n{build.stdout}", encoding="utf-8")
    code, _, output = log.read_text(encoding="utf-8").partition("\n")
    if code != "0":
        pytest.fail(f"the site does not build strictly:\n{output}", pytrace=False)
    return folder


class Handler(SimpleHTTPRequestHandler):
    """Serves a folder under PREFIX/ and answers with its 404.html, as Pages does."""

    def translate_path(self, path):
        # What lies outside the prefix does not exist, just as on a shared host.
        if not path.startswith(f"{PREFIX}/"):
            return str(Path(self.directory) / "outside-the-site")
        return super().translate_path(path.removeprefix(PREFIX))

    def send_error(self, code, message=None, explain=None):
        page = Path(self.directory) / "404.html"
        if code != 404 or not page.exists():
            return super().send_error(code, message, explain)
        body = page.read_bytes()
        self.send_response(404)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)
        return None

    def log_message(self, *args):
        pass


@contextlib.contextmanager
def serve(folder, kind=Handler):
    """Serve a folder on a free port of this machine; yields its address."""
    handler = functools.partial(kind, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}{PREFIX}/"
        server.shutdown()
        thread.join()


@pytest.fixture(scope="session")
def served(site):
    """The address of the built site, which ends in /pe/."""
    with serve(site) as address:
        yield address


@pytest.fixture(scope="session")
def browser():
    """A real browser. Without one these tests are skipped, except in CI, where they fail."""
    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    if path is None:
        reason = f"no browser found; install one of {', '.join(BROWSERS)} to run this test"
        if os.environ.get("CI") == "true":
            pytest.fail(reason, pytrace=False)
        pytest.skip(reason)
    from playwright.sync_api import expect, sync_playwright

    # `is_visible()` does not wait, and takes a page that is not ready for one where nothing shows.
    expect.set_options(timeout=10_000)
    flags = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"]
    flags += ["--disable-component-update", "--disable-sync"]
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=path, args=flags)
        yield chromium
        chromium.close()
