"""What each command gives, on input that is as it should be."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest
from tests.cli.runner import nerquake

GOLD = "# id a\nAnna\tB-PER\nLind\tI-PER\nmet\tO\nBo\tB-PER\n\n# id b\nin\tO\nBonn\tB-LOC\n"
PRED = "# id b\nin\tO\nBonn\tB-LOC\n\n# id a\nAnna\tI-PER\nLind\tI-PER\nmet\tO\nBo\tB-LOC\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "gold.conll").write_text(GOLD, "utf-8")
    (tmp_path / "pred.conll").write_text(PRED, "utf-8")
    return tmp_path


def score(folder: Path, *more: object) -> Any:
    ran = nerquake("score", folder / "gold.conll", folder / "pred.conll", "--format", "json", *more)
    assert ran.code == 0, ran.err
    return ran.json


def test_scores_join_by_id_and_count_broken_transitions(folder: Path) -> None:
    (system,) = score(folder)["systems"]
    strict = system["overall"]["strict"]
    assert (strict["correct"], strict["incorrect"], strict["missed"], strict["spurious"]) == (2, 1, 0, 0)
    assert system["invalid_transitions"] == 1
    assert system["per_type"]["PER"]["gold"] == 2
    assert system["per_type"]["LOC"]["predicted"] == 2


def test_repair_decides_what_broken_tags_mean(folder: Path) -> None:
    """Case 17."""
    (folder / "gold.conll").write_text("a\tB-PER\nb\tI-PER\n", "utf-8")
    (folder / "pred.conll").write_text("a\tI-PER\nb\tI-PER\n", "utf-8")
    for repair, f1 in (("conlleval", 1.0), ("discard", 0.0)):
        (system,) = score(folder, "--repair", repair)["systems"]
        assert (system["overall"]["strict"]["f1"], system["invalid_transitions"]) == (f1, 1)
    refused = nerquake("score", folder / "gold.conll", folder / "pred.conll", "--repair", "none")
    assert refused.code == 2
    assert "line 1" in refused.err


def test_bilou_is_not_bio(folder: Path) -> None:
    """Case 8."""
    (folder / "gold.conll").write_text("a\tB-X\nb\tL-X\nc\tU-X\n", "utf-8")
    (folder / "pred.conll").write_text("a\tB-X\nb\tI-X\nc\tI-X\n", "utf-8")
    (system,) = score(folder)["systems"]
    assert (system["per_type"]["X"]["gold"], system["per_type"]["X"]["predicted"]) == (2, 1)
    assert system["overall"]["strict"]["f1"] == 0


def test_empty_evidence_is_undefined(folder: Path) -> None:
    """Case 18."""
    (folder / "gold.conll").write_text("a\tO\nb\tO\n", "utf-8")
    (folder / "pred.conll").write_text("a\tO\nb\tO\n", "utf-8")
    (system,) = score(folder)["systems"]
    assert [system["overall"]["strict"][rate] for rate in ("precision", "recall", "f1")] == [None] * 3
    assert system["entity_free"] == {"sentences": 1, "with_false_alarms": 0}
    (folder / "pred.conll").write_text("a\tB-PER\nb\tO\n", "utf-8")
    (system,) = score(folder)["systems"]
    strict = system["overall"]["strict"]
    assert (strict["spurious"], strict["precision"], strict["recall"], strict["f1"]) == (1, 0, None, 0)


def test_a_type_of_the_predictions_alone_has_its_own_row(folder: Path) -> None:
    """Case 16."""
    (folder / "gold.conll").write_text("a\tO\nb\tO\nc\tO\nd\tB-PER\n", "utf-8")
    (folder / "pred.conll").write_text("a\tO\nb\tO\nc\tO\nd\tB-LOC\n", "utf-8")
    (system,) = score(folder, "--unmapped", "keep")["systems"]
    per, loc = system["per_type"]["PER"], system["per_type"]["LOC"]
    assert (per["strict"]["incorrect"], per["exact"]["correct"]) == (1, 1)
    assert (loc["gold"], loc["predicted"], loc["strict"]["precision"], loc["strict"]["recall"]) == (0, 1, 0, None)


def test_other_tokens_are_refused_by_name(folder: Path) -> None:
    (folder / "pred.conll").write_text(PRED.replace("Lind", "Lund"), "utf-8")
    ran = nerquake("score", folder / "gold.conll", folder / "pred.conll")
    assert ran.code == 2
    assert "Lind" in ran.err
    assert "Lund" in ran.err


def test_systems_are_compared(folder: Path) -> None:
    (folder / "right.conll").write_text(GOLD, "utf-8")
    found = score(folder, folder / "right.conll")
    assert [(c["a"], c["b"]) for c in found["comparisons"]] == [("pred.conll", "right.conll")]
    assert found["comparisons"][0]["difference"] < 0


def test_tables_and_csv_say_the_same(folder: Path) -> None:
    table = nerquake("score", folder / "gold.conll", folder / "pred.conll").out
    assert "66.67" in table
    rows = list(csv.DictReader(io.StringIO(nerquake(
        "score", folder / "gold.conll", folder / "pred.conll", "--format", "csv").out)))  # fmt: skip
    assert next(r for r in rows if r["type"] == "ALL" and r["scheme"] == "strict")["f1"] == str(2 / 3)


@pytest.mark.parametrize(("file", "f1"), [("arcada", 39.98), ("flytxt", 38.35), ("sjtu_adapt.txt", 40.42)])
def test_published_scores(shared: Path, file: str, f1: float) -> None:
    """The WNUT 2017 shared task's own figures."""
    data = shared / "data" / "wnut17"
    ran = nerquake("score", data / "emerging.test.annotated", data / "submissions" / file)
    assert ran.code == 0, ran.err
    assert f"{f1:.2f}" in ran.out.split("\n")[3]
    exact = nerquake("score", data / "emerging.test.annotated", data / "submissions" / file, "--format", "json").json
    assert round(100 * exact["systems"][0]["overall"]["strict"]["f1"], 2) == f1


def test_convert_between_schemes_and_back(folder: Path) -> None:
    assert nerquake("convert", folder / "gold.conll", folder / "b.conll", "--scheme-out", "bioes").code == 0
    assert "S-LOC" in (folder / "b.conll").read_text("utf-8")
    assert nerquake("convert", folder / "b.conll", folder / "c.conll", "--scheme-out", "bio").code == 0
    assert (folder / "c.conll").read_bytes() == (folder / "gold.conll").read_bytes()


def test_convert_between_formats_and_back(folder: Path) -> None:
    assert nerquake("convert", folder / "gold.conll", folder / "b.jsonl").code == 0
    assert nerquake("convert", folder / "b.jsonl", folder / "c.conll").code == 0
    assert (folder / "c.conll").read_text("utf-8") == GOLD


@pytest.mark.parametrize("language", ["en", "de", "hi"])
def test_convert_to_the_same_is_byte_for_byte(language: str, tmp_path: Path) -> None:
    import nerquake as package

    assert nerquake("convert", f"sample:{language}", tmp_path / "out.conll").code == 0
    source = Path(package.__file__).parent / "samples" / f"{language}.conll"
    assert (tmp_path / "out.conll").read_bytes() == source.read_bytes()


def test_predict_writes_what_score_reads(folder: Path) -> None:
    (folder / "rules.tsv").write_text("PER\tAnna Lind\nLOC\tBonn\n", "utf-8")
    ran = nerquake("predict", folder / "gold.conll", "-t", f"rules:{folder / 'rules.tsv'}")
    assert ran.out == "[Anna Lind PER] met Bo\nin [Bonn LOC]\n"
    tagged = folder / "tagged.conll"
    assert nerquake("predict", folder / "gold.conll", "-t", f"rules:{folder / 'rules.tsv'}", "-o", tagged).code == 0
    assert tagged.read_text("utf-8") == GOLD.replace("Bo\tB-PER", "Bo\tO")
    found = nerquake("score", folder / "gold.conll", tagged, "--format", "json").json
    assert found["systems"][0]["overall"]["strict"]["correct"] == 2


def test_augment_writes_original_and_augmented(folder: Path) -> None:
    ran = nerquake("augment", folder / "gold.conll", "-p", "random-masking", "-o", "-")
    assert ran.out.startswith(GOLD)
    assert ran.out.count("# id ") == 4
    assert "Anna" in ran.out


def test_stats_on_entity_words(folder: Path) -> None:
    """Paper R, table 4."""
    (folder / "train.conll").write_text("Anna\tB-PER\nBonn\tB-PER\n", "utf-8")
    found = nerquake("stats", folder / "gold.conll", "--train", folder / "train.conll", "--format", "json").json
    assert found["files"]["gold.conll"]["mentions"] == 3
    assert found["entity_words"]["PER"] == {"unique": 3, "seen": 1, "seen_share": 1 / 3}
    assert found["entity_words"]["LOC"]["seen"] == 0
    assert found["entity_words"]["ALL"] == {"unique": 4, "seen": 2, "seen_share": 0.5}
    other = nerquake("stats", folder / "gold.conll", "--train", folder / "train.conll", "--seen", "any-type",
                     "--format", "json").json  # fmt: skip
    assert other["entity_words"]["LOC"]["seen"] == 1


def test_stats_on_an_attack(folder: Path) -> None:
    """Paper R, table 3."""
    assert nerquake("perturb", folder / "gold.conll", "-p", "swap", "-o", folder / "sets").code == 0
    found = nerquake("stats", folder / "gold.conll", "--attacked", folder / "sets" / "swap", "--format", "json").json
    assert found["attack"]["mentions"] == 3
    assert found["attack"]["attacked"] == 2
    assert found["attack"]["sentences_attacked_share"] == 0.5
    other = nerquake("stats", "sample:de", "--attacked", folder / "sets" / "swap")
    assert other.code == 2


def test_validate_says_what_a_file_is(folder: Path) -> None:
    ran = nerquake("validate", folder / "gold.conll", "--format", "json")
    assert ran.code == 0
    assert ran.json["scheme"] == "iob2"
    assert ran.json["mentions"] == {"LOC": 1, "PER": 2}


def test_validate_ends_with_1_where_there_are_problems(folder: Path) -> None:
    (folder / "bad.conll").write_text("a\tB-PER\nb\n\nc\tI-LOC\nd\tB-LOC\ne\tO\n", "utf-8")
    ran = nerquake("validate", folder / "bad.conll", "--scheme", "iob2", "--format", "json")
    assert ran.code == 1
    assert [(p["code"], p["line"]) for p in ran.json["problems"]] == [("mixed-columns", 2), ("ill-formed-sequence", 4)]


def test_options_from_a_file(folder: Path) -> None:
    (folder / "options.toml").write_text('labels = "PER"\nformat = "json"\nresamples = 50\n', "utf-8")
    found = nerquake("score", folder / "gold.conll", folder / "pred.conll", "--config", folder / "options.toml").json
    assert list(found["systems"][0]["per_type"]) == ["PER"]
    assert "resamples:50" in found["signature"]
    other = nerquake("score", folder / "gold.conll", folder / "pred.conll", "--config", folder / "options.toml",
                     "--resamples", "60").json  # fmt: skip
    assert "resamples:60" in other["signature"]


def test_report_renders_again_and_joins(folder: Path) -> None:
    (folder / "rules.tsv").write_text("PER\tAnna Lind\nLOC\tBonn\n", "utf-8")
    for name, attack in (("one", "letters"), ("two", "swap")):
        ran = nerquake("audit", folder / "gold.conll", "-t", f"rules:{folder / 'rules.tsv'}", "-p", attack,
                       "-o", folder / name)  # fmt: skip
        assert ran.code == 0, ran.err
    before = (folder / "one" / "report.html").read_bytes()
    (folder / "one" / "report.html").unlink()
    assert nerquake("report", folder / "one").code == 0
    assert (folder / "one" / "report.html").read_bytes() == before
    assert nerquake("report", folder / "one", folder / "two", "-o", folder / "both").code == 0
    page = (folder / "both" / "report.html").read_text("utf-8")
    assert "letters" in page
    assert "swap" in page
    assert nerquake("report", folder).code == 2


def test_plugins_say_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    found = {(p["kind"], p["name"]): p for p in nerquake("plugins", "--format", "json").json["plugins"]}
    assert found["perturbation", "rs"]["summary"] == "the same as swap"
    assert found["tagger", "rules"]["available"]
    monkeypatch.setattr("nerquake.registry.lookup.find_spec", lambda name: None)
    found = {(p["kind"], p["name"]): p for p in nerquake("plugins", "--format", "json").json["plugins"]}
    assert found["tagger", "spacy"]["install"] == 'pip install "nerquake[spacy]"'
    assert "nerquake[spacy]" in nerquake("plugins").out


def test_suites_say_what_is_left_out(tmp_path: Path) -> None:
    ran = nerquake("perturb", "sample:hi", "-p", "multilingual", "-o", tmp_path / "sets")
    assert ran.code == 0, ran.err
    assert {"rs", "faker"} <= {file.name for file in (tmp_path / "sets").iterdir()}
    assert "mask" in ran.err


def test_perturb_keeps_columns_scheme_and_documents(tmp_path: Path) -> None:
    text = "-DOCSTART- -X- O\n\nAnna NNP B-PER\nmet VB O\n\n-DOCSTART- -X- O\n\nBo NNP B-PER\nleft VB O\n"
    (tmp_path / "data.txt").write_text(text, "utf-8")
    assert nerquake("perturb", tmp_path / "data.txt", "-p", "swap", "-o", tmp_path / "sets").code == 0
    attacked = (tmp_path / "sets" / "swap" / "attacked.txt").read_text("utf-8")
    assert attacked == text.replace("Anna NNP", "X _").replace("Bo NNP", "Anna _").replace("X _", "Bo _")
    assert (tmp_path / "sets" / "original" / "original.txt").read_text("utf-8") == text
    first = json.loads((tmp_path / "sets" / "swap" / "variants.jsonl").read_text("utf-8").split("\n")[1])
    assert first["edits"][0]["old"] == ["Anna"]


@pytest.mark.parametrize("attack", ["faker:consistent=document", "letters:consistent=document"])
def test_a_document_in_front_changes_no_other(tmp_path: Path, attack: str) -> None:
    """docs/design.md, for draws that documents share."""
    rest = "".join(f"-DOCSTART- O\n\n# id d{i}\nAnna B-PER\nmet O\nAnna B-PER\n\n" for i in range(4))
    found = {}
    for name, text in (("plain", rest), ("more", "-DOCSTART- O\n\n# id new\nAnna B-PER\nslept O\n\n" + rest)):
        (tmp_path / f"{name}.conll").write_text(text, "utf-8")
        ran = nerquake("perturb", tmp_path / f"{name}.conll", "-p", f"{attack},name=a", "-o", tmp_path / name)
        assert ran.code == 0, ran.err
        lines = (tmp_path / name / "a" / "variants.jsonl").read_text("utf-8").split("\n")
        found[name] = [line for line in lines if '"id": "d' in line]
    assert len(found["plain"]) == 4
    assert found["plain"] == found["more"]


def test_what_was_augmented_can_be_augmented_again(folder: Path) -> None:
    once, twice = folder / "once.conll", folder / "twice.conll"
    assert nerquake("augment", folder / "gold.conll", "-p", "letters", "-o", once).code == 0
    ran = nerquake("augment", once, "-p", "letters", "--seed", 1, "-o", twice)
    assert ran.code == 0, ran.err
    assert nerquake("validate", twice).code == 0


def test_flags_of_all_commands_are_obeyed_by_all(folder: Path) -> None:
    for command in ("stats", "validate"):
        ran = nerquake(command, folder / "gold.conll", "--labels", "PER", "--sample", 1, "--format", "json")
        sizes = ran.json["files"]["gold.conll"] if command == "stats" else ran.json
        assert sizes["sentences"] == 1
        assert "1 LOC" in (ran.err or " ".join(ran.json["notes"]))
    assert nerquake("convert", folder / "gold.conll", "-", "--sample", 1).out.count("# id") == 1
    ran = nerquake("perturb", folder / "gold.conll", "-p", "letters", "--labels", "PER", "-o", folder / "sets",
                   "--format", "json")  # fmt: skip
    assert ran.json["left_out"] == {"LOC": 1}


def test_an_attacked_set_of_another_file_is_refused_as_such(folder: Path) -> None:
    assert nerquake("perturb", folder / "gold.conll", "-p", "swap", "-o", folder / "sets").code == 0
    ran = nerquake("stats", folder / "pred.conll", "--attacked", folder / "sets" / "swap", "--repair-gold", "conlleval")
    assert ran.code == 2
    assert "another file" in ran.err


def test_toml_has_its_own_lists_tables_and_numbers(folder: Path) -> None:
    (folder / "o.toml").write_text(
        'labels = ["PER", "PLACE"]\nmap = {LOC = "PLACE"}\nseed = 3\nlenient = true\n', "utf-8"
    )
    found = nerquake("stats", folder / "gold.conll", "--config", folder / "o.toml", "--format", "json")
    assert found.json["files"]["gold.conll"]["per_type"] == {"PER": 2, "PLACE": 1}
    (folder / "bad.toml").write_text("seed = 1.5\n", "utf-8")
    assert nerquake("stats", folder / "gold.conll", "--config", folder / "bad.toml").code == 2


def test_scores_of_a_model_are_kept(folder: Path) -> None:
    preds = folder / "preds"
    preds.mkdir()
    record = '{"id": "%s", "tokens": %s, "spans": %s}\n'
    (preds / "original.pred.jsonl").write_text(
        record % ("a", '["Anna", "Lind", "met", "Bo"]', '[[0, 2, "PER", 0.75]]')
        + record % ("b", '["in", "Bonn"]', '[[1, 2, "LOC", 0.5]]'),
        "utf-8",
    )
    ran = nerquake("audit", folder / "gold.conll", "-t", f"file:{preds},name=m", "-o", folder / "out")
    assert ran.code == 0, ran.err
    kept = (folder / "out" / "work" / "original" / "m.predictions.jsonl").read_text("utf-8")
    assert '[0, 2, "PER", 0.75]' in kept


def test_predicted_mentions_are_listed_on_request(folder: Path) -> None:
    (folder / "rules.tsv").write_text("LOC\tBonn\n", "utf-8")
    ran = nerquake("predict", folder / "gold.conll", "-t", f"rules:{folder / 'rules.tsv'}", "--format", "json")
    assert ran.json["mentions"] == [{"sentence": "b", "start": 1, "end": 2, "label": "LOC", "text": "Bonn"}]


def test_what_perturb_wrote_an_audit_uses(folder: Path) -> None:
    (folder / "rules.tsv").write_text("LOC\tBonn\n", "utf-8")
    assert nerquake("perturb", folder / "gold.conll", "-p", "letters", "-o", folder / "sets").code == 0
    before = (folder / "sets" / "letters" / "variants.jsonl").read_bytes()
    ran = nerquake("audit", folder / "gold.conll", "-p", "letters", "-t", f"rules:{folder / 'rules.tsv'}",
                   "-o", folder / "out", "--work", folder / "sets")  # fmt: skip
    assert ran.code == 0, ran.err
    assert (folder / "sets" / "letters" / "variants.jsonl").read_bytes() == before


def test_an_attack_whose_file_changed_is_made_again(folder: Path) -> None:
    names = folder / "names.txt"
    found = []
    for name in ("Ulm", "Trier"):
        names.write_text(f"LOC\t{name}\nPER\tRosa\n", "utf-8")
        ran = nerquake("audit", folder / "gold.conll", "-p", f"gazetteer:{names},name=g", "-t", f"rules:{names}",
                       "-o", folder / "out")  # fmt: skip
        assert ran.code == 0, ran.err
        found.append((folder / "out" / "work" / "g" / "variants.jsonl").read_text("utf-8"))
    assert '"Ulm"' in found[0]
    assert '"Trier"' in found[1]


def test_context_words_are_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "shouting_for_tests.py").write_text(
        "from dataclasses import dataclass\n"
        "from nerquake.core.edits import Edit\n"
        "from nerquake.core.protocols import Prepared, Proposal\n"
        "@dataclass(frozen=True)\n"
        "class Shout:\n"
        "    level = 'context'\n"
        "    def prepare(self, corpus, draws):\n"
        "        return Prepared()\n"
        "    def propose(self, sentence, draws, context):\n"
        "        inside = {i for s in sentence.spans for i in range(s.start, s.end)}\n"
        "        edits = [Edit(i, i + 1, (t.upper(),), 'context') for i, t in enumerate(sentence.tokens)\n"
        "                 if i not in inside and t != t.upper()]\n"
        "        return Proposal(tuple(edits))\n",
        "utf-8",
    )
    (tmp_path / "gold.conll").write_text(GOLD, "utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    ran = nerquake("perturb", "gold.conll", "-p", "shouting_for_tests:Shout,name=s", "-o", "sets", "--format", "json")
    assert ran.code == 0, ran.err
    (_, found) = ran.json["sets"]
    assert (found["level"], found["context_words"], found["status"]["changed"]) == ("context", 2, 2)
