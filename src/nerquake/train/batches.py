"""Which examples a step takes: another order each epoch, examples of like size together."""

from __future__ import annotations

from collections.abc import Sequence

from nerquake.core.seeds import Draws

POOL = 50
"""Batches whose examples are sorted by size among themselves: little padding, and still another mix each epoch."""


def epoch_batches(sizes: Sequence[int], batch: int, seed: int, epoch: int) -> list[list[int]]:
    """The examples of an epoch's steps, by place; each once. A function of the seed and the epoch alone.

    sizes  of the examples
    batch  examples in each, fewer only in the last of a pool
    """
    rng = Draws(seed, "train").random("epoch", epoch)
    order = list(range(len(sizes)))
    rng.shuffle(order)
    made: list[list[int]] = []
    for start in range(0, len(order), batch * POOL):
        pool = sorted(order[start : start + batch * POOL], key=lambda at: sizes[at])
        made += [pool[at : at + batch] for at in range(0, len(pool), batch)]
    rng.shuffle(made)
    return made


def parts_of(batch: Sequence[int], parts: int) -> list[Sequence[int]]:
    """A batch in so many parts of like length; fewer where it has fewer examples."""
    size = -(-len(batch) // parts)
    return [batch[at : at + size] for at in range(0, len(batch), size)]
