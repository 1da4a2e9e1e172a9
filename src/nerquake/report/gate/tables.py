"""The section Gate: every check with its limit, what was measured, and how it was judged."""

from __future__ import annotations

from collections.abc import Sequence

from nerquake.report.gate.words import MARKS, Check, figure, interval, models_of, rule_parts, sign, tally, unit
from nerquake.report.numbers import UNDEFINED, count, level, plural
from nerquake.report.table import Cell, Column, Row, Table
from nerquake.report.view import View

OPEN = ("failed", "undecided")
"""What is shown at once; checks that passed or are ignored stand behind a line."""


def gate_table(view: View, folded: bool = False) -> Table:
    """One row a check: failed ones first, then undecided ones; `folded`: passed ones, then ignored ones."""
    gate = view.findings("gate")
    checks: Sequence[Check] = gate["checks"] if gate else ()
    models, shown = models_of(checks), [check for check in checks if (check["status"] in OPEN) is not folded]
    last, why = _any_last(checks), any(check["why"] for check in shown)
    columns = (
        Column("Rule", number=False, title="a limit of a rule, for one model, set, label or group"),
        Column("Result", number=False),
        Column("Limit"),
        Column("Measured"),
        Column(f"{level(view.level)} interval"),
        Column("Support", title="gold mentions of the attacked set that it is about, or sentences without a mention"),
        *((Column("Last run", title="the same value in the earlier run"),) if last else ()),
        *((Column("Why", number=False),) if why else ()),
    )
    rows = tuple(Row(_cells(check, models, last, why)) for check in shown)
    notes = (
        "Scores and losses in percent and points, rates of mentions as fractions, as in the policy. A check that "
        "compares intervals is decided only where the whole interval is on one side of its limit.",
    )
    if folded:
        return Table("gate-passed", "Checks that passed", columns, rows, notes)
    return Table("gate", "Checks that did not pass, failed first", columns, rows, notes)


def gate_more(view: View) -> str:
    """The line that the other checks stand behind."""
    counts = view.findings("gate")["counts"] if view.findings("gate") else {}
    passed, ignored = counts.get("passed", 0), counts.get("ignored", 0)
    what = unit(view.findings("gate")["checks"]) if counts else "rule"
    return f"{plural(passed, what)} passed" + (f", {count(ignored)} ignored" if ignored else "")


def _any_last(checks: Sequence[Check]) -> bool:
    return any(check["last"] is not None for check in checks)


def _cells(check: Check, models: int, last: bool, why: bool) -> tuple[Cell, ...]:
    kind, *names = rule_parts(check, models)
    faint = check["status"] == "ignored"
    undefined = check["measured"] is None
    return (
        Cell(" · ".join([kind, *names]), check["name"], data=True, faint=faint),
        Cell(f"{MARKS[check['status']]} {check['status']}", faint=faint),
        Cell(f"{sign(check)} {figure(check, check['limit'])}"),
        Cell(
            UNDEFINED if undefined else figure(check, check["measured"]),
            title=check["why"] if undefined else "",
            faint=undefined,
        ),
        Cell(interval(check)),
        Cell(count(check["support"])),
        *((_last(check),) if last else ()),
        *((Cell(check["why"], data=True),) if why else ()),
    )


def _last(check: Check) -> Cell:
    if check["last"] is None:
        return Cell("–", title="the earlier run does not tell it", faint=True)
    return Cell(figure(check, check["last"]))


def gate_lines(view: View) -> tuple[str, ...]:
    """What the gate says, and of which policy."""
    gate = view.findings("gate")
    if not gate:
        return ()
    return (f"{MARKS[gate['status']]} Gate {gate['status']}: {tally(gate)} (policy {gate['policy']}).",)
