"""Name types of classes from linked mentions, as in paper R: mention, linked item, its direct classes.

A class gets the name types of the labels of all mentions that are linked to its items; one that is seen under two types
has both. `class_type.source` says `mentions` and how many there were. Where a label may be several types (LOC: GPE, LOC
or FAC), what is known of the class otherwise decides among them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

import numpy as np

from nerquake.core.dataset import Dataset
from nerquake.core.errors import InputError, UsageError
from nerquake.knowledge.dictionary import Dictionary
from nerquake.knowledge.ids import number_of
from nerquake.knowledge.label_types import LabelTypes
from nerquake.knowledge.links import Links
from nerquake.knowledge.meta import Filter, Source
from nerquake.knowledge.roots import SOURCE as ROOT

SOURCE = "mentions"
"""What `class_type.source` begins with for types that come from mentions; the number of mentions follows."""
NAME = "types from mentions"
_NOT_LINKED, _NO_TYPE = "mentions not linked", "mentions of labels without name types"
_NO_ITEM, _NO_CLASS = "mentions of items that are not in the dictionary", "mentions of items without classes"
_REPLACED, _KEPT = "earlier types of classes", "new types of classes that keep theirs"
Types = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Linked:
    """A data set's linked mentions, counted by the name types that they may have and by item.

    left_out  mentions that count for nothing, by reason
    unknown   labels whose name types are not known
    notes     what there is to say of the links
    """

    name: str
    counts: Mapping[tuple[Types, str], int]
    left_out: Mapping[str, int]
    unknown: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Typed:
    """Classes with their name types and the mentions that say so, and what the dictionary will say about itself.

    counts    mentions by class and type; classes that keep the types they have are not in it
    kept      how many those are
    source    what was counted and what was left out
    """

    counts: Mapping[tuple[str, str], int]
    kept: int
    source: Source

    @property
    def columns(self) -> dict[str, np.ndarray[Any, Any]]:
        """Rows of the table `class_type`."""
        return {
            "class": np.array([number_of(one) for one, _ in self.counts], np.int64),
            "type": np.array([type_ for _, type_ in self.counts], np.object_),
            "source": np.array([f"{SOURCE} {n}" for n in self.counts.values()], np.object_),
        }

    @property
    def classes(self) -> Counter[str]:
        """Classes by name type."""
        return Counter(type_ for _, type_ in self.counts)

    @property
    def several(self) -> int:
        """Classes that were seen under several types."""
        return sum(n > 1 for n in Counter(one for one, _ in self.counts).values())


def linked_mentions(corpus: Dataset, links: Links, table: LabelTypes) -> Linked:
    """Count a data set's mentions by name types and linked item.

    Raises:
        InputError: the links are another data set's.
        UsageError: none of its labels has name types.
    """
    notes = links.check(corpus)
    labels = Counter(span.label for sentence in corpus for span in sentence.spans)
    types = {label: table.of(label, labels) for label in labels}
    unknown = table.unknown(labels)
    if labels and not any(types.values()):
        said = (unknown or sorted(labels))[0]
        raise UsageError(f"{corpus.name}: none of its labels has name types; say them with --types {said}=ORG")
    counts: Counter[tuple[Types, str]] = Counter()
    left_out = Counter({_NO_TYPE: sum(n for label, n in labels.items() if not types[label])})
    for sentence in corpus:
        for span in filter(lambda span: types[span.label], sentence.spans):
            item = links.item(sentence.id, span)
            if item is None:
                left_out[_NOT_LINKED] += 1
            else:
                counts[types[span.label], item] += 1
    return Linked(corpus.name, counts, left_out, unknown, notes)


def types_from(dictionary: Dictionary, linked: Sequence[Linked], *, replace: bool = True) -> Typed:
    """The name types that mentions give to the classes of a dictionary.

    Types that a builder's own data gave are kept in any case, since its entities may be listed for them alone.

    replace  also to classes that have types from root classes or from earlier mentions, which then go

    Raises:
        InputError: no mention is linked to an item that has classes.
    """
    items = {item for one in linked for _, item in one.counts}
    classes = dictionary.classes_of(items)
    if not classes:
        where = ", ".join(one.name for one in linked)
        raise InputError(f"no mention of {where} is linked to an item of {dictionary.path} that has classes; expected "
                         f"links that `nerquake dictionary link {dictionary.path} DATA -o LINKS` wrote")  # fmt: skip
    known = dictionary.types_of({one for those in classes.values() for one in those})
    found = _counted(linked, classes, known)
    fixed = _fixed(dictionary, {one for one, _ in found}, replace)
    counts = {pair: n for pair, n in sorted(found.items()) if pair[0] not in fixed}
    replaced = sum(len(known.get(one, ())) for one in {one for one, _ in counts})
    rules = f"{NAME}, root_types={'replace' if replace else 'keep'}"
    filters = [_left_out(dictionary, one, classes) for one in linked]
    filters.append(Filter(rules, _some({_REPLACED: replaced, _KEPT: len(found) - len(counts)})))
    return Typed(counts, len(fixed), _source(linked, counts, filters))


def _counted(
    linked: Sequence[Linked], classes: Mapping[str, Types], known: Mapping[str, Types]
) -> Counter[tuple[str, str]]:
    """Mentions by class and type: first those whose label is one type, since they help to decide about others."""
    every = [(types, one, n) for data in linked for (types, item), n in data.counts.items()
             for one in classes.get(item, ())]  # fmt: skip
    counts: Counter[tuple[str, str]] = Counter()
    for types, one, n in every:
        if len(types) == 1:
            counts[one, types[0]] += n
    sure = frozenset(counts)
    for types, one, n in every:
        if len(types) > 1:
            likely = [type_ for type_ in types if type_ in known.get(one, ()) or (one, type_) in sure]
            counts.update({(one, type_): n for type_ in likely or types})
    return counts


def _fixed(dictionary: Dictionary, classes: Iterable[str], replace: bool) -> set[str]:
    """Those of some classes that keep the types that they have."""
    asked = sorted(classes)
    going = f"source <> '{ROOT}' AND source NOT LIKE '{SOURCE} %'" if replace else "true"
    columns = {
        "n": np.arange(len(asked), dtype=np.int64),
        "class": np.array([number_of(one) for one in asked], np.int64),
    }
    rows = dictionary.ask(f"SELECT DISTINCT n FROM asked JOIN class_type USING (class) WHERE {going}", columns)
    return {asked[n] for (n,) in rows}


def _left_out(dictionary: Dictionary, linked: Linked, classes: Mapping[str, Types]) -> Filter:
    """What of a data set counted for nothing."""
    absent = sorted({item for _, item in linked.counts} - classes.keys())
    columns = {
        "n": np.arange(len(absent), dtype=np.int64),
        "id": np.array([number_of(item) for item in absent], np.int64),
    }
    there = {absent[n] for (n,) in dictionary.ask("SELECT DISTINCT n FROM asked SEMI JOIN items USING (id)", columns)}
    counts = Counter(linked.left_out)
    for (_, item), n in linked.counts.items():
        if item not in classes:
            counts[_NO_CLASS if item in there else _NO_ITEM] += n
    return Filter(f"{NAME}: {linked.name}", _some(counts))


def _some(counts: Mapping[str, int]) -> dict[str, int]:
    return {what: n for what, n in sorted(counts.items()) if n}


def _source(linked: Sequence[Linked], counts: Mapping[tuple[str, str], int], filters: Sequence[Filter]) -> Source:
    """What was counted: for every data set its linked mentions by name types."""
    read = [(one.name, sorted((types, item, n) for (types, item), n in one.counts.items())) for one in linked]
    said = []
    for one in linked:
        by_types: Counter[str] = Counter()
        for (types, _), n in one.counts.items():
            by_types["/".join(types)] += n
        said += [f"{one.name}: {n} linked mentions {types}" for types, n in sorted(by_types.items())]
    return Source(
        SOURCE,
        sha256(repr(read).encode("utf-8", "backslashreplace")).hexdigest(),
        properties=tuple(said),
        types=tuple(sorted({type_ for _, type_ in counts})),
        filters=tuple(filters),
    )
