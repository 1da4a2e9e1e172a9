"""From a candidate to a rewrite: every mention verbatim, in one piece, as often as in the original; or the reason
why not (paper M, 3.2: a paraphrase whose mentions cannot be mapped is discarded).
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from nerquake.core.edits import Rewrite, Source
from nerquake.core.errors import PluginError
from nerquake.core.paraphrases import Candidate
from nerquake.core.sentence import Sentence
from nerquake.core.span import Span
from nerquake.knowledge.text import presentable, storable
from nerquake.perturb.paraphrase_context import assign
from nerquake.perturb.paraphrase_names import Found, Names, Place, Tokens, grown, inside_mentions, lengthened, put_in
from nerquake.perturb.paraphrase_tokens import Conventions

EMPTY = "an empty paraphrase"
UNWRITABLE = "a token that no file can hold"
LOST = "a mention was lost"
CHANGED = "a mention was changed"
SPLIT = "a mention was split"
DUPLICATED = "a mention stands there more often"
NEW = "another name was put in"
UNCLEAR = "equal names cannot be told apart"

Aliases = Mapping[int, tuple[Tokens, ...]]
"""For a mention's index the other names that may stand in its place."""


class Mapped(NamedTuple):
    """A candidate whose mentions are all found.

    places    for each mention of the original where it stands in `tokens`
    origin    for each token the original's token that it is, where the candidate says so; else empty
    aliases   mentions that another name of the same item replaced
    """

    tokens: Tokens
    places: tuple[Place, ...]
    origin: tuple[int | None, ...] = ()
    aliases: tuple[tuple[Tokens, Tokens], ...] = ()

    def rewrite(self, sentence: Sentence, source: Source) -> Rewrite:
        """The rewrite that makes it of the sentence."""
        pairs = zip(self.places, sentence.spans, strict=True)
        spans = [Span(start, end, old.label) for (start, end), old in pairs]
        order = sorted(range(len(spans)), key=lambda index: spans[index].start)
        at = {index: place for place, index in enumerate(order)}
        mentions = tuple(at[index] for index in range(len(spans)))
        return Rewrite(self.tokens, tuple(spans[index] for index in order), mentions, source)


@dataclass(frozen=True, slots=True)
class Mapper:
    """Finds the mentions of sentences of one data set.

    known   the mentions of the data set, of which none may be put in
    """

    conventions: Conventions
    known: Names

    def map(self, sentence: Sentence, candidate: Candidate, aliases: Aliases | None = None) -> Mapped | str:
        """Where the mentions stand, or why the candidate is not taken.

        Raises:
            PluginError: the origins of the candidate's tokens are not tokens of the sentence.
        """
        tokens = candidate.tokens or self.conventions.tokenise(candidate.text, sentence.tokens)
        if not tokens or "" in tokens or not any(map(str.strip, tokens)):
            return EMPTY
        if not all(token in sentence.tokens or (presentable(token) and storable(token)) for token in tokens):
            return UNWRITABLE
        if candidate.tokens and candidate.origin:
            found = _by_origin(sentence, candidate, self.conventions)
        else:
            found = _by_name(sentence, tokens, aliases or {})
        if isinstance(found, str):
            return found
        tokens = found.tokens
        taken = {at for start, end in found.places for at in range(start, end)}
        outside = inside_mentions(sentence)
        if put_in(self.known, sentence.tokens, outside, tokens, taken, found.origin):
            return NEW
        old_places = [(span.start, span.end) for span in sentence.spans]
        if grown(self.known, sentence.tokens, old_places, tokens, found.places, found.origin):
            return NEW
        if not found.origin and lengthened(self.known, sentence.tokens, tokens, found.places, self.conventions.words):
            return CHANGED
        return found


def _by_origin(sentence: Sentence, candidate: Candidate, conventions: Conventions) -> Mapped | str:
    """The mentions where the backend knows which token is which."""
    tokens, origin = candidate.tokens, candidate.origin
    size = len(sentence.tokens)
    if len(origin) != len(tokens) or any(at is not None and not 0 <= at < size for at in origin):
        rules = ", ".join(candidate.rules) or "a paraphraser"
        raise PluginError(
            f"sentence {sentence.id!r}: {rules} gave {len(tokens)} tokens with the origins {list(origin)}; an origin "
            f"is None or one of the sentence's {size} tokens"
        )
    tokens, origin = conventions.adapted(tokens, origin)
    places: list[Place] = []
    for span in sentence.spans:
        own = range(span.start, span.end)
        at = [place for place, old in enumerate(origin) if old in own]
        fault = _fault_of(sentence.tokens, own, tokens, [(place, origin[place]) for place in at])
        if fault:
            return fault
        places.append((at[0], at[-1] + 1))
    names = Names.of(sentence.mention(span) for span in sentence.spans)
    before, after = (_counts(names.found(each)) for each in (sentence.tokens, tokens))
    if any(after[name] > before.get(name, 0) for name in after):
        return DUPLICATED
    return Mapped(tokens, tuple(places), origin)


def _fault_of(old: Sequence[str], own: range, new: Sequence[str], found: Sequence[tuple[int, int | None]]) -> str:
    """What became of a mention, empty where nothing did; `found` are its tokens' places, and which token each is."""
    there = [index for _, index in found if index is not None]
    if not there:
        return LOST
    if any(new[place] != old[index] for place, index in found if index is not None):
        return CHANGED
    if len(there) > len(set(there)):
        return DUPLICATED
    if len(there) < len(own):
        return CHANGED
    if there != list(own) or found[-1][0] - found[0][0] != len(own) - 1:
        return SPLIT
    return ""


def _counts(found: Sequence[Found]) -> dict[Tokens, int]:
    counts: dict[Tokens, int] = {}
    for one in found:
        counts[one.name] = counts.get(one.name, 0) + 1
    return counts


def _by_name(sentence: Sentence, tokens: Tokens, aliases: Aliases) -> Mapped | str:
    """The mentions where only the text is known."""
    old = sentence.tokens
    names = Names.of(sentence.mention(span) for span in sentence.spans)
    before, after = names.found(old), names.found(tokens)
    index_of = {(span.start, span.end): index for index, span in enumerate(sentence.spans)}
    if len({(one.start, one.end) for one in before} & index_of.keys()) < len(index_of):
        return (
            UNCLEAR  # one mention's text is hidden in another's: "York" beside "New", both mentions, reads "New York"
        )
    places: dict[int, Place] = {}
    missing: list[int] = []
    for name in dict.fromkeys(one.name for one in before):
        ours = [one for one in before if one.name == name]
        theirs = [one for one in after if one.name == name]
        indices = [index_of.get((one.start, one.end)) for one in ours]
        fault = _place(sentence, ours, tokens, theirs, indices, places)
        if fault == LOST and not theirs and [index for index in indices if index is not None] == indices[:1]:
            missing += [index for index in indices if index is not None]
        elif fault:
            return fault
    taken = {at for start, end in places.values() for at in range(start, end)}
    swapped: list[tuple[Tokens, Tokens]] = []
    for index in missing:
        name = sentence.mention(sentence.spans[index])
        found = _alias(old, tokens, aliases.get(index, ()), taken)
        if found is None:
            return _why_missing(name, tokens, taken)
        places[index] = (found.start, found.end)
        taken |= set(range(found.start, found.end))
        swapped.append((name, found.name))
    return Mapped(tokens, tuple(places[index] for index in range(len(sentence.spans))), (), tuple(swapped))


def _place(
    sentence: Sentence,
    ours: Sequence[Found],
    tokens: Tokens,
    theirs: Sequence[Found],
    indices: Sequence[int | None],
    places: dict[int, Place],
) -> str:
    """Find the mentions of one name, `indices` where they are mentions in the original; returns what is wrong."""
    if len(theirs) > len(ours):
        return DUPLICATED
    if len(theirs) < sum(index is not None for index in indices):
        return LOST
    roles = [None if index is None else sentence.spans[index].label for index in indices]
    way = assign(sentence.tokens, ours, tokens, theirs, roles)
    if way is None:
        return UNCLEAR
    for place, which in zip(theirs, way, strict=True):
        index = indices[which]
        if index is not None:
            places[index] = (place.start, place.end)
    return ""


def _alias(old: Tokens, tokens: Tokens, aliases: Sequence[Tokens], taken: set[int]) -> Found | None:
    """The one place where another name of a lost mention stands, if there is just one and it is new."""
    names = Names.of(aliases)
    found = names.found(tokens, taken)
    return found[0] if len(found) == 1 and not Names.of([found[0].name]).found(old) else None


def _why_missing(name: Tokens, tokens: Tokens, taken: set[int]) -> str:
    """What became of a mention that does not stand in the paraphrase as it is written."""
    left = [token for at, token in enumerate(tokens) if at not in taken]
    if all(token in left for token in name) and len(name) > 1:
        return SPLIT
    folded = {_folded(token) for token in left}
    parts = {part for token in left for part in _folded(token).replace("-", " ").split()}
    words = [_folded(token) for token in name if any(map(str.isalnum, token))]
    return CHANGED if any(word in folded or word in parts for word in words) else LOST


def _folded(token: str) -> str:
    return unicodedata.normalize("NFKC", token).casefold().removesuffix("'s").removesuffix("’s").strip(".")
