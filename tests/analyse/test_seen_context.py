"""Seen or unseen by original or changed context: the table, its interaction, and what planted models show."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest
from tests.analyse.audited import Model, attacked, audited, material, perfect, probed, renamed

from nerquake.analyse.seen_context import seen_context
from nerquake.core.edits import Edit
from nerquake.core.sentence import Sentence
from nerquake.core.span import Span
from nerquake.perturb.probe import probe_sets

TRAINING = audited("[PER Anna] sang", "[LOC Bo] sang")
DATA = audited(*["Mr [PER Anna] said so", "Mr [PER Bo] said so"] * 10)
"""Anna is seen; Bo is not, since the training data have it under another label."""


def other_words(sentence: Sentence) -> list[Edit]:
    return [Edit(0, 1, ("Die",), "context")]


CHANGED = attacked(DATA, other_words, "mask", "context")


def knows_names(sentence: Sentence) -> Iterable[Span]:
    return [span for span in sentence.spans if sentence.surface(span) in ("Anna", "Bo")]


def reads_contexts(sentence: Sentence) -> Iterable[Span]:
    return sentence.spans if sentence.tokens[0] == "Mr" else ()


def remembers(sentence: Sentence) -> Iterable[Span]:
    """Knows the name of the training data, and reads the context for the rest."""
    known = [span for span in sentence.spans if sentence.surface(span) == "Anna"]
    return known or reads_contexts(sentence)


def table(model: Model, *sets: Any, **rest: Any) -> list[dict[str, Any]]:
    found = seen_context(material(DATA, sets or [CHANGED], {"m": model}, TRAINING), **rest)
    assert found is not None
    return found


def cells(record: dict[str, Any]) -> list[list[float]]:
    return [[record[row][column]["value"] for column in ("original", "changed", "drop")] for row in ("seen", "unseen")]


@pytest.mark.parametrize(
    ("model", "expected", "interaction"),
    [
        (knows_names, [[1, 1, 0], [1, 1, 0]], 0),
        (reads_contexts, [[1, 0, 1], [1, 0, 1]], 0),
        (remembers, [[1, 1, 0], [1, 0, 1]], 1),
    ],
)
def test_a_model_that_leans_on_context_for_unseen_names_only_has_an_interaction(
    model: Model, expected: list[list[float]], interaction: float
) -> None:
    (record,) = table(model)
    assert cells(record) == expected
    assert record["interaction"] == {"value": interaction, "low": interaction, "high": interaction}
    assert (record["set"], record["context"], record["mentions"]) == ("mask", "changed", 20)
    assert (record["seen"]["mentions"], record["unseen"]["mentions"]) == (10, 10)


def test_the_probe_takes_the_context_away() -> None:
    sets = probe_sets(DATA, 0)
    answers = probed(sets, {"m": remembers})
    changed, taken = table(remembers, names=sets[0], answers=answers)
    assert (taken["set"], taken["context"], taken["interaction"]["value"]) == ("probe.name", "taken away", 1)
    assert cells(taken) == cells(changed) == [[1, 1, 0], [1, 0, 1]]


def test_only_mentions_left_alone_in_sentences_that_were_changed_count() -> None:
    def some(sentence: Sentence) -> list[Edit]:
        return other_words(sentence) if sentence.id in ("s0", "s1", "s3") else []

    (record,) = table(reads_contexts, attacked(DATA, some, "mask", "context"))
    assert (record["seen"]["mentions"], record["unseen"]["mentions"]) == (1, 2)
    assert cells(record) == [[1, 0, 1], [1, 0, 1]]
    assert table(perfect, attacked(DATA, renamed("Zoe"), "swap", "entity")) == [], "no context was changed"


def test_without_training_data_nothing_is_said_and_without_a_kind_of_mention_it_is_undefined() -> None:
    assert seen_context(material(DATA, [CHANGED], {"m": perfect})) is None
    all_unseen = seen_context(material(DATA, [CHANGED], {"m": perfect}, audited("[PER Zoe]")))
    assert all_unseen is not None
    assert all_unseen[0]["seen"] == {
        "mentions": 0, **{side: {"value": None, "low": None, "high": None} for side in ("original", "changed", "drop")}
    }  # fmt: skip
    assert all_unseen[0]["interaction"] == {"value": None, "low": None, "high": None}
    (nothing,) = table(perfect, attacked(DATA, lambda s: [], "mask", "context"))
    assert (nothing["mentions"], nothing["interaction"]["value"]) == (0, None)


def test_by_hand_from_plain_lists() -> None:
    # seen: 10 Anna; a model that loses every second of them and every fifth of the others under the changed words
    def model(sentence: Sentence) -> Iterable[Span]:
        number = int(sentence.id[1:].split("~")[0])
        lost = "~" in sentence.id and (number % 4 == 0 if number % 2 == 0 else number % 10 == 5)
        return () if lost else sentence.spans

    (record,) = table(model)
    seen = [number for number in range(20) if number % 2 == 0]
    unseen = [number for number in range(20) if number % 2]
    drop_seen = sum(number % 4 == 0 for number in seen) / len(seen)
    drop_unseen = sum(number % 10 == 5 for number in unseen) / len(unseen)
    assert (drop_seen, drop_unseen) == (0.5, 0.2)
    assert record["seen"]["drop"]["value"] == pytest.approx(drop_seen)
    assert record["unseen"]["drop"]["value"] == pytest.approx(drop_unseen)
    assert record["interaction"]["value"] == pytest.approx(drop_unseen - drop_seen)
    assert record["interaction"]["low"] < record["interaction"]["value"] < record["interaction"]["high"]
