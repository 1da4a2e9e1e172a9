"""Link files: which item every mention of a data set stands for, in JSON Lines, to be looked through by hand.

```
{"sentence": "s1", "start": 2, "end": 3, "text": "Paris", "type": "LOC",
 "candidates": [{"item": "Q90", "title": "Paris", "score": 2061.8}], "accepted": "Q90"}
```
`accepted` is what counts: null or "" for no link, or the id of any item, whether it is a candidate or not. Offsets
count tokens. `text` and `type` are there for the reader and may be missing.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from nerquake.core.dataset import Dataset
from nerquake.core.errors import InputError
from nerquake.core.linking import Link, LinkCandidate
from nerquake.core.span import Span
from nerquake.knowledge.link_context import bare
from nerquake.knowledge.link_lines import Place, json_lines, read_file


@dataclass(frozen=True, slots=True)
class Links:
    """The links of a data set's mentions.

    path    what messages call them
    notes   what there is to say of how they were made
    denied  links that a deny list removed
    """

    links: tuple[Link, ...]
    path: str = ""
    notes: tuple[str, ...] = ()
    denied: int = 0
    _by_place: Mapping[Place, Link] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        by_place = {(link.sentence, link.start, link.end): link for link in self.links}
        object.__setattr__(self, "_by_place", by_place)

    def __len__(self) -> int:
        return len(self.links)

    def __iter__(self) -> Iterator[Link]:
        return iter(self.links)

    def item(self, sentence_id: str, span: Span) -> str | None:
        """The item that a mention stands for; None where it is not linked."""
        link = self._by_place.get((sentence_id, span.start, span.end))
        return None if link is None else link.accepted

    @property
    def mentions(self) -> Counter[str]:
        """Mentions by label."""
        return Counter(link.type for link in self.links)

    @property
    def unlinked(self) -> Counter[str]:
        """Mentions without a link, by label."""
        return Counter(link.type for link in self.links if link.accepted is None)

    @property
    def items(self) -> tuple[str, ...]:
        """The items that mentions are linked to, each once, in order."""
        return tuple(dict.fromkeys(link.accepted for link in self.links if link.accepted is not None))

    def lines(self) -> Iterator[str]:
        """The text of a link file, a line a mention."""
        for link in self.links:
            yield json.dumps(_record(link), ensure_ascii=False, allow_nan=False) + "\n"

    def check(self, corpus: Dataset) -> tuple[str, ...]:
        """What there is to say of these links for a data set: mentions without a line, lines about nothing in it.

        Raises:
            InputError: they are links of another data set, or of one that was changed.
        """
        there = {(s.id, span.start, span.end): s.surface(span) for s in corpus for span in s.spans}
        stray = [place for place in self._by_place if place not in there]
        if there and len(stray) == len(self._by_place):
            raise InputError(f"{self.path or 'links'}: no line is about a mention of {corpus.name}; sentence ids and "
                             "token offsets are expected to be those of the file that was linked")  # fmt: skip
        for place, link in self._by_place.items():
            if link.text and place in there and bare(link.text) != bare(there[place]):
                raise InputError(
                    f"{self.path or 'links'}: sentence {link.sentence}, tokens {link.start} to {link.end} are "
                    f"{link.text!r} there and {there[place]!r} in {corpus.name}: link this file again"
                )
        absent = sum(place not in self._by_place for place in there)
        notes = [f"{absent:,} mentions of {corpus.name} have no line in {self.path or 'the links'}"] if absent else []
        if stray:
            notes.append(f"{len(stray):,} lines of {self.path or 'the links'} are about no mention of {corpus.name}")
        return tuple(notes)


def read_links(path: str | Path) -> Links:
    """Read a link file, as it was written or corrected by hand.

    Raises:
        InputError: the file cannot be read.
        FormatError: lines that are no links, every one of them listed.
    """
    return Links(tuple(json_lines(str(path), read_file(str(path))).values()), str(path))


def _record(link: Link) -> dict[str, Any]:
    about = {"text": link.text, "type": link.type} if link.text or link.type else {}
    return {
        "sentence": link.sentence,
        "start": link.start,
        "end": link.end,
        **about,
        "candidates": [_candidate(one) for one in link.candidates],
        "accepted": link.accepted,
    }


def _candidate(one: LinkCandidate) -> dict[str, Any]:
    return {"item": one.item, "title": one.title, "score": one.score}
