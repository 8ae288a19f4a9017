"""Lighthouse on the built site, as a telephone sees it; `make lighthouse` runs it, with node.

Every page (or those named: PAGE="theory zh/theory") has to have 100 for accessibility, best
practices and SEO, and may not jump. The speed of some pages is measured beside that of a stock
Material for MkDocs page with the same text, in turns, and the medians are compared: the numbers
themselves are those of this machine on this day.
"""

import gzip
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median

from building import build_site
from house import ROOT

from conftest import BROWSERS, Handler, serve

VERSION = "12.2.3"  # the newest that runs with node 20
TOOL = ROOT / ".cache/lighthouse"
SAMPLE, TURNS = ("", "theory/", "zh/why/"), int(os.environ.get("TURNS", "5"))
FULL = ("accessibility", "best-practices", "seo")
FLAGS = "--headless=new --no-sandbox --disable-gpu --no-first-run"
TEXT = (".html", ".css", ".js", ".json", ".svg", ".txt", ".md")


class Packing(Handler):
    """Sends text packed, as a host does."""

    def do_GET(self):
        path = Path(self.translate_path(self.path))
        path = path / "index.html" if path.is_dir() else path
        if path.suffix not in TEXT or not path.is_file():
            return super().do_GET()
        body = gzip.compress(path.read_bytes(), 6)
        self.send_response(200)
        self.send_header("Content-Type", self.guess_type(str(path)))
        self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
        return None


def fetched():
    """The program, which npm fetches once, and not into the repository."""
    program = TOOL / "node_modules/.bin/lighthouse"
    if not (shutil.which("node") and shutil.which("npm")):
        sys.exit("This needs node 20 and npm. On Debian: apt-get install nodejs npm")
    if not program.exists():
        print(f"Fetching lighthouse {VERSION} into .cache.")
        npm = ["npm", "install", "--no-audit", "--no-fund", "--loglevel=error"]
        subprocess.run([*npm, "--prefix", TOOL, f"lighthouse@{VERSION}"], check=True)
    return program


def report(program, url, categories):
    """What Lighthouse says of a page."""
    chrome = next(filter(None, map(shutil.which, BROWSERS)), None)
    if not chrome:
        sys.exit(f"This needs a browser: one of {', '.join(BROWSERS)}")
    options = ["--quiet", "--output=json", f"--chrome-flags={FLAGS}"]
    options.append(f"--only-categories={','.join(categories)}")
    done = subprocess.run(
        [program, url, *options],
        env=os.environ | {"CHROME_PATH": chrome},
        capture_output=True,
        encoding="utf-8",
    )
    if done.returncode:
        sys.exit(f"Lighthouse fails at {url}:\n{done.stderr}")
    return json.loads(done.stdout)


def complaints(said):
    """Why a page has less than it should."""
    for name in FULL:
        category = said["categories"][name]
        if category["score"] == 1:
            continue
        yield f"{name} {category['score'] * 100:.0f}"
        for part in category["auditRefs"]:
            audit = said["audits"][part["id"]]
            if part["weight"] and audit["score"] not in (1, None):
                yield f"    {audit['id']}: {audit['title']}"
    if (shift := said["audits"]["cumulative-layout-shift"]["numericValue"]) >= 0.005:
        yield f"it jumps: {shift:.3f}"


def stock(folder, edition, name):
    """The same text in Material for MkDocs as it comes; only its figures are ours."""
    for part in ("docs", "nothing"):
        (folder / part).mkdir(parents=True)
    shutil.copy(ROOT / f"docs/{edition}/{name}.md", folder / "docs/index.md")
    config = {
        "INHERIT": str(ROOT / "mkdocs.yml"),
        "docs_dir": "docs",
        "strict": False,
        "nav": [{"Home": "index.md"}],
        "theme": {
            "custom_dir": str(folder / "nothing"),
            "favicon": "assets/images/favicon.png",
            "static_templates": [],
            "language": edition,
        },
        "extra_css": [],
        "markdown_extensions": {"pymdownx.snippets": {"base_path": [str(ROOT / "snippets")]}},
        "hooks": [str(ROOT / f"docs/hooks/{hook}.py") for hook in ("data", "figures")],
        "validation": {"links": {"not_found": "ignore", "anchors": "ignore"}},
        "watch": [],
    }
    (folder / "mkdocs.yml").write_text(json.dumps(config), encoding="utf-8")
    build = build_site(folder / "site", folder / "mkdocs.yml")
    if build.returncode:
        sys.exit(build.stdout)
    return folder / "site"


def source(address):
    edition = "zh" if address.startswith("zh/") else "en"
    return edition, address.removeprefix("zh/").strip("/") or "index"


def speeds(program, served, address, folder):
    """Scores and sizes of a page and of the stock one, in turns."""
    ours, theirs = [], []
    with serve(stock(folder, *source(address)), Packing) as plain:
        for turn in range(TURNS):
            pair = [(served + address, ours), (plain, theirs)]
            for url, found in pair if turn % 2 == 0 else reversed(pair):
                said = report(program, url, ["performance"])
                found.append(said["categories"]["performance"]["score"] * 100)
    return ours, theirs


def main(chosen):
    program, bad = fetched(), 0
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        with serve(folder / "site", Packing) as served:
            build = build_site(folder / "site", SITE_URL=served)
            if build.returncode:
                sys.exit(build.stdout)
            there = sorted((folder / "site").rglob("index.html"))
            pages = [
                p.relative_to(folder / "site").as_posix()[: -len("index.html")] for p in there
            ]
            wanted = [f"{name.strip('/')}/".removeprefix("/") for name in chosen]
            for address in wanted or pages:
                said = report(program, served + address, [*FULL, "performance"])
                found = list(complaints(said))
                bad += bool(found)
                print(
                    f"/{address}: {'; '.join(found) or 'full marks'}".replace("; ", "\n"),
                    flush=True,
                )
            for number, address in enumerate(wanted[:3] or SAMPLE):
                ours, theirs = speeds(program, served, address, folder / f"stock-{number}")
                slower = median(ours) < median(theirs)
                bad += slower
                print(
                    f"/{address}: performance {median(ours):.0f} {sorted(ours)}, "
                    f"stock {median(theirs):.0f} {sorted(theirs)}{' SLOWER' if slower else ''}",
                    flush=True,
                )
    return bool(bad)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
