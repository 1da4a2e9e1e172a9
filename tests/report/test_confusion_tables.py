from tests.analyse import plain_figures as plain
from tests.analyse.plain_material import material, record, under
from tests.report.explained import explained, view_of

from nerquake.report.confusion_tables import SIDES, confusion_table, moved_sentence

VIEW, RECORDS = explained()
FLAIR = VIEW.taggers[0]
GOLD = [(3, 4, "PER")]
CASE = view_of(material([record(GOLD, {"m": GOLD}, {"swap": under(GOLD, {"m": [(3, 4, "LOC")]})})]))


def test_every_share_and_count_is_that_of_a_plain_recount() -> None:
    for tagger in VIEW.taggers:
        for name in VIEW.sets:
            for side, cells in plain.confusion(RECORDS, name, tagger).items():
                table = confusion_table(VIEW, tagger, name, side)
                columns = [*(column.head for column in table.columns[2:-1]), "missed"]
                *rows, last = table.rows
                for row in rows:
                    label = row.cells[0].text
                    total = sum(times for (gold, _), times in cells.items() if gold == label)
                    assert row.cells[1].text == str(total)
                    shown = [cell.text for cell in row.cells[2:]]
                    assert shown == [f"{100 * cells[label, said] / total:.1f}" for said in columns]
                assert [cell.text for cell in last.cells[2:-1]] == [
                    str(cells["spurious", said]) for said in columns[:-1]
                ]


def test_the_change_is_the_attacked_share_less_the_original_one() -> None:
    cells = plain.confusion(RECORDS, "swap", FLAIR)
    table = confusion_table(VIEW, FLAIR, "swap")
    per = next(row for row in table.rows if row.cells[0].text == "PER")
    sums = {side: sum(n for (gold, _), n in cells[side].items() if gold == "PER") for side in cells}
    was, now = (cells[side]["PER", "LOC"] / sums[side] for side in ("original", "attacked"))
    column = [one.head for one in table.columns].index("LOC")
    assert per.cells[1].text == f"{sums['original']} → {sums['attacked']}"
    assert per.cells[column].text == f"{100 * (now - was):+.1f}"
    assert per.cells[column].sub == f"{100 * was:.1f} → {100 * now:.1f}"
    heat, right = per.cells[column].heat, per.cells[[one.head for one in table.columns].index("PER")].heat
    assert heat is not None and heat > 0  # more confusion is a loss
    assert right is not None and right > 0  # and so is a smaller share of right labels


def test_a_label_without_gold_mentions_is_not_evaluated() -> None:
    # case 16: LOC is only predicted
    loc, per, spurious = confusion_table(CASE, "m", "swap", "attacked").rows
    assert [cell.text for cell in loc.cells] == ["LOC", "0", "n/e", "n/e", "n/e"]
    assert {cell.title for cell in loc.cells[2:]} == {"no gold mention of this label"}
    assert [cell.text for cell in per.cells] == ["PER", "1", "100.0", "0.0", "0.0"]
    assert [cell.text for cell in spurious.cells] == ["Spurious", "", "0", "0", ""]
    change = confusion_table(CASE, "m", "swap").rows[1].cells
    assert [(cell.text, cell.sub, cell.heat) for cell in change[2:]] == [
        ("+100.0", "0.0 → 100.0", None),  # one mention gets no colour
        ("−100.0", "100.0 → 0.0", None),
        ("0.0", "", None),
    ]
    assert [row.group for row in confusion_table(CASE, "m", "swap").rows] == ["swap", "", ""]
    assert "Under 20 gold mentions: shown without colour." in confusion_table(CASE, "m", "swap").notes


def test_the_pair_that_moved_most_in_words() -> None:
    assert moved_sentence(CASE, "m", "swap") == (
        "m under swap: PER is taken for LOC more often, 0.0 → 100.0 % of its mentions (+100.0 points; support 1, no "
        "label has 20)."
    )
    back = view_of(material([record(GOLD, {"m": [(3, 4, "LOC")]}, {"swap": under(GOLD, {"m": GOLD})})]))
    assert "PER is taken for LOC less often, 100.0 → 0.0 %" in moved_sentence(back, "m", "swap")
    still = view_of(material([record(GOLD, {"m": GOLD}, {"swap": under(GOLD, {"m": []})})]))
    assert moved_sentence(still, "m", "swap") == (
        "m under swap: no label is taken for another more or less often than before."
    )
    assert " is taken for " in moved_sentence(VIEW, FLAIR, "swap") and "no label has" not in moved_sentence(
        VIEW, FLAIR, "swap"
    )


def test_a_growing_number_of_false_alarms_has_its_sign() -> None:
    made = record(GOLD, {"m": GOLD}, {"swap": under(GOLD, {"m": [*GOLD, (6, 7, "PER"), (8, 9, "PER")]})})
    (_, spurious) = confusion_table(view_of(material([made])), "m", "swap").rows
    assert [cell.text for cell in spurious.cells] == ["Spurious", "", "+2", ""]


def test_a_model_without_findings_has_empty_tables() -> None:
    assert [confusion_table(VIEW, "other", "swap", side).rows for side in SIDES] == [(), (), ()]
    assert moved_sentence(VIEW, "other", "swap") == ""
