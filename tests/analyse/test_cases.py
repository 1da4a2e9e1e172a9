from dataclasses import replace

import pytest
from tests.report.example import Names, example

from nerquake.analyse.cases import build_cases, edit_record
from nerquake.core.dataset import Dataset
from nerquake.core.edits import Edit, apply_edits
from nerquake.core.results import Predictions
from nerquake.core.sentence import Sentence
from nerquake.core.span import Span
from nerquake.core.variant import AttackedSet, Variant

LOC = Span(2, 3, "LOC")
FIRST = Sentence("s1", ("blunder", "by", "Syria"), (LOC,), meta=(("domain", "news"),))
SECOND = Sentence("s2", ("back", "in", "Bonn"), (LOC,))
DATA = Dataset("d", (FIRST, SECOND))


def variant(parent: Sentence, new: str) -> Variant:
    edits = (Edit(2, 3, tuple(new.split()), "mention", (("from", "s9"),)),)
    made = apply_edits(parent, edits, f"{parent.id}~swap")
    return Variant(made.sentence, parent.id, "changed", "", edits, None, made.mentions, 1, 1)


SWAP = AttackedSet("swap", "swap", "entity", (variant(FIRST, "New Delhi"), variant(SECOND, "Paris")))


def answers(*spans: tuple[Span, ...], suffix: str = "") -> Predictions:
    return Predictions("m", (f"s1{suffix}", f"s2{suffix}"), spans, ((), ()))


def test_a_case_holds_both_texts_the_edits_and_what_each_model_said() -> None:
    said = {
        ("m", "original"): answers((LOC,), (LOC,)),
        ("m", "swap"): answers((Span(2, 3, "LOC"),), (LOC,), suffix="~swap"),
    }
    (case,) = build_cases(DATA, [SWAP], said)
    assert (case.set, case.parent, case.id) == ("swap", "s1", "s1~swap")
    assert case.attacked == ("blunder", "by", "New", "Delhi")
    assert case.attacked_spans == (Span(2, 4, "LOC"),)
    assert case.fell == {"m": (0,)}
    assert case.rose == {"m": ()}
    assert case.predicted["m"] == ((LOC,), (Span(2, 3, "LOC"),))
    assert case.edits[0]["old"] == ["Syria"]
    assert case.edits[0]["source"] == {"from": "s9"}
    assert case.meta == {"domain": "news"}


def test_a_rise_alone_makes_a_case() -> None:
    said = {
        ("m", "original"): answers((), (LOC,)),
        ("m", "swap"): answers((Span(2, 4, "LOC"),), (LOC,), suffix="~swap"),
    }
    (case,) = build_cases(DATA, [SWAP], said)
    assert (case.fell["m"], case.rose["m"]) == ((), (0,))


def test_unchanged_sentences_are_no_cases_even_where_a_model_wavers() -> None:
    same = Variant(replace(FIRST, id="s1~swap"), "s1", "unchanged", "no other candidate", mentions=(0,))
    attacked = AttackedSet("swap", "swap", "entity", (same, variant(SECOND, "Paris")))
    said = {("m", "original"): answers((LOC,), (LOC,)), ("m", "swap"): answers((), (LOC,), suffix="~swap")}
    assert build_cases(DATA, [attacked], said) == ()


def test_cases_stand_in_the_order_of_the_data_set_whatever_that_of_the_variants() -> None:
    attacked = replace(SWAP, variants=SWAP.variants[::-1])
    said = {("m", "original"): answers((LOC,), (LOC,)), ("m", "swap"): answers((), (), suffix="~swap")}
    assert [case.parent for case in build_cases(DATA, [attacked], said)] == ["s1", "s2"]


def test_a_missing_answer_names_model_and_sentence() -> None:
    short = Predictions("m", ("s1~swap",), ((),), ((),))
    with pytest.raises(ValueError, match="m has no answer for sentence 's2~swap'"):
        build_cases(DATA, [SWAP], {("m", "original"): answers((LOC,), (LOC,)), ("m", "swap"): short})


def test_a_source_key_that_stands_twice_keeps_both_values() -> None:
    edit = Edit(2, 3, ("X",), "mention", (("from", "s1"), ("from", "s2")))
    assert edit_record(edit, FIRST)["source"] == {"from": "s1, s2"}


def test_every_flip_of_the_paired_figures_on_changed_sentences_is_in_the_cases() -> None:
    result = example(Names(), 120)
    for block in result.data["results"]:
        if "paired_changed" in block:
            cases = [case for case in result.cases if case.set == block["set"]]
            fell = sum(len(case.fell[block["tagger"]]) for case in cases)
            rose = sum(len(case.rose[block["tagger"]]) for case in cases)
            changed = block["paired_changed"]
            assert (fell, rose) == (changed["right_to_wrong"], changed["wrong_to_right"])
            assert fell > 0
