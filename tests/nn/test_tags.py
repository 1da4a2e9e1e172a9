"""Tags of a network: their numbers, and which may follow which."""

from __future__ import annotations

from itertools import pairwise, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nerquake.core.errors import InputError
from nerquake.core.scheme import SCHEMES
from nerquake.core.sentence import Sentence
from nerquake.core.span import Span
from nerquake.nn.tags import TagSet, constraints, labels_of, tag_set

pytestmark = pytest.mark.huggingface

LABELS = ("LOC", "PER", "creative-work")
SCHEME_NAMES = st.sampled_from(sorted(SCHEMES))


@st.composite
def mentions(draw: st.DrawFn) -> tuple[int, list[Span]]:
    """The length of a sentence and its mentions, touching ones among them."""
    spans, end = [], 0
    for gap, width, label in draw(
        st.lists(st.tuples(st.integers(0, 2), st.integers(1, 4), st.sampled_from(LABELS)), max_size=5)
    ):
        spans.append(Span(end + gap, end + gap + width, label))
        end += gap + width
    return end + draw(st.integers(0 if end else 1, 2)), spans


@given(SCHEME_NAMES, mentions())
def test_every_sentence_has_numbers_that_say_its_mentions_and_are_allowed(
    scheme: str, sentence: tuple[int, list[Span]]
) -> None:
    size, spans = sentence
    tags = tag_set(LABELS, scheme)
    numbers, allowed = tags.numbers(size, spans), constraints(tags)
    names = [tags.tags[number] for number in numbers]
    assert len(numbers) == size
    if tags.scheme.holds(spans):
        assert list(tags.scheme.decode(names)) == spans
    assert allowed.start[numbers[0]]
    assert allowed.end[numbers[-1]]
    assert all(allowed.transitions[before, after] for before, after in pairwise(numbers))


@pytest.mark.parametrize("scheme", sorted(SCHEMES))
def test_constraints_are_what_the_scheme_finds_nothing_wrong_with(scheme: str) -> None:
    tags = tag_set(["A", "B"], scheme)
    allowed = constraints(tags)
    for length in (1, 2, 3):
        for path in product(range(len(tags)), repeat=length):
            mine = (
                allowed.start[path[0]]
                and allowed.end[path[-1]]
                and all(allowed.transitions[before, after] for before, after in pairwise(path))
            )
            assert mine == (tags.scheme.violations([tags.tags[number] for number in path]) == []), path


@pytest.mark.parametrize(
    ("scheme", "expected"),
    [
        ("io", ("O", "I-A", "I-B")),
        ("iob1", ("O", "B-A", "I-A", "B-B", "I-B")),
        ("iob2", ("O", "B-A", "I-A", "B-B", "I-B")),
        ("bioes", ("O", "B-A", "E-A", "I-A", "S-A", "B-B", "E-B", "I-B", "S-B")),
        ("bilou", ("O", "B-A", "I-A", "L-A", "U-A", "B-B", "I-B", "L-B", "U-B")),
        ("bmes", ("O", "B-A", "E-A", "M-A", "S-A", "B-B", "E-B", "M-B", "S-B")),
    ],
)
def test_tags_of_labels(scheme: str, expected: tuple[str, ...]) -> None:
    tags = tag_set(["B", "A", "B"], scheme)
    assert tags.tags == expected
    assert len(tags) == len(expected)
    assert tags.labels == ("A", "B")
    assert [tags.places[tag] for tag in expected] == list(range(len(expected)))


def test_no_labels_are_nothing_but_outside() -> None:
    tags = tag_set([], "iob2")
    assert tags.tags == ("O",)
    assert tags.labels == ()
    assert constraints(tags).transitions.tolist() == [[True]]
    assert tags.numbers(2, []) == [0, 0]


def test_a_label_splits_at_the_first_hyphen() -> None:
    tags = tag_set(["creative-work"], "iob2")
    assert tags.labels == ("creative-work",)
    assert tags.numbers(2, [Span(0, 2, "creative-work")]) == [1, 2]


def test_labels_that_the_network_lacks_are_named() -> None:
    with pytest.raises(
        InputError, match=r"no tags for DATE, FAC, only for LOC, PER \(iob2\): rename labels with --map"
    ):
        tag_set(["PER", "LOC"], "iob2").numbers(5, [Span(0, 1, "FAC"), Span(1, 2, "PER"), Span(2, 3, "DATE")])


def test_a_tag_set_of_a_checkpoint_may_lack_tags() -> None:
    tags = TagSet(("B-A", "O"), SCHEMES["iob2"])
    assert tags.numbers(2, [Span(0, 1, "A")]) == [0, 1]
    with pytest.raises(InputError, match="no tags for these mentions, only for A"):
        tags.numbers(2, [Span(0, 2, "A")])


@pytest.mark.parametrize("wrong", [("B-A", "I-A"), ()])
def test_o_is_among_the_tags(wrong: tuple[str, ...]) -> None:
    with pytest.raises(ValueError, match="O is among the tags"):
        TagSet(wrong, SCHEMES["iob2"])


def test_of_equal_tags_the_first_is_trained() -> None:
    tags = TagSet(("B-A", "O", "I-A", "O", "B-A"), SCHEMES["iob2"])
    assert tags.numbers(2, [Span(1, 2, "A")]) == [1, 0]
    assert constraints(tags).transitions[3].tolist() == [True, True, False, True, True]


def test_labels_of_sentences() -> None:
    first = Sentence("a", ("x", "y"), spans=(Span(0, 1, "A"), Span(1, 2, "B")))
    assert labels_of([first, Sentence("b", ("z",)), Sentence("c", ("z",), spans=(Span(0, 1, "A"),))]) == {"A", "B"}
