"""Publish of the theme's own files what the site uses, and nothing that names another host.

The theme's style sheet, which each page waits for, holds the styles of many parts that are not
used here; without them it is half as heavy. Its script would ask other hosts for a diagram
library, for the stars of a repository, for what very old browsers lack. Nothing on this site
leads it there; without the addresses it could not go there either.
"""

import re

from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File

UNUSED_FILES = re.compile(
    r"\.map$|^assets/stylesheets/palette\.|^assets/images/favicon\.png$"
    # Search in Chinese takes two of the stemmers, in English none.
    r"|^assets/javascripts/lunr/(?!min/lunr\.(multi|stemmer\.support|zh)\.)"
)
UNUSED_CLASSES = re.compile(
    r"(?<![\w-])(?:md-(?:annotation|banner|clipboard|code|consent|feedback|footer-meta|footer__"
    r"|header__(?:topic|title|option)|meta|nav|option|pagination|path|post|profile|progress"
    r"|select|social|source|status|tabs|tags?|tooltip2?|top|version)(?![a-z])|annotate|critic"
    r"|emojione|gemoji|giscus|highlighttable|keys|linenos?|mermaid|tabbed-|task-list|twemoji)"
)
ICON = re.compile(r'--md-(?!footnotes)[\w-]+:\s*url\("[^"]*"\);?')
COMMA = re.compile(r",(?![^(]*\))")  # between selectors, not within :is()
CLASS = re.compile(r'class="([^"]*)"')

HOST = re.compile(r"https://(?:unpkg\.com|api\.github\.com)[^\"`$]*")
MAP = re.compile(r"\n//# sourceMappingURL=.*")


def rules(css):
    """The rules of a style sheet, an @media rule with all that it holds as one."""
    depth = start = 0
    for brace in re.finditer(r"[{}]", css):
        depth += 1 if brace[0] == "{" else -1
        if depth == 0:
            yield css[start : brace.end()]
            start = brace.end()


def used(rule):
    """A rule without the selectors of what is not used; empty if nothing is left."""
    head, body = rule.split("{", 1)
    if head.startswith("@media"):
        kept = "".join(map(used, rules(body[:-1])))
    else:
        head = ",".join(one for one in COMMA.split(head) if not UNUSED_CLASSES.search(one))
        kept = body[:-1]
    return f"{head}{{{kept}}}" if head and kept else ""


def style(css):
    return "".join(map(used, rules(ICON.sub("", css))))


def script(js):
    return MAP.sub("", HOST.sub("", js))


CHANGES = {
    re.compile(r"^assets/stylesheets/main\.\w+\.min\.css$"): style,
    re.compile(r"^assets/javascripts/bundle\.\w+\.min\.js$"): script,
}


def on_files(files, config):
    done = []
    for file in list(files):
        if UNUSED_FILES.search(file.src_uri):
            files.remove(file)
        for name, change in CHANGES.items():
            if name.search(file.src_uri):
                content = change(file.content_string)
                files.remove(file)
                files.append(File.generated(config, file.src_uri, content=content))
                done.append(change)
    if sorted(map(id, done)) != sorted(map(id, CHANGES.values())):
        raise PluginError(
            "docs/hooks/theme_files.py: the theme's style sheet and script are not where they "
            "were. If mkdocs-material was updated, mend CHANGES there."
        )


def on_post_page(html, page, config):
    for names in CLASS.findall(html):
        if unstyled := UNUSED_CLASSES.search(names):
            raise PluginError(
                f'{page.file.src_uri}: class="{names}" has no style: docs/hooks/theme_files.py '
                f"leaves out that of {unstyled[0]}. Take it out of UNUSED_CLASSES there."
            )
    return html
