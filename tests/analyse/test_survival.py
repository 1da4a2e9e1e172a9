import json
from dataclasses import replace
from statistics import variance
from typing import Any

import pytest
from hypothesis import given, settings
from tests.analyse import plain_drops as plain
from tests.analyse.plain_material import material, record, records, under

from nerquake.analyse.survival import survival

DRAWS = ("swap.1", "swap.2", "swap.3")
A = [(0, 1, "A")]


def life(before: bool, after: list[bool | None], label: str = "A") -> Any:
    """A sentence of one mention that is right or wrong in each draw; None: the draw discards it."""
    gold = [(0, 1, label)]
    drawn = zip(DRAWS, after, strict=True)
    sets = {name: under(gold, {"m": gold if right else []}) for name, right in drawn if right is not None}
    return record(gold, {"m": gold if before else []}, sets)


LIVES = [
    life(True, [True, True, True]),  # never broken
    life(True, [False, False, False]),  # always broken
    life(True, [True, False, True]),
    life(True, [True, False, False], "B"),
    life(False, [False, False, True], "B"),  # wrong before, right in one draw
    life(True, [True, None, True]),  # one draw leaves it out
]


def test_how_many_draws_each_mention_survives() -> None:
    (found,) = survival(material(LIVES, DRAWS), {"swap": DRAWS})
    assert (found["set"], found["tagger"], found["level"], found["draws"]) == ("swap", "m", "entity", list(DRAWS))
    assert (found["pairs"], found["incomplete"]) == (5, 1)
    assert found["all"] == {
        "mentions": 5,
        "right": 4,
        "survived": [1, 1, 1, 1],
        "never_broken": 0.25,
        "always_broken": 0.25,
        "wrong": 1,
        "recovered": [0, 1, 0, 0],
    }
    assert list(found["by_label"]) == ["A", "B"]
    assert found["by_label"]["A"]["survived"] == [1, 0, 1, 1]
    assert found["by_label"]["A"]["never_broken"] == pytest.approx(1 / 3)
    assert (found["by_label"]["B"]["never_broken"], found["by_label"]["B"]["recovered"]) == (0.0, [0, 1, 0, 0])


def test_worst_mean_and_best_f1_are_over_the_sentences_that_every_draw_keeps() -> None:
    # Five sentences; right in the draws: 3, 1, 3 of 5, so F1 2n / (5 + n): 6/8, 2/6, 6/8. Before: 4 of 5, 8/9.
    (found,) = survival(material(LIVES, DRAWS), {"swap": DRAWS})
    scores = found["f1"]
    assert [row["f1"] for row in scores["by_draw"]] == [0.75, pytest.approx(1 / 3), 0.75]
    assert scores["original"] == pytest.approx(8 / 9)
    assert scores["worst"] == {"set": "swap.2", "f1": pytest.approx(1 / 3)}
    assert scores["best"] == {"set": "swap.1", "f1": 0.75}
    assert scores["mean"] == pytest.approx((0.75 + 1 / 3 + 0.75) / 3)
    assert scores["by_draw"][1]["drop"] == pytest.approx(8 / 9 - 1 / 3)
    # the deviations from the mean are 5/36, -10/36 and 5/36 of one
    assert found["variance"]["draws"] == pytest.approx(150 / 36**2 / 2)


def test_the_variance_between_sentences_is_that_of_the_bootstrap() -> None:
    # 100 sentences, half of them right: with n right F1 is 2n / (100 + n), its slope at 50 is 200 / 150 ** 2, and the
    # number of right ones has the variance 100 / 4.
    drawn = [life(True, [number % 2 == 0] * 3) for number in range(100)]
    (found,) = survival(material(drawn, DRAWS, resamples=2000), {"swap": DRAWS})
    expected = (200 / 150**2) ** 2 * 25
    assert found["variance"]["draws"] == 0.0
    assert found["variance"]["sentences"] == pytest.approx(expected, rel=0.15)
    # before the attack everything is right in every sample, so that the loss varies as the score does
    assert found["variance"]["sentences_drop"] == pytest.approx(found["variance"]["sentences"])


def test_only_what_every_draw_reached_counts_as_attacked() -> None:
    gold = [(0, 1, "A"), (1, 2, "A")]
    names = ("one", "two")
    sets = {name: under(gold, {"m": gold}, f"{name} w1") for name in names}
    made = material([record(gold, {"m": gold}, sets, "w0 w1")], names)
    (found,) = survival(made, {"swap": names})
    assert (found["all"]["right"], found["attacked"]["right"]) == (2, 1)
    # an attack on the context reaches every mention of a sentence that it changed
    context = replace(made, sets=tuple(replace(one, level="context") for one in made.sets))
    (found,) = survival(context, {"mask": names})
    assert found["attacked"]["right"] == 2


def test_one_draw_has_no_variance_and_no_mention_no_share() -> None:
    (found,) = survival(material([life(True, [True, None, None])], DRAWS), {"swap": DRAWS[:1]})
    assert (found["variance"]["draws"], found["all"]["survived"]) == (None, [0, 1])
    empty = material([record([], {"m": []}, {name: under([], {"m": []}) for name in DRAWS})], DRAWS)
    (found,) = survival(empty, {"swap": DRAWS})
    assert (found["all"]["never_broken"], found["f1"]["mean"], found["f1"]["worst"]) == (None, None, None)
    assert found["variance"] == {"draws": None, "sentences": None, "sentences_drop": None}


def test_attacks_that_were_drawn_once_have_no_record_and_unknown_sets_are_an_error() -> None:
    made = material(LIVES, DRAWS)
    assert survival(made, {}) == []
    assert survival(made, {"swap": ()}) == []
    with pytest.raises(ValueError, match=r"no set of the audit is called swap\.9"):
        survival(made, {"swap": ("swap.1", "swap.9")})


@settings(max_examples=50)
@given(records(DRAWS))
def test_every_figure_is_that_of_the_plain_lists(drawn: Any) -> None:
    found = survival(material(drawn, DRAWS, resamples=10), {"swap": DRAWS})
    assert json.loads(json.dumps(found, allow_nan=False)) == found
    kept = plain.shared(drawn, DRAWS)
    for one in found:
        lived, incomplete = plain.lives(drawn, DRAWS, one["tagger"])
        assert (one["incomplete"], one["pairs"]) == (incomplete, len(kept))
        parts: list[tuple[Any, Any]] = [
            (one["all"], lived), (one["attacked"], [life for life in lived if life[3]]),
            *((block, [life for life in lived if life[0] == label]) for label, block in one["by_label"].items()),
        ]  # fmt: skip
        for block, lives in parts:
            right = [times for _, was, times, _ in lives if was]
            wrong = [times for _, was, times, _ in lives if not was]
            assert (block["mentions"], block["right"], block["wrong"]) == (len(lives), len(right), len(wrong))
            assert block["survived"] == [right.count(times) for times in range(4)]
            assert block["recovered"] == [wrong.count(times) for times in range(4)]
            assert block["never_broken"] == (right.count(3) / len(right) if right else None)
            assert block["always_broken"] == (right.count(0) / len(right) if right else None)
        scores = [plain.f1([text["sets"][name] for text in kept], one["tagger"]) for name in DRAWS]
        if None in scores:
            assert one["f1"]["mean"] is None
            continue
        assert [row["f1"] for row in one["f1"]["by_draw"]] == pytest.approx([float(score) for score in scores])
        assert one["f1"]["worst"]["f1"] == pytest.approx(float(min(scores)))
        assert one["f1"]["best"]["f1"] == pytest.approx(float(max(scores)))
        assert one["variance"]["draws"] == pytest.approx(float(variance(scores)), abs=1e-12)
