from hypothesis import given, settings
from hypothesis import strategies as st

from nerquake.core.results import Case
from nerquake.core.span import Span
from nerquake.report.sentences import changes, chunks, show_case, show_example

TOKENS = st.lists(st.sampled_from("abcd"), min_size=1, max_size=8)


def case(**values: object) -> Case:
    base: dict[str, object] = {
        "set": "swap",
        "parent": "s1",
        "id": "s1~swap",
        "original": ("by", "Syria", "in", "Bonn"),
        "attacked": ("by", "New", "Delhi", "in", "Bonn"),
        "original_spans": (Span(1, 2, "LOC"), Span(3, 4, "LOC")),
        "attacked_spans": (Span(1, 3, "LOC"), Span(4, 5, "LOC")),
        "edits": (
            {
                "start": 1,
                "end": 2,
                "old": ["Syria"],
                "new": ["New", "Delhi"],
                "kind": "mention",
                "source": {"from": "s9", "was": "Syria"},
            },
        ),
        "mentions": (0, 1),
        "predicted": {"m": ((Span(1, 2, "LOC"), Span(3, 4, "LOC")), (Span(0, 1, "PER"), Span(1, 3, "ORG")))},
        "fell": {"m": (0, 1)},
        "rose": {"m": ()},
    }
    return Case(**{**base, **values})  # type: ignore[arg-type]


def test_edited_tokens_are_marked_in_both_texts() -> None:
    shown = show_case(case(), ["m"])
    assert [(t.text, t.changed) for c in shown.original for t in c.tokens if t.changed] == [("Syria", True)]
    assert [t.text for c in shown.attacked for t in c.tokens if t.changed] == ["New", "Delhi"]
    assert shown.sources == ("Syria → New Delhi (from s9)",)


def test_each_mention_says_what_the_model_made_of_it_before_and_after() -> None:
    rows = show_case(case(), ["m"]).mentions
    assert [(row.old, row.new, row.label) for row in rows[:2]] == [
        ("Syria", "New Delhi", "LOC"),
        ("Bonn", "Bonn", "LOC"),
    ]
    assert [(row.answers[0].before, row.answers[0].after, row.answers[0].turn) for row in rows[:2]] == [
        ("✓", "◆ wrong type: ORG", "fell"),
        ("✓", "○ missed", "fell"),
    ]
    assert (rows[2].new, rows[2].label, rows[2].answers[0].after) == ("by", "PER", "+ spurious")


def test_a_wrong_boundary_shows_what_was_found() -> None:
    found = case(predicted={"m": ((), (Span(1, 2, "LOC"),))})
    answer = show_case(found, ["m"]).mentions[0].answers[0]
    assert (answer.before, answer.after, answer.turn) == ("○ missed", "◧ wrong boundary: [New] LOC", "wrong")


def test_lost_and_added_mentions_stand_for_themselves() -> None:
    rows = show_case(case(mentions=(None, 1)), ["m"]).mentions
    assert [(row.old, row.new) for row in rows[:3]] == [("Syria", "∅"), ("Bonn", "Bonn"), ("∅", "New Delhi")]
    assert rows[0].answers[0] == ("✓", "–", "wrong")
    assert rows[2].answers[0].before == "–"


def test_a_rewrite_is_compared_token_by_token() -> None:
    shown = show_case(case(edits=()), ["m"])
    assert [t.text for c in shown.original for t in c.tokens if t.changed] == ["Syria"]
    assert [t.text for c in shown.attacked for t in c.tokens if t.changed] == ["New", "Delhi"]


def test_insertions_and_deletions_move_what_follows() -> None:
    edits = [
        {"start": 0, "end": 0, "old": [], "new": ["x", "y"], "kind": "context", "source": {}},
        {"start": 1, "end": 2, "old": ["b"], "new": [], "kind": "context", "source": {}},
        {"start": 2, "end": 3, "old": ["c"], "new": ["z"], "kind": "context", "source": {}},
    ]
    found = changes(["a", "b", "c"], ["x", "y", "a", "z"], edits)
    assert (found.original, found.attacked) == ({1, 2}, {0, 1, 3})


@settings(max_examples=40)
@given(TOKENS, TOKENS)
def test_tokens_that_are_not_marked_are_the_same_in_both_texts(old: list[str], new: list[str]) -> None:
    found = changes(old, new, ())
    kept = [token for index, token in enumerate(old) if index not in found.original]
    assert kept == [token for index, token in enumerate(new) if index not in found.attacked]


@settings(max_examples=40)
@given(TOKENS, st.data())
def test_chunks_hold_every_token_once_and_mentions_by_themselves(tokens: list[str], data: st.DataObject) -> None:
    borders = sorted(data.draw(st.sets(st.integers(0, len(tokens)), max_size=4)))
    spans = [Span(a, b, "L") for a, b in zip(borders[::2], borders[1::2], strict=False)]
    found = chunks(tokens, spans, frozenset())
    assert [token.text for chunk in found for token in chunk.tokens] == tokens
    assert [tuple(token.text for token in chunk.tokens) for chunk in found if chunk.label] == [
        tuple(tokens[span.start : span.end]) for span in spans
    ]


def test_an_example_needs_no_answers() -> None:
    shown = show_example(
        {
            "parent": "s1", "id": "x", "original": ["Bonn"], "attacked": ["Paris"], "original_spans": [[0, 1, "LOC"]],
            "attacked_spans": [[0, 1, "LOC"]], "mentions": [[0, 0]],
            "edits": [{"start": 0, "end": 1, "old": ["Bonn"], "new": ["Paris"], "kind": "mention", "source": {}}],
        }
    )  # fmt: skip
    assert shown.sources == ("Bonn → Paris",)
    assert shown.attacked[0].label == "LOC"
