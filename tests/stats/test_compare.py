from __future__ import annotations

import pytest
from hypothesis import given, settings
from tests.score.strategies import corpora, mentions, predictions_of, sentences_of

from nerquake.core.errors import TokensDiffer
from nerquake.core.results import CountTable
from nerquake.core.sentence import Sentence
from nerquake.core.span import Span
from nerquake.core.variant import Status, Variant
from nerquake.score.count import count
from nerquake.score.flips import Flips
from nerquake.stats.compare import (
    apply_holm,
    apply_holm_to_results,
    compare,
    compare_models,
    pair_tables,
    paired_block,
)

Corpus = list[tuple[tuple[Span, ...], tuple[Span, ...]]]
PAIRED_KEYS = {
    "metric", "original", "attacked", "drop", "relative_drop", "low", "high", "p", "p_holm", "pairs", "dropped",
    "right_to_wrong", "wrong_to_right",
}  # fmt: skip


def table_of(golds: list[str], answers: list[str], ids: list[str] | None = None) -> CountTable:
    names = ids or [f"s{n}" for n in range(len(golds))]
    gold = [Sentence(name, ("w",) * 9, mentions(spans)) for name, spans in zip(names, golds, strict=True)]
    return count(gold, predictions_of(map(mentions, answers), ids=names))


def variants_of(*statuses: Status) -> list[Variant]:
    return [Variant(Sentence(f"s{n}~x", ("w",) * 9), f"s{n}", status) for n, status in enumerate(statuses)]


def test_case_1_dropped_sentences_leave_both_sides() -> None:
    gold = ["PER 0 1", "PER 0 1", "LOC 0 1", "LOC 0 1"]
    original = table_of(gold, ["PER 0 1"] * 4)
    attacked = table_of(gold[:2], ["PER 0 1", "LOC 0 1"], ["s0~x", "s1~x"])
    block = paired_block(original, attacked, variants_of("changed", "changed", "discarded", "discarded"), {})
    assert (block["original"], block["attacked"], block["drop"], block["relative_drop"]) == (1.0, 0.5, 0.5, 0.5)
    assert (block["pairs"], block["dropped"]) == (2, 2)
    assert set(block) == PAIRED_KEYS


@settings(max_examples=50, deadline=None)
@given(corpora())
def test_case_10_identity_has_no_drop_no_doubt_and_no_flip(corpus: Corpus) -> None:
    original = count(sentences_of(g for g, _ in corpus), predictions_of(p for _, p in corpus))
    attacked = CountTable(tuple(f"{key}~x" for key in original.ids), *_rest(original))
    variants = variants_of(*["unchanged"] * len(corpus))
    block = paired_block(original, attacked, variants, {v.parent: Flips() for v in variants})
    if original.overall.any():
        assert (block["drop"], block["low"], block["high"], block["p"]) == (0.0, 0.0, 0.0, 1.0)
    else:
        assert (block["drop"], block["low"], block["high"], block["p"]) == (None, None, None, None)
    assert (block["right_to_wrong"], block["wrong_to_right"]) == (0, 0)
    assert (block["pairs"], block["dropped"]) == (len(corpus), 0)


def _rest(table: CountTable):
    return table.overall, table.types, table.by_type


def test_identity_on_one_mention_among_many_empty_sentences_is_certain_too() -> None:
    original = table_of(["ORG 0 1", *[""] * 9], ["ORG 0 1", *[""] * 9])
    attacked = table_of(["ORG 0 1", *[""] * 9], ["ORG 0 1", *[""] * 9], [f"s{n}~x" for n in range(10)])
    block = paired_block(original, attacked, variants_of(*["unchanged"] * 10), {})
    assert (block["drop"], block["low"], block["high"], block["p"]) == (0.0, 0.0, 0.0, 1.0)


def test_changed_sentences_alone() -> None:
    gold = ["A 0 1"] * 4
    original = table_of(gold, gold)
    attacked = table_of(gold[:3], ["A 0 1", "B 0 1", "A 0 1"], ["s0~x", "s1~x", "s2~x"])
    variants = variants_of("unchanged", "changed", "not-applicable", "discarded")
    flips = {"s1": Flips(fell=(0,)), "s0": Flips(rose=(0,))}
    whole = paired_block(original, attacked, variants, flips)
    changed = paired_block(original, attacked, variants, flips, changed_only=True)
    assert (whole["pairs"], whole["dropped"], whole["right_to_wrong"], whole["wrong_to_right"]) == (3, 1, 1, 1)
    assert (changed["pairs"], changed["dropped"], changed["right_to_wrong"], changed["wrong_to_right"]) == (1, 1, 1, 0)
    assert (changed["original"], changed["attacked"], changed["drop"]) == (1.0, 0.0, 1.0)


def test_a_gain_is_a_negative_drop() -> None:
    original = table_of(["A 0 1"] * 2, ["A 0 1", ""])
    attacked = table_of(["A 0 1"] * 2, ["A 0 1"] * 2, ["s0~x", "s1~x"])
    block = paired_block(original, attacked, variants_of("changed", "changed"), {})
    assert block["drop"] == pytest.approx(2 / 3 - 1)
    assert block["relative_drop"] == pytest.approx((2 / 3 - 1) / (2 / 3))


def test_nothing_to_score_and_nothing_changed_give_none_and_no_crash() -> None:
    original, attacked = table_of(["", ""], ["", ""]), table_of(["", ""], ["", ""], ["s0~x", "s1~x"])
    variants = variants_of("unchanged", "unchanged")
    for changed_only in (False, True):
        block = paired_block(original, attacked, variants, {}, changed_only=changed_only)
        undefined = ("original", "attacked", "drop", "relative_drop", "low", "high", "p", "p_holm")
        assert all(block[key] is None for key in undefined)
        assert block["pairs"] == (0 if changed_only else 2)


def test_a_relative_drop_from_zero_is_undefined() -> None:
    original = table_of(["A 0 1"], [""])
    block = paired_block(original, table_of(["A 0 1"], [""], ["s0~x"]), variants_of("changed"), {})
    assert (block["original"], block["drop"], block["relative_drop"]) == (0.0, 0.0, None)


def test_tables_are_paired_by_id_not_by_position() -> None:
    gold = ["A 0 1", "B 0 1"]
    original = table_of(gold, gold)
    attacked = table_of(gold[::-1], gold[::-1], ["s1~x", "s0~x"])
    tables = pair_tables(original, attacked, variants_of("changed", "changed"))
    assert tables.attacked.ids == ("s0~x", "s1~x")
    assert compare(tables.original, tables.attacked).difference == 0.0


def test_a_kept_variant_that_was_not_scored_is_named() -> None:
    original = table_of(["", ""], ["", ""])
    with pytest.raises(TokensDiffer, match="attacked set: s1~x"):
        pair_tables(original, table_of([""], [""], ["s0~x"]), variants_of("changed", "unchanged"))
    with pytest.raises(TokensDiffer, match="original set: s1"):
        pair_tables(original.rows([0]), table_of(["", ""], ["", ""], ["s0~x", "s1~x"]), variants_of(*["changed"] * 2))


def test_the_interval_of_a_drop_holds_the_drop_on_plain_data() -> None:
    gold = ["A 0 1"] * 200
    answers = ["A 0 1"] * 150 + [""] * 50
    block = paired_block(
        table_of(gold, gold), table_of(gold, answers, [f"s{n}~x" for n in range(200)]),
        variants_of(*["changed"] * 200), {},
    )  # fmt: skip
    assert 0 < block["low"] < block["drop"] < block["high"] < 1
    assert block["p"] == 1 / 1001


def test_every_two_models_are_compared_once() -> None:
    gold = ["A 0 1"] * 3
    tables = {name: table_of(gold, answer) for name, answer in {"x": gold, "y": ["A 0 1", "", ""], "z": gold}.items()}
    found = compare_models(tables)
    assert [(block["a"], block["b"]) for block in found] == [("x", "y"), ("x", "z"), ("y", "z")]
    assert [block["difference"] for block in found] == [0.5, 0.0, -0.5]
    assert (found[1]["p"], found[1]["low"], found[1]["high"], found[1]["pairs"]) == (1.0, 0.0, 0.0, 3)
    assert set(found[0]) == {"a", "b", "difference", "low", "high", "p", "p_holm", "pairs"}


def test_models_on_different_sentences_are_not_compared() -> None:
    with pytest.raises(TokensDiffer, match="x and y"):
        compare_models({"x": table_of(["", ""], ["", ""]), "y": table_of([""], [""])})


def test_holm_is_applied_within_each_family() -> None:
    results = [
        {"set": "original"},
        {"set": "a", "paired": {"p": 0.01}, "paired_changed": {"p": 0.5}},
        {"set": "b", "paired": {"p": 0.04}, "paired_changed": {"p": None}},
    ]
    done = apply_holm_to_results(results)
    assert [result.get("paired", {}).get("p_holm") for result in done] == [None, 0.02, 0.04]
    assert [result.get("paired_changed", {}).get("p_holm") for result in done] == [None, 0.5, None]
    assert "p_holm" not in results[1]["paired"]  # type: ignore[operator]
    assert [block["p_holm"] for block in apply_holm([{"p": 0.03}, {"p": 0.2}])] == [0.06, 0.2]
