"""What the explorer of sentences needs from Python: its island, its script, and the words of its template."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from nerquake.report.island.encode import island
from nerquake.report.since_tables import since_of
from nerquake.report.view import View

SCRIPTS = ("decode.js", "state.js", "text.js", "filter.js", "list.js", "case.js", "keys.js", "main.js")
"""In the order in which they read."""
NOSCRIPT = (
    "The explorer needs JavaScript. The figures above do not; the sentences are also in cases.jsonl beside this report."
)
PLACEHOLDER = "Search all sentences, / is the key"
PLACEHOLDER_REDACTED = "Search labels, ids and shapes (text is redacted)"
MOST = 200_000
"""Browsers make no element higher than 33 million pixels, or 18, and a row has 72."""
LARGE = 1_000_000
"""Characters of an island for which a browser takes so long that the page's tables wait."""
SIZE = "0" * 13
"""Where the page's own size in bytes will stand: as many digits whatever it is, since it counts itself."""


@dataclass(frozen=True, slots=True)
class Explorer:
    """What the templates print.

    data          the island (docs/formats.md); it follows the script, so that a file that was cut short can say so
    slots         CSS classes of each label, as JSON in ASCII
    bytes         the size of the file, filled in by `with_size`
    most          rows of the list: over it, one for each sentence
    """

    data: str
    slots: str
    placeholder: str
    bytes: str = SIZE
    noscript: str = NOSCRIPT
    most: int = MOST

    @property
    def large(self) -> bool:
        """Whether the page's tables out of sight wait for it."""
        return len(self.data) > LARGE


def explorer(view: View, slots: Mapping[str, str]) -> Explorer | None:
    """The explorer of a result; None where it has no cases.

    slots   CSS classes by label
    """
    if not view.all_cases or not view.sets:
        return None
    redacted = bool(view.header.get("redacted"))
    return Explorer(
        island(view, since=since_of(view)), json.dumps(slots), PLACEHOLDER_REDACTED if redacted else PLACEHOLDER
    )


def wrapped(scripts: Iterable[str]) -> str:
    """The texts of scripts as one function, so that none of their names is the page's."""
    return "".join(['(function () {\n"use strict";\n', *scripts, "}());\n"])


def script_hash(script: str) -> str:
    """What the page's policy calls a script that may run."""
    return base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()


def with_size(html: str) -> str:
    """The page with its own size, for the message that a file was cut short."""
    size = len(html.encode("utf-8", "replace"))
    return html.replace(f'data-bytes="{SIZE}"', f'data-bytes="{size:0{len(SIZE)}d}"', 1)
