"""Tables of the probe: by hand and from planted models."""

from __future__ import annotations

from typing import Any

from tests.analyse.audited import audited, material, probed
from tests.analyse.test_probe import DATA, knows_contexts, knows_names, needs_both
from tests.analyse.test_seen_context import CHANGED, TRAINING, remembers
from tests.analyse.test_seen_context import DATA as SEEN_DATA
from tests.report.found_view import texts, view_of

from nerquake.analyse.probe import probe
from nerquake.analyse.seen_context import seen_context
from nerquake.perturb.probe import probe_sets
from nerquake.report.probe_tables import given_table, probe_lines, recall_table, seen_lines, seen_table
from nerquake.report.view import View

MODELS = {"names": knows_names, "contexts": knows_contexts, "needs": needs_both}


def planted() -> View:
    sets = probe_sets(DATA, 0)
    return view_of(probe=probe(material(DATA, [], MODELS), sets, probed(sets, MODELS)))


def test_shares_of_right_answers_by_what_gives_them() -> None:
    view = planted()
    hundred, none = "100.0|[100.0, 100.0]", "0.0|[0.0, 0.0]"
    table = given_table(view, "names")
    assert [column.head for column in table.columns] == [
        "Label", "Right", "Name alone", "Context alone",
        "Only the name", "Only the context", "Each by itself", "Neither",
    ]  # fmt: skip
    assert texts(table)[:2] == [
        ["All labels", "48", hundred, none, hundred, none, none, none],
        ["LOC", "24", hundred, none, hundred, none, none, none],
    ]
    assert [row.group[:24] for row in table.rows if row.group] == [
        "In the context a neutral",
        "In the context a nonsens",
    ]
    assert texts(given_table(view, "contexts"))[0][2:] == [none, hundred, none, hundred, none, none]
    assert texts(given_table(view, "needs"))[0][2:] == [none, none, none, none, none, hundred]


def test_recall_in_three_ways() -> None:
    view = planted()
    assert texts(recall_table(view, "names"))[0] == [
        "All labels", "48", "0", "100.0|[100.0, 100.0]", "100.0|[100.0, 100.0]", "0.0|[0.0, 0.0]"
    ]  # fmt: skip
    assert [row.cells[0].data for row in recall_table(view, "names").rows] == [False, True, True] * 2


def test_what_answers_rest_on_in_words() -> None:
    assert probe_lines(planted()) == (
        "Of 100 mentions that names has right, the name alone gives 100.0 and the context alone 0.0 (neutral) and 0.0 "
        "(nonsense); 0.0 take the two together.",
        "Of 100 mentions that contexts has right, the name alone gives 0.0 and the context alone 100.0 (neutral) and "
        "100.0 (nonsense); 0.0 take the two together.",
        "Of 100 mentions that needs has right, the name alone gives 0.0 and the context alone 0.0 (neutral) and 0.0 "
        "(nonsense); 100.0 take the two together.",
    )


def test_labels_without_a_right_mention_are_not_evaluated_and_small_ones_are_grey() -> None:
    data = audited("[PER Bo] met [LOC Bonn]", "in [DATE 1990]")
    sets = probe_sets(data, 0)
    models = {"m": lambda s: [span for span in s.spans if span.label == "PER"]}
    view = view_of(probe=probe(material(data, [], models), sets, probed(sets, models)))
    rows = {row.cells[0].text: row for row in given_table(view, "m").rows[:4]}
    assert [cell.text for cell in rows["DATE"].cells] == ["DATE", "0", *["n/e"] * 6]
    assert all(cell.faint and "right in the whole sentence" in cell.title for cell in rows["DATE"].cells[2:])
    assert rows["PER"].cells[2].faint and rows["PER"].cells[2].text == "100.0"
    nonsense = recall_table(view, "m").rows[5]
    assert [cell.text for cell in nonsense.cells] == ["DATE", "0", "1", "n/e", "n/e", "n/e"]


def test_an_audit_without_the_probe_has_no_tables_of_it() -> None:
    view = view_of()
    assert probe_lines(view) == seen_lines(view) == ()
    assert given_table(view, "m").rows == recall_table(view, "m").rows == seen_table(view).rows == ()
    assert seen_table(view_of(seen_context=None)).rows == ()


def seen_view(**changes: Any) -> View:
    sets = probe_sets(SEEN_DATA, 0)
    models = {"m": remembers}
    found = seen_context(material(SEEN_DATA, [CHANGED], models, TRAINING), sets[0], probed(sets, models))
    assert found is not None
    return view_of(seen_context=[{**record, **changes} for record in found])


def test_the_two_by_two_table_and_its_interaction() -> None:
    table = seen_table(seen_view())
    seen, unseen = ["100.0|10", "100.0", "0.0|[0.0, 0.0]"], ["100.0|10", "0.0", "−100.0|[100.0, 100.0]"]
    assert texts(table) == [
        ["mask", "changed", *seen, *unseen, "100.0|[100.0, 100.0]"],
        ["probe.name", "taken away", *seen, *unseen, "100.0|[100.0, 100.0]"],
    ]
    assert [row.group for row in table.rows] == ["m", ""]
    assert all(cell.faint for cell in table.rows[0].cells[2:8]), "10 mentions each"


def test_the_interaction_in_words() -> None:
    assert seen_lines(seen_view()) == (
        "m: in the contexts of mask, unseen mentions lose 100.0 points more than seen ones (95 % interval 100.0 to "
        "100.0).",
        "m: where mentions stand alone, unseen mentions lose 100.0 points more than seen ones (95 % interval 100.0 to "
        "100.0).",
    )
    less = seen_lines(seen_view(interaction={"value": -0.2, "low": -0.3, "high": -0.1}))
    assert less[0].startswith("m: in the contexts of mask, unseen mentions lose 20.0 points less than seen ones (95 %")
    none = seen_lines(seen_view(interaction={"value": 0.01, "low": -0.1, "high": 0.1}))
    assert none[1] == (
        "m: where mentions stand alone, no difference between seen and unseen mentions is shown: 1.0 points (95 % "
        "interval −10.0 to 10.0)."
    )


def test_without_a_kind_of_mention_its_figures_are_not_evaluated() -> None:
    found = seen_context(material(SEEN_DATA, [CHANGED], {"m": remembers}, audited("[PER Zoe]")))
    (row,) = seen_table(view_of(seen_context=found)).rows
    expected = ["mask", "changed", "n/e", "n/e", "n/e", "100.0", "50.0", "−50.0", "n/e"]
    assert [cell.text for cell in row.cells] == expected
    assert all(cell.title and cell.faint for cell in row.cells if cell.text == "n/e")
    assert seen_lines(view_of(seen_context=found)) == ()
