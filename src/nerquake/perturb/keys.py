"""What the draws of a step are keyed by: what its options mean, not how they were typed."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Sequence

from nerquake.core.protocols import Perturbation
from nerquake.core.spec import Spec


def step_keys(steps: Sequence[Spec], perturbations: Sequence[Perturbation]) -> list[str]:
    """A key for each step of a chain: its name and the options that are not the default, counted where it repeats.

    `coverage=40` and `coverage=0.4`, a list in another order, a default spelled out: all the same key. Under
    `coverage-draw=nested` the coverage is left out, so that a larger one only adds mentions; so are options that draws
    are not to depend on, such as which model fills words in, in which batches and how precisely.
    """
    texts = [_text(step, perturbation) for step, perturbation in zip(steps, perturbations, strict=True)]
    return counted(texts)


def counted(texts: Sequence[str]) -> list[str]:
    """The texts, repeats as `text#2`, `text#3`."""
    seen: Counter[str] = Counter()
    numbered = []
    for text in texts:
        seen[text] += 1
        numbered.append(text if seen[text] == 1 else f"{text}#{seen[text]}")
    return numbered


def _text(step: Spec, perturbation: Perturbation) -> str:
    if not dataclasses.is_dataclass(perturbation):
        return str(step.without("name"))
    options = []
    for field in dataclasses.fields(perturbation):
        if field.metadata.get("undrawn"):
            continue
        value = getattr(perturbation, field.name)
        if field.name == "coverage" and getattr(perturbation, "coverage_draw", "") == "nested":
            continue
        if _value(field.name, value) != _value(field.name, field.default):
            options.append(f"{field.name}={_value(field.name, value)}")
    return ",".join([step.name, *sorted(options)])


def _value(name: str, value: object) -> str:
    if isinstance(value, tuple):
        return "|".join(sorted(map(str, value)))
    if name == "coverage" and isinstance(value, float):
        return f"{value if value <= 1 else value / 100:g}"
    return str(value)
