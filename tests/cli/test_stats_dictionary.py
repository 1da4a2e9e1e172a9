"""`nerquake stats --dictionary`, and attacks on several files (paper R, tables 2 and 3)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.cli.runner import nerquake
from tests.perturb.wikidata_cases import dictionary, links, members

DATA = "# id {0}1\nAnna\tB-PER\nmet\tO\nBonn\tB-LOC\n\n# id {0}2\nin\tO\nRome\tB-LOC\nBo\tB-PER\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("dev", "test"):
        (tmp_path / f"{name}.conll").write_text(DATA.format(name), "utf-8")
    return tmp_path


def test_classes_and_entities(folder: Path) -> None:
    file = dictionary(folder, members("Q515", "GPE", {"Q1": "Bonn", "Q2": "Rome"}))
    given = links(folder, {("dev1", 2, 3): "Q1"})
    found = nerquake("stats", folder / "dev.conll", "--dictionary", file, "--links", given, "--format", "json").json
    assert found["dictionary"] == {
        "LOC": {"original": 2, "classes": 1, "entities": 2},
        "PER": {"original": 2, "classes": 0, "entities": 0},
        "ALL": {"original": 4, "classes": 1, "entities": 2},
    }
    shown = nerquake("stats", folder / "dev.conll", "--dictionary", file)
    assert ["LOC", "2", "1", "2"] in [line.split() for line in shown.out.splitlines()]
    rows = nerquake("stats", folder / "dev.conll", "--dictionary", file, "--format", "csv").out.splitlines()
    assert "dictionary,LOC,entities,2" in rows


def test_the_starter_has_classes_of_no_people(folder: Path) -> None:
    found = nerquake("stats", folder / "dev.conll", "--dictionary", "starter", "--format", "json").json["dictionary"]
    assert found["PER"]["classes"] is None and found["PER"]["entities"] > 300
    assert found["LOC"]["classes"] > 30
    beside = nerquake("stats", "sample:en", "--dictionary", "starter", "--format", "json").json["dictionary"]
    assert beside["LOC"]["classes"] < 20, "beside GPE and FAC it holds neither"
    shown = nerquake("stats", folder / "dev.conll", "--dictionary", "starter").out
    assert any(line.split()[:3] == ["PER", "2", "n/e"] for line in shown.splitlines())


def test_attacks_on_several_files(folder: Path) -> None:
    files = [folder / "dev.conll", folder / "test.conll"]
    for file in files:
        assert nerquake("perturb", file, "-p", "swap", "-o", folder / file.stem).code == 0
    sets = [part for file in files for part in ("--attacked", folder / file.stem / "swap")]
    found = nerquake("stats", *files, *sets, "--format", "json").json
    assert list(found["attacks"]) == ["dev.conll", "test.conll"]
    assert found["attacks"]["dev.conll"]["mentions"] == 4
    assert found["attack"]["mentions"] == 8
    assert found["attack"]["attacked"] == sum(one["attacked"] for one in found["attacks"].values()) > 0
    assert found["attack"]["entity_words"]["ALL"]["unique"] == 4
    lines = [line.split() for line in nerquake("stats", *files, *sets).out.splitlines()]
    assert ["ALL", "8", f"{found['attack']['attacked']}"] in [line[:3] for line in lines]
    rows = nerquake("stats", *files, *sets, "--format", "csv").out.splitlines()
    for name, reached in (*found["attacks"].items(), ("ALL", found["attack"])):
        assert f"attack,{name},attacked,{reached['attacked']}" in rows
    one = nerquake("stats", files[0], *sets[:2], "--format", "json").json
    assert "attacks" not in one and one["attack"]["mentions"] == 4
    assert json.dumps(one["attack"]["attacked_share"]) == json.dumps(found["attacks"]["dev.conll"]["attacked_share"])


def test_files_in_several_languages_are_not_counted_in_the_first_ones(folder: Path) -> None:
    (folder / "hi.conll").write_text("पटना\tB-LOC\nमें\tO\n", "utf-8")
    files = [folder / "dev.conll", folder / "hi.conll"]
    for order in (files, files[::-1]):
        ran = nerquake("stats", *order, "--dictionary", "starter")
        assert ran.code == 2 and "dev.conll en" in ran.err and "hi.conll hi" in ran.err
    assert nerquake("stats", *files, "--dictionary", "starter", "--language", "hi").code == 0


def test_labels_whose_types_are_not_known_are_said(folder: Path) -> None:
    (folder / "own.conll").write_text("Bonn\tB-Stadt\nheute\tB-DATE\n", "utf-8")
    told = "not known have no classes: Stadt; --map Stadt=ORG says them"
    assert told in nerquake("stats", folder / "own.conll", "--dictionary", "starter").err
    mapped = nerquake("stats", folder / "own.conll", "--dictionary", "starter", "--map", "Stadt=GPE")
    assert "not known" not in mapped.err and mapped.code == 0


@pytest.mark.parametrize(("arguments", "message"), [
    (("--attacked", "dev"), "--attacked belongs to one FILE"),
    (("--links", "l.jsonl"), "--links needs --dictionary"),
    (("--dictionary", "starter", "--links", "a", "--links", "b", "--links", "c"), "one for each of 2"),
    (("--dictionary", "none.duckdb"), "none.duckdb"),
    (("--dictionary", "starter", "--language", "fr"), "no names in fr"),
])  # fmt: skip
def test_what_does_not_fit_together(folder: Path, arguments: tuple[str, ...], message: str) -> None:
    ran = nerquake("stats", folder / "dev.conll", folder / "test.conll", *arguments)
    assert (ran.code, ran.out) == (2, "")
    assert message in ran.err
