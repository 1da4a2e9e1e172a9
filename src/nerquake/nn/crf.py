"""A linear-chain conditional random field over the scores of a network: the decoding half.

Scores of a tag sequence y for emissions e: start[y0] + sum e[t, yt] + sum transitions[yt, yt+1] + end[y-1]
(Lafferty, McCallum and Pereira, 2001). Shapes: B sequences, T positions, K tags.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from nerquake.core.errors import InputError

if TYPE_CHECKING:
    from torch import Tensor

FORBIDDEN = -10_000.0
"""Score of a transition that a constraint mask rules out; finite, so that a path always exists."""
RECENTRE = 32
"""Steps after which scores are brought back to about 0, so that long sentences lose no precision."""
CRF_KEY, CRF_PLACES, WORDS = "crf_state_dict", "crf_positions", "words"
"""Where T-NER keeps the weights of a conditional random field in a model's configuration; and where nerquake says that
it runs over words, that is their first pieces, not over all pieces."""
WEIGHTS = ("start_transitions", "end_transitions", "transitions")
MASK = "_constraint_mask"


@dataclass(frozen=True, slots=True, eq=False)
class CrfWeights:
    """What a conditional random field has learnt.

    start        [K] score of beginning with each tag
    end          [K] score of ending with each tag
    transitions  [K, K] score of going from the row's tag to the column's
    """

    start: Tensor
    end: Tensor
    transitions: Tensor

    def to(self, device: str) -> CrfWeights:
        """The same on another device."""
        return CrfWeights(self.start.to(device), self.end.to(device), self.transitions.to(device))


def crf_weights(state: Mapping[str, Any], tags: int, where: str) -> CrfWeights:
    """The weights that a checkpoint keeps as nested lists, float32 on the processor.

    state   start_transitions [K], end_transitions [K], transitions [K, K], and, where there is one, the
            [K + 2, K + 2] mask of allowed transitions, whose last two rows and columns are the start and the end
    where   what messages call the place that it was read from

    Raises:
        InputError: a part is missing, or has another shape than `tags` asks for; all of them are named.
    """
    shapes = {"start_transitions": (tags,), "end_transitions": (tags,), "transitions": (tags, tags)}
    if MASK in state:
        shapes[MASK] = (tags + 2, tags + 2)
    found = {key: _tensor(state.get(key)) for key in shapes}
    faults = [
        f"{key} {'is missing' if value is None else f'has shape {tuple(value.shape)}'}, expected {shapes[key]}"
        for key, value in found.items()
        if value is None or tuple(value.shape) != shapes[key]
    ]
    if faults:
        raise InputError(f"{where}: the CRF does not fit the model's {tags} labels: {'; '.join(faults)}")
    start, end, transitions = (found[key] for key in WEIGHTS)
    if MASK in found:
        banned = found[MASK] == 0
        start = start.masked_fill(banned[tags, :tags], FORBIDDEN)
        end = end.masked_fill(banned[:tags, tags + 1], FORBIDDEN)
        transitions = transitions.masked_fill(banned[:tags, :tags], FORBIDDEN)
    return CrfWeights(start, end, transitions)


def _tensor(value: Any) -> Any:
    """Nested lists of numbers as a tensor; None for anything else."""
    import torch

    try:
        return torch.tensor(value, dtype=torch.float32)
    except (TypeError, ValueError, RuntimeError):
        return None


def viterbi(emissions: Tensor, mask: Tensor, crf: CrfWeights) -> Tensor:
    """The best tag sequence of each row, [B, T] integers; what stands at masked positions means nothing.

    emissions  [B, T, K] scores
    mask       [B, T] true at real positions, which are the first ones of each row, one at least
    """
    import torch

    own = emissions.float().transpose(0, 1).contiguous().unbind()
    scores = [crf.start + own[0]]
    for step in range(1, len(own)):
        best = (scores[-1].unsqueeze(2) + crf.transitions).amax(1).add_(own[step])
        if step % RECENTRE == 0:
            best.sub_(best.amax(1, keepdim=True))
        scores.append(best)
    ends = mask.long().sum(1) - 1
    final = torch.stack(scores)[ends, torch.arange(len(ends), device=ends.device)]
    return _way_back(scores, (final + crf.end).argmax(1), ends, crf.transitions.t().contiguous())


def _way_back(scores: list[Tensor], last: Tensor, ends: Tensor, into: Tensor) -> Tensor:
    """The paths [B, T] that end in the tags `last` [B] at the positions `ends` [B].

    scores  [B, K] of the best path that ends in each tag, for each position
    into    [K, K] transitions, from the column's tag to the row's

    Where a path came from is asked again for the one tag that it is in: cheaper than keeping it for all tags.
    """
    import torch

    follows = (torch.arange(1, len(scores), device=ends.device).unsqueeze(1) <= ends).unbind()
    tag, path = last, [last]
    for score, real in zip(reversed(scores[:-1]), reversed(follows), strict=True):
        tag = torch.where(real, (score + into.index_select(0, tag)).argmax(1), last)
        path.append(tag)
    return torch.stack(path[::-1], 1)
