from typing import Any

from tests.analyse import plain_figures as plain
from tests.analyse.plain_material import material, record, under
from tests.report.explained import explained, view_of

from nerquake.core.results import SCHEME_NAMES
from nerquake.report.fine_tables import CHARGES, bars, charges_table, fine_sentences, scheme_table

VIEW, RECORDS = explained()
FLAIR = VIEW.taggers[0]
GOLD = [(3, 4, "PER")]
CASE = view_of(material([record(GOLD, {"m": GOLD}, {"swap": under(GOLD, {"m": [(3, 4, "LOC")]})})]))


def plain_f1(records: list[Any], name: str, tagger: str, side: str, label: str | None, scheme: str) -> float:
    """By docs/scoring.md, from plain counts."""
    charged = plain.charges(records, name, tagger)[side]
    texts = [both[side == "attacked"] for both in plain.sides(records, name)]
    n = {what: sum(t for (one, s, w), t in charged.items() if s == scheme and w == what and label in (None, one))
         for what in CHARGES}  # fmt: skip
    gold = sum(label in (None, span[2]) for text in texts for span in text["gold"])
    said = sum(label in (None, span[2]) for text in texts for span in text["said"][tagger])
    actual = said if scheme == "strict" else n["correct"] + n["incorrect"] + n["partial"] + n["spurious"]
    return (2 * n["correct"] + n["partial"]) / (gold + actual)


def test_every_f1_is_that_of_a_plain_recount() -> None:
    for tagger in VIEW.taggers:
        table, name = scheme_table(VIEW, tagger), ""
        for row in table.rows:
            name = row.group or name
            label = None if row.cells[0].text == "Overall" else row.cells[0].text
            expected = [
                f"{100 * plain_f1(RECORDS, name, tagger, side, label, scheme):.1f}"
                for side in ("original", "attacked")
                for scheme in SCHEME_NAMES
            ]
            assert [cell.text for cell in row.cells[2:]] == expected
        assert name == VIEW.sets[-1]


def test_every_count_is_that_of_a_plain_recount() -> None:
    for scheme in SCHEME_NAMES:
        table, name = charges_table(VIEW, FLAIR, scheme), ""
        for row in table.rows:
            name = row.group or name
            label = row.cells[0].text
            found = plain.charges(RECORDS, name, FLAIR)
            for column, cell in zip(table.columns[1:], row.cells[1:], strict=True):
                what, side = column.head.lower().split()
                numbers = (n for (one, s, w), n in found[side].items() if (s, w) == (scheme, what))
                if label != "Overall":
                    numbers = (n for (one, s, w), n in found[side].items() if (one, s, w) == (label, scheme, what))
                assert cell.text == str(sum(numbers))


def test_the_columns_are_those_of_the_paper_and_of_the_scheme() -> None:
    strict_exact = scheme_table(VIEW, FLAIR, ("strict", "exact"))
    assert [column.head for column in strict_exact.columns] == [
        "Label", "Support", "Original strict", "Original exact", "Attacked strict", "Attacked exact",
    ]  # fmt: skip
    heads = [column.head for column in charges_table(VIEW, FLAIR, "partial").columns]
    assert "Partial attacked" in heads and "Incorrect attacked" not in heads
    assert strict_exact.rows[0].cells[0].text == "Overall"


def test_a_label_without_gold_mentions_is_not_evaluated() -> None:
    # case 16: LOC is only predicted; its F1 by the counts would be 0
    overall, loc, per = scheme_table(CASE, "m", ("strict", "exact")).rows
    assert [cell.text for cell in overall.cells] == ["Overall", "1", "100.0", "100.0", "0.0", "100.0"]
    assert [cell.text for cell in loc.cells] == ["LOC", "0", "n/e", "n/e", "n/e", "n/e"]
    assert loc.cells[2].title == "no gold mention of this label in this text"
    assert [cell.text for cell in per.cells] == ["PER", "1", "100.0", "100.0", "0.0", "100.0"]


def test_the_chart_has_the_numbers_of_the_table() -> None:
    table = charges_table(VIEW, FLAIR)
    rows = {}
    for row in table.rows:
        if row.group not in ("", "swap"):
            break
        rows[row.cells[0].text] = row
    drawn = bars(VIEW, FLAIR, "swap")
    assert len(drawn) == 8 * (len(rows) - 1)  # four outcomes of strict, two texts, without "Overall"
    for bar in drawn:
        column = [one.head for one in table.columns].index(f"{bar['outcome'].capitalize()} {bar['text']}")
        assert rows[bar["label"]].cells[column].text == str(bar["mentions"])


def test_sentences_say_missed_spurious_and_the_label_that_falls_most() -> None:
    gold, other = [(0, 1, "A")], [(0, 1, "B")]
    fallen = [record(gold, {"m": gold}, {"swap": under(gold, {"m": []})}) for _ in range(5)]
    held = [record(gold, {"m": gold}, {"swap": under(gold, {"m": [*gold, (4, 5, "B")]})}) for _ in range(15)]
    rare = [record(other, {"m": other}, {"swap": under(other, {"m": []})}) for _ in range(3)]
    assert fine_sentences(view_of(material([*fallen, *held, *rare])), "m", "swap") == (
        "m under swap: missed mentions 0 → 8, spurious ones 0 → 15.",
        "Correct mentions fall most for A, 100.0 → 75.0 % of its mentions (support 20).",
    )
    assert len(fine_sentences(CASE, "m", "swap")) == 1  # no label has enough support
    assert fine_sentences(CASE, "other", "swap") == ()
    assert scheme_table(CASE, "other").rows == charges_table(CASE, "other").rows == ()
