import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.report.example import Names, example

from nerquake.analyse.records import FORMAT, case_lines, read_cases
from nerquake.core.errors import FormatError
from nerquake.core.results import Case
from nerquake.core.span import Span

TEXT = st.text(st.characters(), min_size=1, max_size=6)


@st.composite
def cases(draw: st.DrawFn) -> Case:
    tokens = draw(st.lists(TEXT, min_size=2, max_size=4).map(tuple))
    label, tagger = draw(TEXT), draw(TEXT)
    span = Span(0, draw(st.integers(1, 2)), label)
    indices = draw(st.sampled_from([(), (0,)]))
    edit = {"start": 0, "end": 1, "old": [tokens[0]], "new": ["x"], "kind": "mention", "source": {draw(TEXT): "y"}}
    return Case(
        draw(TEXT), draw(TEXT), draw(TEXT), tokens, tokens, (span,), (span,), (edit,),
        (draw(st.sampled_from([None, 0])),), {tagger: ((span,), ())}, {tagger: indices}, {tagger: ()},
        {"k": draw(TEXT)},
    )  # fmt: skip


@settings(max_examples=40)
@given(st.lists(cases(), max_size=3))
def test_cases_read_back_as_they_were_written_whatever_their_text(given_cases: list[Case]) -> None:
    lines = list(case_lines(given_cases, {"version": "1"}))
    assert all(line.endswith("\n") and line.count("\n") == 1 for line in lines)
    assert "".join(lines).encode("utf-8")
    assert read_cases(lines) == tuple(given_cases)


def test_the_first_line_is_a_header_with_the_format() -> None:
    header = json.loads(next(case_lines([], {"signature": "s"})))
    assert header == {"format": FORMAT, "signature": "s"}


def test_the_cases_of_an_audit_read_back() -> None:
    result = example(Names(), 60)
    assert read_cases(case_lines(result.cases)) == result.cases


def test_a_file_of_an_earlier_version_reads_back_with_its_outcomes() -> None:
    cases = [case for case in example(Names(), 60).cases if case.flipped]
    header, *lines = case_lines(cases)
    records = [json.loads(line) for line in lines]
    for record in records:
        for key in ("status", "reason", "outcomes", "spurious", "doc_id"):
            del record[key]
    assert list(read_cases([header, *map(json.dumps, records)])) == cases


def test_what_cases_have_in_common_is_read_once() -> None:
    cases = read_cases(case_lines(example(Names(), 60).cases))
    first, second = (case for case in cases if case.parent == "s00003" and case.set in ("swap", "letters"))
    assert first.original is second.original
    assert first.original_spans is second.original_spans
    assert first.meta is second.meta


def test_an_unknown_status_is_a_fault_of_its_line() -> None:
    case = example(Names(), 60).cases[0]
    header, line = case_lines([case])
    with pytest.raises(FormatError, match="there is no status 'odd'"):
        read_cases([header, line.replace(f'"{case.status}"', '"odd"')])


def test_hindi_stays_readable_in_the_file() -> None:
    case = next(case for case in example(Names(), 240).cases if "दिल्ली" in case.original)
    assert "दिल्ली" in list(case_lines([case]))[1]


@pytest.mark.parametrize(
    ("lines", "place", "code"),
    [
        ([], 0, "bad-header"),
        (["{}"], 1, "bad-header"),
        (["[]"], 1, "bad-header"),
        (['{"format": "other/1"}'], 1, "bad-header"),
        (["not json"], 1, "bad-header"),
        ([f'{{"format": "{FORMAT}"}}', '{"set": "a"'], 2, "bad-case"),
        ([f'{{"format": "{FORMAT}"}}', '{"set": "a"}'], 2, "bad-case"),
        ([f'{{"format": "{FORMAT}"}}', "[1]"], 2, "bad-case"),
    ],
)
def test_a_damaged_file_names_the_line(lines: list[str], place: int, code: str) -> None:
    with pytest.raises(FormatError) as found:
        read_cases(lines, "cases.jsonl")
    assert [(problem.line, problem.code) for problem in found.value.problems] == [(place, code)]
    assert "cases.jsonl" in str(found.value)


def test_all_damaged_lines_are_named_at_once() -> None:
    with pytest.raises(FormatError) as found:
        read_cases([f'{{"format": "{FORMAT}"}}', "x", "", "y"])
    assert [problem.line for problem in found.value.problems] == [2, 4]
