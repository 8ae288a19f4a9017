"""What stays in a browser: two choices, no cookie; and nothing dead for one without JavaScript."""

from house import needs_chinese
from playwright.sync_api import expect


@needs_chinese
def test_two_choices_stay_and_no_cookie(served, window):
    """As docs/en/about.md#privacy says."""
    with window(locale="zh-CN") as page:
        page.goto(served + "theory/")
        page.click(".pe-palette")
        page.locator(".pe-offer").get_by_role("button").click()
        page.press("body", "Control+k")
        page.keyboard.type("attention")
        page.locator(".md-search-result__link").first.click()
        page.wait_for_url("**h=attention*")
        assert page.context.cookies() == []
        assert page.evaluate("Object.keys(localStorage).sort()") == ["pe.offer", "pe.palette"]
        assert page.evaluate("Object.keys(sessionStorage)") == []
        assert page.evaluate("indexedDB.databases().then((all) => all.length)") == 0


def test_no_control_is_dead_without_javascript(served, window):
    for width in (1280, 390):
        with window(width, java_script_enabled=False) as page:
            page.goto(served + "theory/")
            for control in page.locator("button, input:not(.md-toggle), select, textarea").all():
                expect(control, control.evaluate("it => it.outerHTML")).to_be_hidden()
