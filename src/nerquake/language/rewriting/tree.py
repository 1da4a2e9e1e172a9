"""A parsed sentence as rules see it, and what a rule proposes.

Parses come from spaCy (its English labels: nsubj, dobj, pobj, prep, agent ...) or from any source in Universal
Dependencies form (German); a rule says which of the two it reads.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, NamedTuple, Protocol

RuleKind = Literal["structure", "lexical"]
"""structure: order of words, voice, clauses; lexical: contractions, number words, alternations of words."""


@dataclass(frozen=True, slots=True)
class Word:
    """One token of the data set with its analysis.

    pos    universal part of speech: NOUN, VERB, AUX, PROPN, PUNCT ...
    tag    the fine tag of the source: VBD, NNS ... (English); STTS where a German source has it
    dep    relation to the head as the source calls it; the root's is ROOT or root
    head   index of the head; its own for the root
    morph  features: {"Number": "Sing", "Tense": "Past"}
    """

    index: int
    text: str
    lemma: str
    pos: str
    tag: str
    dep: str
    head: int
    morph: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Tree:
    """A sentence of the data set, parsed.

    words     one a token
    mentions  token ranges [start, end) of its mentions, which no rule may cut or change
    labels    the label of each mention, for rules that ask for people or places
    """

    words: tuple[Word, ...]
    mentions: tuple[tuple[int, int], ...] = ()
    labels: tuple[str, ...] = ()

    @cached_property
    def _children(self) -> tuple[tuple[int, ...], ...]:
        found: list[list[int]] = [[] for _ in self.words]
        for word in self.words:
            if word.head != word.index:
                found[word.head].append(word.index)
        return tuple(tuple(each) for each in found)

    @property
    def roots(self) -> tuple[int, ...]:
        """Words that are their own heads; more than one where the parser saw several sentences."""
        return tuple(word.index for word in self.words if word.head == word.index)

    def children(self, index: int, *deps: str) -> tuple[Word, ...]:
        """The dependents of a word, in order; of these relations where some are named."""
        return tuple(self.words[at] for at in self._children[index] if not deps or self.words[at].dep in deps)

    def child(self, index: int, *deps: str) -> Word | None:
        """The first dependent of these relations."""
        return next(iter(self.children(index, *deps)), None)

    @cached_property
    def memo(self) -> dict[object, Any]:
        """What rules found out about this tree, by a key of theirs, so that none has to find it again."""
        return {}

    @cached_property
    def _below(self) -> dict[int, frozenset[int]]:
        return {}

    def subtree(self, index: int) -> frozenset[int]:
        """The word and everything below it."""
        known = self._below.get(index)
        if known is None:
            known = self._below[index] = self._subtree(index)
        return known

    def _subtree(self, index: int) -> frozenset[int]:
        found, open_words = set(), [index]
        while open_words:
            at = open_words.pop()
            if at not in found:
                found.add(at)
                open_words.extend(self._children[at])
        return frozenset(found)

    def reach(self, index: int) -> tuple[int, int] | None:
        """The token range [start, end) of a word's subtree; None where other words stand in between."""
        below = self.subtree(index)
        start, end = min(below), max(below) + 1
        return (start, end) if end - start == len(below) else None

    def mention_at(self, index: int) -> tuple[int, int] | None:
        """The mention that a token belongs to."""
        return next((span for span in self.mentions if span[0] <= index < span[1]), None)


Part = tuple[int, int] | str
"""A range [start, end) of the original's tokens, or a new token."""


class Rewriting(NamedTuple):
    """What a rule proposes: tokens `[start, end)` become `parts`, in order.

    A range among the parts stands for its tokens with whatever other rewritings do inside it, so that rewritings
    nest. Tokens that are in no part are gone. A mention must lie whole in one range, or outside `[start, end)`.
    Capitals at the start of the sentence are the engine's business: rules write new tokens as inside a sentence.
    """

    rule: str
    start: int
    end: int
    parts: tuple[Part, ...]
    kind: RuleKind = "structure"


class Rule(Protocol):
    """One way to say a thing differently, in one language. A rule is a subclass: it sets what is true of it."""

    @property
    def name(self) -> str:
        """Its name in outputs: `passive`, `reporting-clause`."""
        ...

    @property
    def kind(self) -> RuleKind:
        """Whether it moves words or exchanges them."""
        ...

    @property
    def reserve(self) -> bool:
        """Whether it is asked only where no other rule moves enough: it stresses what the original does not."""
        return False

    @property
    def turns(self) -> bool:
        """Whether it changes the voice or the order of clauses, however few words move."""
        return False

    @property
    def voice(self) -> bool:
        """Whether it changes the voice, so that another phrase is the subject."""
        return False

    @property
    def fronts(self) -> bool:
        """Whether its first part has moved to the start, before the subject."""
        return False

    @property
    def stays(self) -> bool:
        """Whether its order suits the place where it stands: `Ana , the mayor` at the end of another sentence."""
        return False

    def find(self, tree: Tree) -> Iterator[Rewriting]:
        """All that it would do to a sentence, well-formed results only; nothing where in doubt."""
        ...
