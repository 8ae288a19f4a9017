"""The built site: no warning, no dead link or anchor, whole with and without a repository."""

import json
import re
from html.parser import HTMLParser
from urllib.parse import unquote, urlsplit

import pytest
from building import OWN, PREFIX, build_site
from house import ROOT, listed, needs_chinese

ADDRESSES = {"href", "src", "poster", "data", "action", "xlink:href"}


class Page(HTMLParser):
    """The ids of a page, and the addresses it names, each with its line."""

    def __init__(self, html):
        super().__init__()
        self.ids, self.addresses = set(), []
        self.feed(html)

    def handle_starttag(self, tag, attributes):
        line = self.getpos()[0]
        for key, value in attributes:
            if key == "id" or (key == "name" and tag == "a"):
                self.ids.add(value)
            elif key in ADDRESSES:
                self.addresses.append((line, value or ""))
            elif key == "srcset":
                self.addresses += [(line, part.split()[0]) for part in value.split(",")]


def dead_links(site):
    """Addresses in a folder's HTML files, search indexes and sitemap that lead nowhere."""
    pages = {file: Page(file.read_text(encoding="utf-8")) for file in site.rglob("*.html")}

    def leads_nowhere(address, page):
        parts = urlsplit(
            address.replace(OWN, f"{PREFIX}/") if address.startswith(OWN) else address
        )
        if parts.scheme or parts.netloc:
            return None
        target = page
        if parts.path.startswith("/"):
            if not parts.path.startswith(f"{PREFIX}/"):
                return "leaves the site"
            target = site / unquote(parts.path).removeprefix(f"{PREFIX}/")
        elif parts.path:
            target = page.parent / unquote(parts.path)
        target = target.resolve()
        if target.is_dir():
            target /= "index.html"
        if not target.is_file():
            return "there is no such file"
        fragment = unquote(parts.fragment)
        # A browser knows the top of a page without an id.
        if fragment and target in pages and fragment not in pages[target].ids | {"top"}:
            return f"no element there has the id {fragment}"
        return None

    named = [(f, f, line, address) for f in pages for line, address in pages[f].addresses]
    for index in site.rglob("search_index.json"):
        entries = json.loads(index.read_text(encoding="utf-8"))["docs"]
        home = index.parents[1] / "index.html"
        named += [(index, home, 1, entry["location"]) for entry in entries]
    for sitemap in site.rglob("sitemap.xml"):
        urls = re.findall(r"<loc>(.*?)</loc>|href=\"(.*?)\"", sitemap.read_text(encoding="utf-8"))
        named += [(sitemap, sitemap, 1, loc or href) for loc, href in urls]
    for file, page, line, address in named:
        if why := leads_nowhere(address, page):
            yield f"{file.relative_to(site).as_posix()}:{line}: {address or '(empty)'}: {why}"


def test_no_dead_link(site):
    found = list(dead_links(site.resolve()))
    assert not found, listed(found)


@needs_chinese
def test_both_editions_are_there(site):
    for language, folder in {"en": site, "zh": site / "zh"}.items():
        assert f'<html lang="{language}"' in (folder / "index.html").read_text(encoding="utf-8")


def test_a_site_without_a_repository_links_to_none(site):
    for file in site.rglob("*.html"):
        html = file.read_text(encoding="utf-8")
        assert 'rel="edit"' not in html and 'href=""' not in html, file


def test_a_fork_names_its_repository_by_environment(tmp_path):
    repository = "https://example.org/someone/fork"
    build = build_site(tmp_path / "site", REPO_URL=repository, EDIT_URI="edit/main/docs/en/")
    assert build.returncode == 0, build.stdout
    editions = list((tmp_path / "site").rglob("why/index.html"))
    for page in editions:
        html = page.read_text(encoding="utf-8")
        language = "zh" if "zh" in page.parts else "en"
        assert f'href="{repository}/edit/main/docs/{language}/why.md"' in html
        assert f'href="{repository}"' in html
    assert editions


def test_a_warning_stops_the_build(tmp_path):
    """mkdocs.yml itself is strict, for `mkdocs serve` and for `mkdocs build`."""
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/index.md").write_text("# Title\n\n[dead](nowhere.md)\n")
    config = {"INHERIT": str(ROOT / "mkdocs.yml"), "docs_dir": "docs", "nav": [], "hooks": []}
    config |= {"theme": {"custom_dir": str(ROOT / "docs/theme")}, "watch": [], "extra_css": []}
    (tmp_path / "mkdocs.yml").write_text(json.dumps(config), encoding="utf-8")
    build = build_site(tmp_path / "site", config=tmp_path / "mkdocs.yml")
    assert build.returncode != 0 and "nowhere.md" in build.stdout


@pytest.mark.parametrize(
    ("address", "complaint"),
    [
        ("other/", None),
        ("other/#here", None),
        ("other/index.html", None),
        ("#top", None),
        (f"{PREFIX}/other/", None),
        (f"{OWN}other/#here", None),
        ("https://arxiv.org/abs/1706.03762", None),
        ("mailto:someone@example.org", None),
        ("nowhere/", "nowhere/: there is no such file"),
        ("picture.svg", "picture.svg: there is no such file"),
        ("other/#gone", "other/#gone: no element there has the id gone"),
        ("#gone", "#gone: no element there has the id gone"),
        ("/other/", "/other/: leaves the site"),
        (f"{OWN}gone/", f"{OWN}gone/: there is no such file"),
    ],
)
def test_dead_links_are_found(tmp_path, address, complaint):
    (tmp_path / "other").mkdir()
    (tmp_path / "other/index.html").write_text('<h1 id="here">x</h1>')
    (tmp_path / "index.html").write_text(f'<p>\n<a href="{address}">x</a>')
    found = list(dead_links(tmp_path))
    assert found == ([] if complaint is None else [f"index.html:2: {complaint}"])


def test_dead_search_results_and_sitemap_entries_are_found(tmp_path):
    (tmp_path / "search").mkdir()
    (tmp_path / "index.html").write_text('<h1 id="here">x</h1>')
    entries = [{"location": ""}, {"location": "#here"}, {"location": "gone/#x"}]
    (tmp_path / "search/search_index.json").write_text(json.dumps({"docs": entries}))
    (tmp_path / "sitemap.xml").write_text(f"<loc>{OWN}</loc><loc>{OWN}away/</loc>")
    assert [complaint.split(": there")[0] for complaint in dead_links(tmp_path)] == [
        "search/search_index.json:1: gone/#x",
        f"sitemap.xml:1: {OWN}away/",
    ]
