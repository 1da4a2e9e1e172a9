"""Every chart there is, from findings that the tests of the tables have by hand or make for real."""

from __future__ import annotations

from typing import Any

from tests.report import test_drop_tables as drops
from tests.report import test_group_tables as groups
from tests.report import test_probe_tables as probes
from tests.report import test_survival_tables as survival
from tests.report.example import Names
from tests.report.explained import explained
from tests.report.found_view import view_of

from nerquake.report import parts
from nerquake.report.charts.chart import Chart
from nerquake.report.view import View

GROUPS = view_of(groups=[groups.record(), groups.DOMAIN])
DRAWS = view_of(draws=[survival.drawn(), survival.drawn(set="swap", all=survival.lives([0, 0, 0]))])
LOSSES = view_of(
    drops=[
        drops.a_record(),
        drops.a_record(set="RS", level="entity", f1=drops.change(0.91, 0.94, -0.03, -0.05, -0.01)),
        drops.a_record(set="none", level="entity", f1=drops.NO_CHANGE),
        drops.a_record(set="zero", level="context", f1=drops.change(0.0, 0.0, 0.0)),
    ]
)


def charts_in(view: View) -> list[Chart]:
    return [chart for made in parts.EXPLAINING for part in made(view) for chart in part.charts]


def every_chart(names: Names | None = None) -> list[Chart]:
    """With other names only those of errors and overlap have them."""
    view = (explained(names, 60) if names else explained()).view
    found = [chart for one in (view, GROUPS, DRAWS, LOSSES, probes.planted()) for chart in charts_in(one)]
    return [*found, *charts_in(seen())]


def seen() -> View:
    """Both sides of a changed context, one of them too small to be drawn."""

    def side(mentions: int, original: float, changed: float) -> Any:
        return {
            "mentions": mentions, "original": groups.value(original), "changed": groups.value(changed),
            "drop": groups.value(original - changed, original - changed - 0.1, original - changed + 0.05),
        }  # fmt: skip

    interaction = groups.value(0.2, 0.1, 0.3)
    record = {"tagger": "m", "set": "mask", "context": "changed", "mentions": 70, "interaction": interaction}
    both = {**record, "seen": side(40, 0.9, 0.8), "unseen": side(30, 0.5, 0.2)}
    one = {**record, "set": "para", "seen": side(40, 0.9, 0.7), "unseen": side(19, 1.0, 0.0)}
    return view_of(seen_context=[both, one])
