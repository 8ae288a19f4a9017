"""Everything is reached and worked with the keyboard, and one always sees where one is."""

import pytest
from playwright.sync_api import expect

FOCUS = """() => {
  const it = document.activeElement, style = getComputedStyle(it);
  const box = it.getBoundingClientRect();
  const x = Math.min(Math.max(box.x + box.width / 2, 1), innerWidth - 1);
  const y = Math.min(Math.max(box.y + box.height / 2, 1), innerHeight - 1);
  const on_top = document.elementFromPoint(x, y);
  return {
    name: `${it.tagName.toLowerCase()}.${it.className} ${it.textContent.trim().slice(0, 30)}`,
    end: it === document.body,
    outlined: style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2,
    inside: box.width > 0 && box.height > 0 && box.bottom > 0 && box.right > 0
      && box.top < innerHeight && box.left < innerWidth,
    covered: !(on_top && (it.contains(on_top) || on_top.contains(it))),
  };
}"""


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("address", ["", "theory/", "404.html"])
def test_focus_is_always_visible(served, window, width, address):
    with window(width, reduced_motion="reduce") as page:
        page.goto(served + address)
        for _ in range(400):
            page.keyboard.press("Tab")
            focus = page.evaluate(FOCUS)
            if focus["end"]:
                break
            assert focus["outlined"], f"no outline: {focus['name']}"
            assert focus["inside"], f"out of sight: {focus['name']}"
            assert not focus["covered"], f"covered: {focus['name']}"
        else:
            pytest.fail("Tab never comes to the end of the page")


def test_the_list_of_pages_opens_and_closes(served, window):
    with window(390, reduced_motion="reduce") as page:
        page.goto(served + "theory/")
        menu = page.get_by_role("button", name="Pages")
        menu.focus()
        page.keyboard.press("Enter")
        assert menu.get_attribute("aria-expanded") == "true"
        assert page.evaluate("document.activeElement.getAttribute('aria-current')") == "page"
        page.keyboard.press("Escape")
        assert menu.get_attribute("aria-expanded") == "false"
        assert menu.evaluate("button => document.activeElement === button")
        expect(page.locator(".pe-nav")).to_be_hidden()


@pytest.mark.parametrize("width", [1280, 390])
def test_search_opens_with_control_k_and_comes_then(served, window, width):
    with window(width, reduced_motion="reduce") as page:
        asked = []
        page.on("request", lambda request: asked.append(request.url))
        page.goto(served + "theory/")
        page.wait_for_load_state("networkidle")
        assert not [url for url in asked if "bundle" in url or "search" in url], "not lazy"
        page.keyboard.press("Control+k")
        page.keyboard.type("attention")  # before the script can be there
        page.locator(".md-search-result__link").first.wait_for(state="visible")
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Enter")
        page.wait_for_url("**h=attention*")
        page.locator("article mark").first.wait_for()


def test_no_letter_alone_does_anything(served, window):
    with window() as page:
        page.goto(served + "theory/")
        page.keyboard.press("Control+k")
        page.keyboard.type("attention")  # now the theme's script is there
        page.locator(".md-search-result__link").first.wait_for(state="visible")
        page.keyboard.press("Escape")
        for key in "fs/pn,.":
            page.keyboard.press(key)
        page.wait_for_timeout(300)
        assert page.url == served + "theory/"
        assert not page.locator("#__search").is_checked()


def test_search_closes_with_escape(served, window):
    with window(390, reduced_motion="reduce") as page:
        page.goto(served + "theory/")
        page.get_by_role("button", name="Search").click()
        page.keyboard.type("attention")
        page.locator(".md-search-result__link").first.wait_for(state="visible")
        page.keyboard.press("Escape")
        page.locator(".md-search__inner").wait_for(state="hidden")
        assert page.evaluate("document.activeElement.className").startswith("md-icon pe-button")


def test_what_scrolls_can_be_scrolled_by_keyboard(served, window):
    with window(390) as page:
        page.goto(served + "theory/")
        scrolling = page.evaluate(
            "[...document.querySelectorAll('article *')].filter((part) => part.offsetParent"
            " && part.scrollWidth > part.clientWidth + 1"
            " && getComputedStyle(part).overflowX === 'auto').map((part) => part.tabIndex)"
        )
        assert scrolling
        assert set(scrolling) == {0}


def test_copy_takes_the_program_and_says_so(served, window):
    with window(permissions=["clipboard-read", "clipboard-write"]) as page:
        page.goto(served + "theory/")
        run = page.locator(".run").first
        button = run.get_by_role("button", name="Copy to clipboard")
        assert button.count() == 1, "one button, for the program; none for the output"
        button.click()
        run.get_by_role("button", name="Copied to clipboard").wait_for()
        program = run.locator(".language-python code").text_content()
        assert page.evaluate("navigator.clipboard.readText()") == program
