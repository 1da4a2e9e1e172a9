"""A review page in a browser: its data, its keys, and the file that it saves."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.browser.opened import READY, Opened
from tests.cli.runner import nerquake

NO_PICKER = "delete window.showSaveFilePicker"
"""Browsers without it download; so does this one, where a test wants a file."""


def written(report: Path, page: Path, *options: object) -> Path:
    """Write a review page of a report."""
    ran = nerquake("review", report, *options, "-o", page)
    assert ran.code == 0, ran.err
    return page


class Review:
    """An opened page."""

    def __init__(self, opened: Callable[..., Opened], path: Path, **options: Any) -> None:
        self.path, self.opened = path, opened(path.as_uri(), **options)
        self.page = self.opened.page
        self.page.wait_for_selector(READY)

    @property
    def data(self) -> Any:
        return json.loads(self.page.locator("#data").text_content())

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def text(self, selector: str) -> str:
        return " ".join(self.page.locator(selector).inner_text().split())

    @property
    def at(self) -> str:
        """The id of the sentence that is shown."""
        return self.text("#place strong")

    @property
    def status(self) -> str:
        return self.text("#status")

    def save(self, path: Path) -> tuple[str, list[dict[str, Any]]]:
        """Save by key; returns the name that the file is given and its records, the header first."""
        self.page.evaluate(NO_PICKER)
        with self.page.expect_download() as download:
            self.press("Control+s")
        download.value.save_as(path)
        name: str = download.value.suggested_filename
        self.page.wait_for_selector("#unsaved", state="hidden")
        return name, [json.loads(line) for line in path.read_text("utf-8").splitlines()]

    def load(self, path: Path) -> None:
        self.page.locator("#file").set_input_files(path)
        self.page.wait_for_function("() => !document.querySelector('#file').value")
