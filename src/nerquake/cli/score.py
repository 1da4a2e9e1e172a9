"""`nerquake score GOLD PRED [PRED...]`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from nerquake.cli.options import Settings, data_options, output_option
from nerquake.cli.show import emit, note, to_csv, to_json, to_table
from nerquake.core.errors import InputError
from nerquake.core.labels import JoinedLabels
from nerquake.core.results import Predictions
from nerquake.core.tagging import Named, announce, run_tagger
from nerquake.core.variant import ORIGINAL
from nerquake.report.numbers import UNDEFINED, change, decimal, p_number


@click.command()
@click.argument("gold")
@click.argument("predictions", nargs=-1, required=True, metavar="PRED...")
@output_option
@data_options
def command(gold: str, predictions: Sequence[str], output: str, settings: Settings) -> None:
    """Score predictions against gold.

    Strict, exact, partial and type F1 from one pairing, by type, with intervals; two or more systems are compared.
    """
    from nerquake.perturb.sample import sample_ids
    from nerquake.stats.system import score_document

    read = settings.gold(gold)
    dataset = read.dataset
    answers = [
        _read(path, name, settings, dataset) for path, name in zip(predictions, _names(predictions), strict=True)
    ]
    if settings.sample is not None:
        keep = sample_ids(dataset, settings.sample, settings.seed)
        dataset = dataset.with_sentences([s for s in dataset if s.id in keep])
        answers = [_restricted(answer, keep) for answer in answers]
    document = score_document(
        dataset,
        answers,
        repair=settings.repair,
        entity_free_rule=settings.entity_free,
        resamples=settings.resamples,
        level=settings.level,
        seed=settings.seed,
    )
    left_out = {"gold": dict(read.left_out), **{answer.tagger: dict(answer.left_out) for answer in answers}}
    document["left_out"] = left_out
    for line in (*dataset.notes, *_left_out_notes(left_out)):
        note(line)
    emit(_shown(document, settings.format), output)


def _names(paths: Sequence[str]) -> list[str]:
    """Names of systems: of the files where they differ, else the paths."""
    names = [Path(path).name for path in paths]
    return names if len(set(names)) == len(names) else list(paths)


def _read(path: str, name: str, settings: Settings, dataset: Any) -> Predictions:
    from nerquake.taggers.file import FileTagger

    if path != "-" and not Path(path).exists():
        raise InputError(f"{path}: there is no such file of predictions")
    if Path(path).is_dir():
        raise InputError(f"{path} is a directory; name one file of predictions in it")
    tagger = FileTagger(
        path,
        input=settings.input,
        scheme=settings.scheme,
        repair=settings.repair,
        gold=dataset.scheme.name if dataset.scheme else "",
    )
    named = Named(name, f"file:{path}", tagger)
    announce(named, {ORIGINAL: dataset.sentences})
    return run_tagger(named, ORIGINAL, dataset.sentences, JoinedLabels.of(settings.rules, dataset.labels, name))


def _restricted(answer: Predictions, keep: frozenset[str]) -> Predictions:
    rows = [index for index, key in enumerate(answer.ids) if key in keep]
    return Predictions(
        answer.tagger,
        tuple(answer.ids[i] for i in rows),
        tuple(answer.spans[i] for i in rows),
        tuple(answer.unseen[i] for i in rows),
        answer.invalid,
        answer.left_out,
    )


def _left_out_notes(left_out: Mapping[str, Mapping[str, int]]) -> list[str]:
    return [f"{who}: left out {', '.join(f'{count:,} {label}' for label, count in labels.items())}"
            for who, labels in left_out.items() if labels]  # fmt: skip


def _shown(document: Mapping[str, Any], form: str) -> str:
    if form == "json":
        return to_json(document)
    head = ["system", "type", "scheme", "precision", "recall", "f1", "low", "high", "gold", "predicted"]
    if form == "csv":
        rows = [row for system in document["systems"] for row in _csv_rows(system)]
        return to_csv(head, rows)
    return "".join(_tables(document))


def _csv_rows(system: Mapping[str, Any]) -> list[list[Any]]:
    rows = []
    for label, block in [("ALL", system["overall"]), *system["per_type"].items()]:
        for scheme in ("strict", "exact", "partial", "type"):
            found = block[scheme]
            rows.append([system["name"], label, scheme, found["precision"], found["recall"], found["f1"],
                         found["low"], found["high"], found["possible"], found["actual"]])  # fmt: skip
    return rows


def _tables(document: Mapping[str, Any]) -> list[str]:
    systems = document["systems"]
    head = ["system", "precision", "recall", "strict F1", "interval", "exact", "partial", "type", "invalid", "unseen"]
    rows = []
    for system in systems:
        strict = system["overall"]["strict"]
        others = [percent(system["overall"][scheme]["f1"]) for scheme in ("exact", "partial", "type")]
        rows.append([system["name"], percent(strict["precision"]), percent(strict["recall"]), percent(strict["f1"]),
                     _interval(strict), *others, f"{system['invalid_transitions']:,}",
                     f"{system['unseen_tokens']:,}"])  # fmt: skip
    parts = [to_table(head, rows)]
    for system in systems:
        head = ["type", "gold", "predicted", "precision", "recall", "strict F1", "interval"]
        rows = [
            [label, f"{block['gold']:,}", f"{block['predicted']:,}", percent(block["strict"]["precision"]),
             percent(block["strict"]["recall"]), percent(block["strict"]["f1"]), _interval(block["strict"])]
            for label, block in system["per_type"].items()
        ]  # fmt: skip
        if rows:
            parts.append(to_table(head, rows, title=system["name"]))
    if document["comparisons"]:
        head = ["a", "b", "a − b", "interval", "p", "p (Holm)", "sentences"]
        rows = [
            [c["a"], c["b"], _points(c["difference"]), f"[{_points(c['low'])}, {_points(c['high'])}]",
             p_number(c["p"]), p_number(c["p_holm"]), f"{c['pairs']:,}"]
            for c in document["comparisons"]
        ]  # fmt: skip
        parts.append(to_table(head, rows, title="model against model, strict F1 in points"))
    parts.append(document["signature"] + "\n")
    return parts


def _interval(block: Mapping[str, Any]) -> str:
    return "n/e" if block["low"] is None else f"[{percent(block['low'])}, {percent(block['high'])}]"


def percent(value: float | None) -> str:
    """Two decimals, as the field's scorers print them."""
    return UNDEFINED if value is None else decimal(100 * value, 2)


def _points(difference: float | None) -> str:
    """A difference a - b in points, signed: the change that a makes over b."""
    return change(None if difference is None else -difference)
