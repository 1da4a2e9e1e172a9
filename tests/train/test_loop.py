"""The loop: early stopping, the best weights, and a run that is killed and goes on to the same weights."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nerquake.core.errors import UsageError
from nerquake.core.spec import parse_spec
from nerquake.registry import RECIPES
from tests.train.toy import world

pytest.importorskip("torch")
from nerquake.train.batches import epoch_batches, parts_of
from nerquake.train.dev import strict_scores
from nerquake.train.loop import EpochLog, Fitted, Job, Scores, fit
from nerquake.train.saved import SavedRun

pytestmark = pytest.mark.huggingface

DATA = world(40)


class Killed(Exception):
    """The run ends here."""


class Watch:
    """Counts, and ends the run at a step."""

    def __init__(self, end_at: int = 0) -> None:
        self.steps, self.logs, self.end_at = 0, list[EpochLog](), end_at

    def step(self, epoch: int, done: int, steps: int, loss: float) -> None:
        self.steps += 1
        if self.steps == self.end_at:
            raise Killed

    def epoch(self, log: EpochLog) -> None:
        self.logs.append(log)


def job(encoder: str, options: str = "epochs=3,lr=2e-3,batch=8", **changes: Any) -> Job:
    recipe = RECIPES.build(parse_spec(f'transformer-crf:"{encoder}",{options}'))
    network = recipe.network(DATA.sentences, DATA.labels, 0)
    return Job(network, DATA.sentences, recipe.schedule, 0, **changes)


def weights(asked: Job) -> dict[str, Any]:
    return {name: tensor.clone() for name, tensor in asked.network.named_tensors()}


def equal(a: dict[str, Any], b: dict[str, Any]) -> bool:
    return a.keys() == b.keys() and all(a[name].equal(b[name]) for name in a)


@pytest.mark.parametrize("end_at", [1, 4, 5, 9, 14])
@pytest.mark.parametrize(
    "options", ["epochs=3,lr=2e-3,batch=8", "epochs=3,lr=2e-2,batch=8,optimiser=sgd,decay=plateau"]
)
def test_a_killed_run_goes_on_to_the_same_weights(
    end_at: int, options: str, tiny_encoder: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("nerquake.train.loop.SAVE_SECONDS", -1.0)  # after every step
    whole = job(tiny_encoder, options, evaluate=lambda network: strict_scores(network, DATA.sentences))
    told = fit(whole)
    saved = SavedRun(tmp_path, "key")
    first = job(tiny_encoder, options, evaluate=whole.evaluate, saved=saved, watching=Watch(end_at))
    with pytest.raises(Killed):
        fit(first)
    second = job(tiny_encoder, options, evaluate=whole.evaluate, saved=saved)
    assert fit(second) == told
    assert equal(weights(second), weights(whole))


def test_a_run_of_another_kind_is_not_gone_on_with(tiny_encoder: str, tmp_path: Path) -> None:
    fit(job(tiny_encoder, "epochs=1,batch=8", saved=SavedRun(tmp_path, "one")))
    watch = Watch()
    fit(job(tiny_encoder, "epochs=1,batch=8", saved=SavedRun(tmp_path, "another"), watching=watch))
    assert watch.steps == 5


@pytest.mark.parametrize("damage", [b"", b"not safetensors", None])
def test_a_damaged_save_is_begun_anew(damage: bytes | None, tiny_encoder: str, tmp_path: Path) -> None:
    saved = SavedRun(tmp_path, "key")
    fit(job(tiny_encoder, "epochs=1,batch=8", saved=saved))
    whole = saved.path.read_bytes()
    saved.path.write_bytes(whole[: len(whole) // 2] if damage is None else damage)
    watch = Watch()
    fit(job(tiny_encoder, "epochs=1,batch=8", saved=saved, watching=watch))
    assert watch.steps == 5


def scripted(scores: list[float | None]) -> Any:
    given_scores = iter(scores)
    return lambda network: Scores(None, None, next(given_scores))


def test_early_stopping_keeps_the_best_epoch(tiny_encoder: str) -> None:
    seen: list[dict[str, Any]] = []
    evaluate = scripted([0.1, 0.5, 0.5, 0.4, 0.9])

    def watch(network: Any) -> Scores:
        seen.append({name: tensor.clone() for name, tensor in network.named_tensors()})
        made: Scores = evaluate(network)
        return made

    asked = job(tiny_encoder, "epochs=9,batch=8,patience=2", evaluate=watch)
    made = fit(asked)
    assert (len(made.logs), made.best, made.stopped_early) == (4, 2, True)
    assert equal(weights(asked), seen[1])
    assert not equal(seen[1], seen[3])


def test_undefined_scores_are_no_better(tiny_encoder: str) -> None:
    made = fit(job(tiny_encoder, "epochs=3,batch=8,patience=3", evaluate=scripted([None, None, 0.2])))
    assert made.best == 3


def test_without_a_dev_set_the_last_weights_stay(tiny_encoder: str) -> None:
    made = fit(job(tiny_encoder, "epochs=2,batch=8"))
    assert isinstance(made, Fitted)
    assert (made.best, made.stopped_early) == (2, False)
    assert all(log.f1 is None for log in made.logs)


def test_patience_needs_a_dev_set(tiny_encoder: str) -> None:
    with pytest.raises(UsageError, match="--dev"):
        fit(job(tiny_encoder, "epochs=2,batch=8,patience=1"))


@given(st.lists(st.integers(1, 50), min_size=1, max_size=300), st.integers(1, 40), st.integers(0, 3), st.integers(1, 3))
def test_every_example_is_taken_once_an_epoch(sizes: list[int], batch: int, seed: int, epoch: int) -> None:
    made = epoch_batches(sizes, batch, seed, epoch)
    assert sorted(at for one in made for at in one) == list(range(len(sizes)))
    assert all(0 < len(one) <= batch for one in made)
    assert len(made) == -(-len(sizes) // batch)
    assert made == epoch_batches(sizes, batch, seed, epoch)


@given(st.lists(st.integers(), min_size=1, max_size=40), st.integers(1, 50))
def test_parts_are_the_batch(batch: list[int], parts: int) -> None:
    made = parts_of(batch, parts)
    assert [at for part in made for at in part] == batch
    assert len(made) <= parts


def test_torch_is_left_as_it_was_found(tiny_encoder: str) -> None:
    import torch

    torch.manual_seed(5)
    expected = torch.rand(3)
    torch.manual_seed(5)
    fit(job(tiny_encoder, "epochs=1,batch=8"))
    assert not torch.are_deterministic_algorithms_enabled()
    assert torch.rand(3).equal(expected)
