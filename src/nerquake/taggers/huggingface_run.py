"""Running token classification models: in torch or ONNX Runtime, on which device, in which precision."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np

from nerquake.core.errors import InputError, MissingExtra, UsageError
from nerquake.nn.crf import CrfWeights, crf_weights, viterbi
from nerquake.taggers.huggingface_encode import Batch
from nerquake.taggers.huggingface_load import Source, load_config, load_weights

Device = Literal["auto", "cpu", "cuda"]
Precision = Literal["auto", "fp32", "bf16"]
Runtime = Literal["torch", "onnx"]
Aggregate = Literal["first", "average", "max"]
BF16_FLAGS = frozenset({"amx_bf16", "avx512_bf16", "bf16"})
"""What processors that multiply in bfloat16 say of themselves."""
CRF_KEY = "crf_state_dict"
"""Where T-NER keeps the weights of a conditional random field in a model's configuration."""


class Means(NamedTuple):
    """What a model runs on, once `auto` is settled."""

    runtime: Runtime
    device: Literal["cpu", "cuda"]
    bf16: bool

    def __str__(self) -> str:
        library = "onnxruntime" if self.runtime == "onnx" else "torch"
        as_saved = "as exported" if self.runtime == "onnx" else "bf16" if self.bf16 else "fp32"
        return f"{self.device}, {as_saved}, {library} {version(library)}, transformers {version('transformers')}"


def means_of(runtime: Runtime, device: Device, precision: Precision) -> Means:
    """Settle `auto`: a GPU where there is one, bfloat16 where the processor multiplies in it.

    Raises:
        MissingExtra: the runtime is not installed.
        UsageError: the device or precision asked for is not to be had here.
    """
    if runtime == "onnx":
        return _onnx_means(device, precision)
    if find_spec("torch") is None:
        raise MissingExtra("the tagger huggingface", "torch", "huggingface")
    import torch

    there = torch.cuda.is_available()
    if device == "cuda" and not there:
        raise UsageError("huggingface: device=cuda, but torch finds no GPU here; device=cpu or auto runs without one")
    chosen: Literal["cpu", "cuda"] = "cuda" if there and device != "cpu" else "cpu"
    able = torch.cuda.is_bf16_supported() if chosen == "cuda" else processor_has_bf16()
    if precision == "bf16" and not able:
        raise UsageError(
            f"huggingface: precision=bf16, but this {'GPU' if chosen == 'cuda' else 'processor'} does not multiply in "
            "bfloat16; precision=fp32 or auto runs here"
        )
    return Means("torch", chosen, able and precision != "fp32")


def _onnx_means(device: Device, precision: Precision) -> Means:
    if find_spec("onnxruntime") is None:
        raise MissingExtra("the tagger huggingface with runtime=onnx", "onnxruntime", "onnx")
    if precision != "auto":
        raise UsageError(f"huggingface: runtime=onnx runs in the precision of the exported model, not {precision}")
    import onnxruntime

    there = "CUDAExecutionProvider" in onnxruntime.get_available_providers()
    if device == "cuda" and not there:
        raise UsageError("huggingface: device=cuda, but this ONNX Runtime has no CUDA; pip install onnxruntime-gpu")
    return Means("onnx", "cuda" if there and device != "cpu" else "cpu", False)


@lru_cache(maxsize=1)
def processor_has_bf16(path: str = "/proc/cpuinfo") -> bool:
    """Whether the processor has instructions for bfloat16; False where the system does not say."""
    try:
        text = Path(path).read_text("utf-8", "replace")
    except OSError:
        return False
    lines = (line.partition(":") for line in text.splitlines())
    flags = next((value for key, _, value in lines if key.strip() in ("flags", "Features")), "")
    return not BF16_FLAGS.isdisjoint(flags.split())


@dataclass(frozen=True, slots=True, eq=False)
class TorchModel:
    """A model in torch. `crf` decodes where the checkpoint has one."""

    module: Any
    device: str
    typed: bool
    crf: CrfWeights | None

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
    if means.runtime == "onnx":
        return _load_onnx(source, means, crf)
    module = load_weights(source, means.bf16).to(means.device)
    return TorchModel(module, means.device, typed, crf and crf.to(means.device))


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


def _load_onnx(source: Source, means: Means, crf: CrfWeights | None) -> OnnxModel:
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
    return OnnxModel(session, wanted, crf)


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
        pending.append((batch, _best(scores, batch, model.crf, aggregate)))
    found: list[list[int]] = []
    for batch, best in pending:
        for row, labels in zip(batch.rows, best.tolist() if aggregate == "first" else best, strict=True):
            positions = [batch.offset + first for first in row.firsts]
            found.append([labels[position] for position in positions] if aggregate == "first" else labels)
    return found


def _best(scores: Any, batch: Batch, crf: CrfWeights | None, aggregate: Aggregate) -> Any:
    if crf is not None:
        import torch

        emissions = torch.as_tensor(scores)
        return viterbi(emissions, torch.from_numpy(batch.mask).to(emissions.device), crf)
    if aggregate == "first":
        return scores.argmax(-1)
    return _pooled(scores, batch, aggregate)


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
