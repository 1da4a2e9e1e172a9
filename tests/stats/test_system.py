from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from tests.score.strategies import corpora, mentions, predictions_of, sentences_of

from nerquake.core.dataset import Dataset
from nerquake.core.errors import InputError, UsageError
from nerquake.core.results import SCHEME_NAMES, Predictions
from nerquake.core.scheme import IOB2
from nerquake.core.span import Span
from nerquake.stats.system import score_document, unseen_mentions

Corpus = list[tuple[tuple[Span, ...], tuple[Span, ...]]]
SCHEME_KEYS = {
    "correct", "incorrect", "partial", "missed", "spurious", "possible", "actual", "precision", "recall", "f1",
    "low", "high",
}  # fmt: skip


def document(corpus: list[tuple[str, str]], **options: Any) -> dict[str, Any]:
    gold = Dataset("gold.conll", tuple(sentences_of(mentions(g) for g, _ in corpus)), scheme=IOB2)
    return score_document(gold, [predictions_of(mentions(p) for _, p in corpus)], **options)


def only_system(corpus: list[tuple[str, str]], **options: Any) -> dict[str, Any]:
    found: dict[str, Any] = document(corpus, **options)["systems"][0]
    return found


def leaves(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return [leaf for item in value.values() for leaf in leaves(item)]
    if isinstance(value, list):
        return [leaf for item in value for leaf in leaves(item)]
    return [value]


@settings(max_examples=40, deadline=None)
@given(corpora(), corpora())
def test_the_document_is_strict_json_of_plain_values(corpus: Corpus, other: Corpus) -> None:
    gold = Dataset("gold", tuple(sentences_of(g for g, _ in corpus)))
    answers = [(*(p for _, p in other), *[()] * len(corpus))[: len(corpus)], [p for _, p in corpus]]
    systems = [predictions_of(answer, name) for answer, name in zip(answers, "ab", strict=True)]
    found = score_document(gold, systems, resamples=50)
    assert json.loads(json.dumps(found, allow_nan=False)) == found
    assert {type(leaf) for leaf in leaves(found)} <= {int, float, str, type(None)}


def test_the_document_has_the_keys_of_the_contract() -> None:
    found = document([("PER 0 2, LOC 3 4", "PER 0 2, ORG 3 4"), ("", "PER 1 2")])
    assert set(found) == {"format", "signature", "gold", "systems", "comparisons"}
    assert found["format"] == "nerquake.score/1"
    assert found["gold"] == {"sentences": 2, "tokens": 40, "mentions": 2, "labels": ["LOC", "PER"]}
    system = found["systems"][0]
    assert set(system) == {
        "name", "invalid_transitions", "unseen_tokens", "unseen_mentions", "entity_free", "overall", "per_type",
        "averages",
    }  # fmt: skip
    assert set(system["overall"]) == set(SCHEME_NAMES)
    assert all(set(block) == SCHEME_KEYS for block in system["overall"].values())
    assert set(system["per_type"]) == {"LOC", "ORG", "PER"}
    for block in system["per_type"].values():
        assert set(block) == {"gold", "predicted", *SCHEME_NAMES}
        assert all(set(block[scheme]) == SCHEME_KEYS for scheme in SCHEME_NAMES)
    assert set(system["averages"]) == {"macro", "weighted"}
    assert set(system["averages"]["macro"]) == {"precision", "recall", "f1", "undefined"}
    assert system["entity_free"] == {"sentences": 1, "with_false_alarms": 1}
    assert found["comparisons"] == []


def test_the_signature_says_all_that_the_figures_depend_on() -> None:
    one = document([("A 0 1", "A 0 1")], seed=5, resamples=10, level=0.9, repair="discard")["signature"]
    for part in ("nerquake:", "|scheme:iob2|", "|repair:discard|", "|metric:strict|", "|seed:5|", "|resamples:10|"):
        assert part in one
    assert one.endswith("|level:0.9")
    assert "entity-free:skip" in document([("A 0 1", "")], entity_free_rule="skip")["signature"]


@settings(max_examples=40, deadline=None)
@given(corpora())
def test_intervals_hold_their_ends_in_order_and_inside_the_unit_interval(corpus: Corpus) -> None:
    gold = Dataset("gold", tuple(sentences_of(g for g, _ in corpus)))
    system = score_document(gold, [predictions_of(p for _, p in corpus)], resamples=100)["systems"][0]
    for table in (system["overall"], *system["per_type"].values()):
        for scheme in SCHEME_NAMES:
            block = table[scheme]
            assert (block["low"] is None) == (block["high"] is None)
            assert block["f1"] is not None or block["low"] is None
            assert block["low"] is None or 0 <= block["low"] <= block["high"] <= 1


@settings(max_examples=30, deadline=None)
@given(corpora())
def test_the_order_of_sentences_changes_no_figure(corpus: Corpus) -> None:
    gold = sentences_of(g for g, _ in corpus)
    answers = predictions_of(p for _, p in corpus)
    there, back = (
        score_document(Dataset("gold", tuple(order)), [answers], resamples=50) for order in (gold, gold[::-1])
    )
    assert there == back


def test_case_16_rows_of_a_wrong_type() -> None:
    rows = only_system([("PER 3 4", "LOC 3 4")])["per_type"]
    assert (rows["PER"]["strict"]["incorrect"], rows["PER"]["exact"]["correct"]) == (1, 1)
    assert (rows["LOC"]["gold"], rows["LOC"]["predicted"]) == (0, 1)
    assert (rows["LOC"]["strict"]["precision"], rows["LOC"]["strict"]["recall"]) == (0.0, None)
    assert rows["PER"]["strict"]["possible"] == rows["PER"]["gold"] == 1
    assert rows["LOC"]["strict"]["actual"] == rows["LOC"]["predicted"] == 1


def test_case_18_nothing_and_one_false_alarm() -> None:
    nothing = only_system([("", "")])
    strict = nothing["overall"]["strict"]
    assert [strict[key] for key in ("precision", "recall", "f1", "low", "high")] == [None] * 5
    assert nothing["entity_free"] == {"sentences": 1, "with_false_alarms": 0}
    alarm = only_system([("", "PER 0 1")])
    strict = alarm["overall"]["strict"]
    assert (strict["spurious"], strict["precision"], strict["recall"], strict["f1"]) == (1, 0.0, None, 0.0)
    assert alarm["entity_free"] == {"sentences": 1, "with_false_alarms": 1}


def test_case_18_no_sentences_is_an_error() -> None:
    with pytest.raises(InputError, match="no sentences"):
        document([])


def test_entity_free_sentences_can_be_skipped_and_are_still_counted() -> None:
    corpus = [("PER 0 1", "PER 0 1"), ("", "PER 0 1"), ("", "")]
    scored, skipped = only_system(corpus), only_system(corpus, entity_free_rule="skip")
    assert (scored["overall"]["strict"]["precision"], skipped["overall"]["strict"]["precision"]) == (0.5, 1.0)
    assert scored["entity_free"] == skipped["entity_free"] == {"sentences": 2, "with_false_alarms": 1}


def test_skipped_sentences_take_no_part_in_comparisons() -> None:
    gold = Dataset("gold", tuple(sentences_of([mentions("A 0 1"), ()])))
    systems = [
        predictions_of([mentions("A 0 1"), mentions("A 3 4")], "x"),
        predictions_of([(mentions("A 0 1")), ()], "y"),
    ]
    scored, skipped = (
        score_document(gold, systems, entity_free_rule=rule)["comparisons"] for rule in ("score", "skip")
    )
    assert (scored[0]["pairs"], scored[0]["difference"]) == (2, pytest.approx(2 / 3 - 1))
    assert (skipped[0]["pairs"], skipped[0]["difference"]) == (1, 0.0)


def test_skipping_can_leave_nothing_to_score() -> None:
    strict = only_system([("", "PER 0 1")], entity_free_rule="skip")["overall"]["strict"]
    assert (strict["possible"], strict["actual"], strict["f1"], strict["low"]) == (0, 0, None, None)


def test_what_a_model_did_not_see_is_counted_in_tokens_and_mentions() -> None:
    gold = sentences_of([mentions("LOC 0 1, LOC 3 4, PER 5 7"), mentions("LOC 0 1")])
    answers = Predictions("m", ("s1", "s0"), ((), ()), ((), (4, 5, 6)), invalid=3)
    system = score_document(Dataset("gold", tuple(gold)), [answers])["systems"][0]
    assert (system["unseen_tokens"], system["unseen_mentions"], system["invalid_transitions"]) == (3, 1, 3)
    assert unseen_mentions(gold, predictions_of([(), ()])) == 0


def test_comparisons_are_corrected_as_one_family() -> None:
    gold = ["A 0 1"] * 40
    answers = {"x": gold, "y": ["A 0 1"] * 36 + [""] * 4, "z": [""] * 20 + ["A 0 1"] * 20}
    systems = [predictions_of(map(mentions, answer), name) for name, answer in answers.items()]
    found = score_document(Dataset("gold", tuple(sentences_of(map(mentions, gold)))), systems)["comparisons"]
    assert len(found) == 3
    assert all(block["p"] <= block["p_holm"] <= 1 for block in found)
    smallest = min(found, key=lambda block: block["p"])
    assert smallest["p_holm"] == pytest.approx(min(1.0, 3 * smallest["p"]))


def test_two_systems_of_one_name_are_refused() -> None:
    gold = Dataset("gold", tuple(sentences_of([()])))
    with pytest.raises(UsageError, match="two systems are called m"):
        score_document(gold, [predictions_of([()], "m"), predictions_of([()], "m")])


def test_a_level_in_percent_is_refused() -> None:
    with pytest.raises(UsageError, match="between 0 and 1"):
        document([("A 0 1", "A 0 1")], level=95)
