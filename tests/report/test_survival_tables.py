from typing import Any

from tests.analyse.plain_material import material
from tests.analyse.test_survival import DRAWS, LIVES
from tests.report.found_view import texts, view_of

from nerquake.analyse.survival import survival
from nerquake.report.numbers import UNDEFINED
from nerquake.report.survival_tables import histogram_table, survival_label_table, survival_lines, survival_table
from nerquake.report.view import View


def real() -> View:
    """The lives worked out by hand in tests/analyse/test_survival.py."""
    return view_of(draws=survival(material(LIVES, DRAWS, resamples=0), {"swap": DRAWS}))


def lives(survived: list[int], **more: Any) -> Any:
    right = sum(survived)
    shares = [survived[end] / right if right else None for end in (-1, 0)]
    return {"mentions": right, "right": right, "survived": survived, "never_broken": shares[0],
            "always_broken": shares[1], "wrong": 0, "recovered": [0] * len(survived), **more}  # fmt: skip


def drawn(**more: Any) -> Any:
    return {
        "set": "faker", "tagger": "m", "level": "entity", "draws": ["faker.1", "faker.2"], "pairs": 1200,
        "f1": {"original": 0.9, "mean": 0.7, "worst": {"set": "faker.2", "f1": 0.68},
               "best": {"set": "faker.1", "f1": 0.72}, "by_draw": []},
        "variance": {"draws": 0.0008, "sentences": 0.000121, "sentences_drop": 0.0001},
        "incomplete": 0, "all": lives([300, 200, 1500]), "attacked": lives([300, 200, 500]),
        "by_label": {"PER": lives([290, 110, 600]), "LAW": lives([1, 2, 2]), "NEW": lives([0, 0, 0])}, **more,
    }  # fmt: skip


def test_f1_over_draws_with_its_spread_and_the_mentions_that_survive() -> None:
    # standard deviations: the roots of 0.0008 and 0.000121 are 2.83 and 1.10 points
    assert texts(survival_table(view_of(draws=[drawn(), drawn(set="swap")])))[0] == [
        "faker", "2", "1,200", "90.0", "68.0", "70.0", "72.0", "2.83", "1.10",
        "2,000|1,000 attacked", "75.0|50.0 attacked", "15.0|30.0 attacked",
    ]  # fmt: skip


def test_the_histogram_counts_mentions_by_draws_survived() -> None:
    once = drawn(set="para", draws=["para"], all=lives([1, 3]))
    table = histogram_table(view_of(draws=[drawn(), once]))
    assert [column.head for column in table.columns] == ["Attack", "Right before", "0", "1", "2"]
    assert texts(table) == [
        ["faker", "2,000", "300|15.0 %", "200|10.0 %", "1,500|75.0 %"],
        ["para", "4", "1|25.0 %", "3|75.0 %", "–"],
    ]
    assert [row.group for row in table.rows] == ["m", ""]


def test_labels_stand_in_the_order_of_the_findings_and_small_ones_are_grey() -> None:
    table = survival_label_table(view_of(draws=[drawn(), drawn(tagger="n")]), "m")
    # draws survived: (110 + 2 * 600) / 2000, and (2 + 2 * 2) / 10
    assert texts(table) == [
        ["PER", "1,000", "60.0", "29.0", "65.5"],
        ["LAW", "5", "40.0", "20.0", "60.0"],
        ["NEW", "0", UNDEFINED, UNDEFINED, UNDEFINED],
    ]
    assert [row.cells[2].faint for row in table.rows] == [False, True, True]
    assert table.rows[2].cells[2].title == "no mention was right before the attack in every compared sentence"


def test_sentences_say_what_survives_and_how_far_chance_goes() -> None:
    assert survival_lines(view_of(draws=[drawn()])) == (
        "Of 100 mentions that m had right, 75 survive all 2 draws of faker and 15 none.",
        "Over 2 draws of faker F1 of m goes from 68.0 to 72.0, mean 70.0: its standard deviation is 2.83 points "
        "between draws and 1.10 between samples of sentences.",
    )
    unknown = {"draws": None, "sentences": 0.1, "sentences_drop": 0.1}
    once = drawn(draws=["faker"], all=lives([1, 3]), variance=unknown)
    assert survival_lines(view_of(draws=[once])) == (
        "Of 100 mentions that m had right, 75 survive the one draw of faker and 25 do not.",
    )


def test_real_findings_fit() -> None:
    view = real()
    assert texts(survival_table(view)) == [
        ["swap", "3", "5", "88.9", "33.3", "61.1", "75.0", "24.06", UNDEFINED,
         "4|4 attacked", "25.0|25.0 attacked", "25.0|25.0 attacked"]
    ]  # fmt: skip
    assert texts(histogram_table(view)) == [["swap", "4", "1|25.0 %", "1|25.0 %", "1|25.0 %", "1|25.0 %"]]
    assert survival_lines(view) == ("Of 100 mentions that m had right, 25 survive all 3 draws of swap and 25 none.",)


def test_nothing_right_before_is_not_evaluated() -> None:
    none = {"original": None, "mean": None, "worst": None, "best": None, "by_draw": []}
    view = view_of(draws=[drawn(all=lives([0, 0, 0]), attacked=lives([0, 0, 0]), f1=none)])
    (row,) = texts(survival_table(view))
    assert row[3:7] == row[10:] + row[10:] == [UNDEFINED] * 4
    assert (
        survival_lines(view_of(draws=[drawn(all=lives([0, 0, 0]), variance={"draws": None, "sentences": None})])) == ()
    )


def test_without_draws_there_is_nothing_and_joined_audits_are_named() -> None:
    view = view_of()
    assert (survival_table(view).rows, histogram_table(view).rows, survival_lines(view)) == ((), (), ())
    joined = view_of(draws=[drawn(audit="conll", tagger="conll: m")])
    assert texts(survival_table(joined))[0][0] == "conll: faker"
