"""`--cases`: how many sentences the page itself holds, for audits whose page would be too large to open."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from nerquake.cli.show import note
from nerquake.core.errors import UsageError

if TYPE_CHECKING:
    from nerquake.core.results import AuditResult

PAGE = "report.html"
LARGE = 60_000_000
"""Bytes of a page that browsers open slowly."""


def _cases(context: click.Context, option: click.Parameter, value: str | None) -> str | int | None:
    if value in (None, "all", "fell"):
        return value
    if value.isdecimal() and int(value):
        return int(value)
    raise UsageError(
        f"--cases {value}: expected all, fell (sentences where a mention fell or rose), or how many sentences, above 0"
    )


cases_option = click.option(
    "--cases",
    metavar="all|fell|N",
    callback=_cases,
    default=None,
    help="Which sentences report.html shows: all, fell (where a mention fell or rose), or so many, drawn by seed from "
    "every set and kind of outcome. cases.jsonl always holds all.",
)


def showing(result: AuditResult, cases: str | int | None) -> AuditResult:
    """The result with what its page is to hold; as it was where nothing is said."""
    if cases is None:
        return result
    header = {key: value for key, value in result.data["header"].items() if key != "cases"}
    header |= {} if cases == "all" else {"cases": cases}
    return replace(result, data={**result.data, "header": header})


def note_size(folder: Path) -> None:
    """Say how to make a page smaller that is too large."""
    size = (folder / PAGE).stat().st_size if (folder / PAGE).exists() else 0
    if size > LARGE:
        note(
            f"{folder / PAGE} has {size / 1e6:.0f} MB, which browsers open slowly; make it smaller with:"
            f" nerquake report {folder} --cases fell"
        )
