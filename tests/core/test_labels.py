"""Joining the labels of gold and predictions."""

from __future__ import annotations

import shlex
from collections import Counter

import pytest

from nerquake.core.dataset import Dataset
from nerquake.core.errors import LabelsDiffer, UsageError
from nerquake.core.labels import LABEL_SETS, JoinedLabels, LabelRules, relabel
from nerquake.core.sentence import Sentence
from nerquake.core.span import Span


def gold(*labels: str) -> Dataset:
    spans = tuple(Span(i, i + 1, label) for i, label in enumerate(labels))
    return Dataset("gold.conll", (Sentence("s1", ("x",) * (len(labels) + 1), spans),))


def spans(*labels: str) -> tuple[Span, ...]:
    return tuple(Span(i, i + 1, label) for i, label in enumerate(labels))


def names(found: tuple[Span, ...]) -> list[str]:
    return [span.label for span in found]


def test_rename_drop_and_restrict_gold() -> None:
    rules = LabelRules.parse(labels="PER,LOC", renames="PERSON=PER,DATE=")
    made = relabel(gold("PERSON", "DATE", "ORG", "LOC"), rules)
    assert names(made.dataset.sentences[0].spans) == ["PER", "LOC"]
    assert made.left_out == {"DATE": 1, "ORG": 1}


def test_a_label_may_be_named_before_or_after_renaming() -> None:
    for labels in ("PERSON", "PER"):
        assert LabelRules.parse(labels, "PERSON=PER").target("PERSON") == "PER"


def test_two_labels_may_become_one_and_touching_mentions_stay_two() -> None:
    made = relabel(gold("GPE", "FAC"), LabelRules.parse(renames="GPE=LOC,FAC=LOC"))
    assert made.dataset.sentences[0].spans == (Span(0, 1, "LOC"), Span(1, 2, "LOC"))


def test_renaming_is_one_step_so_that_labels_can_trade_places() -> None:
    made = relabel(gold("A", "B"), LabelRules.parse(renames="A=B,B=A"))
    assert names(made.dataset.sentences[0].spans) == ["B", "A"]


def test_rules_without_choices_change_nothing() -> None:
    one = gold("PER")
    assert LabelRules().idle
    assert relabel(one, LabelRules()).dataset is one


def test_named_sets_mix_with_labels() -> None:
    rules = LabelRules.parse("conll, DATE ,ORG")
    assert rules.only == ("PER", "LOC", "ORG", "MISC", "DATE")
    assert len(LABEL_SETS["ontonotes-names"]) == 11


@pytest.mark.parametrize("text", ["PERSON = PER, DATE=", " PERSON=PER ,DATE= ", "PERSON=PER,,DATE="])
def test_blanks_around_names_are_no_part_of_them(text: str) -> None:
    assert LabelRules.parse(renames=text).renames == (("PERSON", "PER"), ("DATE", ""))


@pytest.mark.parametrize(
    ("renames", "message"),
    [("PERSON", "'PERSON' is not OLD=NEW"), ("=PER", "is not OLD=NEW"), ("A=B,A=C", "a label is mapped twice")],
)
def test_a_wrong_map_is_a_usage_error(renames: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        LabelRules.parse(renames=renames)


def test_rules_that_leave_nothing_of_gold_stop() -> None:
    with pytest.raises(UsageError, match=r"gold\.conll has the labels LOC, PER; --labels and --map leave none"):
        relabel(gold("PER", "LOC"), LabelRules.parse("person"))


def test_gold_without_mentions_can_be_restricted() -> None:
    assert relabel(gold(), LabelRules.parse("PER")).left_out == {}


def test_the_score_of_a_renamed_mention_stays() -> None:
    made = LabelRules.parse(renames="A=B").apply([Span(0, 1, "A", 0.7)], Counter())
    assert made[0].score == 0.7


def test_stop_names_both_sets() -> None:
    join = JoinedLabels.of(LabelRules(), {"PER", "LOC"}, "spacy:en")
    with pytest.raises(LabelsDiffer) as caught:
        join.check(["PERSON", "GPE", "LOC", "CARDINAL"])
    message = str(caught.value)
    assert message.startswith("spacy:en has labels that the gold set does not have: CARDINAL, GPE, PERSON\n")
    assert "gold:      LOC, PER\n" in message
    assert "predicted: CARDINAL, GPE, LOC, PERSON\n" in message
    assert "  --map CARDINAL=,GPE=LOC,PERSON=PER --unmapped drop\n" in message


@pytest.mark.parametrize(
    ("known", "predicted"),
    [
        ({"PER", "LOC", "ORG", "MISC"}, ["PERSON", "GPE", "NORP", "WORK_OF_ART"]),
        ({"person", "creative-work", "corporation"}, ["PER", "CW", "CORP", "PROD"]),
        ({"MY LABEL", "per"}, ["Per", "it's", "$x", "a b"]),
    ],
)
def test_the_line_in_the_message_can_be_pasted(known: set[str], predicted: list[str]) -> None:
    with pytest.raises(LabelsDiffer) as caught:
        JoinedLabels.of(LabelRules(), known, "x").check(predicted)
    line = next(line for line in str(caught.value).splitlines() if "--map" in line)
    flag, value, unmapped, drop = shlex.split(line)
    assert (flag, unmapped, drop) == ("--map", "--unmapped", "drop")
    pasted = LabelRules.parse(renames=value)
    assert {old for old, _ in pasted.renames} == set(predicted)
    assert {new for _, new in pasted.renames} - {""} <= known
    JoinedLabels.of(pasted, known, "x").check(predicted)


def test_a_dropped_or_restricted_label_does_not_stop() -> None:
    JoinedLabels.of(LabelRules.parse(renames="DATE="), {"PER"}, "x").check(["PER", "DATE"])
    JoinedLabels.of(LabelRules.parse("PER"), {"PER"}, "x").check(["PER", "DATE"])


def test_a_label_that_only_the_restriction_names_is_allowed() -> None:
    JoinedLabels.of(LabelRules.parse("PER,LOC"), {"PER"}, "x").check(["LOC"])


def test_keep_scores_strange_labels_as_they_are() -> None:
    join = JoinedLabels.of(LabelRules.parse(unmapped="keep", renames="PERSON=PER"), {"PER"}, "x")
    assert names(join.apply(spans("PERSON", "DATE"))) == ["PER", "DATE"]
    assert join.left_out == {}


def test_drop_counts_what_it_leaves_out_by_the_label_predicted() -> None:
    join = JoinedLabels.of(LabelRules.parse(unmapped="drop", renames="PERSON=PER,TIME="), {"PER"}, "x")
    assert names(join.apply(spans("PERSON", "DATE", "TIME", "DATE"))) == ["PER"]
    assert join.left_out == {"DATE": 2, "TIME": 1}


def test_restriction_and_map_count_on_the_predicted_side_too() -> None:
    join = JoinedLabels.of(LabelRules.parse("PER", "TIME="), {"PER"}, "x")
    assert names(join.apply(spans("PER", "LOC", "TIME"))) == ["PER"]
    assert join.left_out == {"LOC": 1, "TIME": 1}


@pytest.mark.parametrize("unmapped", ["stop", "keep", "drop"])
def test_gold_without_labels_joins_everything(unmapped: str) -> None:
    """Case 18: all gold O, one prediction, one false alarm."""
    join = JoinedLabels.of(LabelRules.parse(unmapped=unmapped), (), "x")  # type: ignore[arg-type]
    assert names(join.apply(spans("PER"))) == ["PER"]
    assert join.left_out == {}
