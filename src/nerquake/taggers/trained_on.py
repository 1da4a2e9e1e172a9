"""What the folder of a trained model says of its training data."""

from __future__ import annotations

from pathlib import Path

from nerquake.core.sources import Sources
from nerquake.io.sources_file import FILE, read_sources


def read_trained_on(folder: str) -> Sources | None:
    """The sources that a model was trained on, from `sources.jsonl` in its folder; None where there is none.

    folder   the model's folder; a name on a hub is none

    Raises:
        InputError: the file is damaged.
    """
    return read_sources(Path(folder) / FILE) if Path(folder).is_dir() else None
