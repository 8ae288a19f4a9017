"""The palette: the system's until a reader chooses, then the reader's; light on paper."""

import pytest
from playwright.sync_api import expect

PAPER = {"light": "rgb(251, 249, 244)", "dark": "rgb(26, 24, 22)"}


def paper(page):
    return page.evaluate("getComputedStyle(document.body).backgroundColor")


def shown(page):
    return page.evaluate(
        "[...new Set([...document.querySelectorAll('img[data-palette]')]"
        ".filter((image) => image.offsetParent).map((image) => image.dataset.palette))]"
    )


def prints_dark(page):
    page.emulate_media(media="print")
    ink = page.evaluate("getComputedStyle(document.querySelector('article')).color")
    page.emulate_media(media="screen")
    return ink != "rgb(31, 35, 40)"


@pytest.mark.parametrize("system", ["light", "dark"])
def test_the_system_decides_until_the_reader_does(served, window, system):
    other = "dark" if system == "light" else "light"
    with window(color_scheme=system) as page:
        page.goto(served + "theory/")
        button = page.get_by_role("button", name="Dark palette")
        assert paper(page) == PAPER[system]
        assert shown(page) == [system]
        assert button.get_attribute("aria-pressed") == str(system == "dark").lower()

        page.emulate_media(color_scheme=other)
        assert paper(page) == PAPER[other], "does not follow the system"
        page.emulate_media(color_scheme=system)
        # The page hears of it in an event of its own.
        pressed = str(system == "dark").lower()
        page.wait_for_function(f"document.querySelector('[aria-pressed={pressed}]')")

        button.focus()
        page.keyboard.press("Enter")
        assert paper(page) == PAPER[other]
        assert shown(page) == [other]
        assert not prints_dark(page)
        for address in ("theory/", "why/", "404.html"):
            page.goto(served + address)
            assert paper(page) == PAPER[other], f"forgets the choice on {address}"
            assert button.get_attribute("aria-pressed") == str(other == "dark").lower()
        page.emulate_media(color_scheme=system)
        assert paper(page) == PAPER[other], "the system overrules the reader"
        assert not prints_dark(page)


def test_without_javascript_the_system_decides(served, window):
    for system in ("light", "dark"):
        with window(color_scheme=system, java_script_enabled=False) as page:
            page.goto(served + "theory/")
            assert paper(page) == PAPER[system]
            expect(page.locator(f"img[data-palette={system}]").first).to_be_visible()
            expect(page.locator(".pe-palette")).to_be_hidden()


def test_the_choice_is_there_before_the_first_paint(served, window):
    """No flash: while the scripts of the page are still on their way, it is dark already."""
    with window(color_scheme="light") as page:
        page.goto(served + "why/")
        page.click(".pe-palette")
        page.route("**/*.js", lambda route: None)  # never answered
        page.goto(served + "theory/", wait_until="commit")
        page.wait_for_selector("article p")
        assert paper(page) == PAPER["dark"]
