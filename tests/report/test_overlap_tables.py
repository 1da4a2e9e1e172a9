from itertools import combinations

import pytest
from tests.analyse import plain_figures as plain
from tests.analyse.plain_material import material
from tests.analyse.test_overlap import history
from tests.report.explained import explained, view_of

from nerquake.report.overlap_tables import DOT, READINGS, combination_table, jaccard_table, overlap_sentences

VIEW, RECORDS = explained()
FLAIR = VIEW.taggers[0]
BROKEN = [
    history(True, {"one": False, "two": True}),
    history(True, {"one": False, "two": False}),
    history(False, {"one": False, "two": False}),
    history(True, {"one": True, "two": True}),
]
SMALL = view_of(material(BROKEN, ("one", "two")))


@pytest.mark.parametrize("reading", READINGS)
def test_similarities_are_those_of_a_plain_recount(reading: str) -> None:
    for tagger in VIEW.taggers:
        table = jaccard_table(VIEW, tagger, reading)  # type: ignore[arg-type]
        pairs, _, _ = plain.overlaps(RECORDS, VIEW.sets, tagger, reading)
        for (a, first), (b, second) in combinations(enumerate(VIEW.sets), 2):
            mentions, both, either = pairs[first, second]
            cell, mirrored = table.rows[a].cells[b + 1], table.rows[b].cells[a + 1]
            assert cell == mirrored
            assert (cell.text, cell.sub) == (f"{both / either:.2f}", f"{both} of {either}")
            assert cell.title == f"over {mentions} mentions in both texts"
        assert [table.rows[n].cells[n + 1].text for n in range(3)] == ["–"] * 3


@pytest.mark.parametrize("reading", READINGS)
def test_combinations_are_those_of_a_plain_recount_and_add_up(reading: str) -> None:
    table = combination_table(VIEW, FLAIR, reading)  # type: ignore[arg-type]
    _, common, groups = plain.overlaps(RECORDS, VIEW.sets, FLAIR, reading)
    found = {
        tuple(name for name, cell in zip(VIEW.sets, row.cells[1:], strict=False) if cell.text == DOT): row.cells[
            -2
        ].text
        for row in table.rows
    }
    assert found == {group: str(number) for group, number in groups.items()}
    assert sum(map(int, found.values())) == common


def test_both_readings_by_hand() -> None:
    assert jaccard_table(SMALL, "m").rows[0].cells[2].sub == "1 of 2"
    assert jaccard_table(SMALL, "m", "wrong").rows[0].cells[2].sub == "2 of 3"
    rows = [[cell.text for cell in row.cells] for row in combination_table(SMALL, "m").rows]
    assert rows == [
        ["1 set", DOT, "", "1", "33.3"],
        ["all sets", DOT, DOT, "1", "33.3"],
        ["none: never broken", "", "", "1", "33.3"],
    ]
    assert overlap_sentences(SMALL, "m") == (
        "m: of 2 mentions that fall under one or two, 1 falls under both (Jaccard 0.50).",
        "33.3 % of 3 mentions that m had right were broken by none of 2 sets.",
    )


def test_the_least_and_the_most_alike_pair_are_named() -> None:
    first, second = overlap_sentences(VIEW, FLAIR)
    pairs = {
        key: both / either for key, (_, both, either) in plain.overlaps(RECORDS, VIEW.sets, FLAIR, "fell")[0].items()
    }
    least, most = min(pairs, key=lambda key: pairs[key]), max(pairs, key=lambda key: pairs[key])
    assert f" fall under {least[0]} or {least[1]}, " in first
    assert first.endswith(f"; most alike are {most[0]} and {most[1]} ({pairs[most]:.2f}).")
    assert second.endswith("were broken by none of 3 sets.")


def test_all_others_have_a_row_where_there_are_more_than_twelve() -> None:
    names = ("p", "q", "r", "s")
    drawn = [history(True, {name: not bits >> place & 1 for place, name in enumerate(names)}) for bits in range(16)]
    *_, others, never = combination_table(view_of(material(drawn, names)), "m").rows
    assert [cell.text for cell in others.cells] == ["all others (3 combinations)", "", "", "", "", "3", "18.8"]
    assert [cell.text for cell in never.cells][-2:] == ["1", "6.2"]


def test_nothing_broken_is_not_evaluated_and_one_set_has_no_section() -> None:
    whole = view_of(material([history(True, {"one": True, "two": True})], ("one", "two")))
    assert jaccard_table(whole, "m").rows[0].cells[2].text == "n/e"
    assert overlap_sentences(whole, "m") == ("100.0 % of 1 mention that m had right was broken by none of 2 sets.",)
    wrong = view_of(material([history(False, {"one": False, "two": False})], ("one", "two")))
    assert [cell.text for cell in combination_table(wrong, "m").rows[0].cells] == [
        "none: never broken",
        "",
        "",
        "0",
        "n/e",
    ]
    assert overlap_sentences(wrong, "m") == ()
    alone = view_of(material([history(True, {"one": False})], ("one",)))
    assert jaccard_table(alone, "m").rows == combination_table(alone, "m").rows == ()
    assert overlap_sentences(alone, "m") == ()
