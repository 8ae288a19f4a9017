"""Publish each page as Markdown too, programs and outputs included, for whoever reads with an
assistant: theory/index.html.md beside theory/index.html, and llms.txt, which lists them all.

That is where https://llmstxt.org has programs look for it. The text is that of the page's notebook
(notebooks.py, labs.py), in which includes are resolved and links absolute.
"""

import base64
import json
import re
from pathlib import Path
from urllib.parse import urljoin

from mkdocs.utils import get_relative_url

FOLD = re.compile(
    r"<details(?: open)?><summary>(?:<b>)?(.*?)(?:</b>)?</summary>\n*(.*?)\n*</details>", re.S
)
TAG = re.compile(r"</?code>")
FROM = {"en": "From", "zh": "出处："}
OUTPUT = {"en": "Output:", "zh": "输出："}

texts = {}  # of the edition that is being built: where each page's text goes


def unfolded(text):
    return FOLD.sub(lambda m: f"**{TAG.sub('`', m[1])}**\n\n{m[2]}", text)


def fenced(language, text):
    return f"```{language}\n{text.rstrip()}\n```"


def program(cell, language, pictures):
    yield fenced("python", cell["source"])
    for output in cell["outputs"]:
        if "text" in output:
            yield f"{OUTPUT[language]}\n\n{fenced('text', output['text'])}"
        elif picture := output["data"].get("image/png"):
            words = " ".join(output["data"].get("text/plain", "").split())
            url = pictures.get(picture)
            yield f"![{words}]({url})" if url else f"[{words}]"


def plain(notebook, page, config, pictures):
    language = config.theme["language"]
    blocks = []
    for cell in notebook["cells"][1:]:  # the first one says how to run a notebook
        if cell["cell_type"] == "code":
            blocks += program(cell, language, pictures)
        else:
            blocks.append(unfolded(cell["source"]))
    source = f"{FROM[language]} [{config.site_name}]({urljoin(config.site_url, page.file.url)})"
    title, _, rest = "\n\n".join(blocks).partition("\n")
    return f"{title}\n\n{source}\n\n{rest.strip()}\n"


def on_env(env, config, files):
    texts.clear()
    if not (home := config.site_url):  # offline: there is no address to lead to
        return env
    pictures = {
        base64.b64encode(file.content_bytes).decode(): urljoin(home, file.url)
        for file in files.media_files()
        if file.src_uri.startswith("figures/") and file.src_uri.endswith(".png")
    }
    for file in files.documentation_pages():
        if name := file.page and file.page.meta.get("notebook"):
            notebook = json.loads(files.get_file_from_path(name).content_string)
            path = f"{file.dest_uri}.md"
            texts[path] = plain(notebook, file.page, config, pictures)
            file.page.plain = get_relative_url(path, file.page.url)
    return env


def on_post_build(config):
    # Not as files of MkDocs, which would make pages of them.
    for path, text in texts.items():
        target = Path(config.site_dir, path)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
