"""Flair models on sentences that are tokenised already."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any, Literal

from nerquake.core.errors import InputError, UsageError
from nerquake.core.options import positional
from nerquake.core.protocols import Tagging
from nerquake.core.sources import Sources
from nerquake.core.span import Span
from nerquake.models.quiet import Version, digest_of, quiet, version_of
from nerquake.taggers.changed_text import place_tokens
from nerquake.taggers.seen import SeenTokens, seen_tokens
from nerquake.taggers.trained_on import read_trained_on

MODEL_FILES = ("best-model.pt", "final-model.pt", "pytorch_model.bin")
"""What Flair's trainer and its hub call a model, best first."""
_PREFIXES = ("B-", "I-", "E-", "S-")


@dataclass(frozen=True, slots=True)
class FlairTagger:
    """A Flair model that predicts spans. Flair drops empty tokens, and blanks have nothing to see: both are unseen.

    Every sentence is tagged without its neighbours, also by models that were trained to look at them, so that an
    answer depends on its sentence alone. A model file is a pickle, which can run code when it is loaded: use files
    that you trust. A name is looked up on Flair's hub, which needs the network the first time.

    model    a file, a folder with best-model.pt, final-model.pt or pytorch_model.bin, or a name on the hub
    batch    sentences that Flair takes at a time
    device   where it runs; auto: a graphics processor where there is one
    """

    model: str = positional()
    batch: int = 32
    device: Literal["auto", "cpu", "cuda"] = "auto"

    def __post_init__(self) -> None:
        if not self.model:
            raise ValueError("it needs a model: flair:FILE, flair:FOLDER or flair:NAME")
        if self.batch < 1:
            raise ValueError(f"batch={self.batch}: at least 1 is expected")

    def labels(self) -> frozenset[str] | None:
        """The labels in the model's dictionary; None where it has none."""
        dictionary = getattr(self._model(), "label_dictionary", None)
        if dictionary is None:
            return None
        special = {"O", "_", "", "<unk>", "<START>", "<STOP>"}
        items = [item for item in dictionary.get_items() if item not in special]
        return frozenset(item[2:] if item.startswith(_PREFIXES) else item for item in items)

    def predict(self, batch: Sequence[tuple[str, ...]]) -> list[Tagging]:
        """The spans of the model's own label type in each sentence."""
        model = self._model()
        asked = [seen_tokens(tokens, str.strip) for tokens in batch]
        with quiet("flair"):
            sentences = [flair_sentence(one.tokens) for one in asked]
            there = [sentence for sentence in sentences if len(sentence)]
            if there:
                model.predict(there, mini_batch_size=self.batch, embedding_storage_mode="none")
        return [_tagging(one, sentence, model.label_type) for one, sentence in zip(asked, sentences, strict=True)]

    def fingerprint(self) -> str:
        """A hash over Flair's version and the model's file, or its parameters where it came from the hub."""
        start = f"flair {flair_library().__version__}"
        if Path(self.model).exists():
            return digest_of(_file(self.model), start=start)
        digest = sha256(start.encode())
        for name, tensor in sorted(self._model().state_dict().items()):
            digest.update(name.encode() + tensor.cpu().numpy().tobytes())
        return digest.hexdigest()

    def trained_on(self) -> Sources | None:
        """The sources of its training data, where nerquake trained it."""
        return read_trained_on(self.model)

    def _model(self) -> Any:
        return _load(self.model, self.device, version_of(_file(self.model)))


def flair_library() -> Any:
    """The library.

    Raises:
        UsageError: it is installed beside a library that it does not work with.
    """
    with quiet("flair", "transformers"):
        try:
            import flair
        except ImportError as error:
            raise UsageError(
                f"Flair is installed but cannot be imported ({error}). It needs transformers below 5: "
                'pip install "nerquake[flair]", in an environment of its own'
            ) from error
    return flair


def flair_sentence(tokens: Sequence[str]) -> Any:
    """A sentence of Flair's that has no neighbours."""
    from flair.data import Sentence

    sentence = Sentence(list(tokens))
    Sentence.set_context_for_sentences([sentence])
    return sentence


def _tagging(asked: SeenTokens, sentence: Any, label_type: str) -> Tagging:
    spans = [
        Span(found.tokens[0].idx - 1, found.tokens[-1].idx, label.value, float(label.score))
        for found in sentence.get_spans(label_type)
        for label in found.get_labels(label_type)[:1]
    ]
    return asked.restore(place_tokens(asked.tokens, [token.text for token in sentence.tokens], spans))


def _file(model: str) -> Path:
    """The model's file: itself, or the one in a folder.

    Raises:
        InputError: the folder holds no model, or several.
    """
    path = Path(model)
    if not path.is_dir():
        return path
    found = [path / name for name in MODEL_FILES if (path / name).is_file()] or sorted(path.glob("*.pt"))
    if not found:
        raise InputError(f"flair:{model} holds no model: expected {', '.join(MODEL_FILES)} or another .pt file")
    if len(found) > 1 and found[0].name not in MODEL_FILES:
        raise InputError(f"flair:{model} holds several models: {', '.join(f.name for f in found)}; name one of them")
    return found[0]


@lru_cache(maxsize=2)
def _load(model: str, device: str, version: Version) -> Any:
    """A model, ready to predict.

    Raises:
        InputError: it cannot be loaded, or does not predict spans.
    """
    there = Path(model).exists()
    source = str(_file(model)) if there else model
    flair = flair_library()
    with quiet("flair", "transformers", "huggingface_hub"):
        import torch
        from flair.nn import Classifier

        if device == "cuda" and not torch.cuda.is_available():
            raise InputError(f"flair:{model},device=cuda: this machine has none; device=auto takes what there is")
        flair.device = torch.device(device if device != "auto" else "cuda" if torch.cuda.is_available() else "cpu")
        try:
            loaded: Any = Classifier.load(source)
        except Exception as error:  # a pickle of anything, a broken file, no network
            raise InputError(_unloadable(model, there, error)) from error
    spans = getattr(loaded, "predict_spans", getattr(loaded, "span_prediction_problem", None))
    if not spans:
        found = f"is a {type(loaded).__name__}"
        found += f" for the label type {loaded.label_type!r}" if getattr(loaded, "label_type", "") else ""
        raise InputError(f"flair:{model} {found}, which predicts no spans; an entity recogniser is expected")
    return loaded


def _unloadable(model: str, there: bool, error: Exception) -> str:
    what = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    if there:
        return f"flair:{model} is there but cannot be loaded ({what})"
    return (
        f"flair:{model} is no file or folder here, and Flair's hub does not give it ({what}). Name a saved model "
        "(best-model.pt or its folder); a name on the hub needs the network the first time"
    )
