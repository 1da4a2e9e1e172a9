"""All analyses of an audit: one entry of `findings` each, under the name of what it explains (docs/formats.md)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from nerquake.analyse.cases import AllPredictions
from nerquake.analyse.clearest import clearest
from nerquake.analyse.confusion import confusion
from nerquake.analyse.drop_levels import levels
from nerquake.analyse.drops import drops
from nerquake.analyse.error_table import error_table
from nerquake.analyse.false_alarms import false_alarms
from nerquake.analyse.fine_grained import fine_grained
from nerquake.analyse.flip_table import flip_table
from nerquake.analyse.groups import groups
from nerquake.analyse.kind_counts import KindCounts
from nerquake.analyse.material import Material
from nerquake.analyse.model_ranks import model_ranks
from nerquake.analyse.overlap import overlap
from nerquake.analyse.probe import probe
from nerquake.analyse.seen_context import seen_context
from nerquake.analyse.tally import Tallies
from nerquake.perturb.probe import ProbeSet

Natural = Mapping[str, Mapping[str, Any] | None]
_NONE: AllPredictions = {}


def explain(
    material: Material, natural: Natural, probes: Sequence[ProbeSet] = (), answers: AllPredictions = _NONE
) -> dict[str, Any]:
    """What each analysis found; those that found nothing are left out.

    natural  how natural the sets are, by name (analyse/naturalness.py)
    probes   the probe's sets, where there are any; `answers` hold the predictions for them
    """
    counts, tallies = KindCounts(material), Tallies(material)
    found: dict[str, Any] = {
        "drops": drops(material, counts),
        "drop_levels": levels(material, counts),
        "errors": error_table(material),
        "confusion": confusion(material, tallies),
        "false_alarms": false_alarms(material),
        "fine_grained": fine_grained(material, tallies),
        "overlap": overlap(material),
        "flip_table": flip_table(material),
        "model_ranks": model_ranks(material, counts),
        "groups": groups(material),
        "seen_context": seen_context(material, probes[0] if probes else None, answers),
        "probe": probe(material, probes, answers) if probes else None,
        "clearest": clearest(material, naturalness={name: one for name, one in natural.items() if one}),
    }
    return {name: value for name, value in found.items() if value}
