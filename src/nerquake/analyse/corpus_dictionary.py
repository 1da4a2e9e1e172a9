"""What a dictionary offers for a data set (paper R, table 2): mentions, classes and entities by label."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from nerquake.analyse.corpus import ALL
from nerquake.core.dataset import Dataset
from nerquake.knowledge.dictionary import Dictionary
from nerquake.knowledge.ids import number_of
from nerquake.knowledge.links import read_links
from nerquake.perturb.wikidata_drawing import ClassPool
from nerquake.perturb.wikidata_pools import Pools, Types, pools_of_type

PERSON = "PERSON"
_DISTINCT = """
    SELECT count(DISTINCT members.id) FROM asked JOIN members
        ON members.class = asked.id AND members.lang = $language AND members.type IN ('', asked.type)
"""
Linked = Mapping[str, Collection[str]]
"""The entities that the mentions of each label are linked to."""


class Offer(NamedTuple):
    """What there is for a label."""

    classes: frozenset[ClassPool]
    names: int


def linked_items(datasets: Sequence[Dataset], files: Sequence[str]) -> dict[str, set[str]]:
    """The entities that mentions are linked to, by label.

    files   of links: one for each data set, or one for all

    Raises:
        InputError: a file cannot be read, or is about other data.
    """
    found: dict[str, set[str]] = {}
    read = [read_links(file) for file in files]
    for number, dataset in enumerate(datasets):
        links = read[number if len(read) > 1 else 0]
        if len(read) > 1 or len(datasets) == 1:
            links.check(dataset)
        for sentence in dataset:
            for span in sentence.spans:
                item = links.item(sentence.id, span)
                if item:
                    found.setdefault(span.label, set()).add(item)
    return found


def dictionary_table(
    dictionary: Dictionary,
    language: str,
    datasets: Iterable[Dataset],
    types_of: Callable[[str], Types],
    linked: Linked | None = None,
) -> dict[str, dict[str, int | None]]:
    """`dictionary` of docs/formats.md: for every label, and `ALL`, mentions, classes and entities in a language.

    linked   entities by label: their classes are counted, as in the paper, whose dictionary is made for a data set;
             without it all classes of the label's name types

    People have no classes (None): theirs are the given and family names. `ALL` counts what several labels share once.
    """
    mentions: dict[str, int] = {}
    for dataset in datasets:
        for label, count in dataset.mentions.items():
            mentions[label] = mentions.get(label, 0) + count
    names = dictionary.person_names(language)
    people = len({*names.given, *names.family}) if names.given and names.family else 0
    offers: dict[str, Offer] = {}
    for label in sorted(mentions):
        types = types_of(label)
        if people and PERSON in types:
            offers[label] = Offer(frozenset(), people)
        elif linked is None:
            offers[label] = Offer(frozenset(pools_of_type(dictionary, language, types)), 0)
        else:
            offers[label] = Offer(_of_linked(dictionary, language, linked.get(label, ()), types), 0)
    rows: dict[str, dict[str, int | None]] = {
        label: _row(dictionary, language, mentions[label], offer) for label, offer in offers.items()
    }
    every = frozenset[ClassPool]().union(*(offer.classes for offer in offers.values()))
    rows[ALL] = _row(dictionary, language, sum(mentions.values()), Offer(every, 0))
    rows[ALL]["entities"] = (rows[ALL]["entities"] or 0) + max((offer.names for offer in offers.values()), default=0)
    return rows


def _row(dictionary: Dictionary, language: str, mentions: int, offer: Offer) -> dict[str, int | None]:
    if offer.names:
        return {"original": mentions, "classes": None, "entities": offer.names}
    entities = _distinct(dictionary, language, sorted(offer.classes))
    return {"original": mentions, "classes": len({pool.id for pool in offer.classes}), "entities": entities}


def _of_linked(dictionary: Dictionary, language: str, items: Collection[str], types: Types) -> frozenset[ClassPool]:
    pools = Pools.of(dictionary, language, [(item, types) for item in items], untyped=True)
    return frozenset(pool for item in items for pool in pools.pools(item, types))


def _distinct(dictionary: Dictionary, language: str, pools: Sequence[ClassPool]) -> int:
    """How many entities stand in these classes, each counted once."""
    columns: dict[str, np.ndarray[Any, Any]] = {
        "id": np.array([number_of(pool.id) for pool in pools], np.int64),
        "type": np.array([pool.type for pool in pools], np.object_),
    }
    return int(dictionary.ask(_DISTINCT, columns, language=language)[0][0]) if pools else 0
