"""Probe sentences: a mention without its context, and a context without its mention.

Asked about both and about the whole sentence, a model shows whether it knows the name, reads the context, or needs
the two together (analyse/probe.py). These are no attacks: they are no natural text, and no score is made of them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from random import Random
from typing import Literal, NamedTuple

from nerquake.core.edits import Edit, apply_edits
from nerquake.core.errors import UsageError
from nerquake.core.seeds import Draws
from nerquake.core.sentence import Sentence
from nerquake.core.span import Span
from nerquake.perturb.alphabets import stand_ins

ProbeKind = Literal["name", "neutral", "nonsense"]
KINDS: tuple[ProbeKind, ...] = ("name", "neutral", "nonsense")
NAMES: Mapping[ProbeKind, str] = {kind: f"probe.{kind}" for kind in KINDS}
"""What the sets are called."""
NEUTRAL = ("X",)
"""Stands for any mention: it says neither what the name was nor how long it was or how it was written."""


class Place(NamedTuple):
    """Which mention a probe sentence is about.

    parent   the original sentence's id; `mention` is the mention's place in it
    gold     where the mention stands in the probe sentence
    """

    parent: str
    mention: int
    gold: Span


@dataclass(frozen=True, slots=True)
class ProbeSet:
    """The sentences of one kind, and for each of them the mention that it is about.

    kind   "name": the mention alone; "neutral" and "nonsense": its context, with a string in its place that says
           nothing of it, or one of the same shape
    """

    kind: ProbeKind
    sentences: tuple[Sentence, ...]
    places: tuple[Place, ...]

    @property
    def name(self) -> str:
        """The set's name, for predictions."""
        return NAMES[self.kind]


def probe_sets(
    original: Iterable[Sentence], seed: int, *, taken: Collection[str] = (), neutral: tuple[str, ...] = NEUTRAL
) -> tuple[ProbeSet, ...]:
    """The three sets for all mentions, in order; each probe sentence is about one mention and leaves the others.

    taken     names of the audit's other sets
    neutral   the tokens that stand for any mention

    A mention that is its whole sentence has no context, and one without letters no nonsense of its shape; they have no
    sentence of that kind. Nor has one whose text the new string happens to be.

    Raises:
        UsageError: a set of the audit has the name of one of these.
    """
    clash = sorted({name.casefold() for name in taken} & set(NAMES.values()))
    if clash:
        raise UsageError(
            f"--probe: a set is called {', '.join(clash)} already; give the attack another name with name="
        )
    made: dict[ProbeKind, list[tuple[Sentence, Place]]] = {kind: [] for kind in KINDS}
    for sentence in original:
        draws = Draws(seed, "probe", sentence.id)
        for mention in range(len(sentence.spans)):
            made["name"].append(_alone(sentence, mention))
            made["neutral"] += _instead(sentence, mention, "neutral", neutral)
            text = nonsense(sentence.mention(sentence.spans[mention]), draws.random("nonsense", mention))
            made["nonsense"] += _instead(sentence, mention, "nonsense", text)
    return tuple(
        ProbeSet(kind, tuple(one for one, _ in found), tuple(place for _, place in found))
        for kind, found in made.items()
    )


def nonsense(tokens: tuple[str, ...], rng: Random) -> tuple[str, ...]:
    """The tokens with every letter replaced by another of its script and case; digits and all else stay."""
    return tuple(_other_letters(token, rng) for token in tokens)


def _other_letters(token: str, rng: Random) -> str:
    made = []
    for index, character in enumerate(token):
        choices = stand_ins(character, token[index + 1 : index + 2])
        made.append(rng.choice(choices) if choices else character)
    return "".join(made)


def _id(sentence: Sentence, kind: ProbeKind, mention: int) -> str:
    return f"{sentence.id}~{NAMES[kind]}.{mention}"


def _alone(sentence: Sentence, mention: int) -> tuple[Sentence, Place]:
    """The mention as a sentence of its own."""
    span = sentence.spans[mention]
    gold = Span(0, span.width, span.label)
    made = Sentence(
        id=_id(sentence, "name", mention),
        tokens=sentence.mention(span),
        spans=(gold,),
        spaces=None if sentence.spaces is None else sentence.spaces[span.start : span.end],
        doc_id=sentence.doc_id,
        columns=sentence.columns[span.start : span.end],
        meta=sentence.meta,
        source=sentence.source,
        hashed=sentence.hashed,
    )
    return made, Place(sentence.id, mention, gold)


def _instead(
    sentence: Sentence, mention: int, kind: ProbeKind, new: tuple[str, ...]
) -> Iterator[tuple[Sentence, Place]]:
    """The sentence with other tokens in the mention's place, where both are something else than they were."""
    span = sentence.spans[mention]
    if span.width == len(sentence) or new == sentence.mention(span):
        return
    applied = apply_edits(sentence, [Edit(span.start, span.end, new, "mention")], _id(sentence, kind, mention))
    yield applied.sentence, Place(sentence.id, mention, applied.sentence.spans[mention])
