import json
from typing import Any

import pytest
from tests.report.example import Names, example

from nerquake.analyse.findings import EXAMPLES, findings
from nerquake.analyse.labels import label_scores
from nerquake.core.dataset import Dataset
from nerquake.core.results import Predictions
from nerquake.core.sentence import Sentence
from nerquake.core.span import Span
from nerquake.core.variant import ORIGINAL, AttackedSet, Variant


@pytest.fixture(scope="module")
def data() -> Any:
    return example(Names(), 120).data


def block_of(data: Any, tagger: str, name: str) -> Any:
    return next(block for block in data["results"] if (block["tagger"], block["set"]) == (tagger, name))


def test_findings_are_plain_json(data: Any) -> None:
    assert json.loads(json.dumps(data["findings"], allow_nan=False)) == data["findings"]


def test_flips_agree_with_the_paired_figures(data: Any) -> None:
    assert len(data["findings"]["flips"]) == 6
    for row in data["findings"]["flips"]:
        paired = block_of(data, row["tagger"], row["set"])["paired"]
        assert (row["fell"], row["rose"]) == (paired["right_to_wrong"], paired["wrong_to_right"])
        for key in ("mentions", "right", "fell", "rose"):
            assert row[key] == sum(counts[key] for counts in row["by_label"].values())
        assert row["fell"] <= row["right"] <= row["mentions"]


def test_mentions_that_were_right_are_the_correct_ones_where_nothing_was_discarded(data: Any) -> None:
    row = data["findings"]["flips"][0]
    assert row["set"] == "swap"
    assert row["right"] == block_of(data, row["tagger"], ORIGINAL)["overall"]["strict"]["correct"]


def test_labels_equal_the_scores_where_nothing_was_discarded(data: Any) -> None:
    rows = [row for row in data["findings"]["labels"] if row["set"] == "swap"]
    assert rows
    for row in rows:
        for side, name in (("original", ORIGINAL), ("attacked", "swap")):
            scored = block_of(data, row["tagger"], name)["per_type"][row["label"]]
            assert row[side]["strict"] == scored["strict"]["f1"]
            assert row[side]["exact"] == scored["exact"]["f1"]
        assert row["support"] == block_of(data, row["tagger"], ORIGINAL)["per_type"][row["label"]]["gold"]


def test_labels_cover_the_same_sentences_on_both_sides_where_some_were_discarded() -> None:
    # case 1, by label: the original's score over all four sentences is 0.5, over the two that were kept 1.0
    labels = ("PER", "PER", "LOC", "LOC")
    sentences = tuple(Sentence(f"s{i}", ("x",), (Span(0, 1, label),)) for i, label in enumerate(labels))
    variants = tuple(
        Variant(Sentence(f"{s.id}~p", ("y",), s.spans), s.id, "changed", mentions=(0,))
        if s.spans[0].label == "PER"
        else Variant(s, s.id, "discarded", "lost")
        for s in sentences
    )
    person, place = (Span(0, 1, "PER"),), (Span(0, 1, "LOC"),)
    said = {
        ("m", ORIGINAL): Predictions("m", tuple(s.id for s in sentences), (person,) * 4, ((),) * 4),
        ("m", "p"): Predictions("m", ("s0~p", "s1~p"), (person, place), ((), ())),
    }
    rows = {
        row["label"]: row
        for row in label_scores(Dataset("d", sentences), [AttackedSet("p", "p", "both", variants)], said)
    }
    assert rows["PER"]["original"]["strict"] == 1.0
    assert rows["PER"]["support"] == 2
    assert rows["PER"]["drop"] == pytest.approx(1 / 3)
    assert rows["LOC"]["drop"] is None


def test_skipping_entity_free_sentences_leaves_their_false_alarms_out_of_the_label_scores() -> None:
    sentences = (Sentence("a", ("x",), (Span(0, 1, "PER"),)), Sentence("b", ("x",)))
    same = tuple(
        Variant(Sentence(f"{s.id}~i", s.tokens, s.spans), s.id, "unchanged", "no", mentions=tuple(range(len(s.spans))))
        for s in sentences
    )
    person = (Span(0, 1, "PER"),)
    said = {
        ("m", ORIGINAL): Predictions("m", ("a", "b"), (person, person), ((), ())),
        ("m", "i"): Predictions("m", ("a~i", "b~i"), (person, person), ((), ())),
    }
    inputs = (Dataset("d", sentences), [AttackedSet("i", "i", "none", same)], said)
    (scored,), (skipped,) = label_scores(*inputs), label_scores(*inputs, "skip")
    assert scored["original"]["strict"] == pytest.approx(2 / 3)
    assert skipped["original"]["strict"] == 1.0


def test_examples_are_changed_sentences_in_file_order_and_depend_on_the_seed() -> None:
    result = example(Names(), 120)
    data = Dataset("d", tuple(Sentence(v.parent, v.sentence.tokens, v.sentence.spans) for v in result.sets[0].variants))
    drawn = {}
    for seed in (1, 1, 2):
        found = findings(data, result.sets[:1], {}, [], method={}, seed=seed)["sets"]["swap"]["examples"]
        ids = [one["parent"] for one in found]
        assert ids == sorted(ids)
        assert len(ids) == EXAMPLES
        assert drawn.setdefault(seed, ids) == ids
    assert drawn[1] != drawn[2]


def test_sentence_counts_equal_the_cases() -> None:
    result = example(Names(), 120)
    found = result.data["findings"]["sentences"]
    flipped = [case for case in result.cases if case.flipped]
    assert found["cases"] == len(flipped)
    for name, number in found["fell"].items():
        assert number == sum(case.set == name and any(case.fell.values()) for case in flipped)
    fell = [row["fell"] for row in found["most_fallen"]]
    assert fell == sorted(fell, reverse=True)


def test_an_audit_without_attacks_has_empty_findings() -> None:
    found = findings(Dataset("d", (Sentence("a", ("x",)),)), [], {}, [], method={"command": "c"}, seed=0)
    assert (found["labels"], found["flips"], found["sets"]) == ([], [], {})
    assert found["sentences"] == {"cases": 0, "fell": {}, "most_fallen": []}
    assert found["method"]["command"] == "c"


def test_a_set_that_keeps_no_sentence_does_not_stop_the_rest() -> None:
    sentence = Sentence("a", ("x",), (Span(0, 1, "PER"),))
    gone = AttackedSet("p", "p", "both", (Variant(sentence, "a", "discarded", "lost"),))
    said = {
        ("m", ORIGINAL): Predictions("m", ("a",), ((),), ((),)),
        ("m", "p"): Predictions("m", (), (), ()),
    }
    found = findings(Dataset("d", (sentence,)), [gone], said, [], method={}, seed=0)
    assert found["labels"] == []
    assert found["flips"][0]["mentions"] == 0
