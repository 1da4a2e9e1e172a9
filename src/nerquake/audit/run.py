"""The main job: load, perturb, predict, count, compare, analyse, in a row.

Steps that cost something keep a file. One whose file is there and was made from the same input by the same
specification and seed is not run again, so an interrupted audit goes on where it stopped, and one more model or attack
costs only itself.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from nerquake.analyse.earlier import refuse_other
from nerquake.analyse.naturalness import Watch, naturalness
from nerquake.analyse.training_overlap import refuse_overlap, training_overlaps
from nerquake.audit.draws import Draw, further_draws
from nerquake.audit.plan import Plan, unwatched
from nerquake.audit.result import Answered, Answers, Extra, result_of
from nerquake.core.errors import InputError
from nerquake.core.protocols import SetTagger
from nerquake.core.results import AuditResult, Predictions
from nerquake.core.sentence import Sentence
from nerquake.core.spec import Chain
from nerquake.core.tagging import Named, announce, remembering, run_tagger
from nerquake.core.variant import ORIGINAL, AttackedSet
from nerquake.io.work import Asked, WorkFolder
from nerquake.perturb.kept import finished_set
from nerquake.perturb.probe import probe_sets
from nerquake.perturb.sample import sample_ids


def audit(plan: Plan, work: WorkFolder, watch: Watch = unwatched) -> AuditResult:
    """Run the plan.

    Raises:
        InputError: predictions are missing or do not fit, labels cannot be joined, there is nothing to audit, or a
            model was trained on what is audited.
        UsageError: the earlier run is about other data.
    """
    if plan.baseline is not None:
        refuse_other(plan.baseline, plan.setting, plan.baseline_from)
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
    more = Extra(
        [(point, _attacked(plan, point.chain, taken, work, watch)) for point in plan.curve],
        [(draw, _attacked(plan, draw.chain, taken, work, watch, draw.seed)) for draw in _draws(plan)],
        probe_sets(originals, plan.seed, taken=[made.name for made in sets]) if plan.probe else (),
    )
    sentences = {ORIGINAL: originals, **_members(sets)}
    everything = {**sentences, **_members(more.attacked)}
    _check_taggers(plan, everything)
    answers: Answers = {}
    for tagger in plan.taggers:
        asked = remembering(tagger)
        for name, members in {**everything, **_probed(tagger, more)}.items():
            answers[tagger.name, name] = _tagged(plan, (tagger, asked), name, members, work, watch)
    return result_of(plan, Answered(originals, sets, sentences, answers), natural, known, more)


def _draws(plan: Plan) -> tuple[Draw, ...]:
    return further_draws(plan.attacks, plan.draws, plan.seed)


def _probed(tagger: Named, more: Extra) -> dict[str, tuple[Sentence, ...]]:
    """The probe's sentences; predictions made elsewhere have no answers for them."""
    if isinstance(tagger.tagger, SetTagger):
        return {}
    return {one.name: one.sentences for one in more.probes if one.sentences}


def _members(sets: Sequence[AttackedSet]) -> dict[str, tuple[Sentence, ...]]:
    return {made.name: tuple(variant.sentence for variant in made.kept) for made in sets}


def _taken(plan: Plan) -> frozenset[str]:
    if plan.sample is None:
        return frozenset(sentence.id for sentence in plan.dataset)
    return sample_ids(plan.dataset, plan.sample, plan.seed)


def _asked(plan: Plan, chain: Chain, seed: int | None = None) -> Asked:
    return Asked(plan.dataset, chain, plan.seed if seed is None else seed, plan.sample, plan.rules)


def _attacked(
    plan: Plan, chain: Chain, taken: frozenset[str], work: WorkFolder, watch: Watch, seed: int | None = None
) -> AttackedSet:
    asked = _asked(plan, chain, seed)
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
                plan.join(named).check(declared)
            announce(named, sentences)
        except InputError as error:
            faults.append(str(error))
    if faults:
        raise InputError("\n".join(faults))


def _tagged(
    plan: Plan, both: tuple[Named, Named], name: str, sentences: Sequence[Sentence], work: WorkFolder, watch: Watch
) -> Predictions:
    """One model's answer for one set; `both` are the model and the model as it is asked."""
    named, asked = both
    found = work.predictions(named, name, sentences, plan.dataset.labels, plan.rules)
    if found is not None:
        return found
    with watch(len(sentences), f"{named.name} tags {name}") as step:
        made = run_tagger(asked, name, sentences, plan.join(named), step)
    work.keep_predictions(named, name, sentences, plan.dataset.labels, plan.rules, made)
    return made
