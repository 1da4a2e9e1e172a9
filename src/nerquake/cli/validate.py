"""`nerquake validate FILE`."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import click

from nerquake.cli.options import Settings, data_options, output_option
from nerquake.cli.show import Cell, emit, note, to_csv, to_json, to_table
from nerquake.io.load import Inspection, inspect


@click.command()
@click.argument("file")
@output_option
@data_options
def command(file: str, output: str, settings: Settings) -> int:
    """Check a labelled file: format, tag scheme, labels, and every problem with its line.

    Exit code 1 when there are problems. --labels, --map and --sample restrict what is counted, never what is checked.
    """
    found = _restricted(inspect(file, settings.input, settings.reading), settings)
    if settings.format == "json":
        emit(to_json(_document(file, found)), output)
    elif settings.format == "csv":
        rows: list[list[Cell]] = [[p.code, p.line, p.token, p.message, p.hint] for p in found.problems]
        emit(to_csv(["code", "line", "token", "message", "hint"], rows), output)
    else:
        for line in found.notes:
            note(line)
        emit(_table(file, found), output)
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


def _restricted(found: Inspection, settings: Settings) -> Inspection:
    """What was found, its data set restricted to the sentences and labels that were asked for."""
    if found.dataset is None:
        return found
    read = settings.restricted(found.dataset)
    return replace(found, dataset=read.dataset, notes=read.notes)


def _table(file: str, found: Inspection) -> str:
    dataset, parts = found.dataset, []
    if dataset:
        sizes = f"{len(dataset):,} sentences, {dataset.tokens:,} tokens, {sum(dataset.mentions.values()):,} mentions"
        parts.append(f"{file}: {found.reader}, scheme {found.scheme or 'none'}: {sizes}\n")
        if dataset.mentions:
            rows = [[label, f"{count:,}"] for label, count in dataset.mentions.most_common()]
            parts.append(to_table(["label", "mentions"], rows))
    parts += [f"{file}: {problem}\n" for problem in found.problems]
    count = len(found.problems)
    parts.append(f"{file}: {f'{count:,} problem' + 's' * (count > 1) if count else 'no problems'}\n")
    return "".join(parts)
