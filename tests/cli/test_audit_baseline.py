"""`nerquake audit --baseline`: it equals set differences of two `cases.jsonl`; other data are refused."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from tests.cli.runner import Ran, nerquake
from tests.report.island.decoding import decode

THEN = "GPE\tLondon\nPERSON\t/[A-Z][a-z]+a/\nGPE\t/[A-Z][a-z]+land/\n"
NOW = "GPE\t/[A-Z][a-z]+on/\nPERSON\t/[A-Z][a-z]+a/\nORG\t/[A-Z][a-z]+land/\n"
COMMON = ("--sample", "150", "--resamples", "20")


def audit(folder: Path, name: str, rules: str, *more: object, attacks: tuple[str, ...] = ("swap", "letters")) -> Ran:
    file = folder / f"{name}.tsv"
    file.write_text(rules, "utf-8")
    chosen = [part for attack in attacks for part in ("-p", attack)]
    common = () if "--sample" in more else COMMON
    return nerquake("audit", "sample:en", "-t", f"rules:{file},name=m", *chosen, *common, "-o", folder / name, *more)


def cases(folder: Path) -> dict[tuple[str, str], Any]:
    lines = (folder / "cases.jsonl").read_text("utf-8").splitlines()[1:]
    return {(record["set"], record["parent"]): record for record in map(json.loads, lines)}


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An earlier run with two attacks; this one with another model of the same name and one more attack."""
    folder = tmp_path_factory.mktemp("runs")
    (folder / "gate.toml").write_text(
        '[[rule]]\nmax_drop = 0.0\nagainst = "baseline"\nsets = ["swap"]\n[[rule]]\nmax_flip_rate = 0.0\n', "utf-8"
    )
    assert audit(folder, "then", THEN).code == 0
    policy = ("--gate", folder / "gate.toml", "--baseline", folder / "then")
    ran = audit(folder, "now", NOW, *policy, attacks=("swap", "letters", "mixup"))
    assert ran.code in (1, 3), ran.err
    return folder


def since(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / "now" / "result.json").read_text("utf-8"))["findings"]["since"]
    return found


def test_newly_fallen_and_recovered_are_set_differences(runs: Path) -> None:
    found, then, now = since(runs), cases(runs / "then"), cases(runs / "now")
    assert [record["set"] for record in found["records"]] == ["swap", "letters"]
    total = 0
    for record in found["records"]:
        fell_then = {(p, i) for (s, p), one in then.items() if s == record["set"] for i in one["fell"].get("m", [])}
        fell_now = {(p, i) for (s, p), one in now.items() if s == record["set"] for i in one["fell"].get("m", [])}
        assert set(map(tuple, record["mentions_newly_fallen"])) == fell_now - fell_then
        assert set(map(tuple, record["mentions_recovered"])) == fell_then - fell_now
        assert record["newly_fallen"] == len(fell_now - fell_then)
        assert record["recovered"] == len(fell_then - fell_now)
        assert (record["fell_then"], record["fell_now"]) == (len(fell_then), len(fell_now))
        assert record["sentences_newly_fallen"] == len({parent for parent, _ in fell_now - fell_then})
        wrong = sum(then[record["set"], p]["outcomes"]["m"][i][1] != "right" for p, i in fell_now - fell_then)
        assert record["newly_fallen_wrong_then"] == wrong
        assert record["other_text"] == 0
        total += record["newly_fallen"] + record["recovered"]
    assert total > 5


def test_losses_are_those_of_the_two_runs(runs: Path) -> None:
    for record in since(runs)["records"]:
        for side in ("then", "now"):
            blocks = json.loads((runs / side / "result.json").read_text("utf-8"))["results"]
            (block,) = [block for block in blocks if (block["tagger"], block["set"]) == ("m", record["set"])]
            assert record[side]["drop"] == block["paired"]["drop"]
            assert record[side]["original"] == block["paired"]["original"]
        assert record["change"] == pytest.approx(record["now"]["drop"] - record["then"]["drop"])
    assert since(runs)["sets"] == {"shared": ["swap", "letters"], "only_then": [], "only_now": ["mixup"]}


def test_the_page_and_the_other_forms_show_it(runs: Path) -> None:
    page, text = ((runs / "now" / name).read_text("utf-8") for name in ("report.html", "report.md"))
    assert 'id="since"' in page
    assert 'id="gate"' in page
    assert "<strong>✗ Gate failed</strong>" in page
    assert 'href="#gate"' in page
    assert "## Since the last run" in text
    assert "[**✗ Gate failed**](#gate)" in text
    assert "Loss and fallen mentions, last run and this one" in (runs / "now" / "tables.csv").read_text("utf-8")
    assert "In this run only: attacked set mixup" in text
    assert "since last run (no" not in text


def test_the_flags_of_the_explorer_are_the_same_differences(runs: Path) -> None:
    page = (runs / "now" / "report.html").read_text("utf-8")
    (text,) = re.findall(r'<script[^>]* id="data">([^<]*)</script>', page)
    island = decode(text)
    sets = [entry["name"] for entry in island.header["sets"]]
    order = list(dict.fromkeys(case.parent for case in island.cases))
    for record in since(runs)["records"]:
        flags = island.flags[sets.index(record["set"]), 0]
        for bit, key in ((64, "mentions_newly_fallen"), (128, "mentions_recovered")):
            assert {order[i] for i, byte in enumerate(flags) if byte & bit} == {parent for parent, _ in record[key]}
    assert not any(byte & 192 for byte in island.flags[sets.index("mixup"), 0])


def test_the_gate_has_its_last_run(runs: Path) -> None:
    checks = json.loads((runs / "now" / "gate.json").read_text("utf-8"))["checks"]
    then = json.loads((runs / "then" / "result.json").read_text("utf-8"))
    flips = {one["set"]: one["fell"] / one["right"] for one in then["findings"]["flips"]}
    last = {check["set"]: check["last"] for check in checks if check["kind"] == "max_flip_rate"}
    assert last == {**flips, "mixup": None}
    (since_last,) = [check for check in checks if check["against"] == "baseline"]
    f1 = {block["set"]: block["overall"]["strict"]["f1"] for block in then["results"]}
    now = json.loads((runs / "now" / "result.json").read_text("utf-8"))
    f1_now = {block["set"]: block["overall"]["strict"]["f1"] for block in now["results"]}
    assert since_last["measured"] == pytest.approx(f1["swap"] - f1_now["swap"])
    summary = (runs / "now" / "summary.md").read_text("utf-8")
    newly = sum(record["newly_fallen"] for record in since(runs)["records"])
    assert f"{newly} new falls since the last run" in summary


@pytest.mark.parametrize(("changes", "words"), [
    (("--seed", "1"), "--seed differs: it ran with 0, this run with 1"),
    (("--sample", "149", "--resamples", "20"), "--sample differs: it ran with 150 sentences, this run with 149"),
    (("--labels", "GPE"), "--labels differs: it ran with none, this run with GPE"),
    (("--map", "ORG="), "--map differs: it ran with none, this run with ORG="),
])  # fmt: skip
def test_other_settings_are_refused(runs: Path, tmp_path: Path, changes: tuple[str, ...], words: str) -> None:
    ran = audit(tmp_path, "out", NOW, "--unmapped", "drop", *changes, "--baseline", runs / "then")
    assert ran.code == 2
    assert words in ran.err
    assert "leave --baseline out" in ran.err
    assert not (tmp_path / "out").exists()


def test_other_data_attacks_and_models_are_refused_together(runs: Path, tmp_path: Path) -> None:
    (tmp_path / "rules.tsv").write_text(NOW, "utf-8")
    common = (*COMMON, "-o", tmp_path / "out", "--baseline", runs / "then")
    model = ("-t", f"rules:{tmp_path / 'rules.tsv'},name=other")
    ran = nerquake("audit", "sample:de", *model, "-p", "mask:name=swap,filler=ngram", *common)
    assert ran.code == 2
    for words in (
        "the data differ: it audited en.conll (", "this run audits de.conll (",
        "the attack swap differs: it was 'swap', here it is 'mask:name=swap,filler=ngram'",
        "no model stands in both: it has m, this run other",
    ):  # fmt: skip
        assert words in ran.err
    assert not (tmp_path / "out").exists()


def test_a_folder_without_an_audit_is_refused(tmp_path: Path) -> None:
    ran = audit(tmp_path, "out", NOW, "--baseline", tmp_path / "none")
    assert ran.code == 2
    assert "holds no result.json" in ran.err


def test_sentences_that_read_otherwise_are_left_out_and_said(runs: Path, tmp_path: Path) -> None:
    """The earlier run had another text of one sentence: another version of an attack, say."""
    copy = tmp_path / "then"
    copy.mkdir()
    (copy / "result.json").write_text((runs / "then" / "result.json").read_text("utf-8"), "utf-8")
    header, *lines = (runs / "then" / "cases.jsonl").read_text("utf-8").splitlines()
    records = [json.loads(line) for line in lines]
    changed = next(record for record in records if record["set"] == "swap" and record["status"] == "changed")
    changed["attacked"][0] += "x"
    (copy / "cases.jsonl").write_text("\n".join([header, *map(json.dumps, records)]) + "\n", "utf-8")
    assert audit(tmp_path, "now", NOW, "--baseline", copy).code == 0
    found = since(tmp_path)
    assert {record["set"]: record["other_text"] for record in found["records"]} == {"swap": 1, "letters": 0}
    assert not any(parent == changed["parent"] for parent, _ in found["records"][0]["mentions_newly_fallen"])
    assert "swap, m: 1 sentence" in (tmp_path / "now" / "report.md").read_text("utf-8")


def test_cases_that_are_not_all_there_are_refused(runs: Path, tmp_path: Path) -> None:
    """What is lost would count as read otherwise, and its mentions as neither fallen nor recovered."""
    copy = tmp_path / "then"
    copy.mkdir()
    (copy / "result.json").write_bytes((runs / "then" / "result.json").read_bytes())
    lines = (runs / "then" / "cases.jsonl").read_text("utf-8").splitlines(keepends=True)
    (copy / "cases.jsonl").write_text("".join(lines[:-10]), "utf-8")
    ran = audit(tmp_path, "out", NOW, "--baseline", copy)
    assert ran.code == 2
    wanted = len(lines) - 1
    assert f"its cases.jsonl holds {wanted - 10:,} of {wanted:,} sentences; run that audit again" in ran.err
