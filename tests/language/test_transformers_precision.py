"""Precisions, and the promise on noise: what a batch may do to an answer."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.language.tiny_masked import ENGLISH, bert_filler, roberta_filler

from nerquake.core.fillers import Masked
from nerquake.core.protocols import ReadOptions
from nerquake.io.load import load
from nerquake.language import transformers_run
from nerquake.language.transformers import TransformersFiller
from nerquake.language.transformers_rows import padded, window
from nerquake.language.transformers_run import best
from nerquake.models import means

pytestmark = pytest.mark.usefixtures("huggingface_library")
AFTER = {"the": ("winter", "Bonn")}
PRECISIONS = ["fp32", "bf16", "int8"]


def here(filler: TransformersFiller) -> TransformersFiller:
    """The filler, where this processor has its precision."""
    able = {"bf16": means.processor_has_bf16, "int8": means.processor_has_int8}.get(filler.precision)
    if able is not None and not able():
        pytest.skip(f"this processor has no instructions for {filler.precision}")
    return filler


def by_entry(filler: TransformersFiller, requests: list[Masked]) -> np.ndarray[Any, Any]:
    """[R, V] the score of every entry, in the vocabulary's order."""
    made = []
    for answer in filler.fill(requests, 10**9):
        scores = np.empty(len(answer))
        scores[answer.numbers] = answer.scores  # type: ignore[attr-defined]
        made.append(scores)
    return np.array(made)


def check_noise(filler: TransformersFiller, requests: list[Masked]) -> float:
    """How far batches of several sizes and orders take answers; never farther than the filler says."""
    alone = np.concatenate([by_entry(filler, [request]) for request in requests])
    score_alone = np.array([filler.score([request])[0] for request in requests])
    order = np.random.default_rng(1).permutation(len(requests))
    farthest = 0.0
    for size in (3, 32):
        some = replace(filler, batch=size)
        shuffled = [requests[at] for at in order]
        farthest = max(farthest, np.abs(by_entry(some, shuffled) - alone[order]).max())
        farthest = max(farthest, np.nanmax(np.abs(np.array(some.score(shuffled)) - score_alone[order])))
    assert farthest <= filler.noise
    return float(farthest)


@pytest.mark.parametrize("precision", PRECISIONS)
@pytest.mark.parametrize("make", [bert_filler, roberta_filler])
def test_tiny_models_keep_to_their_noise(make: Any, precision: Any, tmp_path: Path) -> None:
    filler = here(TransformersFiller(make(tmp_path / "m", ENGLISH, AFTER), precision=precision, device="cpu"))
    requests = [Masked(("the", "x", *["in"] * length), at) for length in range(0, 20, 3) for at in (0, 1)]
    check_noise(filler, requests)
    (answer,) = filler.fill([Masked(("the", "x", "y"), 1)], 5)
    assert [fill.text for fill in answer] == ["winter", "Bonn", *ENGLISH[:2], "market"]


@pytest.mark.parametrize("precision", PRECISIONS)
def test_a_real_model_keeps_to_its_noise(shared: Path, precision: Any) -> None:
    """In low precision not a bit differs: what is padded alike is summed alike, however many there are."""
    filler = here(TransformersFiller(str(shared / "models" / "minilm-mlm-en"), precision=precision, device="cpu"))
    data = load(str(shared / "data" / "wnut17" / "emerging.test.annotated"), options=ReadOptions(lenient=True))
    requests = [Masked(sentence.tokens, number % len(sentence.tokens))
                for number, sentence in enumerate(data.sentences[:24])]  # fmt: skip
    farthest = check_noise(filler, requests)
    if precision == "fp32":
        assert 0 < filler.noise < 1e-3
        assert farthest > 0, "rows of float32 sums are not the same in every batch, or this test is blind"


@pytest.mark.parametrize("precision", ["bf16", "int8"])
def test_low_precision_is_near(shared: Path, precision: Any) -> None:
    filler = here(TransformersFiller(str(shared / "models" / "minilm-mlm-en"), precision=precision, device="cpu"))
    requests = [Masked(("The", "president", "of", "France", "met", "her", "in", "Berlin", "."), at) for at in range(9)]
    exact = by_entry(replace(filler, precision="fp32"), requests)
    found = by_entry(filler, requests)
    assert 0 < np.abs(found - exact).mean() < 0.1
    assert (found.argmax(1) == exact.argmax(1)).mean() > 0.7


def test_noise_is_measured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A model whose rows depend on how many there are has noise, in low precision too."""
    filler = TransformersFiller(bert_filler(tmp_path / "m"), precision="fp32", device="cpu")
    engine = filler._engine()
    real = transformers_run.Model.scores

    def uneven(model: Any, batch: Any) -> Any:
        return real(model, batch) + 0.001 * len(batch.rows)

    assert transformers_run.variation(engine.model, engine.encoder, "fp32") >= transformers_run.FLOOR
    monkeypatch.setattr(transformers_run.Model, "scores", uneven)
    for precision in PRECISIONS:
        assert transformers_run.variation(engine.model, engine.encoder, precision) > 0.004


def test_whole_numbers_around_attention_of_another_kind_are_not_trusted(tmp_path: Path) -> None:
    filler = here(TransformersFiller(bert_filler(tmp_path / "m"), precision="int8"))
    engine = filler._engine()
    assert filler.noise == 0
    engine.model.module.config._attn_implementation = "eager"
    assert transformers_run.variation(engine.model, engine.encoder, "int8") >= transformers_run.UNSTEADY


@pytest.mark.parametrize("precision", ["fp32", "int8"])
def test_the_head_runs_at_masked_places_only(tmp_path: Path, precision: Any) -> None:
    """And where that cannot be, at all of them, with the same answer."""
    filler = here(TransformersFiller(bert_filler(tmp_path / "m", ENGLISH, AFTER), precision=precision, device="cpu"))
    model = filler._engine().model
    assert model.gather is not None
    seen = []
    handle = model.module.cls.register_forward_pre_hook(lambda module, given: seen.append(tuple(given[0].shape)))
    quick = filler.fill([Masked(("the", "x", "y"), 1), Masked(("in", "the", "y"), 0)], 9)
    handle.remove()
    assert [shape[1] for shape in seen] == [1]
    whole = replace_model(filler, transformers_run.Model(model.module, "cpu", False, None))
    assert [[fill.text for fill in answer] for answer in quick] == whole


def replace_model(filler: TransformersFiller, model: transformers_run.Model) -> list[list[str]]:
    engine = filler._engine()
    rows = engine.encoder.to_fill([Masked(("the", "x", "y"), 1), Masked(("in", "the", "y"), 0)])
    (batch,) = engine.encoder.batches(rows, 9)
    numbers, _ = best(model.scores(batch), 9)
    return [[engine.vocabulary.texts[number] for number in row] for row in numbers]


def test_a_head_that_must_see_all_places_is_found_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import torch
    from transformers import BertForMaskedLM

    real = BertForMaskedLM.forward

    def mixing(self: Any, **given: Any) -> Any:
        made = real(self, **given)
        made["logits"] = made.logits + made.logits.shape[1]
        return made

    monkeypatch.setattr(BertForMaskedLM, "forward", mixing)
    filler = TransformersFiller(bert_filler(tmp_path / "m", ENGLISH, AFTER), precision="fp32", device="cpu")
    engine = filler._engine()
    assert engine.model.gather is None
    assert not engine.model.module.bert._forward_hooks
    (answer,) = filler.fill([Masked(("the", "x", "y"), 1)], 2)
    assert [fill.text for fill in answer] == ["winter", "Bonn"]
    assert torch.is_inference_mode_enabled() is False


def test_equal_scores_come_in_the_vocabularys_order() -> None:
    import torch

    draws = np.random.default_rng(3)
    scores = draws.integers(0, 6, (20, 50)).astype(np.float32)
    expected = np.argsort(-scores, axis=1, kind="stable")
    for depth in (1, 2, 7, 30, 50, 80):
        numbers, values = best(torch.from_numpy(scores), depth)
        assert (numbers == expected[:, :depth]).all()
        assert (values == np.take_along_axis(scores, expected[:, :depth], 1)).all()


def test_whole_numbers_are_near_what_they_stand_for() -> None:
    import torch

    from nerquake.language.transformers_int8 import use_int8

    here(TransformersFiller("m", precision="int8"))
    torch.manual_seed(0)
    layers = torch.nn.Sequential(torch.nn.Linear(48, 33), torch.nn.GELU(), torch.nn.Linear(33, 20, bias=False))
    given = torch.randn(5, 7, 48) * torch.logspace(-3, 3, 7)[:, None]  # rows of very different sizes
    with torch.inference_mode():
        expected = layers(given)
        found = use_int8(layers)(given)
        blank = layers(torch.zeros(1, 48))
    off = (found - expected).abs().amax(-1) / expected.abs().amax(-1)
    assert 0 < off.max() < 0.05
    assert torch.isfinite(blank).all()


def test_a_row_is_padded_by_its_own_length() -> None:
    assert [padded(length, 512) for length in (3, 4, 5, 63, 65, 129, 505, 512)] == [4, 4, 8, 64, 72, 144, 512, 512]
    assert padded(9, 10) == 10
    lengths = [padded(length, 512) for length in range(1, 513)]
    assert all(a <= b for a, b in pairwise(lengths))


@pytest.mark.parametrize(
    ("position", "room", "expected"),
    [(5, 5, (3, 8)), (0, 5, (0, 5)), (9, 5, (5, 10)), (1, 5, (0, 5)), (5, 1, (5, 6)), (5, 100, (0, 10))],
)
def test_windows_lie_around_the_masked_word(position: int, room: int, expected: tuple[int, int]) -> None:
    assert window([1] * 10, position, room) == expected


def test_windows_hold_whole_words() -> None:
    assert window([3, 3, 1, 3, 3], 2, 8) == (1, 4)
    assert window([3, 3, 1, 3, 3], 2, 6) == (2, 4)
    assert window([1, 1, 1, 9], 1, 6) == (0, 3)
