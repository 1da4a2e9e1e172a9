"""How fast a conditional random field trains and decodes, against pytorch-crf 0.7.2 on the same batches.

    python -m benchmarks.crf [RUNS]

Batches of 32 sentences of 5 to 40 tokens, with 9 and with 45 tags (IOB2). A loss is the log-likelihood and its gradient
for emissions and scores. Neither side has constraints to obey, so that both compute the same; that they do is checked
first. CPU seconds, medians of 15 alternating runs of ten batches each, one thread. Targets: neither loss nor decoding
takes longer than pytorch-crf's. It is needed beside the project for the comparison: pip install pytorch-crf==0.7.2
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib.util import find_spec
from time import process_time
from typing import Any, NamedTuple

import torch
from torch import Tensor

from benchmarks.common import alternate, print_table
from nerquake.nn.crf_layer import Crf
from nerquake.nn.tags import tag_set

BATCH, LENGTH, BATCHES = 32, 40, 10
OURS, THEIRS = "nerquake", "pytorch-crf"


class Given(NamedTuple):
    """Scores [B, T, K], gold tags [B, T] and the mask [B, T] of a batch."""

    emissions: Tensor
    tags: Tensor
    mask: Tensor


def batches(size: int) -> list[Given]:
    """Some batches for this many tags; one row of each takes all positions."""
    draws = torch.Generator().manual_seed(size)
    made = []
    for _ in range(BATCHES):
        lengths = torch.randint(5, LENGTH + 1, (BATCH, 1), generator=draws)
        lengths[0] = LENGTH
        emissions = 3 * torch.randn(BATCH, LENGTH, size, generator=draws)
        tags = torch.randint(0, size, (BATCH, LENGTH), generator=draws)
        made.append(Given(emissions, tags, torch.arange(LENGTH) < lengths))
    return made


def ours(size: int) -> Crf:
    """A field over this many tags in which everything is allowed."""
    crf = Crf(tag_set([f"L{at}" for at in range(size // 2)], "iob2"))
    for may in crf.buffers():
        may.fill_(True)
    draws = torch.Generator().manual_seed(1)
    for part in crf.parameters():
        part.data.uniform_(-0.1, 0.1, generator=draws)
    return crf


def theirs(crf: Crf) -> Any:
    """The other with the same scores."""
    from torchcrf import CRF

    other = CRF(len(crf.tags), batch_first=True)
    for mine, part in zip(
        crf.parameters(), (other.start_transitions, other.end_transitions, other.transitions), strict=True
    ):
        part.data.copy_(mine.data)
    return other


def gradients(module: Any, batch: Given, likelihood: Callable[[Tensor], Tensor]) -> list[Tensor]:
    """The loss of a batch and the gradients of emissions, start, end and transitions."""
    emissions = batch.emissions.clone().requires_grad_()
    loss = -likelihood(emissions).sum()
    module.zero_grad()
    loss.backward()
    return [loss.detach(), *(part.grad for part in (emissions, *module.parameters()) if part.grad is not None)]


def learn(crf: Crf, batch: Given) -> list[Tensor]:
    return gradients(crf, batch, lambda emissions: crf.log_likelihood(emissions, batch.tags, batch.mask))


def learn_other(other: Any, batch: Given) -> list[Tensor]:
    return gradients(other, batch, lambda emissions: other(emissions, batch.tags, batch.mask, reduction="none"))


def see_that_they_agree(crf: Crf, other: Any, batch: Given) -> None:
    for mine, wanted in zip(learn(crf, batch), learn_other(other, batch), strict=True):
        torch.testing.assert_close(mine, wanted, rtol=1e-4, atol=1e-4)
    paths = [path[: int(size)] for path, size in zip(decode(crf, batch), batch.mask.sum(1), strict=True)]
    if paths != other.decode(batch.emissions, batch.mask):
        raise SystemExit("the two decode differently")


def decode(crf: Crf, batch: Given) -> list[list[int]]:
    """Paths as lists, which is what the other gives."""
    found: list[list[int]] = crf.decode(batch.emissions, batch.mask).tolist()
    return found


def over(each: Callable[[Given], object], given: list[Given]) -> Callable[[], None]:
    def run() -> None:
        for batch in given:
            each(batch)

    return run


def measure(size: int, runs: int) -> None:
    given, crf = batches(size), ours(size)
    learning: dict[str, Callable[[], object]] = {OURS: over(lambda batch: learn(crf, batch), given)}
    decoding: dict[str, Callable[[], object]] = {OURS: over(lambda batch: decode(crf, batch), given)}
    if find_spec("torchcrf") is not None:
        other = theirs(crf)
        see_that_they_agree(crf, other, given[0])
        learning[THEIRS] = over(lambda batch: learn_other(other, batch), given)
        decoding[THEIRS] = over(lambda batch: other.decode(batch.emissions, batch.mask), given)
    for what, functions in (("loss and gradient", learning), ("decoding", decoding)):
        medians = alternate(functions, runs, process_time)
        print_table(f"{what}, {BATCHES} batches, {size} tags", medians, OURS)
        if THEIRS in medians:
            print(f"  {medians[OURS] / medians[THEIRS]:.2f} of pytorch-crf's time (target: at most 1)")


def main() -> None:
    torch.set_num_threads(1)
    if find_spec("torchcrf") is None:
        print("pytorch-crf is not installed, so nothing is compared: pip install pytorch-crf==0.7.2")
    for size in (9, 45):
        measure(size, int(sys.argv[1]) if len(sys.argv) > 1 else 15)


if __name__ == "__main__":
    main()
