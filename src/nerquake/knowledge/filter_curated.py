"""Curated lists: items, names and classes that are to be drawn or not, a line each, to be edited by hand.

```
# deny or allow, a tab, what it is, a tab, which one
deny	class	Q4167410
deny	item	Q64
deny	name	Adolf Hitler
allow	class	city-uk
```
What is denied is not drawn. Where anything is allowed, only what is allowed is drawn: an item of an allowed class, an
allowed item, an item under an allowed name; what is denied of that stays out.
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

import numpy as np

from nerquake.core.errors import InputError, Problem
from nerquake.knowledge.dictionary import Dictionary
from nerquake.knowledge.filter_names import named
from nerquake.knowledge.filters import Condition, Drawn
from nerquake.knowledge.ids import number_of
from nerquake.knowledge.link_lines import DamagedLinks, read_file, text_lines
from nerquake.knowledge.text import key_of

ACTIONS = ("deny", "allow")
KINDS = ("item", "name", "class")
_HINT = "deny or allow, a tab, item, name or class, a tab, which one: deny, a tab, name, a tab, Paris"


class Entry(NamedTuple):
    """A line of a list."""

    action: str
    kind: str
    text: str
    line: int


@dataclass(frozen=True, slots=True)
class Curated:
    """Withholds what a list denies, and what it does not allow where it allows anything."""

    entries: tuple[Entry, ...]
    path: str
    digest: str

    @property
    def name(self) -> str:
        """With the list's name and the beginning of its hash."""
        return f"curated: {Path(self.path).name} {self.digest[:12]}"

    def condition(self, drawn: Drawn) -> Condition:
        """Rows that a deny line is about, and those that no allow line is about.

        Raises:
            DamagedLinks: classes that the dictionary does not have, all of them listed.
        """
        ids = [_id(drawn.dictionary, entry) for entry in self.entries]
        strange = [Problem("unknown-class", entry.line, "the dictionary has no such class", entry.text)
                   for entry, number in zip(self.entries, ids, strict=True) if number is None]  # fmt: skip
        if strange:
            advice = f"`nerquake dictionary stats {drawn.dictionary.path} --classes` lists its classes"
            raise DamagedLinks(self.path, strange, advice)
        keys = [key_of(entry.text) if entry.kind == "name" else 0 for entry in self.entries]
        columns = {
            "action": np.array([entry.action for entry in self.entries], np.object_),
            "kind": np.array([entry.kind for entry in self.entries], np.object_),
            "number": np.array(ids, np.int64),
            "key": np.array(keys, np.uint64),
        }
        allowed = any(entry.action == "allow" for entry in self.entries)
        return Condition(_about("deny") + (f" OR NOT {_about('allow')}" if allowed else ""), columns)


def read_curated(path: str) -> Curated:
    """Read a list.

    Raises:
        InputError: the file cannot be read, or has no entry.
        DamagedLinks: lines that are no entry, all of them listed.
    """
    data = read_file(path, "a curated list is written by hand")
    problems: list[Problem] = []
    found: list[Entry] = []
    for number, line in text_lines(data, problems):
        cells = [cell.strip() for cell in line.split("\t")]
        if line.startswith("#"):
            continue
        if len(cells) != 3 or cells[0] not in ACTIONS or cells[1] not in KINDS or not cells[2]:
            problems.append(Problem("bad-entry", number, "no entry of a curated list", line[:60], _HINT))
        else:
            found.append(Entry(cells[0], cells[1], cells[2], number))
    if problems:
        raise DamagedLinks(path, sorted(problems, key=lambda problem: problem.line))
    if not found:
        raise InputError(f"{path}: the list is empty; expected lines such as deny, a tab, name, a tab, Paris")
    return Curated(tuple(found), path, sha256(data).hexdigest())


def _id(dictionary: Dictionary, entry: Entry) -> int | None:
    """The number of an item or a class, 0 for a name; None for a class that the dictionary does not have."""
    if entry.kind != "class":
        return number_of(entry.text) if entry.kind == "item" else 0
    try:
        return number_of(dictionary.class_id(entry.text))
    except InputError:
        return None


def _about(action: str) -> str:
    """A condition: an entry of this action is about the row."""
    asked = f"FROM asked WHERE action = '{action}' AND kind ="
    ids = f"id IN (SELECT number {asked} 'item') OR class IN (SELECT number {asked} 'class')"
    names = named(f"SELECT key {asked} 'name'")
    return f"({ids} OR {names})"
