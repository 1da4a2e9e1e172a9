"""`nerquake perturb FILE -p SPEC... -o DIR`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

import click

from nerquake.cli.options import (
    Settings,
    attacks_of,
    attacks_option,
    data_options,
    extension_of,
    folder_option,
    judge_option,
)
from nerquake.cli.progress import counting
from nerquake.cli.show import emit, note, note_of, to_csv, to_json, to_table
from nerquake.core.dataset import Dataset
from nerquake.core.errors import UsageError
from nerquake.core.spec import safe_name
from nerquake.core.variant import ORIGINAL, AttackedSet

FORMAT = "nerquake.perturb/1"


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@attacks_option
@folder_option
@judge_option
@data_options
def command(files: Sequence[str], attacks: Sequence[str], output: str, judge: str, settings: Settings) -> None:
    """Write attacked versions of a labelled file.

    DIR holds original/ and, for every attack, a folder with variants.jsonl and the attacked file in the input's own
    format; summary.json says what was changed. Of several files each has such a folder inside DIR, named after it.
    """
    from nerquake.analyse.naturalness import check_judge

    if not attacks:
        raise UsageError("perturb needs an attack: -p swap; `nerquake plugins` lists them")
    check_judge(judge)
    folders = _folders(files, Path(output))
    made = {}
    for file, folder in folders.items():
        if len(folders) > 1:
            note(f"{file} -> {folder}")
        made[folder.name] = _perturbed(file, folder, attacks, judge, settings)
        if len(folders) == 1:
            emit(_shown(made[folder.name], settings.format), "-")
    if len(folders) > 1:
        emit(_shown_several(made, settings.format), "-")


def _folders(files: Sequence[str], output: Path) -> dict[str, Path]:
    """Where each file's sets go: into the folder itself, or, of several files, into one inside it named after each."""
    if len(files) == 1:
        return {files[0]: output}
    names: dict[str, str] = {}
    for file in files:
        name = _stem(file)
        if name.casefold() in names:
            raise UsageError(
                f"{names[name.casefold()]} and {file} would both go into {output / name}; run them one by one, each "
                "with an -o of its own"
            )
        names[name.casefold()] = file
    return {file: output / name for name, file in zip(map(_stem, files), files, strict=True)}


def _stem(file: str) -> str:
    """A file's name without its ending; `en` of `sample:en`."""
    return safe_name(file.partition(":")[2] if file.startswith("sample:") else Path(file).stem)


def _perturbed(file: str, folder: Path, attacks: Sequence[str], judge: str, settings: Settings) -> dict[str, Any]:
    """Attack one file, write the sets; returns the summary."""
    from nerquake.analyse.naturalness import naturalness
    from nerquake.analyse.sets import original_block, set_block
    from nerquake.io.output import write_whole
    from nerquake.io.work import Asked, WorkFolder
    from nerquake.perturb.kept import finished_set
    from nerquake.perturb.sample import sample_ids

    read = settings.gold(file)
    gold = read.dataset
    chains, notes = attacks_of(attacks, gold, settings.rules)
    for line in (*read.notes, *notes):
        note(line)
    ids = [sentence.id for sentence in gold]
    sample = None if settings.sample is None else sample_ids(gold, settings.sample, settings.seed)
    taken = ids if sample is None else [key for key in ids if key in sample]
    blocks = [original_block(gold, taken)]
    for chain in chains:
        asked = Asked(gold, chain, settings.seed, settings.sample, settings.rules)
        work = WorkFolder(folder)
        attacked, fresh = finished_set(asked, work, sample, settings.jobs, counting)
        if len(blocks) == 1:
            (folder / "summary.json").unlink(missing_ok=True)  # it is about the sets of an earlier run
            _save_original(gold, frozenset(taken), folder)
        # The attacked file first: it is the one that can be refused, and then no half of a set is left.
        _save(_as_dataset(gold, attacked), folder / attacked.name / f"attacked.{extension_of(gold)}")
        if fresh:
            work.keep_variants(asked, attacked)
        natural = naturalness(asked, attacked, judge, work, counting)
        blocks.append({**set_block(gold, attacked, chain), "naturalness": natural})
        for line in attacked.notes:
            note_of(attacked.name, line)
        del attacked
    summary = {
        "format": FORMAT,
        "header": {
            "version": version("nerquake"),
            "seed": settings.seed,
            "inputs": [{"name": gold.name, "sha256": gold.fingerprint}],
        },
        "sets": blocks,
        "left_out": dict(read.left_out),
        "notes": notes,
    }
    write_whole(str(folder / "summary.json"), [to_json(summary)])
    return summary


def _save_original(gold: Dataset, taken: frozenset[str], folder: Path) -> None:
    originals = replace(gold, sentences=tuple(sentence for sentence in gold if sentence.id in taken))
    _save(originals, folder / ORIGINAL / f"original.{extension_of(gold)}")


def _as_dataset(gold: Dataset, attacked: AttackedSet) -> Dataset:
    """The attacked sentences as a data set in the input's own layout."""
    return replace(gold, sentences=tuple(variant.sentence for variant in attacked.kept))


def _save(dataset: Dataset, path: Path) -> None:
    from nerquake.io.load import save

    for line in save(dataset, str(path), dataset.reader):
        note(f"{path.parent.name}: {line}")


def _shown(summary: Mapping[str, Any], form: str) -> str:
    if form == "json":
        return to_json(summary)
    head = ["set", "level", "changed", "unchanged", "not applicable", "discarded", "mentions", "attackable",
            "replaced", "context words"]  # fmt: skip
    rows = [
        [entry["name"], entry["level"], *(f"{count}" for count in entry["status"].values()),
         *(f"{count}" for count in entry["mentions"].values()), f"{entry['context_words']}"]
        for entry in summary["sets"]
    ]  # fmt: skip
    if form == "csv":
        return to_csv(head, rows)
    lines = [f"{entry['name']}: {line}" for entry in summary["sets"] if entry["name"] != ORIGINAL
             for line in _said_of(entry)]  # fmt: skip
    return to_table(head, rows) + "".join(line + "\n" for line in lines)


def _said_of(entry: Mapping[str, Any]) -> Iterator[str]:
    """What is said of a set below the table."""
    from nerquake.report.naturalness import said_of
    from nerquake.report.reasons import rejections

    for reason, count in entry["reasons"].items():
        yield f"{reason}: {count:,}"
    if entry["rejected"]:
        yield f"candidates not taken: {rejections(entry)}"
    yield from said_of(entry)


def _shown_several(made: Mapping[str, Mapping[str, Any]], form: str) -> str:
    """The summaries of several files, by the name of their folders."""
    if form == "json":
        return to_json({"format": FORMAT, "files": made})
    return "\n".join(f"{name}\n{_shown(summary, form)}" for name, summary in made.items())
