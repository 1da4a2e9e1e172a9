"""Running masked language models: the vocabulary at masked places only, the best entries, and how far answers vary."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nerquake.language.transformers_int8 import use_int8
from nerquake.language.transformers_rows import Batch, Encoder, Row
from nerquake.models.checkpoint import Head, Source, load_weights
from nerquake.models.means import Means

HEAD = Head(
    "AutoModelForMaskedLM",
    "its fills would be random. It is no masked language model, or only the encoder of one: name the checkpoint that "
    "was trained to fill masks",
    "vocab_size is the number of entries that the model scores",
)
FLOOR = 2.0**-14
"""The least that answers in float32 are taken to vary by: six times the most that was seen."""
UNSTEADY = 0.25
"""The least where answers in low precision vary: a sum that is a little off may be rounded to another number."""
PROBED = (6, 22)
"""Pieces in the rows that are run alone and together to see how far answers vary, special ones not included."""


@dataclass(slots=True)
class Gather:
    """Lets only the masked places through, from an encoder to the head. `at` is where they are, or None: all pass."""

    at: Any = None

    def __call__(self, module: Any, given: Any, made: Any) -> Any:
        """What torch calls with an encoder's output: [B, T, H] becomes [B, 1, H]."""
        if self.at is None:
            return None
        import torch

        states = made[0]
        kept = states[torch.arange(len(states), device=states.device), self.at].unsqueeze(1)
        if isinstance(made, tuple):
            return (kept, *made[1:])
        made[next(iter(made.keys()))] = kept
        return made


@dataclass(frozen=True, slots=True, eq=False)
class Model:
    """A model in torch. `gather` is None where its head must see all places."""

    module: Any
    device: str
    typed: bool
    gather: Gather | None

    def scores(self, batch: Batch) -> Any:
        """[B, V] the score of each entry at the masked place, in float32, on the device."""
        import torch

        inputs = {"input_ids": batch.pieces, "attention_mask": batch.mask}
        if self.typed:
            inputs["token_type_ids"] = batch.types
        at = torch.from_numpy(batch.at).to(self.device)
        with torch.inference_mode():
            given = {key: torch.from_numpy(value).to(self.device) for key, value in inputs.items()}
            if self.gather is None:
                made = self.module(**given).logits
                return made[torch.arange(len(made), device=made.device), at].float()
            self.gather.at = at
            try:
                return self.module(**given).logits[:, 0].float()
            finally:
                self.gather.at = None


def load_model(source: Source, means: Means, encoder: Encoder) -> Model:
    """The model, with its head at masked places only where that gives what the whole gives.

    Raises:
        InputError: weights are missing or damaged, or do not fit the configuration.
    """
    module = load_weights(source, HEAD, means.precision)
    if means.precision == "int8":
        module = use_int8(module)
    module = module.to(means.device)
    whole = Model(module, means.device, encoder.frame.typed, None)
    base = getattr(module, "base_model", module)
    if base is module:
        return whole
    gather = Gather()
    handle = base.register_forward_hook(gather)
    quick = Model(module, means.device, encoder.frame.typed, gather)
    if not _alike(whole, quick, next(encoder.batches(probes(encoder, 4, min(4, encoder.room)), 4))):
        handle.remove()
        return whole
    return quick


def _alike(whole: Model, quick: Model, batch: Batch) -> bool:
    """Whether both ways give the same, rounding apart."""
    expected = whole.scores(batch)
    try:
        found = quick.scores(batch)
    except (RuntimeError, ValueError, IndexError, TypeError, AttributeError, KeyError):  # a head of another kind
        return False
    if found.shape != expected.shape:
        return False
    return bool((found - expected).abs().max() <= 0.02 * expected.abs().max() + 1e-3)


def best(scores: Any, depth: int) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """The `depth` best entries of each row and their scores, best first; of equal ones the lower number first.

    So the first few of many are the few that are found alone. Low precisions have many equal scores.
    """
    depth = min(depth, scores.shape[1])
    top = scores.topk(depth, dim=1)
    values, numbers = top.values.cpu().numpy(), top.indices.cpu().numpy()
    edge = values[:, -1:]
    wanted = (values == edge).sum(1)
    rows, columns = (found.cpu().numpy() for found in (scores == top.values[:, -1:]).nonzero(as_tuple=True))
    starts = np.searchsorted(rows, np.arange(len(values) + 1))
    for row in np.flatnonzero(starts[1:] - starts[:-1] > wanted):  # more are as good as the last than have a place
        numbers[row, depth - wanted[row] :] = columns[starts[row] : starts[row] + wanted[row]]
    order = np.lexsort((numbers, -values), axis=1)
    return np.take_along_axis(numbers, order, 1), np.take_along_axis(values, order, 1)


def log_shares(scores: Any, rows: Sequence[Row]) -> list[float]:
    """The logarithm of the probability of each row's target."""
    import torch

    targets = torch.tensor([row.target for row in rows], device=scores.device)
    picked = scores.gather(1, targets[:, None])[:, 0] - torch.logsumexp(scores, 1)
    return [float(share) for share in picked.tolist()]


def probes(encoder: Encoder, count: int, length: int) -> list[Row]:
    """Rows of any pieces, each with a mask in its middle; every other one is a little shorter, so that it is padded."""
    draws = np.random.default_rng(0)
    size = len(encoder.tokenizer)
    made = []
    for number in range(count):
        drawn = [int(piece) for piece in draws.integers(0, size, max(1, length - number % 2))]
        drawn[len(drawn) // 2] = encoder.mask
        at = len(encoder.frame.before) + len(drawn) // 2
        made.append(Row(number, [*encoder.frame.before, *drawn, *encoder.frame.after], at))
    return made


def variation(model: Model, encoder: Encoder, precision: str) -> float:
    """By how much a score may differ from batch to batch, from what it differs by in rows that are run both ways.

    Rows that come out the same to the last bit in low precision are taken to do so always: there the libraries sum in
    an order that does not depend on the number of rows, or they do not. In float32 they never promise it; with whole
    numbers that leaves attention, which is float32 still, and only as torch's own kernel has it goes row by row.
    """
    seen = 0.0
    for length in PROBED:
        rows = probes(encoder, 5, min(length, encoder.room))
        alone = {row.request: scores for row in rows for _, scores in _scored(model, encoder, [row], 1)}
        for size in (5, 2):
            for row, scores in _scored(model, encoder, rows, size):
                seen = max(seen, float((scores - alone[row.request]).abs().max()))
    if precision == "fp32":
        return max(16 * seen, FLOOR)
    row_by_row = precision == "bf16" or getattr(model.module.config, "_attn_implementation", "") == "sdpa"
    return 0.0 if row_by_row and not seen else max(8 * seen, UNSTEADY)


def _scored(model: Model, encoder: Encoder, rows: Sequence[Row], size: int) -> Iterator[tuple[Row, Any]]:
    for batch in encoder.batches(rows, size):
        yield from zip(batch.rows, model.scores(batch), strict=True)
