"""Original against attacked, and model against model, over the same sentences."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from nerquake.core.errors import TokensDiffer
from nerquake.core.results import Comparison, Counts, CountTable, SchemeName
from nerquake.core.variant import Variant
from nerquake.score.flips import Flips
from nerquake.score.metrics import f1_weights
from nerquake.stats.bootstrap import LEVEL, RESAMPLES, Floats, intervals, ratio
from nerquake.stats.corrections import holm
from nerquake.stats.paired import randomisation_p


class PairedTables(NamedTuple):
    """Counts of the same sentences before and after, row by row.

    variants   the variants that take part
    dropped    sentences that the attack discarded, so that they are left out on both sides
    """

    original: CountTable
    attacked: CountTable
    variants: tuple[Variant, ...]
    dropped: int


def compare(
    a: CountTable,
    b: CountTable,
    *,
    dropped: int = 0,
    scheme: SchemeName = "strict",
    resamples: int = RESAMPLES,
    level: float = LEVEL,
    seed: int = 0,
) -> Comparison:
    """The difference of micro F1, a - b, over sentences that stand in the same order in both tables."""
    if len(a.ids) != len(b.ids):
        raise ValueError(f"{len(a.ids)} sentences cannot be paired with {len(b.ids)}")
    weights = f1_weights(scheme)
    left, right = a.overall @ weights, b.overall @ weights
    both: Counts = np.hstack([left, right])
    first, second, difference = _values(both.sum(axis=0, keepdims=True))[0]
    _, _, interval = intervals(both, _values, resamples=resamples, level=level, seed=seed)
    return Comparison(
        a=_defined(first),
        b=_defined(second),
        difference=_defined(difference),
        low=interval.low,
        high=interval.high,
        p=randomisation_p(left, right, resamples=resamples, seed=seed),
        pairs=len(a.ids),
        dropped=dropped,
    )


def _values(sums: Counts) -> Floats:
    """[b, 4] numerators and denominators of both sides -> [b, 3] F1 of a, of b, and their difference."""
    a, b = ratio(sums[:, 0], sums[:, 1]), ratio(sums[:, 2], sums[:, 3])
    return np.stack([a, b, a - b], axis=1)


def _defined(value: float) -> float | None:
    return None if np.isnan(value) else float(value)


def pair_tables(
    original: CountTable, attacked: CountTable, variants: Sequence[Variant], *, changed_only: bool = False
) -> PairedTables:
    """The rows of the sentences that were kept (or that were changed), joined by parent id.

    variants   of all sentences of the set, those discarded included

    Raises:
        TokensDiffer: a variant that takes part has no row in one of the tables.
    """
    used = tuple(v for v in variants if (v.status == "changed" if changed_only else v.kept))
    return PairedTables(
        original.rows(_positions(original, [variant.parent for variant in used], "original")),
        attacked.rows(_positions(attacked, [variant.id for variant in used], "attacked")),
        used,
        sum(not variant.kept for variant in variants),
    )


def _positions(table: CountTable, ids: Sequence[str], what: str) -> list[int]:
    position = {key: index for index, key in enumerate(table.ids)}
    lost = [key for key in ids if key not in position]
    if lost:
        raise TokensDiffer(f"{len(lost)} sentences were not scored in the {what} set: {', '.join(lost[:5])}")
    return [position[key] for key in ids]


def paired_block(
    original: CountTable,
    attacked: CountTable,
    variants: Sequence[Variant],
    flips: Mapping[str, Flips],
    *,
    changed_only: bool = False,
    resamples: int = RESAMPLES,
    level: float = LEVEL,
    seed: int = 0,
) -> dict[str, Any]:
    """`paired`, or with `changed_only` `paired_changed`, of docs/formats.md; `p_holm` is None until `apply_holm`.

    original, attacked   counts of both sets, joined by `Variant.parent` and `Variant.id`
    variants             of all sentences of the set; those discarded are `dropped`, in both blocks
    flips                by parent id; a sentence that is not there has none
    """
    tables = pair_tables(original, attacked, variants, changed_only=changed_only)
    found = compare(
        tables.original, tables.attacked, dropped=tables.dropped, resamples=resamples, level=level, seed=seed
    )
    flipped = [flips[variant.parent] for variant in tables.variants if variant.parent in flips]
    relative = None if found.difference is None or not found.a else found.difference / found.a
    return {
        "metric": "strict_f1",
        "original": found.a,
        "attacked": found.b,
        "drop": found.difference,
        "relative_drop": relative,
        "low": found.low,
        "high": found.high,
        "p": found.p,
        "p_holm": found.p_holm,
        "pairs": found.pairs,
        "dropped": found.dropped,
        "right_to_wrong": sum(len(flip.fell) for flip in flipped),
        "wrong_to_right": sum(len(flip.rose) for flip in flipped),
    }


def compare_models(
    tables: Mapping[str, CountTable], *, resamples: int = RESAMPLES, level: float = LEVEL, seed: int = 0
) -> list[dict[str, Any]]:
    """`comparisons` of docs/scoring.md: every two models on one set, `p_holm` None until `apply_holm`.

    tables   counts of each model over the same gold, by its name

    Raises:
        TokensDiffer: two models were scored on different sentences.
    """
    found: list[dict[str, Any]] = []
    for (a, left), (b, right) in combinations(tables.items(), 2):
        if left.ids != right.ids:
            raise TokensDiffer(f"{a} and {b} were scored on different sentences, so they cannot be compared")
        result = compare(left, right, resamples=resamples, level=level, seed=seed)
        found.append(
            {
                "a": a,
                "b": b,
                "difference": result.difference,
                "low": result.low,
                "high": result.high,
                "p": result.p,
                "p_holm": None,
                "pairs": result.pairs,
            }
        )
    return found


def apply_holm(family: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The blocks of one family with `p_holm` filled in, in their order."""
    blocks = [dict(block) for block in family]
    for block, corrected in zip(blocks, holm([block["p"] for block in blocks]), strict=True):
        block["p_holm"] = corrected
    return blocks


def apply_holm_to_results(results: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """`results` of docs/formats.md with both families corrected: all `paired`, and apart from them all
    `paired_changed`. An entry without such a block (the original set) stays as it is.
    """
    done = [dict(result) for result in results]
    for key in ("paired", "paired_changed"):
        having = [result for result in done if result.get(key)]
        for result, block in zip(having, apply_holm(result[key] for result in having), strict=True):
            result[key] = block
    return done
