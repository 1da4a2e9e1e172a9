"""From answers to a result: counted, compared, explained."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.metadata import version
from typing import Any

from nerquake.analyse.cases import build_cases
from nerquake.analyse.curves import CurvePoint, curve_findings
from nerquake.analyse.explain import explain
from nerquake.analyse.findings import findings
from nerquake.analyse.gate import judge
from nerquake.analyse.material import Material
from nerquake.analyse.sets import original_block, set_block
from nerquake.analyse.since import since
from nerquake.analyse.survival import survival
from nerquake.analyse.training_overlap import TrainingOverlap
from nerquake.audit.draws import Draw
from nerquake.audit.plan import Plan
from nerquake.core.protocols import Telling
from nerquake.core.results import AuditResult, CountTable, Predictions
from nerquake.core.sentence import Sentence
from nerquake.core.tagging import Named
from nerquake.core.variant import ORIGINAL, AttackedSet, Variant
from nerquake.perturb.probe import ProbeSet
from nerquake.score.count import count
from nerquake.score.flips import Flips, flips
from nerquake.stats.compare import apply_holm, apply_holm_to_results, compare_models, paired_block
from nerquake.stats.system import system_block

FORMAT = "nerquake.audit/1"
Answers = dict[tuple[str, str], Predictions]
Natural = Mapping[str, Mapping[str, Any] | None]


@dataclass(frozen=True, slots=True)
class Answered:
    """What was asked and answered.

    originals  the audited sentences
    sentences  those of every set that is scored, by name, "original" among them
    answers    by (tagger, set name), those of extra sets among them
    """

    originals: Sequence[Sentence]
    sets: Sequence[AttackedSet]
    sentences: Mapping[str, Sequence[Sentence]]
    answers: Answers

    @property
    def scored(self) -> Answers:
        """The answers for sets that are scored."""
        return {key: answer for key, answer in self.answers.items() if key[1] in self.sentences}


@dataclass(frozen=True, slots=True)
class Extra:
    """Sets that stand in no table of scores: points of the attack curve, further draws, the probe's sentences."""

    curve: Sequence[tuple[CurvePoint, AttackedSet]] = ()
    draws: Sequence[tuple[Draw, AttackedSet]] = ()
    probes: Sequence[ProbeSet] = ()

    @property
    def attacked(self) -> list[AttackedSet]:
        """The attacked sets among them."""
        return [made for _, made in (*self.curve, *self.draws)]


def result_of(
    plan: Plan, found: Answered, natural: Natural, known: Sequence[TrainingOverlap], more: Extra
) -> AuditResult:
    """The result of an audit."""
    answers = found.scored
    tables = {key: count(found.sentences[key[1]], answer) for key, answer in answers.items() if found.sentences[key[1]]}
    results = _results(plan, found, tables)
    data: dict[str, Any] = {
        "format": FORMAT,
        "header": _header(plan),
        "sets": [
            original_block(plan.dataset, [sentence.id for sentence in found.originals]),
            *(set_block(plan.dataset, s, chain, plan.taggers)
              for s, chain in zip(found.sets, plan.attacks, strict=True)),
        ],
        "taggers": [{"name": named.name, "spec": named.spec} for named in plan.taggers],
        "results": results,
        "comparisons": _comparisons(plan, found.sentences, tables),
        "findings": _findings(plan, found, results, natural, known, more),
    }  # fmt: skip
    cases = build_cases(plan.dataset, found.sets, answers)
    if plan.baseline is not None:
        data["findings"]["since"] = since(AuditResult(data, cases), plan.baseline)
    return AuditResult(data, cases, tuple(found.sets))


def _header(plan: Plan) -> dict[str, Any]:
    return {
        "version": version("nerquake"),
        "signature": plan.signature,
        "seed": plan.seed,
        "resamples": plan.resamples,
        "level": plan.level,
        "inputs": [{"name": plan.dataset.name, "sha256": plan.dataset.fingerprint}],
    }


def _results(plan: Plan, found: Answered, tables: Mapping[tuple[str, str], CountTable]) -> list[dict[str, Any]]:
    """The system blocks, with the comparison with the original where there is one."""
    attacked = {made.name: made for made in found.sets}
    results: list[dict[str, Any]] = []
    for named in plan.taggers:
        for name, members in found.sentences.items():
            if (named.name, name) not in tables:
                continue
            block = _block(plan, named.name, name, members, tables, found.answers)
            if name in attacked:
                block |= _paired(plan, named.name, found.originals, attacked[name], tables, found.answers)
            results.append(block)
    return apply_holm_to_results(results)


def _findings(
    plan: Plan,
    found: Answered,
    results: Sequence[Mapping[str, Any]],
    natural: Natural,
    known: Sequence[TrainingOverlap],
    more: Extra,
) -> dict[str, Any]:
    """Everything that the report shows besides scores."""
    material = _material(plan, found, results)
    made = findings(
        plan.dataset, found.sets, found.scored, results, method=_method(plan, found, known), seed=plan.seed,
        entity_free=plan.entity_free, naturalness=natural,
    )  # fmt: skip
    made |= explain(material, natural, more.probes, found.answers)
    if plan.gate is not None:
        made["gate"] = judge(plan.gate, material, None if plan.baseline is None else plan.baseline.data)
    if known:
        made["training_overlap"] = [one.to_json() for one in known]
    if more.curve:
        blocks = [dict(block) for block in results if block["set"] == ORIGINAL]
        for _, attacked in more.curve:
            blocks += _curve_blocks(plan, attacked, found.answers)
        made["curve"] = curve_findings(plan.dataset, more.curve, blocks)
    if more.draws:
        made["draws"] = _survival(plan, found, more)
    return made


def _material(plan: Plan, found: Answered, results: Sequence[Mapping[str, Any]] = ()) -> Material:
    return Material(
        plan.dataset.with_sentences(found.originals), tuple(found.sets), found.scored, tuple(results), plan.training,
        plan.seed, plan.resamples, plan.level, plan.entity_free,
    )  # fmt: skip


def _survival(plan: Plan, found: Answered, more: Extra) -> list[dict[str, Any]]:
    """What survives the draws of each attack; its own set is the first of them."""
    by_attack = {made.name: [made.name] for made in found.sets}
    for draw, made in more.draws:
        by_attack[draw.of].append(made.name)
    sets = (*found.sets, *(made for _, made in more.draws))
    names = {ORIGINAL, *(made.name for made in sets)}
    answers = {key: answer for key, answer in found.answers.items() if key[1] in names}
    material = replace(_material(plan, found), sets=sets, predictions=answers)
    return survival(material, by_attack)


def _curve_blocks(plan: Plan, made: AttackedSet, answers: Answers) -> Iterator[dict[str, Any]]:
    """The system blocks of a set of the attack curve; none where nothing is left of it."""
    sentences = [variant.sentence for variant in made.kept]
    for named in plan.taggers if sentences else ():
        tables = {(named.name, made.name): count(sentences, answers[named.name, made.name])}
        yield _block(plan, named.name, made.name, sentences, tables, answers)


def _method(plan: Plan, found: Answered, known: Sequence[TrainingOverlap]) -> dict[str, Any]:
    """What the section Method says."""
    answers = found.scored
    return {
        **plan.method,
        "labels": {
            "only": list(plan.rules.only),
            "map": dict(plan.rules.renames),
            "unmapped": plan.rules.unmapped,
            "left_out_gold": dict(plan.gold.left_out),
            "left_out_predicted": _left_out(answers),
        },
        "language": plan.dataset.language,
        "notes": [
            *plan.dataset.notes,
            *plan.method.get("notes", ()),
            *_said_by(plan.taggers),
            *(line for one in known for line in one.notes()),
            *_said_of_answers(answers),
        ],
    }


def _block(
    plan: Plan,
    tagger: str,
    name: str,
    sentences: Sequence[Sentence],
    tables: Mapping[tuple[str, str], CountTable],
    answers: Answers,
) -> dict[str, Any]:
    block = system_block(
        tagger,
        tables[tagger, name],
        sentences,
        answers[tagger, name],
        plan.resamples,
        plan.level,
        plan.seed,
        entity_free_rule=plan.entity_free,
    )
    return {"tagger": tagger, "set": name, **block}


def _paired(
    plan: Plan,
    tagger: str,
    originals: Sequence[Sentence],
    attacked: AttackedSet,
    tables: Mapping[tuple[str, str], CountTable],
    answers: Answers,
) -> dict[str, Any]:
    parents = {sentence.id: sentence for sentence in originals}
    before = dict(zip(answers[tagger, ORIGINAL].ids, answers[tagger, ORIGINAL].spans, strict=True))
    after = dict(zip(answers[tagger, attacked.name].ids, answers[tagger, attacked.name].spans, strict=True))
    flipped: dict[str, Flips] = {}
    for variant in attacked.kept:
        parent = parents[variant.parent]
        found = flips((parent.spans, before[parent.id]), (variant.sentence.spans, after[variant.id]), variant.mentions)
        if found.fell or found.rose:
            flipped[parent.id] = found
    variants = _compared(plan, parents, attacked.variants)
    tables_of = (tables[tagger, ORIGINAL], tables[tagger, attacked.name])
    sampling = {"resamples": plan.resamples, "level": plan.level, "seed": plan.seed}
    return {
        "paired": paired_block(*tables_of, variants, flipped, **sampling),  # type: ignore[arg-type]
        "paired_changed": paired_block(*tables_of, variants, flipped, changed_only=True, **sampling),  # type: ignore[arg-type]
    }


def _compared(plan: Plan, parents: Mapping[str, Sentence], variants: Sequence[Variant]) -> Sequence[Variant]:
    """The variants to pair: with `--entity-free skip` sentences without gold mentions take no part."""
    if plan.entity_free == "score":
        return variants
    return [variant for variant in variants if variant.parent not in parents or parents[variant.parent].spans]


def _comparisons(
    plan: Plan, sentences: Mapping[str, Sequence[Sentence]], tables: Mapping[tuple[str, str], CountTable]
) -> list[dict[str, Any]]:
    """Model against model on every set, one family."""
    found: list[dict[str, Any]] = []
    for name, members in sentences.items():
        here = {tagger: table for (tagger, set_name), table in tables.items() if set_name == name}
        if plan.entity_free == "skip":
            keep = [index for index, sentence in enumerate(members) if sentence.spans]
            here = {tagger: table.rows(keep) for tagger, table in here.items()}
        pairs = compare_models(here, resamples=plan.resamples, level=plan.level, seed=plan.seed)
        found += [{"set": name, **pair} for pair in pairs]
    return apply_holm(found)


def _said_by(taggers: Sequence[Named]) -> list[str]:
    """What taggers say of themselves."""
    return [line for named in taggers if isinstance(named.tagger, Telling) for line in named.tagger.about()]


def _said_of_answers(answers: Answers) -> list[str]:
    """What taggers' answers were worth saying, set by set."""
    return [f"{name}, {line}" for (_, name), answer in answers.items() for line in answer.summary()]


def _left_out(answers: Answers) -> dict[str, dict[str, int]]:
    """Predicted mentions left out by label, over the original set: the attacked ones hold the same sentences."""
    return {tagger: dict(answer.left_out) for (tagger, name), answer in answers.items() if name == ORIGINAL}
