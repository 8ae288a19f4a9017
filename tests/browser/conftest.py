"""What the browser tests share: every page of the built site, and a window to look at it."""

import contextlib

import pytest


@pytest.fixture(scope="session")
def pages(site):
    """The addresses of all pages of both editions, from the site's: '', 'why/', '404.html'."""
    files = (file.relative_to(site).as_posix() for file in site.rglob("*.html"))
    return sorted(file.removesuffix("index.html") for file in files)


@pytest.fixture
def window(browser):
    """`with window(width=390, color_scheme="dark") as page:` is a fresh visitor's first tab."""

    @contextlib.contextmanager
    def opened(width=1280, height=900, **options):
        context = browser.new_context(viewport={"width": width, "height": height}, **options)
        context.set_default_timeout(10_000)
        try:
            yield context.new_page()
        finally:
            context.close()

    return opened
