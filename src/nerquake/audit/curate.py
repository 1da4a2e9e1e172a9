"""An audit over what people accepted: the same models' answers, compared again, with nothing asked anew."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from nerquake.analyse.material import Material
from nerquake.analyse.review import Resolved, curated_sets, curation
from nerquake.analyse.review.findings import Reviewed
from nerquake.audit.finished import Finished, settings_of
from nerquake.audit.plan import Plan
from nerquake.audit.result import Answered, Extra, result_of
from nerquake.core.decisions import DecisionsFile
from nerquake.core.errors import NerquakeError, PluginError
from nerquake.core.labels import LabelRules, RelabelledGold
from nerquake.core.protocols import Tagging
from nerquake.core.results import AuditResult, Predictions
from nerquake.core.spec import Chain, parse_chain
from nerquake.core.tagging import Named
from nerquake.core.variant import ORIGINAL, AttackedSet
from nerquake.registry import PERTURBATIONS, SUITES

UNSAID = ("curation", "gate", "since")
"""Findings about an audit as a whole, which nobody misses in one over curated sets."""


@dataclass(frozen=True, slots=True)
class Answering:
    """Stands for a model whose answers are there already."""

    def labels(self) -> frozenset[str] | None:
        """Nothing is declared: the answers were joined when they were made."""
        return None

    def predict(self, batch: Sequence[tuple[str, ...]]) -> Sequence[Tagging]:
        """Is never asked."""
        raise PluginError("a finished audit asks no model")


def curate(
    result: AuditResult,
    finished: Finished,
    files: Sequence[DecisionsFile],
    resolved: Resolved,
    on_conflict: str,
    command: str,
) -> AuditResult:
    """The audit over the curated sets, with what the review found as `findings.curation`.

    result    the audit that was reviewed; `finished` are its stage files
    files     the reviewers' decisions, and `resolved` what follows from them
    command   for the report's section Method
    """
    sets = curated_sets(finished.sets, resolved)
    plan = _plan(result.data, finished, command)
    sentences = {ORIGINAL: finished.originals} | {made.name: tuple(v.sentence for v in made.kept) for made in sets}
    answers = {
        key: answer if key[1] == ORIGINAL else _part(answer, [sentence.id for sentence in sentences[key[1]]])
        for key, answer in finished.answers.items()
    }
    made = result_of(plan, Answered(finished.originals, sets, sentences, answers), {}, (), Extra())
    data = dict(made.data)
    data["sets"] = [_entry(entry, result.data["sets"]) for entry in data["sets"]]
    after = Material(
        plan.dataset.with_sentences(finished.originals), sets, answers, tuple(data["results"]), None, plan.seed,
        plan.resamples, plan.level, plan.entity_free,
    )  # fmt: skip
    review = Reviewed(result.cases, result.data["results"], files, resolved, on_conflict)
    found = {**data["findings"], "curation": curation(review, after)}
    if "training_overlap" in result.data["findings"]:  # it is about the originals, which are the same
        found["training_overlap"] = result.data["findings"]["training_overlap"]
    found["method"] = {**found["method"], "notes": [*found["method"]["notes"], *_lost(result.data, found)]}
    data["findings"] = found
    return replace(made, data=data, sets=sets)


def _plan(data: Mapping[str, Any], finished: Finished, command: str) -> Plan:
    """What the audit was asked to do, as far as its result says."""
    header, said = data["header"], settings_of(data)
    old = data["findings"].get("method") or {}
    labels = old.get("labels") or {}
    rules = LabelRules(
        tuple(labels.get("only", ())), tuple((labels.get("map") or {}).items()), labels.get("unmapped", "stop")
    )
    entity_free: Literal["score", "skip"] = "skip" if said.get("entity-free") == "skip" else "score"
    return Plan(
        gold=RelabelledGold(finished.dataset, dict(labels.get("left_out_gold") or {})),
        rules=rules,
        attacks=tuple(_chain(made) for made in finished.sets),
        taggers=tuple(Named(entry["name"], entry["spec"], Answering()) for entry in data["taggers"]),
        seed=header["seed"],
        resamples=header["resamples"],
        level=header["level"],
        entity_free=entity_free,
        repair=said.get("repair", "conlleval"),
        method={"command": command, "notes": tuple(old.get("notes") or ())},
    )


def _chain(made: AttackedSet) -> Chain:
    try:
        return parse_chain(made.spec, (*PERTURBATIONS.names(), *SUITES))
    except NerquakeError:  # a name that is not installed here
        return Chain((), made.spec)


def _part(answer: Predictions, ids: Sequence[str]) -> Predictions:
    """The answers for some sentences."""
    place = {key: index for index, key in enumerate(answer.ids)}
    keep = [place[key] for key in ids]
    kept = set(ids)
    return replace(
        answer,
        ids=tuple(ids),
        spans=tuple(answer.spans[index] for index in keep),
        unseen=tuple(answer.unseen[index] for index in keep),
        notes={key: notes for key, notes in answer.notes.items() if key in kept},
    )


def _entry(entry: Mapping[str, Any], old: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """An entry of `sets` that still knows which models the attack was chosen against."""
    before = next((one for one in old if one["name"] == entry["name"]), {})
    kept = {key: before[key] for key in ("surrogate", "chosen_against") if key in before}
    return {**entry, **kept}


def _lost(old: Mapping[str, Any], found: Mapping[str, Any]) -> Iterator[str]:
    """What the audit had and the one over the curated sets has not."""
    lost = [name for name in old["findings"] if name not in found and name not in UNSAID]
    if any((entry or {}).get("naturalness") for entry in (old["findings"].get("sets") or {}).values()):
        lost.append("naturalness")
    if lost:
        yield f"not computed again over the curated sets: {', '.join(lost)}; the audit that was reviewed has it"
