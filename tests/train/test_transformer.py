"""Transformers with and without a CRF: trained, saved, tagged, gone on with."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from nerquake.core.errors import InputError, SpecError, UnknownName
from nerquake.core.sentence import Sentence
from nerquake.core.span import Span
from nerquake.registry import RECIPES, TAGGERS
from nerquake.train.run import Request, train
from tests.train.toy import encoder, world

pytestmark = pytest.mark.huggingface

DATA = world(60)


def request(spec: str, folder: Path, seed: int = 0, **changes: Any) -> Request:
    from nerquake.core.spec import parse_spec

    made = Request(spec, RECIPES.build(parse_spec(spec)), DATA, None, seed, folder)
    return replace(made, **changes)


def learnt(folder: Path) -> list[tuple[Span, ...]]:
    from nerquake.core.spec import parse_spec

    tagger = TAGGERS.build(parse_spec(f'native:"{folder}"'))
    return [answer.spans for answer in tagger.predict([one.tokens for one in DATA])]


@pytest.mark.parametrize("kind", ["transformer", "transformer-crf"])
def test_it_learns_the_toy_world_by_heart(kind: str, tiny_encoder: str, folder: Path) -> None:
    made = train(request(f'{kind}:"{tiny_encoder}",epochs=25,lr=5e-3,batch=8', folder))
    losses = [log["loss"] for log in made.record["epochs"]]
    assert losses[-1] < losses[0] / 4
    assert learnt(folder) == [one.spans for one in DATA]
    names = {path.name for path in folder.iterdir()}
    assert {"config.json", "model.safetensors", "train.json", "sources.jsonl"} <= names
    assert not [name for name in names if name.endswith((".bin", ".pt", ".pkl"))]


@pytest.mark.parametrize("kind", ["transformer", "transformer-crf"])
def test_the_network_and_the_tagger_on_disk_answer_alike(kind: str, tiny_encoder: str, folder: Path) -> None:
    from nerquake.train.loop import Job, fit

    asked = request(f'{kind}:"{tiny_encoder}",epochs=2,lr=3e-3,batch=8', folder)
    network = asked.recipe.network(DATA.sentences, DATA.labels, 0)
    fit(Job(network, DATA.sentences, asked.recipe.schedule, 0))
    network.save(folder)
    answers = [answer.spans for answer in network.predict([one.tokens for one in DATA])]
    assert any(answers)
    assert answers == learnt(folder)


def test_one_seed_gives_the_same_weights_and_another_others(tiny_encoder: str, tmp_path: Path) -> None:
    spec = f'transformer-crf:"{tiny_encoder}",epochs=1,lr=1e-3,batch=8'
    weights = []
    for name, seed in (("a", 0), ("b", 0), ("c", 1)):
        train(request(spec, tmp_path / name, seed))
        weights.append((tmp_path / name / "model.safetensors").read_bytes())
    assert weights[0] == weights[1]
    assert weights[0] != weights[2]


def test_accumulated_parts_are_one_batch(tmp_path: Path) -> None:
    still = encoder(tmp_path / "still", dropout=0.0)
    for kind in ("transformer", "transformer-crf"):
        found = []
        for parts in (1, 3):
            folder = tmp_path / f"{kind}{parts}"
            made = train(request(f'{kind}:"{still}",epochs=1,lr=1e-3,batch=12,accumulate={parts}', folder))
            found.append(made.record["epochs"][0]["loss"])
        assert found[0] == pytest.approx(found[1], rel=1e-4)


def test_fine_tuning_keeps_head_and_label_order(tiny_encoder: str, tmp_path: Path) -> None:
    import json

    train(request(f'transformer:"{tiny_encoder}",epochs=8,lr=5e-3,batch=8', tmp_path / "base"))
    config = tmp_path / "base" / "config.json"
    before = json.loads(config.read_text("utf-8"))["id2label"]
    only = DATA.with_sentences([one for one in DATA if any(span.label == "PER" for span in one.spans)])
    made = train(request(f'fine-tune:"{tmp_path / "base"}",epochs=1,lr=1e-4', tmp_path / "tuned", train=only))
    assert json.loads((tmp_path / "tuned" / "config.json").read_text("utf-8"))["id2label"] == before
    assert made.record["labels"] == ["LOC", "PER"]


def test_fine_tuning_on_a_label_that_the_model_lacks(tiny_encoder: str, tmp_path: Path) -> None:
    train(request(f'transformer:"{tiny_encoder}",epochs=1,batch=8', tmp_path / "base"))
    strange = DATA.with_sentences([Sentence("x", ("Acme",), (Span(0, 1, "ORG"),))])
    with pytest.raises(InputError, match="has no label ORG, only LOC, PER"):
        train(request(f'fine-tune:"{tmp_path / "base"}"', tmp_path / "tuned", train=strange))


def test_freezing_the_encoder_leaves_it_as_it_was(tiny_encoder: str, tmp_path: Path) -> None:
    from safetensors.torch import load_file

    train(request(f'transformer:"{tiny_encoder}",epochs=1,lr=1e-3', tmp_path / "base"))
    train(request(f'fine-tune:"{tmp_path / "base"}",epochs=1,lr=1e-3,freeze=bert', tmp_path / "tuned"))
    before = load_file(tmp_path / "base" / "model.safetensors")
    after = load_file(tmp_path / "tuned" / "model.safetensors")
    moved = {name for name in before if not before[name].equal(after[name])}
    assert moved
    assert all(name.startswith("classifier") for name in moved)


def test_sentences_longer_than_the_encoder_are_windowed(tmp_path: Path) -> None:
    short = encoder(tmp_path / "short", positions=16)
    words = ("Anna", "Lind", "met", "Bo", "in", "Bonn", ".") * 12
    spans = tuple(Span(at * 7 + a, at * 7 + b, label) for at in range(12)
                  for a, b, label in ((0, 2, "PER"), (3, 4, "PER"), (5, 6, "LOC")))  # fmt: skip
    long = DATA.with_sentences([*DATA.sentences, Sentence("long", words, spans)])
    for kind in ("transformer", "transformer-crf"):
        folder = tmp_path / kind
        train(request(f'{kind}:"{short}",epochs=25,lr=5e-3,batch=8', folder, train=long))
        from nerquake.core.spec import parse_spec

        (answer,) = TAGGERS.build(parse_spec(f'native:"{folder}"')).predict([words])
        assert answer.spans == spans
        assert not answer.unseen


def test_a_checkpoint_without_weights_of_the_encoder(tiny_encoder: str, tmp_path: Path) -> None:
    import shutil

    from safetensors.torch import load_file, save_file

    broken = tmp_path / "broken"
    shutil.copytree(tiny_encoder, broken)
    weights = load_file(broken / "model.safetensors")
    save_file({name: tensor for name, tensor in weights.items() if "layer.1" not in name}, broken / "model.safetensors",
              {"format": "pt"})  # fmt: skip
    with pytest.raises(InputError, match=r"no weights for bert\.encoder\.layer\.1"):
        train(request(f'transformer:"{broken}",epochs=1', tmp_path / "out"))


def test_a_truncated_checkpoint(tiny_encoder: str, tmp_path: Path) -> None:
    import shutil

    broken = tmp_path / "broken"
    shutil.copytree(tiny_encoder, broken)
    whole = (broken / "model.safetensors").read_bytes()
    (broken / "model.safetensors").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(InputError, match="its weights cannot be loaded"):
        train(request(f'transformer:"{broken}",epochs=1', tmp_path / "out"))


def test_an_encoder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(UnknownName, match="no-such-encoder"):
        train(request("transformer:no-such-encoder,epochs=1", tmp_path / "out"))


@pytest.mark.parametrize("spec", ["transformer:x,scheme=bro", "fine-tune", "transformer:x,epochs=0",
                                  "transformer:x,warmup=2", "transformer-crf:x,crf-factor=0"])  # fmt: skip
def test_options_that_cannot_be(spec: str) -> None:
    from nerquake.core.spec import parse_spec

    with pytest.raises(SpecError):
        RECIPES.build(parse_spec(spec))
