"""What a page tells machines about itself: description, address, and how it looks when shared."""

import html
import re
from importlib import metadata
from io import BytesIO

import pytest
from building import OWN
from fontTools.ttLib import TTFont
from house import ROOT, listed, needs_chinese, read
from PIL import Image
from prose import front_matter

META = re.compile(r'<meta (?:name|property)="([\w:]+)" content="(.*?)">')
CANONICAL = re.compile(r'<link rel="canonical" href="(.*?)">')
SIZE, HEAVIEST = (1200, 630), 60_000
SAID = {"description", "og:type", "og:site_name", "og:title", "og:description", "og:url"}
SAID |= {"og:image", "og:image:width", "og:image:height", "og:image:alt", "og:locale"}
SAID |= {"twitter:card"}


@pytest.fixture
def heads(site):
    """{address: (what its <meta> say, its canonical address)} of all pages but 404.html."""
    found = {}
    for file in sorted(site.rglob("index.html")):
        text = read(file)
        said = {key: html.unescape(value) for key, value in META.findall(text)}
        address = file.relative_to(site).as_posix().removesuffix("index.html")
        found[address] = said, CANONICAL.findall(text)
    return found


def test_every_page_says_who_it_is(heads):
    complaints = []
    for address, (said, canonical) in heads.items():
        wrong = [f"it does not say {key}" for key in sorted(SAID - said.keys())]
        if canonical != [OWN + address] or said.get("og:url") != OWN + address:
            wrong.append(f"its address is not {canonical} or {said.get('og:url')}")
        if said.get("description") != said.get("og:description"):
            wrong.append("it has two descriptions")
        language = "zh_CN" if address.startswith("zh/") else "en_US"
        if said.get("og:locale") != language:
            wrong.append(f"its language is {language}")
        complaints += [f"/{address}: {what}" for what in wrong]
    assert not complaints, listed(complaints)


def test_the_description_is_that_of_the_front_matter(heads):
    complaints = []
    for path in sorted((ROOT / "docs").glob("[ez][nh]/**/*.md")):
        edition, *folders, name = path.relative_to(ROOT / "docs").parts
        parts = ["zh"] * (edition == "zh") + folders
        parts += [name.removesuffix(".md")] * (name != "index.md")
        address = "".join(f"{part}/" for part in parts)
        wanted = front_matter(read(path)).get("description", "there is none")
        if address in heads and heads[address][0].get("description") != wanted:
            complaints.append(f"{path}: the page says {heads[address][0].get('description')}")
    assert not complaints, listed(complaints)


def test_every_page_has_a_picture_of_its_own(site, heads):
    complaints, seen = [], {}
    for address, (said, _) in heads.items():
        file = site / said["og:image"].removeprefix(OWN)
        if not file.is_file():
            complaints.append(f"/{address}: there is no {file}")
            continue
        picture = file.read_bytes()
        if Image.open(BytesIO(picture)).size != SIZE or len(picture) > HEAVIEST:
            complaints.append(f"/{address}: {file} is too large")
        if picture in seen:
            complaints.append(f"/{address} and /{seen[picture]} have the same picture")
        seen[picture] = address
    assert not complaints, listed(complaints)


def test_the_font_of_the_pictures_has_every_letter(heads):
    package = metadata.distribution("pylopdf-fonts-zh-cn")
    font = TTFont(package.locate_file("pylopdf_fonts_zh_cn/NotoSerifSC-Regular.otf"))
    titles = "".join(said["og:title"] + said["og:site_name"] for said, _ in heads.values())
    assert "".join(sorted(set(titles) - {chr(code) for code in font.getBestCmap()})) == ""


def test_robots_find_the_map(site):
    assert read(site / "robots.txt").splitlines()[-1] == f"Sitemap: {OWN}sitemap.xml"
    assert not (site / "zh/robots.txt").exists(), "one is enough"


@needs_chinese
def test_what_is_not_there_is_said_in_both_languages(site):
    """A host serves one 404.html, whatever the edition."""
    for page in (site / "404.html", site / "zh/404.html"):
        text = read(page)
        assert re.search(r'<h1 lang="en">[A-Z]', text), page
        assert re.search(r'<h2 lang="zh-Hans">[\u4e00-\u9fff]', text), page
