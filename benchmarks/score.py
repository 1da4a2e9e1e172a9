"""Scoring speed: against seqeval strict and nervaluate, in length of one document, and of the paired bootstrap.

    python -m benchmarks.score

Needs the extra `oracles`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import NamedTuple

from benchmarks.common import alternate, print_table
from nerquake.core.results import SCHEME_NAMES, Predictions
from nerquake.core.scheme import IOB2
from nerquake.core.sentence import Sentence
from nerquake.core.span import Span
from nerquake.score.count import count
from nerquake.score.metrics import averages, rates, totals, type_totals
from nerquake.stats.compare import compare

SENTENCES, RUNS = 20_000, 5
DOCUMENT = 160_000
LABELS = (
    "PERSON", "ORG", "GPE", "LOC", "FAC", "NORP", "EVENT", "LAW", "PRODUCT", "WORK_OF_ART", "LANGUAGE",
)  # fmt: skip


class Data(NamedTuple):
    """Gold and one system's answers as mentions and as IOB2 tags."""

    gold: list[Sentence]
    answers: Predictions
    gold_tags: list[list[str]]
    answer_tags: list[list[str]]


def random_spans(random: Random, size: int) -> tuple[Span, ...]:
    """About two mentions in twenty tokens, a third of the sentences without any."""
    spans: list[Span] = []
    at = random.randrange(12)
    while at < size:
        end = min(size, at + random.choice((1, 1, 1, 2, 2, 3)))
        spans.append(Span(at, end, random.choice(LABELS)))
        at = end + random.choice((0, 2, 5, 9, 14))
    return tuple(spans) if random.random() < 0.67 or size > 1000 else ()


def disturbed(random: Random, gold: tuple[Span, ...], size: int, labels: Sequence[str] = LABELS) -> tuple[Span, ...]:
    """Seven in ten mentions right; the others renamed, cut, grown, lost; some false alarms."""
    spans: list[Span] = []
    end = 0
    for span in gold or random_spans(random, size)[: random.random() < 0.1]:
        start, stop, label = span.start, span.end, span.label
        fault = random.random()
        if fault < 0.08:
            continue
        if fault < 0.18:
            label = random.choice(labels)
        elif fault < 0.3:
            start, stop = max(0, start - random.randrange(2)), min(size, stop + random.randrange(3))
        if max(start, end) < stop:
            spans.append(Span(max(start, end), stop, label))
            end = stop
    return tuple(spans)


def make(sizes: list[int], seed: int) -> Data:
    """Sentences of these numbers of tokens."""
    random = Random(seed)
    gold = [Sentence(f"s{n}", ("w",) * size, random_spans(random, size)) for n, size in enumerate(sizes)]
    return answered(gold, seed + 1)


def answered(gold: list[Sentence], seed: int) -> Data:
    """One system's answers to these sentences."""
    random = Random(seed)
    spans = tuple(disturbed(random, sentence.spans, len(sentence)) for sentence in gold)
    answers = Predictions("model", tuple(s.id for s in gold), spans, ((),) * len(gold))
    return Data(
        gold,
        answers,
        [IOB2.encode(sentence.spans, len(sentence)) for sentence in gold],
        [IOB2.encode(found, len(sentence)) for found, sentence in zip(spans, gold, strict=True)],
    )


def figures(gold: list[Sentence], answers: Predictions) -> float | None:
    """Counts, all four schemes overall and per type, averages."""
    table = count(gold, answers)
    summed = totals(table)
    found = [rates(summed, scheme) for scheme in SCHEME_NAMES]
    for counts in type_totals(table).values():
        for scheme in SCHEME_NAMES:
            rates(counts, scheme)
    averages(table)
    return found[0].f1


def figures_from_tags(data: Data) -> float | None:
    """The same, beginning with tag sequences as seqeval does."""
    gold = [
        Sentence(old.id, old.tokens, IOB2.decode(tags))
        for old, tags in zip(data.gold, data.gold_tags, strict=True)
    ]  # fmt: skip
    spans = tuple(IOB2.decode(tags) for tags in data.answer_tags)
    return figures(gold, Predictions("model", data.answers.ids, spans, data.answers.unseen))


def seqeval_strict(data: Data) -> Callable[[], object]:
    """seqeval's strict report on tags."""
    from seqeval.metrics import classification_report
    from seqeval.scheme import IOB2 as SEQEVAL_IOB2

    return lambda: classification_report(
        data.gold_tags, data.answer_tags, mode="strict", scheme=SEQEVAL_IOB2, output_dict=True, zero_division=0
    )


def nervaluate_all(data: Data) -> Callable[[], object]:
    """nervaluate's four schemes, overall and per type, on mentions."""
    from nervaluate import Evaluator

    def as_dicts(spans: tuple[Span, ...]) -> list[dict[str, object]]:
        return [{"label": span.label, "start": span.start, "end": span.end - 1} for span in spans]

    gold = [as_dicts(sentence.spans) for sentence in data.gold]
    predicted = [as_dicts(spans) for spans in data.answers.spans]
    return lambda: Evaluator(gold, predicted, tags=list(LABELS), loader="dict").evaluate()


def against_others(data: Data) -> None:
    """Our figures, from mentions and from tags, against both libraries."""
    strict, other = seqeval_strict(data), nervaluate_all(data)
    report = strict()
    ours = figures(data.gold, data.answers)
    print(f"strict micro F1: nerquake {ours}, seqeval {report['micro avg']['f1-score']}")  # type: ignore[index]
    medians = alternate(
        {
            "nerquake, from mentions": lambda: figures(data.gold, data.answers),
            "nerquake, from tags": lambda: figures_from_tags(data),
            "seqeval strict": strict,
            "nervaluate": other,
        },
        RUNS,
    )
    print_table(f"{len(data.gold):,} sentences, all four schemes and types", medians, "nerquake, from mentions")
    print(f"  from tags: seqeval takes {medians['seqeval strict'] / medians['nerquake, from tags']:.2f} times as long")


def in_length() -> None:
    """One document, half of it and a quarter: twice the length should take twice the time."""
    documents = {size: make([size], 7) for size in (DOCUMENT // 4, DOCUMENT // 2, DOCUMENT)}
    steps = {
        f"{size:,} tokens": lambda data=data: figures(data.gold, data.answers)  # type: ignore[misc]
        for size, data in documents.items()
    }
    print_table("one document", alternate(steps, RUNS), f"{DOCUMENT // 4:,} tokens")


def paired(data: Data) -> None:
    """1,000 paired resamples and the randomisation test against one strict scoring by seqeval."""
    a = count(data.gold, data.answers)
    b = count(data.gold, answered(data.gold, 99).answers)
    medians = alternate(
        {"paired bootstrap and test, 1,000 resamples": lambda: compare(a, b), "seqeval strict": seqeval_strict(data)},
        RUNS,
    )
    print_table(f"{len(data.gold):,} sentences, original against attacked", medians, "seqeval strict")


def main() -> None:
    """Print all tables."""
    random = Random(0)
    data = make([random.randint(5, 35) for _ in range(SENTENCES)], 1)
    tokens = sum(map(len, data.gold))
    print(f"{SENTENCES:,} sentences, {tokens:,} tokens, {sum(len(s.spans) for s in data.gold):,} gold mentions")
    against_others(data)
    in_length()
    paired(data)


if __name__ == "__main__":
    main()
