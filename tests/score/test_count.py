from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.score.strategies import corpora, mentions, predictions_of, sentences_of

from nerquake.core.errors import InputError, TokensDiffer
from nerquake.core.results import KINDS, CountTable
from nerquake.core.scheme import BILOU, IOB2
from nerquake.core.sentence import Sentence
from nerquake.core.span import Span
from nerquake.score.count import MISSED, PREDICTED, SAME, align, count
from nerquake.score.match import pair
from nerquake.score.metrics import rates

Corpus = list[tuple[tuple[Span, ...], tuple[Span, ...]]]


def table_of(corpus: Corpus, types: list[str] | None = None) -> CountTable:
    return count(sentences_of(g for g, _ in corpus), predictions_of(p for _, p in corpus), types)


def row(table: CountTable, label: str) -> dict[str, int]:
    """The summed counts of a type by kind, zeros left out."""
    values = table.by_type[:, table.types.index(label)].sum(axis=0)
    return {kind: int(value) for kind, value in zip(KINDS, values, strict=True) if value}


def overall(table: CountTable) -> dict[str, int]:
    return {kind: int(value) for kind, value in zip(KINDS, table.overall.sum(axis=0), strict=True) if value}


def by_hand(corpus: Corpus) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """The tables filled cell by cell from the pairing."""
    whole = np.zeros((len(corpus), 7), dtype=np.int64)
    types: dict[str, np.ndarray] = {}

    def add(n: int, label: str, kind: str) -> None:
        whole[n, KINDS.index(kind)] += 1
        types.setdefault(label, np.zeros_like(whole))[n, KINDS.index(kind)] += 1

    for n, (gold, predicted) in enumerate(corpus):
        pairs = pair(gold, predicted)
        for g, p in pairs:
            same, alike = gold[g].same_range(predicted[p]), gold[g].label == predicted[p].label
            add(n, gold[g].label, {(1, 1): "same", (1, 0): "clash", (0, 1): "overlap", (0, 0): "astray"}[same, alike])
        for index in set(range(len(gold))) - {g for g, _ in pairs}:
            add(n, gold[index].label, "missed")
        for index in set(range(len(predicted))) - {p for _, p in pairs}:
            add(n, predicted[index].label, "spurious")
        for span in predicted:
            add(n, span.label, "predicted")
    return whole, types


@settings(max_examples=100, deadline=None)
@given(corpora())
def test_the_tables_hold_what_the_pairing_says(corpus: Corpus) -> None:
    table = table_of(corpus)
    whole, types = by_hand(corpus)
    assert table.types == tuple(sorted(types))
    assert np.array_equal(table.overall, whole)
    for index, label in enumerate(table.types):
        assert np.array_equal(table.by_type[:, index], types[label])


@settings(max_examples=80, deadline=None)
@given(corpora())
def test_counts_add_up_to_gold_and_predicted_mentions(corpus: Corpus) -> None:
    table = table_of(corpus)
    gold = [span.label for side, _ in corpus for span in side]
    predicted = [span.label for _, side in corpus for span in side]
    total = table.overall.sum(axis=0)
    assert total[SAME : MISSED + 1].sum() == len(gold)
    assert total[[0, 1, 2, 3, 5]].sum() == total[PREDICTED] == len(predicted)
    for index, label in enumerate(table.types):
        of_type = table.by_type[:, index].sum(axis=0)
        assert of_type[SAME : MISSED + 1].sum() == gold.count(label)
        assert of_type[PREDICTED] == predicted.count(label)
    assert np.array_equal(table.by_type.sum(axis=1), table.overall)


@settings(max_examples=60, deadline=None)
@given(corpora(), st.sampled_from("ABC"))
def test_restricting_the_report_to_a_type_changes_none_of_its_counts(corpus: Corpus, label: str) -> None:
    whole, part = table_of(corpus), table_of(corpus, [label])
    assert part.types == (label,)
    assert np.array_equal(part.overall, whole.overall)
    expected = whole.by_type[:, whole.types.index(label)] if label in whole.types else 0
    assert np.array_equal(part.by_type[:, 0], np.zeros((len(corpus), 7)) + expected)


@settings(max_examples=60, deadline=None)
@given(corpora(), st.randoms(use_true_random=False))
def test_answers_are_joined_by_id_not_by_position(corpus: Corpus, random: object) -> None:
    order = list(range(len(corpus)))
    random.shuffle(order)  # type: ignore[attr-defined]
    shuffled = predictions_of([corpus[n][1] for n in order], ids=[f"s{n}" for n in order])
    found = count(sentences_of(g for g, _ in corpus), shuffled)
    assert np.array_equal(found.overall, table_of(corpus).overall)
    assert found.ids == tuple(f"s{n}" for n in range(len(corpus)))


def test_a_lost_and_an_extra_answer_are_both_named() -> None:
    gold = sentences_of([(), ()])
    with pytest.raises(TokensDiffer, match=r"1 gold sentences have no answer \(s1\) and 1 answers .* \(x\)"):
        count(gold, predictions_of([(), ()], ids=["s0", "x"]))


def test_fewer_answers_than_sentences_are_refused() -> None:
    with pytest.raises(TokensDiffer, match="s1, s2"):
        count(sentences_of([(), (), ()]), predictions_of([()]))


def test_an_id_that_stands_twice_is_refused() -> None:
    with pytest.raises(TokensDiffer, match="twice"):
        align(sentences_of([(), ()]), predictions_of([(), ()], ids=["s0", "s0"]))


def test_aligning_moves_unseen_tokens_with_their_sentence() -> None:
    answers = predictions_of([(), ()], ids=["s1", "s0"])
    moved = align(sentences_of([(), ()]), type(answers)("m", answers.ids, answers.spans, ((3,), ()), invalid=2))
    assert (moved.ids, moved.unseen, moved.invalid) == (("s0", "s1"), ((), (3,)), 2)


def test_no_sentences_is_an_error() -> None:
    with pytest.raises(InputError, match="no sentences"):
        count([], predictions_of([]))


def test_a_set_without_any_mention_has_no_types() -> None:
    table = table_of([((), ()), ((), ())])
    assert table.types == ()
    assert table.by_type.shape == (2, 0, 7)
    assert not table.overall.any()


# The cases by number, see CASES.md.


def test_case_8_bilou_gold_is_two_mentions_and_the_long_prediction_is_wrong() -> None:
    gold, predicted = BILOU.decode(["B-X", "L-X", "U-X"]), IOB2.decode(["B-X", "I-X", "I-X"])
    table = table_of([(gold, predicted)])
    assert (len(gold), predicted) == (2, (Span(0, 3, "X"),))
    assert rates(table.overall.sum(axis=0), "strict").f1 == 0.0


FOUR = {
    "9a": ("A 0 12, B 14 17", "A 0 17", [(0, 1, 0, 1, 0), (0, 1, 0, 1, 0), (0, 0, 1, 1, 0), (1, 0, 0, 1, 0)]),
    "9b": (
        "PER 1 3, PER 3 11",
        "PER 1 3, PER 3 6, PER 6 11",
        [(1, 1, 0, 0, 1), (1, 1, 0, 0, 1), (1, 0, 1, 0, 1), (2, 0, 0, 0, 1)],
    ),
}


@pytest.mark.parametrize("case", FOUR)
@pytest.mark.parametrize("reverse", [False, True])
def test_case_9_overlap_counts_whatever_the_order(case: str, reverse: bool) -> None:
    gold, predicted, expected = FOUR[case]
    answer = mentions(predicted)[::-1] if reverse else mentions(predicted)
    total = table_of([(mentions(gold), answer)]).overall.sum(axis=0)
    found = [rates(total, scheme) for scheme in ("strict", "exact", "partial", "type")]
    assert [(r.correct, r.incorrect, r.partial, r.missed, r.spurious) for r in found] == expected


def test_case_16_a_wrong_type_is_charged_to_the_gold_type() -> None:
    table = table_of([(mentions("PER 3 4"), mentions("LOC 3 4"))])
    assert table.types == ("LOC", "PER")
    assert row(table, "PER") == {"clash": 1}
    assert row(table, "LOC") == {"predicted": 1}
    assert overall(table) == {"clash": 1, "predicted": 1}


def test_case_17_repair_decides_about_an_ill_formed_prediction() -> None:
    gold, tags = IOB2.decode(["B-PER", "I-PER"]), ["I-PER", "I-PER"]
    f1 = {
        repair: rates(table_of([(gold, IOB2.decode(tags, repair))]).overall.sum(axis=0), "strict").f1
        for repair in ("conlleval", "discard")
    }
    assert f1 == {"conlleval": 1.0, "discard": 0.0}
    assert len(IOB2.violations(tags)) == 1


@pytest.mark.parametrize("labels", [("ORG", "PER"), ("PER", "PER")])
def test_case_20_adjacent_mentions_are_counted_one_by_one(labels: tuple[str, str]) -> None:
    spans = (Span(0, 1, labels[0]), Span(1, 2, labels[1]))
    assert overall(table_of([(spans, spans)])) == {"same": 2, "predicted": 2}
    merged = (Span(0, 2, labels[0]),)
    assert overall(table_of([(spans, merged)])) == {"overlap": 1, "missed": 1, "predicted": 1}


def test_sentences_need_not_be_in_a_list() -> None:
    sentence = Sentence("s0", ("Bonn",), mentions("LOC 0 1"))
    assert overall(count((sentence,), predictions_of([mentions("LOC 0 1")]))) == {"same": 1, "predicted": 1}
