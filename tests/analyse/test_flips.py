from hypothesis import given, settings
from hypothesis import strategies as st

from nerquake.analyse.flips import follow, mention_map, outcomes
from nerquake.core.results import Predictions
from nerquake.core.sentence import Sentence
from nerquake.core.span import Span
from nerquake.core.variant import Variant
from nerquake.score.count import count

PER, LOC = Span(0, 1, "PER"), Span(2, 4, "LOC")


def test_a_mention_that_was_right_and_is_wrong_now_fell_and_the_other_way_round_rose() -> None:
    found = follow(((PER, LOC), (PER,)), ((PER, LOC), (LOC,)), (0, 1))
    assert found == ((0, 1), (0,), (0,), (1,))


def test_mentions_are_followed_through_the_map_when_they_trade_places() -> None:
    new = (Span(0, 2, "LOC"), Span(4, 5, "PER"))
    found = follow(((PER, LOC), (PER, LOC)), (new, (new[0],)), (1, 0))
    assert (found.right, found.fell, found.rose) == ((0, 1), (0,), ())


def test_a_mention_that_is_gone_is_neither_right_nor_fallen() -> None:
    found = follow(((PER, LOC), (PER, LOC)), ((PER,), ()), (0, None))
    assert found == ((0,), (0,), (0,), ())


def test_an_unchanged_variant_without_a_map_keeps_every_mention() -> None:
    same = Variant(Sentence("a", ("x", "y", "z", "w"), (PER, LOC)), "a", "unchanged", "no other candidate")
    assert mention_map(same, 2) == (0, 1)


def test_each_way_of_being_wrong_has_its_kind_and_says_what_stood_there() -> None:
    gold = (Span(0, 1, "PER"), Span(2, 4, "LOC"), Span(5, 7, "ORG"), Span(8, 9, "PER"))
    said = (gold[0], Span(2, 4, "ORG"), Span(5, 6, "ORG"), Span(10, 11, "PER"))
    found = outcomes(gold, said)
    assert [(item.kind, item.said) for item in found.mentions] == [
        ("right", said[0]),
        ("type", said[1]),
        ("boundary", said[2]),
        ("missed", None),
    ]
    assert found.spurious == (said[3],)


def test_two_mentions_under_one_prediction_are_marked_as_they_are_scored() -> None:
    # case 9 (a): the second mention is missed, though the prediction covers it
    found = outcomes((Span(0, 12, "A"), Span(14, 17, "B")), (Span(0, 17, "A"),))
    assert [item.kind for item in found.mentions] == ["boundary", "missed"]
    assert found.spurious == ()


def flat_spans() -> st.SearchStrategy[tuple[Span, ...]]:
    steps = st.lists(st.tuples(st.integers(0, 2), st.integers(1, 3), st.sampled_from("AB")), max_size=5)

    def lay(pieces: list[tuple[int, int, str]]) -> tuple[Span, ...]:
        spans, at = [], 0
        for gap, width, label in pieces:
            spans.append(Span(at + gap, at + gap + width, label))
            at += gap + width
        return tuple(spans)

    return steps.map(lay)


@settings(max_examples=50)
@given(flat_spans(), flat_spans())
def test_marks_add_up_to_the_counts_of_the_scores(gold: tuple[Span, ...], said: tuple[Span, ...]) -> None:
    tokens = tuple("x" * 30)
    table = count([Sentence("a", tokens, gold)], Predictions("m", ("a",), (said,), ((),)))
    same, clash, overlap, astray, missed, spurious, _ = table.overall[0].tolist()
    found = outcomes(gold, said)
    kinds = [item.kind for item in found.mentions]
    assert (kinds.count("right"), kinds.count("type")) == (same, clash)
    assert (kinds.count("boundary"), kinds.count("missed")) == (overlap + astray, missed)
    assert len(found.spurious) == spurious
