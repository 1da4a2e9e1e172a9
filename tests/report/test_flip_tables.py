from typing import Any

from tests.analyse.plain_material import material, record, under
from tests.report.found_view import texts, view_of

from nerquake.analyse.flip_table import flip_table as found_flips
from nerquake.report.flip_tables import flip_lines, flip_table
from nerquake.report.numbers import UNDEFINED

A, B, C = (0, 1, "A"), (2, 4, "A"), (5, 6, "B")


def flips(right: int, fell: dict[str, int], wrong: int = 0, rose: dict[str, int] | None = None) -> Any:
    kinds = {"type": 0, "boundary": 0, "missed": 0}
    fallen, risen = {**kinds, **fell}, {**kinds, **(rose or {})}
    found: dict[str, Any] = {"mentions": right + wrong}
    for what, of, number, events in (("fell", "right", right, fallen), ("rose", "wrong", wrong, risen)):
        share = sum(events.values()) / number if number else None
        found |= {of: number, what: sum(events.values()), f"{what}_share": share}
        found |= {f"{what}_low": share and share - 0.01, f"{what}_high": share and share + 0.01}
    return {**found, "fell_to": fallen, "rose_from": risen}


def a_record(**more: Any) -> Any:
    whole = flips(2000, {"type": 300, "boundary": 40, "missed": 160}, 500, {"boundary": 20, "missed": 5})
    return {
        "tagger": "m", "set": "swap", "all": whole, "replaced": flips(1000, {"type": 490}),
        "left_alone": flips(1000, {"missed": 10}), "by_label": {"ORG": whole, "LAW": flips(5, {"type": 1})}, **more,
    }  # fmt: skip


def test_shares_stand_beside_counts_and_say_what_became_of_the_mentions() -> None:
    table = flip_table(view_of(flip_table=[a_record(), a_record(tagger="n")]), "m")
    assert texts(table)[0] == [
        "all labels", "2,500", "2,000", "500", "25.0|[24.0, 26.0]", "300", "40", "160",
        "500", "25|20 wrong boundary, 5 missed", "5.0|[4.0, 6.0]",
    ]  # fmt: skip
    assert [row.cells[0].text for row in table.rows] == ["all labels", "replaced", "left alone", "ORG", "LAW"]
    assert [row.group for row in table.rows] == ["swap", "", "", "", ""]
    assert [row.cells[0].data for row in table.rows] == [False, False, False, True, True]


def test_small_shares_are_grey_and_shares_of_nothing_not_evaluated() -> None:
    last = flip_table(view_of(flip_table=[a_record()]), "m").rows[-1]
    assert (last.cells[4].text, last.cells[4].faint) == ("20.0", True)
    assert (last.cells[10].text, last.cells[10].title) == (UNDEFINED, "no mention was wrong before")
    assert last.cells[9].sub == ""


def test_parts_without_mentions_are_left_out() -> None:
    table = flip_table(view_of(flip_table=[a_record(replaced=flips(0, {}))]), "m")
    assert [row.cells[0].text for row in table.rows] == ["all labels", "left alone", "ORG", "LAW"]


def test_a_sentence_says_what_most_of_the_fallen_became() -> None:
    less = a_record(set="mask", all=flips(2000, {"missed": 3}))
    other = a_record(tagger="n", all=flips(10, {"missed": 3}), left_alone=flips(0, {}))
    assert flip_lines(view_of(flip_table=[less, a_record(), other])) == (
        "Under swap 500 of 2,000 mentions that m had right are wrong: 300 under another label, 160 not found and 40 "
        "with other tokens. Of those replaced 49.0 % fall, of those left alone 1.0 %.",
        "Under swap 3 of 10 mentions that n had right are wrong: 3 not found.",
    )


def test_real_findings_fit() -> None:
    after = under([A, B, C], {"m": [(0, 1, "B"), B]}, "new w1 w2 w3 w4 w5")
    made = material([record([A, B, C], {"m": [A, (2, 3, "A")]}, {"swap": after}, "w0 w1 w2 w3 w4 w5")], resamples=0)
    table = flip_table(view_of(flip_table=found_flips(made)), "m")
    assert texts(table) == [
        ["all labels", "3", "1", "1", "100.0", "1", "0", "0", "2", "1|1 wrong boundary", "50.0"],
        ["replaced", "1", "1", "1", "100.0", "1", "0", "0", "0", "0", UNDEFINED],
        ["left alone", "2", "0", "0", UNDEFINED, "0", "0", "0", "2", "1|1 wrong boundary", "50.0"],
        ["A", "2", "1", "1", "100.0", "1", "0", "0", "1", "1|1 wrong boundary", "100.0"],
        ["B", "1", "0", "0", UNDEFINED, "0", "0", "0", "1", "0", "0.0"],
    ]


def test_without_findings_or_falls_there_is_nothing_to_say() -> None:
    assert (flip_table(view_of(), "m").rows, flip_lines(view_of())) == ((), ())
    assert flip_lines(view_of(flip_table=[a_record(all=flips(5, {}))])) == ()
