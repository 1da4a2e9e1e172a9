"""`nerquake dictionary link`."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest
from tests.cli.runner import Ran, nerquake

DATA = """\
Berlin B-LOC
and O
Paris B-LOC
. O

Angela B-PER
Paris I-PER
lives O
in O
Atlantis B-LOC
"""
CLASSES = {
    "GPE": [{"class_id": "Q515", "class_title": "city", "instances": {"Q64": "Berlin", "Q90": "Paris"}}],
    "PERSON": [{"class_id": "Q5", "class_title": "human", "instances": {"Q1": "Angela Paris"}}],
}


@pytest.fixture
def data(tmp_path: Path) -> Path:
    path = tmp_path / "data.conll"
    path.write_text(DATA, "utf-8")
    return path


@pytest.fixture
def dictionary(tmp_path: Path) -> Path:
    folder = tmp_path / "classes"
    folder.mkdir()
    for type_, records in CLASSES.items():
        (folder / f"{type_}.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records), "utf-8")
    done("dictionary", "import", folder, "-o", tmp_path / "d")
    return tmp_path / "d"


def done(*arguments: object) -> Ran:
    ran = nerquake(*arguments)
    assert ran.code == 0, ran.err
    return ran


def refused(*arguments: object) -> str:
    ran = nerquake(*arguments)
    assert (ran.code, ran.out) == (2, ""), ran.out
    return ran.err


def records(path: Path) -> list[Any]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def accepted(path: Path) -> list[Any]:
    return [record["accepted"] for record in records(path)]


def test_links_are_written_and_what_is_not_linked_is_counted(data: Path, dictionary: Path, tmp_path: Path) -> None:
    ran = done("dictionary", "link", dictionary, data, "-o", tmp_path / "l.jsonl", "--format", "json")
    assert accepted(tmp_path / "l.jsonl") == ["Q64", "Q90", "Q1", None]
    assert list(records(tmp_path / "l.jsonl")[0]) == ["sentence", "start", "end", "text", "type", "candidates",
                                                      "accepted"]  # fmt: skip
    assert "not linked: 1 of 4 mentions (1 LOC)" in ran.err
    found = ran.json
    assert found["format"] == "nerquake.dictionary_link/1"
    assert found["mentions"] == {
        "LOC": {"mentions": 3, "linked": 2, "unlinked": 1}, "PER": {"mentions": 1, "linked": 1, "unlinked": 0},
        "ALL": {"mentions": 4, "linked": 3, "unlinked": 1},
    }  # fmt: skip
    stats = done("dictionary", "stats", dictionary, "--format", "json").json
    assert (found["dictionary"], found["items"], found["denied"]) == (stats["digest"], 3, [])


def test_tables_and_standard_output(data: Path, dictionary: Path, tmp_path: Path) -> None:
    rows = done("dictionary", "link", dictionary, data, "-o", tmp_path / "l", "--format", "csv").out
    assert next(iter(csv.DictReader(io.StringIO(rows)))) == {"type": "LOC", "mentions": "3", "linked": "2",
                                                          "unlinked": "1"}  # fmt: skip
    assert "66.7" in done("dictionary", "link", dictionary, data, "-o", tmp_path / "l").out
    piped = done("dictionary", "link", dictionary, data, "-o", "-")
    assert piped.out == (tmp_path / "l").read_text("utf-8")


def test_the_same_command_writes_the_same_bytes(data: Path, dictionary: Path, tmp_path: Path) -> None:
    for name in ("a", "b"):
        done("dictionary", "link", dictionary, data, "-o", tmp_path / name)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_a_deny_list_is_applied_and_counted(data: Path, dictionary: Path, tmp_path: Path) -> None:
    deny = tmp_path / "deny.tsv"
    deny.write_text("paris\tQ90\nQ64\nRome\tQ220\n", "utf-8")
    ran = done("dictionary", "link", dictionary, data, "-o", tmp_path / "l", "--deny", deny, "--format", "json")
    assert accepted(tmp_path / "l") == [None, None, "Q1", None]
    assert "denied: 2 links; 1 of 3 denied pairs are of no link" in ran.err
    assert "not linked: 3 of 4 mentions (3 LOC)" in ran.err
    assert ran.json["denied"] == [{"line": "Q64", "links": 1}, {"line": "paris\tQ90", "links": 1}]
    deny.write_text("Paris\n", "utf-8")
    assert "line 1: no denied pair" in refused("dictionary", "link", dictionary, data, "-o", tmp_path / "m", "--deny",
                                               deny)  # fmt: skip
    assert not (tmp_path / "m").exists()


def test_a_file_that_was_looked_through_is_read_back(data: Path, dictionary: Path, tmp_path: Path) -> None:
    path = tmp_path / "l"
    done("dictionary", "link", dictionary, data, "-o", path)
    path.write_text(path.read_text("utf-8").replace('"accepted": "Q64"', '"accepted": ""').replace(
        '"accepted": null', '"accepted": "Q7"'), "utf-8")  # fmt: skip
    done("dictionary", "link", dictionary, data, "-o", tmp_path / "again", "--linker", f"file:{path}")
    assert accepted(tmp_path / "again") == [None, "Q90", "Q1", "Q7"]


HIPE = """\
TOKEN\tNE-COARSE-LIT\tNEL-LIT\tMISC
{0}\tB-loc\t{1}\t_
is\tO\t_\t_
far\tO\t_\tEndOfSentence
"""


def test_known_mentions_from_a_file_with_ids_and_from_links(data: Path, dictionary: Path, tmp_path: Path) -> None:
    train = tmp_path / "train.tsv"
    train.write_text(HIPE.format("Atlantis", "Q8888"), "utf-8")
    ran = done("dictionary", "link", dictionary, data, "-o", tmp_path / "l", "--known", train)
    assert accepted(tmp_path / "l") == ["Q64", "Q90", "Q1", "Q8888"]
    assert f"known: 1 mentions of {train}" in ran.err
    links = tmp_path / "known.jsonl"
    plain = tmp_path / "train.conll"
    plain.write_text("# sent_id = x\nAtlantis B-LOC\nsank O\n", "utf-8")
    links.write_text('{"sentence": "x", "start": 0, "end": 1, "candidates": [], "accepted": "Q9"}\n', "utf-8")
    command = ("dictionary", "link", dictionary, data, "-o", tmp_path / "l", "--known", plain)
    done(*command, "--known-links", links)
    assert accepted(tmp_path / "l") == ["Q64", "Q90", "Q1", "Q9"]
    assert "no column of the data set holds items' ids" in refused(*command)
    assert "1 --known-links for 2 --known" in refused(*command, "--known", train, "--known-links", links)
    assert "IdColumn does not learn" in refused(*command, "--known-links", links, "--linker", "ids")


def test_shared_flags_hold(data: Path, dictionary: Path, tmp_path: Path) -> None:
    ran = done("dictionary", "link", dictionary, data, "-o", tmp_path / "l", "--labels", "PER")
    assert accepted(tmp_path / "l") == ["Q1"]
    assert "left out by --labels or --map: 3 LOC" in ran.err
    done("dictionary", "link", dictionary, data, "-o", tmp_path / "l", "--map", "LOC=widget", "--linker",
         "alias:types=widget=GPE")  # fmt: skip
    assert accepted(tmp_path / "l") == ["Q64", "Q90", "Q1", None]


def test_mistakes(data: Path, dictionary: Path, tmp_path: Path) -> None:
    out = ("-o", tmp_path / "l")
    assert "no linker is called 'alas'" in refused("dictionary", "link", dictionary, data, *out, "--linker", "alas")
    assert "no such file" in refused("dictionary", "link", tmp_path / "x", data, *out)
    assert "no such file" in refused("dictionary", "link", dictionary, data, *out, "--linker", f"file:{tmp_path}/x")
    bad = tmp_path / "bad"
    bad.write_text('{"sentence": 1}\n[]\n', "utf-8")
    said = refused("dictionary", "link", dictionary, data, *out, "--linker", f"file:{bad}")
    assert "line 1: no link" in said
    assert "line 2: no link: not a JSON object" not in refused(
        "dictionary", "link", dictionary, data, *out, "--linker", f"file:{data}"
    )
    assert not (tmp_path / "l").exists()
