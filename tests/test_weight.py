"""What a first visit to a page costs, everything counted as gzip sends it: budgets in kB."""

import gzip
import re
from collections import Counter

from built import Requests, css_urls, file_of
from house import listed

BUDGET = {"page": 110, "lab": 160}  # a lab's pictures are not counted
COLUMNS = ("HTML", "CSS", "JavaScript", "fonts", "pictures")
KIND = {".css": "CSS", ".js": "JavaScript", ".mjs": "JavaScript", ".woff2": "fonts"}
KIND |= dict.fromkeys((".svg", ".png", ".jpg", ".webp", ".ico", ".gif"), "pictures")
FONT = re.compile(r"url\([\"']?data:(?:application/)?(?:x-)?font[^)]*\)")
IMPORT = re.compile(r'\bimport\b[^"();]*\bfrom\s*"(\./[^"]+)"')  # not import(…): that may wait
CSS_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
packed = {}


def size(file):
    """Bytes on the wire. What is compressed already is sent as it is."""
    if file not in packed:
        content = file.read_bytes()
        dense = file.suffix in (".woff2", ".png", ".jpg", ".webp")
        packed[file] = len(content) if dense else len(gzip.compress(content, 6, mtime=0))
    return packed[file]


def font(sheet):
    """Bytes of the fonts that stand within a style sheet."""
    css = sheet.read_text(encoding="utf-8")
    return size(sheet) - len(gzip.compress(FONT.sub("", css).encode(), 6, mtime=0))


def parts(site, page):
    """The files of a first visit: what the page, its style sheets and its modules ask for."""
    files, dark = {page}, {}
    for _, attributes, address in Requests(page.read_text(encoding="utf-8")).found:
        if (file := file_of(site, page, address)) and file.is_file():
            # Of the two pictures of a figure one is hidden and lazy; the browser loads the other.
            if "data-palette" in attributes and attributes.get("loading") == "lazy":
                dark.setdefault(re.sub(r"\.dark(?=\.\w+$)", "", file.as_posix()), set()).add(file)
            else:
                files.add(file)
    files |= {max(pair, key=size) for pair in dark.values()}
    for sheet in [file for file in files if file.suffix == ".css"]:
        css = CSS_COMMENT.sub("", sheet.read_text(encoding="utf-8"))
        asked = (file_of(site, sheet, url) for url in css_urls(css) if url[:5] != "data:")
        files |= {file for file in asked if file and file.is_file()}
    for script in [file for file in files if file.suffix == ".js"]:
        files |= {script.parent / name for name in IMPORT.findall(script.read_text("utf-8"))}
    return files


def weigh(site):
    """{page: {kind: bytes}} for every page of both editions."""
    weights = {}
    for page in sorted(site.rglob("*.html")):
        weight = Counter(dict.fromkeys(COLUMNS, 0))
        for file in parts(site, page):
            weight[KIND.get(file.suffix, "HTML")] += size(file)
            if file.suffix == ".css":
                weight.update({"fonts": font(file), "CSS": -font(file)})
        weights[page.relative_to(site).as_posix()] = weight
    return weights


def counted(page, weight):
    """Total bytes of a page that count, and its budget."""
    if "labs/" in page:
        return weight.total() - weight["pictures"], BUDGET["lab"] * 1000
    return weight.total(), BUDGET["page"] * 1000


def table(weights):
    yield f"{'page':<34}" + "".join(f"{kind:>12}" for kind in (*COLUMNS, "total"))
    for page, weight in sorted(weights.items(), key=lambda item: -counted(*item)[0]):
        numbers = (*(weight[kind] for kind in COLUMNS), weight.total())
        yield f"{page:<34}" + "".join(f"{number:>12,}" for number in numbers)


def test_every_page_is_within_its_budget(site):
    """Its table is printed with `pytest -rP tests/test_weight.py`."""
    weights = weigh(site)
    worst = max(weights, key=lambda page: counted(page, weights[page])[0])
    print("\n".join(table(weights)))
    print(f"The heaviest page: {worst}")
    complaints = [
        f"{page}: {total:,} bytes, the budget is {budget:,}"
        for page, weight in weights.items()
        for total, budget in [counted(page, weight)]
        if total > budget
    ]
    assert not complaints, listed(complaints)


def test_nothing_is_left_out(site):
    """A page that seems light because the table overlooks its parts would pass unseen."""
    weights = weigh(site)
    assert all(weights["theory/index.html"][kind] for kind in COLUMNS), weights
    explorer = parts(site, site / "explorer/index.html")
    assert {"explorer.js", "encodings.js"} <= {file.name for file in explorer}, explorer
    # Only this one says where its parts are from the root of the host.
    assert weights["404.html"]["CSS"] == weights["about/index.html"]["CSS"], weights
