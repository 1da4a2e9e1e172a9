"""One sentence on its way through the steps of an attack: proposals applied, edits and mention maps composed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from nerquake.core.chains import merge_edits
from nerquake.core.edits import Applied, Edit, MentionMap, Rewrite, Source, apply_edits, apply_rewrite, compose_maps
from nerquake.core.errors import EditError, PluginError
from nerquake.core.protocols import Proposal
from nerquake.core.sentence import Sentence
from nerquake.core.variant import Status


class Step(NamedTuple):
    """A step for messages, and what stands before the names of its sources where there are several.

    checked   whether its types were checked when nerquake was built: of third parties' plug-ins they were not
    """

    spec: str
    prefix: str
    checked: bool = False

    def fault(self, sentence: Sentence, error: Exception) -> PluginError:
        """The error for a proposal that cannot be carried out."""
        return PluginError(f"{self.spec} proposed a change to sentence {sentence.id!r} that cannot be made: {error}")

    def sources(self, source: Source) -> Source:
        """The sources under the step's own names."""
        return tuple((self.prefix + key, value) for key, value in source) if self.prefix else source


@dataclass(slots=True)
class State:
    """What has become of one sentence so far.

    mentions    for each mention of the original its index in the sentence as it is now, or None
    edits       what leads from the original to the sentence, unless a step has rewritten it
    source      where a rewritten sentence came from, over all steps
    applicable  whether any step had something to attack
    reason      why nothing has changed yet
    relabelled  mentions that were replaced under another label, over all steps
    """

    original: Sentence
    sentence: Sentence
    mentions: MentionMap
    edits: list[Edit]
    rewritten: bool
    source: Source
    discarded: bool
    applicable: bool
    reason: str
    attackable: int
    relabelled: int

    def __init__(self, sentence: Sentence) -> None:
        self.original = self.sentence = sentence
        self.mentions = tuple(range(len(sentence.spans)))
        self.edits = []
        self.rewritten = self.discarded = self.applicable = False
        self.source = ()
        self.reason = ""
        self.attackable = self.relabelled = 0

    def take(self, proposal: Proposal, step: Step) -> None:
        """Apply a step's proposal."""
        self.attackable = max(self.attackable, proposal.attackable)
        if proposal.applicable and not self.applicable:
            self.applicable, self.reason = True, ""
        if proposal.discard:
            self.discarded, self.reason = True, proposal.reason or "discarded"
            return
        if not proposal.edits and proposal.rewrite is None:
            if proposal.applicable or not self.applicable:
                self.reason = self.reason or proposal.reason
            return
        applied = _apply(self.sentence, proposal, step)
        if proposal.rewrite is not None:
            if not self.rewritten:
                self.source = tuple(pair for edit in self.edits for pair in edit.source)
            self.source += step.sources(proposal.rewrite.source)
            self.rewritten = True
        else:
            self._compose(proposal.edits, step)
        self.relabelled += proposal.relabelled
        self.mentions = compose_maps(self.mentions, applied.mentions)
        self.sentence = applied.sentence

    def _compose(self, edits: Sequence[Edit], step: Step) -> None:
        if step.prefix:
            edits = [replace(edit, source=step.sources(edit.source)) for edit in edits]
        if self.rewritten:
            self.source += tuple(pair for edit in edits for pair in edit.source)
        elif self.edits:
            self.edits = merge_edits(self.original, self.edits, self.sentence, edits)
        else:
            self.edits = sorted(edits, key=lambda edit: (edit.start, edit.end))

    @property
    def status(self) -> Status:
        """What has become of it; changed means other tokens."""
        if self.discarded:
            return "discarded"
        if self.sentence.tokens != self.original.tokens:
            return "changed"
        return "unchanged" if self.applicable else "not-applicable"

    @property
    def replaced(self) -> int:
        """How many of the original's mentions have other tokens now, under their own label or another."""
        old, new = self.original, self.sentence
        count = self.relabelled
        for span, index in zip(old.spans, self.mentions, strict=True):
            if index is not None:
                now = new.spans[index]
                count += old.tokens[span.start : span.end] != new.tokens[now.start : now.end]
        return count


def _check_types(proposal: Proposal, step: Step, sentence: Sentence) -> None:
    """Plug-ins are not type-checked: a text where tokens belong would go a long way before it is found."""
    parts = [proposal.rewrite] if proposal.rewrite is not None else proposal.edits
    for part in parts:
        tokens = part.tokens if isinstance(part, Rewrite) else part.new
        if not isinstance(tokens, tuple) or not all(isinstance(token, str) for token in tokens):
            raise step.fault(sentence, TypeError(f"new tokens are a tuple of texts, got {tokens!r}"))
        if not isinstance(part.source, tuple) or not all(
            isinstance(pair, tuple) and len(pair) == 2 and all(isinstance(item, str) for item in pair)
            for pair in part.source
        ):
            raise step.fault(sentence, TypeError(f"a source is pairs of texts, got {part.source!r}"))


def _apply(sentence: Sentence, proposal: Proposal, step: Step) -> Applied:
    """The sentence after a proposal; what would damage it is the perturbation's fault."""
    rewrite = proposal.rewrite
    if not step.checked:
        _check_types(proposal, step, sentence)
    try:
        if "" in (rewrite.tokens if rewrite is not None else ()) or any("" in edit.new for edit in proposal.edits):
            raise EditError(f"sentence {sentence.id!r}: a new token is empty")
        return apply_edits(sentence, proposal.edits) if rewrite is None else apply_rewrite(sentence, rewrite)
    except (EditError, ValueError) as error:
        raise step.fault(sentence, error) from error
