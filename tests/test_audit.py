"""The main job through the command line: stages are kept and used again, and the figures are sound."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from nerquake.taggers.rules import Rules
from tests.cli.runner import Ran, nerquake

pytestmark = pytest.mark.usefixtures("uncharted")

NAMES = "PER\tAnna\nPER\tRosa Lind\nLOC\tBonn\nLOC\tRom\nORG\tUN\n"
DATA = """\
# id one
Anna\tB-PER
met\tO
Bonn\tB-LOC

# id two
Rosa\tB-PER
Lind\tI-PER
left\tO
Rom\tB-LOC

# id three
the\tO
UN\tB-ORG
rests\tO

# id four
nobody\tO
came\tO
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "data.conll").write_text(DATA, "utf-8")
    (tmp_path / "rules.tsv").write_text(NAMES, "utf-8")
    return tmp_path


def audit(folder: Path, *more: object, attacks: tuple[str, ...] = ("swap", "letters", "identity")) -> Ran:
    chosen = [part for attack in attacks for part in ("-p", attack)]
    ran = nerquake("audit", folder / "data.conll", "-t", f"rules:{folder / 'rules.tsv'},name=rules", *chosen,
                   "-o", folder / "out", *more)  # fmt: skip
    assert ran.code == 0, ran.err
    return ran


def result(folder: Path) -> Any:
    return json.loads((folder / "out" / "result.json").read_text("utf-8"))


def blocks(folder: Path) -> dict[str, Any]:
    return {block["set"]: block for block in result(folder)["results"]}


def files(folder: Path) -> dict[str, bytes]:
    return {str(f.relative_to(folder)): f.read_bytes() for f in sorted((folder / "out").rglob("*")) if f.is_file()}


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many sentences the recogniser was asked about, call by call."""
    asked: list[int] = []
    original = Rules.predict

    def counted(self: Rules, batch: Any) -> Any:
        asked.append(len(batch))
        return original(self, batch)

    monkeypatch.setattr(Rules, "predict", counted)
    return asked


def test_an_identity_attack_costs_nothing(folder: Path) -> None:
    """Case 10."""
    audit(folder)
    found = blocks(folder)["identity"]["paired"]
    assert (found["drop"], found["low"], found["high"], found["p"]) == (0, 0, 0, 1)
    assert found["right_to_wrong"] == found["wrong_to_right"] == 0
    assert blocks(folder)["identity"]["paired_changed"]["pairs"] == 0
    assert blocks(folder)["identity"]["paired_changed"]["drop"] is None


def test_a_swap_without_a_partner_is_no_attack(folder: Path) -> None:
    """Case 10: one ORG in the corpus."""
    audit(folder, attacks=("swap:types=ORG",))
    (found,) = [entry for entry in result(folder)["sets"] if entry["level"] != "none"]
    assert found["mentions"] == {"all": 5, "attackable": 1, "replaced": 0}
    assert found["status"]["changed"] == 0
    assert found["reasons"]["no other candidate"] == 1


def test_a_recogniser_that_remembers_names_loses_them(folder: Path) -> None:
    audit(folder)
    found = blocks(folder)
    assert found["original"]["overall"]["strict"]["f1"] == 1
    assert found["swap"]["paired"]["drop"] == 0
    assert found["letters"]["paired"]["drop"] == 1
    assert found["letters"]["paired"]["right_to_wrong"] == 5
    assert "paired" not in found["original"]


def test_the_same_command_writes_the_same_bytes_and_tags_nothing_again(folder: Path, calls: list[int]) -> None:
    audit(folder)
    before, asked = files(folder), len(calls)
    assert asked == 3  # the original, swap, letters; identity has no new sentence
    audit(folder)
    assert files(folder) == before
    assert len(calls) == asked
    shutil.rmtree(folder / "out")
    audit(folder)
    assert files(folder) == before


def test_one_more_attack_costs_only_itself(folder: Path, calls: list[int]) -> None:
    audit(folder, attacks=("swap",))
    calls.clear()
    audit(folder, attacks=("swap", "letters"))
    assert len(calls) == 1


@pytest.mark.parametrize("changed", ["seed", "data", "rules", "labels"])
def test_whatever_a_stage_depends_on_makes_it_anew(folder: Path, calls: list[int], changed: str) -> None:
    audit(folder, attacks=("letters",))
    calls.clear()
    before = files(folder)
    more: tuple[object, ...] = ()
    if changed == "seed":
        more = ("--seed", 1)
    elif changed == "data":
        (folder / "data.conll").write_text(DATA.replace("nobody", "everybody"), "utf-8")
    elif changed == "rules":
        (folder / "rules.tsv").write_text(NAMES + "LOC\tcame\n", "utf-8")
    else:
        more = ("--labels", "PER,LOC")
    audit(folder, *more, attacks=("letters",))
    assert calls
    assert files(folder)["out/result.json"] != before["out/result.json"]


def test_an_interrupted_audit_goes_on(folder: Path, calls: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    audit(folder)
    whole = files(folder)
    shutil.rmtree(folder / "out")
    calls.clear()

    counted = Rules.predict

    def interrupted(self: Rules, batch: Any) -> Any:
        if len(calls) == 2:
            raise KeyboardInterrupt
        return counted(self, batch)

    monkeypatch.setattr(Rules, "predict", interrupted)
    attacks = [part for attack in ("swap", "letters", "identity") for part in ("-p", attack)]
    ran = nerquake("audit", folder / "data.conll", "-t", f"rules:{folder / 'rules.tsv'},name=rules", *attacks,
                   "-o", folder / "out")  # fmt: skip
    assert ran.code == 130
    assert not (folder / "out" / "result.json").exists()
    assert not list((folder / "out").rglob("*.tmp"))
    monkeypatch.setattr(Rules, "predict", counted)
    audit(folder)
    assert len(calls) == 4
    assert files(folder) == whole


def test_a_damaged_stage_is_made_again(folder: Path, calls: list[int]) -> None:
    audit(folder)
    before = files(folder)
    for stage in (folder / "out" / "work").rglob("*.jsonl"):
        stage.write_bytes(stage.read_bytes()[:-20])
    audit(folder)
    assert files(folder) == before


def test_a_sample_leaves_the_rest_out_on_both_sides(folder: Path) -> None:
    audit(folder, "--sample", 2, attacks=("letters",))
    sets = {entry["name"]: entry for entry in result(folder)["sets"]}
    assert sets["letters"]["status"]["discarded"] == 2
    assert sets["letters"]["reasons"]["not sampled"] == 2
    assert blocks(folder)["letters"]["paired"]["pairs"] == 2
    assert blocks(folder)["letters"]["paired"]["dropped"] == 2


def test_sentences_without_mentions_can_be_skipped(folder: Path) -> None:
    audit(folder, "--entity-free", "skip", attacks=("letters",))
    assert blocks(folder)["letters"]["paired"]["pairs"] == 3


def test_labels_are_restricted_on_both_sides_and_counted(folder: Path) -> None:
    audit(folder, "--labels", "PER", "--map", "LOC=PLACE", attacks=("letters",))
    labels = result(folder)["findings"]["method"]["labels"]
    assert labels["left_out_gold"] == {"LOC": 2, "ORG": 1}
    assert labels["left_out_predicted"] == {"rules": {"LOC": 2, "ORG": 1}}
    assert set(blocks(folder)["original"]["per_type"]) == {"PER"}


def test_two_recognisers_are_compared_on_every_set(folder: Path) -> None:
    audit(folder, "-t", f"rules:{folder / 'rules.tsv'},ignore_case=yes,name=other", attacks=("letters",))
    comparisons = result(folder)["comparisons"]
    assert [(c["set"], c["a"], c["b"]) for c in comparisons] == [
        ("original", "rules", "other"),
        ("letters", "rules", "other"),
    ]
    assert all(c["p_holm"] is not None for c in comparisons)


def test_holm_families_are_all_models_and_sets(folder: Path) -> None:
    audit(folder, attacks=("letters", "swap", "identity"))
    found = [b["paired"] for b in result(folder)["results"] if "paired" in b]
    smallest = min(found, key=lambda block: block["p"])
    assert smallest["p_holm"] == pytest.approx(min(1, 3 * smallest["p"]))


def test_the_report_says_what_the_result_says(folder: Path) -> None:
    audit(folder)
    page = (folder / "out" / "report.html").read_text("utf-8")
    assert "100.0 → 0.0" in page
    assert "Content-Security-Policy" in page
    assert (folder / "out" / "report.md").read_text("utf-8").count("letters") > 1


def test_skipped_sentences_take_no_part_in_comparing_models(folder: Path) -> None:
    """A false alarm in a sentence without mentions tells the models apart only where such sentences are scored."""
    (folder / "alarm.tsv").write_text(NAMES + "LOC\tnobody\n", "utf-8")
    other = ("-t", f"rules:{folder / 'alarm.tsv'},name=alarm")
    audit(folder, *other, attacks=("letters",))
    assert result(folder)["comparisons"][0]["difference"] > 0
    audit(folder, *other, "--entity-free", "skip", attacks=("letters",))
    assert result(folder)["comparisons"][0]["difference"] == 0
    assert result(folder)["comparisons"][0]["pairs"] == 3


def test_where_a_rewrite_came_from_is_kept(folder: Path) -> None:
    (folder / "data.conll").write_text(DATA + "\n# id five\nBo\tB-PER\nwent\tO\nto\tO\nUlm\tB-LOC\n", "utf-8")
    audit(folder, attacks=("swap+mixup",))
    lines = (folder / "out" / "work" / "swap+mixup" / "variants.jsonl").read_text("utf-8").split("\n")[1:-1]
    rewritten = [json.loads(line)["rewrite"]["source"] for line in lines if '"rewrite"' in line]
    assert rewritten
    assert all("swap.from" in source and "mixup.from" in source for source in rewritten)
    cases = [json.loads(line) for line in (folder / "out" / "cases.jsonl").read_text("utf-8").split("\n")[1:-1]]
    assert len(cases) == len(lines)
    sources = [case["source"] for case in cases if case["source"]]
    assert len(sources) == len(rewritten)
    assert all("swap.from" in source and "mixup.from" in source for source in sources)
