"""Speed of all analyses of an audit, against one seqeval strict scoring of the same answers.

    python -m benchmarks.analysis [SENTENCES [RUNS]]
    python -m benchmarks.analysis --profile [SENTENCES]

Needs the extra `oracles`. Made-up sentences, five attacked sets, three models. The analyses are all that an audit
writes under `findings` from answers that are there, with 1,000 resamples; scores, and what needs further sets (the
probe, draws, curves), are not among them. seqeval scores every model on the original and on every set once.
"""

from __future__ import annotations

import cProfile
import pstats
import sys
from collections.abc import Callable
from random import Random
from typing import NamedTuple

from benchmarks.common import alternate, print_table
from benchmarks.score import LABELS, disturbed, random_spans
from nerquake.analyse.explain import explain
from nerquake.analyse.findings import findings
from nerquake.analyse.material import Material
from nerquake.core.dataset import Dataset
from nerquake.core.edits import Edit, apply_edits
from nerquake.core.results import Predictions
from nerquake.core.scheme import IOB2
from nerquake.core.sentence import Sentence
from nerquake.core.variant import ORIGINAL, AttackedSet, Level, Status, Variant

SENTENCES, RUNS = 20_000, 3
MODELS = ("first", "second", "third")
SETS: dict[str, Level] = {"swap": "entity", "faker": "entity", "letters": "entity", "mask": "context", "m+r": "both"}
LIMIT = 10
"""How many times as long as seqeval the analyses may take."""
Tags = list[list[str]]


class Data(NamedTuple):
    """An audit's answers, and the same as IOB2 tags: gold and predicted of every model and set."""

    material: Material
    tags: list[tuple[Tags, Tags]]


def originals(count: int, seed: int = 0) -> Dataset:
    """Sentences of 5 to 35 tokens with names from a list for each label, a domain each."""
    random = Random(seed)
    made = []
    for number in range(count):
        size = random.randint(5, 35)
        spans = random_spans(random, size)
        tokens = [f"w{random.randrange(5000)}" for _ in range(size)]
        for span in spans:
            for at in range(span.start, span.end):
                tokens[at] = f"{span.label.title()}{random.randrange(2000)}"
        meta = (("domain", random.choice(("news", "letters", "talk"))),)
        made.append(Sentence(f"s{number}", tuple(tokens), spans, meta=meta))
    return Dataset("made-up", tuple(made))


def attacked(dataset: Dataset, name: str, level: Level, seed: int) -> AttackedSet:
    """Mentions take new names of one to three words, or up to three other words change, or both."""
    random = Random(seed)
    variants = []
    for sentence in dataset:
        edits = _names(sentence, random) if level != "context" else []
        if level != "entity":
            edits += _words(sentence, random)
        edits.sort(key=lambda edit: edit.start)
        made = apply_edits(sentence, edits, f"{sentence.id}~{name}")
        status: Status = "changed" if edits else "not-applicable"
        reason = "" if edits else "no mention"
        variants.append(Variant(made.sentence, sentence.id, status, reason, tuple(edits), None, made.mentions))
    return AttackedSet(name, name, level, tuple(variants))


def _names(sentence: Sentence, random: Random) -> list[Edit]:
    made = []
    for span in sentence.spans:
        words = tuple(f"{span.label.title()}{random.randrange(4000)}" for _ in range(random.choice((1, 1, 2, 3))))
        if words != sentence.mention(span):
            source = (("locale", random.choice(("en_US", "de_DE", "hi_IN"))),)
            made.append(Edit(span.start, span.end, words, "mention", source))
    return made


def _words(sentence: Sentence, random: Random) -> list[Edit]:
    inside = {at for span in sentence.spans for at in range(span.start, span.end)}
    free = [at for at in range(len(sentence)) if at not in inside]
    chosen = random.sample(free, min(3, len(free)))
    return [Edit(at, at + 1, (f"n{random.randrange(5000)}",), "context") for at in chosen]


def make(count: int) -> Data:
    """All of it, the same for the same number of sentences."""
    dataset = originals(count)
    sets = tuple(attacked(dataset, name, level, seed) for seed, (name, level) in enumerate(SETS.items(), 1))
    texts = {ORIGINAL: dataset.sentences, **{one.name: tuple(v.sentence for v in one.kept) for one in sets}}
    answers, tags = {}, []
    for model in MODELS:
        for name, members in texts.items():
            random = Random(f"{model} {name}")
            spans = tuple(disturbed(random, sentence.spans, len(sentence)) for sentence in members)
            answers[model, name] = Predictions(model, tuple(s.id for s in members), spans, ((),) * len(spans))
            gold = [list(IOB2.encode(s.spans, len(s))) for s in members]
            tags.append((gold, [list(IOB2.encode(said, len(s))) for said, s in zip(spans, members, strict=True)]))
    training = originals(count, seed=1)
    return Data(Material(dataset, sets, answers, (), training), tags)


def analyse(material: Material) -> object:
    """All analyses; a new material each time, since it remembers what it found."""
    fresh = Material(material.original, material.sets, material.predictions, (), material.training)
    found = findings(fresh.original, fresh.sets, fresh.predictions, (), method={}, seed=0)
    return found | explain(fresh, {})


def seqeval(data: Data) -> Callable[[], object]:
    """One strict scoring of every model on every set."""
    from seqeval.metrics.v1 import precision_recall_fscore_support
    from seqeval.scheme import IOB2 as SEQEVAL_IOB2

    def score() -> object:
        return [
            precision_recall_fscore_support(gold, said, average="micro", scheme=SEQEVAL_IOB2, zero_division=0)
            for gold, said in data.tags
        ]

    return score


def main(arguments: list[str]) -> None:
    profiled = arguments[:1] == ["--profile"]
    numbers = [int(text) for text in arguments[profiled:]]
    count = numbers[0] if numbers else SENTENCES
    data = make(count)
    if profiled:
        profile = cProfile.Profile()
        profile.runcall(analyse, data.material)
        pstats.Stats(profile).sort_stats("cumulative").print_stats(70)
        return
    runs = numbers[1] if len(numbers) > 1 else RUNS
    medians = alternate({"seqeval strict": seqeval(data), "all analyses": lambda: analyse(data.material)}, runs)
    title = f"{count:,} sentences, {len(LABELS)} labels, {len(SETS)} sets, {len(MODELS)} models"
    print_table(title, medians, base="seqeval strict")
    ratio = medians["all analyses"] / medians["seqeval strict"]
    print(f"\nall analyses take {ratio:.1f} times as long as one seqeval strict scoring; the limit is {LIMIT}")


if __name__ == "__main__":
    main(sys.argv[1:])
