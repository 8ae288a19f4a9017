"""Every page, wide and narrow, in both palettes: accessible, whole, quiet, and on its own."""

from urllib.parse import urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe
from house import listed, needs_chinese
from playwright.sync_api import expect

# In a program one word of each kind is enough: the rest have its colour, and become plain text.
# Most elements of a page are such words. It saves minutes.
SAME = """() => {
  const kinds = new Set();
  for (const word of document.querySelectorAll(".highlight span")) {
    const kind = `${word.className} ${word.closest("[class*=language]")?.className}`;
    if (kinds.has(kind) || !word.className) word.replaceWith(...word.childNodes);
    kinds.add(kind);
  }
  document.body.normalize();
}"""
# The shade at the edge of what scrolls is a gradient, and axe passes over text on gradients.
PLAIN = "*, ::before, ::after { background-image: none !important }"
TOO_WIDE = """() => [...document.querySelectorAll("body *")]
    .filter((part) => part.getBoundingClientRect().right > innerWidth + 1 && part.offsetParent)
    .map((part) => `${part.tagName.toLowerCase()}.${part.className}`).slice(0, 3)"""


def findings(page):
    for rule in Axe().run(page, None, {"resultTypes": ["violations"]}).response["violations"]:
        for node in rule["nodes"]:
            why = " ".join(check["message"] for check in node["any"][:1])
            yield f"axe, {rule['id']}: {rule['help']}. {why} {node['html'][:200]}"


@pytest.mark.parametrize("edition", ["", pytest.param("zh/", marks=needs_chinese)])
@pytest.mark.parametrize(("width", "palette"), [(1280, "light"), (390, "dark")])
def test_every_page_is_accessible_and_on_its_own(served, pages, window, width, palette, edition):
    own, complaints = urlsplit(served).netloc, []
    pages = [page for page in pages if page.startswith("zh/") == (edition == "zh/")]
    assert pages
    with window(width, color_scheme=palette, reduced_motion="reduce") as page:
        seen = []
        page.on("request", lambda request: seen.append(f"asks for {request.url}"))
        page.on("console", lambda message: seen.append(f"console: {message.text}"))
        page.on("pageerror", lambda error: seen.append(f"script fails: {error}"))
        for address in pages:
            seen.clear()
            page.goto(served + address)
            page.eval_on_selector_all("details", "all => all.forEach((one) => one.open = true)")
            page.evaluate(SAME)
            page.add_style_tag(content=PLAIN)
            found = [*findings(page)]
            page.click(".pe-palette")
            found += findings(page)
            page.click(".pe-palette")
            if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
                found.append(f"scrolls sideways: {page.evaluate(TOO_WIDE)}")
            found += [
                what for what in seen if urlsplit(what.removeprefix("asks for ")).netloc != own
            ]
            complaints += [f"/{address} ({width} px): {what}" for what in found]
    assert not complaints, listed(dict.fromkeys(complaints))


def test_every_page_is_whole_without_javascript(served, pages, window):
    complaints = []
    with window(390, java_script_enabled=False) as page:
        for address in pages:
            page.goto(served + address)
            for part in ("article h1", "article img[data-palette=light]"):
                if page.locator(part).count():
                    page.locator(part).first.wait_for(state="visible")
            if not page.locator("article h1").count():
                complaints.append(f"/{address}: no title")
            if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
                complaints.append(f"/{address}: scrolls sideways")
            for dead in page.locator("button:visible").all():
                complaints.append(f"/{address}: a button that does nothing: {dead.inner_text()}")
        page.goto(served + "theory/")
        page.click("label.pe-menu")
        page.click(".pe-nav >> a[href='../why/']")
        page.wait_for_url(served + "why/")
        fold = page.locator("details").first
        fold.locator("summary").click()
        expect(fold.locator(":scope > :nth-child(2)"), "an answer does not unfold").to_be_visible()
    assert not complaints, listed(complaints)
