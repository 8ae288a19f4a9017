"""Date the site by its last commit: one state of the project builds the same site on any day.

MkDocs takes the dates of the sitemap from SOURCE_DATE_EPOCH, and today's where it is not set.
"""

import os
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[2]


def last_commit():
    """Seconds since 1970, or None outside a repository."""
    git = ["git", "-C", ROOT, "log", "-1", "--format=%ct"]
    try:
        return (
            subprocess.run(git, capture_output=True, text=True, check=True).stdout.strip() or None
        )
    except (OSError, subprocess.CalledProcessError):
        return None


def on_config(config):
    if "SOURCE_DATE_EPOCH" not in os.environ and (date := last_commit()):
        os.environ["SOURCE_DATE_EPOCH"] = date
