"""Building the site for a test, under a sub-path; or one page of it."""

import os
import subprocess
import sys

from house import ROOT
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

PREFIX = "/pe"  # a site that works under a sub-path works at the root; not the other way round
OWN = f"https://example.org{PREFIX}/"


def build_site(folder, config=ROOT / "mkdocs.yml", **environment):
    """Build both editions strictly; return the finished process and what it printed."""
    clean = {k: v for k, v in os.environ.items() if k not in ("REPO_URL", "EDIT_URI")}
    return subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "-f", config, "-d", folder],
        env=clean | {"NO_MKDOCS_2_WARNING": "1", "SITE_URL": OWN} | environment,
        cwd=folder.parent,
        text=True,
        encoding="utf-8",
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )


def rendered_page(text, folder, config, hook):
    """A page with this text, rendered as MkDocs renders it, with what one hook makes of it."""
    (folder / "page.md").write_text(text, encoding="utf-8")
    file = File("page.md", str(folder), str(folder / "site"), use_directory_urls=True)
    page = Page(None, file, config)
    page.read_source(config)
    page.render(config, Files([file]))
    page.content = hook.on_page_content(page.content, page, config, None)
    page.indexed = page.content
    hook.on_page_context({}, page, config, None)
    return page
