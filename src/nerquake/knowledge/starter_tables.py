"""The starter dictionary: real entities by class, written for nerquake and shipped inside it.

```
starter/classes-<TYPE>.tsv    class, type, title
starter/<TYPE>.tsv            class, en, de, hi      one line an entity, empty where there is no established name
starter/<any>-names.tsv       kind, language, name   given and family names
```
Files are told apart by their first lines. The class `city-uk` has the id `local:city-uk`, its Leeds is
`local:city-uk/leeds`: Wikidata's ids stand only where data gave them. Every line is an item of its own, since equal
names say nothing: Kochi in India and Kochi in Japan.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from nerquake.core.errors import FormatError, InputError, Problem
from nerquake.knowledge.draft import Draft
from nerquake.knowledge.ids import LOCAL
from nerquake.knowledge.meta import Source
from nerquake.knowledge.text import folded

FOLDER = Path(__file__).parent / "starter"
LANGUAGES = ("en", "de", "hi")
CLASS_HEAD, NAME_HEAD = ("class", "type", "title"), ("kind", "language", "name")
ENTITY_HEAD = ("class", *LANGUAGES)
KINDS = ("given", "family")
TYPE_SOURCE = "starter"


class Entity(NamedTuple):
    """A line of a table of entities; `names` are in the order of LANGUAGES, empty where there is none."""

    file: str
    line: int
    class_id: str
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Tables:
    """What the files hold.

    classes   class -> its type and its title
    people    kind, language, name
    """

    classes: dict[str, tuple[str, str]]
    entities: tuple[Entity, ...]
    people: tuple[tuple[str, str, str], ...]
    digest: str


@dataclass(frozen=True, slots=True)
class Starter:
    """The starter dictionary."""

    def fill(self, draft: Draft) -> list[Source]:
        """Give its items, classes and names of people."""
        return [fill(tables(), draft)]


@cache
def tables() -> Tables:
    """The tables that are shipped."""
    return read_tables(FOLDER)


def read_tables(folder: Path) -> Tables:
    """Read a folder of tables.

    Raises:
        InputError: there are no tables.
        FormatError: lines that are no row, all of one file listed.
    """
    classes: dict[str, tuple[str, str]] = {}
    entities: list[Entity] = []
    people: list[tuple[str, str, str]] = []
    digest = sha256()
    for file in sorted(folder.glob("*.tsv")):
        digest.update(file.name.encode() + b"\0" + file.read_bytes())
        head, cells = _rows_of(file)
        if head == CLASS_HEAD:
            classes.update((one, (type_, title)) for _, (one, type_, title) in cells)
        elif head == ENTITY_HEAD:
            entities += [Entity(file.name, line, one, tuple(names)) for line, (one, *names) in cells]
        else:
            people += [(kind, language, name) for _, (kind, language, name) in cells]
    if not entities:
        raise InputError(f"{folder}: there are no tables of entities")
    return Tables(classes, tuple(entities), tuple(people), digest.hexdigest())


def _rows_of(file: Path) -> tuple[tuple[str, ...], list[tuple[int, list[str]]]]:
    """A table's head, and its rows with their line numbers."""
    first, *lines = file.read_text("utf-8").split("\n")
    head = tuple(first.split("\t"))
    problems = []
    if head not in (CLASS_HEAD, ENTITY_HEAD, NAME_HEAD):
        problems.append(Problem("bad-head", 1, "no head of a starter table", first))
    found: list[tuple[int, list[str]]] = []
    for number, line in enumerate(lines, 2):
        cells = line.split("\t")
        if not line:
            continue
        if len(cells) != len(head):
            problems.append(Problem("bad-row", number, f"{len(cells)} columns, expected {len(head)}", line))
        found.append((number, cells))
    if problems:
        raise FormatError(str(file), problems)
    return head, found


def fill(found: Tables, draft: Draft) -> Source:
    """Put tables into a draft."""
    for one, (type_, title) in found.classes.items():
        draft.class_type(LOCAL + one, type_, TYPE_SOURCE)
        draft.class_name(LOCAL + one, "en", title)
    for entity in found.entities:
        item = item_id(entity)
        draft.member(item, LOCAL + entity.class_id)
        for language, name in zip(LANGUAGES, entity.names, strict=True):
            if name:
                draft.name(item, language, name)
    for kind, language, name in found.people:
        draft.person_name(kind, language, name)
    types = tuple(sorted({type_ for type_, _ in found.classes.values()}))
    return Source("starter", version=found.digest, languages=LANGUAGES, types=types)


def item_id(entity: Entity) -> str:
    """The id of an entity: its class and the first of its names. No surface stands twice in a class."""
    first = next(filter(None, entity.names), "")
    return f"{LOCAL}{entity.class_id}/{folded(first).replace(' ', '_')}"
