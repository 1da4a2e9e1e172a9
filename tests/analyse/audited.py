"""Short ways to make what analyses take: sentences, attacked sets, predictions, and models with one known fault."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from nerquake.analyse.material import Material
from nerquake.core.dataset import Dataset
from nerquake.core.edits import Edit, Source, apply_edits
from nerquake.core.results import Predictions
from nerquake.core.sentence import Sentence
from nerquake.core.span import Span
from nerquake.core.variant import ORIGINAL, AttackedSet, Level, Variant
from nerquake.perturb.probe import ProbeSet

Model = Callable[[Sentence], Iterable[Span]]
"""What a planted model says of a sentence; it may look at the gold mentions, as real ones may not."""


def bracketed(key: str, text: str, **rest: Any) -> Sentence:
    """A sentence from tokens parted by blanks; mentions stand as `[PER Anna Lee]`."""
    tokens: list[str] = []
    spans: list[Span] = []
    start, label = -1, ""
    for word in text.split():
        if word.startswith("["):
            start, label = len(tokens), word[1:]
            continue
        tokens.append(word.removesuffix("]"))
        if word.endswith("]"):
            spans.append(Span(start, len(tokens), label))
    return Sentence(key, tuple(tokens), tuple(spans), **rest)


def audited(*texts: str, name: str = "d.conll") -> Dataset:
    return Dataset(name, tuple(bracketed(f"s{number}", text) for number, text in enumerate(texts)))


def attacked(
    dataset: Dataset,
    edits: Callable[[Sentence], Sequence[Edit]],
    name: str = "attack",
    level: Level = "entity",
) -> AttackedSet:
    variants = []
    for sentence in dataset:
        proposed = tuple(edits(sentence))
        made = apply_edits(sentence, proposed, f"{sentence.id}~{name}")
        status, reason = ("changed", "") if proposed else ("unchanged", "nothing to change")
        variants.append(Variant(made.sentence, sentence.id, status, reason, proposed, None, made.mentions))
    return AttackedSet(name, name, level, tuple(variants))


def renamed(new: str, source: Callable[[str], Source] = lambda old: ()) -> Callable[[Sentence], list[Edit]]:
    """Every mention takes this text; `source` says from the old text where it came from."""
    words = tuple(new.split())
    return lambda sentence: [
        Edit(span.start, span.end, words, "mention", source(sentence.surface(span)))
        for span in sentence.spans
        if sentence.mention(span) != words
    ]


def said(tagger: str, sentences: Sequence[Sentence], model: Model) -> Predictions:
    spans = tuple(tuple(sorted(model(sentence))) for sentence in sentences)
    return Predictions(tagger, tuple(s.id for s in sentences), spans, ((),) * len(spans))


def material(
    dataset: Dataset,
    sets: Sequence[AttackedSet],
    models: Mapping[str, Model],
    training: Dataset | None = None,
    **rest: Any,
) -> Material:
    """The models' answers to the original and to every set."""
    answers = {}
    for tagger, model in models.items():
        answers[tagger, ORIGINAL] = said(tagger, dataset.sentences, model)
        for one in sets:
            answers[tagger, one.name] = said(tagger, [v.sentence for v in one.kept], model)
    return Material(dataset, tuple(sets), answers, training=training, **{"resamples": 200, **rest})


def probed(sets: Sequence[ProbeSet], models: Mapping[str, Model]) -> dict[tuple[str, str], Predictions]:
    return {(tagger, one.name): said(tagger, one.sentences, model) for tagger, model in models.items() for one in sets}


def perfect(sentence: Sentence) -> tuple[Span, ...]:
    return sentence.spans


def blind(sentence: Sentence) -> tuple[Span, ...]:
    return ()
