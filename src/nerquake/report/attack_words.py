"""What an attack does, in the registry's words."""

from __future__ import annotations

from nerquake.core.errors import NerquakeError
from nerquake.core.spec import parse_chain
from nerquake.registry import PERTURBATIONS


def attack_words(spec: str) -> str:
    """What an attack does, by the registry's words for each of its steps; empty where a step is another's plug-in."""
    try:
        chain = parse_chain(spec, tuple(PERTURBATIONS.aliases))
        steps = [made for step in chain.steps for made in PERTURBATIONS.expand_all(step)]
    except NerquakeError:
        return ""
    known = [PERTURBATIONS.builtins.get(step.name) for step in steps]
    return "; then ".join(one.summary for one in known if one) if all(known) else ""
