"""Draw the figures of the pages with the programs that the pages show.

`![What is to be seen](figures/theory/heatmap.svg)` is the picture that the program of
`snippets/theory/heatmap.md` saves with `fig.savefig("heatmap.svg")`; its page shows the program
too. The program runs twice, each time in a fresh process and an empty folder: once for the light
palette, once for the dark one. The page shows the one that fits.

Colours in their order: C0 positions, C1 tokens, C2 their sum, C3 anything else, C4 what stands
back. The rest of the look is in docs/theme/figures.
"""

import posixpath
import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from drawing import ROOT, NoPictureError, draw
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File

FIGURE = re.compile(r"\]\(([^)\s]*\bfigures/[^)\s]*\.svg)\b")
INCLUDE = re.compile(r'^ *--8<-- "([\w/-]+)\.md"$', re.MULTILINE)
IMG = re.compile(r'<img ([^>]*?)src="([^"]*?\bfigures/([\w/-]+))\.svg"([^>]*?) ?/?>')
SIZE = re.compile(r'<svg [^>]*?width="([\d.]+)pt" height="([\d.]+)pt"')


def shown(files):
    """The figures of the pages: the name of each, and the place that shows it first."""
    places = {}
    for file in files.documentation_pages():
        if not file.src_uri.endswith(".md"):
            continue
        text = file.content_string
        path = Path(file.abs_src_path or file.src_uri)
        page = path.relative_to(ROOT) if path.is_relative_to(ROOT) else path
        for match in FIGURE.finditer(text):
            place = f"{page}:{text.count(chr(10), 0, match.start()) + 1}"
            figure = posixpath.normpath(posixpath.join(file.src_uri, "..", match[1]))
            name = figure.removeprefix("figures/").removesuffix(".svg")
            if not (ROOT / f"snippets/{name}.md").is_file():
                raise PluginError(
                    f"{place}: the page shows {match[1]}, but there is no program that draws it. "
                    f"It would be snippets/{name}.md."
                )
            if name not in INCLUDE.findall(text):
                raise PluginError(
                    f"{place}: the page shows {match[1]}, but not the program that draws it. "
                    f'Include it: --8<-- "{name}.md"'
                )
            places.setdefault(name, place)
    return places


def on_files(files, config):
    places = shown(files)
    tasks = [(name, palette) for name in places for palette in ("light", "dark")]

    def attempt(task):
        try:
            return draw(*task)
        except NoPictureError as error:
            return error

    with ThreadPoolExecutor(2) as pool:
        pictures = dict(zip(tasks, pool.map(attempt, tasks), strict=True))
    for name, place in places.items():
        light, dark = pictures[name, "light"], pictures[name, "dark"]
        for picture in (light, dark):
            if isinstance(picture, NoPictureError):
                raise PluginError(f"{place} shows the figure of snippets/{name}.md: {picture}")
        for suffix, content in ((".svg", light[0]), (".dark.svg", dark[0]), (".png", light[1])):
            files.append(File.generated(config, f"figures/{name}{suffix}", content=content))
    return files


def on_page_content(html, page, config, files):
    def both(match):
        before, url, name, after = match.groups()
        if not (file := files.get_file_from_path(f"figures/{name}.svg")):
            return match[0]
        size = SIZE.search(file.content_string).groups()
        width, height = (round(float(points) * 4 / 3) for points in size)
        # The style sheets hide one of the two, and what is hidden is not loaded if it is lazy.
        rest = f'{after} width="{width}" height="{height}" loading="lazy"'
        return (
            f'<img data-palette="light" {before}src="{url}.svg"{rest}>'
            f'<img data-palette="dark" {before}src="{url}.dark.svg"{rest}>'
        )

    return IMG.sub(both, html)
