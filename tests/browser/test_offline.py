"""The site as a folder on a disk, opened from there: `make offline` packs it."""

from html.parser import HTMLParser
from urllib.parse import unquote, urlsplit

import pytest
from building import build_site
from house import listed, needs_chinese, read

ADDRESSES = {"href", "src", "srcset"}
FIELD = ".md-search__input"
RESULT = ".md-search-result__link"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("offline") / "位置 编码"
    build = build_site(folder, OFFLINE="1", SITE_URL="")
    assert build.returncode == 0, build.stdout
    return folder


class Addresses(HTMLParser):
    def __init__(self, html):
        super().__init__()
        self.found = []
        self.feed(html)

    def handle_starttag(self, tag, attributes):
        self.found += [value or "" for key, value in attributes if key in ADDRESSES]


def test_every_link_names_a_file(folder):
    complaints = []
    for page in sorted(folder.rglob("*.html")):
        for address in Addresses(read(page)).found:
            parts = urlsplit(address)
            if parts.scheme or parts.netloc or (address.startswith("#") and len(address) > 1):
                continue
            if parts.path.startswith("/") or not (page.parent / unquote(parts.path)).is_file():
                complaints.append(f"{page.relative_to(folder)}: {address or '(empty)'}")
    assert not complaints, listed(complaints)


def test_every_page_opens_from_a_disk(folder, window):
    """Nothing fails to load, and nothing but files is asked for."""
    complaints = []
    with window(color_scheme="dark") as page:
        page.on("console", lambda said: complaints.append(f"{page.url}: {said.text}"))
        page.on("pageerror", lambda error: complaints.append(f"{page.url}: {error}"))
        page.on(
            "requestfailed",  # an icon may be on its way when the next page is opened
            lambda it: it.failure.endswith("ERR_ABORTED") or complaints.append(f"no {it.url}"),
        )
        page.on(
            "request",
            lambda it: it.url[:5] in ("file:", "data:", "blob:") or complaints.append(it.url),
        )
        for file in sorted(folder.rglob("*.html")):
            page.goto(file.as_uri())
            page.wait_for_load_state("networkidle")
    assert not complaints, listed(complaints)


@pytest.mark.parametrize(
    ("edition", "query", "result"),
    [
        ("", "attention", "why"),
        pytest.param("zh/", "位置插值", "longer", marks=needs_chinese),
    ],
)
def test_search(folder, window, edition, query, result):
    with window() as page:
        page.goto((folder / edition / "theory.html").as_uri())
        page.press("body", "Control+k")
        page.keyboard.insert_text(query)
        page.press(FIELD, "End")
        page.locator(f"{RESULT}[href*='{edition}{result}']").first.click()
        page.wait_for_url(f"**/{edition}{result}*.html?h=*")
        page.locator("article mark").first.wait_for()


@needs_chinese
@pytest.mark.parametrize("name", ["index.html", "theory.html"])
def test_language_and_palette(folder, window, name):
    with window(color_scheme="light") as page:
        page.goto((folder / name).as_uri())
        page.click(".pe-palette")
        for file in (folder / "zh" / name, folder / name):
            page.click(".pe-language")
            page.wait_for_url(file.as_uri())
            assert page.locator("body").get_attribute("data-md-color-scheme") == "slate"
        row = "getComputedStyle(document.querySelector('.pe-row')).maskImage"
        assert page.evaluate(row).startswith('url("data:')
