"""`naturalness.jsonl`: how natural the changed sentences of an attacked set are, measured one by one."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from nerquake.io.output import write_whole
from nerquake.io.records import Record
from nerquake.io.stages import StageFile, StageKey, read_stage, stage_lines

FORMAT = "nerquake.naturalness/1"


class Measured(NamedTuple):
    """A sentence that was measured.

    parent    id of the original sentence
    ratio     its pseudo-perplexity over the original's; None where the model sees no word of one of them
    compared  words that one word replaced, both with a part of speech; 0 where parts of speech are not compared
    kept      those of them whose part of speech is kept
    """

    parent: str
    ratio: float | None
    compared: int = 0
    kept: int = 0


class Measures(NamedTuple):
    """The sentences of a set that were measured, and what measured them.

    about   what the masked language model says of itself
    parts   what the source of parts of speech says of itself
    classes whether that source tells parts of speech, so that they were compared
    """

    sentences: tuple[Measured, ...]
    about: tuple[str, ...]
    parts: tuple[str, ...]
    classes: bool


def write_naturalness(path: str | Path, made: Measures, key: StageKey) -> None:
    """Write what was measured.

    Raises:
        OutputError: it cannot be written.
    """
    header = {**key.header(FORMAT), "about": made.about, "parts": made.parts, "classes": made.classes}
    write_whole(path, stage_lines(header, (one._asdict() for one in made.sentences)))


def read_naturalness(path: str | Path, key: StageKey) -> Measures | None:
    """What was measured; None where the file is not there, or was made from something else.

    Raises:
        InputError: it is damaged.
    """
    stage = read_stage(path, FORMAT, key)
    if stage is None:
        return None
    header = stage.header
    if not (_are_texts(header.get("about")) and _are_texts(header.get("parts")) and header.get("classes") in (0, 1)):
        raise stage.damaged(1, "about and parts are lists of texts, classes is true or false")
    return Measures(
        tuple(_sentences(stage)), tuple(header["about"]), tuple(header["parts"]), bool(header["classes"])
    )  # fmt: skip


def _sentences(stage: StageFile) -> Iterator[Measured]:
    for record in stage.records:
        yield _sentence(stage, record)


def _sentence(stage: StageFile, record: Record) -> Measured:
    try:
        found = Measured(**record.data)
        good = found.ratio is None or math.isfinite(found.ratio)
    except TypeError:
        good = False
    if not good or not isinstance(found.parent, str) or not 0 <= found.kept <= found.compared:
        raise stage.damaged(record.number, "expected parent, ratio, compared and kept")
    return found


def _are_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)
