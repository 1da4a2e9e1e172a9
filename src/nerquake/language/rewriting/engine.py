"""Rewritings of a sentence collected from all rules, combined under a budget, and written out as candidates."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, pairwise

from nerquake.core.paraphrases import Candidate
from nerquake.core.seeds import Draws
from nerquake.language.rewriting.casing import finish
from nerquake.language.rewriting.tree import Part, Rewriting, Rule, Tree, Word

MOST_REWRITINGS = 10
"""Single rewritings of a sentence that are combined; where there are more, some are drawn."""
MOST_CANDIDATES = 16
"""Candidates for a sentence; where there are more combinations, some are drawn."""

VOICE = frozenset({"passive", "active"})
FRONTING = frozenset({"fronted-phrase", "fronted-clause", "phrases-exchanged"})
"""Rules whose first part has moved to the start."""
KEPT = frozenset({"apposition"})
"""Rules whose order suits the place where they found it: `Ana , the mayor` at the end of another sentence."""
ENOUGH = 0.2
"""Share of pairs of words in another order from which on a candidate moves enough."""
TURNING = frozenset({
    "passive", "active", "reporting-clause", "fronted-clause", "postposed-clause", "clauses-swapped",
    "predicates-swapped", "verb-phrases-swapped", "quote-moved", "report-moved",
})  # fmt: skip
"""Rules that change the voice or the order of clauses, however few words move."""


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


def fit_in(tree: Tree, first: Rewriting, second: Rewriting) -> bool:
    """Whether two rewritings fit together, and no pronoun loses the subject that it stands for.

    "At its mill , Ford cut prices" looks ahead at its subject; "at its mill , prices were cut by Ford" does not.
    """
    rules = {first.rule, second.rule}
    if not fit_together(first, second) or (rules & KEPT and rules & TURNING):
        return False
    for moved, turned in ((first, second), (second, first)):
        part = moved.parts[0]
        if moved.rule not in FRONTING or turned.rule not in VOICE or isinstance(part, str):
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
    plain = rewritings_of(tree, [rule for rule in rules if not getattr(rule, "reserve", False)])
    found = _carried_out(tree, plain, budget, draws)
    if any(_moves_enough(tree, one) for one in found):
        return found
    reserve = rewritings_of(tree, [rule for rule in rules if getattr(rule, "reserve", False)])
    return _carried_out(tree, sorted([*plain, *reserve], key=_place), budget, draws) if reserve else found


def _moves_enough(tree: Tree, one: Candidate) -> bool:
    """Whether a candidate has another voice, another order of clauses or mentions, or moves a good part of its words.

    Where one does, rules that are held in reserve (clefts, which stress what the original does not) are not asked.
    """
    if not TURNING.isdisjoint(one.rules):
        return True
    order = [at for at in one.origin if at is not None and any(map(str.isalnum, tree.words[at].text))]
    begins = [order.index(start) for start, _ in tree.mentions if start in order]
    return begins != sorted(begins) or inverted(order) >= ENOUGH


def inverted(order: Sequence[int]) -> float:
    """The share of pairs that stand the other way round than their numbers; 0 where there are less than two."""
    size = len(order)
    falling = sum(left > right for at, left in enumerate(order) for right in order[at + 1 :])
    return 2 * falling / (size * (size - 1)) if size > 1 else 0.0


def _carried_out(tree: Tree, single: list[Rewriting], budget: int, draws: Draws) -> tuple[Candidate, ...]:
    if len(single) > MOST_REWRITINGS:
        single = _drawn(single, MOST_REWRITINGS, draws)
    seen = {tuple(word.text for word in tree.words)}
    found: list[Candidate] = []
    for chosen in _sets(tree, single, budget, draws):
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


def _sets(tree: Tree, single: Sequence[Rewriting], budget: int, draws: Draws) -> Iterator[tuple[Rewriting, ...]]:
    """Sets that fit together: single ones, then larger ones in drawn order."""
    yield from ((one,) for one in single)
    size = len(single)
    fits = {
        (one, two) for one, two in combinations(range(size), 2) if fit_in(tree, single[one], single[two])
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
