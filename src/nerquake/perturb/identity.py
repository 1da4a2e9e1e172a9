"""Identity: changes nothing. The control: whatever an audit finds under it is a fault of the audit."""

from __future__ import annotations

from dataclasses import dataclass

from nerquake.core.dataset import Dataset
from nerquake.core.protocols import Context, Prepared, Proposal
from nerquake.core.seeds import Draws
from nerquake.core.sentence import Sentence
from nerquake.core.variant import Level


@dataclass(frozen=True, slots=True)
class Identity:
    """Every sentence stays as it is."""

    @property
    def level(self) -> Level:
        """Nothing."""
        return "none"

    def prepare(self, corpus: Dataset, draws: Draws) -> Prepared:
        """There is nothing to prepare."""
        return Prepared()

    def propose(self, sentence: Sentence, draws: Draws, context: Context) -> Proposal:
        """Nothing."""
        return Proposal(reason="identity changes nothing")
