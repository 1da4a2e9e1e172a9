"""Two runs of one audit, an earlier and a later one, and the later one redacted, on words that no other text holds."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.cli.runner import Ran, nerquake

SIZE = 96
PEOPLE = ("Qzwalrus", "Qzokapi", "कॢझमा", "Qznumbat Qzberg", "Qzquokka", "Qzibis", "Qztapir", "बॢझपुर")
PLACES = ("Qzgorge", "Qzmoor-on-Sea", "कॢझनगर", "Qzdelta Bay", "Qzfen", "Qzheath", "Qztarn", "बॢझगढ़")
PLANTED = ("qzwalrus", "qzokapi", "qznumbat", "qzquokka", "qzibis", "qztapir", "qzgorge", "qzmoor", "qzdelta", "qzfen",
           "qzheath", "qztarn", "qzing", "qzdomain", "qzdoc", "qzid", "qzfile", "कॢझ", "बॢझ")  # fmt: skip
MODELS = ("m", "steady")
TERMINAL = "said.txt"
"""What the redacted run printed."""


def sentences() -> Iterator[dict[str, Any]]:
    """Every fifth sentence has no mention; names, domains and documents come round at different speeds."""
    for number in range(SIZE):
        person, place = PEOPLE[number % 8].split(" "), PLACES[(number // 3) % 8].split(" ")
        tokens = ["lately", *person, "left", *place, "qzing", str(1000 + number), "."]
        start, then = 1 + len(person), 2 + len(person)
        spans: list[list[Any]] = [[1, start, "PER"], [then, then + len(place), "LOC"]]
        if number % 5 == 4:
            tokens, spans = ["nothing", "qzing", str(number), "here", "."], []
        yield {
            "id": f"QzId {number}", "tokens": tokens, "spans": spans, "doc_id": f"QzDoc-{number % 7}",
            "meta": {"domain": ("qzdomain +&%/", "qzdomain बॢझ")[number % 2]},
        }  # fmt: skip


def _rules(path: Path, people: slice, places: slice) -> Path:
    rows = [*(f"PER\t{name}" for name in PEOPLE[people]), *(f"LOC\t{name}" for name in PLACES[places])]
    path.write_text("\n".join([*rows, "PER\tBay", "ORG\t/.*-on-.*/"]) + "\n", "utf-8")
    return path


def compared(folder: Path) -> Path:
    """The folder of `then`, `now` (with `then` as baseline, and a gate) and `redacted`, which is `now` once more."""
    lines = [{"format": "nerquake.dataset/1", "language": "en"}, *sentences()]
    (folder / "qzfile.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines), "utf-8")
    (folder / "gate.toml").write_text('[[rule]]\nmax_drop = 0.0\n[[rule]]\ngroups = ["domain"]\nmin = 0.9\n', "utf-8")
    chosen = {"then": (slice(5), slice(6)), "now": (slice(2, 8), slice(3, 8)), "steady": (slice(1, 7), slice(1, 7))}
    rules = {name: _rules(folder / f"{name}.tsv", *slices) for name, slices in chosen.items()}
    common = ("audit", folder / "qzfile.jsonl", "-p", "swap", "-p", "letters", "-p", "swap+letters:name=both",
              "--resamples", 50, "--unmapped", "keep", "-t", f"rules:{rules['steady']},name=steady")  # fmt: skip
    later = ("-t", f"rules:{rules['now']},name=m", "--baseline", folder / "then", "--gate", folder / "gate.toml",
             "--probe", "--draws", 2, "--curve", "50,100")  # fmt: skip
    _ran(0, *common, "-t", f"rules:{rules['then']},name=m", "-o", folder / "then")
    _ran(1, *common, *later, "-o", folder / "now")
    said = _ran(1, *common, *later, "-o", folder / "redacted", "--redact")
    (folder / TERMINAL).write_text(said.out + said.err, "utf-8")
    return folder


def _ran(code: int, *arguments: object) -> Ran:
    ran = nerquake(*arguments)
    assert ran.code == code, ran.err
    return ran


def cases(folder: Path) -> list[dict[str, Any]]:
    """The records of `cases.jsonl`."""
    return [json.loads(line) for line in (folder / "cases.jsonl").read_text("utf-8").splitlines()[1:]]


def fallen(folder: Path, model: str) -> set[tuple[str, str, int]]:
    """Set, sentence and place of every mention that falls."""
    return {(one["set"], one["parent"], place) for one in cases(folder) for place in one["fell"].get(model, ())}
