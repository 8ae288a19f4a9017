"""What a built page asks for, read from its files alone."""

import re
from html.parser import HTMLParser
from urllib.parse import unquote, urlsplit

# The kinds of <link> that make a browser fetch something; canonical, prev and alternate do not.
FETCHED = {"stylesheet", "icon", "preload", "modulepreload", "prefetch", "manifest"}
FETCHED |= {"preconnect", "dns-prefetch", "apple-touch-icon"}
PREFIX = "/pe/"  # where tests/conftest.py has the site
SOURCES = {"src", "srcset", "poster", "data", "background", "action", "formaction", "ping"}
CSS_URL = re.compile(
    r"""url\(\s*(?:"([^"]*)"|'([^']*)'|([^"')\s]*))\s*\)|@import\s+["']([^"']+)"""
)


class Requests(HTMLParser):
    """Collects (tag, attributes, address) of all that a page makes a browser fetch."""

    def __init__(self, html):
        super().__init__()
        self.found, self.scripts, self.styles, self.inside = [], [], [], None
        self.feed(html)

    def handle_starttag(self, tag, attributes):
        attributes = {key: value or "" for key, value in attributes}
        self.inside = tag
        wanted = [value for key, value in attributes.items() if key in SOURCES]
        if tag == "link" and FETCHED & set(attributes.get("rel", "").lower().split()):
            wanted.append(attributes.get("href", ""))
        elif tag in ("use", "image", "feimage", "base"):
            wanted += [attributes.get("href", ""), attributes.get("xlink:href", "")]
        elif tag == "meta" and attributes.get("http-equiv", "").lower() == "refresh":
            wanted.append(attributes.get("content", "").partition("url=")[2])
        if "srcset" in attributes:
            wanted.remove(attributes["srcset"])
            wanted += [part.split()[0] for part in attributes["srcset"].split(",") if part.strip()]
        wanted += css_urls(attributes.get("style", ""))
        self.found += [(tag, attributes, address.strip()) for address in wanted if address.strip()]

    def handle_endtag(self, tag):
        self.inside = None

    def handle_data(self, data):
        if self.inside == "script":
            self.scripts.append(data)
        elif self.inside == "style":
            self.styles.append(data)
            self.found += [("style", {}, address) for address in css_urls(data)]


def css_urls(css):
    return [next(filter(None, groups), "") for groups in CSS_URL.findall(css)]


def file_of(site, page, address):
    """The file that an address on a page leads to, or None if it leads out of the site."""
    parts = urlsplit(address)
    if parts.scheme or parts.netloc:
        return None
    path = unquote(parts.path)
    target = site / path.removeprefix(PREFIX) if path.startswith(PREFIX) else page.parent / path
    target = target.resolve()
    return target / "index.html" if target.is_dir() else target
