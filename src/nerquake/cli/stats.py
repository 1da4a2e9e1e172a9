"""`nerquake stats FILE...`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import click

from nerquake.cli.options import Settings, data_options, output_option
from nerquake.cli.show import emit, note_of, to_csv, to_json, to_table
from nerquake.core.errors import InputError, UsageError
from nerquake.report.numbers import percent


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("--train", default="", metavar="FILE", help="Training data: which entity words were seen in it.")
@click.option("--seen", type=click.Choice(["same-type", "any-type"]), default="same-type", show_default=True,
              help="Seen in a training mention of the same type, or of any.")  # fmt: skip
@click.option("--attacked", default="", metavar="DIR/<set>", help="A set that `perturb` wrote from FILE.")
@output_option
@data_options
def command(
    files: Sequence[str],
    train: str,
    seen: Literal["same-type", "any-type"],
    attacked: str,
    output: str,
    settings: Settings,
) -> None:
    """Sizes, entity words and the share of them seen in training, and what an attack reached."""
    from nerquake.analyse.corpus import entity_words, pooled, reach, seen_words, sizes
    from nerquake.io.variants_file import read_variants

    read = {name: settings.sampled(path) for name, path in zip(_names(files), files, strict=True)}
    datasets = {name: found.dataset for name, found in read.items()}
    for name, found in read.items():
        for line in found.notes:
            note_of(name, line)
    training = entity_words(settings.gold(train).dataset) if train else None
    document: dict[str, Any] = {
        "format": "nerquake.stats/1",
        "files": {name: sizes(dataset) for name, dataset in datasets.items()},
        "left_out": {name: dict(found.left_out) for name, found in read.items()},
        "entity_words": seen_words(entity_words(pooled(list(datasets.values()))), training, seen),
    }
    if attacked:
        if len(files) > 1:
            raise UsageError("--attacked belongs to one FILE, the original of the set")
        original = next(iter(datasets.values()))
        file = Path(attacked) / "variants.jsonl"
        variants = read_variants(file, original)
        if variants is None:
            raise InputError(f"--attacked {attacked}: there is no {file}; it is what `nerquake perturb` writes")
        words = entity_words([variant.sentence for variant in variants.kept])
        document["attack"] = reach(original, variants)
        document["attack"]["entity_words"] = seen_words(words, training, seen)
    emit(_shown(document, settings.format), output)


def _names(paths: Sequence[str]) -> list[str]:
    names = [Path(path).name for path in paths]
    return names if len(set(names)) == len(names) else list(paths)


def _shown(document: Mapping[str, Any], form: str) -> str:
    if form == "json":
        return to_json(document)
    rows = [[name, label, count] for name, found in document["files"].items()
            for label, count in (("sentences", found["sentences"]), ("tokens", found["tokens"]),
                                 ("mentions", found["mentions"]), *found["per_type"].items())]  # fmt: skip
    if form == "csv":
        words = [["entity words" + where, label, figure, found[figure]]
                 for where, table in _word_tables(document) for label, found in table.items()
                 for figure in ("unique", "seen", "seen_share")]  # fmt: skip
        return to_csv(["file", "what", "count"], rows) + to_csv(["table", "type", "figure", "value"], words)
    parts = [to_table(["file", "what", "count"], [[name, str(what), f"{count:,}"] for name, what, count in rows])]
    for where, table in _word_tables(document):
        body = [[label, f"{found['unique']:,}", "n/e" if found["seen"] is None else f"{found['seen']:,}",
                 percent(found["seen_share"])] for label, found in table.items()]  # fmt: skip
        parts.append(to_table(["type", "entity words", "seen", "seen %"], body, title="entity words" + where))
    if "attack" in document:
        attack = document["attack"]
        parts.append(to_table(
            ["mentions", "attacked", "attacked %", "context words", "sentences attacked %"],
            [[f"{attack['mentions']:,}", f"{attack['attacked']:,}", percent(attack["attacked_share"]),
              f"{attack['context_words']:,}", percent(attack["sentences_attacked_share"])]],
            title="attack",
        ))  # fmt: skip
    return "".join(parts)


def _word_tables(document: Mapping[str, Any]) -> list[tuple[str, Mapping[str, Any]]]:
    tables = [("", document["entity_words"])]
    if "attack" in document:
        tables.append((" after the attack", document["attack"]["entity_words"]))
    return tables
