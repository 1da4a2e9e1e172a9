"""A seeded sample of sentences that does not depend on their order."""

from __future__ import annotations

from heapq import nsmallest

from nerquake.core.dataset import Dataset
from nerquake.core.errors import UsageError
from nerquake.core.seeds import hashed


def sample_ids(dataset: Dataset, n: int, seed: int) -> frozenset[str]:
    """The ids of `n` sentences, or of all where there are fewer: those with the smallest hash of seed and id.

    Raises:
        UsageError: `n` is below 1.
    """
    if n < 1:
        raise UsageError(f"--sample {n}: expected at least 1 sentence")
    return frozenset(nsmallest(n, (s.id for s in dataset), key=lambda key: (hashed(seed, "sample", key), key)))
