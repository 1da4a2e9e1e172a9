"""Checkpoints that cannot fill masks, and options that cannot be."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from tests.language.tiny_masked import bert_filler
from tests.taggers.tiny_models import bert

from nerquake.core.errors import InputError, MissingExtra, SpecError, UnknownName, UsageError
from nerquake.core.fillers import Masked
from nerquake.language.transformers import TransformersFiller
from nerquake.models import means

pytestmark = pytest.mark.usefixtures("huggingface_library")
ASKED = [Masked(("met", "x", "."), 1)]


@pytest.fixture(scope="module")
def built(huggingface_library: None, tmp_path_factory: pytest.TempPathFactory) -> str:
    return bert_filler(tmp_path_factory.mktemp("built") / "m")


@pytest.fixture
def copy(built: str, tmp_path: Path) -> Path:
    return Path(shutil.copytree(built, tmp_path / "m"))


def test_a_token_classifier_fills_no_masks(tmp_path: Path) -> None:
    folder = bert(tmp_path / "m")
    with pytest.raises(
        InputError, match=r"has no weights for cls\.predictions.*so its fills would be random"
    ) as caught:
        TransformersFiller(folder).fill(ASKED, 1)
    assert str(caught.value).startswith(f"transformers:{folder}: ")
    assert "\n" not in str(caught.value)


def test_an_encoder_alone_fills_no_masks(minilm: str) -> None:
    with pytest.raises(InputError, match="or only the encoder of one: name the checkpoint that was trained to fill"):
        TransformersFiller(minilm).score(ASKED)


def test_a_tokenizer_without_a_mask(copy: Path) -> None:
    for name in ("tokenizer.json", "tokenizer_config.json", "special_tokens_map.json"):
        file = copy / name
        if file.exists():
            file.write_text(file.read_text("utf-8").replace("[MASK]", "[HIDE]"), "utf-8")
    config = json.loads((copy / "tokenizer_config.json").read_text("utf-8"))
    config.pop("mask_token", None)
    config.pop("added_tokens_decoder", None)
    config["tokenizer_class"] = "PreTrainedTokenizerFast"
    (copy / "tokenizer_config.json").write_text(json.dumps(config), "utf-8")
    (copy / "special_tokens_map.json").unlink(missing_ok=True)
    with pytest.raises(InputError, match="its tokenizer has no mask token"):
        TransformersFiller(str(copy)).fill(ASKED, 1)


def test_a_name_that_is_nowhere() -> None:
    with pytest.raises(UnknownName, match="--local-dir"):
        TransformersFiller("some/masked-model").fill(ASKED, 1)


def test_a_file_is_no_model(copy: Path) -> None:
    with pytest.raises(InputError, match=r"^transformers:.* is a file; name the folder"):
        TransformersFiller(str(copy / "config.json")).fill(ASKED, 1)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"batch": 0}, "batch is 1 or more"),
        ({"max_length": -1}, "max_length 0 or more"),
        ({"model": ""}, "transformers:MODEL"),
    ],
)
def test_options_that_cannot_be(options: dict[str, Any], message: str) -> None:
    with pytest.raises(SpecError, match=message):
        TransformersFiller(**{"model": "m", **options})


def test_lengths_that_cannot_be(built: str) -> None:
    with pytest.raises(UsageError, match="max_length=65, but the model has 64 positions"):
        TransformersFiller(built, max_length=65).fill(ASKED, 1)
    with pytest.raises(UsageError, match="leaves no room beside 2 special pieces"):
        TransformersFiller(built, max_length=2).fill(ASKED, 1)


def test_a_library_that_is_missing(built: str, monkeypatch: pytest.MonkeyPatch) -> None:
    found = means.find_spec
    monkeypatch.setattr(means, "find_spec", lambda name: None if name == "torch" else found(name))
    with pytest.raises(MissingExtra, match=r'the mask filler transformers needs torch, .*"nerquake\[huggingface\]"'):
        TransformersFiller(built).fill(ASKED, 1)


def test_whole_numbers_need_a_processor_that_multiplies_them(built: str, monkeypatch: pytest.MonkeyPatch) -> None:
    filler = TransformersFiller(built, precision="int8")
    monkeypatch.setattr(means, "processor_has_int8", lambda: False)
    with pytest.raises(UsageError, match=r"precision=int8, but this processor has no instructions.*avx512_vnni"):
        filler.fill(ASKED, 1)
    monkeypatch.setattr(means, "processor_has_int8", lambda: True)
    monkeypatch.setattr(means, "_multiplies", lambda torch: False)
    with pytest.raises(UsageError, match="does not multiply matrices of whole numbers here"):
        filler.fill(ASKED, 1)


def test_a_kernel_that_overflows_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    import torch

    if not means.processor_has_int8():
        pytest.skip("this processor has no instructions for int8")
    assert means._multiplies(torch)
    right = torch._int_mm
    monkeypatch.setattr(torch, "_int_mm", lambda a, b: right(a, b).clamp(-(2**15), 2**15 - 1))
    assert not means._multiplies(torch)
    monkeypatch.delattr(torch, "_int_mm")
    assert not means._multiplies(torch)
