"""`nerquake dictionary`."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from tests.cli.runner import Ran, nerquake

from nerquake.core.labels import LABEL_SETS

LINES = {
    "GPE": [{"class_id": "Q515", "class_title": "city", "instance_num": 2,
             "instances": {"Q64": "Berlin", "Q90": "Paris"}},
            {"class_id": "Q6256", "class_title": "country", "instance_num": 1, "instances": {"Q142": "France"}}],
    "NORP": [{"class_id": "Q6256", "class_title": "country", "instance_num": 1, "instances": {"Q142": "French"}}],
}  # fmt: skip


@pytest.fixture
def classes(tmp_path: Path) -> Path:
    folder = tmp_path / "classes"
    folder.mkdir()
    for type_, records in LINES.items():
        (folder / f"{type_}.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records), "utf-8")
    return folder


@pytest.fixture
def imported(classes: Path, tmp_path: Path) -> Path:
    done("dictionary", "import", classes, "-o", tmp_path / "d")
    return tmp_path / "d"


def done(*arguments: object) -> Ran:
    ran = nerquake(*arguments)
    assert ran.code == 0, ran.err
    return ran


def refused(*arguments: object) -> str:
    ran = nerquake(*arguments)
    assert (ran.code, ran.out) == (2, ""), ran.out
    return ran.err


def test_languages_without_any_entity_are_said(classes: Path, tmp_path: Path) -> None:
    ran = done("dictionary", "build", "--from", f"import:{classes}", "--languages", "EN,en,hi", "-o", tmp_path / "d")
    assert "nothing can be drawn in EN, hi: the sources have no entities there; they have names in en" in ran.err
    assert "nothing can be drawn" not in done("dictionary", "import", classes, "-o", tmp_path / "d").err


def test_what_could_not_be_read_is_listed_with_its_line(classes: Path, tmp_path: Path) -> None:
    with (classes / "GPE.jsonl").open("a", encoding="utf-8") as stream:
        stream.write('\n{"class_id": 5}\n')
    ran = done("dictionary", "import", classes, "--lenient", "-o", tmp_path / "d")
    assert f"stats {tmp_path / 'd'} --faults" in ran.err
    assert "GPE.jsonl: line 4: no class record" in done("dictionary", "stats", tmp_path / "d", "--faults").out
    (found,) = done("dictionary", "stats", tmp_path / "d", "--faults", "--format", "json").json["fault_lines"]
    assert (found["source"], found["line"], found["code"]) == ("GPE.jsonl", 4, "bad-class")
    assert "GPE.jsonl,4,bad-class," in done("dictionary", "stats", tmp_path / "d", "--faults", "--format", "csv").out
    assert "fault_lines" not in done("dictionary", "stats", tmp_path / "d", "--format", "json").json


def test_the_starter_is_built_read_and_drawn_from(tmp_path: Path) -> None:
    ran = done("dictionary", "build", "--from", "starter", "-o", tmp_path / "new" / "d")
    assert ran.out == ""
    assert "languages de, en, hi; digest" in ran.err
    found = done("dictionary", "stats", tmp_path / "new" / "d", "--format", "json", "--verify").json
    assert set(found["dictionary"]) == {*LABEL_SETS["ontonotes-names"], "ALL"}
    assert found["digest"] == done("dictionary", "stats", "starter", "--format", "json").json["digest"]
    one = done("dictionary", "sample", "starter", "--class", "sovereign-state", "-n", 3, "--format", "json").json
    assert (one["class"], one["type"], len(one["instances"])) == ("local:sovereign-state", "GPE", 3)
    assert one == done("dictionary", "sample", tmp_path / "new" / "d", "--class", "local:sovereign-state", "-n", 3,
                       "--format", "json").json  # fmt: skip
    other = done(
        "dictionary", "sample", "starter", "--class", "sovereign-state", "-n", 3, "--format", "json", "--seed", 1
    )
    assert other.json["instances"] != one["instances"]


def test_import_and_export_of_class_files(classes: Path, imported: Path, tmp_path: Path) -> None:
    ran = done("dictionary", "export", imported, "-o", tmp_path / "out", "--to", "classes")
    assert "GPE.jsonl, NORP.jsonl" in ran.err
    for type_, records in LINES.items():
        written = (tmp_path / "out" / f"{type_}.jsonl").read_text("utf-8").splitlines()
        assert [json.loads(line) for line in written] == records


def test_parquet_there_and_back(imported: Path, tmp_path: Path) -> None:
    done("dictionary", "export", imported, "-o", tmp_path / "parquet")
    done("dictionary", "import", tmp_path / "parquet", "-o", tmp_path / "again")
    one, other = (done("dictionary", "stats", path, "--format", "json").json for path in (imported, tmp_path / "again"))
    assert one["digest"] == other["digest"]
    assert other["sources"] == ["import", "import"]


def test_what_is_chosen_stays_over_an_export(tmp_path: Path) -> None:
    chosen = ("--languages", "en", "--limit-per-class", 5, "--seed", 3)
    ran = done("dictionary", "build", "--from", "starter", "-o", tmp_path / "d", *chosen)
    assert "limit_per_class=5, entities: " in ran.err
    done("dictionary", "export", tmp_path / "d", "-o", tmp_path / "parquet")
    done("dictionary", "import", tmp_path / "parquet", "-o", tmp_path / "again")
    one, other = (done("dictionary", "stats", tmp_path / name, "--format", "json").json for name in ("d", "again"))
    assert one["digest"] == other["digest"]
    assert one["filters"] == other["filters"] != []
    assert one["languages"] == ["en"]
    limited = done("dictionary", "sample", tmp_path / "d", "--class", "river", "-n", 9, "--format", "json").json
    assert limited["size"] == len(limited["instances"]) == 5


def test_stats_as_a_table_and_csv(imported: Path) -> None:
    shown = done("dictionary", "stats", imported, "--classes").out
    for said in ("original", "NORP", "country", "name types from: file 2", "names: en 4"):
        assert said in shown
    rows = list(csv.DictReader(io.StringIO(done("dictionary", "stats", imported, "--format", "csv").out)))
    assert [(row["type"], row["original"], row["classes"], row["entities"]) for row in rows] == [
        ("GPE", "", "2", "3"), ("NORP", "", "1", "1"), ("ALL", "", "2", "3"),
    ]  # fmt: skip


def test_stats_go_into_a_file(imported: Path, tmp_path: Path) -> None:
    done("dictionary", "stats", imported, "--format", "json", "-o", tmp_path / "stats.json")
    assert json.loads((tmp_path / "stats.json").read_text("utf-8"))["format"] == "nerquake.dictionary_stats/1"


def test_a_class_of_two_types_is_drawn_from_for_each(imported: Path) -> None:
    for type_, name in (("NORP", "French"), ("GPE", "France")):
        ran = done("dictionary", "sample", imported, "--class", "Q6256", "--type", type_, "--format", "csv")
        assert ran.out.splitlines()[1] == f"Q142,{name}"
        assert f"1 of 1 entities of Q6256 (country), {type_}" in ran.err
    assert "no name type of Q6256 is called 'ORG'" in refused(
        "dictionary", "sample", imported, "--class", "Q6256", "--type", "ORG"
    )


def test_mistakes_are_one_message(classes: Path, imported: Path, tmp_path: Path) -> None:
    (tmp_path / "text").write_text("x", "utf-8")
    (tmp_path / "roots").write_text("x", "utf-8")
    for arguments, said in (
        (("stats", tmp_path / "text"), "this is no dictionary but a text file"),
        (("stats", tmp_path / "nowhere"), "there is no such file"),
        (("sample", imported, "--class", "Q1"), "there is no class Q1"),
        (("sample", imported, "--class", "Q515", "--language", "hi"), "no entities in hi; there are the languages en"),
        (("build", "--from", "stater", "-o", tmp_path / "x"), "Did you mean starter?"),
        (("build", "--from", "starter:x", "-o", tmp_path / "x"), "starter takes no value"),
        (("build", "--from", "starter", "-o", "-"), "a file to write is expected"),
        (("build", "--from", "starter", "-o", tmp_path), "there is a directory of this name"),
        (("build", "--from", "starter", "-o", tmp_path / "text" / "x"), "a part of the path is a file"),
        (("build", "--from", "starter", "-o", tmp_path / "x", "--memory", "lots"), "no size of memory"),
        (("build", "--from", "starter", "-o", tmp_path / "x", "--roots", tmp_path / "roots"), "no root class"),
        (("build", "--from", "starter", "-o", tmp_path / "x", "--languages", "e'n"), "no language code"),
        (("import", tmp_path / "nowhere", "-o", tmp_path / "x"), "no such file or folder"),
        (("export", imported, "-o", tmp_path / "text"), "cannot be written"),
    ):  # fmt: skip
        assert said in refused("dictionary", *arguments)
    assert not (tmp_path / "x").exists()
    (classes / "LAW.jsonl").write_text("{}\n[]\n", "utf-8")
    message = refused("dictionary", "import", classes, "-o", tmp_path / "x")
    assert "LAW.jsonl: line 1" in message
    assert "LAW.jsonl: line 2" in message
    assert "2 faults" in done("dictionary", "import", classes, "-o", tmp_path / "x", "--lenient").err
    assert "bad-class 2" in done("dictionary", "stats", tmp_path / "x").out


def test_roots_may_be_left_out(tmp_path: Path) -> None:
    done("dictionary", "build", "--from", "starter", "-o", tmp_path / "d", "--roots", "none", "--jobs", 1)
    assert (tmp_path / "d").exists()
