"""Several audits in one report: rows are named by folder."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import PurePath
from typing import Any

from nerquake.core.errors import UsageError
from nerquake.core.results import AuditResult, Case
from nerquake.report.join_findings import joined_explanations, named_explanations

NOTE = "Several audits are joined: p values were corrected, and models compared, within each of them only."


def join_results(results: Mapping[str, AuditResult]) -> AuditResult:
    """One result that shows all of these audits; each model stands there as `FOLDER: model`.

    results   by folder

    Sets of one name share a column. Corrections of p and model comparisons stay within each audit, as they were made;
    a note says so. Findings of sections that cannot be joined are left out.

    Raises:
        UsageError: there is nothing to join, one is joined already, or their intervals have different levels.
    """
    if not results:
        raise UsageError("there is no audit to join")
    again = [folder for folder, result in results.items() if "audits" in result.data["header"]]
    if again:
        raise UsageError(f"{again[0]} holds several audits joined already; name the folders of the audits themselves")
    levels = {result.data["header"].get("level") or 0.95 for result in results.values()}
    if len(levels) > 1:
        shown = ", ".join(f"{level:g}" for level in sorted(levels))
        raise UsageError(f"the audits have intervals of different levels ({shown}); run them with one --level")
    parts = [_named(name, result) for name, result in zip(short_names(results), results.values(), strict=True)]
    joined: dict[str, Any] = {
        "format": parts[0].data["format"],
        "header": _header([part.data["header"] for part in parts]),
        **{key: _all(part.data.get(key) or () for part in parts) for key in ("sets", "taggers", "results")},
        "comparisons": _all(part.data.get("comparisons") or () for part in parts),
        "findings": _findings([part.data.get("findings") or {} for part in parts]),
    }
    cases = tuple(case for part in parts for case in part.cases)
    return AuditResult(joined, cases)


def short_names(folders: Iterable[str]) -> tuple[str, ...]:
    """The last part of each path where that tells them apart, else the whole path."""
    whole = tuple(folders)
    last = [PurePath(folder).name or folder for folder in whole]
    shared = {name for name, number in Counter(last).items() if number > 1}
    return tuple(folder if name in shared else name for folder, name in zip(whole, last, strict=True))


def _all(lists: Iterable[Iterable[Any]]) -> list[Any]:
    return [item for items in lists for item in items]


def _named(folder: str, result: AuditResult) -> AuditResult:
    """The result with its models renamed, and sets and cases that know whose they are."""
    data = result.data

    def name(tagger: str) -> str:
        return f"{folder}: {tagger}"

    renamed: dict[str, Any] = {
        "format": data["format"],
        "header": {**data["header"], "audits": {folder: data["header"]}},
        "sets": [
            {**entry, "audit": folder, "chosen_against": [name(t) for t in entry.get("chosen_against") or ()]}
            for entry in data["sets"]
        ],
        "taggers": [{**entry, "name": name(entry["name"]), "audit": folder} for entry in data["taggers"]],
        "results": [{**block, "tagger": name(block["tagger"])} for block in data["results"]],
        "comparisons": [
            {**block, "a": name(block["a"]), "b": name(block["b"])} for block in data.get("comparisons") or ()
        ],
        "findings": _named_findings(folder, data.get("findings") or {}),
    }
    cases = tuple(_named_case(folder, case) for case in result.cases)
    return AuditResult(renamed, cases)


def _named_findings(folder: str, found: Mapping[str, Any]) -> dict[str, Any]:
    named: dict[str, Any] = {
        key: [{**row, "tagger": f"{folder}: {row['tagger']}"} for row in found.get(key) or ()]
        for key in ("labels", "flips")
    }
    named["sets"] = {f"{folder}/{name}": value for name, value in (found.get("sets") or {}).items()}
    sentences = found.get("sentences") or {}
    fell = {f"{folder}/{name}": number for name, number in (sentences.get("fell") or {}).items()}
    named["sentences"] = {**sentences, "fell": fell}
    named["method"] = {"audits": {folder: found.get("method") or {}}}
    named["curve"] = [_named_curve(folder, curve) for curve in found.get("curve") or ()]
    return named | named_explanations(folder, found)


def _named_curve(folder: str, curve: Mapping[str, Any]) -> dict[str, Any]:
    points = [
        {**point, "scores": [{**score, "tagger": f"{folder}: {score['tagger']}"} for score in point["scores"]]}
        for point in curve["points"]
    ]
    return {**curve, "audit": folder, "points": points}


def _named_case(folder: str, case: Case) -> Case:
    return replace(
        case,
        predicted={f"{folder}: {tagger}": both for tagger, both in case.predicted.items()},
        fell={f"{folder}: {tagger}": indices for tagger, indices in case.fell.items()},
        rose={f"{folder}: {tagger}": indices for tagger, indices in case.rose.items()},
        outcomes={f"{folder}: {tagger}": pairs for tagger, pairs in case.outcomes.items()},
        spurious={f"{folder}: {tagger}": indices for tagger, indices in case.spurious.items()},
        meta={**case.meta, "audit": folder},
    )


def _header(headers: list[Mapping[str, Any]]) -> dict[str, Any]:
    audits = {folder: header for part in headers for folder, header in part["audits"].items()}
    inputs = [
        {**entry, "name": f"{folder}: {entry['name']}"}
        for folder, header in audits.items()
        for entry in header["inputs"]
    ]
    return {
        "version": headers[0]["version"],
        "signature": "; ".join(dict.fromkeys(header["signature"] for header in headers)),
        "seed": headers[0]["seed"],
        "level": headers[0].get("level") or 0.95,
        "inputs": inputs,
        "audits": audits,
        **({"redacted": True} if any(header.get("redacted") for header in audits.values()) else {}),
    }


def _findings(found: list[Mapping[str, Any]]) -> dict[str, Any]:
    fallen: Counter[str] = Counter()
    for part in found:
        fallen.update({row["label"]: row["fell"] for row in part["sentences"].get("most_fallen") or ()})
    curves = _all(part["curve"] for part in found)
    return {
        "labels": _all(part["labels"] for part in found),
        "flips": _all(part["flips"] for part in found),
        "sets": {key: value for part in found for key, value in part["sets"].items()},
        "sentences": {
            "cases": sum(part["sentences"].get("cases") or 0 for part in found),
            "fell": {key: number for part in found for key, number in part["sentences"]["fell"].items()},
            "most_fallen": [{"label": label, "fell": number} for label, number in fallen.most_common()],
        },
        **({"curve": curves} if curves else {}),
        **joined_explanations(found),
        "method": {
            "notes": [NOTE],
            "audits": {name: made for part in found for name, made in part["method"]["audits"].items()},
        },
    }
