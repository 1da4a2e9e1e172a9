"""The recogniser without a model: names, patterns, and files of them."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from tests import strategies

from nerquake.core.errors import FormatError, InputError
from nerquake.core.sentence import check_spans
from nerquake.core.span import Span
from nerquake.taggers.rules import Rules, match_names


def spans(pairs: list[tuple[str, str]], text: str, **options: bool) -> list[tuple[int, int, str]]:
    found = match_names(pairs, **options).predict([tuple(text.split(" "))])[0].spans
    return [(span.start, span.end, span.label) for span in found]


def test_the_longest_name_wins() -> None:
    pairs = [("LOC", "New York"), ("ORG", "New York Times"), ("LOC", "York")]
    assert spans(pairs, "The New York Times left New York for York") == [(1, 4, "ORG"), (5, 7, "LOC"), (8, 9, "LOC")]


def test_names_match_whole_tokens_only() -> None:
    assert spans([("GPE", "Iran")], "Iranian officials met in Iran") == [(4, 5, "GPE")]


def test_patterns_match_from_token_border_to_token_border() -> None:
    assert spans([("CASE", "/No [0-9]+/")], "see No 12 , not No 7a or Case-No 3") == [(1, 3, "CASE")]


def test_case_is_ignored_on_request() -> None:
    assert spans([("PER", "anna lind")], "ANNA Lind slept") == []
    assert spans([("PER", "anna lind")], "ANNA Lind slept", ignore_case=True) == [(0, 2, "PER")]


@given(strategies.sentences())
def test_what_it_finds_is_valid_and_repeats(sentence) -> None:  # type: ignore[no-untyped-def]
    pairs = [("A", sentence.tokens[0] or "x"), ("B", " ".join(sentence.tokens[:2]) or "x")]
    matcher = match_names([(label, name) for label, name in pairs if name.strip("/")])
    once, twice = matcher.predict([sentence.tokens, sentence.tokens])
    assert once == twice
    check_spans(once.spans, len(sentence.tokens), sentence.id)


def test_a_file_of_rules(tmp_path: Path) -> None:
    file = tmp_path / "rules.tsv"
    file.write_text("# people\nPER\tAnna Lind\r\nNUM\t/[0-9]+/\n", "utf-8")
    rules = Rules(str(file))
    assert rules.labels() == {"PER", "NUM"}
    assert rules.predict([("Anna", "Lind", "is", "40")])[0].spans == (Span(0, 2, "PER"), Span(3, 4, "NUM"))
    before = rules.fingerprint()
    file.write_text("PER\tAnna\n", "utf-8")
    assert Rules(str(file)).fingerprint() != before


def test_every_bad_line_is_named(tmp_path: Path) -> None:
    file = tmp_path / "rules.tsv"
    file.write_text("PER Anna\nNUM\t/[0-9/\nLOC\tBonn\n\tBonn\n", "utf-8")
    with pytest.raises(FormatError) as caught:
        Rules(str(file)).labels()
    assert [problem.line for problem in caught.value.problems] == [1, 2, 4]


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="No such file"):
        Rules(str(tmp_path / "none.tsv")).labels()
    (tmp_path / "empty.tsv").write_text("", "utf-8")
    with pytest.raises(FormatError, match="no names"):
        Rules(str(tmp_path / "empty.tsv")).labels()
    (tmp_path / "binary").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InputError, match="not UTF-8"):
        Rules(str(tmp_path / "binary")).labels()
