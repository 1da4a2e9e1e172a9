"""Sums over all tag sequences of a linear chain: the partition function and what is expected under it.

The forward-backward algorithm (Rabiner, 1989) with its gradient written out: that of the log-partition is the expected
number of times that each score is used. Shapes: B sequences, T positions, K tags. Everything is float64, whatever
precision is asked of matrix products elsewhere, so that long sentences lose nothing.

Both directions run as one scan, since the backward one is the forward one over the row read from its end. Sums of
exponentials are products of matrices as long as scores differ by little enough that no share of a path is lost;
where they differ by more, the same scan adds in logarithms, which is slower and loses nothing either.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import torch
from torch import Tensor

REACH = 700.0
"""The smallest share that a scan may meet is exp(-REACH); float64 holds exp(-708) in full precision."""
STEPS = 6
"""Of this many spreads at most do the shares of a position lag behind, both directions together: from any tag, a scheme
reaches every other in exactly three steps, so that none falls farther behind the likeliest. Tags without a way from the
start or to the end of a sentence would break this; `Crf` forbids them altogether."""


class Chain(NamedTuple):
    """The scores of a chain, float64; what is forbidden is minus infinity.

    start, end     [K]
    transitions    [K, K] from the row's tag to the column's
    """

    start: Tensor
    end: Tensor
    transitions: Tensor


class Expected(NamedTuple):
    """Sums over all tag sequences of each row, float64.

    log_partition  [B] logarithm of the sum of exp(score)
    tags           [B, T, K] probability of each tag at each position; 0 at masked ones
    pairs          [B, K, K] expected number of transitions between each two tags
    """

    log_partition: Tensor
    tags: Tensor
    pairs: Tensor


class LogPartition(torch.autograd.Function):
    """`expected(...).log_partition`, with a gradient. It cannot be differentiated twice."""

    @staticmethod
    def forward(ctx: Any, emissions: Tensor, mask: Tensor, start: Tensor, end: Tensor, transitions: Tensor) -> Tensor:
        """[B] log-partition of emissions [B, T, K]."""
        found = expected(emissions, mask, Chain(start, end, transitions))
        ctx.save_for_backward(found.tags, found.pairs, mask)
        return found.log_partition

    @staticmethod
    @torch.autograd.function.once_differentiable  # type: ignore[untyped-decorator]
    def backward(ctx: Any, weight: Tensor) -> tuple[Tensor | None, ...]:
        """The expected counts of each row, times what its log-partition weighs."""
        tags, pairs, mask = ctx.saved_tensors
        emissions = tags * weight.view(-1, 1, 1)
        rows = torch.arange(len(weight), device=weight.device)
        end = emissions[rows, mask.sum(1) - 1].sum(0)
        return emissions, None, emissions[:, 0].sum(0), end, torch.tensordot(weight, pairs, 1)


def expected(emissions: Tensor, mask: Tensor, chain: Chain) -> Expected:
    """Partition function, probabilities of tags and expected transitions; without a gradient.

    emissions  [B, T, K] float64 scores; what stands at masked positions means nothing
    mask       [B, T] true at real positions, which are the first ones of each row, one at least
    """
    scores = emissions.masked_fill(~mask.unsqueeze(2), 0).transpose(0, 1)
    batch, length, _ = emissions.shape
    last = mask.sum(1) - 1
    steps = torch.arange(length, device=mask.device).unsqueeze(1)
    turned = (last - steps).clamp(min=0) * batch + torch.arange(batch, device=mask.device)
    spread = _spread(scores, chain)
    every = int((REACH / spread - STEPS) / 2) if spread > 0 else length
    if every > 0:
        return _by_products(scores, mask, chain, turned.flatten(), last, every)
    return _by_logarithms(scores, mask, chain, turned.flatten(), last)


def _spread(scores: Tensor, chain: Chain) -> float:
    """The most by which the share of a sequence can change in a step, as a logarithm; NaN where a score is."""
    own = (scores.amax(2) - scores.amin(2)).amax()
    fixed = torch.cat((chain.start, chain.end, chain.transitions.flatten()))
    between = fixed.amax() - torch.where(fixed == -torch.inf, torch.inf, fixed).amin()
    return float(own + between + torch.log(own.new_tensor(scores.shape[2])))


def _turn(values: Tensor, turned: Tensor) -> Tensor:
    """Each row of [T, B, K] read from its end; done twice, it is as it was."""
    return values.reshape(-1, values.shape[2]).index_select(0, turned).view_as(values)


def _by_products(scores: Tensor, mask: Tensor, chain: Chain, turned: Tensor, last: Tensor, every: int) -> Expected:
    """`expected` for scores [T, B, K] that differ by little: sums of exponentials are products of matrices.

    turned   where each position of a row read from its end lies
    every    after so many steps shares are brought back to a sum of 1
    """
    top, peak = scores.amax(2, keepdim=True), chain.transitions.amax()
    own, step = (scores - top).exp_(), (chain.transitions - peak).exp()
    ends = torch.stack((chain.start, chain.end))
    high = ends.amax(1, keepdim=True)
    ends = (ends - high).exp()
    own = torch.stack((own, _turn(own, turned)), 1)
    before, after, sizes = _scan(own, ends, torch.stack((step, step.t())), every)
    forward, backward = after[:, 0], _turn(before[:, 1], turned)
    share = forward * backward
    whole = share.sum(2, keepdim=True)
    real = mask.t().unsqueeze(2)
    tags = (share / whole).masked_fill_(~real, 0)
    left = (forward[:-1] / whole[:-1]).masked_fill_(~real[1:], 0)
    pairs = torch.bmm(left.permute(1, 2, 0), _turn(after[:, 1], turned)[1:].transpose(0, 1)) * step
    rows = torch.arange(len(last), device=last.device)
    rest = torch.mv(forward[last, rows], ends[1]).log()
    total = rest + top.sum((0, 2)) + peak * last + high.sum() + (sizes * mask.t()).sum(0)
    return Expected(total, tags.transpose(0, 1), pairs)


def _scan(own: Tensor, ends: Tensor, step: Tensor, every: int) -> tuple[Tensor, Tensor, Tensor]:
    """Shares of both directions before and after a position's own scores count, and logarithms of what was divided out.

    own [T, 2, B, K], ends [2, K], step [2, K, K]; returns [T, 2, B, K] twice, and [T, B] of the first direction.
    """
    before, after = torch.empty_like(own), torch.empty_like(own)
    sizes = own.new_zeros(own.shape[0], own.shape[2])
    owns, befores, afters = own.unbind(), before.unbind(), after.unbind()
    befores[0].copy_(ends.unsqueeze(1))
    torch.mul(befores[0], owns[0], out=afters[0])
    for at in range(1, len(owns)):
        torch.bmm(afters[at - 1], step, out=befores[at])
        torch.mul(befores[at], owns[at], out=afters[at])
        if at % every == 0:
            size = afters[at].sum(2, keepdim=True)
            afters[at].div_(size)
            sizes[at] = size[0, :, 0].log()
    return before, after, sizes


def _by_logarithms(scores: Tensor, mask: Tensor, chain: Chain, turned: Tensor, last: Tensor) -> Expected:
    """`expected` for any scores [T, B, K]: everything stays a logarithm."""
    own = torch.stack((scores, _turn(scores, turned)), 1)
    step = torch.stack((chain.transitions, chain.transitions.t())).unsqueeze(1)
    befores = [torch.stack((chain.start, chain.end)).unsqueeze(1).expand_as(own[0])]
    afters = [befores[0] + own[0]]
    for at in range(1, len(own)):
        befores.append(torch.logsumexp(afters[-1].unsqueeze(3) + step, 2))
        afters.append(befores[-1] + own[at])
    before, after = torch.stack(befores), torch.stack(afters)
    forward, backward = after[:, 0], _turn(before[:, 1], turned)
    rows = torch.arange(len(last), device=last.device)
    total = torch.logsumexp(forward[last, rows] + chain.end, 1)
    real = mask.t().unsqueeze(2)
    tags = torch.softmax(forward + backward, 2).masked_fill(~real, 0)
    follows = _turn(after[:, 1], turned)
    pairs = scores.new_zeros(len(last), *chain.transitions.shape)
    for at in range(1, len(own)):
        share = forward[at - 1].unsqueeze(2) + chain.transitions + follows[at].unsqueeze(1) - total.view(-1, 1, 1)
        pairs += share.masked_fill_(~real[at].unsqueeze(2), -torch.inf).exp_()
    return Expected(total, tags.transpose(0, 1), pairs)
