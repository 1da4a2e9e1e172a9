"""`nerquake report DIR...`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from nerquake.cli.show import note


@click.command()
@click.argument("folders", nargs=-1, required=True, metavar="DIR...")
@click.option("-o", "--output", default="", metavar="DIR", help="Folder to write into; by default the first DIR.")
def command(folders: Sequence[str], output: str) -> None:
    """Render finished audits again, or several together in one report."""
    from nerquake.report.join import join_results
    from nerquake.report.write import read_result, write_report

    results = {folder: read_result(Path(folder)) for folder in folders}
    joined = next(iter(results.values())) if len(results) == 1 else join_results(results)
    target = Path(output or folders[0])
    if len(results) > 1 and not output:
        target = Path("joined-report")
    for name in write_report(joined, target):
        note(f"wrote {target / name}")
