"""What users call things stays text in a browser: it makes no element, runs nothing and opens nothing."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from tests.browser.audits import RENAMED
from tests.browser.opened import Opened

Open = Callable[..., Opened]
TAGS = "[...new Set([...document.querySelectorAll('*')].map(element => element.localName))].sort()"
HANDLERS = (
    "[...document.querySelectorAll('*')].flatMap(element => element.getAttributeNames())"
    ".filter(name => name.startsWith('on'))"
)


def test_hostile_names_make_no_element_and_run_nothing(hostile: Path, report: Path, opened: Open) -> None:
    made, plain = opened(hostile), opened(report)
    made.unfold()
    for button in made.page.locator("nav button:visible").all():
        button.click()
        made.page.keyboard.press("Escape")
    assert set(made.page.evaluate(TAGS)) <= set(plain.page.evaluate(TAGS))
    assert made.page.locator("script, style").count() == plain.page.locator("script, style").count()
    assert made.page.evaluate(HANDLERS) == []
    assert made.page.evaluate("window.pwned") is None
    assert made.dialogs == [] and made.said == []
    assert made.asked == [(hostile / "report.html").as_uri()]


def test_every_hostile_name_is_seen_as_it_was_given(hostile: Path, opened: Open) -> None:
    made = opened(hostile)
    made.unfold()
    text = " ".join(made.page.locator("body").inner_text().split())
    for name in (name for name in RENAMED.values() if name.isprintable()):
        assert name in text
    assert "x‹U+202E›y</style>" in text
    assert "M‹U+202E›I‹U+200B›SC" in text
    assert "49" not in made.page.title()


def test_hostile_names_do_not_widen_the_page(hostile: Path, opened: Open) -> None:
    made = opened(hostile, viewport={"width": 320, "height": 700})
    made.unfold()
    assert made.page.evaluate("document.documentElement.scrollWidth") <= 320
