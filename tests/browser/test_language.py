"""From each page to the same page in the other language, and the offer of the Chinese page."""

import pytest
from house import listed, needs_chinese
from playwright.sync_api import expect

pytestmark = needs_chinese
LANGUAGE = ".pe-language"
SHIFTS = """() => new Promise((done) => {
  let shifted = 0;
  new PerformanceObserver((list) => {
    for (const shift of list.getEntries()) shifted += shift.value;
  }).observe({ type: "layout-shift", buffered: true });
  setTimeout(() => done(shifted), 300);
})"""


@pytest.mark.parametrize("script", [True, False], ids=["script", "no-script"])
def test_switch(served, pages, window, script):
    """Without scripts, tests/test_editions.py has looked at each link already."""
    complaints = []
    english = [address for address in pages if not address.startswith("zh/")]
    with window(java_script_enabled=script) as page:
        for address in [a for a in english if a != "404.html"][: None if script else 3]:
            page.goto(served + address)
            for edition, language in ("zh/", "zh"), ("", "en"):
                page.click(LANGUAGE)
                page.wait_for_load_state()
                if page.url != served + edition + address:
                    complaints.append(f"/{address}: the switch to {language} leads to {page.url}")
                    break
                if page.get_attribute("html", "lang") != language:
                    complaints.append(f"/{edition}{address}: is not in {language}")
    assert not complaints, listed(complaints)


@pytest.mark.parametrize("script", [True, False], ids=["script", "no-script"])
def test_switch_where_there_is_no_page(served, window, script):
    for address in ("gone/", "zh/gone/", "zh/404.html"):
        with window(java_script_enabled=script) as page:
            page.goto(served + address)
            there = "" if address == "zh/404.html" else "zh/"
            page.click(LANGUAGE)
            page.wait_for_url(served + there)


def test_switch_keeps_the_section(served, window):
    with window() as page:
        page.goto(served + "theory/#uniqueness")
        page.click(LANGUAGE)
        page.wait_for_url(served + "zh/theory/#uniqueness")


def offer(page):
    return page.locator(".pe-offer")


def test_offer(served, window):
    with window(width=390, locale="zh-CN") as page:
        page.goto(served + "theory/")
        expect(offer(page)).to_be_visible()
        offer(page).get_by_role("link").click()
        page.wait_for_url(served + "zh/theory/")
        assert offer(page).count() == 0


def test_offer_remembers_a_no(served, window):
    with window(locale="zh-TW") as page:
        page.goto(served + "theory/")
        offer(page).get_by_role("button").click()
        expect(offer(page)).to_be_hidden()
        assert page.evaluate("document.activeElement.className") == "pe-language"
        for address in ("theory/", "", "why/"):
            page.goto(served + address)
            expect(offer(page), address).to_be_hidden()


def test_who_comes_from_a_chinese_page_has_chosen(served, window):
    with window(locale="zh-CN") as page:
        page.goto(served + "zh/theory/")
        page.click(LANGUAGE)
        page.wait_for_url(served + "theory/")
        expect(offer(page)).to_be_hidden()
        page.goto(served + "why/")
        expect(offer(page)).to_be_hidden()


@pytest.mark.parametrize("locale", ["en-US", "ja-JP"])
def test_no_offer_to_others(served, window, locale):
    with window(locale=locale) as page:
        page.goto(served + "theory/")
        expect(offer(page)).to_be_hidden()


def test_no_offer_without_script(served, window):
    with window(locale="zh-CN", java_script_enabled=False) as page:
        page.goto(served + "theory/")
        expect(offer(page)).to_be_hidden()


@pytest.mark.parametrize("locale", ["en-US", "zh-CN"])
def test_nothing_jumps(served, window, locale):
    with window(width=390, locale=locale) as page:
        page.goto(served + "why/")
        expect(offer(page)).to_be_visible(visible=locale == "zh-CN")
        assert page.evaluate(SHIFTS) < 0.01


def test_offer_is_accessible(served, window):
    from axe_playwright_python.sync_playwright import Axe

    for scheme in ("light", "dark"):
        with window(width=390, locale="zh-CN", color_scheme=scheme) as page:
            page.goto(served + "why/")
            expect(offer(page)).to_be_visible()
            found = Axe().run(page, ".pe-offer").response["violations"]
            assert not found, [violation["help"] for violation in found]
