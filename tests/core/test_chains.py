"""Two steps of edits, merged into one."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from tests.strategies import edits, sentences

from nerquake.core.chains import merge_edits
from nerquake.core.edits import Edit, apply_edits, compose_maps
from nerquake.core.sentence import Sentence
from nerquake.core.span import Span

PAIR = Sentence("s", ("the", "EU", "UN", "of", "today"), (Span(1, 2, "ORG"), Span(2, 3, "ORG")))


def mention(start: int, end: int, *new: str, source: str = "") -> Edit:
    return Edit(start, end, new, "mention", (("by", source),) if source else ())


def context(start: int, end: int, *new: str) -> Edit:
    return Edit(start, end, new, "context")


def merged(sentence: Sentence, first: list[Edit], second: list[Edit]) -> list[Edit]:
    return merge_edits(sentence, first, apply_edits(sentence, first).sentence, second)


@given(st.data())
def test_merged_edits_do_in_one_step_what_the_two_steps_do(data: st.DataObject) -> None:
    original = data.draw(sentences(laid_out=False))
    first = data.draw(edits(original, "a"))
    middle = apply_edits(original, first)
    second = data.draw(edits(middle.sentence, "b"))
    last = apply_edits(middle.sentence, second)
    made = apply_edits(original, merge_edits(original, first, middle.sentence, second))
    assert made.sentence == last.sentence
    assert made.mentions == compose_maps(middle.mentions, last.mentions)


@given(st.data())
def test_merged_edits_change_something_and_keep_their_sources(data: st.DataObject) -> None:
    original = data.draw(sentences(laid_out=False))
    first = data.draw(edits(original, "a"))
    middle = apply_edits(original, first).sentence
    second = data.draw(edits(middle, "b"))
    made = merge_edits(original, first, middle, second)
    assert all(edit.new != original.tokens[edit.start : edit.end] for edit in made)
    assert made == sorted(made, key=lambda edit: (edit.start, edit.end))
    known = {pair for edit in [*first, *second] for pair in edit.source}
    listed = [pair for edit in made for pair in edit.source]
    assert len(set(listed)) == len(listed)
    assert set(listed) <= known


@given(st.data())
def test_a_step_that_does_nothing_leaves_the_other_as_it_was(data: st.DataObject) -> None:
    original = data.draw(sentences(laid_out=False))
    only = data.draw(edits(original))
    made = apply_edits(original, only)
    for steps in (merged(original, only, []), merged(original, [], only)):
        assert apply_edits(original, steps).sentence == made.sentence


def test_a_mention_that_both_steps_replace_is_one_edit_with_both_sources() -> None:
    made = merged(PAIR, [mention(1, 2, "NATO", source="swap")], [mention(1, 2, "QAXO", source="letters")])
    assert made == [Edit(1, 2, ("QAXO",), "mention", (("by", "swap"), ("by", "letters")))]


def test_adjacent_mentions_stay_two_edits() -> None:
    first = [mention(1, 2, "African", "Union"), mention(2, 3, "Red", "Cross")]
    made = merged(PAIR, first, [mention(1, 3, "Arab", "League"), mention(3, 5, "Blue", "Helmets")])
    assert made == [mention(1, 2, "Arab", "League"), mention(2, 3, "Blue", "Helmets")]
    assert merged(PAIR, [first[0]], [mention(3, 4, "WHO")]) == [first[0], mention(2, 3, "WHO")]


def test_what_is_put_back_is_no_edit() -> None:
    assert merged(PAIR, [mention(1, 2, "NATO")], [mention(1, 2, "EU")]) == []
    assert merged(PAIR, [context(3, 3, "not")], [context(3, 4)]) == []
    assert merged(PAIR, [context(3, 4)], [context(3, 3, "of")]) == []


def test_a_deletion_beside_a_mention_never_becomes_part_of_it() -> None:
    made = merged(PAIR, [context(3, 4)], [mention(2, 3, "WHO")])
    assert made == [mention(2, 3, "WHO"), context(3, 4)]


def test_an_insertion_beside_a_replaced_mention_never_becomes_part_of_it() -> None:
    made = merged(PAIR, [mention(1, 2, "African", "Union")], [context(3, 3, "and"), context(1, 1, "old")])
    assert made == [context(1, 1, "old"), mention(1, 2, "African", "Union"), context(2, 2, "and")]


def test_a_word_put_between_two_shortened_mentions_stands_between_them() -> None:
    both = Sentence("s", ("New", "York", "City", "Hall"), (Span(0, 2, "LOC"), Span(2, 4, "FAC")))
    made = merged(both, [mention(1, 2), mention(2, 3)], [context(1, 1, "at")])
    assert made == [mention(1, 2), context(2, 2, "at"), mention(2, 3)]
    assert apply_edits(both, made).sentence.tokens == ("New", "at", "Hall")


def test_two_insertions_at_one_place_are_one() -> None:
    made = merged(PAIR, [context(4, 4, "all")], [context(4, 4, "not"), context(5, 5, "but")])
    assert made == [context(4, 4, "not", "all", "but")]


def test_words_replaced_side_by_side_stay_two() -> None:
    made = merged(PAIR, [context(3, 4, "from")], [context(4, 5, "now")])
    assert made == [context(3, 4, "from"), context(4, 5, "now")]
