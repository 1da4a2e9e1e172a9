"""Mask fillers from specifications."""

from __future__ import annotations

from nerquake.core.errors import PluginError
from nerquake.core.fillers import MaskFiller
from nerquake.core.spec import parse_spec
from nerquake.registry import FILLERS

_METHODS = ("noise", "cased", "learn", "fill", "score", "about", "fingerprint")


def build_filler(text: str) -> MaskFiller:
    """The mask filler that a specification describes, its options checked.

    Raises:
        UsageError: no filler has this name, or an option does not fit.
        PluginError: a third party's class is no filler.
    """
    made = FILLERS.build(parse_spec(text, FILLERS.names()))
    missing = [name for name in _METHODS if not hasattr(made, name)]
    if missing:
        raise PluginError(f"{text} is no mask filler: it has no {', '.join(missing)}")
    filler: MaskFiller = made
    return filler
