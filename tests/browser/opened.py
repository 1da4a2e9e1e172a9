"""A page in a browser, with what it asked for and said."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Any

ALIKE = """
document.querySelectorAll('tbody tr:nth-child(n+3), .case ~ .case ~ .case').forEach(element => element.remove());
document.querySelectorAll('.folded .table ~ .table ~ .table').forEach(element => element.remove());
document.querySelectorAll('.heat, .gain').forEach(cell => cell.style.setProperty('--heat', '45%'));
"""
"""Leaves two of the rows, sentences and folded tables of a list, since they are alike and axe-core takes minutes for
all of them; cells that have a colour get the strongest that there is."""
READY = 'html[data-ready="1"]'
"""Is there once the explorer answers."""
UNFOLD = "document.querySelectorAll('details').forEach(box => { box.open = true })"
WCAG = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa")


class Opened:
    """A page, and from its start on: addresses asked for, messages and errors, dialogs."""

    def __init__(self, page: Any) -> None:
        self.page = page
        self.asked: list[str] = []
        self.said: list[str] = []
        self.dialogs: list[str] = []
        page.on("request", lambda request: self.asked.append(request.url))
        page.on("console", lambda message: self.said.append(message.text))
        page.on("pageerror", lambda error: self.said.append(str(error)))
        page.on("dialog", self._refuse)

    def _refuse(self, dialog: Any) -> None:
        self.dialogs.append(dialog.message)
        dialog.dismiss()

    def unfold(self) -> None:
        """Open whatever can be opened."""
        self.page.evaluate(UNFOLD)

    def texts(self, selector: str) -> list[str]:
        """The texts of these elements, as they are seen where they are shown, with single blanks."""
        return [" ".join(text.split()) for text in self.page.locator(selector).all_inner_texts()]

    def thin(self) -> None:
        """Leave two of what is alike."""
        self.page.evaluate(ALIKE)

    def accessibility(self, *left_out: str) -> list[str]:
        """What axe-core finds against WCAG 2.2 AA: one line a rule, with the first elements that break it.

        Some rules can be left out.
        """
        self.page.evaluate(_axe())
        options = {
            "runOnly": {"type": "tag", "values": list(WCAG)},
            "resultTypes": ["violations"],
            "rules": {rule: {"enabled": False} for rule in left_out},
        }
        found = self.page.evaluate("options => axe.run(document, options)", options)
        return [
            f"{rule['id']}: {[(node['html'][:120], node['failureSummary']) for node in rule['nodes'][:3]]}"
            for rule in found["violations"]
        ]


@cache
def _axe() -> str:
    return files("axe_playwright_python").joinpath("axe.min.js").read_text("utf-8")
