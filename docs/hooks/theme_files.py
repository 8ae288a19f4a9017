"""Publish of the theme's own files those that the site uses, and none that names another host.

The theme's script would ask other hosts for a diagram library, for the stars of a repository and
for a replacement that old browsers need. Nothing on this site leads it there; without the
addresses it could not go there either. A site half as large is quicker to deploy, too.
"""

import re

from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File

UNUSED = re.compile(
    r"\.map$|^assets/stylesheets/palette\.|^assets/images/favicon\.png$"
    # Search in Chinese takes two of the stemmers, in English none.
    r"|^assets/javascripts/lunr/(?!min/lunr\.(multi|stemmer\.support|zh)\.)"
)
SCRIPT = re.compile(r"^assets/javascripts/bundle\.\w+\.min\.js$")
HOST = re.compile(r"https://(?:unpkg\.com|api\.github\.com)[^\"`$]*")
MAP = re.compile(r"\n//# sourceMappingURL=.*")


def on_files(files, config):
    bundles = 0
    for file in list(files):
        if UNUSED.search(file.src_uri):
            files.remove(file)
        elif SCRIPT.search(file.src_uri):
            script = MAP.sub("", HOST.sub("", file.content_string))
            files.remove(file)
            files.append(File.generated(config, file.src_uri, content=script))
            bundles += 1
    if bundles != 1:
        raise PluginError(
            f"docs/hooks/theme_files.py: expected one script of the theme, found {bundles}. "
            "If mkdocs-material was updated, look where its script is now."
        )
