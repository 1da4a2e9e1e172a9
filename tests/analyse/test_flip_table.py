import json
from typing import Any

import pytest
from hypothesis import given, settings
from tests.analyse import plain_drops as plain
from tests.analyse.plain_material import material, record, records, under

from nerquake.analyse.findings import findings
from nerquake.analyse.flip_table import WRONG, flip_table

A, B, C = (0, 1, "A"), (2, 4, "A"), (5, 6, "B")


def test_what_fell_became_something_and_what_rose_was_something() -> None:
    # Before: A right, B cut short, C missed. After: A under another label, B right, C missed.
    after = under([A, B, C], {"m": [(0, 1, "B"), B]}, "new w1 w2 w3 w4 w5")
    (found,) = flip_table(material([record([A, B, C], {"m": [A, (2, 3, "A")]}, {"swap": after}, "w0 w1 w2 w3 w4 w5")]))
    whole = found["all"]
    assert (whole["mentions"], whole["right"], whole["fell"], whole["wrong"], whole["rose"]) == (3, 1, 1, 2, 1)
    assert (whole["fell_share"], whole["rose_share"]) == (1.0, 0.5)
    assert whole["fell_to"] == {"type": 1, "boundary": 0, "missed": 0}
    assert whole["rose_from"] == {"type": 0, "boundary": 1, "missed": 0}
    assert (found["replaced"]["mentions"], found["replaced"]["fell"]) == (1, 1)
    assert (found["left_alone"]["mentions"], found["left_alone"]["rose"]) == (2, 1)
    assert list(found["by_label"]) == ["A", "B"]
    assert (found["by_label"]["B"]["fell_share"], found["by_label"]["B"]["rose_share"]) == (None, 0.0)


def test_intervals_are_over_sentences_so_that_mentions_of_one_fall_together() -> None:
    # 20 sentences of two mentions each, both fall in half of them: as uncertain as 20 coins, not as 40.
    gold = [(0, 1, "A"), (2, 3, "A")]
    drawn = [record(gold, {"m": gold}, {"swap": under(gold, {"m": [] if n % 2 else gold})}) for n in range(20)]
    (found,) = flip_table(material(drawn))
    whole = found["all"]
    assert whole["fell_share"] == 0.5
    assert whole["fell_high"] - whole["fell_low"] == pytest.approx(2 * 1.96 * (0.25 / 20) ** 0.5, abs=0.07)


def test_no_mention_is_no_share() -> None:
    (found,) = flip_table(material([record([], {"m": [A]}, {"swap": under([], {"m": []})})]))
    assert (found["all"]["mentions"], found["all"]["fell_share"], found["all"]["fell_low"]) == (0, None, None)
    assert found["by_label"] == {}


@settings(max_examples=40)
@given(records(("one", "two")))
def test_every_figure_is_that_of_the_plain_lists_and_of_the_flips(drawn: Any) -> None:
    made = material(drawn, ("one", "two"), resamples=20)
    found = flip_table(made)
    assert json.loads(json.dumps(found, allow_nan=False)) == found
    rows = findings(made.original, made.sets, made.predictions, [], method={}, seed=0)["flips"]
    short = {(row["tagger"], row["set"]): row for row in rows}
    for one in found:
        row = short[one["tagger"], one["set"]]
        parts: list[tuple[Any, dict[str, Any]]] = [
            (one["all"], {}), (one["replaced"], {"replaced": True}), (one["left_alone"], {"replaced": False}),
            *((block, {"label": label}) for label, block in one["by_label"].items()),
        ]  # fmt: skip
        for block, chosen in parts:
            expected = plain.flips(drawn, one["set"], one["tagger"], **chosen)
            assert (block["right"], block["wrong"]) == (expected["right"], expected["wrong"])
            assert block["fell_to"] == {kind: expected["fell_to"][kind] for kind in WRONG}
            assert block["rose_from"] == {kind: expected["rose_from"][kind] for kind in WRONG}
            assert block["fell"] == sum(block["fell_to"].values())
            assert block["rose"] == sum(block["rose_from"].values())
            assert block["fell_share"] == (block["fell"] / block["right"] if block["right"] else None)
        assert list(one["by_label"]) == list(row["by_label"])
        for label, block in (("", one["all"]), *one["by_label"].items()):
            counts = row["by_label"][label] if label else row
            assert all(block[key] == counts[key] for key in ("mentions", "right", "fell", "rose"))
