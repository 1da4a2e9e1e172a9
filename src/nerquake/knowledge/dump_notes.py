"""What was odd or wrong in a dump: counted by code, the first of each code listed with their line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum


class Level(Enum):
    """What a note is about: the value is how many of a code are listed for a shard."""

    FAULT = 20
    """Something could not be read."""
    ODD = 5
    """Unusual, but read all the same."""
    SKIPPED = 4
    """Not an item."""
    STATEMENT = 3
    """A statement of a special kind, as they occur."""


CODES: Mapping[str, tuple[Level, str]] = {
    "broken": (Level.FAULT, "this is no JSON object"),
    "cut-line": (Level.FAULT, "the line is cut off"),
    "long-line": (Level.FAULT, "the line is longer than any entity"),
    "nested": (Level.FAULT, "the line is nested too deeply"),
    "field": (Level.FAULT, "a part has another form than it should; it is left out"),
    "bad-id": (Level.FAULT, "this is no id of an item"),
    "text": (Level.FAULT, "a text that no database can hold is left out"),
    "crc": (Level.FAULT, "the checksum of this gzip member is wrong; what it holds was read all the same"),
    "damaged-member": (Level.FAULT, "this gzip member is damaged; reading went on with the next"),
    "cut-member": (Level.FAULT, "the file ends inside this gzip member"),
    "no-member": (Level.FAULT, "this is no gzip member; reading went on with the next"),
    "damaged-block": (Level.FAULT, "this bzip2 block is damaged; reading went on with the next"),
    "utf8": (Level.ODD, "the line is not wholly UTF-8"),
    "surrogate": (Level.ODD, "the line holds half of a surrogate pair"),
    "odd-json": (Level.ODD, "the line is JSON only in a wider sense (NaN, Infinity)"),
    "empty-list": (Level.ODD, "[] stands for {}"),
    "no-comma": (Level.ODD, "no comma at the line's end"),
    "comma-line": (Level.ODD, "a comma alone on its line"),
    "bracket": (Level.ODD, "[ or ] inside the file"),
    "wrapped": (Level.ODD, "the entity stands inside another object"),
    "no-type": (Level.ODD, "the entity has no type; its id says what it is"),
    "numeric-id": (Level.ODD, "a value has a number but no id"),
    "redirect": (Level.SKIPPED, "a redirect"),
    "missing": (Level.SKIPPED, "an entity that does not exist, or an error message"),
    "property": (Level.SKIPPED, "a property"),
    "lexeme": (Level.SKIPPED, "a lexeme"),
    "mediainfo": (Level.SKIPPED, "a media file"),
    "other-type": (Level.SKIPPED, "an entity of another type"),
    "deprecated": (Level.STATEMENT, "a deprecated statement, left out"),
    "preferred": (Level.STATEMENT, "a preferred statement"),
    "novalue": (Level.STATEMENT, "a statement that there is no value"),
    "somevalue": (Level.STATEMENT, "a statement that the value is unknown"),
}
"""Every code, with its level and what it means."""
_LISTED = {code: level.value for code, (level, _) in CODES.items()}


@dataclass(frozen=True, slots=True)
class Note:
    """One thing that was odd.

    line    counts from 1
    offset  of the gzip member, bzip2 block or piece of text in the source, in bytes
    """

    line: int
    offset: int
    code: str
    detail: str = ""

    @property
    def message(self) -> str:
        """What it means, with what was seen."""
        return f"{CODES[self.code][1]}{f': {self.detail}' if self.detail else ''}"


class Notes:
    """Notes of a shard; `line` and `offset` say where reading is."""

    def __init__(self) -> None:
        self.line = 0
        self.offset = 0
        self.counts: Counter[str] = Counter()
        self.listed: list[Note] = []

    def add(self, code: str, detail: str = "", line: int = 0) -> None:
        """One more of a code, by default in the line that is being read."""
        self.counts[code] += 1
        if self.counts[code] <= _LISTED[code]:
            self.listed.append(Note(line or self.line, self.offset, code, detail[:200]))

    @property
    def in_order(self) -> list[Note]:
        """The listed notes by line."""
        return sorted(self.listed, key=lambda note: (note.line, note.offset, note.code, note.detail))
