"""What a finished audit left in its work folder: data, attacked sets and answers, without a model being asked again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from nerquake.core.dataset import Dataset
from nerquake.core.errors import InputError
from nerquake.core.results import AuditResult, Predictions
from nerquake.core.scheme import SCHEMES
from nerquake.core.sentence import Sentence
from nerquake.core.variant import NOT_SAMPLED, ORIGINAL, AttackedSet
from nerquake.io.load import load
from nerquake.io.predictions_file import read_predictions
from nerquake.io.variants_file import read_variants


@dataclass(frozen=True, slots=True)
class Finished:
    """Stage files of one audit.

    dataset    the labelled data under the labels that were scored
    originals  those of its sentences that were audited
    answers    by (tagger, set name), "original" among them
    """

    dataset: Dataset
    originals: tuple[Sentence, ...]
    sets: tuple[AttackedSet, ...]
    answers: Mapping[tuple[str, str], Predictions]


def read_finished(result: AuditResult, work: Path) -> Finished:
    """The stage files behind a result.

    Raises:
        InputError: files are missing, damaged, or of another audit; says all that are missing.
    """
    data = result.data
    inputs = data["header"].get("inputs") or []
    if len(inputs) != 1 or any("audit" in entry for entry in data["sets"]):
        raise InputError("this report joins several audits; name the folder of one of them")
    names = [entry["name"] for entry in data["sets"] if entry["name"] != ORIGINAL]
    taggers = [entry["name"] for entry in data["taggers"]]
    _check_there(work, names, taggers)
    dataset = _dataset(work / "dataset.jsonl", data)
    sets = tuple(_there(read_variants(work / name / "variants.jsonl", dataset), work / name) for name in names)
    left_out = {variant.parent for made in sets[:1] for variant in made.variants if variant.reason == NOT_SAMPLED}
    originals = tuple(sentence for sentence in dataset if sentence.id not in left_out)
    members = {ORIGINAL: originals} | {made.name: tuple(v.sentence for v in made.kept) for made in sets}
    answers = {
        (tagger, name): _answers(work / name / f"{tagger}.predictions.jsonl", sentences, name)
        for tagger in taggers
        for name, sentences in members.items()
    }
    return Finished(dataset, originals, sets, answers)


def _check_there(work: Path, names: list[str], taggers: list[str]) -> None:
    wanted = [work / "dataset.jsonl"]
    wanted += [work / name / "variants.jsonl" for name in names]
    wanted += [work / name / f"{tagger}.predictions.jsonl" for name in (ORIGINAL, *names) for tagger in taggers]
    lost = [str(path) for path in wanted if not path.is_file()]
    if lost:
        more = f" and {len(lost) - 3} more" if len(lost) > 3 else ""
        raise InputError(
            f"the audit's stage files are not all there: {', '.join(lost[:3])}{more}. Name their folder with --work "
            "(the one that `nerquake audit --work` named), or run the audit again"
        )


def _dataset(path: Path, data: Mapping[str, Any]) -> Dataset:
    """The data as it was read for the audit: under its file's name, fingerprint, language and scheme."""
    (source,) = data["header"]["inputs"]
    language = (data["findings"].get("method") or {}).get("language") or ""
    scheme = settings_of(data).get("scheme", "none")
    return replace(
        load(str(path), "jsonl"),
        name=source["name"],
        fingerprint=source["sha256"],
        language=language,
        scheme=SCHEMES.get(scheme),
        notes=(),
        layout=None,
    )


def settings_of(data: Mapping[str, Any]) -> dict[str, str]:
    """What the signature of a result says, by name."""
    return {key: value for key, _, value in (part.partition(":") for part in data["header"]["signature"].split("|"))}


def _there(made: AttackedSet | None, path: Path) -> AttackedSet:
    if made is None:
        raise InputError(f"{path / 'variants.jsonl'} is not the set of this audit; run the audit again")
    return made


def _answers(path: Path, sentences: tuple[Sentence, ...], name: str) -> Predictions:
    found = read_predictions(path, sentences, None, name)
    if found is None:
        raise InputError(f"{path} is not the answer for the set {name}; run the audit again")
    return found
