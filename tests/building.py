"""Building the site for a test, under a sub-path."""

import os
import subprocess
import sys

from house import ROOT

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
