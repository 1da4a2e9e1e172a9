"""Decisions files: what is read, what is refused, and how it is said."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from nerquake.core.decisions import Decision
from nerquake.core.errors import FormatError, InputError
from nerquake.core.span import Span
from nerquake.io.decisions_file import Expected, read_decisions

EXPECTED = Expected("out", "abc" * 20, {"s1~swap": 3, "s2~swap": 5, "हिन्दी\u2028~swap": 1, "s4~swap": 2})
HEAD = {"format": "nerquake-decisions", "version": 1, "fingerprint": "abc" * 20, "reviewer": "mira", "items": 4}
Write = Callable[..., str]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def write(*rows: Any, head: Any = HEAD, name: str = "decisions-mira.jsonl") -> str:
        path = tmp_path / name
        path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in (head, *rows)), "utf-8")
        return str(path)

    return write


def row(key: str = "s1~swap", decision: str = "accept", **rest: Any) -> dict[str, Any]:
    return {"id": key, "decision": decision, "reason": None, "spans": None, "reviewer": "mira",
            "seen_predictions": False, "seconds": 3.2, **rest}  # fmt: skip


def test_every_kind_of_decision_is_read(write: Write) -> None:
    rows = [
        row(),
        row("s2~swap", "relabel", spans=[[3, 5, "ORG"], [0, 1, "PER"]], seen_predictions=True),
        row("हिन्दी\u2028~swap", "reject", reason="meaning lost", seconds=None),
        row("s4~swap", "unsure"),
    ]
    found = read_decisions(write(*rows), EXPECTED)
    assert (found.name, found.reviewer, found.items, found.left) == ("decisions-mira.jsonl", "mira", 4, 0)
    assert list(found.decisions.values()) == [
        Decision("s1~swap", "accept", reviewer="mira", seconds=3.2),
        Decision("s2~swap", "relabel", "", (Span(0, 1, "PER"), Span(3, 5, "ORG")), "mira", True, 3.2),
        Decision("हिन्दी\u2028~swap", "reject", "meaning lost", reviewer="mira"),
        Decision("s4~swap", "unsure", reviewer="mira", seconds=3.2),
    ]
    assert not found.settles and found.undecided is None


def test_the_last_of_several_decisions_counts_and_unknown_ids_are_counted(write: Write) -> None:
    found = read_decisions(write(row(), row(decision="reject"), row("gone~swap"), row("gone~swap")), EXPECTED)
    assert found.decisions["s1~swap"].choice == "reject"
    assert found.repeated == ("s1~swap",) and found.unknown == ("gone~swap",)


def test_what_was_left_undecided_is_known_by_name_or_by_number(write: Write) -> None:
    named = read_decisions(write(row(), head={**HEAD, "undecided": ["s1~swap", "s2~swap"], "settles": True}), EXPECTED)
    assert named.undecided == ("s2~swap",) and named.left == 1 and named.settles
    assert read_decisions(write(row()), EXPECTED).left == 3


def test_a_foreign_file_is_refused_by_name(write: Write) -> None:
    path = write(row(), head={**HEAD, "fingerprint": "f" * 60})
    with pytest.raises(InputError) as caught:
        read_decisions(path, EXPECTED)
    said = str(caught.value)
    assert said.startswith(f"{path} holds decisions of mira about another audit")
    assert "ffffffffffff" in said and "abcabcabcabc" in said and "out" in said


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (row(decision="maybe"), "decision is 'maybe', expected one of accept, reject, relabel, unsure"),
        (row(decision="reject", reason="ugly"), "reason is 'ugly', expected one of not grammatical"),
        (row(decision="relabel"), "a relabelled sentence needs its spans"),
        (row(decision="relabel", spans=[[0, 1]]), 'a span is [start, end, "label"]'),
        (row(decision="relabel", spans=[[0, True, "PER"]]), "whole numbers"),
        (row(decision="relabel", spans=[[0, 4, "PER"]]), "reaches past its 3 tokens"),
        (row(decision="relabel", spans=[[0, 2, "PER"], [1, 3, "PER"]]), "overlaps"),
        (row(decision="relabel", spans=[[2, 1, "PER"]]), "bad-decision"),
        ({"decision": "accept"}, "id must be a text"),
        ([1], "a JSON object is expected"),
    ],
)
def test_what_is_wrong_is_told_with_its_line(write: Write, wrong: Any, said: str) -> None:
    with pytest.raises(FormatError) as caught:
        read_decisions(write(row(), wrong, row(decision="x")), EXPECTED)
    assert [problem.line for problem in caught.value.problems] == [3, 4]
    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("head", "said"),
    [
        ({**HEAD, "format": "other"}, "the format is 'other'"),
        ({**HEAD, "version": 2}, "version 2 is not known"),
        ({**HEAD, "items": "four"}, "items must be a whole number"),
        ({key: value for key, value in HEAD.items() if key != "reviewer"}, "reviewer must be a text"),
        ({**HEAD, "undecided": [1]}, "undecided must be a list of ids"),
        ([], "a JSON object is expected"),
    ],
)
def test_a_header_that_is_none_is_told(write: Write, head: Any, said: str) -> None:
    with pytest.raises(FormatError, match="decisions-mira") as caught:
        read_decisions(write(head=head), EXPECTED)
    assert said in str(caught.value)


def test_no_file_no_text_and_an_empty_one(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no such file"):
        read_decisions(str(tmp_path / "none.jsonl"), EXPECTED)
    (tmp_path / "empty.jsonl").write_text("\n", "utf-8")
    with pytest.raises(FormatError, match="the file is empty"):
        read_decisions(str(tmp_path / "empty.jsonl"), EXPECTED)
    (tmp_path / "latin.jsonl").write_bytes(b'{"a": "\xff"}\n')
    with pytest.raises(FormatError, match="no UTF-8"):
        read_decisions(str(tmp_path / "latin.jsonl"), EXPECTED)
