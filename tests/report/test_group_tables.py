"""Tables of groups: by hand, from real findings, and with hostile names."""

from __future__ import annotations

import csv
import io
from typing import Any

from tests.analyse.audited import attacked, audited, bracketed, material, renamed
from tests.report.found_view import texts, view_of

from nerquake.analyse.groups import groups
from nerquake.core.dataset import Dataset
from nerquake.core.sentence import Sentence
from nerquake.report.group_tables import NO_INTERVAL, gap_table, group_lines, group_table, grouping_title
from nerquake.report.markdown import table_lines
from nerquake.report.table import to_csv

EVIL = '"><img onerror=alert(1)>'


def value(number: float | None, low: float | None = None, high: float | None = None) -> dict[str, float | None]:
    return {"value": number, "low": low, "high": high}


def group(name: str, mentions: int, before: float, after: float, small: bool = False) -> dict[str, Any]:
    drop = before - after
    return {
        "group": name, "mentions": mentions, "small": small, "before": value(before, before - 0.05, before + 0.05),
        "after": value(after, after - 0.1, after + 0.1), "drop": value(drop, drop - 0.1, drop + 0.1),
    }  # fmt: skip


def gap(worst: str, best: str, *numbers: float | None) -> dict[str, Any]:
    return {"worst": worst, "best": best, **value(*numbers)}


def record(grouping: str = "mention-length", **more: Any) -> dict[str, Any]:
    return {
        "tagger": "m", "set": "swap", "grouping": grouping, "data": False, "of": "all", "mentions": 1310, "minimum": 20,
        "groups": [group("3 tokens", 300, 0.9, 0.4), group("1 token", 1000, 0.95, 0.97),
                   group("2 tokens", 10, 1, 0, True)],
        "not_shown": {"groups": 0, "mentions": 0},
        "gap": {"before": gap("3 tokens", "1 token", 0.05, -0.02, 0.12),
                "after": gap("3 tokens", "1 token", 0.57, 0.5, 0.64),
                "drop": gap("3 tokens", "1 token", 0.52, None, None)}, **more,
    }  # fmt: skip


DOMAIN = record(
    "meta:domain", data=True, groups=[group(EVIL, 30, 0.5, 0.3), group("web", 40, 0.6, 0.4)],
    not_shown={"groups": 12, "mentions": 1240},
    gap={"before": None, "after": gap(EVIL, "web", 0.1, -0.1, 0.3), "drop": gap(EVIL, "web", 0.0, -0.1, 0.1)},
)  # fmt: skip


def test_groups_stand_worst_first_under_the_name_of_their_grouping() -> None:
    table = group_table(view_of(groups=[record(), DOMAIN]), "m", "swap")
    assert texts(table) == [
        ["3 tokens", "300", "90.0|[85.0, 95.0]", "40.0|[30.0, 50.0]", "−50.0|[40.0, 60.0]"],
        ["1 token", "1,000", "95.0|[90.0, 100.0]", "97.0|[87.0, 107.0]", "+2.0|[−12.0, 8.0]"],
        ["2 tokens", "10", "100.0|[95.0, 105.0]", "0.0|[−10.0, 10.0]", "−100.0|[90.0, 110.0]"],
        [EVIL, "30", "50.0|[45.0, 55.0]", "30.0|[20.0, 40.0]", "−20.0|[10.0, 30.0]"],
        ["web", "40", "60.0|[55.0, 65.0]", "40.0|[30.0, 50.0]", "−20.0|[10.0, 30.0]"],
    ]
    assert [row.group for row in table.rows] == [
        "Length of the mention", "", "", "domain (12 other groups with 1,240 mentions are not shown)", ""
    ]  # fmt: skip
    losses = [row.cells[4] for row in table.rows]
    assert [(cell.heat, cell.faint) for cell in losses[:3]] == [(1.0, False), (losses[1].heat, False), (None, True)]
    assert losses[1].heat is not None and -0.05 < losses[1].heat < 0, "a gain is blue"
    assert [row.cells[0].data for row in table.rows] == [False, False, False, True, True]
    assert "fewer than 20" in table.notes[0]
    assert group_table(view_of(groups=[record()]), "m", "mask").rows == ()


def test_the_widest_gap_stands_first_with_both_groups() -> None:
    table = gap_table(view_of(groups=[DOMAIN, record(), record(set="mask"), record(tagger="n")]), "m")
    assert texts(table) == [
        ["Length of the mention", "3 tokens|40.0", "1 token|97.0", "57.0|[50.0, 64.0]", "5.0|[−2.0, 12.0]", "52.0"],
        ["domain", f"{EVIL}|30.0", "web|40.0", "10.0|[−10.0, 30.0]", "n/e", "0.0|[−10.0, 10.0]"],
        ["Length of the mention", "3 tokens|40.0", "1 token|97.0", "57.0|[50.0, 64.0]", "5.0|[−2.0, 12.0]", "52.0"],
    ]
    assert [row.group for row in table.rows] == ["swap", "", "mask"]


def test_what_groupings_are_called() -> None:
    titles = {
        "seen-folded-any-label": "Seen in training: whatever the case, any label",
        "source:locale": "Replacement: locale",
        "column:2": "Column 2, at the mention's first token", "meta:a:b": "a:b", "document": "Document",
    }  # fmt: skip
    assert {key: grouping_title(record(key)) for key in titles} == titles


def test_the_widest_gap_in_words() -> None:
    (line,) = group_lines(view_of(groups=[record(), DOMAIN]))
    assert line == (
        "m breaks most unevenly under swap by “Length of the mention”: it finds 40.0 % of “3 tokens” and 97.0 % of "
        "“1 token”, a gap of 57.0 points (95 % interval 50.0 to 64.0); between these two it was 5.0 before the attack."
    )
    assert group_lines(view_of(groups=[DOMAIN])) == ("m: no gap between groups of mentions is shown.",)
    alone = record(gap={"before": None, "after": None, "drop": None})
    assert group_lines(view_of(groups=[alone])) == group_lines(view_of()) == ()
    assert gap_table(view_of(groups=[alone]), "m").rows == ()


def test_without_resamples_figures_stand_without_intervals() -> None:
    data = audited(*["[PER Anna] left", "[PER Anna van Dyk] left"] * 20)
    made = attacked(data, renamed("Rosa"))
    found = groups(material(data, [made], {"m": lambda s: s.spans}, resamples=0))
    view = view_of(groups=found)
    for table in (group_table(view, "m", "attack"), gap_table(view, "m")):
        assert table.rows and not any("[" in cell.sub for row in table.rows for cell in row.cells)
    assert group_table(view, "m", "attack").rows[0].cells[2].title == NO_INTERVAL
    assert group_lines(view) == ("m: no gap between groups of mentions is shown.",)


def test_figures_of_real_findings_stand_in_the_table() -> None:
    sentences = [
        bracketed(f"s{n}", "[PER Anna] left" if n % 3 else "[PER Anna van Dyk] left", meta=((EVIL, f"={n % 2}|`"),))
        for n in range(60)
    ]
    data = Dataset("d", tuple(sentences))

    def model(sentence: Sentence) -> Any:
        return sentence.spans if len(sentence.id) % 2 else ()

    found = groups(material(data, [attacked(data, renamed("Rosa"), name="x")], {EVIL: model}))
    view = view_of(groups=found)
    table = group_table(view, EVIL, "x")
    shown = [(one["group"], one["after"]["value"]) for record in found for one in record["groups"]]
    assert [(row.cells[0].text, row.cells[3].text) for row in table.rows] == [(g, f"{100 * v:.1f}") for g, v in shown]
    assert any(row.cells[0].text.startswith("=") for row in table.rows)
    read = list(csv.reader(io.StringIO(to_csv(table))))
    below = sum(any(row.cells[at].sub for row in table.rows) for at in range(len(table.columns)))
    assert {len(line) for line in read} == {len(table.columns) + below + any(row.group for row in table.rows)}
    assert any("'=0|`" in line for line in read)
    body = [line for line in table_lines(table) if line.startswith("|")]
    assert {line.replace("\\|", "").count("|") for line in body} == {6}
    for text in (table.title, table.name, *table.notes, *(column.head for column in table.columns)):
        assert EVIL not in text
