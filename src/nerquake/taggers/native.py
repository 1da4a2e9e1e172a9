"""Models that `nerquake train` made, by folder."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from nerquake.core.errors import InputError, MissingExtra, SpecError, UsageError
from nerquake.core.options import positional
from nerquake.core.protocols import Tagging
from nerquake.core.scheme import Repair
from nerquake.core.sources import Sources
from nerquake.io.sources_file import FILE
from nerquake.models.means import Chosen, Device, Plugin, means_of
from nerquake.models.quiet import Version, digest_of, version_of
from nerquake.taggers.flair import FlairTagger
from nerquake.taggers.huggingface import HuggingFaceTagger
from nerquake.taggers.trained_on import read_trained_on

if TYPE_CHECKING:
    from nerquake.nn.bilstm import BilstmCrf

PLUGIN = Plugin("tagger", "native")
SETTINGS, TENSORS, CHECKPOINT = "nerquake.json", "model.safetensors", "config.json"
"""What a network of nerquake's own has, and what a transformers checkpoint has."""
OWN, TRANSFORMERS, FLAIR = "bilstm-crf", ("transformer", "transformer-crf"), "flair"
FLAIR_FILES = ("best-model.pt", "final-model.pt")
"""What a training by Flair leaves, best first."""
Precision = Literal["auto", "fp32", "bf16"]
UNKNOWN = f"has no {FILE}, so whether it was trained on audited sentences is not known"


@dataclass(frozen=True, slots=True)
class NativeTagger:
    """A model that `nerquake train` made: a network of nerquake's own, a transformers checkpoint, or a Flair model.

    The first two are safetensors and JSON. A Flair model's file is a pickle, which can run code when it is loaded: use
    files that you trust.

    model      its folder
    repair     what becomes of ill-formed tags; models with a CRF make none
    device     auto: a GPU where there is one
    precision  auto: bfloat16 for a transformer where the processor or GPU multiplies in it, else float32
    batch      sentences, or windows of long ones, that the model takes at a time; 0: as many as suit its kind
    """

    model: str = positional()
    repair: Repair = "conlleval"
    device: Device = "auto"
    precision: Precision = "auto"
    batch: int = 0

    def __post_init__(self) -> None:
        if not self.model:
            raise SpecError("native needs a folder that `nerquake train` wrote: native:FOLDER")
        if self.batch < 0:
            raise SpecError(f"native: batch={self.batch}: 1 or more is expected, or 0 for as many as suit the model")

    def labels(self) -> frozenset[str]:
        """The labels that it was trained on."""
        other = self._other()
        return other.labels() or frozenset() if other else frozenset(self._network().tags.labels)

    def predict(self, batch: Sequence[tuple[str, ...]]) -> list[Tagging]:
        """The mentions of each sentence."""
        other = self._other()
        if other:
            return other.predict(batch)
        from nerquake.nn.bilstm import ROWS

        return self._network().predict(batch, self.batch or ROWS, self.repair)

    def fingerprint(self) -> str:
        """A hash over its files, with what it runs on and the repair."""
        other = self._other()
        if other:
            return other.fingerprint()
        return f"{digest_of(*self._files)}, {self._runs_on}, {self.repair}"

    def about(self) -> tuple[str, ...]:
        """A line on what runs, and one where nothing is known of its training data."""
        return (*self._runs(), *([] if (Path(self.model) / FILE).is_file() else [f"{self._where} {UNKNOWN}"]))

    def _runs(self) -> tuple[str, ...]:
        other = self._other()
        if isinstance(other, FlairTagger):
            return (f"{self._where} is a Flair model and runs on Flair {version('flair')}, device={self.device}",)
        if other:
            return other.about()
        tags = self._network().tags
        return (f"{self._where} runs on {self._runs_on}; {OWN}, {tags.scheme.name} tags, decoded by its CRF",)

    def trained_on(self) -> Sources | None:
        """The sources of its training data."""
        return read_trained_on(self.model)

    @property
    def _where(self) -> str:
        return f"{PLUGIN.name}:{self.model}"

    @property
    def _files(self) -> tuple[Path, Path]:
        return Path(self.model) / SETTINGS, Path(self.model) / TENSORS

    @property
    def _device(self) -> Chosen:
        """Where a network of nerquake's own runs, always in float32.

        Raises:
            UsageError: the device or the precision is not to be had.
        """
        if self.precision == "bf16":
            raise UsageError(f"{self._where} is a {OWN}, which runs in float32: leave precision=bf16 out")
        return means_of(PLUGIN, self.device, "fp32").device

    @property
    def _runs_on(self) -> str:
        return f"{self._device}, fp32, torch {version('torch')}"

    def _other(self) -> HuggingFaceTagger | FlairTagger | None:
        """What tags with a transformers checkpoint or a Flair model; None for a network of nerquake's own.

        Raises:
            MissingExtra: Flair is not installed.
        """
        kind = kind_of(self.model)
        if kind == OWN:
            return None
        if kind == FLAIR:
            return self._flair()
        found = HuggingFaceTagger(self.model, repair=self.repair, device=self.device, precision=self.precision)
        return replace(found, batch=self.batch) if self.batch else found

    def _flair(self) -> FlairTagger:
        if find_spec("flair") is None:
            raise MissingExtra(f"{self._where}, a Flair model,", "flair", "flair")
        if self.precision == "bf16":
            raise UsageError(f"{self._where} is a Flair model, which runs in float32: leave precision=bf16 out")
        found = FlairTagger(self.model, device=self.device)
        return replace(found, batch=self.batch) if self.batch else found

    def _network(self) -> BilstmCrf:
        return _load(self.model, self._device, version_of(*self._files))


def kind_of(model: str) -> str:
    """The kind of model that a folder holds. `transformer` stands for any transformers checkpoint, `flair` for Flair's.

    Raises:
        InputError: it holds none, or one of another kind.
    """
    folder = Path(model)
    settings = folder / SETTINGS
    if not settings.is_file() and (folder / CHECKPOINT).is_file():
        return TRANSFORMERS[0]
    if not settings.is_file() and any((folder / name).is_file() for name in FLAIR_FILES):
        return FLAIR
    kind = _kind(model, version_of(settings))
    if kind != OWN and kind not in TRANSFORMERS:
        known = ", ".join((OWN, *TRANSFORMERS))
        raise InputError(f"{settings}: this is a model of the kind {kind}, which this version does not know ({known})")
    return kind


@lru_cache(maxsize=8)
def _kind(model: str, state: Version) -> str:
    from nerquake.nn.store import read_settings

    return str(read_settings(Path(model))["kind"])


@lru_cache(maxsize=2)
def _load(model: str, device: str, state: Version) -> BilstmCrf:
    from nerquake.nn.bilstm import BilstmCrf

    found = BilstmCrf.load(Path(model))
    found.to(device)
    return found
