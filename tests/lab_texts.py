"""The text of a lab in one language, as Markdown with the lines where they are in its file."""

import re

from house import ROOT, read

LABS = sorted((ROOT / "docs/labs").glob("*.py"))
MARKER = re.compile(r"# %%(?: \[markdown\] tags=\[(.*)\])?$")
EDITIONS = {"en", "zh"}


def edition(source, language):
    """The lab's front matter and text in this language; every other line is empty."""
    lines, front, part, own = [], 0, "", False
    for line in source.splitlines():
        text = re.sub("^# ?", "", line)
        if line == "# ---":
            front += 1
            lines.append("---")
        elif front < 2:
            # `description:` stands below the language, and on a page it stands by itself.
            part = text[:-1] if text[:-1] in EDITIONS else part if text.startswith(" ") else ""
            mine = not part or (part == language and text[:-1] != part)
            lines.append(text.removeprefix("  ") if mine and part else text if mine else "")
        elif marker := MARKER.match(line):
            own = f'"{language}"' in (marker[1] or "")
            lines.append("")
        else:
            lines.append(text if own else "")
    return "".join(f"{line}\n" for line in lines)


def editions():
    """(path, language, text) for each lab in each language."""
    for path in LABS:
        for language in sorted(EDITIONS):
            yield path, language, edition(read(path), language)


def with_text(source, language, change):
    """The lab with each line of its text in a language changed by `change(number, line)`."""
    lines = source.splitlines()
    own = False
    for place, line in enumerate(lines):
        if marker := MARKER.match(line):
            own = f'"{language}"' in (marker[1] or "")
        elif own and line.startswith("#"):
            lines[place] = f"# {change(place + 1, re.sub('^# ?', '', line))}".rstrip()
    return "".join(f"{line}\n" for line in lines)
