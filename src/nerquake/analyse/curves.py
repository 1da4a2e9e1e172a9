"""The attack curve (paper R, figure 6): F1 against the share of mentions that an attack replaces.

Every attack that has the option `coverage` runs once more for each share that is asked for. The sets of a curve are
no sets of the audit: they stand in no table, and their comparisons in no family of Holm's.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from nerquake.analyse.sets import set_block
from nerquake.core.dataset import Dataset
from nerquake.core.errors import UsageError
from nerquake.core.options import option_name
from nerquake.core.spec import Chain, Spec, safe_name
from nerquake.core.variant import ORIGINAL, AttackedSet
from nerquake.perturb.choose import build

COVERAGE = "coverage"
MOST = 50
"""The most points of a curve."""
_LONGEST = 150
"""Characters of a set's name, as for any set."""


class CurvePoint(NamedTuple):
    """One point of a curve before it is made.

    of     the name of the attack whose curve it is
    asked  the share of mentions to replace
    chain  the attack at this coverage, with a name of its own
    """

    of: str
    asked: float
    chain: Chain


def parse_shares(text: str) -> tuple[float, ...]:
    """Read `--curve 20,40,60,80,100`: percentages, or shares where none is above 1; ascending, without repeats.

    Raises:
        UsageError: something else.
    """
    expected = "expected percentages above 0 up to 100, such as 20,40,60,80,100"
    numbers: list[float] = []
    for item in map(str.strip, text.split(",")):
        try:
            number = float(item)
        except ValueError:
            number = math.nan
        if not 0 < number <= 100:
            raise UsageError(f"--curve {text}: {expected}; got {item!r}")
        numbers.append(number)
    if len(set(numbers)) > MOST:
        raise UsageError(f"--curve {text}: a curve has {MOST} points at most")
    whole = 1 if max(numbers) <= 1 else 100
    return tuple(sorted({number / whole for number in numbers}))


def curve_points(chains: Sequence[Chain], shares: Sequence[float]) -> list[CurvePoint]:
    """The points of every attack that has a coverage, in order.

    Each point is drawn on its own, since draws are keyed by the coverage too; `coverage-draw=nested` on the attack
    makes a mention that is chosen at 20 % be chosen at 40 % too.

    Raises:
        UsageError: no attack has a coverage, or two sets would have the same name.
    """
    points: list[CurvePoint] = []
    taken = {chain.name.casefold() for chain in chains} | {ORIGINAL}
    for chain in chains:
        covering = _covering(chain)
        if not any(covering):
            continue
        for share in shares:
            steps = tuple(_at(step, share) if has else step for step, has in zip(chain.steps, covering, strict=True))
            point = CurvePoint(chain.name, share, named(Chain(steps, chain.text), f"{chain.name}.{_label(share)}"))
            if point.chain.name.casefold() in taken or len(point.chain.name) > _LONGEST:
                raise UsageError(
                    f"--curve: the set {point.chain.name} of -p {chain.text} has the name of another or too long a "
                    "one; give the attack another with name="
                )
            taken.add(point.chain.name.casefold())
            points.append(point)
    if shares and not points:
        asked = ", ".join(f"-p {chain.text}" for chain in chains) or "nothing"
        raise UsageError(f"--curve needs an attack on mentions, one with the option coverage=; {asked} has none")
    return points


def _covering(chain: Chain) -> list[bool]:
    """Which steps have the option."""
    return [
        dataclasses.is_dataclass(step) and COVERAGE in {option_name(field) for field in dataclasses.fields(step)}
        for step in build(chain)
    ]


def _at(step: Spec, share: float) -> Spec:
    """A step at this coverage."""
    rest = step.without(COVERAGE, "name")
    return Spec(rest.name, (*rest.params, (COVERAGE, f"{share:g}")), rest.text)


def named(chain: Chain, name: str) -> Chain:
    """The chain under another name."""
    steps = [step.without("name") for step in chain.steps]
    steps[-1] = Spec(steps[-1].name, (*steps[-1].params, ("name", name)), steps[-1].text)
    return Chain(tuple(steps), name)


def _label(share: float) -> str:
    return safe_name(f"coverage={100 * share:g}")


def curve_findings(
    original: Dataset,
    points: Sequence[tuple[CurvePoint, AttackedSet]],
    blocks: Iterable[Mapping[str, Any]],
) -> list[dict[str, Any]]:
    """`findings.curve` of `result.json`: a curve for every attack, its points by the share that was asked for.

    original   the data set
    points     with the sets that were made
    blocks     system blocks (docs/formats.md) of the original set and of these sets, of every tagger

    ```
    [{"set": the attack's name, "draw": "independent" | "nested",
      "points": [{"set", "asked": share, "mentions": n, "replaced": n, "share": of mentions, or null,
                  "scores": [{"tagger", "f1", "low", "high"}]}]}]
    ```
    The first point is the original set: nothing asked, nothing replaced.
    """
    scores: dict[str, list[dict[str, Any]]] = {}
    for block in blocks:
        strict = block["overall"]["strict"]
        scores.setdefault(block["set"], []).append(
            {"tagger": block["tagger"], **{key: strict[key] for key in ("f1", "low", "high")}}
        )
    curves: dict[str, dict[str, Any]] = {}
    for point, made in points:
        block = set_block(original, made)["mentions"]
        curve = curves.setdefault(point.of, {"set": point.of, "draw": _draw(point.chain), "points": []})
        if not curve["points"]:
            curve["points"].append(_point(ORIGINAL, 0.0, block["all"], 0, scores))
        curve["points"].append(_point(made.name, point.asked, block["all"], block["replaced"], scores))
    return list(curves.values())


def _point(
    name: str, asked: float, mentions: int, replaced: int, scores: Mapping[str, list[dict[str, Any]]]
) -> dict[str, Any]:
    return {
        "set": name,
        "asked": asked,
        "mentions": mentions,
        "replaced": replaced,
        "share": replaced / mentions if mentions else None,
        "scores": scores.get(name, []),
    }


def _draw(chain: Chain) -> str:
    nested = any("nested" in (step.get("coverage-draw"), step.get("coverage_draw")) for step in chain.steps)
    return "nested" if nested else "independent"
