"""List the links that leave the site, each with its places, and ask whether they still answer.

`make links` does it. It asks one address at a time and a host no more than once a second. Without
a network it lists them and says that it asked none. What `make test` looks at is their form.
"""

import re
import socket
import sys
import time
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

from house import PAGES, ROOT, TEXTS, name, read

LABS = sorted((ROOT / "docs/labs").glob("*.py"))
FILES = [*PAGES, *LABS, ROOT / "docs/glossary.yml", *TEXTS, *sorted((ROOT / "data").glob("*.md"))]
# A bracket belongs to a link if it is closed in it.
LINK = re.compile(
    r"https?://(?:[^\s<>\"'`()，。；：！？、（）【】《》“”]|\([^\s()]*\))+|\b(?:arXiv:\s?|doi:\s?)[\w./-]+",
    re.IGNORECASE,
)
AFTER = re.compile(r"[.,;:!?]+$")
ARXIV = re.compile(r"(?:https://arxiv\.org/abs/|arXiv:)\d{2}(?:0[1-9]|1[0-2])\.\d{4,5}(?:v\d+)?")
DOI = re.compile(r"https://doi\.org/10\.\d{4,9}/[-._;()/:\w]+")
NO_HOSTS = ("127.0.0.1", "localhost", "example.org")
PATIENCE, PAUSE = 20, 1  # seconds
HEADERS = {"User-Agent": "Mozilla/5.0 (link check of a documentation site, one request a link)"}


def links(text):
    """(line, link) of all that a text names beyond itself."""
    for number, line in enumerate(text.splitlines(), 1):
        for match in LINK.finditer(line):
            link = AFTER.sub("", match[0])
            if "…" not in link and (urlsplit(link).hostname or "") not in NO_HOSTS:
                yield number, link


def malformed(link):
    """What is wrong with the form of a link, or None."""
    low = link.lower()
    if "arxiv" in low.split("/")[2 if "//" in low else 0] and not ARXIV.fullmatch(link):
        return "write https://arxiv.org/abs/ or arXiv: and the paper's number, 1706.03762"
    if ("doi.org" in low or low.startswith("doi:")) and not DOI.fullmatch(link):
        return "write https://doi.org/ and the number, 10.1000/182"
    if low.startswith("http:"):
        return "write https"
    return None


def places():
    """{link: its places} for all files, in their order."""
    found = {}
    for path in FILES:
        for line, link in links(read(path)):
            found.setdefault(link, []).append(f"{name(path)}:{line}")
    return found


def answer(link):
    """None if the link leads somewhere, else why not."""
    try:
        with urlopen(Request(link, headers=HEADERS), timeout=PATIENCE):
            return None
    except HTTPError as error:
        # These say that something is there, though not for a program.
        return None if error.code in (401, 403, 405, 429, 999) else f"it answers {error.code}"
    except (URLError, OSError, ValueError) as error:
        return str(getattr(error, "reason", error))


def has_network(hosts):
    for host in hosts:
        try:
            socket.create_connection((host, 443), timeout=5).close()
            return True
        except OSError:
            continue
    return False


def main():
    found = places()
    for link, where in found.items():
        print(f"{link}\n    {', '.join(where)}")
    wrong = [(link, why) for link in found if (why := malformed(link))]
    asked = [link for link in found if link.startswith("http")]
    print(f"\n{len(found)} links, {len(asked)} of them addresses.")
    if has_network(list(dict.fromkeys(urlsplit(link).hostname for link in asked))[:3]):
        last = {}
        for number, link in enumerate(asked, 1):
            host = urlsplit(link).hostname
            time.sleep(max(0, last.get(host, 0) + PAUSE - time.monotonic()))
            last[host] = time.monotonic()
            print(f"\r{number} of {len(asked)} asked", end="", flush=True)
            if why := answer(link):
                wrong.append((link, why))
        print()
    else:
        print("There is no network here: none was asked.")
    for link, why in wrong:
        print(f"{', '.join(found[link])}: {link}: {why}")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
