"""Running token classification models, in torch or ONNX Runtime."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Literal

import numpy as np

from nerquake.core.errors import InputError, MissingExtra
from nerquake.models.checkpoint import Head, Source, load_config, load_weights
from nerquake.models.encode import Batch
from nerquake.models.means import Means
from nerquake.nn.crf import CRF_KEY, CRF_PLACES, WORDS, CrfWeights, crf_weights, viterbi

Aggregate = Literal["first", "average", "max"]
HEAD = Head(
    "AutoModelForTokenClassification",
    "its tags would be random. It is no model for token classification, or not a finished one: fine-tune it first, or "
    "name another",
    "id2label names every output, no more and no less",
)


@dataclass(frozen=True, slots=True, eq=False)
class TorchModel:
    """A model in torch. `crf` decodes where the checkpoint has one, over words or over pieces."""

    module: Any
    device: str
    typed: bool
    crf: CrfWeights | None
    over_words: bool

    def scores(self, batch: Batch) -> Any:
        """[B, T, K] scores of each label, on the device."""
        import torch

        inputs = {"input_ids": batch.pieces, "attention_mask": batch.mask}
        if self.typed:
            inputs["token_type_ids"] = batch.types
        with torch.inference_mode():
            return self.module(**{key: torch.from_numpy(value).to(self.device) for key, value in inputs.items()}).logits


@dataclass(frozen=True, slots=True, eq=False)
class OnnxModel:
    """A model in ONNX Runtime."""

    session: Any
    inputs: frozenset[str]
    crf: CrfWeights | None
    over_words: bool

    def scores(self, batch: Batch) -> Any:
        """[B, T, K] scores of each label."""
        given = {"input_ids": batch.pieces, "attention_mask": batch.mask, "token_type_ids": batch.types}
        return self.session.run(None, {key: value for key, value in given.items() if key in self.inputs})[0]


Model = TorchModel | OnnxModel


def load_model(source: Source, means: Means, tags: int, typed: bool) -> Model:
    """The model with `tags` labels; `typed` models are told segment numbers.

    Raises:
        InputError: weights are missing or damaged, or do not fit the configuration.
    """
    crf = _crf(source, tags)
    over_words = getattr(load_config(source), CRF_PLACES, None) == WORDS
    if means.runtime == "onnx":
        return _load_onnx(source, means, crf, over_words)
    module = load_weights(source, HEAD, means.precision).to(means.device)
    return TorchModel(module, means.device, typed, crf and crf.to(means.device), over_words)


def _crf(source: Source, tags: int) -> CrfWeights | None:
    state = getattr(load_config(source), CRF_KEY, None)
    if not state:
        return None
    if find_spec("torch") is None:
        raise MissingExtra(f"{source.where}, which has a CRF,", "torch", "huggingface")
    if not isinstance(state, dict):
        raise InputError(
            f"{source.where}: {CRF_KEY} in its config.json is a {type(state).__name__}, expected an object"
        )
    where = f"{source.where}, {CRF_KEY} in config.json"
    weights = crf_weights(state, tags, where)
    _check_finite(weights, where)
    return weights


def _check_finite(weights: CrfWeights, where: str) -> None:
    """See that the best path is one: next to NaN or infinity all paths are alike."""
    import torch

    named = {"start_transitions": weights.start, "end_transitions": weights.end, "transitions": weights.transitions}
    odd = [f"{key} ({int((~torch.isfinite(value)).sum())})" for key, value in named.items()
           if not torch.isfinite(value).all()]  # fmt: skip
    if odd:
        raise InputError(f"{where}: the CRF has weights that are not finite (NaN or infinity): {', '.join(odd)}")


def _load_onnx(source: Source, means: Means, crf: CrfWeights | None, over_words: bool) -> OnnxModel:
    import onnxruntime

    folder = Path(source.model)
    found = next((file for name in ("model.onnx", "onnx/model.onnx") if (file := folder / name).is_file()), None)
    if found is None:
        raise InputError(
            f"{source.where}: runtime=onnx needs a folder with model.onnx in it, beside config.json and the tokenizer"
        )
    provider = "CUDAExecutionProvider" if means.device == "cuda" else "CPUExecutionProvider"
    try:
        session = onnxruntime.InferenceSession(str(found), providers=[provider])
    except Exception as error:  # the runtime's errors have no base class of their own
        raise InputError(f"{source.where}: {found.name} cannot be loaded: {str(error).splitlines()[0]}") from error
    wanted = frozenset(entry.name for entry in session.get_inputs())
    strange = sorted(wanted - {"input_ids", "attention_mask", "token_type_ids"})
    if strange or "input_ids" not in wanted:
        raise InputError(
            f"{source.where}: {found.name} asks for {', '.join(sorted(wanted))}; a token classification model asks for "
            "input_ids, attention_mask and, some of them, token_type_ids"
        )
    return OnnxModel(session, wanted, crf, over_words)


def best_labels(model: Model, batches: Sequence[Batch], aggregate: Aggregate, tags: int, where: str) -> list[list[int]]:
    """The label of each word of each row, by index, in the order of the batches' rows.

    On a GPU all batches are under way before the first answer is fetched.

    Raises:
        InputError: the model gives another number of labels than its configuration names.
    """
    pending = []
    for batch in batches:
        scores = model.scores(batch)
        if scores.shape[-1] != tags:
            raise InputError(
                f"{where}: the model gives {scores.shape[-1]} scores a piece, its configuration {tags} labels"
            )
        pending.append((batch, _best(scores, batch, model, aggregate)))
    found: list[list[int]] = []
    for batch, best in pending:
        by_piece = aggregate == "first" and not (model.crf is not None and model.over_words)
        for row, labels in zip(batch.rows, best if aggregate != "first" else best.tolist(), strict=True):
            found.append(
                [labels[batch.offset + first] for first in row.firsts] if by_piece else labels[: len(row.words)]
            )
    return found


def _best(scores: Any, batch: Batch, model: Model, aggregate: Aggregate) -> Any:
    """[B, T] labels of pieces; labels of words [B, W] with a CRF over them, lists of them where pieces are pooled."""
    if model.crf is not None and model.over_words:
        return _by_words(scores, batch, model.crf)
    if model.crf is not None:
        import torch

        emissions = torch.as_tensor(scores)
        return viterbi(emissions, torch.from_numpy(batch.mask).to(emissions.device), model.crf)
    if aggregate == "first":
        return scores.argmax(-1)
    return _pooled(scores, batch, aggregate)


def _by_words(scores: Any, batch: Batch, crf: CrfWeights) -> Any:
    """[B, W] the best labels of the words that have a piece, padded."""
    import torch

    emissions = torch.as_tensor(scores)
    places, words = (torch.from_numpy(part).to(emissions.device) for part in batch.words())
    chosen = emissions.gather(1, places.unsqueeze(-1).expand(-1, -1, emissions.shape[-1]))
    return viterbi(chosen, words, crf)


def _pooled(scores: Any, batch: Batch, aggregate: Aggregate) -> list[list[int]]:
    """The label of each word from all of its pieces: the highest mean, or the highest, probability."""
    plain = scores if isinstance(scores, np.ndarray) else scores.float().cpu().numpy()
    shares = np.exp(plain - plain.max(-1, keepdims=True))
    shares /= shares.sum(-1, keepdims=True)
    pool = np.add if aggregate == "average" else np.maximum  # every piece is of some word: no division is needed
    return [
        pool.reduceat(shares[at, batch.offset : batch.offset + len(row.pieces)], row.firsts, axis=0).argmax(-1).tolist()
        for at, row in enumerate(batch.rows)
    ]
