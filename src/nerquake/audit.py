"""The main job: load, perturb, predict, count, compare, analyse, in a row.

Steps that cost something keep a file. One whose file is there and was made from the same input by the same
specification and seed is not run again, so an interrupted audit goes on where it stopped, and one more model or attack
costs only itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from importlib.metadata import version
from typing import Any

from nerquake.analyse.cases import build_cases
from nerquake.analyse.curves import CurvePoint, curve_findings
from nerquake.analyse.findings import findings
from nerquake.analyse.naturalness import Watch, naturalness
from nerquake.analyse.sets import original_block, set_block
from nerquake.analyse.training_overlap import TrainingOverlap, refuse_overlap, training_overlaps
from nerquake.core.dataset import Dataset
from nerquake.core.errors import InputError
from nerquake.core.labels import JoinedLabels, LabelRules, RelabelledGold
from nerquake.core.protocols import Telling
from nerquake.core.results import AuditResult, CountTable, Predictions
from nerquake.core.sentence import Sentence
from nerquake.core.spec import Chain
from nerquake.core.tagging import Named, announce, remembering, run_tagger
from nerquake.core.variant import ORIGINAL, AttackedSet, Variant
from nerquake.io.work import Asked, WorkFolder
from nerquake.perturb.kept import finished_set
from nerquake.perturb.sample import sample_ids
from nerquake.score.count import count
from nerquake.score.flips import Flips, flips
from nerquake.score.metrics import EntityFree
from nerquake.stats.compare import apply_holm, apply_holm_to_results, compare_models, paired_block
from nerquake.stats.system import signature, system_block

FORMAT = "nerquake.audit/1"
Answers = dict[tuple[str, str], Predictions]
Natural = Mapping[str, Mapping[str, Any] | None]


def unwatched(total: int, what: str) -> AbstractContextManager[None]:
    """Nobody watches."""
    return nullcontext()


@dataclass(frozen=True, slots=True)
class Plan:
    """What to audit, and how.

    gold      the labelled data, under the labels that are scored
    sample    how many sentences to take, None for all
    repair    what becomes of ill-formed predicted tags, for the signature
    judge     the masked language model that measures how natural context attacks are: empty for each attack's own,
              `none` for none
    method    what the report's section Method is to say besides
    curve     the sets of the attack curve, which are scored and compared with nothing
    allow_overlap  audit a model on sentences that it was trained on, and say so, instead of refusing
    """

    gold: RelabelledGold
    rules: LabelRules
    attacks: tuple[Chain, ...]
    taggers: tuple[Named, ...]
    seed: int = 0
    resamples: int = 1000
    level: float = 0.95
    sample: int | None = None
    jobs: int = 1
    entity_free: EntityFree = "score"
    repair: str = "conlleval"
    judge: str = ""
    method: Mapping[str, Any] = field(default_factory=dict)
    curve: tuple[CurvePoint, ...] = ()
    allow_overlap: bool = False

    @property
    def dataset(self) -> Dataset:
        """The labelled data."""
        return self.gold.dataset

    @property
    def signature(self) -> str:
        """What every table says about how it was made."""
        scheme = self.dataset.scheme.name if self.dataset.scheme else "none"
        return signature(
            scheme=scheme,
            repair=self.repair,
            seed=self.seed,
            resamples=self.resamples,
            level=self.level,
            entity_free=self.entity_free,
        )


def audit(plan: Plan, work: WorkFolder, watch: Watch = unwatched) -> AuditResult:
    """Run the plan.

    Raises:
        InputError: predictions are missing or do not fit, labels cannot be joined, there is nothing to audit, or a
            model was trained on what is audited.
    """
    if not plan.dataset.sentences:
        raise InputError(f"{plan.dataset.name} has no sentences to audit")
    taken = _taken(plan)
    originals = tuple(sentence for sentence in plan.dataset if sentence.id in taken)
    known = training_overlaps(plan.taggers, originals, plan.dataset.sentences)
    if not plan.allow_overlap:
        refuse_overlap(known, plan.dataset.name)
    work.keep_dataset(plan.dataset)
    sets = [_attacked(plan, chain, taken, work, watch) for chain in plan.attacks]
    natural = {
        made.name: naturalness(_asked(plan, chain), made, plan.judge, work, watch)
        for chain, made in zip(plan.attacks, sets, strict=True)
    }
    curve = [(point, _attacked(plan, point.chain, taken, work, watch)) for point in plan.curve]
    sentences = {ORIGINAL: originals, **_members(sets)}
    everything = {**sentences, **_members([made for _, made in curve])}
    _check_taggers(plan, everything)
    answers: Answers = {}
    for named in plan.taggers:
        asked = remembering(named)
        for name, members in everything.items():
            answers[named.name, name] = _tagged(plan, (named, asked), name, members, work, watch)
    scored = {key: answer for key, answer in answers.items() if key[1] in sentences}
    result = _result(plan, originals, sets, sentences, scored, natural, known)
    if not curve:
        return result
    blocks = [block for block in result.data["results"] if block["set"] == ORIGINAL]
    for _, made in curve:
        blocks += _curve_blocks(plan, made.name, everything[made.name], answers)
    found = {**result.data["findings"], "curve": curve_findings(plan.dataset, curve, blocks)}
    return replace(result, data={**result.data, "findings": found})


def _members(sets: Sequence[AttackedSet]) -> dict[str, tuple[Sentence, ...]]:
    return {made.name: tuple(variant.sentence for variant in made.kept) for made in sets}


def _curve_blocks(plan: Plan, name: str, sentences: Sequence[Sentence], answers: Answers) -> Iterator[dict[str, Any]]:
    """The system blocks of a set of the attack curve; none where nothing is left of it."""
    for named in plan.taggers if sentences else ():
        tables = {(named.name, name): count(sentences, answers[named.name, name])}
        yield _scored(plan, named.name, name, sentences, tables, answers)


def _taken(plan: Plan) -> frozenset[str]:
    if plan.sample is None:
        return frozenset(sentence.id for sentence in plan.dataset)
    return sample_ids(plan.dataset, plan.sample, plan.seed)


def _asked(plan: Plan, chain: Chain) -> Asked:
    return Asked(plan.dataset, chain, plan.seed, plan.sample, plan.rules)


def _attacked(plan: Plan, chain: Chain, taken: frozenset[str], work: WorkFolder, watch: Watch) -> AttackedSet:
    asked = _asked(plan, chain)
    made, fresh = finished_set(asked, work, None if plan.sample is None else taken, plan.jobs, watch)
    if fresh:
        work.keep_variants(asked, made)
    return made


def _check_taggers(plan: Plan, sentences: Mapping[str, Sequence[Sentence]]) -> None:
    """Everything that can be known to be wrong before anything is tagged, in one message."""
    faults: list[str] = []
    for named in plan.taggers:
        try:
            declared = named.tagger.labels()
            if declared is not None:
                _join(plan, named).check(declared)
            announce(named, sentences)
        except InputError as error:
            faults.append(str(error))
    if faults:
        raise InputError("\n".join(faults))


def _join(plan: Plan, named: Named) -> JoinedLabels:
    return JoinedLabels.of(plan.rules, plan.dataset.labels, named.name)


def _tagged(
    plan: Plan, both: tuple[Named, Named], name: str, sentences: Sequence[Sentence], work: WorkFolder, watch: Watch
) -> Predictions:
    """One model's answer for one set; `both` are the model and the model as it is asked."""
    named, asked = both
    found = work.predictions(named, name, sentences, plan.dataset.labels, plan.rules)
    if found is not None:
        return found
    with watch(len(sentences), f"{named.name} tags {name}") as step:
        made = run_tagger(asked, name, sentences, _join(plan, named), step)
    work.keep_predictions(named, name, sentences, plan.dataset.labels, plan.rules, made)
    return made


def _result(
    plan: Plan,
    originals: Sequence[Sentence],
    sets: Sequence[AttackedSet],
    sentences: Mapping[str, Sequence[Sentence]],
    answers: Answers,
    natural: Natural,
    known: Sequence[TrainingOverlap],
) -> AuditResult:
    tables = {key: count(sentences[key[1]], answer) for key, answer in answers.items() if sentences[key[1]]}
    results: list[dict[str, Any]] = []
    for named in plan.taggers:
        for name, members in sentences.items():
            if (named.name, name) not in tables:
                continue
            block = _scored(plan, named.name, name, members, tables, answers)
            attacked = next((s for s in sets if s.name == name), None)
            if attacked is not None:
                block |= _paired(plan, named.name, originals, attacked, tables, answers)
            results.append(block)
    results = apply_holm_to_results(results)
    method = {
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
    taken = [sentence.id for sentence in originals]
    data = {
        "format": FORMAT,
        "header": {
            "version": version("nerquake"),
            "signature": plan.signature,
            "seed": plan.seed,
            "resamples": plan.resamples,
            "level": plan.level,
            "inputs": [{"name": plan.dataset.name, "sha256": plan.dataset.fingerprint}],
        },
        "sets": [
            original_block(plan.dataset, taken),
            *(set_block(plan.dataset, s, chain, plan.taggers) for s, chain in zip(sets, plan.attacks, strict=True)),
        ],
        "taggers": [{"name": named.name, "spec": named.spec} for named in plan.taggers],
        "results": results,
        "comparisons": _comparisons(plan, sentences, tables),
        "findings": {
            **findings(
                plan.dataset,
                sets,
                answers,
                results,
                method=method,
                seed=plan.seed,
                entity_free=plan.entity_free,
                naturalness=natural,
            ),
            **({"training_overlap": [one.to_json() for one in known]} if known else {}),
        },
    }
    return AuditResult(data, build_cases(plan.dataset, sets, answers), tuple(sets))


def _scored(
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
