"""Linking a data set: which item of a dictionary every mention stands for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, Protocol, cast, runtime_checkable

import numpy as np

from nerquake.core.dataset import Dataset
from nerquake.core.errors import PluginError, UsageError, guarded
from nerquake.core.language import language_of
from nerquake.core.linking import Known, Learns, Link, LinkCandidate, Linker, LooksUp, Mentioned
from nerquake.core.spec import parse_spec
from nerquake.knowledge.dictionary import Dictionary
from nerquake.knowledge.ids import number_of
from nerquake.knowledge.link_context import mention_text
from nerquake.knowledge.link_ids import IdColumn
from nerquake.knowledge.links import Links
from nerquake.registry import LINKERS

_SHOWN = 5
"""Items that a note names."""


@runtime_checkable
class Notes(Protocol):
    """A linker that has something to say of how it got on with a data set."""

    def noted(self, mentions: Sequence[Mentioned]) -> tuple[str, ...]:
        """Lines for the outputs."""
        ...


def build_linker(text: str) -> Linker:
    """The linker that a specification describes, its options checked.

    Raises:
        UsageError: no linker has this name, or an option does not fit.
        PluginError: a third party's class is no linker.
    """
    return cast(Linker, LINKERS.build(parse_spec(text, LINKERS.names())))


def mentions_of(corpus: Dataset) -> list[Mentioned]:
    """A data set's mentions as linkers see them, in its order."""
    language = language_of(corpus).code
    return [
        Mentioned(sentence, index, mention_text(sentence, span), span.label, language)
        for sentence in corpus
        for index, span in enumerate(sentence.spans)
    ]


def known_mentions(corpus: Dataset, links: Links | None = None, column: int | None = None) -> list[Known]:
    """A data set's mentions whose items are known: from links, else from the ids that stand in a column.

    Raises:
        InputError: no column holds ids, or the links are another data set's.
    """
    mentions = mentions_of(corpus)
    if links is None:
        return IdColumn(column).known(mentions)
    links.check(corpus)
    return [Known(one, links.item(one.sentence.id, one.sentence.spans[one.index])) for one in mentions]


def link_dataset(dictionary: Dictionary, corpus: Dataset, linker: Linker, known: Sequence[Known] = ()) -> Links:
    """Link all mentions of a data set; the first of a mention's candidates is accepted.

    Titles of Wikipedia articles are looked up, and candidates without a title get their item's name.

    known  mentions whose items are known, for a linker that learns from them

    Raises:
        UsageError: the linker does not learn.
        PluginError: it gave something else than candidates for each mention.
    """
    if known:
        if not isinstance(linker, Learns):
            raise UsageError(f"known mentions are given, but {_name(linker)} does not learn from any; alias does")
        linker = linker.learned(known)
    if isinstance(linker, LooksUp):
        linker = linker.looking_in(dictionary)
    mentions = mentions_of(corpus)
    with guarded(f"{_name(linker)}, linking {len(mentions):,} mentions of {corpus.name}"):
        answers = [list(those) for those in linker.link(mentions)] if mentions else []
        noted = linker.noted(mentions) if isinstance(linker, Notes) else ()
    _check(linker, mentions, answers)
    answers, unknown = _looked_up(dictionary, mentions, answers)
    titled = _titled(dictionary, mentions, answers)
    notes = [*linker.about(), *noted, *language_notes(corpus)]
    if unknown:
        notes.append(f"{unknown:,} titles are of no article that {dictionary.path} knows")
    links = Links(tuple(_link(one, those) for one, those in zip(mentions, titled, strict=True)))
    return replace(links, notes=(*notes, *absent_items(dictionary, links.items)))


def absent_items(dictionary: Dictionary, items: Iterable[str]) -> tuple[str, ...]:
    """What there is to say of items that mentions are linked to and the dictionary lacks: nothing is drawn for them."""
    asked = list(dict.fromkeys(items))
    columns = {
        "n": np.arange(len(asked), dtype=np.int64),
        "id": np.array([number_of(item) for item in asked], np.int64),
    }
    query = "SELECT asked.n FROM asked ANTI JOIN items USING (id) ORDER BY asked.n"
    absent = [asked[n] for (n,) in dictionary.ask(query, columns)] if asked else []
    if not absent:
        return ()
    shown = ", ".join(absent[:_SHOWN]) + (", ..." if len(absent) > _SHOWN else "")
    return (
        f"{len(absent):,} of {len(asked):,} items that mentions are linked to are not in {dictionary.path}: {shown}",
    )


def language_notes(corpus: Dataset) -> tuple[str, ...]:
    """How the language was settled, where nobody said it."""
    found = language_of(corpus)
    return (found.note,) if found.note else ()


def _name(linker: Any) -> str:
    return f"the linker {type(linker).__name__}"


def _check(linker: Linker, mentions: Sequence[Mentioned], answers: Sequence[Iterable[Any]]) -> None:
    if len(answers) != len(mentions):
        raise PluginError(f"{_name(linker)} gave {len(answers):,} answers for {len(mentions):,} mentions")
    wrong = next((one for those in answers for one in those if not isinstance(one, LinkCandidate)), None)
    if wrong is not None:
        raise PluginError(f"{_name(linker)} gave {wrong!r}; a LinkCandidate is expected")


def _looked_up(
    dictionary: Dictionary, mentions: Sequence[Mentioned], answers: Sequence[Sequence[LinkCandidate]]
) -> tuple[list[list[LinkCandidate]], int]:
    """The candidates with items in the place of titles, each item once; and how many titles are unknown."""
    asked: dict[str, set[str]] = {}
    for mention, those in zip(mentions, answers, strict=True):
        for one in those:
            if not one.item:
                asked.setdefault(one.language or mention.language, set()).add(one.title)
    known = {language: dictionary.items_titled(sorted(titles), language) for language, titles in asked.items()}
    unknown = 0
    found: list[list[LinkCandidate]] = []
    for mention, those in zip(mentions, answers, strict=True):
        mine: dict[str, LinkCandidate] = {}
        for one in those:
            item = one.item or known[one.language or mention.language].get(one.title, "")
            unknown += not item
            if item:
                mine.setdefault(item, one if one.item else one._replace(item=item, language=""))
        found.append(list(mine.values()))
    return found, unknown


def _titled(
    dictionary: Dictionary, mentions: Sequence[Mentioned], answers: Sequence[Sequence[LinkCandidate]]
) -> list[tuple[LinkCandidate, ...]]:
    """The candidates with names in the place of missing titles."""
    language = mentions[0].language if mentions else ""
    names = dictionary.names(dict.fromkeys(one.item for those in answers for one in those if not one.title), language)
    titles = {item: found.label or next(iter(found.aliases), "") for item, found in names.items()}
    return [
        tuple(one if one.title else LinkCandidate(one.item, titles.get(one.item, ""), one.score) for one in those)
        for those in answers
    ]


def _link(mention: Mentioned, candidates: tuple[LinkCandidate, ...]) -> Link:
    span = mention.sentence.spans[mention.index]
    accepted = candidates[0].item if candidates else None
    return Link(mention.sentence.id, span.start, span.end, candidates, accepted, mention.text, mention.type)


def share(links: Links) -> dict[str, dict[str, int]]:
    """For every label its mentions, those linked and those not."""
    unlinked: Counter[str] = links.unlinked
    return {
        label: {"mentions": n, "linked": n - unlinked[label], "unlinked": unlinked[label]}
        for label, n in sorted(links.mentions.items())
    }
