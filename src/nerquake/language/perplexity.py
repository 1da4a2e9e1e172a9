"""Pseudo-perplexity: how natural a sentence is to a masked language model (Salazar et al. 2020, section 2).

The exponential of minus the mean, over the sentence's words, of the logarithm of the probability that the model gives
the word where it stands, masked. Words that the model cannot see take no part.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from nerquake.core.fillers import Masked, MaskFiller

Tokens = tuple[str, ...]
_NEAR = 0.02
"""How far from a limit, as a share, a ratio is measured again, alone."""


def pseudo_perplexities(filler: MaskFiller, sentences: Sequence[tuple[str, Tokens]]) -> list[float | None]:
    """The pseudo-perplexity of each sentence (its key, its tokens); None where the model sees no word of it.

    The key is the id of the sentence of the data set that it was made from (`Masked.key`).
    """
    requests = [Masked(tokens, at, (), key) for key, tokens in sentences for at in range(len(tokens))]
    scores = iter(filler.score(requests))
    found: list[float | None] = []
    for _, tokens in sentences:
        seen = [score for score in (next(scores) for _ in tokens) if not math.isnan(score)]
        found.append(math.exp(-math.fsum(seen) / len(seen)) if seen else None)
    return found


def perplexity_ratios(
    filler: MaskFiller, pairs: Sequence[tuple[str, Tokens, Tokens]], exact_near: float = 0.0
) -> list[float | None]:
    """For each key, original and variant: the variant's pseudo-perplexity over the original's.

    exact_near   a limit: ratios so close to it that the noise of a batch could move them across are measured alone
    """
    originals = {(key, before): None for key, before, _ in pairs}
    measured = pseudo_perplexities(filler, [*originals, *((key, after) for key, _, after in pairs)])
    known = dict(zip(originals, measured, strict=False))
    found = [
        _ratio(known[key, before], after) for (key, before, _), after in zip(pairs, measured[len(known) :], strict=True)
    ]
    if filler.noise and exact_near:
        for at, ratio in enumerate(found):
            if ratio is not None and abs(ratio - exact_near) <= _NEAR * exact_near:
                found[at] = _alone(filler, *pairs[at])
    return found


def _alone(filler: MaskFiller, key: str, before: Tokens, after: Tokens) -> float | None:
    """The ratio from requests that are asked one by one."""
    both = []
    for tokens in (before, after):
        scores = [filler.score([Masked(tokens, at, (), key)])[0] for at in range(len(tokens))]
        seen = [score for score in scores if not math.isnan(score)]
        both.append(math.exp(-math.fsum(seen) / len(seen)) if seen else None)
    return _ratio(both[0], both[1])


def _ratio(before: float | None, after: float | None) -> float | None:
    return None if not before or after is None else after / before
