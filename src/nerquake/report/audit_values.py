"""Scores of audits, also joined ones, and of experiments as values for the papers' tables."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import PurePath
from typing import Any, NamedTuple

from nerquake.core.results import AuditResult
from nerquake.core.variant import ORIGINAL
from nerquake.report.numbers import count, plural
from nerquake.report.tables import MEASURES, Measure
from nerquake.report.values import Place, Value, Values, in_order

EXPERIMENTS = frozenset({"nerquake.harden/1", "nerquake.augment/1"})
_SPLIT = re.compile(r"(?:^|[._-])(train|dev|development|valid|validation|test|testa|testb)$", re.IGNORECASE)
_SPLITS = {"development": "dev", "valid": "dev", "validation": "dev", "testa": "dev", "testb": "test"}
_ENDINGS = {".conll", ".conllu", ".txt", ".tsv", ".csv", ".json", ".jsonl", ".iob", ".iob2", ".bio", ".spacy"}


class _Audit(NamedTuple):
    """One audit: its folder (empty where it is the only one), the hash of its file, and what was scored."""

    folder: str
    sha256: str
    place: Place


def place_of(file: str, folder: str = "", language: str = "") -> Place:
    """Data set and split by the name of a file: `conll03-en.test.conll` is the test split of conll03-en.

    A file called `test.conll` is a split of its folder.
    """
    stem = file
    while PurePath(stem).suffix.casefold() in _ENDINGS:
        stem = PurePath(stem).stem
    found = _SPLIT.search(stem)
    if found is None:
        return Place(stem, "", language)
    split = found[1].casefold()
    return Place(stem[: found.start()] or folder or stem, _SPLITS.get(split, split), language)


def values_of(result: AuditResult) -> Values:
    """Strict scores of every model on every set of an audit, or of several that are joined.

    Audits of the same data share rows and columns; where two audits scored one model on one set differently, their
    models keep the folder in front.
    """
    audits = {audit.folder: audit for audit in _audits(result.data)}
    clashing = _clashing(result.data, audits)
    items: dict[tuple[Place, str, str], Value] = {}
    owner = {entry["name"]: entry.get("audit", "") for entry in result.data["taggers"]}
    for block in result.data["results"]:
        audit = audits[owner[block["tagger"]]]
        plain = _plain(block["tagger"], audit)
        name = block["tagger"] if (audit.place, plain) in clashing else plain
        value = _value(block, audit, name)
        items.setdefault((value.place, value.model, value.set), value)
    return Values(tuple(items.values()), tuple(in_order(_notes(result.data, audits))), ", ".join(filter(None, audits)))


def _audits(data: Mapping[str, Any]) -> list[_Audit]:
    headers = data["header"].get("audits") or {"": data["header"]}
    method = (data.get("findings") or {}).get("method") or {}
    methods = method.get("audits") or {"": method}
    made = []
    for folder, header in headers.items():
        first: Mapping[str, Any] = next(iter(header.get("inputs") or ()), {})
        name = str(first.get("name") or folder)
        language = str((methods.get(folder) or {}).get("language") or "")
        made.append(_Audit(folder, str(first.get("sha256") or ""), place_of(name, folder, language)))
    return _told_apart(made)


def _told_apart(audits: list[_Audit]) -> list[_Audit]:
    """Files of one name that hold different data are called by their folders."""
    shas: dict[Place, set[str]] = {}
    for audit in audits:
        shas.setdefault(audit.place, set()).add(audit.sha256)
    return [
        audit._replace(place=audit.place._replace(dataset=audit.folder)) if len(shas[audit.place]) > 1 else audit
        for audit in audits
    ]


def _plain(tagger: str, audit: _Audit) -> str:
    return tagger.removeprefix(f"{audit.folder}: ") if audit.folder else tagger


def _clashing(data: Mapping[str, Any], audits: Mapping[str, _Audit]) -> set[tuple[Place, str]]:
    """Models of one name and one data set that two audits scored differently on some set."""
    owner = {entry["name"]: entry.get("audit", "") for entry in data["taggers"]}
    seen: dict[tuple[Place, str, str], Any] = {}
    clashing: set[tuple[Place, str]] = set()
    for block in data["results"]:
        audit = audits[owner[block["tagger"]]]
        plain = _plain(block["tagger"], audit)
        scores = _scores(block)
        if seen.setdefault((audit.place, plain, block["set"]), scores) != scores:
            clashing.add((audit.place, plain))
    return clashing


def _scores(block: Mapping[str, Any]) -> dict[Measure, float | None]:
    strict = block["overall"]["strict"]
    return {measure: strict[measure] for measure in MEASURES}


def _value(block: Mapping[str, Any], audit: _Audit, name: str) -> Value:
    paired = block.get("paired")
    return Value(
        audit.place,
        name,
        block["set"],
        _scores(block),
        relative=None if paired is None else paired["relative_drop"],
        paired=paired is not None,
    )


def _notes(data: Mapping[str, Any], audits: Mapping[str, _Audit]) -> Iterator[str]:
    for entry in data["sets"]:
        left_out = entry["status"].get("discarded", 0)
        if entry["name"] != ORIGINAL and left_out:
            total = sum(entry["status"].values())
            where = audits[entry.get("audit", "")].place.dataset
            yield (
                f"{entry['name']} of {where} leaves out {count(left_out)} of {plural(total, 'sentence')}: its "
                "scores are over fewer than those of the original; relative drops are over the same sentences."
            )


def experiment_values(data: Mapping[str, Any], folder: str = "") -> Values:
    """Mean F1 over seeds of every way of training, from `result.json` of an experiment.

    data     of `nerquake experiment harden` or `augment`
    folder   where it stands, for the name of the data set where its file has none
    """
    place = place_of(str((data.get("settings") or {}).get("original") or folder), folder)
    better = _better(data.get("tests") or ())
    items = tuple(
        Value(
            place,
            row["arm"],
            row["set"],
            {"f1": row["mean"]},
            p=better.get((row["arm"], row["set"])),
            spread=row["sd"],
        )
        for row in data["summary"]
    )
    runs = ", ".join(f"{arm} {n}" for arm, n in {row["arm"]: row["n"] for row in data["summary"]}.items())
    return Values(items, (f"Mean ± standard deviation of strict F1 over runs with different seeds: {runs}.",), folder)


def _better(tests: Any) -> dict[tuple[str, str], float]:
    """Corrected p of fine-tuning against re-training on every set, for the one that scores higher."""
    found: dict[tuple[str, str], float] = {}
    for row in tests:
        if {row["a"], row["b"]} == {"fine-tuning", "re-training"} and row["p_holm"] is not None:
            winner = row["a"] if row["mean_difference"] > 0 else row["b"]
            found[winner, row["set"]] = row["p_holm"]
    return found
