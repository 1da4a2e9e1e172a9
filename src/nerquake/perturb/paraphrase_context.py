"""Which of several equal names in a paraphrase is which in the original: by the words around them, then by order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import permutations

from nerquake.perturb.paraphrase_names import Found

MOST = 5
"""Equal names in one sentence that are told apart; there are hardly ever more."""
_REACH = 3
"""Words on each side that are compared."""
_BESIDE = 8
"""What a word right beside both places weighs; one on the same side weighs 2 more, one near both 1 more."""
_CLOSE = 3
"""What two ways may be apart in weight and still be taken for equally likely."""
Assigned = tuple[int, ...]
"""For each place in the paraphrase the index of the original's place that it stands for."""


def assign(
    old: Sequence[str], before: Sequence[Found], new: Sequence[str], after: Sequence[Found], roles: Sequence[str | None]
) -> Assigned | None:
    """Which of the original's places of one name each place in the paraphrase stands for; None where it is unclear.

    before   the name's places in the original, in order
    after    its places in the paraphrase, in order; not more than in the original
    roles    for each of `before` the label of the mention, None where the name stands outside mentions there

    Of all ways to assign them those count whose surroundings agree best, or nearly. Where these would label the
    places in different ways, the order decides if the words that both sentences have once stand in the same order
    around the names; else nothing does. It is unclear too where a mention would be left without a place, and where the
    words between names of two labels do not bear the way out: "Jordan visited Jordan" said in the passive has the
    names in the other order, though all around them stays.
    """
    alike = len(set(roles)) == 1
    if len(before) > MOST or not after:
        return tuple(range(len(after))) if alike and len(before) == len(after) else None
    ways = list(permutations(range(len(before)), len(after)))
    score = [[_likeness(old, one, new, other) for one in before] for other in after]
    totals = {way: sum(score[place][index] for place, index in enumerate(way)) for way in ways}
    best = max(totals.values())
    tied = [way for way in ways if totals[way] >= best - _CLOSE]
    if len({_labelled(way, roles) for way in tied}) > 1:
        tied = [way for way in tied if _in_order(old, before, new, after, way)]
        if len({_labelled(way, roles) for way in tied}) != 1:
            return None
    chosen = max(tied, key=totals.__getitem__)
    if not alike and not _borne_out(old, before, new, after, chosen, roles):
        return None
    return chosen if all(index in chosen for index, role in enumerate(roles) if role is not None) else None


def _borne_out(
    old: Sequence[str],
    before: Sequence[Found],
    new: Sequence[str],
    after: Sequence[Found],
    way: Assigned,
    roles: Sequence[str | None],
) -> bool:
    """Whether the words that stand between names of two labels allow a way.

    Of two that keep their order both have the word that faces the other one, as in the original: a passive puts others
    there. Of two that change it one has. Where the other is gone, the one that is left has that word.
    """

    def kept(at: int, on_left: bool, some: bool = False) -> bool:
        words = _left if on_left else _right
        was = words(old, before[way[at]])[:1]
        return was == words(new, after[at])[:1] and bool(was or not some)

    for at, index in enumerate(way):
        others = [other for other, role in enumerate(roles) if role != roles[index]]
        gone = [other for other in others if other not in way]
        if any(not kept(at, other < index, some=True) for other in gone):
            return False
        for later in range(at + 1, len(way)):
            if way[later] not in others:
                continue
            if index < way[later] and not (kept(at, False) and kept(later, True)):
                return False
            if index > way[later] and not (kept(at, True, True) or kept(later, False, True)):
                return False
    return True


def _labelled(way: Assigned, roles: Sequence[str | None]) -> tuple[str | None, ...]:
    return tuple(roles[index] for index in way)


def _likeness(old: Sequence[str], one: Found, new: Sequence[str], other: Found) -> int:
    """How much the surroundings of two places agree: words near both, more on the same side, most right beside."""
    left, right = (_left(old, one), _left(new, other)), (_right(old, one), _right(new, other))
    beside = sum(bool(a and b) and a[0] == b[0] for a, b in (left, right))
    same = sum(len(set(a) & set(b)) for a, b in (left, right))
    near = len({*left[0], *right[0]} & {*left[1], *right[1]})
    return _BESIDE * beside + 2 * same + near


def _left(tokens: Sequence[str], place: Found) -> list[str]:
    return _words(tokens[max(0, place.start - 2 * _REACH) : place.start][::-1], place)


def _right(tokens: Sequence[str], place: Found) -> list[str]:
    return _words(tokens[place.end : place.end + 2 * _REACH], place)


def _words(tokens: Sequence[str], place: Found) -> list[str]:
    """The nearest words, the nearest first: punctuation left out, and what stands behind the same name again."""
    own = {token.casefold() for token in place.name}
    words: list[str] = []
    for token in tokens:
        if token.casefold() in own or len(words) == _REACH:
            break
        if any(map(str.isalnum, token)):
            words.append(token.casefold())
    return words


def _in_order(
    old: Sequence[str], before: Sequence[Found], new: Sequence[str], after: Sequence[Found], way: Assigned
) -> bool:
    """Whether the words that both sentences have once stand in one order, and as many of them before each place."""
    counts = Counter(token.casefold() for token in old), Counter(token.casefold() for token in new)
    shared = {word for word, count in counts[0].items() if count == 1 == counts[1][word] and word.isalnum()}
    anchors = [token.casefold() for token in old if token.casefold() in shared]
    theirs = [token.casefold() for token in new if token.casefold() in shared]
    if len(anchors) < 2 or anchors != theirs:
        return False

    def passed(tokens: Sequence[str], place: Found) -> int:
        return sum(token.casefold() in shared for token in tokens[: place.start])

    return all(passed(old, before[index]) == passed(new, after[at]) for at, index in enumerate(way))
