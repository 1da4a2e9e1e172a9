"""Plug-ins by name: how they are found, and which are built in."""

from nerquake.registry.builtins import (
    BUILDERS,
    DATA_PACKAGES,
    FILLERS,
    LINKERS,
    METRICS,
    PARAPHRASERS,
    PARTS_OF_SPEECH,
    PERTURBATIONS,
    READERS,
    RECIPES,
    REGISTRIES,
    RENDERERS,
    SUITES,
    TAGGERS,
)
from nerquake.registry.lookup import Builtin, Registry, Variant, origin_of

__all__ = [
    "BUILDERS",
    "DATA_PACKAGES",
    "FILLERS",
    "LINKERS",
    "METRICS",
    "PARAPHRASERS",
    "PARTS_OF_SPEECH",
    "PERTURBATIONS",
    "READERS",
    "RECIPES",
    "REGISTRIES",
    "RENDERERS",
    "SUITES",
    "TAGGERS",
    "Builtin",
    "Registry",
    "Variant",
    "origin_of",
]
