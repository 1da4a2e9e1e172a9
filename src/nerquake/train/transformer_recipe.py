"""The recipes `transformer` and `transformer-crf`: any encoder with a new layer for tags."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from nerquake.core.errors import SpecError
from nerquake.core.options import positional
from nerquake.core.scheme import ALIASES, SCHEMES
from nerquake.core.sentence import Sentence
from nerquake.models.checkpoint import source_of
from nerquake.models.means import Plugin
from nerquake.train.recipe import Adapting, Schedule

if TYPE_CHECKING:
    from nerquake.nn.network import Network

PLUGIN = Plugin("model", "transformer")


@dataclass(frozen=True, slots=True, kw_only=True)
class TransformerRecipe(Adapting):
    """A transformer encoder with a new layer for tags; a word's score is that of its first piece.

    model        folder, or name on the Hugging Face hub: bert-base-cased, bert-base-multilingual-cased, ...
    revision     branch, tag or commit of a model on the hub
    scheme       tag scheme that it learns
    freeze       parameters that stay as they are, by a part of their name: embeddings, encoder, encoder.layer.0
    head_factor  times the rate, for the new layer
    max_length   pieces in a window at most; 0: as many as the model takes
    """

    model: str = positional()
    revision: str = ""
    scheme: str = "iob2"
    freeze: tuple[str, ...] = ()
    head_factor: float = 1.0
    max_length: int = 0

    def __post_init__(self) -> None:
        Adapting.__post_init__(self)
        if self.scheme not in SCHEMES and self.scheme not in ALIASES:
            raise SpecError(f"there is no scheme {self.scheme}: {', '.join(SCHEMES)}")

    @property
    def schedule(self) -> Schedule:
        """Itself."""
        return self

    @property
    def with_crf(self) -> float:
        """What the rate is multiplied with for a CRF; 0: there is none."""
        return 0.0

    def network(self, sentences: Sequence[Sentence], labels: Sequence[str], seed: int) -> Network:
        """The encoder with a new layer."""
        from nerquake.nn.tags import tag_set
        from nerquake.nn.transformer import Options, fresh

        options = Options(
            bool(self.with_crf), self.head_factor, self.with_crf or 1.0, self.freeze, self.max_length, self.lora(seed)
        )
        tags = tag_set(labels, ALIASES.get(self.scheme, self.scheme))
        return fresh(source_of(self.model, self.revision, PLUGIN), tags, options, seed)

    def about(self) -> tuple[str, ...]:
        """What is trained."""
        crf = " and a CRF" if self.with_crf else ""
        return (f"{self.model} with a new layer for tags{crf}; {self.scheme} tags", *self.about_adapters())


@dataclass(frozen=True, slots=True, kw_only=True)
class TransformerCrfRecipe(TransformerRecipe):
    """The same with a conditional random field over the words.

    crf_factor  times the rate, for the scores of the CRF
    """

    crf_factor: float = 20.0

    def __post_init__(self) -> None:
        TransformerRecipe.__post_init__(self)
        if self.crf_factor <= 0:
            raise SpecError("crf-factor is more than 0")

    @property
    def with_crf(self) -> float:
        """What the rate is multiplied with for the CRF."""
        return self.crf_factor
