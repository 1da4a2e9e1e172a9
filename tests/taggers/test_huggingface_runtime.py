"""Device, precision, ONNX Runtime, and conditional random fields on top of transformers models."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.taggers.tiny_models import CRF, IOB2, SPANS, TEXT, bert, change_config

from nerquake.core.errors import InputError, MissingExtra, UsageError
from nerquake.core.span import Span
from nerquake.models import means
from nerquake.models.means import BF16_FLAGS, processor_flags
from nerquake.taggers.huggingface import HuggingFaceTagger

pytestmark = pytest.mark.usefixtures("huggingface_library")


def test_a_crf_in_the_configuration_decodes(tmp_path: Path) -> None:
    """Alone, `Lind` is an I-PER behind O; with the constraints of IOB2 no path has that."""
    sentences = [("met", "Lind", "met", "Anna", "Lind"), TEXT * 8, ("", "Bonn"), TEXT]
    without = HuggingFaceTagger(bert(tmp_path / "plain"), precision="fp32")
    tagger = HuggingFaceTagger(bert(tmp_path / "crf", extra={"crf_state_dict": CRF}), precision="fp32")
    assert without.predict(sentences[:1])[0].invalid == 1
    answers = tagger.predict(sentences)
    assert [answer.invalid for answer in answers] == [0] * 4
    assert answers[0].spans[-1] == Span(3, 5, "PER")
    assert answers[1:] == without.predict(sentences)[1:], "well-formed tags stay as they are"
    assert "decoded by its CRF" in tagger.about()[0]
    assert answers == [tagger.predict([sentence])[0] for sentence in sentences]
    with pytest.raises(UsageError, match="has a CRF"):
        replace(tagger, aggregate="max").predict(sentences)


def test_transitions_of_a_crf_outweigh_a_piece(tmp_path: Path) -> None:
    """Going to B-ORG costs more than the piece brings: `EU` is no mention any more."""
    state = {**CRF, "transitions": [[-20.0 if to == IOB2.index("B-ORG") else 0.0 for to in range(7)]] * 7}
    del state["_constraint_mask"]
    tagger = HuggingFaceTagger(bert(tmp_path / "m", extra={"crf_state_dict": state}), precision="fp32")
    first, second = tagger.predict([("met", "EU", "met"), ("met", "Bonn", "met")])
    assert first.spans == ()
    assert second.spans == (Span(1, 2, "LOC"),)


def test_a_gpu_that_is_not_there(plain: HuggingFaceTagger) -> None:
    import torch

    if torch.cuda.is_available():
        assert replace(plain, device="cuda").predict([TEXT])[0].spans == SPANS
    else:
        with pytest.raises(UsageError, match="device=cuda, but torch finds no GPU"):
            replace(plain, device="cuda").predict([TEXT])
        assert replace(plain, device="auto").about()[0].count("cpu")


def test_precision_is_what_the_processor_has(plain: HuggingFaceTagger, monkeypatch: pytest.MonkeyPatch) -> None:
    on_cpu = replace(plain, device="cpu", precision="auto")
    monkeypatch.setattr(means, "processor_has_bf16", lambda: False)
    assert ", fp32, " in on_cpu.about()[0]
    with pytest.raises(UsageError, match="precision=bf16, but this processor does not multiply in bfloat16"):
        replace(on_cpu, precision="bf16").predict([TEXT])
    monkeypatch.setattr(means, "processor_has_bf16", lambda: True)
    assert ", bf16, " in on_cpu.about()[0]
    assert ", fp32, " in replace(on_cpu, precision="fp32").about()[0]
    assert on_cpu.fingerprint() != replace(on_cpu, precision="fp32").fingerprint()
    assert on_cpu.predict([TEXT])[0].spans == SPANS, "torch can do it on any processor, only slowly"


@pytest.mark.parametrize(
    ("text", "has"),
    [
        ("processor\t: 0\nflags\t\t: fpu avx512f avx512_bf16 amx_tile\n", True),
        ("processor\t: 0\nflags\t\t: fpu avx2\n", False),
        ("Features\t: fp asimd bf16 i8mm\n", True),
        ("", False),
    ],
)
def test_processors_are_asked(tmp_path: Path, text: str, has: bool) -> None:
    file = tmp_path / "cpuinfo"
    file.write_text(text, "utf-8")
    assert (not BF16_FLAGS.isdisjoint(processor_flags(str(file)))) is has
    assert processor_flags(str(tmp_path / "none")) == frozenset()


@pytest.mark.parametrize(("runtime", "library"), [("torch", "torch"), ("onnx", "onnxruntime")])
def test_a_runtime_that_is_missing(
    plain: HuggingFaceTagger, monkeypatch: pytest.MonkeyPatch, runtime: Any, library: str
) -> None:
    found = means.find_spec
    monkeypatch.setattr(means, "find_spec", lambda name: None if name == library else found(name))
    extra = "onnx" if runtime == "onnx" else "huggingface"
    with pytest.raises(MissingExtra, match=rf'needs {library}, .* pip install "nerquake\[{extra}\]"'):
        replace(plain, runtime=runtime, precision="auto").predict([TEXT])


def onnx_lookup(folder: Path, typed: bool = False) -> None:
    """`model.onnx` that looks the scores of each piece up, as the checkpoint in the folder computes them."""
    import onnx
    import torch
    from onnx import TensorProto, helper, numpy_helper
    from transformers import BertForTokenClassification

    model = BertForTokenClassification.from_pretrained(folder).eval()
    with torch.no_grad():
        head = model(input_ids=torch.arange(model.config.vocab_size).unsqueeze(1)).logits[:, 0].numpy()
    names = ["input_ids", "attention_mask", *(["token_type_ids"] if typed else [])]
    inputs = [helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "length"]) for name in names]
    output = helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["batch", "length", head.shape[1]])
    graph = helper.make_graph(
        [helper.make_node("Gather", ["table", "input_ids"], ["logits"])], "lookup", inputs, [output],
        [numpy_helper.from_array(head, "table")],
    )  # fmt: skip
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    onnx.save(made, str(folder / "model.onnx"))


@pytest.mark.parametrize("typed", [False, True])
def test_onnx_runtime_gives_the_same_answers(onnx_library: None, copy: Path, typed: bool) -> None:
    onnx_lookup(copy, typed)
    sentences = [TEXT, TEXT * 9, ("", "\u200b"), ("Lind", "", "Bonn")]
    by_torch = HuggingFaceTagger(str(copy), precision="fp32")
    by_onnx = HuggingFaceTagger(str(copy), runtime="onnx")
    assert by_onnx.predict(sentences) == by_torch.predict(sentences)
    assert replace(by_onnx, aggregate="average").predict(sentences) == by_torch.predict(sentences)
    assert "as exported, onnxruntime" in by_onnx.about()[0]
    assert by_onnx.fingerprint() != by_torch.fingerprint()


def test_onnx_runtime_decodes_with_the_crf_too(onnx_library: None, tmp_path: Path) -> None:
    folder = tmp_path / "m"
    bert(folder, extra={"crf_state_dict": CRF})
    onnx_lookup(folder)
    sentences = [("met", "Lind", "met", "Anna", "Lind"), TEXT * 8]
    by_torch = HuggingFaceTagger(str(folder), precision="fp32")
    assert HuggingFaceTagger(str(folder), runtime="onnx").predict(sentences) == by_torch.predict(sentences)


def test_onnx_models_that_cannot_run(onnx_library: None, copy: Path) -> None:
    tagger = HuggingFaceTagger(str(copy), runtime="onnx")
    with pytest.raises(UsageError, match="in the precision of the exported model, not bf16"):
        replace(tagger, precision="bf16").predict([TEXT])
    with pytest.raises(InputError, match=r"needs a folder with model.onnx in it"):
        tagger.predict([TEXT])
    (copy / "model.onnx").write_bytes(b"no protobuf")
    with pytest.raises(InputError, match=r"model.onnx cannot be loaded"):
        tagger.predict([TEXT])
    onnx_lookup(copy)
    labels = dict(enumerate(IOB2[:3]))
    change_config(copy, id2label=labels, label2id={label: at for at, label in labels.items()})
    with pytest.raises(InputError, match="gives 7 scores a piece, its configuration 3 labels"):
        tagger.predict([TEXT])
