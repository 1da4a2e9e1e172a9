"""What tables of findings share: looking up records, and cells for shares and their growth."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from nerquake.report.numbers import UNDEFINED, change, percent
from nerquake.report.table import Cell
from nerquake.report.view import View

Record = Mapping[str, Any]
KIND_WORDS = {
    "right": "right",
    "type": "wrong type",
    "boundary": "wrong boundary",
    "missed": "missed",
    "spurious": "spurious",
}


def records_of(view: View, section: str, tagger: str) -> Iterator[Record]:
    """The records of one model in a section of the findings, in their order."""
    return (record for record in view.findings(section) or () if record["tagger"] == tagger)


def record_of(view: View, section: str, tagger: str, set_name: str) -> Record | None:
    """The record of one model under one set; None where there is none."""
    return next((record for record in records_of(view, section, tagger) if record["set"] == set_name), None)


def growth(share: float | None) -> str:
    """How much a share grew, in points: 0.098 is `+9.8`."""
    return change(None if share is None else -share)


def share_cell(share: float | None, why: str, title: str = "") -> Cell:
    """A share in percent; where it is undefined, why."""
    return Cell(UNDEFINED, title=why, faint=True) if share is None else Cell(percent(share), title=title)


def growth_cell(share: float | None, why: str, harm: float = 0.0, title: str = "") -> Cell:
    """A growth in points.

    harm   the heat for a growth of 1: above zero where growth is a loss, below where it is a gain, 0 for no colour
    """
    if share is None:
        return Cell(UNDEFINED, title=why, faint=True)
    heat = max(-1.0, min(1.0, share * harm)) if harm and share else None
    return Cell(growth(share), title=title, heat=heat)
