"""`nerquake report --values`: the papers' tables in every form, whatever the names in the file hold."""

import csv
import io
import json
from pathlib import Path

import pytest
from tests.report import published
from tests.report.page import read_page
from tests.report.test_audit_values import experiment
from tests.report.tex import compile_where_installed, tables_of

from nerquake.core.errors import FormatError
from nerquake.report.paper_tables import paper_tables
from nerquake.report.values_report import NAMES, report_values

HOSTILE = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "=SUM(A1)",
    "a|b & 50% of_it #1 $x {y} ~^\\input",
    "\u202eevil",
    "[x]",
)


@pytest.mark.parametrize("name", sorted(set(published.FILES.values())))
def test_every_form_holds_every_number(name: str, tmp_path: Path) -> None:
    assert report_values(str(published.FOLDER / name), tmp_path) == NAMES
    tables = paper_tables(published.read_values(str(published.FOLDER / name)))
    texts = {file: (tmp_path / file).read_text("utf-8") for file in NAMES}
    expected = [[cell.text for cell in row.cells] for table in tables for row in table.rows]
    assert [row for table in tables_of(texts["tables.tex"]) for row in table.rows] == expected
    compile_where_installed(texts["tables.tex"], tmp_path)
    for row in expected:
        for cell in row:
            assert cell in texts["tables.html"].replace("&#43;", "+")
    csv_rows = list(csv.reader(io.StringIO(texts["tables.csv"])))
    assert [row[-len(cells):] for row, cells in zip(_below_heads(csv_rows), expected, strict=True)] == [
        [f"'{cell}" if cell.startswith("+") else cell for cell in cells] for cells in expected
    ]  # fmt: skip
    assert texts["tables.md"].count("| --:") >= len(tables)


def _below_heads(rows: list[list[str]]) -> list[list[str]]:
    """The rows of a CSV file of several tables without titles and heads."""
    found: list[list[str]] = []
    place = 0
    for row in rows:
        place = place + 1 if row else 0
        if place > 2:
            found.append(row)
    return found


def test_hostile_names_stay_text(tmp_path: Path) -> None:
    rows = [
        {"dataset": text, "model": text, "set": name, "f1": 0.5, "precision": 0.5}
        for text in HOSTILE
        for name in ("None", *HOSTILE)
    ]
    path = tmp_path / "<b>.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    report_values(str(path), tmp_path / "out")
    texts = {file: (tmp_path / "out" / file).read_text("utf-8") for file in NAMES}
    page = read_page(texts["tables.html"])
    assert not page.find("script")
    assert not page.find("img")
    assert len(page.find("table")) == len(paper_tables(published.read_values(str(path))))
    assert len(tables_of(texts["tables.tex"])) == len(page.find("table"))
    compile_where_installed(texts["tables.tex"], tmp_path)
    assert not any("\u202e" in text for text in texts.values())
    assert not any(cell.startswith("=") for row in csv.reader(io.StringIO(texts["tables.csv"])) for cell in row)
    assert "default-src 'none'" in texts["tables.html"]


def test_an_experiment_is_read_where_its_result_is_named(tmp_path: Path) -> None:
    (tmp_path / "result.json").write_text(json.dumps(experiment(-0.2, 0.001), indent=1), "utf-8")
    report_values(str(tmp_path / "result.json"), tmp_path)
    assert "Adv Test & 0.50 & 0.60 & 0.80*" in (tmp_path / "tables.tex").read_text("utf-8")


def test_another_json_file_is_read_as_lines_and_refused_by_line(tmp_path: Path) -> None:
    (tmp_path / "result.json").write_text('{\n "format": "nerquake.audit/1"\n}\n', "utf-8")
    with pytest.raises(FormatError, match="line 1: this is no JSON"):
        report_values(str(tmp_path / "result.json"), tmp_path)


def test_the_same_file_gives_the_same_bytes(tmp_path: Path) -> None:
    made = []
    for folder in ("a", "b"):
        report_values(str(published.FOLDER / "rockner-tables-6-7.tsv"), tmp_path / folder)
        made.append([(tmp_path / folder / name).read_bytes() for name in NAMES])
    assert made[0] == made[1]
