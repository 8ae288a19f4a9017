"""The search finds, in a browser, what queries.yml says and every error that a program prints."""

import re
from pathlib import Path

import pytest
import yaml
from house import ROOT, listed, needs_chinese

QUERIES = yaml.safe_load(Path(__file__).with_name("queries.yml").read_text(encoding="utf-8"))
PREFIX = {"en": "", "zh": "zh/"}
ROOM = 3  # so many results does one look at

FIELD = "[data-md-component=search-query]"
LINKS = ".md-search-result__item > a:first-child"  # one per page
# True once the search says what it has found, with all of that in the list, or once it waits.
SAYS = """(finds) => {
  const {translations} = JSON.parse(document.querySelector("#__config").textContent);
  const said = document.querySelector(".md-search-result__meta").textContent.trim();
  const count = document.querySelectorAll(".md-search-result__item").length;
  const waits = said === translations["search.result.placeholder"];
  const none = said === translations["search.result.none"];
  return finds ? !waits && (none || count > 0) : waits && count === 0;
}"""


def results(page, query):
    """The addresses of the pages that the search finds, the best first."""
    for words in ("", query):
        page.fill(FIELD, words)
        page.press(FIELD, "End")  # the theme listens to keys
        page.wait_for_function(SAYS, arg=bool(words))
    return page.eval_on_selector_all(LINKS, "links => links.map((link) => link.href)")


ERROR = re.compile(r"^(\w+(?:Error|Warning)): +(.+)$", re.MULTILINE)
INCLUDE = re.compile(r'^ *--8<-- "([\w/-]+\.md)"$', re.MULTILINE)


def errors(edition):
    """{an error as a program prints it: the pages that show the program}."""
    wanted = {}
    for page in sorted((ROOT / "docs" / edition).glob("*.md")):
        for snippet in INCLUDE.findall(page.read_text(encoding="utf-8")):
            _, _, output = (ROOT / "snippets" / snippet).read_text("utf-8").partition("```text\n")
            for kind, message in ERROR.findall(output):
                wanted.setdefault(f"{kind}: {message}", []).append(page.stem)
    return wanted


def test_errors_are_found_in_the_snippets():
    assert "pitfalls" in errors("en")["IndexError: index out of range in self"]


@pytest.mark.parametrize("edition", ["en", pytest.param("zh", marks=needs_chinese)])
def test_search(served, window, edition):
    home = served + PREFIX[edition]
    complaints = []
    with window() as page:
        page.on("console", lambda message: complaints.append(f"console: {message.text}"))
        page.goto(home)
        page.press("body", "Control+k")
        for query, wanted in (errors(edition) | QUERIES[edition]).items():
            found = results(page, query)
            leave = [link for link in found if not link.startswith(home)]
            leave += [link for link in found if edition == "en" and link.startswith(f"{home}zh/")]
            if leave:
                complaints.append(f"{query}: leads out of the edition, to {leave[0]}")
            paths = [link.removeprefix(home).split("?")[0].split("#")[0] for link in found]
            pages = [path.strip("/") or "index" for path in paths]
            if not set([wanted] if isinstance(wanted, str) else wanted) & set(pages[:ROOM]):
                complaints.append(f"{query}: {wanted} is not among {pages[:ROOM]} {pages[ROOM:]}")
    assert not complaints, listed([f"search ({edition}):", *complaints])


def test_queries_are_enough():
    assert all(len(queries) >= 12 for queries in QUERIES.values())
