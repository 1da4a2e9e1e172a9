"""Transformers models that are missing, damaged or something else, and options that cannot be."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.taggers.tiny_models import CRF, IOB2, SPANS, TEXT, change_config

from nerquake.core.errors import InputError, SpecError, UnknownName, UsageError
from nerquake.taggers import huggingface
from nerquake.taggers.huggingface import HuggingFaceTagger

pytestmark = pytest.mark.usefixtures("huggingface_library")


def test_an_encoder_without_a_head_is_no_model(minilm: str) -> None:
    tagger = HuggingFaceTagger(minilm, renames=("LABEL_0=O", "LABEL_1=B-PER"))
    with pytest.raises(InputError, match=r"has no weights for classifier.bias, classifier.weight.*fine-tune it first"):
        tagger.predict([("Bonn",)])


def test_an_unknown_name_lists_what_there_is(
    models: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import huggingface_hub.constants

    shutil.copytree(models["bert"], tmp_path / "mine")
    (tmp_path / "hub" / "models--some--cached-ner").mkdir(parents=True)
    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_CACHE", str(tmp_path / "hub"))
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UnknownName) as caught:
        HuggingFaceTagger("some/cachedner").labels()
    message = str(caught.value)
    assert "There are: mine, some/cached-ner." in message
    assert "Did you mean some/cached-ner?" in message
    assert "HF_HUB_OFFLINE=1 keeps the hub out of reach" in message
    assert "--local-dir" in message
    assert caught.value.exit_code == 2


def break_nothing_but_config(folder: Path) -> None:
    (folder / "config.json").write_text('{"model_type": "bert", ', "utf-8")


def truncate_weights(folder: Path) -> None:
    file = folder / "model.safetensors"
    file.write_bytes(file.read_bytes()[:200])


def drop_weights(folder: Path) -> None:
    (folder / "model.safetensors").unlink()


def drop_config(folder: Path) -> None:
    (folder / "config.json").unlink()


def drop_tokenizer(folder: Path) -> None:
    for file in folder.iterdir():
        if file.name not in ("config.json", "model.safetensors"):
            file.unlink()


def damage_tokenizer(folder: Path) -> None:
    (folder / "tokenizer.json").write_text('{"version": "1.0"}', "utf-8")


def other_type(folder: Path) -> None:
    change_config(folder, model_type="bert-of-tomorrow")


def other_size(folder: Path) -> None:
    change_config(folder, hidden_size=64, num_attention_heads=2)


def more_labels(folder: Path) -> None:
    labels = dict(enumerate([*IOB2, "B-X"]))
    change_config(folder, id2label=labels, label2id={label: at for at, label in labels.items()})


def odd_crf(folder: Path) -> None:
    change_config(folder, crf_state_dict={**CRF, "transitions": [[0.0] * 3] * 3})


def blank_crf(folder: Path) -> None:
    rows = [[0.0] * 7 for _ in range(7)]
    rows[1][2] = float("inf")
    change_config(folder, crf_state_dict={**CRF, "start_transitions": [float("nan")] * 7, "transitions": rows})


def crf_list(folder: Path) -> None:
    change_config(folder, crf_state_dict=[1, 2, 3])


def own_code(folder: Path) -> None:
    change_config(folder, model_type="own", auto_map={"AutoConfig": "code.Config"})


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (break_nothing_but_config, "its configuration cannot be read"),
        (truncate_weights, "its weights cannot be loaded"),
        (drop_weights, "its weights cannot be loaded: .*model.safetensors"),
        (drop_config, "has no config.json, so it is no checkpoint; the folder holds"),
        (drop_tokenizer, "its tokenizer cannot be loaded: .*no tokenizer.json, and in its stead no vocab.txt"),
        (damage_tokenizer, "its tokenizer cannot be loaded"),
        (other_type, "its configuration cannot be read: .*bert-of-tomorrow"),
        (other_size, r"its weights cannot be loaded: size mismatch for .*\[64.*The weights are of another"),
        (more_labels, r"size mismatch for classifier.bias .*should be \[8\]; classifier.weight.*id2label names every"),
        (odd_crf, r"crf_state_dict in config.json: the CRF does not fit .* transitions has shape \(3, 3\)"),
        (blank_crf, r"not finite \(NaN or infinity\): start_transitions \(4\), transitions \(1\)"),
        (crf_list, "crf_state_dict in its config.json is a list, expected an object"),
        (own_code, "its configuration cannot be read"),
    ],
)
def test_a_damaged_checkpoint(copy: Path, damage: Any, message: str) -> None:
    damage(copy)
    with pytest.raises(InputError, match=message) as caught:
        HuggingFaceTagger(str(copy)).predict([("Bonn",)])
    assert str(caught.value).startswith(f"huggingface:{copy}")
    assert "\n" not in str(caught.value)


def test_a_file_is_no_model(copy: Path) -> None:
    with pytest.raises(InputError, match="is a file; name the folder"):
        HuggingFaceTagger(str(copy / "config.json")).labels()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"batch": 0}, "batch is 1 or more"),
        ({"max_length": -1}, "max_length 0 or more"),
        ({"model": ""}, "huggingface:MODEL"),
    ],
)
def test_options_that_cannot_be(options: dict[str, Any], message: str) -> None:
    with pytest.raises(SpecError, match=message):
        HuggingFaceTagger(**{"model": "m", **options})


def test_lengths_that_cannot_be(plain: HuggingFaceTagger) -> None:
    with pytest.raises(UsageError, match="max_length=65, but the model has 64 positions"):
        replace(plain, max_length=65).predict([TEXT])
    with pytest.raises(UsageError, match="leaves no room beside 2 special pieces"):
        replace(plain, max_length=2).predict([TEXT])


def test_what_the_library_logs_while_tagging_is_not_shown(
    plain: HuggingFaceTagger, monkeypatch: pytest.MonkeyPatch
) -> None:
    from transformers.utils import logging

    log = logging.get_logger("transformers.models")
    seen: list[Any] = []
    real = huggingface.best_labels

    def noisy(*arguments: Any) -> Any:
        log.error("noise")
        return real(*arguments)

    monkeypatch.setattr(log, "handle", seen.append)
    monkeypatch.setattr(huggingface, "best_labels", noisy)
    before = logging.get_verbosity()
    assert plain.predict([TEXT])[0].spans == SPANS
    assert seen == []
    assert logging.get_verbosity() == before
    log.error("afterwards")
    assert len(seen) == 1
