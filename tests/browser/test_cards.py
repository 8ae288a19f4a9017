"""The word cards: their numbers are the program's, and every way to move a word works."""

import contextlib
import gzip
import io
import itertools
import random
import re

import pytest
import torch
from house import ROOT, listed, needs_chinese, read
from playwright.sync_api import expect
from test_every_page import findings
from test_weight import parts, size

WORDS = ["我", "爱", "NLP"]
PROGRAM = re.search(r"```python\n(.*?)^```$", read(ROOT / "snippets/why/cards.md"), re.S | re.M)[1]
ADD, REVERSE, BACK = "Add positions", "Reverse the order", "Back to the start"
ROWS = """() => [...document.querySelectorAll(".pe-cards tbody tr")].map((row) => ({
  word: row.querySelector("th").textContent,
  pos: row.querySelector("td").textContent,
  values: [...row.querySelectorAll("data")].map((cell) => Number(cell.value)),
  shown: [...row.querySelectorAll("data")].map((cell) => cell.textContent).join(" "),
}))"""
CARDS = """() => [...document.querySelectorAll(".pe-card")].map((card) => ({
  word: card.querySelector("bdi").textContent,
  pos: card.querySelector(".pe-card__pos").textContent,
  state: card.querySelector(".pe-card__state").textContent,
  name: card.querySelector("button").textContent,
  bars: [...card.querySelectorAll(".pe-card__bar")].map((bar) => bar.style.transform),
  outlines: [...card.querySelectorAll(".pe-card__ghost")].map((bar) => bar.style.transform),
}))"""


def definitions():
    """The program up to where it prints, for as many positions as there may be words."""
    names = {}
    exec(PROGRAM.partition("\nfor words")[0].replace("T, d = 3, 8", "T, d = 8, 8"), names)
    assert names["P"].shape == (8, 8)
    return names


def computed(words, encoded, names=definitions()):  # noqa: B008
    """What the program computes for any words, without or with positions."""
    x = torch.stack([names["embed"](word) for word in words])
    return names["attention"](x + names["P"][: len(words)] if encoded else x)


@pytest.fixture
def cards(served, window):
    """`with cards("why/") as page:` is a page whose cards have come."""

    @contextlib.contextmanager
    def opened(address="why/", width=1280, reduced_motion="reduce", **options):
        with window(width, reduced_motion=reduced_motion, **options) as page:
            failed = []
            page.on("pageerror", lambda error: failed.append(error))
            page.goto(served + address)
            page.wait_for_selector(".pe-cards--on")
            page.locator(".pe-cards").scroll_into_view_if_needed()
            yield page
            assert not failed, failed

    return opened


def order(page):
    return [card["word"] for card in page.evaluate(CARDS)]


def values(page):
    return {row["word"]: row["values"] for row in page.evaluate(ROWS)}


def states(page):
    return [card["state"][:1] for card in page.evaluate(CARDS)]


def said(page):
    return page.locator(".pe-cards__said").inner_text()


def press(page, name):
    page.get_by_role("button", name=name).click()


def fill(page, text):
    page.locator("#pe-cards-own").fill(text)


def middle(page, word):
    box = page.locator(".pe-card", has_text=word).bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def difference(page, encoded):
    rows = page.evaluate(ROWS)
    wanted = computed([row["word"] for row in rows], encoded)
    return (torch.tensor([row["values"] for row in rows]) - wanted).abs().max().item()


# The numbers -----------------------------------------------------------------------------------


@pytest.mark.parametrize("address", ["why/", pytest.param("zh/", marks=needs_chinese)])
def test_the_table_shows_what_the_program_prints(cards, address):
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(PROGRAM, {})
    shown = []
    with cards(address) as page:
        for reverse in (False, True):
            if reverse:
                page.locator(".pe-cards__button").first.click()
            for name in ("x", "x + P"):
                page.get_by_role("switch").set_checked(name == "x + P")
                shown += [f"{r['shown']} {name} {r['word']}" for r in page.evaluate(ROWS)]
    assert shown == printed.getvalue().splitlines()


def test_every_order_of_the_three_words(cards):
    with cards() as page:
        start = values(page)
        for wanted in itertools.permutations(WORDS):
            for place, word in enumerate(wanted):
                page.locator(".pe-card__word", has_text=word).focus()
                while order(page).index(word) > place:
                    page.keyboard.press("ArrowLeft")
            assert tuple(order(page)) == wanted
            assert difference(page, encoded=False) < 1e-5
            now = values(page)
            assert all(now[word] == pytest.approx(start[word], abs=1e-12) for word in WORDS)
            page.get_by_label(ADD).check()
            assert difference(page, encoded=True) < 1e-5
            assert [row["pos"] for row in page.evaluate(ROWS)] == ["0", "1", "2"]
            assert [card["pos"] for card in page.evaluate(CARDS)] == [
                f"pos = {at}" for at in range(3)
            ]
            assert set(states(page)) == {"" if wanted == tuple(WORDS) else "≠"}
            page.get_by_label(ADD).uncheck()


def test_any_words(cards):
    chance = random.Random(0)
    vocabulary = [
        "我",
        "爱",
        "NLP",
        "人",
        "咬",
        "狗",
        "词元",
        "位置编码",
        "Attention",
        "I",
        "é",
        "e\u0301",
    ]
    vocabulary += ["🙂", "👩‍💻", "🇨🇳", "<b>", "&amp;", "0", "-1.5", "“”", "𠮷", "שלום", "x" * 60]
    blanks = [" ", "  ", "\t", "\u3000", "\u00a0 "]
    worst = 0
    with cards() as page:
        for count in [1, 8, *chance.choices(range(1, 9), k=58)]:
            words = chance.choices(vocabulary, k=count)
            text = "".join(word + chance.choice(blanks) for word in words)
            # Alone, Chinese would be cut into characters.
            fill(page, chance.choice(["", " "]) + text)
            if count > 1:
                assert order(page) == words
            for encoded in (False, True):
                page.get_by_label(ADD).set_checked(encoded)
                worst = max(worst, difference(page, encoded))
                assert worst < 1e-5, (words, encoded)
    print(f"largest difference from float32: {worst:.1e}")


def test_bars_show_the_values(cards):
    """All of one scale, none cut; the outline is the start."""
    factor = re.compile(r"scaleY\((.*)\)")
    with cards() as page:
        fill(page, "a b c a d")
        page.get_by_label(ADD).check()
        start = page.evaluate(CARDS)
        press(page, REVERSE)
        rows, now = page.evaluate(ROWS), page.evaluate(CARDS)
        scales = set()
        for row, card, first in zip(rows, now, start[::-1], strict=True):
            assert card["outlines"] == first["bars"] != card["bars"]
            for value, bar in zip(row["values"], card["bars"], strict=True):
                height = float(factor.match(bar)[1])
                assert abs(height) <= 1
                scales.add(round(value / height, 3))
        assert len(scales) == 1, scales
        box = "e => [...e.querySelectorAll('.pe-card__bar')].map(b => b.getBoundingClientRect())"
        boxes = page.locator(".pe-card").first.evaluate(box)
        zero = page.locator(".pe-card__zero").first.bounding_box()["y"]
        for value, drawn in zip(rows[0]["values"], boxes, strict=True):
            above = zero - (drawn["y"] + drawn["height"] / 2) > 0
            assert abs(value) < 0.02 or above == (value > 0)


# Moving ----------------------------------------------------------------------------------------


def test_without_positions_nothing_changes_and_with_them_it_does(cards):
    with cards("") as page:
        assert states(page) == [""] * 3
        assert said(page).startswith("The words stand as at the start")
        press(page, REVERSE)
        assert order(page) == WORDS[::-1]
        assert states(page) == ["="] * 3
        assert "No output has changed" in said(page)
        page.get_by_label(ADD).check()
        assert states(page) == ["≠"] * 3
        assert "Every output has changed" in said(page)
        press(page, BACK)
        assert order(page) == WORDS
        assert said(page).startswith("Positions are added, so bars and outlines are new.")
        page.get_by_label(ADD).uncheck()
        assert said(page).startswith("The words stand as at the start")


def test_the_same_word_twice(cards):
    with cards() as page:
        fill(page, "NLP 爱 NLP")
        first, _, last = page.evaluate(CARDS)
        assert first["bars"] == last["bars"]
        assert "NLP stands there more than once, with the same bars." in said(page)
        page.get_by_label(ADD).check()
        first, _, last = page.evaluate(CARDS)
        assert first["bars"] != last["bars"]
        assert "NLP stands there more than once, with different bars." in said(page)


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_mouse(cards, motion):
    with cards(reduced_motion=motion) as page:
        before = values(page)
        page.mouse.move(*middle(page, "NLP"))
        page.mouse.down()
        x, y = middle(page, "我")
        page.mouse.move(x + 20, y + 30, steps=12)
        assert order(page) == ["NLP", "我", "爱"], "the others make room while one is dragged"
        held = page.locator(".pe-card--held").bounding_box()
        first = page.locator(".pe-cards__list").bounding_box()
        place = held["x"] - first["x"], held["y"] - first["y"]
        assert place == pytest.approx((20, 30), abs=3), "it is not under the mouse"
        page.mouse.up()
        assert not page.locator(".pe-card--held").count()
        assert all(now == pytest.approx(before[word]) for word, now in values(page).items())
        assert said(page).startswith("NLP is word 1 of 3. No output has changed")
        moving = page.evaluate("document.getAnimations().filter((a) => a.effect.target).length")
        assert not (moving and motion == "reduce")
        # While cards still slide, they are not where the mouse would look for them.
        page.wait_for_function("!document.getAnimations().some((a) => a.effect.target)")
        page.mouse.move(*middle(page, "NLP"))
        page.mouse.down()
        page.mouse.move(*middle(page, "爱"), steps=5)
        assert order(page)[-1] == "NLP"
        page.keyboard.press("Escape")
        assert order(page) == ["NLP", "我", "爱"], "Escape takes the word back"
        page.mouse.up()


def test_motion_is_there_and_can_be_reduced(cards):
    for motion in ("reduce", "no-preference"):
        with cards(reduced_motion=motion) as page:
            press(page, REVERSE)
            moves = page.evaluate("document.getAnimations().length")
            assert bool(moves) == (motion == "no-preference")


def test_touch(cards):
    with cards("zh/", 390, has_touch=True, is_mobile=True) as page:
        devtools = page.context.new_cdp_session(page)

        def touch(kind, *points):
            points = [{"x": x, "y": y} for x, y in points]
            devtools.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

        (x, y), (to, _) = middle(page, "我"), middle(page, "NLP")
        touch("touchStart", (x, y))
        for step in range(1, 11):
            touch("touchMove", (x + (to - x) * step / 10, y))
        touch("touchEnd")
        assert order(page) == ["爱", "NLP", "我"]
        # A finger that goes up or down on the bars scrolls the page.
        scrolled = page.evaluate("scrollY")
        x, y = middle(page, "爱")
        touch("touchStart", (x, y))
        for step in range(1, 11):
            touch("touchMove", (x, y - 20 * step))
        touch("touchEnd")
        page.wait_for_function(f"scrollY > {scrolled}")
        assert order(page) == ["爱", "NLP", "我"]


def test_keyboard(cards):
    with cards() as page:
        page.get_by_label(ADD).focus()
        page.keyboard.press("Tab")
        active = "document.activeElement.textContent"
        assert page.evaluate(active) == "我, word 1 of 3"
        for key, wanted in [
            ("ArrowRight", ["爱", "我", "NLP"]),
            ("ArrowDown", ["爱", "NLP", "我"]),
            ("ArrowRight", ["爱", "NLP", "我"]),
            ("Home", ["我", "爱", "NLP"]),
            ("End", ["爱", "NLP", "我"]),
            ("ArrowLeft", ["爱", "我", "NLP"]),
            ("ArrowUp", ["我", "爱", "NLP"]),
            ("Control+ArrowRight", ["我", "爱", "NLP"]),
        ]:
            page.keyboard.press(key)
            assert order(page) == wanted, key
            place = wanted.index("我") + 1
            assert page.evaluate(active) == f"我, word {place} of 3", f"{key}: focus is lost"
            assert page.evaluate("document.activeElement.matches(':focus-visible')")
        page.keyboard.press("ArrowRight")
        assert said(page).startswith("我 is word 2 of 3. No output has changed")
        for wanted in ("NLP, word 3 of 3", BACK):  # the arrows on the cards take no Tab
            page.keyboard.press("Tab")
            assert page.evaluate(active) == wanted


def test_arrows(cards):
    with cards(has_touch=True) as page:
        page.get_by_role("button", name="Move 爱 to the left").click()
        assert order(page) == ["爱", "我", "NLP"]
        page.get_by_role("button", name="Move 爱 to the right").click()
        assert order(page) == WORDS
        small = page.evaluate("""[...document.querySelectorAll(
            ".pe-cards button, .pe-cards__switch, .pe-cards input[type=text]")]
          .map((part) => [part.textContent, part.offsetWidth, part.offsetHeight])
          .filter(([, width, height]) => width < 44 || height < 44)""")
        assert not small


# Words of one's own ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "words", "note"),
    [
        ("dog bites man", ["dog", "bites", "man"], ""),
        ("  人\u3000咬\n狗 ", ["人", "咬", "狗"], ""),
        ("我爱NLP", WORDS, ""),
        ("a b c d e f g h", list("abcdefgh"), ""),
        (
            "a b c d e f g h i j",
            list("abcdefgh"),
            "These are 10 words. The cards show the first 8.",
        ),
        ("", WORDS, "No word is there. The cards show the last ones."),
        ("one", ["one"], "A single word has no order. Write two or more."),
        ("to antidisestablishmentarianism", None, "A long word is cut short on its card."),
    ],
)
def test_own_words(cards, text, words, note):
    with cards(width=390) as page:
        fill(page, text)
        assert order(page) == (words or text.split())
        assert page.locator("#pe-cards-note").inner_text().startswith(note)
        assert bool(note) == bool(page.locator("#pe-cards-note").inner_text())
        assert page.locator("#pe-cards-own").input_value() == text.replace("\n", " ")
        assert not page.evaluate("document.documentElement.scrollWidth > innerWidth")


def test_words_are_text(cards):
    evil = "<img/src=x/onerror=window.hit=1> <script>window.hit=1</script> \"'&lt;b&gt;"
    with cards() as page:
        fill(page, evil)
        page.get_by_label(ADD).check()
        press(page, REVERSE)
        page.keyboard.press("Tab")
        assert sorted(order(page)) == sorted(evil.split())
        assert not page.locator(".pe-cards :is(img, script, b)").count()
        page.wait_for_timeout(100)
        assert page.evaluate("window.hit") is None


# The page around them --------------------------------------------------------------------------


@needs_chinese
@pytest.mark.parametrize("address", ["zh/", "zh/why/"])
def test_in_chinese(cards, address):
    with cards(address) as page:
        fill(page, "我 爱 我 长长长长长长长长长长长长长长长")
        text = page.locator(".pe-cards").inner_text()
        for action in (REVERSE, "add", "many", "empty"):
            if action == REVERSE:
                page.locator(".pe-cards__button").first.click()
            elif action == "add":
                page.get_by_role("switch").check()
            else:
                fill(page, "甲 " * 9 if action == "many" else "")
            text += page.locator(".pe-cards").inner_text()
        labels = "all => all.map((part) => part.getAttribute('aria-label')).join()"
        text += page.locator(".pe-cards [aria-label]").evaluate_all(labels)
        assert set(re.findall("[A-Za-z]+", text)) <= {"pos"}
        assert "undefined" not in text


def test_only_where_they_are_used(site):
    loading = [p for p in site.rglob("index.html") if "assets/cards." in read(p)]
    holding = [p for p in site.rglob("index.html") if 'class="pe-cards"' in read(p)]
    assert loading == holding
    names = {path.relative_to(site).as_posix().removeprefix("zh/") for path in holding}
    assert names == {"index.html", "why/index.html"}


def test_weight(site):
    both = [site / f"assets/cards.{kind}" for kind in ("js", "css")]
    assert sum(len(gzip.compress(file.read_bytes(), 9, mtime=0)) for file in both) <= 8000
    assert sum(map(size, parts(site, site / "index.html"))) <= 40_000


@pytest.mark.parametrize("address", ["", "why/"])
def test_without_javascript(served, window, address):
    with window(390, java_script_enabled=False) as page:
        page.goto(served + address)
        expect(page.locator(".pe-cards table")).to_be_visible()
        assert not page.locator(".pe-cards :is(button, input)").count()
    with window() as page:  # the script does not come
        page.route("**/cards.js", lambda route: route.abort())
        page.goto(served + address)
        page.locator(".pe-cards table").wait_for(state="visible")


@pytest.mark.parametrize("address", ["", pytest.param("zh/", marks=needs_chinese)])
@pytest.mark.parametrize("width", [1280, 390])
def test_nothing_jumps_when_they_come(served, window, width, address):
    heights = []
    for comes in (False, True):
        with window(width) as page:
            if not comes:
                page.route("**/cards.js", lambda route: route.abort())
            page.goto(served + address)
            page.wait_for_selector(".pe-cards--on" if comes else ".pe-cards")
            heights.append(page.locator(".pe-cards").bounding_box()["height"])
    assert heights[0] == pytest.approx(heights[1], abs=20)


@pytest.mark.parametrize("address", ["", pytest.param("zh/", marks=needs_chinese)])
def test_the_first_screen_of_the_home_page_holds_them(served, window, address):
    with window(1280, 900) as page:
        page.goto(served + address)
        box = page.locator(".pe-cards__said strong").bounding_box()
        assert box["y"] + box["height"] <= 900, "what they say is below the fold"


@pytest.mark.parametrize(("width", "palette"), [(1280, "dark"), (390, "light")])
def test_accessible_in_each_state(cards, width, palette):
    complaints = []
    with cards("", width, color_scheme=palette, has_touch=width < 500) as page:
        press(page, REVERSE)
        page.locator(".pe-cards summary").click()
        complaints += [f"reversed: {found}" for found in findings(page)]
        page.get_by_label(ADD).check()
        fill(page, "我 爱 NLP 我 a b c antidisestablishmentarianism too many")
        press(page, REVERSE)
        complaints += [f"eight words, positions: {found}" for found in findings(page)]
        page.click(".pe-palette")
        complaints += [f"other palette: {found}" for found in findings(page)]
        roles = [page.get_by_role("listitem").filter(has=page.locator(".pe-card__word")).count()]
        roles += [page.get_by_role("status").count(), page.get_by_role("switch").count()]
    assert not complaints, listed(complaints)
    assert roles == [8, 2, 1]


def test_colours_mean_what_they_mean_elsewhere(cards):
    """Blue for words, green for words with positions; to be seen in both palettes."""
    look = """(role) => {
      const probe = document.body.appendChild(document.createElement("i"));
      const colour = (value) => {
        probe.style.color = value;
        return getComputedStyle(probe).color;
      };
      const bar = getComputedStyle(document.querySelector(".pe-card__bar")).fill;
      const light = (text) => text.match(/\\d+/g).map(Number).map((c) => (c /= 255) <= 0.04045
        ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
        .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0.05);
      const pair = [light(bar), light(colour("var(--pe-sheet)"))].sort();
      const found = { same: bar === colour(`var(--pe-${role})`), contrast: pair[1] / pair[0] };
      probe.remove();
      return found;
    }"""
    for palette in ("light", "dark"):
        with cards(color_scheme=palette) as page:
            for role in ("token", "sum"):
                page.get_by_label(ADD).set_checked(role == "sum")
                found = page.evaluate(look, role)
                assert found["same"], (palette, role)
                assert found["contrast"] >= 3, (palette, role, found)
