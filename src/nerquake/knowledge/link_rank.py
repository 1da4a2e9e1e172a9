"""How items rank that have a mention's text as a name.

In this order: the item is known to have the mention's name type, or nothing is known of its types; the form of the
mention that is its name (as it stands, without blanks around punctuation, without article or possessive); whether the
name is written alike; how many words of the sentence its descriptions and its classes' titles share; label before
alias; a name in the sentence's language before one for any before others; the number of sitelinks; the id. Scores are
sums in which each of these weighs more than all that follow.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from nerquake.core.linking import LinkCandidate, Mentioned
from nerquake.knowledge.candidates import Asked, Candidate, candidates
from nerquake.knowledge.dictionary import Dictionary
from nerquake.knowledge.ids import number_of, order_of
from nerquake.knowledge.link_context import context_words, forms, words
from nerquake.knowledge.link_known import Remembered

DEPTH = 50
"""Items of a form and a type that are compared."""
KNOWN, AGREES, KNOWN_ELSEWHERE, UNTYPED, OTHER = 10_000.0, 4_000.0, 3_900.0, 2_000.0, 0.0
"""Where scores begin: items learned for the name and type; items that have the type; items learned for the name with
another type; items whose types are not known; items that only have others."""
_FORM, _EXACT, _WORD, _LABEL, _LANGUAGE = 150.0, 60.0, 6.0, 3.0, 1.0
_FORMS = _WORDS = 9


@dataclass(frozen=True, slots=True)
class Ranking:
    """What candidates of one language are ranked with; see `link_alias.AliasLinker`.

    types  name types by label; "" asks for items of any
    """

    dictionary: Dictionary
    language: str
    types: Mapping[str, tuple[str, ...]]
    context: bool
    other_types: bool
    keep: int


Name = tuple[str, str]
"""A mention's text and label: what the dictionary is asked about."""


class Entry(NamedTuple):
    """An item that has a form of a mention as a name.

    group  tier, form and exactness: context decides between items of one group only
    score  what the name alone says for the item
    """

    item: str
    group: tuple[float, int, bool]
    score: float


@dataclass(frozen=True, slots=True)
class Pool:
    """The items that a mention may stand for, best first."""

    entries: tuple[Entry, ...]

    @property
    def close(self) -> int:
        """How many items at the front are of one group, so that context may change which is first; 0 for one alone."""
        if len(self.entries) < 2 or self.entries[0].group != self.entries[1].group:
            return 0
        first = self.entries[0].group
        return sum(1 for entry in self.entries if entry.group == first)


def rank(
    ranking: Ranking, mentions: Sequence[Mentioned], known: Sequence[Sequence[Remembered]]
) -> list[tuple[LinkCandidate, ...]]:
    """The best candidates of every mention; `known` are the items that were learned for each."""
    found = _found(ranking, dict.fromkeys((mention.text, mention.type) for mention in mentions))
    typed = _typed(ranking.dictionary, _doubtful(found, known))
    pools = {name: _pool(ranking, those, typed) for name, those in found.items()}
    close = {entry.item for pool in pools.values() for entry in pool.entries[: pool.close]} if ranking.context else ()
    item_words = words_of_items(ranking.dictionary, close, ranking.language)
    made: dict[Name, tuple[LinkCandidate, ...]] = {}
    result: list[tuple[LinkCandidate, ...]] = []
    for mention, learned in zip(mentions, known, strict=True):
        name = (mention.text, mention.type)
        pool = pools[name]
        if learned or (ranking.context and pool.close):
            result.append(_best(ranking, _in_context(ranking, mention, pool, item_words), learned, typed))
            continue
        if name not in made:
            made[name] = _candidates(pool.entries[: ranking.keep])
        result.append(made[name])
    return result


def _found(ranking: Ranking, names: Iterable[Name]) -> dict[Name, list[tuple[int, Candidate]]]:
    """What the dictionary has for every name: a form's place among the forms, and a candidate for it."""
    asked = {
        (text, label): [(form, Asked(written, type_)) for form, written in enumerate(forms(text, ranking.language))
                        for type_ in ranking.types[label]]
        for text, label in names
    }  # fmt: skip
    answers = candidates(
        ranking.dictionary, (one for those in asked.values() for _, one in those), ranking.language, DEPTH
    )
    return {name: [(form, one) for form, question in those for one in answers.get(question, ())]
            for name, those in asked.items()}  # fmt: skip


def _doubtful(found: Mapping[Name, Sequence[tuple[int, Candidate]]], known: Iterable[Sequence[Remembered]]) -> set[str]:
    """Items whose types have to be looked up."""
    items = {one.item for those in found.values() for _, one in those if not one.agrees}
    return items | {one.item for learned in known for one in learned if one.item and not one.same_kind}


def _typed(dictionary: Dictionary, items: Iterable[str]) -> frozenset[str]:
    """Those of some items that have a class with a name type."""
    asked = list(items)
    found = dictionary.ask(
        "SELECT DISTINCT asked.n FROM asked JOIN item_class USING (id) SEMI JOIN class_type USING (class)",
        {"n": np.arange(len(asked), dtype=np.int64), "id": np.array(list(map(number_of, asked)), np.int64)},
    )
    return frozenset(asked[n] for (n,) in found)


def _pool(ranking: Ranking, found: Sequence[tuple[int, Candidate]], typed: frozenset[str]) -> Pool:
    best: dict[str, Entry] = {}
    for form, one in found:
        tier = AGREES if one.agrees else OTHER if one.item in typed else UNTYPED
        if tier == OTHER and not ranking.other_types:
            continue
        score = tier + _FORM * (_FORMS - min(form, _FORMS)) + _EXACT * one.exact + _LABEL * (not one.alias)
        score += _LANGUAGE * (2 - one.language) + one.sitelinks / (one.sitelinks + 100)
        if one.item not in best or score > best[one.item].score:
            best[one.item] = Entry(one.item, (tier, form, one.exact), score)
    return Pool(tuple(sorted(best.values(), key=_order) if len(best) > 1 else best.values()))


def _order(entry: Entry) -> tuple[float, tuple[int, int, str]]:
    return -entry.score, order_of(entry.item)


def _in_context(
    ranking: Ranking, mention: Mentioned, pool: Pool, item_words: Mapping[str, frozenset[str]]
) -> Sequence[Entry]:
    """The entries with what their words add to those that are close."""
    close = pool.close if ranking.context else 0
    context = context_words(mention) if close else _NO_WORDS
    found = list(pool.entries)
    for at in range(close):
        shared = len(context & item_words.get(found[at].item, _NO_WORDS))
        if shared:
            found[at] = found[at]._replace(score=found[at].score + _WORD * min(shared, _WORDS))
    return found


_NO_WORDS: frozenset[str] = frozenset()


def _best(
    ranking: Ranking, entries: Sequence[Entry], learned: Sequence[Remembered], typed: frozenset[str]
) -> tuple[LinkCandidate, ...]:
    """The candidates that are kept; none where the mention is known to have no item."""
    if learned and not learned[0].item:
        return ()
    scores = {entry.item: entry for entry in entries}
    for one in learned:
        if one.same_kind:
            score = KNOWN + 100 * one.share
        elif one.item not in typed or ranking.other_types:
            score = KNOWN_ELSEWHERE + 99 * one.share
        else:
            continue
        if one.item and (one.item not in scores or scores[one.item].score < score):
            scores[one.item] = Entry(one.item, (score, 0, True), score)
    return _candidates(sorted(scores.values(), key=_order)[: ranking.keep])


def _candidates(entries: Iterable[Entry]) -> tuple[LinkCandidate, ...]:
    return tuple(LinkCandidate(entry.item, "", round(entry.score, 4)) for entry in entries)


def words_of_items(dictionary: Dictionary, items: Iterable[str], language: str) -> dict[str, frozenset[str]]:
    """The words of items' descriptions, where the dictionary keeps any, and of the titles of their classes."""
    asked = list(dict.fromkeys(items))
    if not asked:
        return {}
    classes = dictionary.classes_of(asked)
    titles = dictionary.class_titles({one for those in classes.values() for one in those}, language)
    title_words = {one: words(title.split(), language) for one, title in titles.items()}
    found = {item: frozenset[str]().union(*(title_words.get(one, ()) for one in those))
             for item, those in classes.items()}  # fmt: skip
    for item, text in descriptions(dictionary, asked, language):
        found[item] = found.get(item, frozenset()) | words(text.split(), language)
    return found


def descriptions(dictionary: Dictionary, items: Sequence[str], language: str) -> list[tuple[str, str]]:
    """Items with their descriptions in a language, else in English: names are alike in both."""
    if not dictionary.meta.rows.get("descriptions"):
        return []
    columns = {
        "n": np.arange(len(items), dtype=np.int64),
        "id": np.array([number_of(item) for item in items], np.int64),
    }
    found = dictionary.ask(
        """
        SELECT asked.n, arg_min(text, lang <> $language) FROM asked JOIN descriptions USING (id)
        WHERE lang IN ($language, 'en') GROUP BY asked.n ORDER BY asked.n
        """,
        columns,
        language=language,
    )
    return [(items[n], text) for n, text in found]
