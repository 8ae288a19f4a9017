"""Write the glossary of both editions from docs/glossary.yml.

A page that holds the line `<!-- glossary -->` gets all terms there: a heading for each, so that
the search leads to the term itself, and the name it has in the other edition.
"""

import logging
import re
from pathlib import Path

import yaml

log = logging.getLogger("mkdocs.hooks.glossary")  # a warning stops a strict build
SOURCE = Path(__file__).parents[1] / "glossary.yml"
MARKER = "<!-- glossary -->"
TITLE = re.compile(r"^# (.+?)(?: *\{.*\})?$", re.MULTILINE)


def load():
    return yaml.safe_load(SOURCE.read_text(encoding="utf-8"))


def link_to(place, docs_dir):
    """A link to where a term is explained, with the title of that page; None if there is none."""
    page, _, section = place.partition("#")
    file = Path(docs_dir, f"{page}.md")
    if not (title := file.is_file() and TITLE.search(file.read_text(encoding="utf-8"))):
        log.warning(f"docs/glossary.yml: there is no page {file}, or it has no title")
        return None
    return f"[{title[1]}]({page}.md{'#' if section else ''}{section})"


def entry(term, docs_dir, language):
    link = link_to(term["page"], docs_dir)
    name, text = term[language], term["text"][language].strip()
    if language == "en":
        text += f" Explained in {link}." if link else ""
        text += f' In Chinese: <span lang="zh">{term["zh"]}</span>.'
    else:
        text += f"详见{link}。" if link else ""
        if term["en"] != name:
            name += f"（{term['en'].replace(' (', '，').replace(')', '')}）"
    return f"### {name} {{ #{term['id']} }}\n\n{text}\n"


def on_page_markdown(markdown, page, config, files):
    if MARKER not in markdown:
        return None
    language = config.theme["language"]
    lines = []
    for part in load():
        lines.append(f"## {part['group'][language]} {{ #{part['group']['id']} }}\n")
        lines += [entry(term, config.docs_dir, language) for term in part["terms"]]
    return markdown.replace(MARKER, "\n".join(lines))
