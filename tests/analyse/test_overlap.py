from typing import Any

from hypothesis import given, settings
from tests.analyse import plain_figures as plain
from tests.analyse.plain_material import material, record, records, under

from nerquake.analyse.overlap import SHOWN, overlap

NAMES = ("one", "two", "three")
MENTION = [(0, 1, "A")]


def history(before: bool, after: dict[str, bool | None]) -> dict[str, Any]:
    """A sentence of one mention: right or wrong before and under each set; None where the set discards it."""
    sets = {name: under(MENTION, said(right)) for name, right in after.items() if right is not None}
    return record(MENTION, said(before), sets)


def said(right: bool) -> dict[str, list[Any]]:
    return {"m": MENTION if right else []}


def test_both_readings_by_hand() -> None:
    drawn = [
        history(True, {"one": False, "two": True}),  # falls under one
        history(True, {"one": False, "two": False}),  # falls under both
        history(False, {"one": False, "two": False}),  # wrong before too: only the first reading has it
        history(True, {"one": True, "two": True}),  # never broken
        history(True, {"one": False, "two": None}),  # two discards it: in no pair
    ]
    (found,) = overlap(material(drawn, ("one", "two")))
    (wrong,), (fell,) = found["wrong"]["pairs"], found["fell"]["pairs"]
    assert wrong == {"a": "one", "b": "two", "mentions": 4, "only_a": 1, "only_b": 0, "both": 2, "jaccard": 2 / 3}
    assert fell == {"a": "one", "b": "two", "mentions": 3, "only_a": 1, "only_b": 0, "both": 1, "jaccard": 1 / 2}
    assert found["wrong"]["combinations"] == [
        {"sets": ["one", "two"], "mentions": 2},
        {"sets": ["one"], "mentions": 1},
    ]
    assert (found["wrong"]["mentions"], found["wrong"]["never"], found["wrong"]["never_share"]) == (4, 1, 0.25)
    assert found["fell"]["combinations"] == [
        {"sets": ["one"], "mentions": 1},  # of equals the one of fewer sets
        {"sets": ["one", "two"], "mentions": 1},
    ]
    assert (found["fell"]["mentions"], found["fell"]["never"], found["fell"]["never_share"]) == (3, 1, 1 / 3)


def test_similarity_of_nothing_is_undefined() -> None:
    (found,) = overlap(material([history(True, {"one": True, "two": True})], ("one", "two")))
    assert found["fell"]["pairs"][0]["jaccard"] is None
    (empty,) = overlap(material([record([], {"m": []}, {})], ("one", "two")))
    assert (empty["wrong"]["mentions"], empty["wrong"]["never_share"]) == (0, None)


def test_one_set_overlaps_with_nothing() -> None:
    assert overlap(material([history(True, {"one": False})], ("one",))) == []


def test_twelve_combinations_are_listed_and_the_others_summed() -> None:
    names = ("p", "q", "r", "s")
    drawn = []
    for bits in range(16):  # every combination once, that of all sets three times
        after: dict[str, bool | None] = {name: not bits >> place & 1 for place, name in enumerate(names)}
        drawn += [history(True, after) for _ in range(3 if bits == 15 else 1)]
    (found,) = overlap(material(drawn, names))
    listed = found["fell"]["combinations"]
    assert (len(listed), found["fell"]["others"]) == (SHOWN, {"combinations": 3, "mentions": 3})
    assert listed[0] == {"sets": ["p", "q", "r", "s"], "mentions": 3}
    assert [one["sets"] for one in listed[1:6]] == [["p"], ["q"], ["r"], ["s"], ["p", "q"]]
    assert (found["fell"]["mentions"], found["fell"]["never"]) == (18, 1)


@settings(max_examples=40)
@given(records())
def test_every_figure_is_that_of_a_plain_recount(drawn: Any) -> None:
    for one in overlap(material(drawn, NAMES)):
        assert one["sets"] == list(NAMES)
        for reading in ("wrong", "fell"):
            pairs, common, groups = plain.overlaps(drawn, NAMES, one["tagger"], reading)
            found = one[reading]
            for pair in found["pairs"]:
                mentions, both, either = pairs[pair["a"], pair["b"]]
                assert (pair["mentions"], pair["both"]) == (mentions, both)
                assert pair["jaccard"] == (both / either if either else None)
            assert len(found["pairs"]) == len(pairs)
            assert found["mentions"] == common
            assert found["never"] == groups.pop((), 0)
            assert {tuple(each["sets"]): each["mentions"] for each in found["combinations"]} == groups
            assert found["others"] == {"combinations": 0, "mentions": 0}
            assert found["never_share"] == (found["never"] / common if common else None)
