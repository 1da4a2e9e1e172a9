import json
from typing import Any

from tests.analyse import plain_figures as plain
from tests.analyse.plain_material import material, record, under
from tests.report.explained import explained, view_of

from nerquake.report.error_tables import (
    error_sentences,
    error_table,
    error_table_by_model,
    kinds_table,
    new_errors,
    row_words,
)
from nerquake.report.table import Table
from nerquake.report.view import View

VIEW, RECORDS = explained()
FLAIR, SPACY = VIEW.taggers
PLACES = [*(("right", d) for d in range(4)), *(("wrong", d) for d in range(4)), (None, None)]
HEADS = [
    "Right type, d = 0 (same tokens)", "Right type, d = 1", "Right type, d = 2", "Right type, d = 3 or more",
    "Wrong type, d = 0 (same tokens)", "Wrong type, d = 1", "Wrong type, d = 2", "Wrong type, d = 3 or more",
    "No prediction",
]  # fmt: skip


def texts(table: Table) -> list[list[str]]:
    return [[cell.text for cell in row.cells] for row in table.rows]


def points(share: Any) -> str:
    text = f"{100 * share:+.1f}"
    return "0.0" if float(text) == 0 else text.replace("-", "−")


def test_every_cell_is_that_of_a_plain_recount_from_the_sentences() -> None:
    for tagger in VIEW.taggers:
        rows = texts(error_table(VIEW, tagger))
        for number, name in enumerate(VIEW.sets):
            columns = plain.error_table(RECORDS, name, tagger)
            sizes = {side: sum(column.values()) for side, column in columns.items()}
            first, *lines = rows[10 * number : 10 * number + 10]
            shown = [str(sizes[side]) for side in ("before", "after", "left", "replaced")]
            assert first == ["Mentions", shown[0], shown[1], "", shown[2], shown[3], ""]
            for place, head, line in zip(PLACES, HEADS, lines, strict=True):
                share = {side: columns[side][place] / sizes[side] if sizes[side] else None for side in columns}
                expected = [head]
                for a, b in (("before", "after"), ("left", "replaced")):
                    defined = [f"{float(100 * share[s]):.1f}" if share[s] is not None else "n/e" for s in (a, b)]
                    missing = share[a] is None or share[b] is None
                    expected += [*defined, "n/e" if missing else points(float(share[b] - share[a]))]
                assert line == expected


def test_a_set_that_replaces_everything_has_no_mention_left_alone_and_says_so() -> None:
    swap = error_table(VIEW, FLAIR).rows[1]
    assert error_table(VIEW, FLAIR).rows[0].group == "swap"
    assert [(cell.text, cell.title) for cell in swap.cells[4:5]] == [("n/e", "no mention was left alone")]


def test_the_layout_of_paper_r_has_attacked_and_unattacked_columns_for_each_model() -> None:
    table = error_table_by_model(VIEW, "letters")
    assert [column.head for column in table.columns] == [
        "Prediction", f"{FLAIR} replaced", f"{FLAIR} left alone", f"{SPACY} replaced", f"{SPACY} left alone",
    ]  # fmt: skip
    assert [column.under for column in table.columns[1:3]] == ["replaced", "left alone"]
    assert table.rows[0].group == "letters"
    columns = plain.error_table(RECORDS, "letters", FLAIR)["replaced"]
    assert [row.cells[1].text for row in table.rows] == [
        f"{float(100 * columns[place] / sum(columns.values())):.1f}" for place in PLACES
    ]


def test_kinds_are_counted_as_the_scores_count_them() -> None:
    for tagger in VIEW.taggers:
        rows = texts(kinds_table(VIEW, tagger))
        for number, name in enumerate(VIEW.sets):
            counts = plain.kinds(RECORDS, name, tagger)
            words = [("right", "Right"), ("type", "Wrong type"), ("boundary", "Wrong boundary"), ("missed", "Missed")]
            for (kind, head), line in zip([*words, ("spurious", "Spurious")], rows[5 * number :], strict=False):
                assert line[:3] == [head, *(str(counts[side][kind]) for side in ("before", "after"))]


def view(*said: Any, before: Any = None) -> View:
    gold = [(0, 2, "A"), (3, 4, "B")]
    return view_of(material([record(gold, {"m": gold}, {"swap": under(gold, {"m": list(said)})})]))


def test_the_sentences_name_the_kind_that_grew_most() -> None:
    made = view((0, 2, "B"))  # of two mentions one has another type now, one is missed
    assert error_sentences(made, "m", "swap") == (
        "m under swap: most additional errors are wrong type, +50.0 points of all mentions; all kinds together +100.0.",
    )
    assert new_errors(made, "m", "swap") == (
        "Most new errors are wrong type (+50.0 points of all mentions) and missed (+50.0)."
    )
    one = view((0, 1, "A"), (3, 4, "B"))
    assert new_errors(one, "m", "swap") == "Most new errors are wrong boundary (+50.0 points of all mentions)."


def test_both_readings_have_their_sentence() -> None:
    gold = [(0, 1, "A"), (2, 3, "A")]
    attacked = under(gold, {"m": [(2, 3, "A")]}, "X w1 w2 w3")
    made = view_of(material([record(gold, {"m": gold}, {"swap": attacked})]))
    assert error_sentences(made, "m", "swap")[1] == (
        "Inside the attacked text, replaced mentions differ from those left alone most by being missed (+100.0 points)."
    )


def test_where_no_kind_grew_that_is_said() -> None:
    made = view((0, 2, "A"), (3, 4, "B"))
    assert error_sentences(made, "m", "swap") == ("m under swap: no kind of error grows.",)
    assert new_errors(made, "m", "swap") == ""
    empty = view_of(material([record([], {"m": []}, {"swap": under([], {"m": []})})]))
    assert error_sentences(empty, "m", "swap") == ("m under swap: no mention to compare.",)
    assert {cell.text for row in error_table(empty, "m").rows[1:] for cell in row.cells[1:]} == {"n/e"}


def test_an_error_that_grows_while_all_errors_shrink_is_told_as_it_is() -> None:
    gold = [(0, 1, "A"), (2, 3, "A"), (4, 5, "A"), (6, 7, "A")]
    now = [(0, 1, "B"), *gold[1:]]
    made = view_of(material([record(gold, {"m": gold[:1]}, {"swap": under(gold, {"m": now})})]))
    assert error_sentences(made, "m", "swap") == (
        "m under swap: errors do not grow in all (−50.0 points); wrong type alone grows (+25.0).",
    )


def test_a_model_without_findings_has_empty_tables() -> None:
    assert error_table(VIEW, "other").rows == kinds_table(VIEW, "other").rows == ()
    assert error_table_by_model(VIEW, "other").rows == ()
    assert error_sentences(VIEW, "other", "swap") == ()
    assert new_errors(VIEW, "other", "swap") == ""


def test_the_findings_are_json_and_read_back_the_same() -> None:
    found = VIEW.result.data["findings"]
    again = json.loads(json.dumps(found, allow_nan=False))
    assert again == found
    assert [row_words(row) for row in again["errors"][0]["rows"]] == HEADS
