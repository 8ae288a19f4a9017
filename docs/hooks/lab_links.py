"""The links of a lab, written as from docs/en/labs. Used by labs.py.

MkDocs checks the links of Markdown only; a dead one in a lab ends the build as well.
"""

import posixpath
from urllib.parse import urljoin, urlsplit

from mkdocs.utils import get_relative_url


def resolver(lab, page, files, absolute):
    """A function that makes of a link in a lab one of the page, or, for a notebook elsewhere, an
    absolute one. It notes in `page.anchors` which section a link means."""

    def resolve(link, line):
        path, hash_, anchor = link.partition("#")
        if urlsplit(path).scheme:
            return link
        place = posixpath.normpath(posixpath.join(page.file.src_uri, "..", path))
        target = files.get_file_from_path(place) if path else page.file
        if target is None:
            lab.refuse(line, f"this link leads nowhere: {link}. There is no {place}.")
        if anchor:
            page.anchors.append((target, anchor, link, line))
        if absolute:
            return urljoin(absolute, target.url) + hash_ + anchor
        return (get_relative_url(target.url, page.url) if path else "") + hash_ + anchor

    return resolve


def check(lab, page):
    """Whether each section is there that a link means; known when all pages are read."""
    for target, anchor, link, line in page.anchors:
        known = target.page and target.page.present_anchor_ids
        if known is not None and anchor not in known:
            lab.refuse(
                line, f"this link leads nowhere: {link}. No section there has the id {anchor}."
            )
