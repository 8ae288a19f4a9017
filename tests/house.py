"""Where things stand in this repository, and how a page names the programs it shows."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGES = sorted((ROOT / "docs").glob("[ez][nh]/**/*.md"))
SNIPPETS = sorted((ROOT / "snippets").glob("**/*.md"))
TEXTS = sorted(ROOT.glob("[A-Z]*.md"))  # README, CONTRIBUTING

# One page switches the Chinese edition on.
needs_chinese = pytest.mark.skipif(
    not (ROOT / "docs/zh/index.md").exists(), reason="there is no docs/zh/index.md yet"
)

INCLUDE = re.compile(r'^ *--8<-- "(?P<path>[\w-]+(?:/[\w-]+)*\.md)"$', re.MULTILINE)


def read(path):
    return path.read_text(encoding="utf-8")


def name(path):
    """A path as people write it: from the root of the repository, with slashes."""
    return path.relative_to(ROOT).as_posix() if path.is_relative_to(ROOT) else path.as_posix()


def included(text):
    """The snippets that a page shows, in its order: `theory/uniqueness.md`."""
    return INCLUDE.findall(text)


def listed(complaints):
    """Complaints as one message for `assert not complaints, listed(complaints)`."""
    return "\n".join(["", *complaints, ""])
