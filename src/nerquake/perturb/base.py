"""What attacks on mentions have in common: which mentions they take, and replacing whole mentions.

Randomness is keyed by a mention's *unit*: its sentence id and index, or, where replacements are to be consistent, its
text within the document or the data set.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple

from nerquake.core.dataset import Dataset
from nerquake.core.edits import Edit, Source
from nerquake.core.errors import PluginError, SpecError, UsageError
from nerquake.core.protocols import Proposal
from nerquake.core.seeds import Draws
from nerquake.core.sentence import Sentence
from nerquake.core.variant import NO_CANDIDATE
from nerquake.perturb.kinds import is_name_part

Consistent = Literal["mention", "document", "corpus"]
CoverageDraw = Literal["independent", "nested"]
NO_MENTION = "no mention that this attack replaces"
NOT_COVERED = "not chosen (coverage)"
Key = tuple[str, int]
"""A mention of a data set: sentence id and index among the sentence's mentions."""


class Replacement(NamedTuple):
    """The tokens to put in a mention's place, and where they came from."""

    tokens: tuple[str, ...]
    source: Source = ()


Plan = dict[Key, Replacement | None]
"""For each chosen mention what replaces it; None where there is no candidate."""


class Mention(NamedTuple):
    """One mention in its sentence.

    place  its index among the sentence's mentions
    unit   what its draws are keyed by
    """

    sentence: Sentence
    place: int
    unit: tuple[str | int, ...]

    @property
    def key(self) -> Key:
        """Its key in a plan."""
        return self.sentence.id, self.place

    @property
    def label(self) -> str:
        """Its label."""
        return self.sentence.spans[self.place].label

    @property
    def tokens(self) -> tuple[str, ...]:
        """Its tokens."""
        return self.sentence.mention(self.sentence.spans[self.place])

    @property
    def text(self) -> str:
        """Its tokens, joined by blanks."""
        return " ".join(self.tokens)


@dataclass(frozen=True, slots=True, kw_only=True)
class MentionOptions:
    """The options of every attack on mentions.

    types          labels to attack; by default all, but for compounds and derived words such as GermEval's LOCpart
    coverage       how many of the mentions to attack: a share up to 1, or above that a percentage (0.4 and 40 are
                   the same). Each mention is drawn on its own, so the share holds on average
    coverage_draw  independent: each coverage has its own draw (paper R); nested: a mention chosen at 20 is chosen at
                   40 too, and where the attack's pool is fixed it gets the same replacement
    consistent     mention: each is drawn on its own; document, corpus: mentions of one type with the same text get
                   the same replacement in a document (a sentence where the file has none), or everywhere
    """

    types: tuple[str, ...] = ()
    coverage: float = 1.0
    coverage_draw: CoverageDraw = "independent"
    consistent: Consistent = "mention"

    def __post_init__(self) -> None:
        if not 0 < self.coverage <= 100:
            raise SpecError(f"coverage: expected a share up to 1 or a percentage up to 100, got {self.coverage:g}")

    @property
    def share(self) -> float:
        """The coverage as a share."""
        return self.coverage if self.coverage <= 1 else self.coverage / 100

    def selects(self, label: str) -> bool:
        """Whether mentions with this label are attacked."""
        return label in self.types if self.types else not is_name_part(label)

    def mentions(self, sentence: Sentence) -> Iterator[Mention]:
        """The sentence's mentions that are attacked, covered or not."""
        for index, span in enumerate(sentence.spans):
            if self.selects(span.label):
                yield Mention(sentence, index, self._unit(sentence, index))

    def _unit(self, sentence: Sentence, index: int) -> tuple[str | int, ...]:
        if self.consistent == "mention":
            return sentence.id, index
        span = sentence.spans[index]
        if self.consistent == "corpus":
            return "corpus", span.label, sentence.surface(span)
        if sentence.doc_id is None:
            return "sentence", sentence.id, span.label, sentence.surface(span)
        return "document", sentence.doc_id, span.label, sentence.surface(span)

    def covers(self, mention: Mention, draws: Draws) -> bool:
        """Whether the coverage takes the mention; `draws` are the attack's."""
        share = self.share
        return share >= 1 or draws.of("").share("coverage", *mention.unit) < share

    def chosen(self, corpus: Dataset, draws: Draws) -> list[Mention]:
        """All mentions to replace."""
        return [m for sentence in corpus for m in self.mentions(sentence) if self.covers(m, draws)]

    def notes_on(self, corpus: Dataset) -> list[str]:
        """What to say of the data set's labels.

        Raises:
            UsageError: `types` names a label that the data set does not have.
        """
        counts = corpus.mentions
        absent = [label for label in self.types if label not in counts]
        if absent:
            there = ", ".join(sorted(counts)) or "none"
            raise UsageError(f"types: {corpus.name} has no mention labelled {', '.join(absent)}; its labels: {there}")
        parts = sorted(label for label in counts if not self.types and is_name_part(label))
        return [
            f"{label}: {counts[label]} compounds or derived words left alone (types= takes them)" for label in parts
        ]


def propose_replacements(
    sentence: Sentence,
    options: MentionOptions,
    draws: Draws,
    replace: Callable[[Mention], Replacement | None],
    reason: str = NO_CANDIDATE,
) -> Proposal:
    """Edits that replace the sentence's covered mentions; `draws` are the sentence's or the attack's.

    reason   why none is replaced where `replace` has nothing for any
    """
    edits: list[Edit] = []
    attackable = covered = 0
    for mention in options.mentions(sentence):
        attackable += 1
        if not options.covers(mention, draws):
            continue
        covered += 1
        found = replace(mention)
        if found is not None:
            span = sentence.spans[mention.place]
            edits.append(Edit(span.start, span.end, found.tokens, "mention", found.source))
    if not attackable:
        return Proposal(reason=NO_MENTION, applicable=False)
    why = "" if edits else reason if covered else NOT_COVERED
    return Proposal(tuple(edits), reason=why, attackable=attackable)


def planned(plan: Mapping[Key, Replacement | None]) -> Callable[[Mention], Replacement | None]:
    """Replacements from a plan that `prepare` made.

    Raises:
        PluginError: `prepare` has not seen the mention.
    """

    def replace(mention: Mention) -> Replacement | None:
        try:
            return plan[mention.key]
        except KeyError:
            raise PluginError(f"sentence {mention.sentence.id!r} was not in the data set that was prepared") from None

    return replace


def width_note(plan: Mapping[Key, Replacement | None], label: str) -> str:
    """How many replacements have how many tokens."""
    widths: dict[int, int] = {}
    for found in plan.values():
        if found is not None:
            widths[len(found.tokens)] = widths.get(len(found.tokens), 0) + 1
    shares = ", ".join(f"{count} of {width}" for width, count in sorted(widths.items()))
    return f"{label}: {sum(widths.values())} replacements; by number of tokens: {shares or 'none'}"
