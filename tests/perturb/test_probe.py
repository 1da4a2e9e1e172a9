"""Probe sentences: a mention alone, its context alone, and nothing else changed."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.analyse.audited import audited, bracketed
from tests.strategies import datasets, tokens

from nerquake.core.dataset import Dataset
from nerquake.core.errors import UsageError
from nerquake.core.sentence import Sentence
from nerquake.core.span import Span
from nerquake.perturb.alphabets import stand_ins
from nerquake.perturb.probe import KINDS, NAMES, ProbeSet, nonsense, probe_sets

DATA = audited("Then [PER Anna Lee] met [LOC Bonn] .", "[ORG EU]", "In [DATE 1990] it rained", "Nothing here")


def by_kind(dataset: Dataset, seed: int = 0) -> dict[str, ProbeSet]:
    return {one.kind: one for one in probe_sets(dataset, seed)}


def test_a_mention_alone_is_a_sentence_of_its_own() -> None:
    found = by_kind(DATA)["name"]
    assert found.name == "probe.name"
    assert [(s.id, s.tokens, s.spans) for s in found.sentences] == [
        ("s0~probe.name.0", ("Anna", "Lee"), (Span(0, 2, "PER"),)),
        ("s0~probe.name.1", ("Bonn",), (Span(0, 1, "LOC"),)),
        ("s1~probe.name.0", ("EU",), (Span(0, 1, "ORG"),)),
        ("s2~probe.name.0", ("1990",), (Span(0, 1, "DATE"),)),
    ]
    assert [place[:2] for place in found.places] == [("s0", 0), ("s0", 1), ("s1", 0), ("s2", 0)]


def test_a_context_alone_keeps_the_other_mentions_and_moves_them() -> None:
    found = by_kind(DATA)["neutral"]
    assert [(s.id, s.tokens, s.spans) for s in found.sentences] == [
        ("s0~probe.neutral.0", ("Then", "X", "met", "Bonn", "."), (Span(1, 2, "PER"), Span(3, 4, "LOC"))),
        ("s0~probe.neutral.1", ("Then", "Anna", "Lee", "met", "X", "."), (Span(1, 3, "PER"), Span(4, 5, "LOC"))),
        ("s2~probe.neutral.0", ("In", "X", "it", "rained"), (Span(1, 2, "DATE"),)),
    ], "EU is its whole sentence, so that it has no context"
    assert [place.gold for place in found.places] == [Span(1, 2, "PER"), Span(4, 5, "LOC"), Span(1, 2, "DATE")]


def test_nonsense_keeps_the_shape_and_mentions_without_letters_have_none() -> None:
    found = by_kind(DATA)["nonsense"]
    assert [place[:2] for place in found.places] == [("s0", 0), ("s0", 1)]
    first, second = found.sentences
    assert (len(first), first.tokens[0], first.tokens[3:], first.spans) == (
        6, "Then", ("met", "Bonn", "."), DATA.sentences[0].spans
    )  # fmt: skip
    assert [(len(word), word.istitle()) for word in (*first.tokens[1:3], second.tokens[4])] == [
        (4, True), (3, True), (4, True)
    ]  # fmt: skip
    assert all(
        old != new for old, new in zip("AnnaLeeBonn", "".join((*first.tokens[1:3], second.tokens[4])), strict=True)
    )
    assert nonsense(("U.S.", "B-52s", "२०"), Random(1))[0][1::2] == ".."
    assert nonsense(("B-52s", "२०"), Random(1))[0][1:4] == "-52" and nonsense(("२०",), Random(1)) == ("२०",)


def test_a_mention_that_is_the_neutral_string_itself_has_no_neutral_probe() -> None:
    data = Dataset("d", (bracketed("a", "[ORG X] met [PER Bo]"),))
    assert [place.mention for place in by_kind(data)["neutral"].places] == [1]
    other = {one.kind: one for one in probe_sets(data, 0, neutral=("it", "all"))}["neutral"]
    assert [s.tokens for s in other.sentences] == [("it", "all", "met", "Bo"), ("X", "met", "it", "all")]


def test_what_stands_beside_the_tokens_goes_along() -> None:
    one = Sentence("a", ("In", "Bad", "Ems", "."), (Span(1, 3, "LOC"),), (True, True, False, False), "doc",
                   (("IN", "1"), ("NNP", "2"), ("NNP", "3"), (".", "4")), (("domain", "news"),))  # fmt: skip
    found = by_kind(Dataset("d", (one,)))
    (alone,) = found["name"].sentences
    assert (alone.text, alone.columns, alone.doc_id, alone.meta) == (
        "Bad Ems", (("NNP", "2"), ("NNP", "3")), "doc", (("domain", "news"),)
    )  # fmt: skip
    assert found["neutral"].sentences[0].text == "In X."


def test_a_set_of_the_audit_may_not_have_the_name_of_a_probe() -> None:
    with pytest.raises(UsageError, match=r"probe\.name already"):
        probe_sets(DATA, 0, taken=["swap", "Probe.Name"])
    assert [one.kind for one in probe_sets(DATA, 0, taken=["swap"])] == list(KINDS) == list(NAMES)


@settings(max_examples=40)
@given(datasets(laid_out=True), st.integers(0, 9))
def test_probes_change_the_mention_that_they_are_about_and_nothing_else(data: Dataset, seed: int) -> None:
    sentences = {sentence.id: sentence for sentence in data}
    for one in probe_sets(data, seed):
        assert len({sentence.id for sentence in one.sentences}) == len(one.sentences) == len(one.places)
        for probe, place in zip(one.sentences, one.places, strict=True):
            parent = sentences[place.parent]
            old = parent.spans[place.mention]
            assert place.gold in probe.spans and place.gold.label == old.label
            if one.kind == "name":
                assert probe.tokens == parent.mention(old) and probe.spans == (place.gold,)
                continue
            assert (place.gold.start, len(probe.spans)) == (old.start, len(parent.spans))
            assert probe.tokens[: old.start] == parent.tokens[: old.start]
            assert probe.tokens[place.gold.end :] == parent.tokens[old.end :]
            assert probe.mention(place.gold) != parent.mention(old)
    assert len(by_kind(data, seed)["name"].places) == data.mentions.total()


@settings(max_examples=40)
@given(datasets(min_size=2), st.integers(0, 9))
def test_a_probe_does_not_depend_on_other_sentences(data: Dataset, seed: int) -> None:
    whole = {s.id: s for one in probe_sets(data, seed) for s in one.sentences}
    part = {s.id: s for one in probe_sets(reversed(data.sentences[1:]), seed) for s in one.sentences}
    assert part == {key: whole[key] for key in part}


@settings(max_examples=60)
@given(st.lists(tokens(), min_size=1, max_size=4), st.integers(0, 9))
def test_nonsense_replaces_every_letter_that_has_another_of_its_kind(words: list[str], seed: int) -> None:
    made = nonsense(tuple(words), Random(seed))
    for old, new in zip(words, made, strict=True):
        assert len(old) == len(new)
        for at, (was, now) in enumerate(zip(old, new, strict=True)):
            choices = stand_ins(was, old[at + 1 : at + 2])
            assert now in choices if choices else now == was
            assert (was.isupper(), was.islower(), was.isdigit()) == (now.isupper(), now.islower(), now.isdigit())
