"""What explains the scores, as parts of a section: sentences and tables that every form of the report shows alike."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from nerquake.report.case_tables import case_tables, cases_said
from nerquake.report.charts.chart import Charts, charts_of
from nerquake.report.charts.groups import group_chart
from nerquake.report.charts.kinds import kinds_chart
from nerquake.report.charts.losses import loss_chart
from nerquake.report.charts.memory import probe_chart, seen_chart
from nerquake.report.charts.outcomes import outcome_chart
from nerquake.report.charts.survival import survival_chart
from nerquake.report.charts.upset import upset_chart
from nerquake.report.confusion_tables import confusion_table, moved_sentence, originals
from nerquake.report.curation_tables import curation_lines, curation_tables
from nerquake.report.drop_tables import drop_table, level_lines, level_table, split_lines, split_table
from nerquake.report.error_tables import error_sentences, error_table, error_table_by_model, kinds_table
from nerquake.report.false_alarm_tables import false_alarm_label_table, false_alarm_lines, false_alarm_table
from nerquake.report.fine_tables import charges_table, fine_sentences, scheme_table
from nerquake.report.flip_tables import flip_lines, flip_table
from nerquake.report.gate.tables import gate_lines, gate_more, gate_table
from nerquake.report.group_tables import gap_table, group_lines, group_table
from nerquake.report.model_tables import order_table, rank_lines, rank_table
from nerquake.report.overlap_tables import combination_table, jaccard_table, overlap_of, overlap_sentences
from nerquake.report.probe_tables import given_table, probe_lines, recall_table, seen_lines, seen_table
from nerquake.report.since_tables import since_examples_table, since_lines, since_table
from nerquake.report.survival_tables import (
    draw_records,
    histogram_table,
    survival_label_table,
    survival_lines,
    survival_table,
)
from nerquake.report.table import Table
from nerquake.report.view import View

AT_ONCE = 2
"""Sentences that are shown under every attack at once; the others stand behind a line."""
ENOUGH = 3
"""Models from which on their ranks can be correlated."""


class Part(NamedTuple):
    """A part of a section.

    head    the user's own name above it, such as a model's; empty: none
    lines   sentences that say what is seen; they may hold the user's names
    tables  shown at once; `folded` behind a line that says what is there
    more    that line
    charts  what is drawn of the tables, above them
    whose   the model that the tables are about, where its head stands above an earlier part
    """

    lines: tuple[str, ...]
    tables: tuple[Table, ...]
    head: str = ""
    folded: tuple[Table, ...] = ()
    more: str = ""
    charts: Charts = ()
    whose: str = ""

    @property
    def all_tables(self) -> tuple[Table, ...]:
        """All tables."""
        return (*self.tables, *self.folded)


Parts = tuple[Part, ...]


def _parts(found: Iterable[Part]) -> Parts:
    """Parts without empty tables; those of which nothing is left are left out."""
    made = (part._replace(tables=_filled(part.tables), folded=_filled(part.folded)) for part in found)
    return tuple(part for part in made if part.lines or part.all_tables)


def _filled(tables: Iterable[Table]) -> tuple[Table, ...]:
    return tuple(table for table in tables if table.rows)


def losses(view: View) -> Parts:
    """Precision, recall, F1; what was lost by span and by type; which level of attack hurts more."""
    return _parts([
        Part(
            (*split_lines(view), *level_lines(view)),
            (split_table(view), level_table(view)),
            folded=(drop_table(view),),
            more="Precision, recall and F1 of every model and set",
            charts=charts_of(loss_chart(view)),
        )
    ])  # fmt: skip


def ranks(view: View) -> Parts:
    """The order of models before and under attack."""
    correlated = (rank_table(view),) if len(view.taggers) >= ENOUGH else ()
    return _parts([Part(rank_lines(view), (order_table(view), *correlated))])


def fine(view: View) -> Parts:
    """The four schemes and the counts by label, for each model (paper M, 5.2)."""
    return _parts(
        Part(
            tuple(line for name in view.sets for line in fine_sentences(view, tagger, name)),
            (),
            tagger,
            (scheme_table(view, tagger), charges_table(view, tagger), charges_table(view, tagger, "partial")),
            "All four schemes and all counts by label, original and attacked",
            charts_of(outcome_chart(view, tagger), outcome_chart(view, tagger, "partial")),
        )
        for tagger in view.taggers
    )


def errors(view: View) -> Parts:
    """How mentions are missed, and what they are taken for (paper R, 3; tables 5, figures 3 and 7)."""
    made = [_errors_of(view, tagger) for tagger in view.taggers]
    if len(view.taggers) > 1:
        beside = tuple(error_table_by_model(view, name) for name in view.sets)
        made.append(Part((), (), folded=beside, more="The errors of all models side by side (paper R, table 5)"))
    return _parts(made)


def _errors_of(view: View, tagger: str) -> Part:
    """One model's errors; at once its confusion under the set where it loses most, behind a line all others."""
    shown, *others = sorted(view.sets, key=lambda name: -_loss(view, tagger, name)) or [""]
    folded = [confusion_table(view, tagger, name) for name in view.sets if name in others]
    folded += [confusion_table(view, tagger, names[0], "original", names) for names in originals(view, tagger)]
    folded += [confusion_table(view, tagger, name, "attacked") for name in view.sets]
    return Part(
        tuple(_error_lines(view, tagger)),
        (error_table(view, tagger), confusion_table(view, tagger, shown), false_alarm_table(view, tagger)),
        tagger,
        (kinds_table(view, tagger), *folded, false_alarm_label_table(view, tagger)),
        "Errors by the pairing that the scores use; confusion under the other sets, before and after; labels of false "
        "alarms",
        charts_of(kinds_chart(view, tagger)),
    )


def _loss(view: View, tagger: str, name: str) -> float:
    paired = view.paired(tagger, name)
    return float((paired or {}).get("drop") or 0.0)


def _error_lines(view: View, tagger: str) -> Iterator[str]:
    for name in view.sets:
        yield from error_sentences(view, tagger, name)
        moved = moved_sentence(view, tagger, name)
        if moved:
            yield moved
    yield from false_alarm_lines(view, tagger)


def flips(view: View) -> Parts:
    """Right to wrong and wrong to right; mentions that fall under several attacks; what survives all draws."""
    made = [Part(flip_lines(view), ())]
    for tagger in view.taggers:
        made.append(Part((), (), tagger, (flip_table(view, tagger),), "Flips by label"))
        if overlap_of(view, tagger):
            made.append(
                _overlap(view, tagger)._replace(head="" if flip_table(view, tagger).rows else tagger, whose=tagger)
            )
    if draw_records(view):
        by_label = tuple(survival_label_table(view, tagger) for tagger in view.taggers)
        shown, charts = (survival_table(view), histogram_table(view)), charts_of(survival_chart(view))
        made.append(Part(survival_lines(view), shown, "", by_label, "By label", charts))
    return _parts(made)


def _overlap(view: View, tagger: str) -> Part:
    return Part(
        overlap_sentences(view, tagger),
        (jaccard_table(view, tagger), combination_table(view, tagger)),
        tagger,
        (jaccard_table(view, tagger, "wrong"), combination_table(view, tagger, "wrong")),
        "All mentions that are wrong, whether they were right before or not",
        charts_of(upset_chart(view, tagger)),
    )


def groups(view: View) -> Parts:
    """Where it breaks: recall by group, worst first."""
    made = [Part(group_lines(view), ())]
    made += [
        Part(
            (),
            (gap_table(view, tagger),),
            tagger,
            tuple(group_table(view, tagger, name) for name in view.sets),
            "Every group under every set",
            charts_of(group_chart(view, tagger)),
        )
        for tagger in view.taggers
    ]
    return _parts(made)


def memory(view: View) -> Parts:
    """What the name alone gives, and what the sentence alone gives."""
    charts = charts_of(probe_chart(view), seen_chart(view))
    made = [Part((*probe_lines(view), *seen_lines(view)), (seen_table(view),), charts=charts)]
    made += [
        Part((), (given_table(view, tagger),), tagger, (recall_table(view, tagger),), "Recall of each way of asking")
        for tagger in view.taggers
    ]
    return _parts(made)


def clearest(view: View) -> Parts:
    """The sentences whose failure is clearest, under every attack and by every model."""
    said, found = cases_said(view), case_tables(view)
    more = f"{len(found) - AT_ONCE} more of the clearest failures"
    return _parts([Part((said,) if said else (), found[:AT_ONCE], folded=found[AT_ONCE:], more=more)])


def curation(view: View) -> Parts:
    """What people decided about attacked sentences, and the losses without those that they found invalid."""
    return _parts([Part(curation_lines(view), curation_tables(view))])


def gate(view: View) -> Parts:
    """Every check of the policy, with what was measured."""
    return _parts([Part(gate_lines(view), (gate_table(view),), folded=(gate_table(view, True),), more=gate_more(view))])


def since(view: View) -> Parts:
    """What changed since an earlier run; a few sentences that have newly fallen among it."""
    return _parts([Part(since_lines(view), (since_table(view), since_examples_table(view)))])


EXPLAINING: tuple[Callable[[View], Parts], ...] = (
    losses,
    ranks,
    fine,
    errors,
    flips,
    groups,
    memory,
    curation,
    gate,
    since,
)
"""What makes the parts with figures, in the order of the page."""


def every_table(view: View) -> tuple[Table, ...]:
    """The tables of all parts, in the order of the page, each with the name that stands above it there in its title.

    Sentences are no figures and are not among them.
    """
    parts = (part for made in EXPLAINING for part in made(view))
    return tuple(table.of(part.head or part.whose) for part in parts for table in part.all_tables)
