"""Which scheme a file, and a model's output, is in."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.strategies import any_tags, tags

from nerquake.core.scheme import (
    BILOU,
    BIOES,
    BMES,
    IO,
    IOB1,
    IOB2,
    SCHEMES,
    Scheme,
    detect,
    detect_predicted,
    tag_pairs,
)


@pytest.mark.parametrize(
    ("texts", "scheme", "fits"),
    [
        (["B-A I-A O", "B-B"], IOB2, {"iob2"}),
        (["I-LOC B-LOC O"], IOB1, {"iob1"}),
        (["I-A I-A O", "I-B"], IO, {"io", "iob1"}),
        (["B-A E-A O S-A", "B-A I-A E-A"], BIOES, {"bioes"}),
        (["B-A E-A O S-A"], BIOES, {"bioes", "bmes"}),
        (["S-A"], BIOES, {"bioes", "bmes"}),
        (["B-A M-A E-A"], BMES, {"bmes"}),
        (["U-A", "B-A L-A"], BILOU, {"bilou"}),
        (["O O", "O"], IOB2, set(SCHEMES)),
        ([], IOB2, set(SCHEMES)),
    ],
)
def test_the_scheme_is_the_first_that_fits(texts: list[str], scheme: Scheme, fits: set[str]) -> None:
    found = detect([text.split() for text in texts])
    assert found.scheme is scheme
    assert found.well_formed
    assert set(found.fits) == fits


def test_one_broken_sentence_does_not_hide_the_scheme() -> None:
    found = detect([["B-A", "I-A"]] * 20 + [["O", "I-A"]])
    assert found.scheme is IOB2
    assert not found.well_formed
    assert found.fits == ()


def test_something_that_is_no_tag_is_never_well_formed() -> None:
    found = detect([["B-A", "I-A", "b-A"]])
    assert found.scheme is IOB2
    assert not found.well_formed


@pytest.mark.parametrize("scheme", list(SCHEMES.values()), ids=lambda scheme: scheme.name)
@given(data=st.data())
def test_the_detected_scheme_reads_well_formed_tags_as_they_were_meant(scheme: Scheme, data: st.DataObject) -> None:
    """Where two schemes fit, both read the same mentions; only IO and IOB1 share files."""
    sequences = data.draw(st.lists(tags(scheme), max_size=4))
    found = detect(sequences)
    assert found.well_formed
    assert scheme.name in found.fits
    for sequence in sequences:
        assert found.scheme.decode(sequence) == scheme.decode(sequence)


@given(st.lists(any_tags(), max_size=4))
def test_detection_counts_what_violations_counts(sequences: list[list[str]]) -> None:
    found = detect(sequences)
    wrong = {name: sum(len(scheme.violations(s)) for s in sequences) for name, scheme in SCHEMES.items()}
    assert wrong[found.scheme.name] == min(wrong.values())
    assert set(found.fits) == {name for name, count in wrong.items() if not count}
    assert found.well_formed == (not wrong[found.scheme.name])


def test_pairs_count_both_ends_of_a_sentence() -> None:
    assert tag_pairs([["B-A"], ["O", "B-A"]]) == {("O", "B-A"): 2, ("B-A", "O"): 2}


def predicted(texts: list[str], gold: Scheme) -> Scheme:
    return detect_predicted([text.split() for text in texts], gold)


def test_tags_without_a_beginning_are_broken_iob2_not_io() -> None:
    assert predicted(["I-PER I-PER"], IOB2) is IOB2


def test_a_prediction_in_another_scheme_is_read_in_its_own() -> None:
    assert predicted(["B-A E-A O S-A"], IOB2) is BIOES
    assert predicted(["B-X I-X I-X"], BILOU) is IOB2
    assert predicted(["B-X L-X U-X"], BIOES) is BILOU


def test_one_slip_does_not_turn_an_iob2_prediction_into_the_golds_scheme() -> None:
    """Else hundreds of transitions would count as invalid, and `discard` would leave nearly nothing."""
    texts = ["B-A I-A O B-B"] * 50 + ["O I-A"]
    for gold in (BIOES, BILOU, BMES, IOB1):
        assert predicted(texts, gold) is IOB2


def test_one_slip_does_not_turn_a_bioes_prediction_into_iob2() -> None:
    texts = ["B-A I-A E-A O S-A"] * 50 + ["B-A I-A O"]
    assert predicted(texts, BIOES) is BIOES
    assert predicted(texts, IOB2) is BIOES


def test_the_golds_scheme_wins_a_tie() -> None:
    for gold in SCHEMES.values():
        assert predicted(["O O"], gold) is gold
    assert predicted(["S-A"], BMES) is BMES


def test_a_loose_gold_scheme_allows_a_loose_prediction() -> None:
    assert predicted(["I-A I-A"], IO) is IO
    assert predicted(["I-A B-A"], IO) is IOB1
    assert predicted(["I-A I-A"], IOB1) is IOB1
