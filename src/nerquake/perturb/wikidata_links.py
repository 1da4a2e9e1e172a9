"""Which entity of the dictionary every mention stands for: from a reviewed file, or linked on the spot."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from nerquake.core.dataset import Dataset
from nerquake.core.errors import InputError
from nerquake.core.linking import Linker
from nerquake.core.options import options_of
from nerquake.knowledge.dictionary import Dictionary
from nerquake.knowledge.linking import absent_items, build_linker, link_dataset
from nerquake.knowledge.links import Links, read_links
from nerquake.perturb.base import Key, Mention


class LinkedItems(NamedTuple):
    """The entities of those mentions that are linked, and what there is to say of it."""

    items: Mapping[Key, str]
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LinkSource:
    """Where links come from.

    file         a link file; empty: the linker
    linker       its specification
    label_types  what its option `types` is to say, where it has one and does not say anything itself
    """

    file: str
    linker: str
    label_types: tuple[str, ...] = ()

    def check(self) -> None:
        """Raise what is known to be wrong before anything runs."""
        if self.file and not Path(self.file).is_file():
            raise InputError(f"{self.file}: there is no such file of links; `nerquake dictionary link` writes one")
        if not self.file:
            self.built()

    def built(self) -> Linker:
        """The linker.

        Raises:
            UsageError: no linker has this name, or an option does not fit.
        """
        made: Any = build_linker(self.linker)
        if self.label_types and "types" in options_of(type(made)) and not made.types:
            made = dataclasses.replace(made, types=self.label_types)
        linker: Linker = made
        return linker

    def fingerprint(self) -> str:
        """A text that changes whenever links may change, the dictionary apart."""
        if self.file:
            return f"links {sha256(Path(self.file).read_bytes()).hexdigest()}"
        return f"linker {self.built().fingerprint()}"

    def items(self, dictionary: Dictionary, corpus: Dataset, mentions: Sequence[Mention], language: str) -> LinkedItems:
        """The entities of some mentions of a data set.

        Raises:
            InputError: the file cannot be read, or is about another data set.
        """
        if self.file:
            links = read_links(self.file)
            notes = [f"links of {self.file}", *links.check(corpus), *absent_items(dictionary, links.items)]
        else:
            links = link_dataset(dictionary, _only(corpus, mentions, language), self.built())
            notes = [f"linked by {line}" for line in links.notes]
        items = _found(links, mentions)
        notes.append(f"{len(items):,} of {len(mentions):,} mentions linked, names of people apart")
        return LinkedItems(items, tuple(notes))


def _found(links: Links, mentions: Sequence[Mention]) -> dict[Key, str]:
    found: dict[Key, str] = {}
    for mention in mentions:
        item = links.item(mention.sentence.id, mention.sentence.spans[mention.place])
        if item:
            found[mention.key] = item
    return found


def _only(corpus: Dataset, mentions: Sequence[Mention], language: str) -> Dataset:
    """The data set with these mentions alone, in this language."""
    places: dict[str, list[int]] = {}
    for mention in mentions:
        places.setdefault(mention.sentence.id, []).append(mention.place)
    sentences = [
        sentence.with_spans(sentence.spans[place] for place in places[sentence.id])
        for sentence in corpus
        if sentence.id in places
    ]
    return dataclasses.replace(corpus, sentences=tuple(sentences), language=language)
