"""Attack curves: which sets they need, that these are drawn as asked, and what is said of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from nerquake.analyse.curves import CurvePoint, curve_findings, curve_points, parse_shares
from nerquake.core.dataset import Dataset
from nerquake.core.errors import UsageError
from nerquake.core.sentence import Sentence
from nerquake.core.span import Span
from nerquake.core.spec import Chain
from nerquake.core.variant import AttackedSet
from nerquake.perturb.choose import build, chains_from
from nerquake.perturb.run import attack

DATA = Dataset(
    "d.conll",
    tuple(Sentence(f"s{n}", (f"Name{n}", "met"), (Span(0, 1, "PER"),)) for n in range(300)),
    language="en",
)


def chains(*texts: str) -> list[Chain]:
    return chains_from(texts, "en").chains


def made(points: Sequence[CurvePoint]) -> list[tuple[CurvePoint, AttackedSet]]:
    return [(point, attack(DATA, point.chain, 5)) for point in points]


def replaced(found: AttackedSet) -> set[tuple[str, tuple[str, ...]]]:
    return {(variant.parent, variant.sentence.tokens) for variant in found.variants if variant.replaced}


def test_shares() -> None:
    assert parse_shares("20,40, 60,80,100") == (0.2, 0.4, 0.6, 0.8, 1)
    assert parse_shares("0.5,0.25,1") == (0.25, 0.5, 1)
    assert parse_shares("1,50,50") == (0.01, 0.5)
    assert parse_shares("100") == (1,)
    for text in ("", "20,", "0,20", "120", "twenty", "nan", ",".join(f"{n / 10}" for n in range(11, 90))):
        with pytest.raises(UsageError, match="--curve"):
            parse_shares(text)


def test_every_attack_with_a_coverage_gets_its_points() -> None:
    points = curve_points(chains("swap:coverage=50", "identity", "letters:name=mine", "m+r:coverage-draw=nested"),
                          (0.2, 1))  # fmt: skip
    assert [(point.of, point.asked, point.chain.name) for point in points] == [
        ("swap_coverage=50", 0.2, "swap_coverage=50.coverage=20"),
        ("swap_coverage=50", 1, "swap_coverage=50.coverage=100"),
        ("mine", 0.2, "mine.coverage=20"),
        ("mine", 1, "mine.coverage=100"),
        ("m+r_coverage-draw=nested", 0.2, "m+r_coverage-draw=nested.coverage=20"),
        ("m+r_coverage-draw=nested", 1, "m+r_coverage-draw=nested.coverage=100"),
    ]
    assert [getattr(build(point.chain)[0], "coverage") for point in points] == [0.2, 1, 0.2, 1, 0.2, 1]  # noqa: B009
    assert [step.name for step in points[-1].chain.steps] == ["swap", "mask"]
    assert points[-1].chain.steps[1].get("coverage") is None


def test_attacks_without_a_coverage_have_no_curve() -> None:
    with pytest.raises(UsageError, match=r"-p identity has none"):
        curve_points(chains("identity"), (0.2,))
    assert curve_points(chains("identity"), ()) == []
    with pytest.raises(UsageError, match="name of another"):
        curve_points(chains("swap", "letters:name=swap.coverage=20"), (0.2,))
    with pytest.raises(UsageError, match="too long"):
        curve_points(chains(f"swap:name={'x' * 145}"), (0.2,))


def test_points_are_drawn_anew_or_nested() -> None:
    shares = (0.2, 0.6, 1)
    apart = [replaced(found) for _, found in made(curve_points(chains("letters"), shares))]
    nested = [replaced(found) for _, found in made(curve_points(chains("letters:coverage-draw=nested"), shares))]
    for found in (apart, nested):
        assert [abs(len(one) / 300 - share) < 0.1 for one, share in zip(found, shares, strict=True)] == [True] * 3
    assert nested[0] < nested[1] < nested[2]
    assert not {key for key, _ in apart[0]} <= {key for key, _ in apart[1]}
    assert apart[2] == replaced(attack(DATA, chains("letters")[0], 5)), "all mentions: the attack itself"


def test_what_is_said_of_a_curve() -> None:
    points = made(curve_points(chains("letters"), (0.4, 1)))
    names = ["original", *(found.name for _, found in points)]
    blocks: list[dict[str, Any]] = [
        {"tagger": tagger, "set": name, "overall": {"strict": {"f1": f1, "low": 0.1, "high": 0.9, "correct": 3}}}
        for tagger in ("a", "b") for name, f1 in zip(names, (0.9, 0.5, None), strict=True)
    ]  # fmt: skip
    (curve,) = curve_findings(DATA, points, blocks)
    assert (curve["set"], curve["draw"]) == ("letters", "independent")
    first, second, third = curve["points"]
    assert first == {
        "set": "original", "asked": 0, "mentions": 300, "replaced": 0, "share": 0,
        "scores": [{"tagger": tagger, "f1": 0.9, "low": 0.1, "high": 0.9} for tagger in ("a", "b")],
    }  # fmt: skip
    assert second["asked"] == 0.4 and second["share"] == second["replaced"] / 300 != 0.4
    assert (third["share"], third["scores"][0]["f1"]) == (1, None)


def test_a_curve_over_nothing_has_no_share() -> None:
    empty = Dataset("e", (Sentence("a", ("x",)),), language="en")
    (point,) = curve_points(chains("letters"), (0.5,))
    (curve,) = curve_findings(empty, [(point, attack(empty, point.chain, 0))], [])
    assert [(one["mentions"], one["share"]) for one in curve["points"]] == [(0, None), (0, None)]
