"""`nerquake plugins`."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any, Literal

import click

from nerquake.cli.show import emit, to_csv, to_json, to_table
from nerquake.registry import REGISTRIES, SUITES, Registry, origin_of


@click.command()
@click.option("--format", "form", type=click.Choice(["table", "json", "csv"]), default="table", show_default=True)
def command(form: Literal["table", "json", "csv"]) -> None:
    """List every plug-in: what it does, whether it can run here, and the pip line that brings what is missing."""
    rows = [row for registry in REGISTRIES for row in _rows(registry)]
    rows += [
        {"kind": "suite", "name": name, "summary": " ".join(members), "available": True, "install": ""}
        for name, members in SUITES.items()
    ]
    if form == "json":
        emit(to_json({"format": "nerquake.plugins/1", "plugins": rows}), "-")
        return
    head = ["kind", "name", "summary", "available", "install"]
    cells = [[str(row["kind"]), str(row["name"]), str(row["summary"]), "yes" if row["available"] else "no",
              str(row["install"])] for row in rows]  # fmt: skip
    emit(to_csv(head, cells) if form == "csv" else to_table(head, cells), "-")


def _rows(registry: Registry) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    for name, builtin in registry.builtins.items():
        install = "" if builtin.available else f'pip install "nerquake[{builtin.extra}]"'
        rows.append(_row(registry, name, builtin.summary, builtin.available, install))
        for variant in builtin.variants:
            install = f'pip install "nerquake[{variant.extra}]"' if variant.missing else ""
            title = f"{name},{variant.option}"
            rows.append(_row(registry, title, f"{name} with {variant.option}", not variant.missing, install))
    for name, meaning in registry.aliases.items():
        rows.append(_row(registry, name, f"the same as {meaning}"))
    for name, entry in registry.installed().items():
        available = find_module(entry.module)
        install = "" if available else f"broken: there is no module {entry.module}"
        rows.append(_row(registry, name, f"from {origin_of(entry)}", available, install))
    return rows


def find_module(name: str) -> bool:
    """Whether a module can be found, without loading it."""
    try:
        return find_spec(name) is not None
    except (ImportError, ValueError):
        return False


def _row(registry: Registry, name: str, summary: str, available: bool = True, install: str = "") -> dict[str, Any]:
    return {"kind": registry.kind, "name": name, "summary": summary, "available": available, "install": install}
