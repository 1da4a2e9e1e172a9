"""`sources.jsonl`, beside a trained model: the sources of its training data, one a line."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from nerquake.core.errors import InputError
from nerquake.core.sources import Source, SourceKey, Sources
from nerquake.io.output import write_whole
from nerquake.io.records import Record
from nerquake.io.stages import StageFile, StageKey, read_stage, stage_lines

FORMAT = "nerquake.sources/1"
FILE = "sources.jsonl"
"""Its name in a model's folder."""


def write_sources(path: str | Path, sources: Sources, key: StageKey) -> None:
    """Write what a model was trained on.

    key   the model's specification and seed, and the training data's fingerprint

    Raises:
        OutputError: it cannot be written.
    """
    write_whole(path, sources_lines(sources, key))


def sources_lines(sources: Sources, key: StageKey) -> Iterator[str]:
    """The file's text in pieces, for a folder that is written as a whole."""
    header = {**key.header(FORMAT), "name": sources.name, "sources": len(sources)}
    return stage_lines(header, _records(sources))


def _records(sources: Sources) -> Iterator[dict[str, Any]]:
    for source in sources.sources:
        yield {"id": source.key.id, "hash": source.key.hash, "sentences": source.sentences}


def read_sources(path: str | Path) -> Sources | None:
    """What a model was trained on; None where there is no such file.

    Raises:
        InputError: it cannot be read, or is damaged.
    """
    try:
        stage = read_stage(path, FORMAT, None)
        return None if stage is None else _sources(stage)
    except InputError as error:
        raise InputError(
            f"{error}. It says what the model was trained on; without it no audit can tell whether it asks about"
            " training sentences, so restore it if you can"
        ) from None


def _sources(stage: StageFile) -> Sources:
    name, number = stage.header.get("name"), stage.header.get("sources")
    if not isinstance(name, str) or not isinstance(number, int):
        raise stage.damaged(1, "its header has no name, or no number of sources")
    if number != len(stage.records):
        raise stage.damaged(len(stage.records) + 1, f"it has {len(stage.records)} of {number} sources")
    return Sources(tuple(_source(stage, record) for record in stage.records), name)


def _source(stage: StageFile, record: Record) -> Source:
    found, made, held = (record.data.get(key) for key in ("id", "hash", "sentences"))
    if not isinstance(found, str) or not (made is None or isinstance(made, str)) or "hash" not in record.data:
        raise stage.damaged(record.number, "an id, and a hash or null, are expected")
    if not isinstance(held, list) or not held or not all(isinstance(one, str) for one in held):
        raise stage.damaged(record.number, "sentences are one or more hashes")
    return Source(SourceKey(found, made), tuple(held))
