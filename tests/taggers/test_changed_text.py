"""Answers about changed text find their tokens again, or are reported."""

from __future__ import annotations

import unicodedata
from functools import reduce
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.strategies import NASTY_TOKENS, PLAIN_TOKENS, flat_spans, tokens

from nerquake.core.span import Span
from nerquake.taggers.changed_text import Found, Name, place_names, place_ranges, place_tokens, what_differs
from nerquake.taggers.fold import align, can_be_seen, fold_text, fold_tokens

EXPANDED = {"im": "in dem", "zum": "zu dem", "ins": "in das", "beim": "bei dem", "del": "de el"}
CHANGES = {
    "NFC": lambda token: unicodedata.normalize("NFC", token),
    "NFD": lambda token: unicodedata.normalize("NFD", token),
    "NFKC": lambda token: unicodedata.normalize("NFKC", token),
    "no zero-width": lambda token: "".join(c for c in token if c.isspace() or can_be_seen(c)),
    "blanks": lambda token: " ".join(token.split()),
    "nothing": lambda token: token,
}


def visible(token: str) -> bool:
    return bool(fold_text(token).text)


@st.composite
def changed(draw: st.DrawFn) -> Any:
    """Tokens, mentions, and what a pipeline makes of them: its text, and where the mentions stand in it."""
    words = draw(st.lists(tokens(), min_size=1, max_size=8))
    spans = draw(flat_spans(len(words)))
    kinds = draw(st.lists(st.sampled_from(sorted(CHANGES)), max_size=3))
    made, ranges, at = [], [], 0
    for token in words:
        word = reduce(lambda text, kind: CHANGES[kind](text), kinds, token)
        blanks = draw(st.sampled_from((" ", " ", "  ", "\u00a0", "\n")))
        made += [word, blanks]
        ranges.append((at, at + len(word)))
        at += len(word) + len(blanks)
    found = [Found(ranges[s.start][0], ranges[s.end - 1][1], s.label) for s in spans]
    return words, spans, "".join(made), found


@given(changed())
def test_mentions_survive_every_change_that_keeps_the_words(case: Any) -> None:
    words, spans, text, found = case
    answer = place_ranges(words, text, found)
    expected = [trimmed(words, span) for span in spans]
    assert list(answer.spans) == [span for span in expected if span]
    assert len(answer.notes) == sum(span is None for span in expected), "what is lost is said"
    assert all(not visible(words[at]) for at in answer.unseen)


def trimmed(words: list[str], span: Span) -> Span | None:
    """A mention without the invisible tokens at its ends, of which nothing can come back."""
    seen = [at for at in range(span.start, span.end) if visible(words[at])]
    return Span(seen[0], seen[-1] + 1, span.label) if seen else None


@given(st.lists(st.sampled_from((*PLAIN_TOKENS, *EXPANDED)), min_size=1, max_size=9), st.data())
def test_expanded_words_are_one_token_again(words: list[str], data: st.DataObject) -> None:
    spans = data.draw(flat_spans(len(words)))
    pieces = [EXPANDED.get(word, word).split() for word in words]
    starts = [sum(map(len, pieces[:at])) for at in range(len(pieces) + 1)]
    theirs = [piece for group in pieces for piece in group]
    answer = place_tokens(words, theirs, [Span(starts[s.start], starts[s.end], s.label) for s in spans])
    assert answer.spans == spans
    assert answer.notes == ()
    assert answer.unseen == ()


@given(st.lists(tokens(), min_size=1, max_size=8), st.data())
def test_tokens_that_a_library_drops_are_unseen(words: list[str], data: st.DataObject) -> None:
    dropped = data.draw(st.sets(st.integers(0, len(words) - 1)))
    kept = [at for at in range(len(words)) if at not in dropped]
    if len({fold_text(word).text for word in words}) < len(words):
        return  # which of two equal words was dropped, nobody can tell
    answer = place_tokens(words, [words[at] for at in kept], ())
    assert answer.spans == ()
    assert all(at in answer.unseen or not visible(words[at]) or ambiguous(words, at) for at in dropped)


def ambiguous(words: list[str], at: int) -> bool:
    """Whether the characters of a word are also found in another one."""
    rest = fold_tokens([word for index, word in enumerate(words) if index != at]).text
    return bool(set(fold_text(words[at]).text) & set(rest)) or len(words) == 1 or not rest


@given(st.lists(st.sampled_from((*PLAIN_TOKENS, *NASTY_TOKENS)), min_size=1, max_size=8), st.data())
def test_names_are_found_where_they_stand(words: list[str], data: st.DataObject) -> None:
    """Every mention of a sentence, named in order: as many come back as can be seen, each with its own text."""
    spans = [span for span in data.draw(flat_spans(len(words))) if trimmed(words, span)]
    answer = place_names(words, [Name(" ".join(words[s.start : s.end]), s.label) for s in spans])
    assert len(answer.spans) + len(answer.notes) == len(spans)
    ends = [0, *(span.end for span in answer.spans)]
    assert all(span.start >= end for span, end in zip(answer.spans, ends, strict=False)), "none overlaps another"
    wanted = sorted((fold_text(" ".join(words[s.start : s.end])).text, s.label) for s in spans)
    found = sorted((fold_tokens(words[s.start : s.end]).text, s.label) for s in answer.spans)
    if not answer.notes:
        assert found == wanted


def test_case_11() -> None:
    words = ["May", "met", "May", "in", "May", "."]
    assert place_names(words, [Name("May", "PER")] * 2).spans == (Span(0, 1, "PER"), Span(2, 3, "PER"))
    assert place_names(words, [Name("May", "PER")] * 4).notes == (
        "'May' (PER) is named more often than it stands in the sentence, or overlaps another mention",
    )


@pytest.mark.parametrize(
    ("text", "names", "expected"),
    [
        ("Iranian officials met the Iran coach", ["Iran"], {(4, 5)}),  # case 21
        ("Troia-Ausstellung in Berlin", ["Troia"], set()),  # case 22
        ("Anna met Bonn Anna", ["Bonn", "Anna"], {(2, 3), (3, 4)}),
        ("Anna met Bonn", ["Bonn", "Anna"], {(2, 3), (0, 1)}),
        ("may met May", ["May", "May"], {(2, 3), (0, 1)}),
        ("the U.S. of A", ["U.S"], {(1, 2)}),
        ("New York City", ["NEW  YORK"], {(0, 2)}),
        ("New York City", ["New York", "York City"], {(0, 2)}),
        ("He said Bonn , Ulm", ["Bonn,"], {(2, 4)}),
        ("caf\u00e9 Zoe\u0308", ["cafe\u0301", "Zo\u00eb"], {(0, 1), (1, 2)}),
        ("An\u200bna \u00ad Bo", ["Anna", "Bo"], {(0, 1), (2, 3)}),
        ("x y", ["", " ", "\u200b"], set()),
    ],
)
def test_names(text: str, names: list[str], expected: set[tuple[int, int]]) -> None:
    answer = place_names(text.split(" "), [Name(name, "X") for name in names])
    assert {(span.start, span.end) for span in answer.spans} == expected
    assert len(answer.notes) == len(names) - len(expected)


@pytest.mark.parametrize(
    ("name", "note"),
    [
        ("Iran", "'Iran' (X) stands inside a longer token only"),
        ("Ulm", "'Ulm' (X) does not stand in the sentence"),
        (" ", "' ' (X) is no text"),
    ],
)
def test_a_name_without_a_place_says_why(name: str, note: str) -> None:
    assert place_names(["Iranian", "officials"], [Name(name, "X")]).notes == (note,)


def test_a_mention_that_cuts_an_expanded_word_leaves_it_out_and_says_so() -> None:
    words = ["im", "Haus", "Bonn"]
    answer = place_ranges(words, "in dem Haus Bonn", [Found(3, 11, "FAC")])
    assert answer.spans == (Span(1, 2, "FAC"),)
    assert answer.notes == ("'dem Haus' (FAC) cuts 'im', which is left out of it",)


def test_a_part_of_a_word_is_no_mention() -> None:
    answer = place_ranges(["Troia-Ausstellung", ",", "x"], "Troia - Ausstellung, x", [Found(0, 5, "LOC")])
    assert answer.spans == ()
    assert answer.notes == ("'Troia' (LOC) is a part of 'Troia-Ausstellung'",)
    behind = place_ranges(["Troia-Ausstellung", ",", "x"], "Troia - Ausstellung, x", [Found(8, 20, "LOC")])
    assert behind.spans == (), "the comma alone is no mention"


def test_an_answer_about_something_else_is_reported() -> None:
    answer = place_ranges(["Anna", "met", "Bo"], "Quizzy wizfus", [Found(0, 6, "PER")])
    assert answer.spans == ()
    assert len(answer.notes) == 1


def test_mentions_that_overlap_are_reported() -> None:
    answer = place_ranges(["im", "Haus"], "in dem Haus", [Found(0, 2, "A"), Found(0, 6, "B"), Found(0, 6, "C")])
    assert answer.spans == (Span(0, 1, "B"),)
    assert [note.rpartition(" (")[2] for note in answer.notes] == [
        "C) overlaps another mention",
        "A) is a part of 'im'",
    ]


def test_scores_come_along() -> None:
    (span,) = place_tokens(["a", "", "b"], ["a", "b"], [Span(1, 2, "X", 0.5)]).spans
    assert (span.start, span.end, span.score) == (2, 3, 0.5)


def distance(one: str, other: str) -> int:
    """Levenshtein's, by its definition."""
    row = list(range(len(other) + 1))
    for i, a in enumerate(one, 1):
        before, row[0] = row[0], i
        for j, b in enumerate(other, 1):
            before, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, before + (a != b))
    return row[-1]


@given(st.text("abc", max_size=30), st.text("abc", max_size=30))
@example("a" * 20, "b" * 3)
def test_an_alignment_is_a_shortest_edit_script(one: str, other: str) -> None:
    found = align(one, other)
    pairs = [(at, source) for at, source in enumerate(found) if source is not None]
    assert len(found) == len(other)
    assert [source for _, source in pairs] == sorted({source for _, source in pairs}), "in order, each at most once"
    replaced = sum(other[at] != one[source] for at, source in pairs)
    assert replaced + len(one) + len(other) - 2 * len(pairs) == distance(one, other)


@given(st.lists(tokens(), min_size=1, max_size=5), st.sampled_from(["NFC", "NFD", "NFKC", "NFKD"]))
def test_folding_does_not_see_normal_forms(words: list[str], form: Any) -> None:
    text = " ".join(words)
    assert fold_text(unicodedata.normalize(form, text)).text == fold_text(text).text
    assert fold_tokens(words).text == fold_text(text).text


def test_what_differs() -> None:
    cases = {
        "normal form (NFC in the set, NFD": ("caf\u00e9 x", "cafe\u0301 x"),
        "other blanks": ("New\u00a0York x", "New York x"),
        "split into other tokens": ("don't x", "do n't x"),
        "cannot be seen": ("An\u200bna x", "Anna x"),
        "but for case": ("Anna x", "anna x"),
        "several of": ("Ann\u00e9 \u200bx", "anne\u0301 x"),
        "expanded or shortened": ("er ist im Haus", "er ist in dem Haus"),
        "": ("Anna lebt", "Wer ist das denn"),
    }
    for expected, (ours, theirs) in cases.items():
        found = what_differs(ours.split(" "), theirs.split(" "))
        assert expected in found
        assert bool(found) == bool(expected)


@pytest.mark.parametrize(("ours", "theirs"), [("a b", "q r s t"), ("x", "zz")])
def test_nothing_is_claimed_of_other_sentences(ours: str, theirs: str) -> None:
    assert what_differs(ours.split(), theirs.split()) == ""


def test_long_texts_that_hardly_agree_are_not_aligned() -> None:
    one, other = "ab" * 400, "xy" * 500
    assert align(one, other) == [None] * 1000
    assert align("s" + one, "s" + other)[0] == 0
    near = align(one, one[:300] + "xyz" + one[301:])
    assert near[299] == 299
    assert near[-1] == 799
