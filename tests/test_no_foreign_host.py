"""Nothing that is built asks another host for anything. What a reader clicks may lead anywhere."""

import re
from urllib.parse import urlsplit

import pytest
from built import Requests, css_urls
from house import listed

OWN = "example.org"  # the host that tests/conftest.py builds the site for
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
QUOTED = re.compile(r"""["'`](?:https?:)?//([\w-]+(?:\.[\w-]+)+)""")
# Named in a script, but no address of a request: name spaces, and a hint in a warning.
HARMLESS = {"www.w3.org", "bit.ly"}


def is_foreign(address):
    parts = urlsplit(address)
    return parts.scheme in ("", "http", "https", "ws", "wss") and parts.netloc not in ("", OWN)


def foreign(name, text):
    """The foreign hosts that a built file makes a browser ask, as `what: address`."""
    if name.endswith((".html", ".svg")):
        page = Requests(text)
        yield from (f"<{tag}>: {url}" for tag, _, url in page.found if is_foreign(url))
        if name.endswith(".html"):
            for script in page.scripts:
                yield from foreign("inline.js", script)
    elif name.endswith(".css"):
        yield from (f"url: {url}" for url in css_urls(text) if is_foreign(url))
    elif name.endswith((".js", ".mjs")):
        code = COMMENT.sub("", text)
        hosts = {*QUOTED.findall(code), *re.findall(r"https?://([\w-]+(?:\.[\w-]+)+)", code)}
        yield from (f"script names {host}" for host in sorted(hosts - HARMLESS - {OWN}))


def test_no_built_file_asks_another_host(site):
    complaints = [
        f"{file.relative_to(site)}: {what}"
        for file in sorted(site.rglob("*"))
        if file.suffix in (".html", ".svg", ".css", ".js", ".mjs")
        for what in foreign(file.name, file.read_text(encoding="utf-8"))
    ]
    assert not complaints, listed(complaints)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.html", '<script src="https://cdn.example.com/x.js"></script>'),
        ("a.html", '<link href="//fonts.example.com/x.css" rel="stylesheet">'),
        ("a.html", '<link rel="preconnect" href="https://fonts.example.com">'),
        ("a.html", '<img srcset="a.png 1x, https://img.example.com/b.png 2x">'),
        ("a.html", '<p style="background: url(https://img.example.com/x.png)">'),
        ("a.html", "<style>@import 'https://fonts.example.com/x.css';</style>"),
        ("a.html", '<script>fetch("https://api.example.com/x")</script>'),
        ("a.html", '<svg><use href="https://img.example.com/x.svg#a"></use></svg>'),
        ("a.svg", '<svg><image xlink:href="https://img.example.com/x.png"/></svg>'),
        ("a.css", "a { background: url( 'https://img.example.com/x.png' ) }"),
        ("a.css", '@import "https://fonts.example.com/x.css";'),
        ("a.js", "new Worker(`https://cdn.example.com/w.js`)"),
        ("a.js", 'import("//cdn.example.com/x.mjs")'),
    ],
)
def test_the_check_sees_it(name, text):
    assert list(foreign(name, text)), f"{name}: nothing found in {text}"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.html", '<a href="https://arxiv.org/abs/1706.03762">paper</a>'),
        ("a.html", '<link rel="canonical" href="https://example.com/"><img src="x.png">'),
        ("a.html", '<svg xmlns="http://www.w3.org/2000/svg"></svg>'),
        ("a.css", "a { mask: url(\"data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/'%3E\") }"),
        ("a.js", "/* see https://example.com/ */ x // comment"),
    ],
)
def test_the_check_lets_it_pass(name, text):
    assert not list(foreign(name, text))
