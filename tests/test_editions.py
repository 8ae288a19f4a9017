"""The two editions as they are built: each says which is its twin, and speaks its own language."""

import re
from html.parser import HTMLParser
from urllib.parse import urljoin
from xml.etree import ElementTree

import pytest
from building import OWN, PREFIX
from house import listed, needs_chinese, read

HAN = re.compile(r"[\u3400-\u9fff]")
WORD = re.compile(r"[A-Za-z]{3,}")
SPOKEN = ("aria-label", "title", "placeholder", "alt")
pytestmark = needs_chinese
VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source"}
NAMES = {"Material for MkDocs"}
NOT_SPOKEN = {"article", "script", "style", "pre", "code", "svg"}
SITEMAP = {"s": "http://www.sitemaps.org/schemas/sitemap/0.9"}
XHTML = "{http://www.w3.org/1999/xhtml}link"


@pytest.fixture
def editions(site):
    """The pages of the English edition, and the addresses of both."""
    english = [f for f in site.rglob("index.html") if not f.is_relative_to(site / "zh")]
    return sorted(f.relative_to(site).as_posix().removesuffix("index.html") for f in english)


class Spoken(HTMLParser):
    """What a page says outside of programs, and in which language, as its markup has it."""

    def __init__(self, html):
        super().__init__()
        self.open, self.said, self.switch = [("", "")], [], None
        self.feed(html)

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        language = (attributes.get("lang") or self.open[-1][1])[:2]
        if "pe-language" in attributes.get("class", "").split():
            self.switch = attributes["href"]
        said = [attributes.get(key) or "" for key in SPOKEN]
        if attributes.get("name") == "description":
            said.append(attributes["content"])
        self.said += [(language, tag, words) for words in said if words]
        if tag not in VOID:
            self.open.append((tag, language))

    def handle_endtag(self, tag):
        if tag in (opened for opened, _ in self.open):
            while self.open.pop()[0] != tag:
                pass

    def handle_data(self, data):
        # Code is in no language; the text of the page, and its headings in the lists of contents,
        # are for its editor to judge.
        tags = {tag for tag, _ in self.open}
        listed_heading = "nav" in tags and self.open[-1][0] == "a"
        if data.strip() and not listed_heading and not tags & NOT_SPOKEN:
            self.said.append((self.open[-1][1], self.open[-1][0], data.strip()))


def test_every_page_links_to_its_twin(site, editions):
    complaints = []
    for address in editions:
        for page, twin in (address, f"zh/{address}"), (f"zh/{address}", address):
            file = site / page / "index.html"
            if not file.exists():
                complaints.append(f"/{page} is missing")
            elif urljoin(OWN + page, Spoken(read(file)).switch) != OWN + twin:
                complaints.append(f"/{page}: its switch does not lead to /{twin}")
    for page, twin in {"404.html": "zh/", "zh/404.html": ""}.items():
        if urljoin(OWN, Spoken(read(site / page)).switch) != OWN + twin:
            complaints.append(f"/{page}: its switch does not lead to /{twin}")
    assert not complaints, listed(complaints)


def test_chinese_pages_speak_chinese(site, editions):
    complaints = {}
    for address in editions:
        page = Spoken(read(site / "zh" / address / "index.html"))
        for language, tag, words in page.said:
            foreign = WORD.search(words) and not HAN.search(words) and words not in NAMES
            if language == "zh" and foreign:
                complaints.setdefault(words, f"/zh/{address}: <{tag}> says “{words}”")
    assert not complaints, listed(complaints.values())


def test_english_pages_speak_english(site, editions):
    complaints = {}
    for address in editions:
        for language, tag, words in Spoken(read(site / address / "index.html")).said:
            if language != "zh" and HAN.search(words):
                complaints.setdefault(words, f"/{address}: <{tag}> says “{words}”, without lang")
    assert not complaints, listed(complaints.values())


def test_titles_and_descriptions(site, editions):
    """Each is there, in its language, and no two pages have the same."""
    seen = {}
    for address in [*editions, *(f"zh/{address}" for address in editions)]:
        html = read(site / address / "index.html")
        for what, pattern in {
            "title": r"<title>(.*?)</title>",
            "description": r'<meta name="description" content="(.*?)"',
        }.items():
            found = re.search(pattern, html, re.DOTALL)
            assert found, f"/{address} has no {what}"
            chinese = bool(HAN.search(found[1]))
            assert chinese == address.startswith("zh/"), f"/{address}: {found[1]}"
            assert found[1] not in seen, f"/{address} and /{seen[found[1]]} have the same {what}"
            seen[found[1]] = address


def test_sitemap(site, editions):
    urls = ElementTree.parse(site / "sitemap.xml").getroot().findall("s:url", SITEMAP)
    found = {
        url.findtext("s:loc", None, SITEMAP): {
            link.get("hreflang"): link.get("href") for link in url.findall(XHTML)
        }
        for url in urls
    }
    wanted = {}
    for address in editions:
        twins = {"en": OWN + address, "zh-Hans": f"{OWN}zh/{address}", "x-default": OWN + address}
        wanted |= dict.fromkeys((twins["en"], twins["zh-Hans"]), twins)
    assert found == wanted
    assert len(urls) == len(wanted)
    assert not (site / "zh/sitemap.xml").exists(), "one map is enough"


def test_spoken():
    page = Spoken(
        '<html lang="zh"><p title="Close">好<b lang="en">Yes<br></b>坏</p><pre>code</pre>'
        f'<a class="pe-language" href="{PREFIX}/">E</a><img alt="Picture">'
    )
    assert page.said == [
        ("zh", "p", "Close"),
        ("zh", "p", "好"),
        ("en", "b", "Yes"),
        ("zh", "p", "坏"),
        ("zh", "a", "E"),
        ("zh", "img", "Picture"),
    ]
    assert page.switch == f"{PREFIX}/"
