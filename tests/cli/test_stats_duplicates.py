"""`nerquake stats --train`: sentences that stand in two files, or twice in one."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.cli.runner import nerquake
from tests.test_formats import SCHEMAS, check

DEV = "# id d1\nAnna\tB-PER\nmet\tO\n7\tO\n\n# id d2\nnobody\tO\n"
TEST = "# id t1\nAnna\tB-PER\nMet\tO\n9\tO\n\n# id t2\nnobody\tO\n\n# id t3\nnobody\tO\n"
TRAIN = "# id a\nAnna\tB-PER\nmet\tO\n7\tO\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in (("dev", DEV), ("test", TEST), ("train", TRAIN)):
        (tmp_path / f"{name}.conll").write_text(text, "utf-8")
    return tmp_path


def test_they_are_counted_and_listed(folder: Path) -> None:
    files = (folder / "dev.conll", folder / "test.conll", "--train", folder / "train.conll")
    found = nerquake("stats", *files, "--format", "json").json
    check(found, SCHEMAS["stats --format json"][0])
    rows = {(row["file"].removesuffix(".conll"), row["of"].removesuffix(".conll")): row for row in found["duplicates"]}
    assert {key: (row["exact"], row["near"]) for key, row in rows.items()} == {
        ("dev", "dev"): (0, 0), ("dev", "test"): (1, 1), ("dev", "train"): (1, 0),
        ("test", "test"): (1, 0), ("test", "train"): (0, 1), ("train", "train"): (0, 0),
    }  # fmt: skip
    assert rows["test", "train"]["pairs"] == [{"id": "t1", "of": "a", "kind": "near", "similarity": 1.0}]
    assert rows["test", "test"]["pairs"] == [{"id": "t3", "of": "t2", "kind": "exact", "similarity": 1.0}]
    shown = [line.split() for line in nerquake("stats", *files).out.splitlines()]
    assert ["dev.conll", "test.conll", "2", "1", "1"] in shown and ["test.conll", "itself", "3", "1", "0"] in shown
    rows_of_csv = nerquake("stats", *files, "--format", "csv").out.splitlines()
    assert "test.conll,train.conll,t1,a,near,1.0" in rows_of_csv


def test_without_training_data_nothing_is_looked_for(folder: Path) -> None:
    for form in ("json", "csv", "table"):
        assert "duplicates" not in nerquake("stats", folder / "dev.conll", "--format", form).out
        assert "similarity" not in nerquake("stats", folder / "dev.conll", "--format", form).out


@pytest.mark.parametrize("train", ["train.conll", "other/train.conll"])
def test_files_of_one_name_keep_apart(folder: Path, train: str) -> None:
    (folder / "other").mkdir()
    (folder / "other" / "train.conll").write_text(TRAIN, "utf-8")
    ran = nerquake("stats", folder / "train.conll", "--train", folder / train, "--format", "json")
    first, between, second = ran.json["duplicates"]
    assert (first["within"], between["within"], second["within"]) == (True, False, True)
    assert (between["file"], between["exact"]) == ("train.conll", 1)
    assert between["of"] == second["file"] != "train.conll"
