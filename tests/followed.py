"""Which state of its English twin each Chinese page follows.

A Chinese page says in its front matter `follows: "1a2b3c4d"`, a hash of the English page as it was
when somebody last made sure that both say the same. Run by `make followed`, after that look:

    python tests/followed.py [theory ...]     marks all pages, or those named
"""

import re
import subprocess
import sys
from hashlib import sha256

from house import ROOT, name, read

ENGLISH, CHINESE = ROOT / "docs/en", ROOT / "docs/zh"
FOLLOWS = re.compile(r'^follows: *"?(.*?)"? *$', re.MULTILINE)
FRONT_MATTER = re.compile(r"\A---\n(.*?)^---$", re.DOTALL | re.MULTILINE)


def state(english):
    return sha256(english.encode()).hexdigest()[:8]


def followed(chinese):
    """The state that a Chinese page says it follows; None if it says nothing."""
    front = FRONT_MATTER.match(chinese)
    said = FOLLOWS.search(front[1]) if front else None
    return said and said[1]


def marked(chinese, english):
    """A Chinese page that says that it follows the English one."""
    line = f'follows: "{state(english)}"'
    front = FRONT_MATTER.match(chinese)
    if front is None:
        return f"---\n{line}\n---\n\n{chinese}"
    if FOLLOWS.search(front[1]):
        return FOLLOWS.sub(line, chinese, count=1)
    return f"---\n{front[1]}{line}\n---{chinese[front.end() :]}"


def how_to_see(page, said):
    """The command that shows what has changed in an English page since it was followed."""
    path = name(page)
    try:
        git = ["git", "-C", str(ROOT)]
        log = [*git, "log", "--format=%h", "--", path]
        for commit in subprocess.check_output(log, text=True).split():
            text = subprocess.check_output([*git, "show", f"{commit}:./{path}"], text=True)
            if state(text) == said:
                return f"git diff {commit} -- {path}"
    except (OSError, subprocess.CalledProcessError):
        pass
    return f"git log -p -- {path}"


def lagging():
    """A complaint for each Chinese page whose English twin has changed since."""
    for chinese in sorted(CHINESE.rglob("*.md")):
        english = ENGLISH / chinese.relative_to(CHINESE)
        if english.exists() and (said := followed(read(chinese))) != state(read(english)):
            page = chinese.relative_to(CHINESE).with_suffix("").as_posix()
            yield (
                f"{name(chinese)} lags: {name(english)} has changed, see "
                f"`{how_to_see(english, said)}`. "
                f"Bring it up to date, then run `make followed PAGE={page}`"
            )


def main(pages):
    found = {p.relative_to(CHINESE).with_suffix("").as_posix(): p for p in CHINESE.rglob("*.md")}
    if unknown := set(pages) - set(found):
        sys.exit(f"no page docs/zh/{min(unknown)}.md; there are {', '.join(sorted(found))}")
    for page in pages or sorted(found):
        english = ENGLISH / f"{page}.md"
        before = read(found[page])
        after = marked(before, read(english))
        if after != before:
            found[page].write_text(after, encoding="utf-8")
            print(f"{name(found[page])} follows {name(english)} as it is now")


if __name__ == "__main__":
    main(sys.argv[1:])
