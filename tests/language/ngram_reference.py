"""The n-gram model written down plainly: counted anew for every request, summed over the whole vocabulary."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence

from nerquake.core.fillers import Masked
from nerquake.language import ngram_counts
from nerquake.language.ngram_model import PLAIN
from nerquake.language.ngram_words import SHAPE, WORD, is_word, shape_of

Tokens = Sequence[str]
BEFORE, AFTER, BEYOND, HIDDEN = "<s>", "</s>", "<>", None


def _place(tokens: Tokens, at: int, hidden: Sequence[int]) -> tuple[str, bool] | None:
    """A token and whether it is a border; None where nothing can be seen."""
    if at in hidden:
        return None
    if 0 <= at < len(tokens):
        return (tokens[at], False) if is_word(tokens[at]) else None
    return (BEFORE if at == -1 else AFTER if at == len(tokens) else BEYOND), True


def _form(place: tuple[str, bool], form: int) -> Hashable:
    text, border = place
    if border or form == WORD:
        return place
    shape = shape_of(text)
    lower = "0" if shape == "0" else text.lower()
    return {SHAPE: shape, ngram_counts.ENDING: (shape, lower[-2:]), ngram_counts.SUFFIX: lower[-3:]}[form]


def context(tokens: Tokens, at: int, hidden: Sequence[int], kind: ngram_counts.Kind) -> Hashable:
    """What a kind of context looks at; None where it sees nothing."""
    places = [_place(tokens, at + (-2, -1, 1, 2)[place], hidden) for place, _ in kind]
    if None in places:
        return HIDDEN
    return tuple(_form(place, form) for place, (_, form) in zip(places, kind, strict=True) if place is not None)


def _counted(sentences: Sequence[Tokens], kind: ngram_counts.Kind) -> dict[Hashable, Counter[str]]:
    found: dict[Hashable, Counter[str]] = {}
    for tokens in sentences:
        for at, token in enumerate(tokens):
            seen = context(tokens, at, (), kind)
            if is_word(token) and seen is not HIDDEN:
                found.setdefault(seen, Counter())[token] += 1
    return found


def _discount(counts: Sequence[int]) -> float:
    once, twice = counts.count(1), counts.count(2)
    return min(max(once / (once + 2 * twice), 0.1), 0.9) if once else 0.5


def probabilities(
    sentences: Sequence[Tokens], left_out: Sequence[Tokens], one: Masked
) -> tuple[dict[str, float], float]:
    """The probability of every word that stands in other sentences than those left out; that of one unseen word.

    Discounts are those of the whole corpus.
    """
    gone = set(map(tuple, left_out))
    kept = [tokens for tokens in sentences if tuple(tokens) not in gone]
    everything = Counter(token for tokens in sentences for token in tokens if is_word(token))
    counts = Counter(token for tokens in kept for token in tokens if is_word(token))
    discount, total, slots = _discount(list(everything.values())), sum(counts.values()), max(2 * len(everything), 1)
    floor = discount * len(counts) / total / slots if total else 1 / slots
    plain = {word: (count - discount) / total + floor for word, count in counts.items()}
    raw, raw_unseen = dict(plain), floor
    for weight, kinds in ngram_counts.EXPERTS:
        expert, expert_unseen = _expert(sentences, kept, one, kinds, plain, floor)
        raw = {word: value * (expert[word] / plain[word]) ** weight for word, value in raw.items()}
        raw_unseen *= (expert_unseen / floor) ** weight
    if not counts:
        return {}, floor
    unseen_words = slots - len(counts)
    whole = sum(raw.values()) + unseen_words * raw_unseen
    unseen = PLAIN * floor + (1 - PLAIN) * raw_unseen / whole
    known = 1 - unseen_words * unseen
    return {word: known * value / sum(raw.values()) for word, value in raw.items()}, unseen


def _expert(
    sentences: Sequence[Tokens],
    kept: Sequence[Tokens],
    one: Masked,
    kinds: Sequence[ngram_counts.Kind],
    plain: Mapping[str, float],
    floor: float,
) -> tuple[dict[str, float], float]:
    values, unseen = dict(plain), floor
    for kind in kinds:
        seen = context(one.tokens, one.position, one.hidden, kind)
        before, after = _counted(sentences, kind), _counted(kept, kind).get(seen, Counter())
        if seen is HIDDEN or not after:
            continue
        discount = _discount([count for words in before.values() for count in words.values()])
        ordered = sorted(before[seen].values(), reverse=True)
        if len(ordered) > ngram_counts.LIMIT:
            discount = ordered[ngram_counts.LIMIT]
        shares = {word: max(after[word] - discount, 0) / after.total() for word in values}
        left = 1 - sum(shares.values())
        values = {word: shares[word] + left * value for word, value in values.items()}
        unseen *= left
    return values, unseen


def ranking(found: Mapping[str, float]) -> list[tuple[str, float]]:
    """All words, the most probable first, equal ones by their text, with their log probabilities."""
    logs = {word: round(math.log(value), 9) for word, value in found.items()}
    return sorted(logs.items(), key=lambda pair: (-pair[1], pair[0]))
