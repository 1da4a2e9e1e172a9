"""`review.html`: one question a sentence, answered by keys, kept in the browser and saved as a file of decisions."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any

from markupsafe import Markup

from nerquake.core.decisions import REASONS
from nerquake.core.results import Case
from nerquake.core.span import Span
from nerquake.report.explorer import wrapped
from nerquake.report.html import EDGES, GROUNDS, environment_of_pages, template_text
from nerquake.report.sentences import changes

SCRIPTS = ("text.js", "state.js", "card.js", "files.js", "keys.js")
"""In the order in which they run; together they are one function, so that none of their names is the page's."""
SAID = (
    "not grammatical",
    "label is now wrong",
    "name is impossible here",
    "meaning is lost",
    "near duplicate",
    "other",
)
"""The reasons as the line below the card says them."""
KEYS: tuple[tuple[str, str], ...] = (
    ("a", "accept, go on"),
    ("r", "reject, go on"),
    ("Shift R, then 1 to 6", "reject with a reason: " + ", ".join(REASONS)),
    ("e, then 1 to 9, 0", "next mention; give it a label, take its label away"),
    ("x", "unsure: left out of the curated set, and counted"),
    ("u, Ctrl Z", "undo, back to that sentence"),
    ("j k, arrows", "look around without deciding"),
    ("n", "next undecided"),
    ("m", "show predictions"),
    ("Ctrl S", "save the file"),
    ("Esc", "leave a field, close what is open"),
    ("?", "this list"),
)


@dataclass(frozen=True, slots=True)
class ReviewPage:
    """A review page.

    items        the changed sentences to judge, in their order, by the id that decisions use
    fingerprint  of the audit that they are from
    models       names, in the order of the audit
    labels       most frequent first: the order of their colours and digits
    command      what to run with the saved file, whose name takes the place of `{file}`
    empty        what to say where there are no items
    reviewer     a name to begin with
    page         tells the pages of several reviewers apart, where one browser keeps the drafts of both
    settles      whether the items are those that others disagreed on
    """

    items: Mapping[str, Case]
    fingerprint: str
    models: tuple[str, ...]
    labels: tuple[str, ...]
    command: str
    empty: str = ""
    reviewer: str = ""
    page: str = "1"
    settles: bool = False

    def render(self) -> str:
        """The page's text; the same items give the same bytes."""
        script = template_text("theme.js") + wrapped(template_text(f"review/{name}") for name in SCRIPTS)
        return environment_of_pages().get_template("review/page.html").render(
            version=version("nerquake"),
            title=f"nerquake review: {len(self.items):,} sentences",
            style=Markup(template_text("style.css") + template_text("review/review.css")),
            script=Markup(script),
            script_hash=base64.b64encode(hashlib.sha256(script.encode()).digest()).decode(),
            data=Markup(island(self._data())),
            keys=KEYS,
        )  # fmt: skip

    def _data(self) -> dict[str, Any]:
        return {
            "fingerprint": self.fingerprint,
            "page": self.page,
            "reviewer": self.reviewer,
            "settles": self.settles,
            "command": self.command,
            "empty": self.empty,
            "reasons": REASONS,
            "said": SAID,
            "models": self.models,
            "labels": self.labels,
            "slots": slots(self.labels),
            "items": [_item(key, case, self.models) for key, case in self.items.items()],
        }


def slots(labels: Sequence[str]) -> dict[str, str]:
    """CSS classes of each label, most frequent first; labels after the eighteenth have an edge only."""
    places = {label: divmod(index, GROUNDS) for index, label in enumerate(labels)}
    return {label: f"g{g + 1} {EDGES[edge]}" for label, (edge, g) in places.items() if edge < len(EDGES)}


def _item(key: str, case: Case, models: Sequence[str]) -> dict[str, Any]:
    """A sentence as the page reads it.

    gold, spans  mentions of the original and of the attacked text
    from, gone   for each mention of the attacked text the one that it was, or null; those that are gone
    old, new     places of the tokens that differ
    said         what each model said of both texts, null where it was not run
    """
    changed = changes(case.original, case.attacked, case.edits)
    was = {new: old for old, new in enumerate(case.mentions) if new is not None}
    return {
        "id": key,
        "set": case.set,
        "original": case.original,
        "attacked": case.attacked,
        "gold": _plain(case.original_spans),
        "spans": _plain(case.attacked_spans),
        "from": [was.get(new) for new in range(len(case.attacked_spans))],
        "gone": [old for old, new in enumerate(case.mentions) if new is None],
        "old": sorted(changed.original),
        "new": sorted(changed.attacked),
        "said": [list(map(_plain, case.predicted[name])) if name in case.predicted else None for name in models],
    }


def _plain(spans: Sequence[Span]) -> list[list[Any]]:
    return [[span.start, span.end, span.label] for span in spans]


def island(data: Mapping[str, Any]) -> str:
    """JSON that can stand inside a script element: nothing in it ends the element or begins a comment."""
    text = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":")).replace("<", "\\u003c")
    return re.sub("[\ud800-\udfff]", lambda found: f"\\u{ord(found.group()):04x}", text)
