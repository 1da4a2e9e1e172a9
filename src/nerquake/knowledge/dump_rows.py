"""From entities to the rows of tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from nerquake.knowledge.dump_notes import Notes
from nerquake.knowledge.dump_options import COUNTRY, INSTANCE, SUBCLASS, DumpOptions
from nerquake.knowledge.dump_shape import Entity, Shape

FULL = 1 << 16
"""Names, or items and classes, that make a row group."""
_MOST = 10**18
_OTHER = frozenset({"property", "lexeme", "mediainfo", "missing"})


def item_number(text: str) -> int:
    """The number of an item's id; 0 for any other text."""
    try:
        number = int(text[1:])
    except ValueError:
        return 0
    return number if 0 < number < _MOST and f"Q{number}" == text else 0


_class_number = lru_cache(maxsize=1 << 16)(item_number)


class Targets:
    """Rows of statements whose values are items; `best` ones are preferred, or normal where none is preferred."""

    def __init__(self) -> None:
        self.items: list[int] = []
        self.values: list[int] = []
        self.best: list[bool] = []

    def add(self, item: int, targets: Mapping[int, bool]) -> None:
        """Take an item's values."""
        for value, best in targets.items():
            self.items.append(item)
            self.values.append(value)
            self.best.append(best)


class Texts:
    """Rows of texts in a language, which is given by its place in a list."""

    def __init__(self) -> None:
        self.items: list[int] = []
        self.codes: list[int] = []
        self.texts: list[str] = []

    def add(self, item: int, code: int, text: str) -> None:
        """Take a text."""
        self.items.append(item)
        self.codes.append(code)
        self.texts.append(text)


class Rows:
    """Rows of the tables, filled entity by entity; `write` gets them when there are enough.

    Names, the most frequent rows, have no item each: `name_counts` says how many are the next item's. Their codes are
    twice the language's place, and 1 more for an alias.

    left_out  items by the denied class that kept them out
    """

    def __init__(self, options: DumpOptions, shape: Shape, notes: Notes, write: Callable[[Rows], None]) -> None:
        self.shape, self.notes, self.write = shape, notes, write
        self.no_claims = shape.claims()
        self.denied = {item_number(text) for text in options.deny}
        self.wikis = [(site, options.codes.index(code)) for site, code in options.wikis.items()]
        self.label_codes = range(0, 2 * len(shape.codes), 2)
        self.alias_codes = range(1, 2 * len(shape.codes), 2)
        self.seen = self.kept = self.denials = self.nameless = 0
        self.left_out: Counter[int] = Counter()
        self.clear()

    @property
    def counts(self) -> dict[str, int]:
        """What became of the items."""
        return {"items": self.seen, "kept": self.kept, "denied": self.denials, "nameless": self.nameless}

    def clear(self) -> None:
        """Forget all rows."""
        self.items: list[int] = []
        self.sitelinks: list[int] = []
        self.name_counts: list[int] = []
        self.names: list[str] = []
        self.name_codes: list[int] = []
        self.titles, self.descriptions = Texts(), Texts()
        self.classes, self.parents, self.countries = Targets(), Targets(), Targets()

    def add(self, entity: Entity) -> None:
        """Take the rows of an entity, if it is an item that is wanted."""
        number = item_number(entity.id) if entity.type == "item" else 0
        if not number:
            self._no_item(entity)
            return
        self.seen += 1
        claims, links = entity.claims, entity.sitelinks
        if claims.__class__ is not self.shape.claims:
            self._no_part(claims, "claims")
            claims = self.no_claims
        classes = self._targets(claims.P31, INSTANCE) if claims.P31 else {}
        if not self.denied.isdisjoint(classes):
            self.denials += 1
            self.left_out.update(self.denied.intersection(classes))
            return
        if claims.P279:
            self.parents.add(number, self._targets(claims.P279, SUBCLASS))
        if links.__class__ is not dict:
            self._no_part(links, "sitelinks")
            links = {}
        named = self._names(entity)
        if named or any(site in links for site, _ in self.wikis):
            self._keep(entity, number, named, classes, claims, links)
        else:
            self.nameless += 1
        if len(self.names) >= FULL or len(self.items) + len(self.parents.items) >= FULL:
            self.flush()

    def _keep(
        self,
        entity: Entity,
        number: int,
        named: int,
        classes: Mapping[int, bool],
        claims: Any,
        links: Mapping[str, Any],
    ) -> None:
        self.kept += 1
        self.items.append(number)
        self.name_counts.append(named)
        self.sitelinks.append(len(links))
        self.classes.add(number, classes)
        if claims.P17:
            self.countries.add(number, self._targets(claims.P17, COUNTRY))
        if links:
            self._titles(links, number)
        if self.shape.descriptions:
            self._descriptions(entity.descriptions, number)

    def flush(self) -> None:
        """Hand over what there is."""
        self.write(self)
        self.clear()

    def _no_item(self, entity: Entity) -> None:
        if entity.type == "item":
            self.notes.add("bad-id", repr(entity.id))
        else:
            self.notes.add(entity.type if entity.type in _OTHER else "other-type", entity.id)

    def _no_part(self, part: Any, name: str) -> None:
        """Note a part that is there, but as a list."""
        if part.__class__ is list:
            self.notes.add("field" if part else "empty-list", name)

    def _names(self, entity: Entity) -> int:
        """Take labels and aliases; how many."""
        shape, names, codes = self.shape, self.names, self.name_codes
        before = len(names)
        labels, aliases = entity.labels, entity.aliases
        if labels.__class__ is shape.labels:
            for code, label in zip(self.label_codes, shape.texts(labels), strict=True):
                if label is not None and label.value:
                    names.append(label.value)
                    codes.append(code)
        else:
            self._no_part(labels, "labels")
        if aliases.__class__ is shape.aliases:
            for code, texts in zip(self.alias_codes, shape.texts(aliases), strict=True):
                for text in texts:
                    if text.value:
                        names.append(text.value)
                        codes.append(code)
        else:
            self._no_part(aliases, "aliases")
        return len(names) - before

    def _titles(self, links: Mapping[str, Any], number: int) -> None:
        for site, place in self.wikis:
            link = links.get(site)
            if link is not None and link.title:
                self.titles.add(number, place, link.title)

    def _descriptions(self, descriptions: Any, number: int) -> None:
        if descriptions.__class__ is not self.shape.labels:
            self._no_part(descriptions, "descriptions")
            return
        for place, text in enumerate(self.shape.texts(descriptions)):
            if text is not None and text.value:
                self.descriptions.add(number, place, text.value)

    def _targets(self, statements: Any, name: str) -> dict[int, bool]:
        """The items that statements point to, and which are best: preferred, or normal where none is preferred."""
        found: dict[int, bool] = {}
        preferred = False
        for statement in statements:
            rank = statement.rank
            if rank != "normal":
                if rank == "deprecated":
                    self.notes.add("deprecated", name)
                    continue
                preferred |= rank == "preferred"
                self.notes.add("preferred" if rank == "preferred" else "field", f"{name} of rank {rank}")
            target = self._target(statement.mainsnak, name)
            if target:
                found[target] = rank == "preferred" or found.get(target, False)
        if not preferred:
            for target in found:
                found[target] = True
        return found

    def _target(self, snak: Any, name: str) -> int:
        """The number of the item that is a statement's value; 0 if there is none."""
        data = snak.datavalue
        if data is not None and (number := _class_number(data.value.id)):
            return number
        if data is None:
            self.notes.add(snak.snaktype if snak.snaktype in {"novalue", "somevalue"} else "field", name)
            return 0
        value = data.value
        if not value.id and value.kind == "item" and 0 < value.number < _MOST:
            self.notes.add("numeric-id", f"{name} {value.number}")
            return int(value.number)
        self.notes.add("field", f"{name} has {value.id or value.number!r}, which is no item")
        return 0
