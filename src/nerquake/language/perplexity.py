"""Pseudo-perplexity: how natural a sentence is to a masked language model (Salazar et al. 2020, section 2; words of
several pieces as Kauf and Ivanova 2023 score them).

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
    scores = iter(filler.score([one for key, tokens in sentences for one in _requests(key, tokens)]))
    return [_perplexity([next(scores) for _ in tokens]) for _, tokens in sentences]


def _requests(key: str, tokens: Tokens) -> list[Masked]:
    return [Masked(tokens, at, (), key) for at in range(len(tokens))]


def _perplexity(scores: Sequence[float]) -> float | None:
    seen = [score for score in scores if not math.isnan(score)]
    return math.exp(-math.fsum(seen) / len(seen)) if seen else None


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
    both = (_perplexity([filler.score([one])[0] for one in _requests(key, tokens)]) for tokens in (before, after))
    return _ratio(*both)


def _ratio(before: float | None, after: float | None) -> float | None:
    return None if not before or after is None else after / before
