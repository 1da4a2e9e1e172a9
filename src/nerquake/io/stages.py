"""The stage files by name: `variants.jsonl` and `predictions.jsonl`, written, read back, and found again by a rerun."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from nerquake.core.dataset import Dataset
from nerquake.core.errors import InputError
from nerquake.core.variant import AttackedSet
from nerquake.io import variants_file
from nerquake.io.predictions_file import read_predictions, write_predictions
from nerquake.io.stage_files import StageKey
from nerquake.io.variants_file import variant_record

__all__ = [
    "StageKey", "find_variants", "read_predictions", "read_variants", "variant_record", "write_predictions",
    "write_variants",
]  # fmt: skip


def write_variants(path: str | Path, dataset: Dataset, attacked: AttackedSet, seed: int, **settings: Any) -> None:
    """Write an attacked set of a data set, under a header that names what it was made from.

    settings   whatever else it depends on, as JSON values

    Raises:
        OutputError: it cannot be written.
    """
    variants_file.write_variants(path, attacked, dataset, StageKey.of(attacked.spec, seed, dataset, **settings))


def read_variants(path: str | Path, dataset: Dataset) -> AttackedSet:
    """The attacked set that a file holds, joined to the data set that it was made from.

    Raises:
        InputError: there is no such file, it is damaged, or it belongs to another data set.
    """
    found = variants_file.read_variants(path, dataset)
    if found is None:
        raise InputError(f"{path}: there is no such file; `nerquake perturb` writes it")
    return found


def find_variants(path: str | Path, dataset: Dataset, spec: str, seed: int, **settings: Any) -> AttackedSet | None:
    """The same for a rerun: None where there is no such file, or where it was made from something else."""
    return variants_file.read_variants(path, dataset, StageKey.of(spec, seed, dataset, **settings))
