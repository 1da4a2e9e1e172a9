"""Correction for several tests."""

from __future__ import annotations

from collections.abc import Sequence


def holm(values: Sequence[float | None]) -> list[float | None]:
    """Holm's step-down correction of a family of p values; None (no test was made) stays and is not counted.

    Source: S. Holm, A simple sequentially rejective multiple test procedure, Scandinavian Journal of Statistics 1979.
    """
    made = sorted((value, index) for index, value in enumerate(values) if value is not None)
    corrected: list[float | None] = [None] * len(values)
    largest = 0.0
    for rank, (value, index) in enumerate(made):
        largest = max(largest, min(1.0, (len(made) - rank) * value))
        corrected[index] = largest
    return corrected
