"""The conditional random field that is trained, against adding up every path that its scheme allows."""

from __future__ import annotations

import json
from functools import cache
from itertools import product
from pathlib import Path

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.taggers import tiny_models
from torch import Tensor

from nerquake.core.scheme import SCHEMES, Scheme
from nerquake.nn import forward_backward
from nerquake.nn.crf import FORBIDDEN, crf_weights, viterbi
from nerquake.nn.crf_layer import Crf, to_config
from nerquake.nn.tags import TagSet, constraints, tag_set
from nerquake.taggers.huggingface import HuggingFaceTagger

pytestmark = pytest.mark.huggingface

SEEDS = st.integers(0, 10_000)
SCHEME_NAMES = st.sampled_from(sorted(SCHEMES))


def random_crf(scheme: str, labels: int, seed: int) -> Crf:
    crf = Crf(tag_set([f"L{at}" for at in range(labels)], scheme))
    draws = torch.Generator().manual_seed(seed)
    for part in crf.parameters():
        part.data.normal_(generator=draws)
    return crf


def random_batch(crf: Crf, lengths: list[int], seed: int, scale: float = 1.0) -> tuple[Tensor, Tensor]:
    """Scores and mask of rows of these lengths, with nothing but NaN behind their ends."""
    draws = torch.Generator().manual_seed(seed + 1)
    emissions = scale * torch.randn(len(lengths), max(lengths), len(crf.tags), generator=draws)
    mask = torch.arange(max(lengths)) < torch.tensor(lengths).unsqueeze(1)
    emissions[~mask] = torch.nan
    return emissions, mask


@cache
def allowed_paths(tags: TagSet, length: int) -> Tensor:
    """[P, T] all tag sequences that the scheme's own check finds nothing wrong with."""
    every = product(range(len(tags)), repeat=length)
    return torch.tensor([path for path in every if not tags.scheme.violations([tags.tags[at] for at in path])])


def scores_of(paths: Tensor, emissions: Tensor, crf: Crf) -> Tensor:
    """[P] score of each of these paths [P, T], float64, by the definition."""
    total = crf.start.double()[paths[:, 0]] + crf.end.double()[paths[:, -1]]
    for at in range(paths.shape[1]):
        total = total + emissions.double()[at, paths[:, at]]
        if at:
            total = total + crf.transitions.double()[paths[:, at - 1], paths[:, at]]
    return total


def gold_of(crf: Crf, lengths: list[int], seed: int) -> Tensor:
    """[B, T] an allowed path for each row, and what is no tag behind it."""
    tags = torch.full((len(lengths), max(lengths)), -100)
    for row, length in enumerate(lengths):
        paths = allowed_paths(crf.tags, length)
        tags[row, :length] = paths[(seed + 7 * row) % len(paths)]
    return tags


def gradients(value: Tensor, emissions: Tensor, crf: Crf) -> list[Tensor]:
    return list(torch.autograd.grad(value, [emissions, *crf.parameters()], retain_graph=True, materialize_grads=True))


small = given(
    SCHEME_NAMES,
    st.integers(1, 2),
    st.lists(st.integers(1, 4), min_size=1, max_size=3),
    SEEDS,
    st.sampled_from([1.0, 300.0]),  # the second takes the scan in logarithms
)


@small
@settings(max_examples=40)
def test_likelihood_and_gradients_are_those_of_all_paths(
    scheme: str, labels: int, lengths: list[int], seed: int, scale: float
) -> None:
    crf = random_crf(scheme, labels, seed)
    emissions, mask = random_batch(crf, lengths, seed, scale)
    emissions.requires_grad_()
    gold = gold_of(crf, lengths, seed)
    weights = torch.arange(1.0, len(lengths) + 1)  # rows may count differently
    partition = crf.log_partition(emissions, mask)
    likelihood = crf.log_likelihood(emissions, gold, mask)
    sums, golds = [], []
    for row, length in enumerate(lengths):
        scores = scores_of(allowed_paths(crf.tags, length), emissions[row], crf)
        sums.append(torch.logsumexp(scores, 0))
        golds.append(scores_of(gold[row : row + 1, :length], emissions[row], crf)[0])
    expected = torch.stack(sums)
    wanted = torch.stack(golds) - expected
    assert partition.dtype == likelihood.dtype == torch.float32
    torch.testing.assert_close(partition.double(), expected, rtol=1e-6, atol=1e-5)
    torch.testing.assert_close(likelihood.double(), wanted, rtol=1e-6, atol=1e-5)
    for mine, right in (((likelihood * weights).sum(), (wanted * weights).sum()), (partition.sum(), expected.sum())):
        for got, want in zip(gradients(mine, emissions, crf), gradients(right, emissions, crf), strict=True):
            torch.testing.assert_close(got, torch.nan_to_num(want), rtol=1e-5, atol=1e-5)


@small
@settings(max_examples=40)
def test_marginals_and_best_path_are_those_of_all_paths(
    scheme: str, labels: int, lengths: list[int], seed: int, scale: float
) -> None:
    crf = random_crf(scheme, labels, seed)
    emissions, mask = random_batch(crf, lengths, seed, scale)
    marginals, best = crf.marginals(emissions, mask), crf.decode(emissions, mask)
    assert not marginals.requires_grad
    assert not marginals[~mask].any(), "masked positions have no tags"
    for row, length in enumerate(lengths):
        paths = allowed_paths(crf.tags, length)
        scores = scores_of(paths, emissions[row], crf).detach()
        shares = torch.softmax(scores, 0)
        for at in range(length):
            want = torch.zeros(len(crf.tags), dtype=torch.float64).index_add_(0, paths[:, at], shares)
            torch.testing.assert_close(marginals[row, at].double(), want, rtol=1e-5, atol=1e-6)
        mine = best[row : row + 1, :length]
        assert (paths == mine).all(1).any(), "the scheme allows it"
        found = scores_of(mine, emissions[row], crf).item()
        assert found == pytest.approx(float(scores.max()), rel=1e-6, abs=1e-4)


@given(SCHEME_NAMES, st.integers(1, 3), SEEDS, st.sampled_from([0.0, 1e-3, 1.0, 100.0, 1e6]))
def test_what_is_decoded_is_always_well_formed(scheme: str, labels: int, seed: int, scale: float) -> None:
    crf = random_crf(scheme, labels, seed)
    lengths = [1, 2, 70, 33]
    emissions, mask = random_batch(crf, lengths, seed, scale)
    for row, length in zip(crf.decode(emissions, mask).tolist(), lengths, strict=True):
        assert crf.tags.scheme.violations([crf.tags.tags[number] for number in row[:length]]) == []


@given(SCHEME_NAMES, st.lists(st.integers(1, 12), min_size=2, max_size=5), SEEDS)
def test_padding_and_the_order_of_a_batch_change_nothing(scheme: str, lengths: list[int], seed: int) -> None:
    crf = random_crf(scheme, 2, seed)
    emissions, mask = random_batch(crf, lengths, seed)
    gold = crf.decode(torch.randn(mask.shape[0], mask.shape[1], len(crf.tags)), mask)
    order = torch.randperm(len(lengths), generator=torch.Generator().manual_seed(seed))
    padded = torch.nn.functional.pad(emissions, (0, 0, 0, 3), value=torch.inf)[order]
    wider, more = torch.nn.functional.pad(mask, (0, 3))[order], torch.nn.functional.pad(gold, (0, 3), value=-1)[order]
    real = mask[order]
    first, second = emissions.clone().requires_grad_(), padded.clone().requires_grad_()
    one, other = crf.log_likelihood(first, gold, mask), crf.log_likelihood(second, more, wider.long())
    torch.testing.assert_close(one[order], other)
    (slope,), (slope_padded,) = torch.autograd.grad(one.sum(), first), torch.autograd.grad(other.sum(), second)
    torch.testing.assert_close(slope[order][real], slope_padded[:, :-3][real])
    assert not slope_padded[~wider].any()
    torch.testing.assert_close(crf.marginals(emissions, mask)[order], crf.marginals(padded, wider)[:, :-3])
    assert torch.equal(crf.decode(emissions, mask)[order][real], crf.decode(padded, wider)[:, :-3][real])


@pytest.mark.parametrize("scheme", sorted(SCHEMES))
@pytest.mark.parametrize("spread", [0.5, 10.0, 40.0, 82.0])
def test_products_lose_nothing_that_logarithms_keep(
    scheme: str, spread: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Scores at both ends of what is still multiplied, over many positions; the last spread is just below the limit."""
    crf = random_crf(scheme, 2, 5)
    draws = torch.Generator().manual_seed(6)
    emissions, chain = torch.rand(4, 150, len(crf.tags), generator=draws, dtype=torch.float64), crf._chain()
    scale = torch.where(torch.rand(emissions.shape, generator=draws) < 0.5, 0.0, 1.0)
    emissions = (emissions.round() * scale) * max(0.0, spread - 6)
    mask = torch.arange(150) < torch.tensor([150, 149, 3, 1]).unsqueeze(1)
    calls = []
    products = forward_backward._by_products
    monkeypatch.setattr(forward_backward, "_by_products", lambda *args: (calls.append(args[-1]), products(*args))[1])
    with torch.no_grad():
        quick = forward_backward.expected(emissions, mask, chain)
        monkeypatch.setattr(forward_backward, "REACH", 0.0)
        exact = forward_backward.expected(emissions, mask, chain)
    assert len(calls) == 1
    assert (calls[0] == 1) == (spread == 82.0), "steps between divisions"
    for got, want in zip(quick, exact, strict=True):
        torch.testing.assert_close(got, want, rtol=1e-10, atol=1e-12)
    assert quick.pairs.sum((1, 2)).tolist() == pytest.approx([149, 148, 2, 0])


@pytest.mark.parametrize("scheme", SCHEMES.values(), ids=str)
def test_every_tag_reaches_every_other_in_three_steps(scheme: Scheme) -> None:
    """What the bound on lost shares rests on."""
    allowed = constraints(tag_set(["A", "B", "C"], scheme.name)).transitions
    assert np.linalg.matrix_power(allowed.astype(int), forward_backward.STEPS // 2).all()


def long_row(scale: float) -> tuple[Crf, Tensor, Tensor, np.ndarray, np.ndarray]:
    """2,000 tokens with scores as bfloat16 keeps them; the same and the transitions in float64."""
    crf = random_crf("bioes", 2, 8)
    emissions, mask = random_batch(crf, [2000], 8, scale)
    rounded = emissions.bfloat16()
    steps = crf._parts()[2].detach().double().numpy()
    return crf, rounded, mask, rounded[0].double().numpy(), steps


@pytest.mark.parametrize("scale", [8.0, 200.0])
def test_long_sentences_in_bfloat16_are_as_in_float64(scale: float) -> None:
    crf, rounded, mask, own, steps = long_row(scale)
    start, end = (part.detach().double().numpy() for part in crf._parts()[:2])
    total, best = start + own[0], start + own[0]
    for row in own[1:]:
        total = np.logaddexp.reduce(total[:, None] + steps, 0) + row
        best = (best[:, None] + steps).max(0) + row
    partition, highest = np.logaddexp.reduce(total + end), (best + end).max()
    rounded.requires_grad_()
    with torch.autocast("cpu", dtype=torch.bfloat16):
        path = crf.decode(rounded, mask)
        likelihood = crf.log_likelihood(rounded, path, mask)
        found = crf.log_partition(rounded, mask)
        shares = crf.marginals(rounded, mask)
    likelihood.sum().backward()
    assert found.dtype == likelihood.dtype == shares.dtype == torch.float32
    assert found.item() == pytest.approx(partition, rel=1e-7)
    assert scores_of(path, rounded[0], crf).item() == pytest.approx(highest, abs=1e-3)
    assert likelihood.item() == pytest.approx(highest - partition, abs=2e-3)
    torch.testing.assert_close(shares.sum(2), torch.ones(1, 2000))
    assert rounded.grad is not None
    assert rounded.grad.dtype == torch.bfloat16
    assert all(part.grad is not None and bool(part.grad.isfinite().all()) for part in (*crf.parameters(), rounded))
    gold = torch.nn.functional.one_hot(path, len(crf.tags)).float()
    torch.testing.assert_close(rounded.grad.float(), (gold - shares), rtol=2**-8, atol=1e-6)


def test_scores_of_forbidden_places_are_never_used() -> None:
    crf = random_crf("iob2", 2, 1)
    emissions, mask = random_batch(crf, [5, 3], 1)
    gold = gold_of(crf, [5, 3], 1)
    before = crf.log_likelihood(emissions, gold, mask)
    before.sum().backward()
    for part, may in ((crf.start, crf.may_start), (crf.end, crf.may_end), (crf.transitions, crf.may_follow)):
        assert part.grad is not None
        assert not part.grad[~may].any()
        assert part.grad[may].all()
        part.data[~may] = 1e6
    assert torch.equal(crf.log_likelihood(emissions, gold, mask), before)
    assert crf.tags.scheme.violations([crf.tags.tags[at] for at in crf.decode(emissions, mask)[0].tolist()]) == []


def test_tags_that_no_sentence_holds_drown_nothing() -> None:
    """No E-X: what begins with B-X never ends. No B-Y: E-Y is never reached."""
    tags = TagSet(("O", "B-X", "I-X", "I-Y", "E-Y", "S-Z"), SCHEMES["bioes"])
    crf, plain = Crf(tags), Crf(TagSet(("O", "S-Z"), SCHEMES["bioes"]))
    emissions = torch.zeros(1, 3000, 6)
    emissions[..., 1:5] = 40
    mask = torch.ones(1, 3000)
    assert crf.marginals(emissions, mask)[0, 1500].tolist() == pytest.approx([0.5, 0, 0, 0, 0, 0.5])
    torch.testing.assert_close(crf.log_partition(emissions, mask), plain.log_partition(emissions[..., [0, 5]], mask))
    assert set(crf.decode(emissions, mask)[0].tolist()) <= {0, 5}


def test_a_gold_sequence_that_the_scheme_forbids_is_named() -> None:
    """A window cut out of the middle of a mention is one."""
    crf = Crf(tag_set(["A"], "iob2"))
    emissions, mask = random_batch(crf, [3, 3], 1)
    with pytest.raises(ValueError, match=r"row 1 of the batch: iob2 forbids .* position 0 \(\(start\) I-A\)"):
        crf.log_likelihood(emissions, torch.tensor([[1, 2, 0], [2, 1, 0]]), mask)
    with pytest.raises(ValueError, match=r"row 0 of the batch: .* position 2 \(O I-A\)"):
        crf.log_likelihood(emissions, torch.tensor([[1, 0, 2], [0, 0, 0]]), mask)
    masked = crf.log_likelihood(emissions, torch.tensor([[1, 0, 2], [0, 0, 0]]), mask & (torch.arange(3) < 2))
    assert masked.isfinite().all()


def test_scores_that_are_not_finite_are_told_from_forbidden_tags() -> None:
    crf = Crf(tag_set(["A"], "iob2"))
    emissions, mask = torch.full((1, 2, 3), torch.nan), torch.ones(1, 2)
    assert crf.log_likelihood(emissions, torch.zeros(1, 2, dtype=torch.long), mask).isnan().all()


@pytest.mark.parametrize(
    ("shape", "mask", "message"),
    [
        ((1, 2, 4), [[1, 1]], r"emissions \(1, 2, 4\) and mask \(1, 2\), expected \[B, T, 3\]"),
        ((1, 2, 3), [[1, 1, 1]], r"mask \(1, 3\)"),
        ((2, 2, 3), [[1, 1], [0, 0]], "one at least"),
        ((1, 3, 3), [[1, 0, 1]], "first positions"),
        ((1, 2, 3), [[0, 1]], "first positions"),
    ],
)
def test_a_batch_that_does_not_fit_is_refused(shape: tuple[int, ...], mask: list[list[int]], message: str) -> None:
    crf = Crf(tag_set(["A"], "iob2"))
    given_mask = torch.tensor(mask)
    with pytest.raises(ValueError, match=message):
        crf.decode(torch.zeros(shape), given_mask)
    with pytest.raises(ValueError, match=message):
        crf.log_partition(torch.zeros(shape), given_mask)


def test_only_scores_are_saved() -> None:
    crf = Crf(tag_set(["A"], "iob2"))
    assert list(crf.state_dict()) == ["start", "end", "transitions"]
    assert not any(part.any() for part in crf.parameters()), "nothing is drawn"


@pytest.mark.parametrize("scheme", sorted(SCHEMES))
def test_a_configuration_brings_back_every_bit(scheme: str) -> None:
    """Through JSON, into what the tagger `huggingface` decodes with."""
    crf = random_crf(scheme, 2, 3)
    crf.transitions.data[0] *= torch.logspace(-40, 8, len(crf.tags))
    read = crf_weights(json.loads(json.dumps(to_config(crf))), len(crf.tags), "x")
    for mine, theirs, may in (
        (crf.start, read.start, crf.may_start),
        (crf.end, read.end, crf.may_end),
        (crf.transitions, read.transitions, crf.may_follow),
    ):
        assert torch.equal(mine.data[may], theirs[may])
        assert (theirs[~may] == FORBIDDEN).all()
    emissions, mask = random_batch(crf, [30], 3, 3.0)
    assert torch.equal(crf.decode(emissions, mask), viterbi(emissions, mask, read))


def test_the_tagger_huggingface_decodes_with_a_configuration(tmp_path: Path) -> None:
    """Without these transitions the tiny model finds places."""
    crf = Crf(TagSet(tiny_models.IOB2, SCHEMES["iob2"]))
    with torch.no_grad():
        crf.transitions[:, crf.tags.places["B-LOC"]] = -50
    folder = tiny_models.bert(tmp_path, extra={"crf_state_dict": to_config(crf)})
    (found,) = HuggingFaceTagger(folder, device="cpu").predict([tiny_models.TEXT])
    assert found.spans == tuple(span for span in tiny_models.SPANS if span.label != "LOC")


def test_small_differences_count_at_the_end_of_a_long_sentence() -> None:
    """Scores add up to two millions, where float32 tells apart eighths."""
    crf = Crf(tag_set(["A"], "io"))
    wanted = torch.randint(0, 2, (1, 2000), generator=torch.Generator().manual_seed(1))
    emissions = 1000 + 0.05 * torch.nn.functional.one_hot(wanted, 2)
    assert torch.equal(crf.decode(emissions, torch.ones(1, 2000)), wanted)
