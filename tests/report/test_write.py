import json
from pathlib import Path

import pytest
from tests.report.example import Names, example
from tests.report.test_html import HOSTILE

from nerquake.core.errors import FormatError, InputError, OutputError
from nerquake.report.write import read_result, write_report

FILES = ("result.json", "cases.jsonl", "tables.csv", "report.html", "tables.tex", "report.md")


@pytest.mark.parametrize("names", [Names(), HOSTILE, Names(token="\ud800")])
def test_a_written_audit_reads_back_and_renders_to_the_same_bytes(tmp_path: Path, names: Names) -> None:
    result = example(names, 60)
    assert write_report(result, tmp_path / "a") == FILES
    again = read_result(tmp_path / "a")
    assert json.dumps(again.data) == json.dumps(result.data)
    assert again.cases == result.cases
    write_report(again, tmp_path / "b")
    for name in FILES:
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()


def test_without_cases_the_figures_can_still_be_read(tmp_path: Path) -> None:
    write_report(example(Names(), 60), tmp_path)
    (tmp_path / "cases.jsonl").unlink()
    assert read_result(tmp_path).cases == ()


def test_a_folder_without_an_audit_says_what_is_expected(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"holds no result\.json; expected a folder that `nerquake audit"):
        read_result(tmp_path)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"{", "no JSON"),
        (b"[]", "the format is None"),
        (b'{"format": "nerquake.score/1"}', "expected 'nerquake.audit/1'"),
        (b'{"format": "nerquake.audit/1"}', "without header, sets, taggers, results"),
        (b"\xff\xfe", "no UTF-8"),
    ],
)
def test_a_damaged_result_is_named(tmp_path: Path, text: bytes, message: str) -> None:
    (tmp_path / "result.json").write_bytes(text)
    with pytest.raises(FormatError, match=message):
        read_result(tmp_path)


def test_a_fault_in_a_later_file_loses_none_of_the_figures(tmp_path: Path) -> None:
    (tmp_path / "report.html").mkdir()
    with pytest.raises(OutputError, match=r"report\.html cannot be written"):
        write_report(example(Names(), 60), tmp_path)
    assert read_result(tmp_path).cases
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "cases.jsonl",
        "report.html",
        "result.json",
        "tables.csv",
    ]
