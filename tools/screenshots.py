"""Pictures of a report as it is seen: `python tools/screenshots.py demo-report/report.html FOLDER`.

Full pages at 320, 768 and 1280 pixels in both themes, cut into pieces of a height that can be looked at. Needs the
extra `browser` and Chromium; without a font for Devanagari (Debian: fonts-noto-core) its sentences are boxes.
"""

from __future__ import annotations

import argparse
import math
import os
import shutil
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Literal

WIDTHS = (320, 768, 1280)
THEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
PIECE, BAR = 2400, 60
"""Height of a picture in pixels, and of the bar at the top of the page."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the pictures and print their names; returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("report", type=Path, help="the page")
    parser.add_argument("folder", type=Path, help="where the pictures go")
    parser.add_argument("--open", action="store_true", help="open whatever is folded")
    parser.add_argument("--section", default="", metavar="ID", help="only this section, such as verdict")
    chosen = parser.parse_args(arguments)
    path = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if path is None:
        print("There is no Chromium here; on Debian: apt-get install chromium fonts-noto-core", file=sys.stderr)
        return 2
    chosen.folder.mkdir(parents=True, exist_ok=True)
    for name in pictures(path, chosen.report.resolve().as_uri(), chosen.folder, chosen.open, chosen.section):
        print(name)
    return 0


def pictures(chromium: str, address: str, folder: Path, unfold: bool, section: str) -> Iterator[Path]:
    """The pictures, one width and theme after the other."""
    from playwright.sync_api import sync_playwright

    sandbox = ["--no-sandbox"] if os.geteuid() == 0 else []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=sandbox)
        for theme in THEMES:
            page = browser.new_context(color_scheme=theme, offline=True, has_touch=True).new_page()
            page.goto(address)
            if unfold:
                page.evaluate("document.querySelectorAll('details').forEach(box => { box.open = true })")
            for width in WIDTHS:
                page.set_viewport_size({"width": width, "height": PIECE})
                yield from _pieces(page, folder / f"{width}-{theme}", section)
        browser.close()


def _pieces(page: Any, stem: Path, section: str) -> Iterator[Path]:
    """What lies under the sticky bar is seen at the end of the piece before."""
    box = page.locator(f"#{section}" if section else "body").bounding_box()
    top = box["y"] + page.evaluate("scrollY")
    for number in range(math.ceil(box["height"] / (PIECE - BAR))):
        page.evaluate("top => scrollTo(0, top)", top + number * (PIECE - BAR) - BAR)
        path = stem.with_name(f"{stem.name}-{section or 'page'}-{number + 1:02d}.png")
        page.screenshot(path=str(path))
        yield path


if __name__ == "__main__":
    sys.exit(main())
