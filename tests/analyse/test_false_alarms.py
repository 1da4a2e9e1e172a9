"""False alarms in sentences without a mention, held against a count by the standard library alone."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.analyse.audited import attacked, audited, blind, material, perfect

from nerquake.analyse.false_alarms import false_alarms
from nerquake.analyse.material import Material
from nerquake.core.edits import Edit
from nerquake.core.sentence import Sentence
from nerquake.core.span import Span
from nerquake.core.variant import ORIGINAL

TEXTS = ("nothing here", "[PER Anna] left", "Rome was cold", "it rained in May", "क ख 🙂", "one")
"""Five of six have no mention."""


def shouts(sentence: Sentence) -> tuple[Span, ...]:
    """A model that takes every capital for a person, and an `X` for a place."""
    return tuple(
        Span(place, place + 1, "LOC" if token == "X" else "PER")
        for place, token in enumerate(sentence.tokens)
        if token[:1].isupper()
    )


def first_becomes(new: str, where: str) -> Any:
    return lambda sentence: [Edit(0, 1, (new,), "context")] if sentence.tokens[0] == where else []


def by_key(found: list[dict[str, Any]]) -> dict[tuple[str, str], dict[str, Any]]:
    return {(one["tagger"], one["set"]): one for one in found}


def test_by_hand() -> None:
    """`Rome was cold` and `it rained in May` alarm before; the first loses its capital, `nothing` becomes an X."""
    data = audited(*TEXTS)
    sets = [
        attacked(data, first_becomes("X", "nothing"), "shout", "surface"),
        attacked(data, first_becomes("rome", "Rome"), "lower", "surface"),
    ]
    found = by_key(false_alarms(material(data, sets, {"loud": shouts, "perfect": perfect, "blind": blind})))
    assert found["loud", ORIGINAL]["sentences"] == 5
    assert found["loud", ORIGINAL]["original"]["value"] == 2 / 5
    assert found["loud", ORIGINAL]["attacked"] is None
    shout, lower = found["loud", "shout"], found["loud", "lower"]
    assert shout["counts"] == {"original": 2, "attacked": 3, "new": 1, "gone": 0}
    assert shout["change"]["value"] == pytest.approx(1 / 5)
    assert shout["change"]["low"] <= 1 / 5 <= shout["change"]["high"]
    assert shout["labels"] == [
        {"label": "PER", "original": 2, "attacked": 2},
        {"label": "LOC", "original": 0, "attacked": 1},
    ]
    assert lower["counts"] == {"original": 2, "attacked": 1, "new": 0, "gone": 1}
    for tagger in ("perfect", "blind"):
        for name in (ORIGINAL, "shout", "lower"):
            assert found[tagger, name]["original"] == {"value": 0.0, "low": 0.0, "high": 0.0}
            assert found[tagger, name]["labels"] == []


def test_nothing_where_every_sentence_has_a_mention() -> None:
    data = audited("[PER Anna] left")
    assert false_alarms(material(data, [attacked(data, lambda sentence: [])], {"m": shouts})) == []


def test_entity_free_skip_does_not_touch_it() -> None:
    data = audited(*TEXTS)
    found = false_alarms(material(data, [attacked(data, lambda sentence: [])], {"m": shouts}, entity_free="skip"))
    assert [one["sentences"] for one in found] == [5, 5]


def plainly(found: Material, tagger: str, name: str) -> dict[str, Any]:
    """The same figures, sentence by sentence."""
    before, after = (
        dict(zip(found.predictions[tagger, key].ids, found.predictions[tagger, key].spans, strict=True))
        for key in (ORIGINAL, name)
    )
    (attacked_set,) = [one for one in found.sets if one.name == name]
    gold = {sentence.id: sentence.spans for sentence in found.original}
    free = [v for v in attacked_set.variants if v.status != "discarded" and not gold[v.parent] and not v.sentence.spans]
    was = [len(before[variant.parent]) > 0 for variant in free]
    now = [len(after[variant.id]) > 0 for variant in free]
    labels = Counter(span.label for variant in free for span in after[variant.id])
    return {"sentences": len(free), "original": sum(was), "attacked": sum(now), "labels": labels,
            "new": sum(b and not a for a, b in zip(was, now, strict=True))}  # fmt: skip


WORDS = st.sampled_from(["a", "B", "X", "अ", "🙂", "[PER Q]"])


@given(st.lists(st.lists(WORDS, min_size=1, max_size=4), min_size=1, max_size=8), st.sampled_from(["X", "y"]))
def test_figures_equal_a_plain_count(rows: list[list[str]], new: str) -> None:
    data = audited(*(" ".join(row) for row in rows))
    made = material(data, [attacked(data, first_becomes(new, "a"), "s", "surface")], {"m": shouts}, resamples=2)
    found = by_key(false_alarms(made))
    wanted = plainly(made, "m", "s")
    if not found:
        assert all(sentence.spans for sentence in data)
        return
    one = found["m", "s"]
    assert one["sentences"] == wanted["sentences"]
    assert {key: one["counts"][key] for key in ("original", "attacked", "new")} == {
        key: wanted[key] for key in ("original", "attacked", "new")
    }
    assert one["attacked"]["value"] == wanted["attacked"] / wanted["sentences"]
    assert {row["label"]: row["attacked"] for row in one["labels"] if row["attacked"]} == wanted["labels"]
