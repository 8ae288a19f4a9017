"""A page on paper: all of it, open, in one column, with the addresses of its sources."""

import pytest
from house import listed, needs_chinese

A4 = 680  # px between margins of 15 mm
HIDDEN = ".md-header, .md-sidebar, .md-footer, .pe-copy, .pe-place__copies, .md-skip, .headerlink"
SHOWN = "all => all.filter((one) => one.checkVisibility()).map((one) => one.className)"
FOLDED = """() => [...document.querySelectorAll("details")].filter((fold) =>
  ![...fold.children].every((part) => part.checkVisibility({ contentVisibilityAuto: true })
    && part.getBoundingClientRect().height > 0)
).map((fold) => fold.querySelector("summary").textContent)"""
CUT = """() => [...document.querySelectorAll(".highlight code, .table, .formula, .diagram, img")]
  .filter((box) => box.checkVisibility()
    && (box.scrollWidth > box.clientWidth + 1 || box.getBoundingClientRect().right > innerWidth))
  .map((box) => `${box.tagName} ${box.textContent.trim().slice(0, 40)}`)"""
WRAPPED = """() => [...document.querySelectorAll(".run .language-python code")].filter((code) => {
  const lines = code.textContent.trimEnd().split("\\n").length;
  const style = getComputedStyle(code);
  const text = code.clientHeight - parseFloat(style.paddingTop) - parseFloat(style.paddingBottom);
  return text > (lines + 0.5) * parseFloat(style.lineHeight);
}).map((code) => code.textContent.slice(0, 60))"""
IN_SOURCES = "link => Boolean(link.closest('#sources ~ *'))"
ADDRESS = "link => getComputedStyle(link, '::after').content"


@pytest.mark.parametrize("edition", ["", pytest.param("zh/", marks=needs_chinese)])
@pytest.mark.parametrize("script", [True, False], ids=["script", "no-script"])
def test_every_page_prints_whole(served, pages, window, edition, script):
    complaints = []
    chosen = [page for page in pages if page.startswith("zh/") == (edition == "zh/")]
    with window(A4, java_script_enabled=script, color_scheme="dark") as page:
        page.emulate_media(media="print")
        for address in chosen if script else [f"{edition}theory/", f"{edition}exercises/"]:
            page.goto(served + address)
            found = [f"on paper: {part}" for part in page.eval_on_selector_all(HIDDEN, SHOWN)]
            found += [f"folded: {what}" for what in page.evaluate(FOLDED)]
            found += [f"cut: {what}" for what in page.evaluate(CUT)]
            found += [
                f"a line of this program is broken: {what}" for what in page.evaluate(WRAPPED)
            ]
            complaints += [f"/{address}: {what}" for what in found]
    assert not complaints, listed(complaints)


def test_addresses_stand_in_the_sources_only(served, window):
    with window(A4) as page:
        page.emulate_media(media="print")
        page.goto(served + "pitfalls-table/")
        for source in True, False:
            links = page.locator("article a[href^=http]:not([class])")
            link = next(one for one in links.all() if one.evaluate(IN_SOURCES) == source)
            assert ("http" in link.evaluate(ADDRESS)) == source, link.inner_text()
