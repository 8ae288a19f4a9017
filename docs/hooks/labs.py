"""Labs: longer experiments, docs/labs/<name>.py, as pages labs/<name>.ipynb of both editions.

A lab holds its code once and its text in both languages (lab_source.py). Its code runs once, in a
kernel (lab_run.py); text may change without a new run. Each edition gets a notebook in its
language, which mkdocs-jupyter renders (lab_html.py), the figures in both palettes
(lab_figures.py), and the notebook with its outputs for download (lab_notebook.py). A dead link
ends the build (lab_links.py).
"""

import json
import tempfile
from functools import partial
from pathlib import Path

import lab_figures
import lab_html
import lab_links
import lab_notebook
import lab_progress
from lab_source import labs
from mkdocs.plugins import event_priority
from mkdocs.structure.files import File
from mkdocs.utils import get_relative_url
from notebook_cells import as_notebook, completed, home_of

# What mkdocs-jupyter reads: a folder of this process, for two may build at a time.
scratch = {}
shown = {}  # per page of the edition that is being built, its lab


@event_priority(100)  # before mkdocs-jupyter looks for its pages
def on_files(files, config):
    found = labs()
    lab_progress.run_all(found)
    shown.clear()
    scratch["folder"] = tempfile.TemporaryDirectory(prefix="labs-")
    for lab in found:
        name = f"labs/{lab.name}.ipynb"
        # A file with a place, not a generated one: mkdocs-jupyter would lose the place.
        folder = scratch["folder"].name
        files.append(File(name, folder, config.site_dir, config.use_directory_urls))
        shown[name] = lab
        for place, content in lab_figures.files_of(lab):
            files.append(File.generated(config, f"figures/labs/{place}", content=content))
    return files


def on_pre_page(page, config, files):
    """Write what mkdocs-jupyter will read."""
    if not (lab := shown.get(page.file.src_uri)):
        return page
    page.anchors = []  # lab_links.py adds to them
    language = config.theme["language"]
    folder = get_relative_url("figures/labs/", page.url)
    resolve = lab_links.resolver(lab, page, files, None)
    notebook = lab_notebook.for_page(lab, language, resolve, folder)
    text = json.dumps(notebook, ensure_ascii=False)
    lab_html.put(Path(page.file.abs_src_path), text)
    page.render = partial(lab_html.render, page, page.render, text)
    return page


def on_page_markdown(markdown, page, config, files):
    if not (lab := shown.get(page.file.src_uri)):
        return None
    language = config.theme["language"]
    page.title = lab.title(language)
    # Who looks for a term wants the page that explains it first.
    page.meta |= {"description": lab.meta[language]["description"], "search": {"boost": 0.4}}
    if page.edit_url:
        page.edit_url = page.edit_url.replace(
            f"docs/{language}/{page.file.src_uri}", f"docs/labs/{lab.path.name}"
        )
    resolve = lab_links.resolver(lab, page, files, home_of(page, config))
    cells = completed(lab_notebook.for_download(lab, language, resolve), page, config)
    name = f"notebooks/{page.file.src_uri}"
    text = json.dumps(as_notebook(cells), ensure_ascii=False, indent=1)
    files.append(File.generated(config, name, content=text + "\n"))
    page.meta["notebook"] = name
    return ""


def on_page_content(content, page, config, files):
    if not (lab := shown.get(page.file.src_uri)):
        return None
    language = config.theme["language"]
    texts = [cell for cell in lab.edition(language)[0] if cell.kind == "text"]
    ids = [heading[2] for cell in texts for heading in lab.headings(cell.text)]
    permalink = config.mdx_configs["toc"].get("permalink_title", "Permanent link")
    content, page.toc = lab_html.with_ids(lab_html.cleaned(content, language), ids, permalink)
    page.title = page.toc.items[0].title
    page.present_anchor_ids = set(ids)
    return content


def on_env(env, config, files):
    """All pages are read: their sections are known."""
    for name, lab in shown.items():
        lab_links.check(lab, files.get_file_from_path(name).page)
    return env
