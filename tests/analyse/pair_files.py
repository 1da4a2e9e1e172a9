"""Auditing two texts as a test does it."""

from __future__ import annotations

from pathlib import Path

from nerquake.analyse.pairing.check import check_pair
from nerquake.analyse.pairing.model import Fault, Kind, PairAudit


def faults(audit: PairAudit) -> list[Fault]:
    return [fault for fault in audit.faults if fault.code != "unchanged"]


def audit(folder: Path, original: str, attacked: str, kind: Kind = "any", **options: object) -> PairAudit:
    """Audit two texts of a token and a tag a line, sentences parted by blank lines."""
    for name, text in (("a.conll", original), ("b.conll", attacked)):
        (folder / name).write_text(text.replace(" ", "\t"), "utf-8")
    return check_pair(str(folder / "a.conll"), str(folder / "b.conll"), kind, **options)  # type: ignore[arg-type]


def found(folder: Path, original: str, attacked: str, kind: Kind = "any") -> dict[str, int]:
    counts = dict(audit(folder, original, attacked, kind).counts)
    counts.pop("unchanged", None)
    return counts


def lines(*rows: str) -> str:
    return "\n".join(rows) + "\n"
