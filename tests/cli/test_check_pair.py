"""`nerquake check-pair`: what is shown, in every form, and the exit code."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from tests.cli.runner import nerquake
from tests.test_formats import SCHEMAS, check

from nerquake.analyse.pairing.model import CODES, KINDS

ORIGINAL = "Anna\tB-PER\nLind\tI-PER\nmet\tO\nBo\tB-PER\n\nin\tO\nBonn\tB-LOC\nnow\tO\n"


@pytest.fixture
def original(tmp_path: Path) -> Path:
    file = tmp_path / "original.conll"
    file.write_text(ORIGINAL, "utf-8")
    return file


def attacked(original: Path, *changes: tuple[str, str]) -> Path:
    text = ORIGINAL
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    file = original.parent / "attacked.conll"
    file.write_text(text, "utf-8")
    return file


def test_damage_is_exit_1_and_named_in_json(original: Path) -> None:
    other = attacked(original, ("Lind\tI-PER", "Lind\tO"), ("Bonn\tB-LOC", "Ulm\tB-LOC"))
    ran = nerquake("check-pair", original, other, "--kind", "entity", "--format", "json")
    assert ran.code == 1
    check(ran.json, SCHEMAS["check-pair --format json"][0])
    assert ran.json == {
        "counts": {"mention-shortened": 1},
        "examples": [
            {
                "code": "mention-shortened",
                "original": {"line": 1, "sentence": "Anna Lind met Bo"},
                "attacked": {"line": 1, "sentence": "Anna Lind met Bo"},
                "message": "[Anna Lind PER] became [Anna PER]",
            }
        ],
    }


def test_a_sound_set_is_exit_0(original: Path) -> None:
    other = attacked(original, ("Bonn\tB-LOC", "Bad\tB-LOC\nEms\tI-LOC"))
    ran = nerquake("check-pair", original, other, "--kind", "entity")
    assert ran.code == 0
    assert "no damage" in ran.out
    assert "unchanged" in ran.out


@pytest.mark.parametrize(("kind", "code"), [("entity", 0), ("context", 1), ("both", 0), ("any", 0)])
def test_the_kind_decides_what_is_damage(original: Path, kind: str, code: int) -> None:
    other = attacked(original, ("Bonn", "Ulm"), ("Anna\tB-PER\nLind\tI-PER", "Ute\tB-PER"))
    ran = nerquake("check-pair", original, other, "--kind", kind, "--format", "json")
    assert ran.code == code
    assert ran.json["counts"] == ({"mention-text-changed": 2} if code else {})


def test_sides_that_are_missing_are_null(original: Path) -> None:
    other = original.parent / "attacked.conll"
    other.write_text(ORIGINAL.partition("\n\n")[0] + "\n\nwholly\tO\nother\tO\nthings\tO\nstand\tO\nhere\tO\n", "utf-8")
    ran = nerquake("check-pair", original, other, "--format", "json")
    check(ran.json, SCHEMAS["check-pair --format json"][0])
    assert ran.json["counts"] == {"sentence-lost": 1, "sentence-added": 1, "unchanged": 1}
    by_code = {example["code"]: example for example in ran.json["examples"]}
    assert by_code["sentence-lost"]["attacked"] is None
    assert by_code["sentence-lost"]["original"]["line"] == 6
    assert by_code["sentence-added"]["original"] is None
    assert by_code["sentence-added"]["attacked"]["line"] == 6


def test_table_and_csv(original: Path) -> None:
    other = attacked(original, ("Bo\tB-PER", "Bo\tB-LOC"), ("now\tO", "##now\tO"))
    table = nerquake("check-pair", original, other)
    assert table.code == 1
    assert "mention-retyped" in table.out
    assert "[Bo PER] became [Bo LOC]" in table.out
    assert table.out.endswith("damaged\n")
    rows = list(csv.DictReader(io.StringIO(nerquake("check-pair", original, other, "--format", "csv").out)))
    assert [(row["code"], row["count"], row["original_line"], row["attacked_line"]) for row in rows] == [
        ("mention-retyped", "1", "4", "4"),
        ("subword-piece", "1", "6", "8"),
    ]


def test_examples_are_limited_and_counts_are_not(original: Path) -> None:
    count = 30
    original.write_text("\n".join(f"Anna{n}\tB-PER\nmet{n}\tO\n" for n in range(count)), "utf-8")
    other = original.parent / "b.conll"
    other.write_text("\n".join(f"Anna{n}\tO\nmet{n}\tO\n" for n in range(count)), "utf-8")
    for given, shown in ((20, 20), (3, 3), (0, count)):
        ran = nerquake("check-pair", original, other, "--examples", given, "--format", "json")
        assert ran.json["counts"] == {"mention-lost": count}
        assert len(ran.json["examples"]) == shown


def test_labels_are_renamed_and_restricted_on_both_sides(original: Path) -> None:
    other = attacked(original, ("-PER", "-PERSON"), ("Bonn\tB-LOC", "Bonn\tO"))
    assert nerquake("check-pair", original, other, "--format", "json").json["counts"] == {
        "mention-lost": 1,
        "label-name-differs": 1,
    }
    mapped = nerquake("check-pair", original, other, "--map", "PERSON=PER,LOC=", "--format", "json")
    assert (mapped.code, mapped.json["counts"]) == (0, {"unchanged": 2})


def test_lines_that_cannot_be_read_are_damage(original: Path) -> None:
    other = attacked(original, ("now\tO", "now\tb-loc"))
    ran = nerquake("check-pair", original, other, "--format", "json")
    assert ran.code == 1
    assert "line 8" in ran.err
    assert "b-loc" in ran.err


def test_files_of_two_formats(original: Path) -> None:
    other = original.parent / "attacked.jsonl"
    other.write_text(
        '{"tokens": ["Anna", "Lind", "met", "Bo"], "spans": [[0, 2, "PER"]]}\n'
        '{"tokens": ["in", "Ulm", "now"], "spans": [[1, 2, "LOC"]]}\n', "utf-8",
    )  # fmt: skip
    ran = nerquake("check-pair", original, other, "--kind", "entity", "--format", "json")
    assert ran.json["counts"] == {"mention-lost": 1}
    assert ran.json["examples"][0]["attacked"]["line"] == 1
    named = nerquake("check-pair", original, other, "--input", "conll", "--input-attacked", "jsonl", "--kind", "entity")
    assert named.code == 1


def test_the_result_goes_where_it_is_sent(original: Path, tmp_path: Path) -> None:
    ran = nerquake("check-pair", original, original, "--format", "json", "-o", tmp_path / "out.json")
    assert (ran.code, ran.out) == (0, "")
    assert '"unchanged": 2' in (tmp_path / "out.json").read_text("utf-8")


@pytest.mark.parametrize("absent", ["original", "attacked"])
def test_no_such_file(original: Path, absent: str) -> None:
    gone = original.parent / "gone.conll"
    pair = (gone, original) if absent == "original" else (original, gone)
    ran = nerquake("check-pair", *pair)
    assert ran.code == 2
    assert "gone.conll: there is no such file" in ran.err


def test_nothing_readable(original: Path) -> None:
    other = original.parent / "attacked.conll"
    other.write_bytes(b"\x1f\x8b\x00")
    ran = nerquake("check-pair", original, other)
    assert ran.code == 2
    assert "gzip" in ran.err


def test_help_says_what_counts(original: Path) -> None:
    text = nerquake("check-pair", "--help").out
    assert all(code in text for code in CODES)
    assert all(kind in text for kind in KINDS)
    assert "Exit code 1" in text
    assert nerquake("check-pair", original, original, "--kind", "wrong").code == 2
    near = nerquake("check-pairs", original, original)
    assert "check-pair" in near.err


def test_the_page_names_every_code() -> None:
    page = (Path(__file__).resolve().parents[2] / "docs" / "formats.md").read_text("utf-8")
    section = page.partition("## check-pair --format json")[2].partition("\n## ")[0]
    assert all(f"`{code}`" in section for code in CODES)
    assert set(SCHEMAS["check-pair --format json"][0]["properties"]["counts"]["propertyNames"]["enum"]) == set(CODES)
