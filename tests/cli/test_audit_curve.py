"""`nerquake audit --curve`: from the flag to the report, and that nothing else of the audit changes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.cli.runner import Ran, nerquake
from tests.report.page import read_page

RULES = "PERSON\t/[A-Z][a-z]+ [A-Z][a-z]+/\nGPE\t/[A-Z][a-z]+/\n"
ATTACKS = ("-p", "rockner-e:name=E", "-p", "letters:name=L,coverage-draw=nested", "-p", "identity")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("curve")
    (made / "rules.tsv").write_text(RULES, "utf-8")
    (made / "other.tsv").write_text(RULES.splitlines()[0] + "\n", "utf-8")
    for name, flags in (("plain", ()), ("curve", ("--curve", "30,100"))):
        ran = audit(made, name, *flags)
        assert ran.code == 0, ran.err
    return made


def audit(folder: Path, name: str, *flags: str, attacks: tuple[str, ...] = ATTACKS) -> Ran:
    return nerquake(
        "audit", "sample:en", "--sample", 60, *attacks, "-t", f"rules:{folder / 'rules.tsv'},name=one",
        "-t", f"rules:{folder / 'other.tsv'},name=two", "--resamples", 100, *flags, "-o", folder / name,
    )  # fmt: skip


def result(folder: Path, name: str) -> Any:
    return json.loads((folder / name / "result.json").read_text("utf-8"))


def test_every_attack_with_a_coverage_has_its_points(folder: Path) -> None:
    found = result(folder, "curve")
    curves = found["findings"]["curve"]
    assert [(curve["set"], curve["draw"]) for curve in curves] == [("E", "independent"), ("L", "nested")]
    for curve in curves:
        first, part, whole = curve["points"]
        assert [point["asked"] for point in curve["points"]] == [0, 0.3, 1]
        assert (first["set"], first["replaced"]) == ("original", 0)
        assert 0 < part["replaced"] < whole["replaced"] <= whole["mentions"] == first["mentions"]
        assert part["share"] == part["replaced"] / part["mentions"]
        assert [score["tagger"] for score in whole["scores"]] == ["one", "two"]
    original = next(block for block in found["results"] if (block["tagger"], block["set"]) == ("one", "original"))
    strict = original["overall"]["strict"]
    assert curves[0]["points"][0]["scores"][0] == {
        "tagger": "one",
        **{key: strict[key] for key in ("f1", "low", "high")},
    }
    assert curves[1]["points"][2]["share"] == 1, "letters change every mention"


def test_all_mentions_on_the_curve_are_the_attack_itself(folder: Path) -> None:
    """At 100 % the set of the curve is the set of the audit."""
    found = result(folder, "curve")
    replaced = {entry["name"]: entry["mentions"]["replaced"] for entry in found["sets"]}
    scores = {(block["tagger"], block["set"]): block["overall"]["strict"]["f1"] for block in found["results"]}
    for curve in found["findings"]["curve"]:
        whole = curve["points"][-1]
        assert whole["replaced"] == replaced[curve["set"]]
        assert {score["tagger"]: score["f1"] for score in whole["scores"]} == {
            tagger: scores[tagger, curve["set"]] for tagger in ("one", "two")
        }


def test_nothing_else_changes_and_no_family_grows(folder: Path) -> None:
    plain, curve = result(folder, "plain"), result(folder, "curve")
    values = [block["paired"]["p_holm"] for block in plain["results"] if "paired" in block]
    assert len(values) == 6
    assert any(value is not None and value < 1 for value in values), "a larger family would show"
    for key in ("sets", "taggers", "results", "comparisons"):
        assert curve[key] == plain[key]
    assert set(curve["findings"]) - set(plain["findings"]) == {"curve"}
    method = [found["findings"].pop("method") for found in (plain, curve)]
    assert method[0]["labels"] == method[1]["labels"] and method[0]["notes"] == method[1]["notes"]
    curve["findings"].pop("curve")
    assert curve["findings"] == plain["findings"]
    assert (folder / "plain" / "cases.jsonl").read_bytes() == (folder / "curve" / "cases.jsonl").read_bytes()


def test_the_report_shows_it_and_says_where_it_is_missing(folder: Path) -> None:
    page = read_page((folder / "curve" / "report.html").read_text("utf-8"))
    section = page.one(id="curve")
    assert len(section.find("div", class_="wide")) == 2
    cells = [cell.words for cell in section.find("tr")[3].find("td")]
    whole = result(folder, "curve")["findings"]["curve"][0]["points"][-1]
    assert cells[:3] == [str(whole["mentions"]), str(whole["replaced"]), f"{100 * whole['share']:.1f}"]
    assert cells[3].startswith(f"{100 * whole['scores'][0]['f1']:.1f}")
    assert "## Attack curve" in (folder / "curve" / "report.md").read_text("utf-8")
    assert "E: strict F1 by the share" in (folder / "curve" / "tables.tex").read_text("utf-8")
    plain = read_page((folder / "plain" / "report.html").read_text("utf-8"))
    assert not plain.find(id="curve")
    assert "attack curve (no --curve)" in plain.one(id="method").words


def test_a_joined_report_keeps_it(folder: Path) -> None:
    ran = nerquake("report", folder / "plain", folder / "curve", "-o", folder / "both")
    assert ran.code == 0, ran.err
    text = (folder / "both" / "report.md").read_text("utf-8")
    assert "curve: E: strict F1 by the share of mentions replaced" in text
    assert "`curve: two`" in text[text.index("## Attack curve") : text.index("## Attacked sets")]


def test_finished_points_are_used_again(folder: Path) -> None:
    before = {file: file.stat().st_mtime_ns for file in (folder / "curve" / "work").rglob("*.jsonl")}
    assert any("coverage=30" in str(file) for file in before)
    assert audit(folder, "curve", "--curve", "30,100").code == 0
    assert {file: file.stat().st_mtime_ns for file in before if file.name != "dataset.jsonl"} == {
        file: time for file, time in before.items() if file.name != "dataset.jsonl"
    }


@pytest.mark.parametrize(("flags", "attacks", "message"), [
    (("--curve", "20,abc"), ATTACKS, "--curve 20,abc: expected percentages"),
    (("--curve", "20"), ("-p", "identity"), "-p identity has none"),
])  # fmt: skip
def test_what_cannot_be_a_curve(
    folder: Path, flags: tuple[str, ...], attacks: tuple[str, ...], message: str
) -> None:  # fmt: skip
    ran = audit(folder, "wrong", *flags, attacks=attacks)
    assert (ran.code, ran.out) == (2, "")
    assert message in ran.err
    assert not (folder / "wrong").exists()
