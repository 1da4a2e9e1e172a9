"""`nerquake review` and `nerquake curate`: files, messages, exit codes, and the audit before and after."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from tests.cli.runner import nerquake

from nerquake.core.dataset import Dataset
from nerquake.io.load import load
from nerquake.report.write import read_result

NAMES = {"PER": ("Anna", "Bert", "Carl", "Dora", "Emil"), "LOC": ("Bonn", "Rome", "Oslo", "Kiel", "Graz")}


@pytest.fixture(scope="module")
def audit(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Fifty sentences with a person and a place; one recogniser knows three of five names, the other all places."""
    folder = tmp_path_factory.mktemp("audit")
    rows = []
    for n in range(50):
        person, place = NAMES["PER"][n % 5], NAMES["LOC"][n // 5 % 5]
        rows.append(f"# id s{n}\n{person} B-PER\nsaw{n} O\n{place} B-LOC\n. O\n")
    (folder / "d.conll").write_text("\n".join([*rows, "# id rain\nrain O\n"]), "utf-8")
    for name, known in (("some", 3), ("places", 0)):
        lines = [f"PER\t{one}" for one in NAMES["PER"][:known]] + [f"LOC\t{one}" for one in NAMES["LOC"]]
        (folder / f"{name}.tsv").write_text("\n".join(lines) + "\n", "utf-8")
    models = [part for name in ("some", "places") for part in ("-t", f"rules:{folder / name}.tsv,name={name}")]
    ran = nerquake("audit", folder / "d.conll", *models, "-p", "swap", "-p", "letters", "--resamples", 100,
                   "-o", folder / "out")  # fmt: skip
    assert ran.code == 0, ran.err
    return folder / "out"


def data_of(page: Path) -> Any:
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page.read_text("utf-8"), re.DOTALL)
    assert found is not None
    return json.loads(found[1])


def reviewed(audit: Path, folder: Path, *options: object) -> Any:
    ran = nerquake("review", audit, *options, "-o", folder / "review.html")
    assert ran.code == 0, ran.err
    return data_of(folder / "review.html")


def saved(path: Path, data: Any, choices: dict[str, str], reviewer: str = "mira", **more: Any) -> Path:
    """A file of decisions on the items of a page; items without a choice stay undecided."""
    left = [one["id"] for one in data["items"] if one["id"] not in choices]
    head = {"format": "nerquake-decisions", "version": 1, "fingerprint": data["fingerprint"], "reviewer": reviewer}
    rows: list[dict[str, Any]] = [{**head, "items": len(data["items"]), "undecided": left, **more}]
    spans = {one["id"]: one["spans"] for one in data["items"]}
    for key, choice in choices.items():
        decision, _, reason = choice.partition(":")
        given = [[start, end, reason] for start, end, _ in spans[key]] if decision == "relabel" else None
        rows.append({"id": key, "decision": decision, "reason": reason if decision == "reject" and reason else None,
                     "spans": given, "reviewer": reviewer, "seen_predictions": False, "seconds": 1.0})  # fmt: skip
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return path


def everything(audit: Path, folder: Path) -> Any:
    return reviewed(audit, folder, "--sample", 1000)


def test_a_page_for_one_reviewer_and_two_pages_for_two(audit: Path, tmp_path: Path) -> None:
    data = reviewed(audit, tmp_path, "--sample", 10, "--per-set", "--seed", 13)
    assert len(data["items"]) == 20 and {one["set"] for one in data["items"]} == {"swap", "letters"}
    assert data["labels"] == ["LOC", "PER"] and data["models"] == ["some", "places"]
    ran = nerquake("review", audit, "--sample", 10, "--per-set", "--overlap", "20%", "--seed", 13, "--reviewers", 2,
                   "-o", tmp_path / "r.html")  # fmt: skip
    assert ran.code == 0 and "r-1.html: 12 sentences (letters 6, swap 6)" in ran.err
    pages = [data_of(tmp_path / f"r-{number}.html") for number in (1, 2)]
    ids = [{one["id"] for one in page["items"]} for page in pages]
    assert len(ids[0] & ids[1]) == 4 and ids[0] | ids[1] == {one["id"] for one in data["items"]}
    assert pages[0]["fingerprint"] == pages[1]["fingerprint"] == data["fingerprint"]


def test_the_same_seed_writes_the_same_page(audit: Path, tmp_path: Path) -> None:
    for name in ("a", "b", "c"):
        seed = 14 if name == "c" else 13
        ran = nerquake("review", audit, "--sample", 8, "--seed", seed, "-o", tmp_path / f"{name}.html")
        assert ran.code == 0
    first, second, third = ((tmp_path / f"{name}.html").read_bytes() for name in ("a", "b", "c"))
    assert first == second != third


def test_where_all_is_accepted_nothing_changes(audit: Path, tmp_path: Path) -> None:
    data = everything(audit, tmp_path)
    file = saved(tmp_path / "d.jsonl", data, {one["id"]: "accept" for one in data["items"]})
    ran = nerquake("curate", audit, "--decisions", file, "-o", tmp_path / "out", "--format", "json")
    assert ran.code == 0, ran.err
    before, after = read_result(audit), read_result(tmp_path / "out")
    assert after.data["results"] == before.data["results"]
    assert after.cases == before.cases
    for one in ran.json["losses"]:
        assert one["after"] == one["before"]
        for key in ("original", "attacked", "drop"):
            assert one["adjusted"][key] == pytest.approx(one["raw"][key])
    assert [one["invalid"] for one in ran.json["sets"]] == [{"value": 0.0, "low": 0.0, "high": 0.0}] * 2
    for key in ("header", "comparisons"):
        assert after.data[key] == before.data[key]


def test_a_sample_of_a_file_without_ids_under_few_labels_is_the_same_audit_again(tmp_path: Path) -> None:
    rows = [f"{NAMES['PER'][n % 5]} NNP B-PER\nsaw{n} VBD O\n{NAMES['LOC'][n % 4]} NNP B-LOC\n" for n in range(30)]
    (tmp_path / "d.tsv").write_text("\n".join([*rows, "rain NN O\n", "snow NN O\n"]), "utf-8")
    (tmp_path / "n.tsv").write_text("PER\tAnna\nPER\tBert\n", "utf-8")
    ran = nerquake("audit", tmp_path / "d.tsv", "-t", f"rules:{tmp_path / 'n.tsv'},name=n", "-p", "swap",
                   "--labels", "PER", "-p", "case:upper", "--sample", 20, "--entity-free", "skip",
                   "--resamples", 50, "--seed", 3, "--work", tmp_path / "w", "-o", tmp_path / "out")  # fmt: skip
    assert ran.code == 0, ran.err
    data = everything(tmp_path / "out", tmp_path)
    file = saved(tmp_path / "d.jsonl", data, {one["id"]: "accept" for one in data["items"]})
    ran = nerquake("curate", tmp_path / "out", "--decisions", file, "--work", tmp_path / "w", "-o", tmp_path / "cur",
                   "--format", "json")  # fmt: skip
    assert ran.code == 0, ran.err
    before, after = read_result(tmp_path / "out"), read_result(tmp_path / "cur")
    assert after.data["results"] == before.data["results"] and after.cases == before.cases
    for key in ("header", "sets", "comparisons"):
        assert after.data[key] == before.data[key]
    assert after.data["findings"]["method"]["labels"] == before.data["findings"]["method"]["labels"]
    for one in ran.json["losses"]:
        assert one["adjusted"]["drop"] == pytest.approx(one["raw"]["drop"])
    attacked = load(str(tmp_path / "cur" / "case_upper" / "attacked.tsv"), "conll")
    assert len(attacked) == 20 and attacked.sentences[0].columns[0]


def test_what_was_rejected_is_gone_from_sets_scores_and_losses(audit: Path, tmp_path: Path) -> None:
    data = everything(audit, tmp_path)
    choices = {one["id"]: "reject:meaning lost" if one["id"] == "s0~swap" else "accept" for one in data["items"]}
    choices |= {"s1~swap": "relabel:ORG", "s2~swap": "unsure", "s3~letters": "reject"}
    ran = nerquake("curate", audit, "--decisions", saved(tmp_path / "d.jsonl", data, choices), "-o", tmp_path / "out",
                   "--format", "json")  # fmt: skip
    assert ran.code == 0, ran.err
    swap, letters = ran.json["sets"]
    assert (swap["changed"], swap["reviewed"], swap["rejected"], swap["relabelled"], swap["unsure"]) == (
        50,
        49,
        1,
        1,
        1,
    )
    assert swap["reasons"] == {"meaning lost": 1} and letters["reasons"] == {"no reason given": 1}
    # all of letters was judged, so its share is exact; of swap all but one
    assert letters["invalid"] == {"value": 0.02, "low": 0.02, "high": 0.02}
    assert swap["invalid"]["low"] < swap["invalid"]["value"] < swap["invalid"]["high"]
    attacked: Dataset = load(str(tmp_path / "out" / "swap" / "attacked.conll"))
    labels = {sentence.id: [span.label for span in sentence.spans] for sentence in attacked}
    assert "s0~swap" not in labels and "s2~swap" not in labels and labels["s1~swap"] == ["ORG", "ORG"]
    assert len(labels) == 49 and "rain~swap" in labels
    made = read_result(tmp_path / "out").data
    entry = next(one for one in made["sets"] if one["name"] == "swap")
    assert entry["status"] == {"changed": 48, "unchanged": 0, "not-applicable": 1, "discarded": 2}
    assert entry["reasons"]["rejected: meaning lost"] == 1 and entry["reasons"]["the reviewer was unsure"] == 1
    block = next(one for one in made["results"] if (one["tagger"], one["set"]) == ("some", "swap"))
    assert block["per_type"]["ORG"]["gold"] == 2
    assert block["paired_changed"]["pairs"] == 48 and block["paired"]["dropped"] == 2
    lines = (tmp_path / "out" / "swap" / "variants.jsonl").read_text("utf-8").splitlines()[1:]
    variants = {one["parent"]: one for one in map(json.loads, lines)}
    assert variants["s1"]["spans"] == [[0, 1, "ORG"], [2, 3, "ORG"]] and variants["s0"]["status"] == "discarded"


def test_undecided_sentences_are_named_and_not_accepted(audit: Path, tmp_path: Path) -> None:
    data = everything(audit, tmp_path)
    choices = {one["id"]: "accept" for one in data["items"] if one["id"] not in ("s5~swap", "s7~letters")}
    ran = nerquake("curate", audit, "--decisions", saved(tmp_path / "d.jsonl", data, choices), "-o", tmp_path / "out")
    assert ran.code == 0 and "undecided, so not in the curated sets: s5~swap, s7~letters" in ran.err
    assert "s5~swap" in ran.out and "s7~letters" in ran.out
    page = (tmp_path / "out" / "report.html").read_text("utf-8")
    assert "Before and after curation" in page and "s5~swap, s7~letters" in page
    assert "s5~swap" not in {s.id for s in load(str(tmp_path / "out" / "swap" / "attacked.conll"))}
    assert "Before and after curation" in (tmp_path / "out" / "report.md").read_text("utf-8")
    assert "curation" in (tmp_path / "out" / "tables.csv").read_text("utf-8")


def conflicting(audit: Path, folder: Path) -> list[Path]:
    """Two files about ten sentences: accept and reject as in the kappa of 0.4 worked out in test_agreement.py."""
    data = reviewed(audit, folder, "--sample", 10)
    ids = [one["id"] for one in data["items"]]
    mira = ["accept"] * 4 + ["reject"] * 3 + ["accept"] + ["reject"] * 2
    noor = ["accept"] * 4 + ["reject"] * 3 + ["reject"] + ["accept"] * 2
    return [
        saved(folder / f"{name}.jsonl", data, dict(zip(ids, choices, strict=True)), name)
        for name, choices in (("mira", mira), ("noor", noor))
    ]


def test_kappa_and_what_becomes_of_conflicts(audit: Path, tmp_path: Path) -> None:
    files = conflicting(audit, tmp_path)
    given = [part for file in files for part in ("--decisions", file)]
    found = {}
    for rule in ("drop", "first"):
        ran = nerquake("curate", audit, *given, "--on-conflict", rule, "-o", tmp_path / rule, "--format", "json")
        assert ran.code == 0, ran.err
        found[rule] = ran.json
    (pair,) = found["drop"]["agreement"]
    assert pair["kappa"]["value"] == pytest.approx(0.4) and pair["items"] == 10
    assert len(found["drop"]["conflicts"]) == 3 and found["first"]["conflicts"] == []
    accepted = {rule: sum(one["accepted"] for one in made["sets"]) for rule, made in found.items()}
    assert accepted == {"drop": 4, "first": 5}
    shown = nerquake("curate", audit, *given, "-o", tmp_path / "shown").out
    assert "mira and noor agree on 7 of 10 sentences: Cohen's kappa 0.40" in shown
    assert "Where mira and noor disagree" in shown
    asked = nerquake("curate", audit, *given, "--on-conflict", "ask", "-o", tmp_path / "ask")
    assert asked.code == 1 and "reviewers disagree on 3 sentences" in asked.err
    page = data_of(tmp_path / "ask" / "conflicts.html")
    assert {one["id"] for one in page["items"]} == set(found["drop"]["conflicts"]) and page["settles"]
    assert not (tmp_path / "ask" / "result.json").exists()
    settled = saved(tmp_path / "s.jsonl", page, {one["id"]: "accept" for one in page["items"]}, "lea", settles=True)
    ran = nerquake("curate", audit, *given, "--decisions", settled, "--on-conflict", "ask", "-o", tmp_path / "ask",
                   "--format", "json")  # fmt: skip
    assert ran.code == 0, ran.err
    assert sum(one["accepted"] for one in ran.json["sets"]) == 7 and len(ran.json["agreement"]) == 1


def test_repeated_and_unknown_ids_are_said(audit: Path, tmp_path: Path) -> None:
    data = reviewed(audit, tmp_path, "--sample", 3)
    key = data["items"][0]["id"]
    file = saved(tmp_path / "d.jsonl", data, {key: "accept"})
    with file.open("a", encoding="utf-8") as stream:
        for name, choice in ((key, "reject"), ("nowhere~swap", "accept")):
            stream.write(json.dumps({"id": name, "decision": choice}) + "\n")
    ran = nerquake("curate", audit, "--decisions", file, "-o", tmp_path / "out", "--format", "json")
    assert ran.code == 0
    assert "1 ids were decided more than once; the last decision counts" in ran.err
    assert "1 ids are not in this audit and were left out" in ran.err
    assert sum(one["rejected"] for one in ran.json["sets"]) == 1


def test_decisions_about_another_audit_are_refused(audit: Path, tmp_path: Path) -> None:
    data = reviewed(audit, tmp_path, "--sample", 3)
    file = saved(tmp_path / "foreign.jsonl", {**data, "fingerprint": "0" * 64}, {})
    ran = nerquake("curate", audit, "--decisions", file, "-o", tmp_path / "out")
    assert ran.code == 2 and not (tmp_path / "out").exists()
    assert f"{file} holds decisions of mira about another audit" in ran.err


def test_mistakes_are_told(audit: Path, tmp_path: Path) -> None:
    assert nerquake("review", tmp_path).code == 2
    assert "expected a share such as 20%" in nerquake("review", audit, "--overlap", "much").err
    data = reviewed(audit, tmp_path, "--sample", 3)
    file = saved(tmp_path / "d.jsonl", data, {})
    same = nerquake("curate", audit, "--decisions", file, "-o", audit)
    assert same.code == 2 and "this is the audit itself" in same.err
    shutil.copytree(audit, tmp_path / "bare", ignore=shutil.ignore_patterns("work"))
    lost = nerquake("curate", tmp_path / "bare", "--decisions", file, "-o", tmp_path / "out")
    assert lost.code == 2 and "stage files are not all there" in lost.err and "--work" in lost.err
    found = nerquake("curate", tmp_path / "bare", "--decisions", file, "--work", audit / "work", "-o", tmp_path / "out")
    assert found.code == 0, found.err
    (tmp_path / "bare" / "cases.jsonl").unlink()
    assert "holds no cases.jsonl" in nerquake("review", tmp_path / "bare").err


def test_a_redacted_audit_is_not_reviewed(audit: Path, tmp_path: Path) -> None:
    shutil.copytree(audit, tmp_path / "hidden", ignore=shutil.ignore_patterns("work"))
    result = json.loads((tmp_path / "hidden" / "result.json").read_text("utf-8"))
    result["header"]["redacted"] = True
    (tmp_path / "hidden" / "result.json").write_text(json.dumps(result), "utf-8")
    ran = nerquake("review", tmp_path / "hidden", "-o", tmp_path / "r.html")
    assert ran.code == 2 and "is redacted" in ran.err


def test_cases_that_are_missing_are_counted(audit: Path, tmp_path: Path) -> None:
    shutil.copytree(audit, tmp_path / "few", ignore=shutil.ignore_patterns("work"))
    lines = (audit / "cases.jsonl").read_text("utf-8").splitlines(keepends=True)
    (tmp_path / "few" / "cases.jsonl").write_text("".join(lines[:21]), "utf-8")
    ran = nerquake("review", tmp_path / "few", "--sample", 1000, "-o", tmp_path / "r.html")
    assert ran.code == 0 and "holds 20 of 100 changed sentences" in ran.err
    assert len(data_of(tmp_path / "r.html")["items"]) == 20


def test_a_review_of_nothing_says_so(tmp_path: Path) -> None:
    (tmp_path / "d.conll").write_text("Acme B-ORG\nsells O\n\nrain O\n", "utf-8")
    (tmp_path / "names.tsv").write_text("ORG\tAcme\n", "utf-8")
    ran = nerquake("audit", tmp_path / "d.conll", "-p", "swap", "-t", f"rules:{tmp_path / 'names.tsv'},name=n",
                   "-o", tmp_path / "out")  # fmt: skip
    assert ran.code == 0
    ran = nerquake("review", tmp_path / "out", "-o", tmp_path / "r.html")
    assert ran.code == 0 and "Nothing to review: swap changed no sentence." in ran.err
    data = data_of(tmp_path / "r.html")
    file = saved(tmp_path / "d.jsonl", data, {})
    ran = nerquake("curate", tmp_path / "out", "--decisions", file, "-o", tmp_path / "cur", "--format", "json")
    assert ran.code == 0 and ran.json["sets"][0]["invalid"]["value"] is None


def test_the_same_file_twice_is_no_second_reviewer(audit: Path, tmp_path: Path) -> None:
    """Its reviewer would agree with themselves, and kappa would be 1."""
    data = reviewed(audit, tmp_path, "--sample", 10)
    file = saved(tmp_path / "d.jsonl", data, {one["id"]: "accept" for one in data["items"]})
    again = tmp_path / "." / "other" / ".." / "d.jsonl"
    (tmp_path / "other").mkdir()
    ran = nerquake("curate", audit, "--decisions", file, "--decisions", again, "-o", tmp_path / "out")
    assert ran.code == 2
    assert "--decisions names a file more than once" in ran.err
    assert not (tmp_path / "out").exists()
