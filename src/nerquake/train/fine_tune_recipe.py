"""The recipe `fine-tune`: a trained model goes on, its head and the order of its labels kept (M, 4.2, 5.4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from nerquake.core.errors import InputError, SpecError
from nerquake.core.options import option, positional
from nerquake.core.sentence import Sentence
from nerquake.models.checkpoint import load_config, source_of
from nerquake.models.label_names import read_names
from nerquake.models.means import Plugin
from nerquake.train.recipe import Adapting, Schedule

if TYPE_CHECKING:
    from nerquake.nn.network import Network

PLUGIN = Plugin("model", "fine-tune")
SETTINGS = "nerquake.json"
"""What a folder of a network of nerquake's own has."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FineTuneRecipe(Adapting):
    """A trained model goes on: one of nerquake's own, or any transformers model for token classification.

    model     its folder, or its name on the Hugging Face hub
    revision  branch, tag or commit of a model on the hub
    renames   what its label names stand for, where they do not say it: LABEL_0=O|LABEL_1=B-PER
    scheme    tag scheme of its labels; auto: by their prefixes
    freeze    parameters that stay as they are, by a part of their name: embeddings, encoder, encoder.layer.0
    """

    model: str = positional("")
    revision: str = ""
    renames: tuple[str, ...] = option("labels", ())
    scheme: str = "auto"
    freeze: tuple[str, ...] = ()
    epochs: int = 4
    lr: float = 1e-4

    def __post_init__(self) -> None:
        Adapting.__post_init__(self)
        if not self.model:
            raise SpecError("fine-tune needs the model that goes on: fine-tune:FOLDER")

    @property
    def schedule(self) -> Schedule:
        """Itself."""
        return self

    @property
    def base(self) -> str:
        """The model that goes on."""
        return self.model

    def network(self, sentences: Sequence[Sentence], labels: Sequence[str], seed: int) -> Network:
        """The model as it is.

        Raises:
            InputError: it cannot be read, or does not have a label of the training data.
            SpecError: `freeze` names no parameter, or adapters are asked for beside no transformer.
        """
        found = self._network(seed)
        unknown = sorted(set(labels) - set(found.tags.labels))
        if unknown:
            raise InputError(
                f"{self.model} has no label {', '.join(unknown)}, only {', '.join(found.tags.labels)}; fine-tuning "
                f"keeps its labels: rename or drop others with --map {unknown[0]}=..., or train a new model"
            )
        return found

    def _network(self, seed: int) -> Network:
        from nerquake.nn.transformer import Options, kept

        if (Path(self.model) / SETTINGS).is_file():
            from nerquake.nn.bilstm import BilstmCrf

            if self.peft:
                raise SpecError(
                    f"{self.model} is no transformer: leave peft={self.peft} out; freeze= keeps parts of it"
                )
            return BilstmCrf.load(Path(self.model), freeze=self.freeze)
        source = source_of(self.model, self.revision, PLUGIN)
        names = read_names(load_config(source).id2label, self.renames, self.scheme, source.where)
        return kept(source, names, Options(freeze=self.freeze, lora=self.lora(seed)))

    def about(self) -> tuple[str, ...]:
        """What goes on."""
        return (f"{self.model} goes on from where it is, with its own labels", *self.about_adapters())
