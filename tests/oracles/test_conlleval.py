"""Reading tags by the rule of the CoNLL-2000 evaluation script, written down a second time.

The script decides for every two neighbouring tags whether a mention ends after the first and whether one begins at the
second. Here that is a table over both prefixes and one flag, filled from its documentation.
"""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.oracles.sampling import random_tags
from tests.score.strategies import predictions_of, sentences_of

from nerquake.core.scheme import IOB2, chunks
from nerquake.score.count import count
from nerquake.score.metrics import rates, totals, type_totals

SEEDS = st.integers(0, 2**32)
ENDS = {"BB", "BO", "IB", "IO", "EE", "EI", "EO", "EB"}
"""Pairs of prefixes between which a mention ends even if the label stays."""
BEGINS = {"BB", "IB", "OB", "EB", "EE", "EI", "OE", "OI"}
"""Pairs of prefixes between which a mention begins even if the label stays."""


def conlleval_chunks(tags: list[str]) -> list[tuple[int, int, str]]:
    """Mentions as (start, end, label), for the prefixes B, I, E."""
    found: list[tuple[int, int, str]] = []
    before, before_label, start = "O", "", None
    for index, tag in enumerate([*tags, "O"]):
        prefix, _, label = tag.partition("-")
        other = label != before_label
        if start is not None and (before + prefix in ENDS or (before != "O" and other)):
            found.append((start, index, before_label))
            start = None
        if before + prefix in BEGINS or (prefix != "O" and other):
            start = index
        before, before_label = prefix, label
    return found


def conlleval_f1(gold: list[list[str]], predicted: list[list[str]]) -> float:
    """FB1 over all mentions as a fraction."""
    left = {(n, *span) for n, tags in enumerate(gold) for span in conlleval_chunks(tags)}
    right = {(n, *span) for n, tags in enumerate(predicted) for span in conlleval_chunks(tags)}
    correct = len(left & right)
    if not correct:
        return 0.0
    precision, recall = correct / len(right), correct / len(left)
    return 2 * precision * recall / (precision + recall)


@pytest.mark.parametrize("prefixes", ["BI", "I", "BIE", "IE"])
@settings(max_examples=40, deadline=None)
@given(seed=SEEDS)
def test_tags_are_read_as_the_script_reads_them(prefixes: str, seed: int) -> None:
    for tags in random_tags(seed, prefixes):
        assert [(span.start, span.end, span.label) for span in chunks(tags)] == conlleval_chunks(tags), tags


@settings(max_examples=40, deadline=None)
@given(seed=SEEDS)
def test_strict_f1_is_the_fb1_of_the_script(seed: int) -> None:
    gold, predicted = random_tags(seed, "BI"), random_tags(seed + 1, "BI")
    for n, tags in enumerate(gold):
        # Half of the answers follow the gold tags, so that there is something right.
        predicted[n] = tags if n % 2 else (predicted[n] * len(tags))[: len(tags)]
    table = count(sentences_of(map(chunks, gold)), predictions_of(map(chunks, predicted)))
    assert rates(totals(table), "strict").f1 == pytest.approx(conlleval_f1(gold, predicted), abs=1e-12)


@pytest.mark.parametrize(
    ("tags", "expected"),
    [
        (["I-PER", "I-PER"], [(0, 2, "PER")]),
        (["B-PER", "I-LOC", "I-LOC"], [(0, 1, "PER"), (1, 3, "LOC")]),
        (["O", "I-LOC", "B-LOC"], [(1, 2, "LOC"), (2, 3, "LOC")]),
        (["B-ORG", "B-PER"], [(0, 1, "ORG"), (1, 2, "PER")]),
    ],
)
def test_repair_by_the_rule_of_the_script(tags: list[str], expected: list[tuple[int, int, str]]) -> None:
    assert conlleval_chunks(tags) == expected
    assert [(span.start, span.end, span.label) for span in IOB2.decode(tags, "conlleval")] == expected


def test_types_of_both_sides_have_their_figures() -> None:
    table = count(sentences_of([chunks(["I-PER", "O"])]), predictions_of([chunks(["I-PER", "I-LOC"])]))
    assert {label: rates(counts, "strict").f1 for label, counts in type_totals(table).items()} == {"LOC": 0, "PER": 1}
