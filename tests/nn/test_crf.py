"""The decoding of conditional random fields, against trying every path."""

from __future__ import annotations

from itertools import pairwise, product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nerquake.core.errors import InputError
from nerquake.nn.crf import FORBIDDEN, CrfWeights, crf_weights, viterbi

pytestmark = pytest.mark.usefixtures("huggingface_library")


def random_crf(tags: int, seed: int) -> CrfWeights:
    import torch

    draws = torch.Generator().manual_seed(seed)
    return CrfWeights(*(torch.randn(*shape, generator=draws) for shape in ((tags,), (tags,), (tags, tags))))


def score(path: tuple[int, ...], emissions: Any, crf: CrfWeights) -> float:
    total = crf.start[path[0]] + crf.end[path[-1]]
    total = total + sum(emissions[at, tag] for at, tag in enumerate(path))
    return float(total + sum(crf.transitions[a, b] for a, b in pairwise(path)))


@given(st.integers(1, 4), st.lists(st.integers(1, 5), min_size=1, max_size=4), st.integers(0, 10_000))
def test_no_path_is_better(tags: int, lengths: list[int], seed: int) -> None:
    """Rows of several lengths in one batch; what stands behind a row's end is noise."""
    import torch

    crf = random_crf(tags, seed)
    emissions = torch.randn(len(lengths), max(lengths), tags, generator=torch.Generator().manual_seed(seed + 1))
    mask = torch.arange(max(lengths)).unsqueeze(0) < torch.tensor(lengths).unsqueeze(1)
    emissions[~mask] *= 100
    found = viterbi(emissions, mask, crf)
    assert found.shape == mask.shape
    for row, length in enumerate(lengths):
        best = max(score(path, emissions[row], crf) for path in product(range(tags), repeat=length))
        mine = tuple(found[row, :length].tolist())
        assert score(mine, emissions[row], crf) == pytest.approx(best, abs=1e-4)


def test_a_row_is_decoded_alike_alone_and_in_a_batch() -> None:
    import torch

    crf = random_crf(5, 3)
    emissions = torch.randn(6, 9, 5, generator=torch.Generator().manual_seed(4))
    lengths = [9, 1, 4, 7, 2, 9]
    mask = torch.arange(9).unsqueeze(0) < torch.tensor(lengths).unsqueeze(1)
    together = viterbi(emissions, mask.long(), crf)
    for row, length in enumerate(lengths):
        alone = viterbi(emissions[row : row + 1, :length], mask[row : row + 1, :length], crf)
        assert alone[0].tolist() == together[row, :length].tolist()


def test_scores_in_bfloat16_are_added_up_in_float32() -> None:
    import torch

    crf = CrfWeights(torch.zeros(2), torch.zeros(2), torch.tensor([[0.0, 0.001], [0.0, 0.0]]))
    emissions = torch.full((1, 2, 2), 256.0, dtype=torch.bfloat16)
    assert viterbi(emissions, torch.ones(1, 2), crf).tolist() == [[0, 1]]


def state(tags: int = 3) -> dict[str, Any]:
    return {
        "start_transitions": [0.1] * tags,
        "end_transitions": [0.2] * tags,
        "transitions": [[float(row * tags + column) for column in range(tags)] for row in range(tags)],
    }


def test_weights_are_read_from_nested_lists() -> None:
    crf = crf_weights(state(), 3, "x")
    assert crf.transitions[1, 2] == 5.0, "from the row's tag to the column's"
    assert crf.start.tolist() == pytest.approx([0.1] * 3)
    assert crf.end.tolist() == pytest.approx([0.2] * 3)


def test_a_constraint_mask_rules_transitions_out() -> None:
    """O, B, I: I begins nothing and follows no O."""
    mask = [[1, 1, 0, 0, 1], [1, 1, 1, 0, 1], [1, 1, 1, 0, 1], [1, 1, 0, 0, 0], [0] * 5]
    crf = crf_weights({**state(), "_constraint_mask": mask}, 3, "x")
    assert crf.transitions[0, 2] == crf.start[2] == FORBIDDEN
    assert crf.transitions[1, 2] == 5.0
    assert crf.end.tolist() == pytest.approx([0.2] * 3)
    import torch

    emissions = torch.tensor([[[0.0, 0.0, 9.0], [9.0, 0.0, 0.0], [0.0, 0.0, 9.0]]])
    path = viterbi(emissions, torch.ones(1, 3), crf)[0].tolist()
    assert path[0] != 2
    assert (path[1], path[2]) != (0, 2)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"transitions": None}, "transitions is missing, expected (3, 3)"),
        ({"transitions": [[1.0] * 2] * 3}, "transitions has shape (3, 2), expected (3, 3)"),
        ({"start_transitions": [[1.0] * 3]}, "start_transitions has shape (1, 3), expected (3,)"),
        ({"end_transitions": "many"}, "end_transitions is missing, expected (3,)"),
        ({"transitions": [[1.0], [1.0, 2.0], []]}, "transitions is missing"),
        ({"_constraint_mask": [[1.0] * 3] * 3}, "_constraint_mask has shape (3, 3), expected (5, 5)"),
    ],
)
def test_weights_that_do_not_fit_are_named(change: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError) as caught:
        crf_weights({**state(), **change}, 3, "huggingface:x")
    assert message in str(caught.value)
    assert str(caught.value).startswith("huggingface:x: the CRF does not fit the model's 3 labels")


def test_all_parts_that_do_not_fit_are_named_at_once() -> None:
    with pytest.raises(InputError, match=r"start_transitions .*end_transitions .*transitions"):
        crf_weights({}, 3, "x")
