"""Adapters beside the layers of an encoder: trained alone, added to the weights, gone on with after a kill."""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from nerquake.core.errors import MissingExtra, SpecError
from nerquake.core.spec import parse_spec
from nerquake.registry import RECIPES, TAGGERS
from nerquake.train.run import Request, train
from tests.conftest import skip_or_fail
from tests.train.toy import world

pytestmark = pytest.mark.huggingface

DATA = world(60)
TOKENS = [one.tokens for one in DATA]


@pytest.fixture
def _peft() -> None:
    if importlib.util.find_spec("peft") is None:
        skip_or_fail('peft is not installed: pip install "nerquake[peft]"')


def build(spec: str) -> Any:
    return RECIPES.build(parse_spec(spec))


def request(spec: str, folder: Path, seed: int = 0) -> Request:
    return Request(spec, build(spec), DATA, None, seed, folder)


def tagged(folder: Path) -> list[Any]:
    tagger = TAGGERS.build(parse_spec(f'native:"{folder}",precision=fp32'))
    return [answer.spans for answer in tagger.predict(TOKENS)]


def weights(folder: Path | str) -> dict[str, Any]:
    from safetensors.torch import load_file

    return dict(load_file(Path(folder) / "model.safetensors"))


def trained(network: Any) -> dict[str, Any]:
    return {name: one for name, one in network.named_parameters() if one.requires_grad}


@pytest.mark.usefixtures("_peft")
@pytest.mark.parametrize("kind", ["transformer", "transformer-crf"])
def test_what_is_saved_is_an_ordinary_checkpoint_that_tags_as_the_network(
    kind: str, tiny_encoder: str, folder: Path
) -> None:
    from nerquake.train.loop import Job, fit

    asked = request(f'{kind}:"{tiny_encoder}",peft=lora,lora-rank=4,epochs=12,lr=2e-2,batch=8', folder)
    network = asked.recipe.network(DATA.sentences, DATA.labels, 0)
    losses = [log.loss for log in fit(Job(network, DATA.sentences, asked.recipe.schedule, 0)).logs]
    assert losses[-1] < losses[0] / 4
    before = {name: tensor.clone() for name, tensor in network.named_tensors()}
    network.save(folder)
    after = dict(network.named_tensors())
    assert before.keys() == after.keys(), "the network itself is as it was"
    assert all(before[name].equal(after[name]) for name in before)
    answers = [answer.spans for answer in network.predict(TOKENS)]
    assert answers == tagged(folder)
    assert sum(a == one.spans for a, one in zip(answers, DATA, strict=True)) > len(DATA) * 3 / 4
    plain = build(f'{kind}:"{tiny_encoder}"').network(DATA.sentences, DATA.labels, 0)
    assert set(weights(folder)) == set(plain.model.state_dict())
    assert not [path.name for path in folder.iterdir() if "adapter" in path.name]
    assert "peft" not in (folder / "config.json").read_text("utf-8")


@pytest.mark.usefixtures("_peft")
def test_only_linear_layers_of_the_encoder_and_the_head_change(tiny_encoder: str, folder: Path) -> None:
    made = train(request(f'transformer:"{tiny_encoder}",peft=lora,lora-rank=2,epochs=2,lr=1e-2,batch=8', folder))
    assert any("rank 2" in line for line in made.record["about"])
    before, after = weights(tiny_encoder), weights(folder)
    moved = {name for name in before if "pooler" not in name and not before[name].equal(after[f"bert.{name}"])}
    linear = {f"encoder.layer.{at}.{part}.weight" for at in (0, 1) for part in (
        "attention.self.query", "attention.self.key", "attention.self.value", "attention.output.dense",
        "intermediate.dense", "output.dense")}  # fmt: skip
    assert moved == linear
    assert int((after["bert.encoder.layer.0.output.dense.weight"] - before["encoder.layer.0.output.dense.weight"])
               .svd().S.gt(1e-5).sum()) == 2, "the difference has the rank that was asked for"  # fmt: skip


@pytest.mark.usefixtures("_peft")
def test_few_parameters_are_trained_and_nothing_changes_before_the_first_step(tiny_encoder: str) -> None:
    plain, adapted = (
        build(f'transformer-crf:"{tiny_encoder}"{more}').network(DATA.sentences, DATA.labels, 3)
        for more in ("", ",peft=lora,lora-rank=1")
    )
    few, all_of_them = trained(adapted), trained(plain)
    assert {name.partition(".")[0] for name in few} == {"model", "crf"}
    assert all("lora_" in name or name.startswith(("model.classifier", "crf")) for name in few)
    sizes = [sum(one.numel() for one in those.values()) for those in (few, all_of_them)]
    assert sizes[0] < sizes[1] / 8
    grouped = {id(one) for group in adapted.groups() for one in group.parameters}
    assert grouped == {id(one) for one in few.values()}
    assert [a.spans for a in adapted.predict(TOKENS)] == [a.spans for a in plain.predict(TOKENS)]


@pytest.mark.usefixtures("_peft")
def test_one_seed_is_one_set_of_adapters(tiny_encoder: str) -> None:
    made = [
        dict(build(f'transformer:"{tiny_encoder}",peft=lora').network(DATA.sentences, DATA.labels, seed)
             .named_tensors())
        for seed in (1, 1, 2)
    ]  # fmt: skip
    first = next(name for name in made[0] if "lora_A" in name)
    assert all(made[0][name].equal(made[1][name]) for name in made[0])
    assert not made[0][first].equal(made[2][first])


@pytest.mark.usefixtures("_peft")
def test_what_is_frozen_has_no_adapter(tiny_encoder: str) -> None:
    spec = f'transformer:"{tiny_encoder}",peft=lora,freeze=encoder.layer.0|classifier'
    names = set(trained(build(spec).network(DATA.sentences, DATA.labels, 0)))
    assert names
    assert all("encoder.layer.1" in name and "lora_" in name for name in names)
    with pytest.raises(SpecError, match="leaves no linear layer of the encoder"):
        build(f'transformer:"{tiny_encoder}",peft=lora,freeze=encoder').network(DATA.sentences, DATA.labels, 0)


class Killed(Exception):
    """As if the process had been killed."""


class Killer:
    """Watches, and ends the run after some steps."""

    def __init__(self, after: int) -> None:
        self.left = after

    def step(self, epoch: int, done: int, steps: int, loss: float) -> None:
        self.left -= 1
        if not self.left:
            raise Killed

    def epoch(self, log: Any) -> None:
        """Nothing is told."""


@pytest.mark.usefixtures("_peft")
def test_a_run_that_is_killed_goes_on_to_the_same_weights(
    tiny_encoder: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("nerquake.train.loop.SAVE_SECONDS", -1.0)  # after every step
    spec = f'transformer-crf:"{tiny_encoder}",peft=lora,epochs=3,lr=1e-2,batch=8'
    train(request(spec, tmp_path / "whole"))
    with pytest.raises(Killed):
        train(request(spec, tmp_path / "parts"), Killer(13))
    train(request(spec, tmp_path / "parts"))
    assert (tmp_path / "whole" / "model.safetensors").read_bytes() == (
        tmp_path / "parts" / "model.safetensors"
    ).read_bytes()


@pytest.mark.usefixtures("_peft")
def test_a_trained_model_goes_on_with_adapters_and_keeps_its_labels(tiny_encoder: str, tmp_path: Path) -> None:
    base = tmp_path / "base"
    train(request(f'transformer-crf:"{tiny_encoder}",epochs=8,lr=5e-3,batch=8', base))
    train(request(f'fine-tune:"{base}",peft=lora,epochs=1,lr=1e-3', tmp_path / "tuned"))
    before, after = (json.loads((one / "config.json").read_text("utf-8")) for one in (base, tmp_path / "tuned"))
    assert before["id2label"] == after["id2label"]
    assert tagged(tmp_path / "tuned")
    old, new = weights(base), weights(tmp_path / "tuned")
    assert old.keys() == new.keys()
    assert {name for name in old if not old[name].equal(new[name])}
    assert all(old[name].equal(new[name]) for name in old if "embeddings" in name or "LayerNorm" in name)


@pytest.fixture
def own(folder: Path) -> Iterator[Path]:
    """A network of nerquake's own, which is no transformer."""
    build("bilstm-crf").network(DATA.sentences, DATA.labels, 0).save(folder)
    yield folder


@pytest.mark.usefixtures("_peft")
def test_a_model_that_is_no_transformer_has_no_adapters(own: Path) -> None:
    with pytest.raises(SpecError, match="is no transformer: leave peft=lora out"):
        build(f'fine-tune:"{own}",peft=lora').network(DATA.sentences, DATA.labels, 0)


@pytest.mark.parametrize("spec", ["transformer:x,lora-rank=0", "fine-tune:x,lora-alpha=0"])
def test_sizes_that_cannot_be(spec: str) -> None:
    with pytest.raises(SpecError, match="a rank of 1 or more is expected, and an alpha of 1 or more"):
        build(spec)


@pytest.mark.parametrize("name", ["transformer", "transformer-crf", "fine-tune"])
def test_without_the_library_the_message_has_the_pip_line(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nerquake.registry.lookup.find_spec", lambda one: None if one == "peft" else one)
    assert build(f"{name}:x").peft == ""
    with pytest.raises(MissingExtra) as caught:
        build(f"{name}:x,peft=lora")
    assert str(caught.value) == (
        f'the model {name} with peft=lora needs peft, which is not installed: pip install "nerquake[peft]"'
    )


def test_without_the_library_a_network_says_so_too(tiny_encoder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "peft", None)  # type: ignore[arg-type]
    recipe = replace(build(f'transformer:"{tiny_encoder}"'), peft="lora")
    with pytest.raises(MissingExtra, match=r'pip install "nerquake\[peft\]"'):
        recipe.network(DATA.sentences, DATA.labels, 0)


@pytest.mark.parametrize(
    ("part", "message"),
    [
        ("embedings", r"did you mean embeddings or .*\? names begin with bert\.embeddings, bert\.encoder, classifier$"),
        ("encoder.layers.0", r"did you mean encoder\.layer\.0"),
        ("zzz", "names begin with"),
    ],
)
def test_frozen_parts_that_are_not_there(tiny_encoder: str, part: str, message: str) -> None:
    with pytest.raises(SpecError, match=f"freeze={part}: no parameter has that in its name; {message}"):
        build(f'transformer:"{tiny_encoder}",freeze={part}').network(DATA.sentences, DATA.labels, 0)


def test_freezing_everything(tiny_encoder: str) -> None:
    with pytest.raises(SpecError, match=r"freeze=bert\|classifier leaves nothing to train"):
        build(f'transformer:"{tiny_encoder}",freeze=bert|classifier').network(DATA.sentences, DATA.labels, 0)
