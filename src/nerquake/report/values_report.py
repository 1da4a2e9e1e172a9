"""`nerquake report --values FILE`: the papers' tables from scores alone, in every form that tables have."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from markupsafe import Markup

from nerquake.io.files import read_bytes
from nerquake.io.output import write_whole
from nerquake.report.audit_values import EXPERIMENTS, experiment_values
from nerquake.report.html import environment_of_pages as page_environment
from nerquake.report.html import template_text as page_source
from nerquake.report.latex import escape, to_latex
from nerquake.report.markdown import prose, table_lines
from nerquake.report.paper_tables import paper_tables
from nerquake.report.table import Table, all_to_csv
from nerquake.report.values import Values
from nerquake.report.values_file import read_values

NAMES = ("tables.html", "tables.md", "tables.tex", "tables.csv")


def report_values(path: str, folder: Path) -> tuple[str, ...]:
    """Write the tables of a values file, or of an experiment's `result.json`, into a folder; returns their names.

    Raises:
        InputError: the file cannot be read, or something in it is wrong.
        OutputError: a file cannot be written.
    """
    return write_values(values_from(path), folder)


def values_from(path: str) -> Values:
    """The scores of a values file, or of an experiment's `result.json`.

    Raises:
        InputError: the file cannot be read, or something in it is wrong.
    """
    experiment = _experiment(path) if path.endswith(".json") else None
    return read_values(path) if experiment is None else experiment_values(experiment, Path(path).parent.name)


def _experiment(path: str) -> dict[str, Any] | None:
    try:
        found = json.loads(read_bytes(path))
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) and found.get("format") in EXPERIMENTS else None


def write_values(values: Values, folder: Path) -> tuple[str, ...]:
    """Write the tables as a page, Markdown, LaTeX and CSV.

    Raises:
        OutputError: a file cannot be written.
    """
    tables = paper_tables(values)
    title = values.source or "values"
    texts = (_page(title, tables), _markdown(title, tables), _latex(title, tables), all_to_csv(tables))
    for name, text in zip(NAMES, texts, strict=True):
        write_whole(folder / name, [text])
    return NAMES


def _page(title: str, tables: Sequence[Table]) -> str:
    template = page_environment().get_template("values.html")
    return template.render(source=title, tables=tables, style=Markup(page_source("style.css")))


def _markdown(title: str, tables: Sequence[Table]) -> str:
    lines = [line for table in tables for line in table_lines(table, 2)]
    return "\n".join((f"# NER robustness: {prose(title)}\n", *lines)) + "\n"


def _latex(title: str, tables: Sequence[Table]) -> str:
    return "\n".join(_latex_parts(title, tables))


def _latex_parts(title: str, tables: Sequence[Table]) -> Iterator[str]:
    yield f"% {escape(title)}"
    for table in tables:
        notes = "".join(f"% {escape(note)}\n" for note in table.notes)
        yield to_latex(table) + notes
