"""Build the Chinese edition with the English one, into zh/ of the same site.

It is there as soon as docs/zh/index.md is. Under `mkdocs serve`, saving a page builds the edition
that the page belongs to and leaves the other as it is; saving anything else builds both.
"""

import logging
import shutil
from pathlib import Path

from edition_state import CHINESE, PAGES, state
from mkdocs.commands.build import build
from mkdocs.config import load_config
from mkdocs.plugins import event_priority

log = logging.getLogger("mkdocs.hooks.editions")
serving = False
# Under `mkdocs serve`: the state of its sources from which each edition was built, is built.
built, building = {}, {}


def has_chinese():
    return (PAGES["zh"] / "index.md").is_file()


def build_chinese(english):
    """Build zh/ of the English edition's site, as strictly as that one."""
    built["zh"], building["zh"] = None, state("zh")
    log.info("Building the Chinese edition")
    config = load_config(
        str(CHINESE),
        site_dir=str(Path(english.site_dir, "zh")),
        site_url=english.site_url,
        strict=english.strict,
    )
    build(config, serve_url=english.site_url if serving else None)
    built["zh"] = building["zh"]


def on_startup(command, dirty):
    global serving
    serving = command == "serve"


def on_config(config):
    config.extra["alternate"] = has_chinese()  # the templates then offer the other edition
    if config.theme["language"] == "zh":
        config.site_url = config.site_url and f"{config.site_url}zh/"
        config.edit_uri = config.edit_uri and config.edit_uri.replace("docs/en", "docs/zh")


def places(config):
    # MkDocs empties the site's folder before each build, but for what is hidden in it.
    return Path(config.site_dir, "zh"), Path(config.site_dir, ".zh")


def on_pre_build(config):
    if serving and config.theme["language"] == "en":
        built["en"], building["en"] = None, state("en")
        chinese, kept = places(config)
        if chinese.exists():
            shutil.rmtree(kept, ignore_errors=True)
            chinese.rename(kept)


@event_priority(-100)  # the English edition is complete, with all that other hooks do for it
def on_post_build(config):
    if config.theme["language"] != "en":
        return
    chinese, kept = places(config)
    if kept.exists() and has_chinese() and built.get("zh") == state("zh"):
        kept.rename(chinese)
    else:
        shutil.rmtree(kept, ignore_errors=True)
        if has_chinese():
            build_chinese(config)


def on_serve(server, config, builder):
    def rebuild():
        if has_chinese() and built.get("en") == state("en"):
            build_chinese(config)
        else:
            builder()
            built["en"] = building["en"]

    if config.theme["language"] == "en" and PAGES["zh"].is_dir():
        built["en"] = building["en"]
        server.watch(str(PAGES["zh"]))
        server.watch(str(CHINESE))
        server.builder = rebuild
    return server
