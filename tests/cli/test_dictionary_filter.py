"""`nerquake dictionary filter`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.cli.runner import Ran, nerquake


def done(*arguments: object) -> Ran:
    ran = nerquake(*arguments)
    assert ran.code == 0, ran.err
    return ran


def refused(*arguments: object) -> str:
    ran = nerquake(*arguments)
    assert (ran.code, ran.out) == (2, ""), ran.out
    return ran.err


@pytest.fixture
def data(tmp_path: Path) -> Path:
    path = tmp_path / "train.conll"
    path.write_text("Leeds B-LOC\nand O\nParis B-PER\n", "utf-8")
    return path


def stats(path: Path) -> Any:
    return done("dictionary", "stats", path, "--format", "json", "--verify").json


def size(path: object, class_id: str) -> int:
    found = done("dictionary", "sample", path, "--class", class_id, "--format", "json").json
    return int(found["size"])


def filters(found: Any) -> dict[str, dict[str, int]]:
    return {one["name"]: one["removed"] for one in found["filters"]}


def test_every_filter_says_what_it_removed(data: Path, tmp_path: Path) -> None:
    rules = tmp_path / "names.txt"
    rules.write_text("GPE\tLondon\nPER\tBristol\n", "utf-8")
    listed = tmp_path / "list.tsv"
    listed.write_text("deny\tclass\tcity-usa\n", "utf-8")
    before = size("starter", "city-uk")
    out = tmp_path / "new" / "g"
    ran = done("dictionary", "filter", "starter", "-o", out, "--unseen", data, "--ascii", "--curated", listed,
               "--easy", f"rules:{rules}", "--languages", "en")  # fmt: skip
    found = filters(stats(out))
    assert [name.partition(":")[0] for name in found] == ["curated", "ascii", "unseen", "easy"]
    assert found["unseen: train.conll"]["GPE"] == 2
    assert found[f"easy: rules:{rules}"] == {"GPE": 1}
    assert size(out, "city-uk") == before - 2  # Leeds was seen, London is easy, Bristol is taken for a person
    assert "easy: rules" in ran.err
    assert "withheld 1 GPE" in ran.err
    assert "has no entities in en" in refused("dictionary", "sample", out, "--class", "city-usa")


def test_several_files_behind_unseen(data: Path, tmp_path: Path) -> None:
    other = tmp_path / "dev.conll"
    other.write_text("Oxford B-LOC\nand O\n", "utf-8")
    before = size("starter", "city-uk")
    for name, arguments in (("a", ("--unseen", data, other)), ("b", ("--unseen", data, "--unseen", other))):
        done("dictionary", "filter", "starter", "-o", tmp_path / name, *arguments)
        assert size(tmp_path / name, "city-uk") == before - 2
    one, two = stats(tmp_path / "a"), stats(tmp_path / "b")
    assert one["digest"] == two["digest"] != stats(Path("starter"))["digest"]
    assert filters(one) == filters(two)


def test_mistakes(data: Path, tmp_path: Path) -> None:
    out = ("-o", tmp_path / "g")
    assert "no filter is asked for" in refused("dictionary", "filter", "starter", *out)
    assert "stand behind --unseen" in refused("dictionary", "filter", "starter", data, *out, "--ascii")
    assert "a file to write is expected" in refused("dictionary", "filter", "starter", "-o", "-", "--ascii")
    assert "not in xx" in refused("dictionary", "filter", "starter", *out, "--ascii", "--languages", "xx")
    assert "new sentences" in refused("dictionary", "filter", "starter", *out, "--easy", f"file:{data}")
    rules = tmp_path / "names.txt"
    rules.write_text("widget\tLondon\n", "utf-8")
    command = ("dictionary", "filter", "starter", *out, "--easy", f"rules:{rules}")
    assert "none of its labels has name types" in refused(*command)
    assert not (tmp_path / "g").exists()
    done(*command, "--types", "widget=GPE")
    assert filters(stats(tmp_path / "g")) == {f"easy: rules:{rules}": {"GPE": 2}}
