"""`perturb` and `audit` with attacks on the words around mentions: what they measure, say, keep and mark."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from tests.analyse import fillers
from tests.analyse.fillers import SPEC, ByFirstLetter
from tests.cli.runner import Ran, nerquake

from nerquake.analyse import naturalness
from nerquake.report.numbers import AGAINST, MARK

DATA = """\
# id one
Anna\tB-PER
met\tO
a\tO
friend\tO
in\tO
Bonn\tB-LOC

# id two
the\tO
weather\tO
was\tO
cold\tO

# id three
Rosa\tB-PER
"""
MASK = f"mask:filler={SPEC},name=mask"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "data.conll").write_text(DATA, "utf-8")
    (tmp_path / "rules.tsv").write_text("PER\tAnna\nPER\tRosa\nLOC\tBonn\n", "utf-8")
    (tmp_path / "other.tsv").write_text("PER\tAnna\n", "utf-8")
    monkeypatch.setattr(naturalness, "choose_pos", lambda text, corpus: ByFirstLetter())
    fillers.ASKED.clear()
    return tmp_path


def perturb(folder: Path, *more: object, attacks: tuple[str, ...] = (MASK,)) -> Ran:
    chosen = [part for attack in attacks for part in ("-p", attack)]
    return nerquake("perturb", folder / "data.conll", "--language", "en", *chosen, "-o", folder / "sets", *more)


def context(folder: Path) -> str:
    return f"context:filler={SPEC},pos=stopwords,ranks=1-8,surrogate=rules:{folder / 'rules.tsv'},name=context"


def audit(folder: Path, *more: object) -> Ran:
    return nerquake(
        "audit", folder / "data.conll", "--language", "en", "-p", context(folder), "-p", "swap",
        "-t", f"rules:{folder / 'rules.tsv'},name=chosen", "-t", f"rules:{folder / 'other.tsv'},name=other",
        "--resamples", 50, "-o", folder / "out", *more,
    )  # fmt: skip


def result(folder: Path) -> Any:
    return json.loads((folder / "out" / "result.json").read_text("utf-8"))


def test_perturb_prints_what_was_measured_and_what_was_not_taken(folder: Path) -> None:
    ran = perturb(folder)
    assert ran.code == 0, ran.err
    assert "mask: pseudo-perplexity " in ran.out
    # 8 words stand outside mentions, all in changed sentences: three of each are replaced
    assert "mask: 75.0 % of the words outside mentions of changed sentences replaced (6 of 8)" in ran.out
    assert "mask: part of speech kept in " in ran.out
    assert "mask: candidates not taken: piece of a word 6, special token 6" in ran.out


def test_the_summary_holds_the_same_as_is_kept(folder: Path) -> None:
    assert perturb(folder, attacks=(MASK, "swap")).code == 0
    summary = json.loads((folder / "sets" / "summary.json").read_text("utf-8"))
    original, mask, swap = summary["sets"]
    assert mask["naturalness"]["sentences"] == {"changed": 2, "measured": 2, "without_ratio": 0}
    assert mask["naturalness"]["judge"] == SPEC
    assert mask["rejected"]["special token"] == mask["rejected"]["piece of a word"] == 6
    assert swap["naturalness"] is None
    assert "naturalness" not in original
    assert not (folder / "sets" / "swap" / "naturalness.jsonl").exists()


def test_perturb_measures_once_and_writes_the_same_bytes_again(folder: Path) -> None:
    first = perturb(folder)
    before = {file.name: file.read_bytes() for file in (folder / "sets").rglob("*") if file.is_file()}
    fillers.ASKED.clear()
    assert perturb(folder).out == first.out
    assert fillers.ASKED == []
    shutil.rmtree(folder / "sets")
    perturb(folder)
    assert {file.name: file.read_bytes() for file in (folder / "sets").rglob("*") if file.is_file()} == before


def test_the_judge_is_what_the_flag_says(folder: Path) -> None:
    other = f"{SPEC},slope=2"
    ran = perturb(folder, "--judge", other, "--format", "json")
    assert ran.json["sets"][1]["naturalness"]["judge"] == other
    assert perturb(folder, "--judge", "none", "--format", "json").json["sets"][1]["naturalness"] is None
    assert "pseudo-perplexity" not in perturb(folder, "--judge", "none").out


def test_a_judge_that_is_not_there_stops_the_command_before_anything_is_written(folder: Path) -> None:
    for ran in (perturb(folder, "--judge", "ngrm"), audit(folder, "--judge", "ngrm")):
        assert ran.code == 2
        assert "mask filler" in ran.err
        assert "'ngrm'" in ran.err
    assert not (folder / "sets").exists()
    assert not (folder / "out").exists()


def test_an_audit_measures_marks_and_reports(folder: Path) -> None:
    ran = audit(folder)
    assert ran.code == 0, ran.err
    rows = [line for line in ran.out.splitlines() if line.strip().startswith("context")]
    assert [line.split()[1] == MARK for line in rows[:2]] == [True, False]  # chosen, then other
    assert f"{MARK} {AGAINST}" in ran.out
    assert "context: pseudo-perplexity " in ran.out
    data = result(folder)
    block = next(entry for entry in data["sets"] if entry["name"] == "context")
    assert block["surrogate"] == f"rules:{folder / 'rules.tsv'}"
    assert block["chosen_against"] == ["chosen"]
    assert data["findings"]["sets"]["context"]["naturalness"]["sentences"]["measured"] == 2
    assert data["findings"]["sets"]["swap"]["naturalness"] is None
    for name in ("report.html", "report.md"):
        text = (folder / "out" / name).read_text("utf-8").replace("\\", "")
        assert AGAINST in text
        assert "context: filled by word lengths, slope 1, fp32" in text
    assert r"$\dagger$" in (folder / "out" / "tables.tex").read_text("utf-8")


def test_an_audit_uses_what_was_measured_again(folder: Path) -> None:
    assert audit(folder).code == 0
    before = result(folder)
    fillers.ASKED.clear()
    assert audit(folder).code == 0
    assert fillers.ASKED == []
    assert result(folder)["findings"]["sets"] == before["findings"]["sets"]


def test_an_audit_without_a_surrogate_marks_nothing(folder: Path) -> None:
    ran = nerquake("audit", folder / "data.conll", "-p", MASK, "-t", f"rules:{folder / 'rules.tsv'}",
                   "--resamples", 50, "-o", folder / "out")  # fmt: skip
    assert ran.code == 0, ran.err
    assert MARK not in ran.out
    assert AGAINST not in (folder / "out" / "report.html").read_text("utf-8")
