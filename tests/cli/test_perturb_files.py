"""`nerquake perturb` with several files: a folder for each, and each as if it were alone."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.cli.runner import nerquake

DATA = """\
# id {0}1
Rosa\tB-PER
met\tO
Anna\tB-PER
in\tO
Leeds\tB-LOC

# id {0}2
They\tO
left\tO
for\tO
Berlin\tB-LOC
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("dev", "test"):
        (tmp_path / f"{name}.conll").write_text(DATA.format(name), "utf-8")
    (tmp_path / "again").mkdir()
    (tmp_path / "again" / "Dev.txt").write_text(DATA.format("again"), "utf-8")
    return tmp_path


def files_in(folder: Path) -> dict[str, bytes]:
    return {str(file.relative_to(folder)): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


def test_each_file_gets_a_folder_and_what_it_gets_alone(folder: Path) -> None:
    attacks = ("-p", "rockner-e", "-p", "swap", "--seed", 3)
    names = ("dev", "test")
    files = [folder / f"{name}.conll" for name in names]
    ran = nerquake("perturb", *files, *attacks, "-o", folder / "sets")
    assert ran.code == 0, ran.err
    assert {file.name for file in (folder / "sets").iterdir()} == set(names)
    for name, file in zip(names, files, strict=True):
        alone = nerquake("perturb", file, *attacks, "-o", folder / "alone" / name)
        assert alone.code == 0, alone.err
        assert alone.out.strip() in ran.out
        assert f"{file} -> {folder / 'sets' / name}" in ran.err
    made = files_in(folder / "sets")
    assert made == files_in(folder / "alone")
    assert {f"{name}/{rest}" for name in names for rest in (
        "summary.json", "original/original.conll", "rockner-e/variants.jsonl", "rockner-e/attacked.conll",
        "swap/variants.jsonl", "swap/attacked.conll",
    )} == set(made)  # fmt: skip


def test_the_suite_of_paper_r_over_two_files(folder: Path) -> None:
    ran = nerquake("perturb", folder / "dev.conll", folder / "test.conll", "-p", "rockner", "--language", "en",
                   "-o", folder / "sets", "--format", "json")  # fmt: skip
    assert ran.code == 0, ran.err
    assert list(ran.json["files"]) == ["dev", "test"]
    for name, summary in ran.json["files"].items():
        assert [entry["name"] for entry in summary["sets"]] == ["original", "rockner-e", "rockner-c", "rockner-ec"]
        assert [entry["level"] for entry in summary["sets"]] == ["none", "entity", "context", "both"]
        assert (folder / "sets" / name / "rockner-ec" / "attacked.conll").is_file()


@pytest.mark.parametrize("second", ["again/Dev.txt", "dev.conll"])
def test_files_of_one_name_are_refused_naming_both(folder: Path, second: str) -> None:
    first = folder / "dev.conll"
    ran = nerquake("perturb", first, folder / second, "-p", "swap", "-o", folder / "sets")
    assert (ran.code, ran.out) == (2, "")
    assert f"{first} and {folder / second} would both go into " in ran.err
    assert not (folder / "sets").exists()
