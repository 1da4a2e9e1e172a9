"""`nerquake report DIR...`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from nerquake.cli.page import cases_option, note_size, showing
from nerquake.cli.redaction import redacted_for, work_folder
from nerquake.cli.show import note
from nerquake.core.errors import UsageError

JOINED, VALUES = "joined-report", "tables"


@click.command()
@click.argument("folders", nargs=-1, metavar="DIR...")
@click.option(
    "--values",
    default="",
    metavar="FILE",
    help="Print the papers' tables from a file of scores (data set, split, model, set, precision, recall, F1), or from "
    "an experiment's result.json.",
)
@click.option("-o", "--output", default="", metavar="DIR", help="Folder to write into; by default the first DIR.")
@click.option("--redact", is_flag=True, help="Write shapes of words instead of text (Xxxx, 0000); needs -o DIR.")
@cases_option
def command(folders: Sequence[str], values: str, output: str, redact: bool, cases: str | int | None) -> None:
    """Render finished audits again, or several together in one report."""
    if bool(values) == bool(folders):
        raise UsageError("name the folders of finished audits, or a file of scores with --values FILE")
    if redact and (values or not output):
        raise UsageError("--redact writes audits anew, without their text, into another folder: name it with -o DIR")
    if values and cases is not None:
        raise UsageError("--cases chooses among an audit's sentences; a file of scores has none")
    target, names = _values(values, output) if values else _audits(folders, output, redact, cases)
    for name in names:
        note(f"wrote {target / name}")
    note_size(target)


def _values(file: str, output: str) -> tuple[Path, tuple[str, ...]]:
    from nerquake.report.values_report import report_values

    target = Path(output or VALUES)
    return target, report_values(file, target)


def _audits(folders: Sequence[str], output: str, redact: bool, cases: str | int | None) -> tuple[Path, tuple[str, ...]]:
    from nerquake.report.audit_values import values_of
    from nerquake.report.join import join_results
    from nerquake.report.values_report import write_values
    from nerquake.report.write import read_result, write_report

    results = {folder: read_result(Path(folder)) for folder in folders}
    if redact:
        if Path(output).resolve() in {Path(folder).resolve() for folder in folders}:
            raise UsageError(f"--redact would write over {output}, which has the text; name another folder with -o")
        work_folder(Path(output), "", True)
        results = {folder: redacted_for(Path(output), one, False) for folder, one in results.items()}
    if len(results) == 1:
        target = Path(output or folders[0])
        return target, write_report(showing(next(iter(results.values())), cases), target)
    target = Path(output or JOINED)
    joined = join_results(results)
    names = write_report(showing(joined, cases), target)
    tables = write_values(values_of(joined), target / VALUES)
    return target, (*names, *(f"{VALUES}/{name}" for name in tables))
