"""Larger text: at twice its size, and where 1280 px are magnified to 400 %, nothing is lost."""

import pytest
from house import listed, needs_chinese

CONTROLS = """() => {
  const shown = [...document.querySelectorAll(".md-header :is(a, button), .md-search__form")]
    .filter((part) => part.checkVisibility({ visibilityProperty: true })
      && !part.matches(".md-search__form *"));
  const boxes = shown.map((part) => {
    const ink = document.createRange(); // what overflows counts too
    ink.selectNodeContents(part);
    return [part, ink.getBoundingClientRect()];
  });
  const name = ({ ariaLabel, textContent }) => ariaLabel || textContent.trim();
  const wrong = [];
  for (const [part, box] of boxes) {
    if (box.left < 0 || box.right > innerWidth) wrong.push(`${name(part)} leaves the window`);
    for (const [other, its] of boxes) {
      if (part === other || part.contains(other) || other.contains(part)) continue;
      const over = Math.min(box.right, its.right) - Math.max(box.left, its.left);
      const above = Math.min(box.bottom, its.bottom) - Math.max(box.top, its.top);
      if (over > 1 && above > 1) wrong.push(`${name(part)} lies over ${name(other)}`);
    }
  }
  return wrong;
}"""
WIDER = "document.documentElement.scrollWidth > innerWidth"
CULPRITS = """() => [...document.querySelectorAll("body *")]
    .filter((part) => part.getBoundingClientRect().right > innerWidth + 1
      && !part.closest(".table, pre, .diagram, .md-sidebar"))
    .map((part) => `${part.tagName.toLowerCase()}.${part.className}`).slice(0, 3)"""
SIZE = "parseFloat(getComputedStyle(document.querySelector('article p, article li')).fontSize)"


@pytest.mark.parametrize("edition", ["", pytest.param("zh/", marks=needs_chinese)])
@pytest.mark.parametrize(("width", "text"), [(320, 16), (1280, 32), (390, 32)])
def test_nothing_is_lost(served, pages, window, width, text, edition):
    """The size of the text is the browser's setting; 320 px are 1280 px at 400 %."""
    complaints = []
    with window(width) as page:
        page.goto(served)
        usual = page.evaluate(SIZE)
        session = page.context.new_cdp_session(page)
        session.send(
            "Page.setFontSizes", {"fontSizes": {"standard": text, "fixed": text * 13 // 16}}
        )
        page.reload()
        assert page.evaluate(SIZE) == pytest.approx(usual * text / 16, rel=0.02), "does not grow"
        for address in [a for a in pages if a.startswith("zh/") == (edition == "zh/")]:
            page.goto(served + address)
            page.eval_on_selector_all("details", "all => all.forEach((one) => one.open = true)")
            found = page.evaluate(CONTROLS)
            if page.evaluate(WIDER):
                found.append(f"scrolls sideways: {page.evaluate(CULPRITS)}")
            complaints += [f"/{address} ({width} px, text of {text} px): {what}" for what in found]
    assert not complaints, listed(complaints)
