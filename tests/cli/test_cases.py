"""`--cases`: a page of fewer sentences says so, and only the page has fewer."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.cli.runner import nerquake
from tests.report.island.decoding import decode

from nerquake.cli import page

pytestmark = pytest.mark.usefixtures("uncharted")


@pytest.fixture(scope="module")
def audit(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An audit whose page holds what fell only."""
    home = tmp_path_factory.mktemp("cases")
    (home / "rules.tsv").write_text("PERSON\t/[A-Z][a-z]+ [A-Z][a-z]*s/\nGPE\t/[A-Z][a-z]+land/\n", "utf-8")
    ran = nerquake("audit", "sample:en", "-t", f"rules:{home / 'rules.tsv'}", "-p", "swap", "-p", "mixup",
                   "--resamples", "5", "--cases", "fell", "-o", home / "out")  # fmt: skip
    assert ran.code == 0, ran.err
    return home / "out"


def held(folder: Path) -> tuple[int, int]:
    """Cases of the page, and of the audit."""
    text = (folder / "report.html").read_text("utf-8")
    cases = decode(text.partition('id="data">')[2].partition("<")[0]).header["cases"]
    assert cases["all"] == len((folder / "cases.jsonl").read_text("utf-8").splitlines()) - 1
    return cases["kept"], cases["all"]


def test_the_page_has_fewer_and_says_so(audit: Path) -> None:
    kept, whole = held(audit)
    assert 0 < kept < whole
    says = f"This page shows {kept} of {whole:,} cases, those where a mention fell or rose; cases.jsonl beside it"
    for name in ("report.html", "report.md"):
        assert says in (audit / name).read_text("utf-8")
    assert json.loads((audit / "result.json").read_text("utf-8"))["header"]["cases"] == "fell"


def test_rendered_again_with_other_cases(audit: Path, tmp_path: Path) -> None:
    for asked, kept in (("7", 7), ("all", held(audit)[1])):
        ran = nerquake("report", audit, "--cases", asked, "-o", tmp_path / asked)
        assert ran.code == 0, ran.err
        assert held(tmp_path / asked)[0] == kept
    assert "This page shows 7 of" in (tmp_path / "7" / "report.html").read_text("utf-8")
    assert "This page shows" not in (tmp_path / "all" / "report.html").read_text("utf-8")
    again = nerquake("report", audit, "-o", tmp_path / "again")
    assert again.code == 0
    assert (tmp_path / "again" / "report.html").read_bytes() == (audit / "report.html").read_bytes()


@pytest.mark.parametrize("asked", ["0", "-3", "some", "1.5", ""])
def test_what_is_no_choice_of_cases(audit: Path, tmp_path: Path, asked: str) -> None:
    ran = nerquake("report", audit, "--cases", asked, "-o", tmp_path / "out")
    assert ran.code == 2
    assert "expected all, fell" in ran.err
    assert not (tmp_path / "out").exists()


def test_a_file_of_scores_has_no_sentences(tmp_path: Path) -> None:
    ran = nerquake("report", "--values", "scores.csv", "--cases", "fell", "-o", tmp_path)
    assert ran.code == 2
    assert "a file of scores has none" in ran.err


def test_a_large_page_names_the_flag(audit: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page, "LARGE", 1_000)
    ran = nerquake("report", audit, "-o", tmp_path / "out")
    assert "--cases fell" in ran.err
