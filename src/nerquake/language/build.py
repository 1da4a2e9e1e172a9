"""Mask fillers from specifications."""

from __future__ import annotations

from nerquake.core.fillers import MaskFiller
from nerquake.core.spec import parse_spec
from nerquake.registry import FILLERS


def build_filler(text: str) -> MaskFiller:
    """The mask filler that a specification describes, its options checked.

    Raises:
        UsageError: no filler has this name, or an option does not fit.
        PluginError: a third party's class is no filler.
    """
    filler: MaskFiller = FILLERS.build(parse_spec(text, FILLERS.names()))
    return filler
