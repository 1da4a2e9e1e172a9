"""Rewritings of a sentence collected from all rules, combined under a budget, and written out as candidates."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, pairwise

from nerquake.core.paraphrases import MOVED, Candidate, inverted
from nerquake.core.seeds import Draws
from nerquake.language.rewriting.casing import finish
from nerquake.language.rewriting.tree import Part, Rewriting, Rule, Tree, Word

MOST_REWRITINGS = 10
"""Single rewritings of a sentence that are combined; where there are more, some are drawn."""
MOST_CANDIDATES = 16
"""Candidates for a sentence; where there are more combinations, some are drawn."""

Rules = Mapping[str, Rule]
"""Rules by name."""


def rewritings_of(tree: Tree, rules: Iterable[Rule]) -> list[Rewriting]:
    """All sound rewritings that rules propose, in order of place, each once."""
    found = dict.fromkeys(one for rule in rules for one in rule.find(tree) if is_sound(tree, one))
    return sorted(found, key=_place)


def _place(one: Rewriting) -> tuple[int, int, str]:
    return one.start, one.end, one.rule


def is_sound(tree: Tree, one: Rewriting) -> bool:
    """Whether a rewriting stays in the sentence, uses no token twice, cuts no mention and loses none."""
    if not 0 <= one.start < one.end <= len(tree.words):
        return False
    ranges = sorted(part for part in one.parts if not isinstance(part, str))
    if any(not one.start <= start < end <= one.end for start, end in ranges):
        return False
    if any(right[0] < left[1] for left, right in pairwise(ranges)):
        return False
    return all(_keeps(one, ranges, mention) for mention in tree.mentions)


def _keeps(one: Rewriting, ranges: Sequence[tuple[int, int]], mention: tuple[int, int]) -> bool:
    start, end = mention
    if end <= one.start or one.end <= start:
        return True
    return any(left <= start and end <= right for left, right in ranges)


def fit_together(first: Rewriting, second: Rewriting) -> bool:
    """Whether two rewritings can both be done: they are apart, or one lies inside one range of the other."""
    if first.end <= second.start or second.end <= first.start:
        return True
    return _inside(first, second) or _inside(second, first)


def fit_in(tree: Tree, rules: Rules, first: Rewriting, second: Rewriting) -> bool:
    """Whether two rewritings fit together, and no pronoun loses the subject that it stands for.

    "At its mill , Ford cut prices" looks ahead at its subject; "at its mill , prices were cut by Ford" does not.
    """
    by = (rules[first.rule], rules[second.rule])
    if not fit_together(first, second) or (any(one.stays for one in by) and any(one.turns for one in by)):
        return False
    for moved, turned in ((first, second), (second, first)):
        part = moved.parts[0]
        if not rules[moved.rule].fronts or not rules[turned.rule].voice or isinstance(part, str):
            continue
        within = part[0] <= turned.start and turned.end <= part[1]
        if not within and any(_looks_back(word) for word in tree.words[part[0] : part[1]]):
            return False
    return True


def _looks_back(word: Word) -> bool:
    """Whether a word is a pronoun of the third person: he, its, their."""
    return word.morph.get("PronType") == "Prs" and word.morph.get("Person") == "3"


def _inside(inner: Rewriting, outer: Rewriting) -> bool:
    if (inner.start, inner.end) == (outer.start, outer.end):
        return False
    return any(
        part[0] <= inner.start and inner.end <= part[1] for part in outer.parts if not isinstance(part, str)
    )  # fmt: skip


def candidates(tree: Tree, rules: Sequence[Rule], budget: int, draws: Draws) -> tuple[Candidate, ...]:
    """What comes of a sentence: single rewritings in order of place, then combinations of up to `budget`.

    draws  of this sentence; they choose where there are more than `MOST_REWRITINGS` or `MOST_CANDIDATES`
    """
    named = {rule.name: rule for rule in rules}
    plain = rewritings_of(tree, [rule for rule in rules if not rule.reserve])
    found = _carried_out(tree, named, plain, budget, draws)
    if any(_moves_enough(tree, named, one) for one in found):
        return found
    reserve = rewritings_of(tree, [rule for rule in rules if rule.reserve])
    return _carried_out(tree, named, sorted([*plain, *reserve], key=_place), budget, draws) if reserve else found


def _moves_enough(tree: Tree, rules: Rules, one: Candidate) -> bool:
    """Whether a candidate has another voice, another order of clauses or mentions, or moves a good part of its words.

    Where one does, rules that are held in reserve (clefts, which stress what the original does not) are not asked.
    """
    if any(rules[name].turns for name in one.rules):
        return True
    order = [at for at in one.origin if at is not None and any(map(str.isalnum, tree.words[at].text))]
    begins = [order.index(start) for start, _ in tree.mentions if start in order]
    return begins != sorted(begins) or inverted(order) >= MOVED


def _carried_out(tree: Tree, rules: Rules, single: list[Rewriting], budget: int, draws: Draws) -> tuple[Candidate, ...]:
    if len(single) > MOST_REWRITINGS:
        single = _drawn(single, MOST_REWRITINGS, draws)
    seen = {tuple(word.text for word in tree.words)}
    found: list[Candidate] = []
    for chosen in _sets(tree, rules, single, budget, draws):
        made = _written(tree, chosen)
        if made is not None and made.tokens not in seen:
            seen.add(made.tokens)
            found.append(made)
            if len(found) == MOST_CANDIDATES:
                break
    return tuple(found)


def _drawn(single: Sequence[Rewriting], size: int, draws: Draws) -> list[Rewriting]:
    """Some of them, in order; those that move words before those that exchange some."""
    places = sorted(
        range(len(single)), key=lambda at: (single[at].kind == "lexical", draws.number("rewriting", at), at)
    )[:size]  # fmt: skip
    return [single[at] for at in sorted(places)]


def _sets(
    tree: Tree, rules: Rules, single: Sequence[Rewriting], budget: int, draws: Draws
) -> Iterator[tuple[Rewriting, ...]]:
    """Sets that fit together: single ones, then larger ones in drawn order."""
    yield from ((one,) for one in single)
    size = len(single)
    fits = {
        (one, two) for one, two in combinations(range(size), 2) if fit_in(tree, rules, single[one], single[two])
    }  # fmt: skip
    many = [
        places for count in range(2, budget + 1) for places in combinations(range(size), count)
        if all(pair in fits for pair in combinations(places, 2))
    ]  # fmt: skip
    many.sort(key=lambda places: (draws.number("set", *places), places))
    yield from (tuple(single[at] for at in places) for places in many)


def _written(tree: Tree, chosen: Sequence[Rewriting]) -> Candidate | None:
    """A set of rewritings carried out."""
    done = finish(tree, list(_pieces(tree, (0, len(tree.words)), chosen)))
    if done is None:
        return None
    names = tuple(one.rule for one in chosen)
    structural = any(one.kind == "structure" for one in chosen)
    return Candidate(tokens=done.tokens, origin=done.origin, rules=names, structural=structural)


def _pieces(tree: Tree, part: Part, chosen: Sequence[Rewriting]) -> Iterator[tuple[str, int | None]]:
    """The tokens of a part with all rewritings inside it done, outer ones first."""
    if isinstance(part, str):
        yield part, None
        return
    at, end = part
    while at < end:
        outer = max(
            (one for one in chosen if one.start == at and one.end <= end), key=lambda one: one.end, default=None
        )  # fmt: skip
        if outer is None:
            yield tree.words[at].text, at
            at += 1
        else:
            rest = [one for one in chosen if one is not outer]
            for inner in outer.parts:
                yield from _pieces(tree, inner, rest)
            at = outer.end
