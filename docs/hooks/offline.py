"""With OFFLINE=1: a site that works as a folder on a disk, opened by a double click.

A browser gives such pages little: no folder stands for its index.html, no file may be read by a
script, no module, worker or mask may be loaded from one. So links name files, and what would be
loaded stands within what loads it. `make offline` builds the site so and packs it.
"""

import base64
import json
import os
import re
from pathlib import Path
from urllib.parse import quote

from mkdocs.plugins import event_priority
from mkdocs.utils import get_relative_url

OFFLINE = os.environ.get("OFFLINE") == "1"
MODULE = re.compile(r'<script type="module" src="([^"]+)"></script>')
IMPORT = re.compile(r'(\bfrom\s*|\bimport\s*\(\s*)"\./([\w-]+\.js)"')
FETCHED = re.compile(r'new URL\(("[^"]+"), import\.meta\.url\)')
DRAWING = re.compile(r"url\(([\w-]+\.svg)\)")
# Material's search asks for the index by a script if the page comes from a disk. Its worker, and
# what that would import, are given to it as text.
SEARCH = """\
(() => {
  const files = %s;
  const source = `const files = ${JSON.stringify(files)};
    self.importScripts = (...urls) =>
      urls.forEach((url) => (0, eval)(files[url.split("/").pop()]));
    (0, eval)(files.worker);`;
  window.Worker = class extends Worker {
    constructor() {
      super(URL.createObjectURL(new Blob([source], { type: "text/javascript" })));
    }
  };
})();
"""


def on_config(config):
    if OFFLINE:
        config.use_directory_urls = False


def as_address(content, kind):
    return f"data:{kind};base64,{base64.b64encode(content).decode()}"


def standing_alone(path, parts):
    """The code of a module that loads no file. What it imports goes into `parts`, by its name."""

    def imported(match):
        name = match[2]
        if name not in parts:
            parts[name] = None  # on its way: two modules may import each other
            code = standing_alone(path.with_name(name), parts)
            parts[name] = as_address(code.encode(), "text/javascript")
        return f'{match[1]}"{name}"'

    def fetched(match):
        content = (path.parent / json.loads(match[1])).read_bytes()
        return json.dumps(as_address(content, "application/octet-stream"))

    return FETCHED.sub(fetched, IMPORT.sub(imported, path.read_text(encoding="utf-8")))


@event_priority(-100)
def on_post_page(output, page, config):
    if not OFFLINE:
        return output
    parts = {}

    def inlined(match):
        path = Path(config.site_dir, page.file.dest_uri).parent / match[1]
        code = standing_alone(path, parts).replace("</script", "<\\/script")
        return f'<script type="module">{code}</script>'

    output = MODULE.sub(inlined, output)
    if parts:  # the map says where they are, and has to stand before the first module
        names = json.dumps({"imports": parts})
        output = output.replace("<head>", f'<head><script type="importmap">{names}</script>', 1)
    search = get_relative_url("search/offline.js", page.url)
    return output.replace("</head>", f'<script defer src="{search}"></script></head>', 1)


@event_priority(-50)  # after search.py, before the other edition
def on_post_build(config):
    if not OFFLINE:
        return
    site = Path(config.site_dir)
    index = (site / "search/search_index.json").read_text(encoding="utf-8")
    (site / "search/search_index.js").write_text(f"var __index = {index}", encoding="utf-8")
    scripts = site / "assets/javascripts"
    parts = {path.name: path for path in scripts.glob("lunr/min/*.js")}
    parts["worker"] = next(scripts.glob("workers/search.*.js"))
    texts = {name: path.read_text(encoding="utf-8") for name, path in sorted(parts.items())}
    (site / "search/offline.js").write_text(SEARCH % json.dumps(texts), encoding="utf-8")

    for sheet in (site / "assets").glob("*.css"):
        css = sheet.read_text(encoding="utf-8")

        def drawn(match, folder=sheet.parent):
            svg = (folder / match[1]).read_text(encoding="utf-8")
            return f'url("data:image/svg+xml,{quote(svg)}")'

        sheet.write_text(DRAWING.sub(drawn, css), encoding="utf-8")
    # Of use on a server only.
    for name in ("404.html", "robots.txt", "sitemap.xml", "sitemap.xml.gz"):
        (site / name).unlink(missing_ok=True)
