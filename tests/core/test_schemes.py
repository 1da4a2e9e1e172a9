"""The six tag schemes: one table each, one way of reading."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from tests.strategies import any_tags, flat_spans, tags

from nerquake.core.scheme import ALIASES, BILOU, BIOES, BMES, IO, IOB1, IOB2, SCHEMES, Scheme, chunks, is_tag, split_tag
from nerquake.core.span import Span

ALL = list(SCHEMES.values())
each_scheme = pytest.mark.parametrize("scheme", ALL, ids=lambda scheme: scheme.name)

EXAMPLES = {
    "io": "I-A I-A O I-A I-B",
    "iob1": "I-A I-A B-A I-A I-B",
    "iob2": "B-A I-A B-A I-A B-B",
    "bioes": "B-A E-A B-A E-A S-B",
    "bilou": "B-A L-A B-A L-A U-B",
    "bmes": "B-A E-A B-A E-A S-B",
}


@each_scheme
def test_a_hand_written_example_is_well_formed(scheme: Scheme) -> None:
    assert scheme.violations(EXAMPLES[scheme.name].split()) == []


@pytest.mark.parametrize(
    ("scheme", "text", "at"),
    [
        (IO, "I-A O", []), (IO, "B-A O", [0, 1]),
        (IOB1, "I-A B-A O", []), (IOB1, "B-A O", [0]), (IOB1, "I-A B-B", [1]), (IOB1, "O B-A", [1]),
        (IOB2, "B-A I-A", []), (IOB2, "I-A", [0]), (IOB2, "B-A I-B", [1]), (IOB2, "O I-A I-A", [1]),
        (BIOES, "S-A", []), (BIOES, "B-A", [1]), (BIOES, "B-A I-A E-A", []), (BIOES, "B-A E-B", [1]),
        (BIOES, "E-A", [0]), (BIOES, "S-A I-A E-A", [1]), (BIOES, "B-A O", [1]), (BIOES, "B-A S-A", [1]),
        (BILOU, "U-A", []), (BILOU, "B-A I-A L-A", []), (BILOU, "B-A E-A", [1, 2]), (BILOU, "L-A", [0]),
        (BMES, "B-A M-A E-A", []), (BMES, "B-A I-A E-A", [1, 2]), (BMES, "M-A E-A", [0]),
        (IOB2, "", []), (BIOES, "O O", []),
    ],
)  # fmt: skip
def test_violations_say_where(scheme: Scheme, text: str, at: list[int]) -> None:
    assert scheme.violations(text.split()) == at


@each_scheme
@given(data=st.data())
def test_what_is_encoded_is_decoded_to_the_same_mentions(scheme: Scheme, data: st.DataObject) -> None:
    size = data.draw(st.integers(1, 10))
    spans = data.draw(flat_spans(size))
    assume(scheme.holds(spans))
    encoded = scheme.encode(spans, size)
    assert scheme.violations(encoded) == []
    assert scheme.decode(encoded) == spans
    assert scheme.decode(encoded, "discard") == spans


@each_scheme
@given(data=st.data())
def test_well_formed_tags_survive_decoding_and_encoding(scheme: Scheme, data: st.DataObject) -> None:
    walked = data.draw(tags(scheme))
    assert scheme.violations(walked) == []
    spans = scheme.decode(walked, "discard")
    assert spans == scheme.decode(walked)
    assert scheme.encode(spans, len(walked)) == walked


@each_scheme
@given(tags=any_tags())
def test_violations_are_empty_only_for_tags_that_encoding_gives(scheme: Scheme, tags: list[str]) -> None:
    again = scheme.encode(scheme.decode(tags), len(tags))
    assert (scheme.violations(tags) == []) == (again == tags)


@each_scheme
@given(tags=any_tags())
def test_discard_keeps_a_part_of_what_the_repair_keeps(scheme: Scheme, tags: list[str]) -> None:
    kept = scheme.decode(tags, "discard")
    repaired = scheme.decode(tags)
    assert set(kept) <= set(repaired)
    assert scheme.decode(tags, "none") == repaired
    covered = sum(span.width for span in repaired)
    assert covered == sum(tag != "O" for tag in tags), "the conlleval rule leaves no tag out"


def test_io_says_that_it_cannot_hold_touching_mentions_of_one_label() -> None:
    touching = (Span(0, 1, "A"), Span(1, 2, "A"))
    assert not IO.holds(touching)
    assert IO.holds((Span(0, 1, "A"), Span(1, 2, "B")))
    assert all(scheme.holds(touching) for scheme in ALL if scheme is not IO)


@each_scheme
@pytest.mark.parametrize("labels", ["AB", "AA"])
def test_adjacent_mentions_are_two_in_every_scheme_that_can_hold_them(scheme: Scheme, labels: str) -> None:
    """Case 20."""
    spans = (Span(0, 1, labels[0]), Span(1, 2, labels[1]))
    if scheme.holds(spans):
        assert scheme.decode(scheme.encode(spans, 3)) == spans


def test_iob1_reads_the_ill_formed_iob2_of_case_17() -> None:
    tags = ["I-LOC", "B-LOC", "O"]
    assert IOB2.violations(tags) == [0]
    assert IOB1.violations(tags) == []
    assert IOB1.decode(tags) == (Span(0, 1, "LOC"), Span(1, 2, "LOC"))


def test_a_prediction_without_a_beginning_is_repaired_or_discarded() -> None:
    """Case 17."""
    tags = ["I-PER", "I-PER"]
    assert IOB2.violations(tags) == [0]
    assert IOB2.decode(tags, "conlleval") == (Span(0, 2, "PER"),)
    assert IOB2.decode(tags, "discard") == ()


def test_bilou_gold_and_an_iob2_prediction_differ() -> None:
    """Case 8."""
    assert BILOU.decode(["B-X", "L-X", "U-X"]) == (Span(0, 2, "X"), Span(2, 3, "X"))
    assert IOB2.decode(["B-X", "I-X", "I-X"]) == (Span(0, 3, "X"),)


@pytest.mark.parametrize(
    ("scheme", "text", "kept"),
    [
        (BIOES, "B-A I-A O S-A", [(3, 4)]),
        (BIOES, "B-A E-A E-A", [(0, 2)]),
        (BILOU, "B-A U-A", [(1, 2)]),
        (BMES, "B-A M-A E-A M-A", [(0, 3)]),
        (IOB1, "I-A I-A O B-A", [(0, 2)]),
        (IOB2, "B-A I-B I-B B-B", [(0, 1), (3, 4)]),
        (IO, "I-A B-A", [(0, 1)]),
        (IOB2, "B-A E-A O B-A", [(3, 4)]),
    ],
)
def test_discard_leaves_out_ill_formed_mentions_only(scheme: Scheme, text: str, kept: list[tuple[int, int]]) -> None:
    assert [(span.start, span.end) for span in scheme.decode(text.split(), "discard")] == kept


@given(any_tags(prefixes="BI"))
def test_the_reading_of_b_and_i_is_the_rule_of_the_conll_script(tags: list[str]) -> None:
    """A slow, obvious model: a mention goes on only through an I- with the label of the tag before it."""
    expected: list[list[int]] = []
    for index, tag in enumerate(tags):
        if tag == "O":
            continue
        goes_on = tag[0] == "I" and index > 0 and tags[index - 1][2:] == tag[2:] and tags[index - 1] != "O"
        if goes_on:
            expected[-1][1] = index + 1
        else:
            expected.append([index, index + 1])
    assert [[span.start, span.end] for span in chunks(tags)] == expected


@pytest.mark.parametrize(
    ("tag", "split"),
    [
        ("O", ("O", "")), ("B-PER", ("B", "PER")), ("B-creative-work", ("B", "creative-work")), ("I-B-X", ("I", "B-X")),
        ("B--", ("B", "-")), ("U-शहर", ("U", "शहर")), ("S-O", ("S", "O")),
    ],
)  # fmt: skip
def test_the_prefix_ends_at_the_first_hyphen(tag: str, split: tuple[str, str]) -> None:
    assert split_tag(tag) == split
    assert is_tag(tag)


NO_TAGS = [
    "",
    "B-",
    "-X",
    "-",
    "o",
    "b-PER",
    "i-PER",
    "O-PER",
    "X-PER",
    "PER",
    "B",
    "BPER",
    "BB-PER",
    "B_PER",
    " B-PER",
]


@pytest.mark.parametrize("tag", NO_TAGS)
def test_what_is_no_tag(tag: str) -> None:
    assert split_tag(tag) == ("", tag)
    assert not is_tag(tag)
    assert all(scheme.violations([tag]) for scheme in ALL)
    assert all(not scheme.allows("O", tag) and not scheme.allows(tag, "O") for scheme in ALL)


def test_other_names_of_schemes_lead_to_schemes() -> None:
    assert set(ALIASES.values()) <= set(SCHEMES)
    assert not set(ALIASES) & set(SCHEMES)
    assert ALIASES["bio"] == "iob2"
