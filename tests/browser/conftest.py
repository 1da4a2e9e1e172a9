"""One browser for all tests of a worker, the reports that it opens, and what it asked for and said meanwhile."""

from __future__ import annotations

import importlib.util
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.browser import audits
from tests.browser.compared import compared
from tests.browser.opened import READY, Opened
from tests.conftest import skip_or_fail

NAMES = ("chromium", "chromium-browser", "google-chrome")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A test that asks for the browser gets its marker, so that `-m` can never miss it."""
    for item in items:
        if "browser" in getattr(item, "fixturenames", ()):
            item.add_marker("browser")


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """Chromium, headless. pip cannot install it: .ci/run does, and then promises it with NERQUAKE_TEST_BROWSER."""
    for module in ("playwright", "axe_playwright_python", "pypdf"):
        if importlib.util.find_spec(module) is None:
            skip_or_fail(f'{module} is not installed: pip install "nerquake[browser]"')
    path = next(filter(None, map(shutil.which, NAMES)), None)
    if path is None:
        skip_or_fail("there is no Chromium here: apt-get install chromium fonts-noto-core", "NERQUAKE_TEST_BROWSER")
    from playwright.sync_api import sync_playwright

    sandbox = ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=path, args=sandbox)
        yield chromium
        chromium.close()


@pytest.fixture(scope="session")
def report(browser: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a report on English, German and Hindi sentences with everything that an audit can show."""
    return audits.audited(tmp_path_factory.mktemp("audited"))


@pytest.fixture(scope="session")
def hostile(report: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a report whose names and tokens try to leave their place."""
    return audits.hostile(report, tmp_path_factory.mktemp("hostile"))


@pytest.fixture(scope="session")
def runs(browser: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of an earlier and a later run of one audit, and of the later one redacted."""
    return compared(tmp_path_factory.mktemp("compared"))


@pytest.fixture
def opened(browser: Any) -> Iterator[Callable[..., Opened]]:
    """Opens a report: `opened(path, color_scheme="dark")`. Other options are those of a browser context."""
    contexts = []

    def open_page(path: Path | str, **options: Any) -> Opened:
        context = browser.new_context(**{"offline": True, "viewport": {"width": 1280, "height": 800}, **options})
        contexts.append(context)
        made = Opened(context.new_page())
        made.page.goto(path if isinstance(path, str) else (path / "report.html").as_uri())
        return made

    yield open_page
    for context in contexts:
        context.close()


@pytest.fixture
def load(opened: Callable[..., Opened]) -> Iterator[Callable[..., Any]]:
    """Opens a report and waits for its explorer; at the end of the test it must not have complained."""
    made: list[Opened] = []

    def loaded(path: Path | str, **options: Any) -> Any:
        made.append(opened(path, **options))
        made[-1].page.wait_for_selector(READY)
        return made[-1].page

    yield loaded
    assert [one.said for one in made] == [[]] * len(made)
