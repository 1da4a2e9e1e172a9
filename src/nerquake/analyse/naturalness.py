"""How natural the sentences of a context attack are: pseudo-perplexity, words changed, parts of speech kept."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from statistics import quantiles
from typing import Any, NamedTuple

from nerquake.core.dataset import Dataset, content_fingerprint
from nerquake.core.edits import Edit
from nerquake.core.errors import PluginError, guarded
from nerquake.core.fillers import MaskFiller, PosSource
from nerquake.core.seeds import hashed
from nerquake.core.sentence import Sentence
from nerquake.core.spec import Chain
from nerquake.core.variant import AttackedSet, Variant
from nerquake.io.naturalness_file import Measured, Measures
from nerquake.io.stages import StageKey
from nerquake.io.work import Asked, WorkFolder
from nerquake.language.build import build_filler
from nerquake.language.choose_pos import AUTO, choose_pos
from nerquake.language.perplexity import perplexity_ratios
from nerquake.perturb.choose import build
from nerquake.perturb.filling import outside_mentions
from nerquake.perturb.fills import is_word
from nerquake.perturb.words import WordOptions

SAMPLE = 100
"""Changed sentences of a set that are measured at most: pseudo-perplexity takes two calls of the model a word."""
NO_JUDGE = "none"
NO_MODEL = "the attack names no masked language model to measure with; --judge SPEC does"
OWN_WORDS = (
    "measured by the model that filled the words in, to which its own words are likely; --judge SPEC names another"
)
NO_CLASSES = "parts of speech are not compared, as nothing that tells them is installed for the language"
_BATCH = 32
"""Sentences between two steps of the progress."""
_UNKNOWN = "X"
Watch = Callable[[int, str], AbstractContextManager[Callable[[int], object] | None]]
"""Called with the number of sentences and what is being done; gives a function that is told of sentences done."""


class Pair(NamedTuple):
    """A changed sentence with its original."""

    variant: Variant
    original: Sentence


class Aligned(NamedTuple):
    """A word outside mentions that one word replaced: where it stood, and where that one stands."""

    old: int
    new: int


def naturalness(
    asked: Asked, attacked: AttackedSet, judge: str, work: WorkFolder, watch: Watch
) -> dict[str, Any] | None:
    """How natural a set is, as `result.json` and `summary.json` say it; measured before, or now, and kept.

    judge   the specification of the masked language model that measures; empty: the attack's own; `none`: nothing is
            measured

    None where nothing is measured: by wish, or since the attack replaced no word outside mentions.

    Raises:
        UsageError: the masked language model does not exist, or cannot run here.
        PluginError: it broke its protocol.
    """
    if judge == NO_JUDGE or not measurable(attacked):
        return None
    dataset = asked.dataset
    pairs = changed_pairs(dataset, attacked)
    spec = judge or own_judge(asked.chain)
    if not spec:
        return block(pairs, None, spec, (NO_MODEL,))
    filler, parts = build_filler(spec), choose_pos(AUTO, dataset)
    key = _key(dataset, attacked, pairs, asked.seed, (spec, filler, parts))
    found = work.naturalness(attacked.name, key)
    if found is None:
        chosen = drawn(pairs, asked.seed, attacked.name)
        with watch(len(chosen), f"measuring how natural {attacked.name} is") as step:
            found = measure(dataset, chosen, filler, parts, step)
        work.keep_naturalness(attacked.name, key, found)
    notes = [OWN_WORDS] if spec in fillers_of(asked.chain) else []
    return block(pairs, found, spec, notes if found.classes else [*notes, NO_CLASSES])


def check_judge(text: str) -> None:
    """See that `--judge` names a masked language model, or `none`, or is not given.

    Raises:
        UsageError, PluginError: it names something else.
    """
    if text not in ("", NO_JUDGE):
        build_filler(text)


def measurable(attacked: AttackedSet) -> bool:
    """Whether edits of the attack replaced words outside mentions."""
    return attacked.level in ("context", "both") and attacked.context_words > 0


def own_judge(chain: Chain) -> str:
    """What measures naturalness by the attack's own options, of the last step that has them; empty without one."""
    steps = [step for step in build(chain) if isinstance(step, WordOptions)]
    return steps[-1].measured_by if steps else ""


def fillers_of(chain: Chain) -> list[str]:
    """The masked language models that fill in words, by their specifications."""
    return [step.filler for step in build(chain) if isinstance(step, WordOptions)]


def changed_pairs(dataset: Dataset, attacked: AttackedSet) -> list[Pair]:
    """The changed sentences that edits tell from their originals, in the order of the set."""
    originals = {sentence.id: sentence for sentence in dataset}
    return [Pair(v, originals[v.parent]) for v in attacked.variants if v.status == "changed" and v.edits]


def drawn(pairs: Sequence[Pair], seed: int, name: str) -> list[Pair]:
    """At most `SAMPLE` of them, drawn by the seed, in their order."""
    ids = sorted((hashed(seed, "naturalness", name, pair.original.id), pair.original.id) for pair in pairs)
    taken = {key for _, key in ids[:SAMPLE]}
    return [pair for pair in pairs if pair.original.id in taken]


def measure(
    dataset: Dataset,
    pairs: Sequence[Pair],
    filler: MaskFiller,
    parts: PosSource,
    step: Callable[[int], object] | None = None,
) -> Measures:
    """Measure every one of the pairs."""
    classes = parts.tells_classes
    made: list[Measured] = []
    with guarded("what measures naturalness"):
        judge = filler.learn(dataset)
        for start in range(0, len(pairs), _BATCH):
            batch = pairs[start : start + _BATCH]
            asked = [(pair.original.id, pair.original.tokens, pair.variant.sentence.tokens) for pair in batch]
            ratios = perplexity_ratios(judge, asked)
            counts = _parts_kept(batch, parts) if classes else [(0, 0)] * len(batch)
            for pair, ratio, (compared, kept) in zip(batch, ratios, counts, strict=True):
                made.append(Measured(pair.original.id, _rounded(ratio), compared, kept))
            if step is not None:
                step(len(batch))
        return Measures(tuple(made), tuple(judge.about()), tuple(parts.about()), classes)


def _parts_kept(pairs: Sequence[Pair], parts: PosSource) -> Iterator[tuple[int, int]]:
    """For each pair how many replaced words have a part of speech on both sides, and how many keep it."""
    tags = parts.tag([tokens for pair in pairs for tokens in (pair.original.tokens, pair.variant.sentence.tokens)])
    if len(tags) != 2 * len(pairs):
        raise PluginError(f"a source of parts of speech gave {len(tags)} answers for {2 * len(pairs)} sentences")
    for at, pair in enumerate(pairs):
        before, after = tags[2 * at], tags[2 * at + 1]
        both = [(before[old], after[new]) for old, new in aligned(pair)]
        known = [(old, new) for old, new in both if _UNKNOWN not in (old, new)]
        yield len(known), sum(old == new for old, new in known)


def aligned(pair: Pair) -> Iterator[Aligned]:
    """The words outside mentions that one token replaced, with both places."""
    shift = 0
    for edit in sorted(pair.variant.edits, key=lambda edit: (edit.start, edit.end)):
        if edit.kind == "context" and len(edit.new) == edit.end - edit.start:
            yield from (
                Aligned(at, at + shift) for at in _replaced(edit, pair.original) if is_word(pair.original.tokens[at])
            )
        shift += len(edit.new) - (edit.end - edit.start)


def _replaced(edit: Edit, original: Sentence) -> Iterator[int]:
    """Where an edit put something else, or nothing, in the place of a token; a later step may have put it back."""
    same_width = len(edit.new) == edit.end - edit.start
    for at in range(edit.start, edit.end):
        if not same_width or edit.new[at - edit.start] != original.tokens[at]:
            yield at


def _rounded(value: float | None) -> float | None:
    """Four significant digits: what a batch adds as noise is far below them."""
    return None if value is None or not math.isfinite(value) else float(f"{value:.4g}")


def _key(
    dataset: Dataset,
    attacked: AttackedSet,
    pairs: Sequence[Pair],
    seed: int,
    by: tuple[str, MaskFiller, PosSource],
) -> StageKey:
    """What the measures of a set depend on."""
    spec, filler, parts = by
    with guarded(f"the fingerprints of {spec} and of what tells parts of speech"):
        prints = {"judge": filler.fingerprint(), "parts": parts.fingerprint()}
    settings = {
        **prints,
        "attack": attacked.spec,
        "name": attacked.name,
        "language": dataset.language,
        "sample": SAMPLE,
        "variants": content_fingerprint([pair.variant.sentence for pair in pairs]),
    }
    return StageKey.of(spec, seed, dataset, **settings)


def block(pairs: Sequence[Pair], made: Measures | None, judge: str, notes: Sequence[str]) -> dict[str, Any]:
    """The figures of a set, docs/formats.md; without measures those that need no model."""
    replaced = sum(map(_words_replaced, pairs))
    words = sum(1 for pair in pairs for _ in outside_mentions(pair.original))
    measured = () if made is None else made.sentences
    ratios = [one.ratio for one in measured if one.ratio is not None]
    return {
        "judge": judge or None,
        "about": [] if made is None else list(made.about),
        "sentences": {
            "changed": len(pairs),
            "measured": len(measured),
            "without_ratio": len(measured) - len(ratios),
        },
        "perplexity_ratio": _quartiles(ratios),
        "words": {"outside_mentions": words, "replaced": replaced, "share": replaced / words if words else None},
        "parts_of_speech": None if made is None or not made.classes else _parts_block(made),
        "notes": list(notes),
    }


def _words_replaced(pair: Pair) -> int:
    tokens = pair.original.tokens
    edits = [edit for edit in pair.variant.edits if edit.kind == "context"]
    return sum(is_word(tokens[at]) for edit in edits for at in _replaced(edit, pair.original))


def _quartiles(ratios: Sequence[float]) -> dict[str, float | None] | None:
    if not ratios:
        return None
    low, middle, high = quantiles(ratios, method="inclusive") if len(ratios) > 1 else [ratios[0]] * 3
    return {"median": _rounded(middle), "low": _rounded(low), "high": _rounded(high)}


def _parts_block(made: Measures) -> dict[str, Any]:
    compared = sum(one.compared for one in made.sentences)
    kept = sum(one.kept for one in made.sentences)
    return {
        "about": list(made.parts),
        "compared": compared,
        "kept": kept,
        "share": kept / compared if compared else None,
    }
