"""Loading checkpoints for whichever plug-in asks: messages carry its name, and its head decides what is missing."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from tests.language.tiny_masked import bert_filler, roberta_filler
from tests.taggers.tiny_models import bert, change_config

from nerquake.core.errors import InputError, MissingExtra, UsageError
from nerquake.models import means
from nerquake.models.checkpoint import (
    Head,
    fingerprint_of,
    load_config,
    load_tokenizer,
    load_weights,
    room_of,
    source_of,
)
from nerquake.models.frame import frame_of, whole
from nerquake.models.means import Means, Plugin, means_of

pytestmark = pytest.mark.usefixtures("huggingface_library")
PLUGIN = Plugin("mask filler", "shaker")
MASKED = Head("AutoModelForMaskedLM", "nothing would be known.", "look at vocab_size")


@pytest.fixture(scope="module")
def folder(huggingface_library: None, tmp_path_factory: pytest.TempPathFactory) -> str:
    return bert_filler(tmp_path_factory.mktemp("checkpoint") / "m")


def test_messages_carry_the_plug_ins_name(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("x", "utf-8")
    with pytest.raises(InputError, match=rf"^shaker:{tmp_path} has no config.json.*the folder holds notes.txt"):
        source_of(str(tmp_path), "", PLUGIN)
    assert source_of("some/name", "v2", PLUGIN).where == "shaker:some/name"
    assert source_of("some/name", "v2", PLUGIN).arguments == {"trust_remote_code": False, "revision": "v2"}


def test_a_source_changes_with_its_files(tmp_path: Path) -> None:
    model = bert_filler(tmp_path / "m")
    before = source_of(model, "", PLUGIN)
    assert source_of(model, "", PLUGIN) == before
    printed = fingerprint_of(before)
    os.utime(tmp_path / "m" / "config.json", (1, 1))
    touched = source_of(model, "", PLUGIN)
    assert touched != before
    assert fingerprint_of(touched) == printed, "of the bytes, not of the time"
    change_config(tmp_path / "m", layer_norm_eps=1e-5)
    assert fingerprint_of(source_of(model, "", PLUGIN)) != printed


def test_weights_come_in_the_precision_asked_for(folder: str) -> None:
    source = source_of(folder, "", PLUGIN)
    for precision, dtype in (("fp32", "torch.float32"), ("bf16", "torch.bfloat16"), ("int8", "torch.float32")):
        model = load_weights(source, MASKED, precision)
        assert not model.training
        assert {str(parameter.dtype) for parameter in model.parameters()} == {dtype}


def test_a_head_that_is_missing_or_does_not_fit(tmp_path: Path) -> None:
    tagger = bert(tmp_path / "tagger")
    with pytest.raises(InputError, match=r"^shaker:.*has no weights for cls.*, so nothing would be known\.$"):
        load_weights(source_of(tagger, "", PLUGIN), MASKED, "fp32")
    other = bert_filler(tmp_path / "other")
    change_config(tmp_path / "other", hidden_size=64)
    with pytest.raises(InputError, match=r"size mismatch for .*The weights are of another configuration$"):
        load_weights(source_of(other, "", PLUGIN), MASKED, "fp32")


def test_room(folder: str) -> None:
    source = source_of(folder, "", PLUGIN)
    config, tokenizer = load_config(source), load_tokenizer(source)
    assert room_of(config, tokenizer, 0, source.where) == 64
    assert room_of(config, tokenizer, 20, source.where) == 20
    with pytest.raises(UsageError, match=r"^shaker:.*max_length=65, but the model has 64 positions"):
        room_of(config, tokenizer, 65, source.where)


def test_the_frame_is_what_stands_around_a_word(folder: str) -> None:
    tokenizer = load_tokenizer(source_of(folder, "", PLUGIN))
    frame = frame_of(tokenizer, "here")
    assert (frame.before, frame.after) == ((tokenizer.cls_token_id,), (tokenizer.sep_token_id,))
    assert (frame.width, frame.typed, frame.pad) == (2, False, tokenizer.pad_token_id)


def test_lone_surrogates_are_no_letters() -> None:
    assert whole("a\ud800b") == "a?b"
    assert whole("grün घर") == "grün घर"


def test_means_are_settled_for_a_plug_in(monkeypatch: pytest.MonkeyPatch) -> None:
    import torch

    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    monkeypatch.setattr(means, "processor_has_bf16", lambda: False)
    assert means_of(PLUGIN, "auto", "auto") == Means("torch", "cpu", "fp32")
    with pytest.raises(UsageError, match=r"^shaker: precision=bf16, but this processor does not"):
        means_of(PLUGIN, "cpu", "bf16")
    with pytest.raises(UsageError, match=r"^shaker: device=cuda, but torch finds no GPU"):
        means_of(PLUGIN, "cuda", "auto")
    monkeypatch.setattr(means, "processor_has_bf16", lambda: True)
    assert means_of(PLUGIN, "auto", "auto") == Means("torch", "cpu", "bf16")
    assert means_of(PLUGIN, "auto", "fp32") == Means("torch", "cpu", "fp32")
    monkeypatch.setattr(means, "find_spec", lambda name: None)
    with pytest.raises(MissingExtra, match=r'^the mask filler shaker needs torch, .*"nerquake\[huggingface\]"'):
        means_of(PLUGIN, "auto", "auto")


def test_whole_numbers_are_for_the_processor(monkeypatch: pytest.MonkeyPatch) -> None:
    import torch

    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    with pytest.raises(UsageError, match=r"^shaker: precision=int8 runs on the processor only; device=cpu"):
        means_of(PLUGIN, "cuda", "int8")
    monkeypatch.setattr(means, "processor_has_int8", lambda: True)
    monkeypatch.setattr(means, "_multiplies", lambda torch: True)
    assert means_of(PLUGIN, "auto", "int8") == Means("torch", "cpu", "int8")


def test_a_byte_level_tokenizer_without_blanks_in_front_gets_them(tmp_path: Path) -> None:
    """As ModernBERT is saved: some versions of the library forget `add_prefix_space` when it is asked for."""
    folder = Path(roberta_filler(tmp_path))
    load_tokenizer(source_of(str(folder), "", PLUGIN)).save_pretrained(folder)
    file = folder / "tokenizer.json"
    saved = file.read_text("utf-8").replace('"add_prefix_space":true', '"add_prefix_space":false')
    file.write_text(saved.replace('"add_prefix_space": true', '"add_prefix_space": false'), "utf-8")
    config = json.loads((folder / "tokenizer_config.json").read_text("utf-8"))
    config |= {"tokenizer_class": "PreTrainedTokenizerFast", "add_prefix_space": False}
    (folder / "tokenizer_config.json").write_text(json.dumps(config), "utf-8")
    tokenizer = load_tokenizer(source_of(str(folder), "", PLUGIN))
    assert tokenizer.tokenize(["river", "garden"], is_split_into_words=True) == ["Ġriver", "Ġgarden"]
