"""`nerquake curate DIR --decisions A.jsonl -o DIR2`."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from nerquake.cli.options import extension_of, folder_option
from nerquake.cli.review import labels_of, models_of, reviewed_result, write_page
from nerquake.cli.show import emit, note, to_json, to_table
from nerquake.core.errors import UsageError
from nerquake.core.variant import ORIGINAL

if TYPE_CHECKING:
    from nerquake.analyse.review import Resolved
    from nerquake.audit.finished import Finished
    from nerquake.core.dataset import Dataset
    from nerquake.core.decisions import DecisionsFile
    from nerquake.core.results import AuditResult
    from nerquake.core.sentence import Sentence
    from nerquake.report.table import Table

CONFLICTS = "conflicts.html"
NAMED = 20
"""Undecided sentences that are named on the terminal; the result names all."""


@click.command()
@click.argument("folder", metavar="DIR")
@click.option("--decisions", multiple=True, required=True, metavar="FILE", help="A saved file; may be given again.")
@click.option(
    "--on-conflict",
    type=click.Choice(["drop", "first", "ask"]),
    default="drop",
    show_default=True,
    help="Where reviewers disagree: leave the sentence out, take the first file, or write a page of the conflicts.",
)
@click.option(
    "--work", default="", metavar="DIR", help="Folder of the audit's stage files; by default work inside DIR."
)
@click.option("--format", "form", type=click.Choice(["table", "json"]), default="table", show_default=True,
              help="Form of the result on standard output.")  # fmt: skip
@folder_option
def command(
    folder: str,
    decisions: Sequence[str],
    on_conflict: Literal["drop", "first", "ask"],
    work: str,
    form: str,
    output: str,
) -> int:
    """Keep what reviewers accepted: the curated sets, and the audit again over them, before and after.

    Writes DIR2/<set>/variants.jsonl and DIR2/<set>/attacked.<ext>, and a report with the share of invalid variants and
    losses raw and adjusted. No model is run. Exit 1 where `--on-conflict ask` found conflicts and wrote their page.
    """
    from nerquake.analyse.review import fingerprint, item_id, resolve, reviewable
    from nerquake.audit.curate import curate
    from nerquake.audit.finished import read_finished
    from nerquake.io.decisions_file import Expected, read_decisions
    from nerquake.report.write import write_report

    source, target = Path(folder), Path(output)
    if source.resolve() == target.resolve():
        raise UsageError(f"-o {output}: this is the audit itself; name another folder for what is left of it")
    once = {Path(path).resolve() for path in decisions}
    if len(once) < len(decisions):
        raise UsageError("--decisions names a file more than once; a reviewer would agree with themselves")
    result = reviewed_result(source)
    cases = {item_id(case): case for case in reviewable(result.cases)}
    expected = Expected(folder, fingerprint(result.cases), {key: len(case.attacked) for key, case in cases.items()})
    files = [read_decisions(path, expected) for path in decisions]
    resolved = resolve(files, on_conflict)
    for line in (*_said_of(files), *_said_undecided(resolved)):
        note(line)
    if on_conflict == "ask" and resolved.conflicts:
        _ask(result, resolved, expected.fingerprint, (folder, decisions, target))
        return 1
    finished = read_finished(result, Path(work) if work else source / "work")
    command_line = shlex.join(["nerquake", *sys.argv[1:]])
    made = curate(result, finished, files, resolved, on_conflict, command_line)
    _save_sets(finished, made, expected.fingerprint, target)
    for name in write_report(made, target):
        note(f"wrote {target / name}")
    emit(to_json(made.data["findings"]["curation"]) if form == "json" else _shown(made), "-")
    return 0


def _said_of(files: Sequence[DecisionsFile]) -> Iterator[str]:
    for file in files:
        who = f" of {file.reviewer}" if file.reviewer else ""
        yield f"{file.name}: {len(file.decisions):,} decisions{who}, {file.left:,} undecided"
        if file.repeated:
            yield f"{file.name}: {len(file.repeated):,} ids were decided more than once; the last decision counts"
        if file.unknown:
            yield f"{file.name}: {len(file.unknown):,} ids are not in this audit and were left out"


def _said_undecided(resolved: Resolved) -> Iterator[str]:
    """Undecided sentences by name: none of them is accepted."""
    if resolved.undecided:
        more = len(resolved.undecided) - NAMED
        yield (
            f"undecided, so not in the curated sets: {', '.join(resolved.undecided[:NAMED])}"
            f"{f' and {more:,} more' if more > 0 else ''}"
        )
    if resolved.unnamed:
        yield f"undecided and not named by their file, so not in the curated sets: {resolved.unnamed:,} sentences"


def _ask(result: AuditResult, resolved: Resolved, fingerprint: str, asked: tuple[str, Sequence[str], Path]) -> None:
    """Write the page of the conflicts."""
    from nerquake.analyse.review import item_id
    from nerquake.report.review import ReviewPage

    folder, decisions, target = asked
    cases = [case for case in result.cases if item_id(case) in resolved.conflicts]
    given = " ".join(f"--decisions {shlex.quote(path)}" for path in decisions)
    page = ReviewPage(
        items={item_id(case): case for case in cases},
        fingerprint=fingerprint,
        models=models_of(result),
        labels=labels_of(result),
        command=f"nerquake curate {shlex.quote(folder)} {given} --decisions {{file}} -o {shlex.quote(str(target))}",
        reviewer="conflicts",
        page="conflicts",
        settles=True,
    )
    write_page(page, target / CONFLICTS, "", cases)
    note(f"reviewers disagree on {len(cases):,} sentences: decide them on that page, then run the command it shows")


def _save_sets(finished: Finished, made: AuditResult, fingerprint: str, target: Path) -> None:
    """The curated sets, as `perturb` writes sets."""
    from nerquake.io.stages import StageKey
    from nerquake.io.variants_file import write_variants

    gold = _laid_out(finished.dataset)
    ending = extension_of(gold)
    _save(gold, finished.originals, target / ORIGINAL / f"{ORIGINAL}.{ending}")
    for attacked in made.sets:
        folder = target / attacked.name
        _save(gold, [variant.sentence for variant in attacked.kept], folder / f"attacked.{ending}")
        key = StageKey.of(attacked.spec, made.data["header"]["seed"], finished.dataset, curated=fingerprint)
        write_variants(folder / "variants.jsonl", attacked, finished.dataset, key)


def _laid_out(dataset: Dataset) -> Dataset:
    """The data set under the ending of its file where that ending can be written, else as JSON Lines."""
    from nerquake.io.load import writer_for

    ending = extension_of(dataset)
    try:
        writer = writer_for("conll", "", f"x.{ending}")
    except UsageError:
        writer = writer_for("jsonl")
    if writer.extension == "conll" and ending in ("json", "zip", "parquet"):
        writer = writer_for("jsonl")
    name = dataset.name if writer.extension == "conll" else f"{Path(dataset.name).stem}.{writer.extension}"
    return replace(dataset, name=name, reader=writer.name)  # type: ignore[attr-defined]


def _save(gold: Dataset, sentences: Sequence[Sentence], path: Path) -> None:
    from nerquake.io.load import save

    for line in save(replace(gold, sentences=tuple(sentences)), str(path), gold.reader):
        note(f"{path.parent.name}: {line}")


def _shown(made: AuditResult) -> str:
    """What the review found, as the report shows it."""
    from nerquake.report.curation_tables import curation_lines, curation_tables
    from nerquake.report.view import View

    view = View(made)
    parts = [_table(table) for table in curation_tables(view)]
    return "".join(parts) + "".join(f"{line}\n" for line in curation_lines(view))


def _table(table: Table) -> str:
    """A table of the report; what stands above rows there stands in front of them here."""
    grouped = any(row.group for row in table.rows)
    rows, group = [], ""
    for row in table.rows:
        group = row.group or group
        rows.append([*([group] if grouped else []), *(f"{cell.text} {cell.sub}".strip() for cell in row.cells)])
    head = [*(["Model"] if grouped else []), *(column.head for column in table.columns)]
    return to_table(head, rows, title=table.title)
