"""Putting results on standard output as a table, JSON or CSV, and notes on standard error."""

from __future__ import annotations

import csv
import io
import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any

import click

Cell = str | int | float | None


def note(text: str) -> None:
    """One line on standard error."""
    with suppress(OSError):  # a full disk behind standard error must not cost the result
        click.echo(text, err=True)


def note_of(name: str, text: str) -> None:
    """One line about a set; an attack that is alone has put its own name in front already."""
    note(text if text.startswith(f"{name}: ") else f"{name}: {text}")


def to_json(data: Mapping[str, Any]) -> str:
    """JSON text; NaN and infinities are refused, since `null` is the only undefined."""
    return json.dumps(data, ensure_ascii=False, indent=2, allow_nan=False) + "\n"


def to_csv(head: Sequence[str], rows: Iterable[Sequence[Cell]]) -> str:
    """CSV text; undefined is an empty cell."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(head)
    writer.writerows(rows)
    return out.getvalue()


def to_table(head: Sequence[str], rows: Sequence[Sequence[str]], title: str = "") -> str:
    """A table for people; columns after the first that hold figures are set to the right."""
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(title=title or None, title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False)
    for index, name in enumerate(head):
        figures = index > 0 and all(_is_figure(row[index]) for row in rows)
        table.add_column(name, justify="right" if figures else "left", no_wrap=figures or index < 2)
    for row in rows:
        table.add_row(*(Text(cell) for cell in row))
    console = Console(file=io.StringIO(), width=_width(), highlight=False, color_system=None)
    console.print(table)
    text: str = console.file.getvalue()  # type: ignore[attr-defined]
    return "\n".join(line.rstrip() for line in text.splitlines()) + "\n"


def _is_figure(cell: str) -> bool:
    return not cell or cell[0] in "0123456789−-+<[" or cell in ("n/e", "–")


def _width() -> int:
    import shutil

    return shutil.get_terminal_size((120, 24)).columns if sys.stdout is not None and sys.stdout.isatty() else 1000


def emit(text: str, output: str) -> None:
    """Write a result: whole or not at all; - is standard output."""
    from nerquake.io.output import write_whole

    write_whole(output, [text])
