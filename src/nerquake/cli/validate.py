"""`nerquake validate FILE`."""

from __future__ import annotations

from typing import Any

import click

from nerquake.cli.options import Settings, data_options
from nerquake.cli.show import Cell, note, to_csv, to_json, to_table
from nerquake.io.load import Inspection, inspect


@click.command()
@click.argument("file")
@data_options
def command(file: str, settings: Settings) -> int:
    """Check a labelled file: format, tag scheme, labels, and every problem with its line.

    Exit code 1 when there are problems.
    """
    found = inspect(file, settings.input, settings.reading)
    if settings.format == "json":
        click.echo(to_json(_document(file, found)), nl=False)
    elif settings.format == "csv":
        rows: list[list[Cell]] = [[p.code, p.line, p.token, p.message, p.hint] for p in found.problems]
        click.echo(to_csv(["code", "line", "token", "message", "hint"], rows), nl=False)
    else:
        _print_table(file, found)
    return int(bool(found.problems))


def _document(file: str, found: Inspection) -> dict[str, Any]:
    dataset = found.dataset
    return {
        "file": file,
        "reader": found.reader,
        "scheme": found.scheme,
        "sentences": len(dataset) if dataset else 0,
        "tokens": dataset.tokens if dataset else 0,
        "mentions": dict(sorted(dataset.mentions.items())) if dataset else {},
        "problems": [
            {"code": p.code, "line": p.line, "token": p.token, "message": p.message, "hint": p.hint}
            for p in found.problems
        ],
        "notes": list(found.notes),
    }


def _print_table(file: str, found: Inspection) -> None:
    dataset = found.dataset
    if dataset:
        sizes = f"{len(dataset):,} sentences, {dataset.tokens:,} tokens, {sum(dataset.mentions.values()):,} mentions"
        click.echo(f"{file}: {found.reader}, scheme {found.scheme or 'none'}: {sizes}")
        if dataset.mentions:
            rows = [[label, f"{count:,}"] for label, count in dataset.mentions.most_common()]
            click.echo(to_table(["label", "mentions"], rows), nl=False)
    for line in found.notes:
        note(line)
    for problem in found.problems:
        click.echo(f"{file}: {problem}")
    count = len(found.problems)
    click.echo(f"{file}: no problems" if not count else f"{file}: {count:,} problem{'s' if count > 1 else ''}")
