"""Publish the site's own scripts and style sheets without comments and blanks.

Those are for who reads the source, and a fifth of what a telephone would have to load.
"""

from pathlib import Path

from mkdocs.structure.files import File
from rcssmin import cssmin
from rjsmin import jsmin

ASSETS = Path(__file__).parents[1] / "theme/assets"
MINIFY = {".js": jsmin, ".css": cssmin}


def on_files(files, config):
    for path in sorted(ASSETS.iterdir()):
        if minify := MINIFY.get(path.suffix):
            file = files.get_file_from_path(f"assets/{path.name}")
            content = minify(file.content_string)
            files.remove(file)
            files.append(File.generated(config, file.src_uri, content=content))
    return files
