from dataclasses import replace

import pytest
from tests.report.example import Names, example

from nerquake.analyse.cases import build_cases, edit_record
from nerquake.core.dataset import Dataset
from nerquake.core.edits import Edit, Rewrite, apply_edits, apply_rewrite
from nerquake.core.results import Predictions
from nerquake.core.sentence import Sentence
from nerquake.core.span import Span
from nerquake.core.variant import AttackedSet, Variant

LOC = Span(2, 3, "LOC")
FIRST = Sentence("s1", ("blunder", "by", "Syria"), (LOC,), doc_id="doc-1", meta=(("domain", "news"),))
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
    case, held = build_cases(DATA, [SWAP], said)
    assert (case.set, case.parent, case.id) == ("swap", "s1", "s1~swap")
    assert (case.status, case.reason, case.doc_id) == ("changed", "", "doc-1")
    assert case.attacked == ("blunder", "by", "New", "Delhi")
    assert case.attacked_spans == (Span(2, 4, "LOC"),)
    assert case.fell == {"m": (0,)}
    assert case.rose == {"m": ()}
    assert case.predicted["m"] == ((LOC,), (Span(2, 3, "LOC"),))
    assert case.edits[0]["old"] == ["Syria"]
    assert case.edits[0]["source"] == {"from": "s9"}
    assert case.meta == {"domain": "news"}
    assert case.outcomes == {"m": (("right", "boundary"),)}
    assert case.spurious == {"m": ()}
    assert case.flipped
    assert (held.parent, held.outcomes, held.flipped) == ("s2", {"m": (("right", "right"),)}, False)


def test_a_rise_alone_makes_a_case() -> None:
    said = {
        ("m", "original"): answers((), (LOC,)),
        ("m", "swap"): answers((Span(2, 4, "LOC"),), (LOC,), suffix="~swap"),
    }
    case, _ = build_cases(DATA, [SWAP], said)
    assert (case.fell["m"], case.rose["m"]) == ((), (0,))
    assert case.outcomes["m"] == (("missed", "right"),)
    assert case.flipped


def test_an_unchanged_sentence_has_its_reason_and_never_counts_as_flipped_even_where_a_model_wavers() -> None:
    same = Variant(replace(FIRST, id="s1~swap"), "s1", "unchanged", "no other candidate", mentions=(0,))
    attacked = AttackedSet("swap", "swap", "entity", (same, variant(SECOND, "Paris")))
    said = {("m", "original"): answers((LOC,), (LOC,)), ("m", "swap"): answers((), (LOC,), suffix="~swap")}
    case, _ = build_cases(DATA, [attacked], said)
    assert (case.status, case.reason) == ("unchanged", "no other candidate")
    assert case.attacked is case.original
    assert case.mentions == (0,)
    assert (case.outcomes["m"], case.fell["m"]) == ((("right", "missed"),), (0,))
    assert not case.flipped


def test_a_discarded_sentence_has_its_reason_and_neither_text_nor_answers() -> None:
    gone = Variant(replace(FIRST, id="s1~swap"), "s1", "discarded", "a mention did not survive")
    attacked = AttackedSet("swap", "swap", "entity", (gone, variant(SECOND, "Paris")))
    left = Predictions("m", ("s2~swap",), ((LOC,),), ((),))
    case, _ = build_cases(DATA, [attacked], {("m", "original"): answers((LOC,), (LOC,)), ("m", "swap"): left})
    assert (case.status, case.reason) == ("discarded", "a mention did not survive")
    assert (case.original, case.attacked, case.attacked_spans, case.mentions) == (FIRST.tokens, (), (), (None,))
    assert (case.predicted, case.outcomes, case.spurious, case.fell) == ({}, {}, {}, {})


def test_mentions_that_go_and_come_are_told_apart() -> None:
    spans = (Span(0, 1, "PER"), LOC)
    rewrite = Rewrite(("in", "Rome", ",", "Bonn"), spans=(Span(1, 2, "LOC"), Span(3, 4, "LOC")), mentions=(None, 1))
    parent = replace(FIRST, spans=spans)
    made = apply_rewrite(parent, rewrite, "s1~mix")
    attacked = AttackedSet(
        "mix", "mix", "both", (Variant(made.sentence, "s1", "changed", "", (), rewrite, made.mentions),)
    )
    found = (Span(0, 1, "ORG"), Span(1, 2, "LOC"))
    said = {
        ("m", "original"): Predictions("m", ("s1",), (spans,), ((),)),
        ("m", "mix"): Predictions("m", ("s1~mix",), (found,), ((),)),
    }
    (case,) = build_cases(Dataset("d", (parent,)), [attacked], said)
    assert case.outcomes["m"] == (("right", "gone"), ("right", "missed"), ("gone", "right"))
    assert (case.fell["m"], case.rose["m"], case.spurious["m"]) == ((1,), (), (0,))


def test_what_belongs_to_a_sentence_is_one_object_in_all_sets() -> None:
    said = {("m", "original"): answers((LOC,), (LOC,))}
    said |= {("m", name): answers((LOC,), (LOC,), suffix="~swap") for name in ("swap", "again")}
    cases = build_cases(DATA, [SWAP, replace(SWAP, name="again")], said)
    first, second = (case for case in cases if case.parent == "s1")
    assert first.original is second.original is FIRST.tokens
    assert first.original_spans is second.original_spans
    assert first.meta is second.meta
    assert first.outcomes is second.outcomes


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
            cases = [case for case in result.cases if case.set == block["set"] and case.status == "changed"]
            fell = sum(len(case.fell[block["tagger"]]) for case in cases)
            rose = sum(len(case.rose[block["tagger"]]) for case in cases)
            changed = block["paired_changed"]
            assert (fell, rose) == (changed["right_to_wrong"], changed["wrong_to_right"])
            assert fell > 0


def test_there_is_a_case_for_every_sentence_under_every_attack() -> None:
    result = example(Names(), 60)
    found = [(case.set, case.parent, case.id, case.status, case.reason) for case in result.cases]
    assert found == [(s.name, v.parent, v.id, v.status, v.reason) for s in result.sets for v in s.variants]
    assert {case.status for case in result.cases} == {"changed", "not-applicable", "discarded"}
