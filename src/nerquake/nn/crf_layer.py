"""A linear-chain conditional random field over the scores of a network: the half that is trained.

The tag scheme's transition table holds in training and decoding alike: a sequence that the scheme forbids has
probability 0. Shapes: B sequences, T positions, K tags. Emissions may be of any precision; sums over tag sequences are
float64 and decoding is float32, under autocast too, so that long sentences neither overflow nor lose anything.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.nn import Parameter

from nerquake.nn.crf import MASK, CrfWeights, viterbi
from nerquake.nn.forward_backward import Chain, LogPartition, expected
from nerquake.nn.tags import Constraints, TagSet, constraints


class Crf(torch.nn.Module):
    """A conditional random field (Lafferty, McCallum and Pereira, 2001) whose paths follow a tag scheme.

    The loss of a batch is `-crf.log_likelihood(emissions, tags, mask).sum()`. All scores begin at 0: in them alone the
    likelihood has no other maxima than the highest one, so that nothing needs drawing.

    start        [K] score of beginning with each tag
    end          [K] score of ending with each tag
    transitions  [K, K] score of going from the row's tag to the column's
    may_start, may_end, may_follow   the same shapes, true where the scheme allows it; what stands in the three above
                 where it does not is never used

    Methods take emissions [B, T, K] and a mask [B, T], true (or not 0) at real positions, which are the first ones of
    each row, one at least; what stands at masked positions means nothing.
    """

    def __init__(self, tags: TagSet) -> None:
        super().__init__()
        self.tags = tags
        size, allowed = len(tags), _ways_through(tags)
        self.start = Parameter(torch.zeros(size))
        self.end = Parameter(torch.zeros(size))
        self.transitions = Parameter(torch.zeros(size, size))
        for name, which in (("start", allowed.start), ("end", allowed.end), ("follow", allowed.transitions)):
            self.register_buffer(f"may_{name}", torch.from_numpy(which), persistent=False)

    def log_partition(self, emissions: Tensor, mask: Tensor) -> Tensor:
        """[B] logarithm of the sum of exp(score) over all tag sequences that the scheme allows; float32."""
        return LogPartition.apply(emissions.double(), self._mask(emissions, mask), *self._chain()).float()

    def log_likelihood(self, emissions: Tensor, tags: Tensor, mask: Tensor) -> Tensor:
        """[B] logarithm of the probability of the gold tags; float32.

        tags   [B, T] integers; anything at masked positions

        Raises:
            ValueError: the scheme forbids a gold sequence, whose probability would be 0 and its loss infinite. What
                `TagSet.numbers` makes of whole sentences never is; what is cut out of the middle of a mention can be.
        """
        scores, real, chain = emissions.double(), self._mask(emissions, mask), self._chain()
        gold = _score(scores, tags, real, chain)
        if not torch.isfinite(gold.detach()).all():
            self._check(tags, real)
        return (gold - LogPartition.apply(scores, real, *chain)).float()

    def decode(self, emissions: Tensor, mask: Tensor) -> Tensor:
        """The best tag sequence of each row, always one that the scheme allows: [B, T] integers."""
        with torch.no_grad():
            return viterbi(emissions, self._mask(emissions, mask), self.weights())

    def marginals(self, emissions: Tensor, mask: Tensor) -> Tensor:
        """[B, T, K] probability of each tag at each position, 0 at masked ones; float32, without a gradient."""
        with torch.no_grad():
            return expected(emissions.double(), self._mask(emissions, mask), self._chain()).tags.float()

    def weights(self) -> CrfWeights:
        """What decoding needs; minus infinity where the scheme forbids something."""
        return CrfWeights(*(part.detach().float() for part in self._parts()))

    def _parts(self) -> tuple[Tensor, Tensor, Tensor]:
        return (
            self.start.masked_fill(~self.may_start, -torch.inf),
            self.end.masked_fill(~self.may_end, -torch.inf),
            self.transitions.masked_fill(~self.may_follow, -torch.inf),
        )

    def _chain(self) -> Chain:
        return Chain(*(part.double() for part in self._parts()))

    def _mask(self, emissions: Tensor, mask: Tensor) -> Tensor:
        """The mask as booleans. What does not fit is a bug of the caller that would else go unnoticed: ValueError."""
        if emissions.dim() != 3 or emissions.shape[2] != len(self.tags) or mask.shape != emissions.shape[:2]:
            raise ValueError(
                f"emissions {tuple(emissions.shape)} and mask {tuple(mask.shape)}, "
                f"expected [B, T, {len(self.tags)}] and [B, T]"
            )
        real = mask.bool()
        if not (real[:, 0].all() and (real[:, :-1] | ~real[:, 1:]).all()):
            raise ValueError("the mask is not true at the first positions of each row, one at least, and false behind")
        return real

    def _check(self, tags: Tensor, mask: Tensor) -> None:
        """Name the first place of a batch where gold tags break the scheme, if there is one."""
        for row, (numbers, size) in enumerate(zip(tags.tolist(), mask.sum(1).tolist(), strict=True)):
            names = [self.tags.tags[number] for number in numbers[:size]]
            wrong = self.tags.scheme.violations(names)
            if wrong:
                shown = " ".join(["(start)", *names, "(end)"][wrong[0] : wrong[0] + 2])
                raise ValueError(
                    f"row {row} of the batch: {self.tags.scheme.name} forbids its gold tags at position "
                    f"{wrong[0]} ({shown}); cut sentences between mentions, or encode the mentions of each part anew"
                )


def _ways_through(tags: TagSet) -> Constraints:
    """What the scheme allows, without tags that no whole sentence holds, as E-X where a tag set has no B-X.

    They change no whole sequence's score, but in sums over parts of sequences they would drown the others.
    """
    allowed = constraints(tags)
    opened, closed = allowed.start, allowed.end
    for _ in tags.tags:
        opened = opened | (opened @ allowed.transitions)
        closed = closed | (allowed.transitions @ closed)
    used = opened & closed
    return Constraints(allowed.start & used, allowed.end & used, allowed.transitions & used & used[:, np.newaxis])


def _score(scores: Tensor, tags: Tensor, mask: Tensor, chain: Chain) -> Tensor:
    """[B] score of the given tags."""
    tags = tags.masked_fill(~mask, 0)
    own = scores.gather(2, tags.unsqueeze(2)).squeeze(2).masked_fill(~mask, 0).sum(1)
    pairs = tags[:, :-1] * scores.shape[2] + tags[:, 1:]
    steps = chain.transitions.flatten().index_select(0, pairs.flatten()).view_as(pairs)
    last = tags.gather(1, mask.sum(1, keepdim=True) - 1).squeeze(1)
    return own + steps.masked_fill(~mask[:, 1:], 0).sum(1) + chain.start[tags[:, 0]] + chain.end[last]


def to_config(crf: Crf) -> dict[str, Any]:
    """The weights and constraints as nested lists, in the form that `nerquake.nn.crf.crf_weights` reads.

    Every float32 comes back from JSON as it was. The mask is [K + 2, K + 2] of 0 and 1, with the start and the end of
    a sentence in its last two rows and columns.
    """
    size = len(crf.tags)
    mask = torch.zeros(size + 2, size + 2, dtype=torch.int64)
    mask[:size, :size] = crf.may_follow
    mask[size, :size] = crf.may_start
    mask[:size, size + 1] = crf.may_end
    return {
        "start_transitions": crf.start.detach().float().tolist(),
        "end_transitions": crf.end.detach().float().tolist(),
        "transitions": crf.transitions.detach().float().tolist(),
        MASK: mask.tolist(),
    }
