"""Transformers models, for real: tiny ones made on the fly, in the library's own code."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.taggers.tiny_models import IOB2, PIECES, bert, roberta

from nerquake.core.dataset import Dataset
from nerquake.core.errors import InputError, MissingExtra, SpecError, UnknownName, UsageError
from nerquake.core.labels import JoinedLabels, LabelRules
from nerquake.core.sentence import Sentence
from nerquake.core.span import Span
from nerquake.core.spec import Spec
from nerquake.core.tagging import Named, run_tagger
from nerquake.registry import TAGGERS
from nerquake.score.count import count
from nerquake.score.metrics import rates
from nerquake.stats.system import unseen_mentions
from nerquake.taggers import huggingface_run
from nerquake.taggers.build import build_taggers
from nerquake.taggers.huggingface import HuggingFaceTagger
from nerquake.taggers.huggingface_run import processor_has_bf16

pytestmark = pytest.mark.usefixtures("huggingface_library")
TEXT = ("Anna", "Lind", "met", "Bo", "in", "New", "York", "and", "the", "United", "Nations", ".")
SPANS = (Span(0, 2, "PER"), Span(3, 4, "PER"), Span(5, 7, "LOC"), Span(9, 11, "ORG"))


@pytest.fixture(scope="session")
def models(tmp_path_factory: pytest.TempPathFactory, huggingface_library: None) -> dict[str, str]:
    """A folder for each kind of model."""
    folder = tmp_path_factory.mktemp("models")
    return {make.__name__: make(folder / make.__name__) for make in (bert, roberta)}


@pytest.fixture(params=["bert", "roberta"])
def tagger(request: pytest.FixtureRequest, models: dict[str, str]) -> HuggingFaceTagger:
    return HuggingFaceTagger(models[request.param], precision="fp32")


@pytest.fixture
def plain(models: dict[str, str]) -> HuggingFaceTagger:
    return HuggingFaceTagger(models["bert"], precision="fp32")


@pytest.fixture
def copy(models: dict[str, str], tmp_path: Path) -> Path:
    """A checkpoint to damage."""
    return Path(shutil.copytree(models["bert"], tmp_path / "copy"))


def change_config(folder: Path, **changes: Any) -> None:
    file = folder / "config.json"
    file.write_text(json.dumps(json.loads(file.read_text("utf-8")) | changes), "utf-8")


def test_mentions_stand_where_the_tokens_stand(tagger: HuggingFaceTagger) -> None:
    (answer,) = tagger.predict([TEXT])
    assert answer.spans == SPANS
    assert (answer.unseen, answer.invalid) == ((), 0)
    assert tagger.labels() == {"PER", "LOC", "ORG"}


def test_a_word_of_many_pieces_has_the_tag_of_its_first(tmp_path: Path) -> None:
    """`Bonnexyz` begins with the piece `Bonn`; the others are spelled letter by letter."""
    tagger = HuggingFaceTagger(bert(tmp_path / "m"), precision="fp32")
    (answer,) = tagger.predict([("Bonnexyz", "met", "unheard-of", "Paris")])
    assert answer.spans == (Span(0, 1, "LOC"), Span(3, 4, "LOC"))


@pytest.mark.parametrize("swallowed", ["\u200b", "\ufe0f", "\u00a0", "\u00ad", "\u200d", ""])
def test_words_that_the_tokenizer_swallows_shift_nothing(swallowed: str, plain: HuggingFaceTagger) -> None:
    """Case 4 (a)."""
    (answer,) = plain.predict([("Anna", swallowed, "met", "Bonn")])
    assert answer.spans == (Span(0, 1, "PER"), Span(3, 4, "LOC"))
    if swallowed not in ("\ufe0f",):  # a mark on its own is an unknown word, which the model does see
        assert answer.unseen == (1,)


@pytest.mark.parametrize("odd", ["\u200b", "\ufe0f", "\u00a0", "\u00ad", "\u200d", "", "\ud800", "🙂", "[SEP]"])
def test_odd_words_shift_nothing_in_any_model(odd: str, tagger: HuggingFaceTagger) -> None:
    answers = tagger.predict([("Anna", odd, "met", odd, odd, "Bonn"), (odd,), (odd, "Bonn")])
    assert answers[0].spans == (Span(0, 1, "PER"), Span(5, 6, "LOC"))
    assert answers[1].spans == ()
    assert answers[2].spans == (Span(1, 2, "LOC"),)


def test_a_cut_off_tail_is_counted(plain: HuggingFaceTagger) -> None:
    """Case 4 (b): room for four pieces between the two special ones."""
    gold = Sentence("s", ("Anna", "met", "in", "Bonn", "and", "Paris"), (
        Span(0, 1, "PER"), Span(3, 4, "LOC"), Span(5, 6, "LOC"),
    ))  # fmt: skip
    join = JoinedLabels.of(LabelRules(), ("PER", "LOC", "ORG"), "x")
    short = replace(plain, max_length=6, windows=False)
    found = run_tagger(Named("x", "x", short), "original", [gold], join)
    strict = rates(count([gold], found).overall.sum(axis=0), "strict")
    assert (strict.precision, strict.recall) == (1.0, 2 / 3)
    assert (found.unseen_tokens, unseen_mentions([gold], found)) == (2, 1)
    whole = run_tagger(Named("x", "x", replace(short, windows=True)), "original", [gold], join)
    assert whole.spans == (gold.spans,)
    assert whole.unseen_tokens == 0


@pytest.mark.parametrize("room", range(3, 40))
def test_long_sentences_are_read_in_windows(tagger: HuggingFaceTagger, room: int) -> None:
    """Sixty words and a window border at every place: every mention once."""
    expected = tuple(Span(s.start + 12 * n, s.end + 12 * n, s.label) for n in range(5) for s in SPANS)
    (answer,) = replace(tagger, max_length=min(room, 38)).predict([TEXT * 5])
    shared = (room - 2) // 4  # with less, no window sees both sides of the border
    if shared >= 2:
        assert answer.spans == expected
    assert answer.unseen == ()
    assert {word for span in answer.spans for word in range(span.start, span.end)} == {
        word for span in expected for word in range(span.start, span.end)
    }


def test_the_models_own_length_is_kept(models: dict[str, str]) -> None:
    """64 positions of BERT; 40 of RoBERTa, which begin behind the padding index."""
    for name, room in (("bert", 62), ("roberta", 36)):
        tagger = HuggingFaceTagger(models[name], precision="fp32", windows=False)
        (answer,) = tagger.predict([("Bonn",) * 80])
        assert len(answer.spans) == room
        assert len(answer.unseen) == 80 - room


def test_a_word_longer_than_the_model(plain: HuggingFaceTagger) -> None:
    (answer,) = plain.predict([("met", "Bonn" + "x" * 90, "in", "Paris")])
    assert answer.spans == (Span(1, 2, "LOC"), Span(3, 4, "LOC"))
    assert answer.unseen == ()


@pytest.mark.parametrize("batch", [1, 3, 100])
def test_batches_are_sorted_by_length_and_answers_are_not(tagger: HuggingFaceTagger, batch: int) -> None:
    sentences = [TEXT[start:end] for start in range(0, 12, 4) for end in range(start + 1, 13, 3)]
    sentences += [TEXT * 6, ("Bonn",)]
    whole = replace(tagger, batch=batch).predict(sentences)
    assert whole == [tagger.predict([sentence])[0] for sentence in sentences]


def test_answers_are_those_of_the_models_own_pipeline(plain: HuggingFaceTagger, models: dict[str, str]) -> None:
    from transformers import pipeline

    tag = pipeline("token-classification", model=models["bert"], aggregation_strategy="simple", device="cpu")
    theirs = [(entry["entity_group"], entry["word"]) for entry in tag(" ".join(TEXT))]
    (answer,) = plain.predict([TEXT])
    assert [(span.label, " ".join(TEXT[span.start : span.end])) for span in answer.spans] == theirs


@pytest.mark.parametrize(
    ("labels", "pieces"),
    [
        (("O", "I-PER", "B-LOC", "I-LOC"), {"Anna": "I-PER", "Lind": "I-PER", "New": "I-LOC", "York": "I-LOC"}),
        (("O", "B-PER", "E-PER", "B-LOC", "E-LOC", "S-LOC"),
         {"Anna": "B-PER", "Lind": "E-PER", "New": "B-LOC", "York": "E-LOC"}),
        (("O", "B-PER", "L-PER", "B-LOC", "L-LOC", "U-LOC"),
         {"Anna": "B-PER", "Lind": "L-PER", "New": "B-LOC", "York": "L-LOC"}),
        (("LOC", "O", "PER"), {"Anna": "PER", "Lind": "PER", "New": "LOC", "York": "LOC"}),
    ],
    ids=["iob1", "bioes", "bilou", "bare"],
)  # fmt: skip
def test_every_scheme(tmp_path: Path, labels: tuple[str, ...], pieces: dict[str, str]) -> None:
    tagger = HuggingFaceTagger(bert(tmp_path / "m", pieces, labels), precision="fp32")
    (answer,) = tagger.predict([("Anna", "Lind", "sang", "in", "New", "York")])
    assert answer.spans == (Span(0, 2, "PER"), Span(4, 6, "LOC"))
    assert answer.invalid == 0
    assert tagger.labels() == {"PER", "LOC"}


def test_names_that_say_nothing(tmp_path: Path) -> None:
    pieces = {"Anna": "LABEL_1", "Bonn": "LABEL_2", "met": "LABEL_0"}
    model = bert(tmp_path / "m", pieces, ("LABEL_0", "LABEL_1", "LABEL_2"), outside="LABEL_0")
    with pytest.raises(InputError, match=r"labels=LABEL_0=O\|LABEL_1=B-PER"):
        HuggingFaceTagger(model).labels()
    spec = Spec("huggingface", (("", model), ("labels", ("LABEL_0=O", "LABEL_1=B-PER", "LABEL_2=B-LOC"))))
    tagger = TAGGERS.build(spec)
    assert tagger.predict([("Anna", "met", "Bonn")])[0].spans == (Span(0, 1, "PER"), Span(2, 3, "LOC"))


def test_ill_formed_tags(plain: HuggingFaceTagger) -> None:
    """`Lind` is I-PER, whatever stands in front of it."""
    sentence = ("met", "Lind", "Lind")
    assert plain.predict([sentence])[0].spans == (Span(1, 3, "PER"),)
    assert plain.predict([sentence])[0].invalid == 1
    assert replace(plain, repair="discard").predict([sentence])[0].spans == ()
    with pytest.raises(InputError, match="repair is none: O I-PER I-PER"):
        replace(plain, repair="none").predict([sentence])


def test_the_repair_of_the_command_reaches_it(models: dict[str, str]) -> None:
    gold = Dataset("x", (Sentence("s", ("Anna",), (Span(0, 1, "PER"),)),))
    texts = [f'huggingface:"{models["bert"]}",name=a', f'huggingface:"{models["bert"]}",name=b,repair=conlleval']
    first, second = (named.tagger for named in build_taggers(texts, gold, "discard"))
    assert isinstance(first, HuggingFaceTagger)
    assert isinstance(second, HuggingFaceTagger)
    assert (first.repair, second.repair) == ("discard", "conlleval")
    assert first.fingerprint() != second.fingerprint()


@pytest.mark.parametrize("aggregate", ["average", "max"])
def test_all_pieces_of_a_word_can_decide(tmp_path: Path, aggregate: Any) -> None:
    """`Boxx`: one piece for a person, two for a place."""
    pieces = {"Bo": "B-PER", "##x": "B-LOC", "met": "O"}
    first = HuggingFaceTagger(bert(tmp_path / "m", pieces), precision="fp32")
    sentence = ("met", "Boxx", "met", "Bo")
    assert [span.label for span in first.predict([sentence])[0].spans] == ["PER", "PER"]
    pooled = replace(first, aggregate=aggregate).predict([sentence, ("", "\u200b"), sentence * 9])
    assert pooled[0].spans[1].label == "PER"
    assert pooled[0].spans[0].label == ("LOC" if aggregate == "average" else "PER")
    assert pooled[1].unseen == (0, 1)
    assert len(pooled[2].spans) == 18


def allowed(before: str, after: str) -> float:
    return float(after[0] != "I" or (before[0] in "BI" and before[2:] == after[2:]))


CRF = {
    "start_transitions": [0.0] * 7,
    "end_transitions": [0.0] * 7,
    "transitions": [[0.0] * 7 for _ in range(7)],
    "_constraint_mask": [
        *([*(allowed(before, after) for after in IOB2), 0.0, 1.0] for before in IOB2),
        [*(allowed("O", after) for after in IOB2), 0.0, 0.0],
        [0.0] * 9,
    ],
}
"""What T-NER keeps for the tags of IOB2: start and end are the last two rows and columns of the mask."""


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


def test_a_tokenizer_without_word_ids_is_asked_word_by_word(tmp_path: Path) -> None:
    """ByT5's tokenizer exists in Python only: one piece a byte."""
    folder = tmp_path / "m"
    pieces = {"<pad>": "O", "</s>": "O", "<unk>": "O", **{chr(code): "O" for code in range(128)}, "A": "B-PER"}
    model = bert(folder, pieces, special=())
    for file in folder.glob("*token*"):
        file.unlink()
    (folder / "tokenizer_config.json").write_text(json.dumps({"tokenizer_class": "ByT5Tokenizer"}), "utf-8")
    tagger = HuggingFaceTagger(model, precision="fp32")
    assert not tagger._engine().encoder.tokenizer.is_fast
    answers = tagger.predict([("met", "Anna", "", "at", "All"), ("x" * 300, "A")])
    assert answers[0].spans == (Span(1, 2, "PER"), Span(4, 5, "PER"))
    assert answers[0].unseen == (2,)
    assert answers[1].spans == (Span(1, 2, "PER"),)


def test_a_tokenizer_that_knows_no_words(models: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    import transformers

    from nerquake.taggers.huggingface_load import load_tokenizer, source_of

    class Opaque:
        is_fast = False
        all_special_ids = ()

        def __len__(self) -> int:
            return 9

    monkeypatch.setattr(transformers.AutoTokenizer, "from_pretrained", lambda *_, **__: Opaque())
    with pytest.raises(InputError, match=r"its tokenizer \(Opaque\) neither gives word ids nor splits single words"):
        load_tokenizer(source_of(models["bert"], ""))


def test_the_fingerprint_follows_the_files(copy: Path, plain: HuggingFaceTagger) -> None:
    tagger = HuggingFaceTagger(str(copy), precision="fp32")
    before = tagger.fingerprint()
    assert before == tagger.fingerprint() == plain.fingerprint(), "of what is in the folder, not of where it is"
    change_config(copy, crf_state_dict=CRF)
    assert tagger.fingerprint() != before
    assert "CRF" in tagger.about()[0], "changed files are read again"


def test_what_runs_is_said(plain: HuggingFaceTagger) -> None:
    (line,) = plain.about()
    assert line.startswith(f"huggingface:{plain.model} runs on ")
    assert ", fp32, torch " in line
    assert "iob2 tags" in line


# What is missing or wrong.


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
        (drop_tokenizer, "its tokenizer cannot be loaded"),
        (damage_tokenizer, "its tokenizer cannot be loaded"),
        (other_type, "its configuration cannot be read: .*bert-of-tomorrow"),
        (other_size, "its weights cannot be loaded"),
        (more_labels, "its weights cannot be loaded"),
        (odd_crf, r"crf_state_dict in config.json: the CRF does not fit .* transitions has shape \(3, 3\)"),
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


# Device, precision, runtime.


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
    monkeypatch.setattr(huggingface_run, "processor_has_bf16", lambda: False)
    assert ", fp32, " in on_cpu.about()[0]
    with pytest.raises(UsageError, match="precision=bf16, but this processor does not multiply in bfloat16"):
        replace(on_cpu, precision="bf16").predict([TEXT])
    monkeypatch.setattr(huggingface_run, "processor_has_bf16", lambda: True)
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
    assert processor_has_bf16.__wrapped__(str(file)) is has
    assert processor_has_bf16.__wrapped__(str(tmp_path / "none")) is False


@pytest.mark.parametrize(("runtime", "library"), [("torch", "torch"), ("onnx", "onnxruntime")])
def test_a_runtime_that_is_missing(
    plain: HuggingFaceTagger, monkeypatch: pytest.MonkeyPatch, runtime: Any, library: str
) -> None:
    found = huggingface_run.find_spec
    monkeypatch.setattr(huggingface_run, "find_spec", lambda name: None if name == library else found(name))
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


def test_every_piece_of_the_vocabulary(plain: HuggingFaceTagger) -> None:
    """The tiny models are what they say."""
    answers = plain.predict([(word,) for word in PIECES])
    assert [bool(answer.spans) for answer in answers] == [label != "O" for label in PIECES.values()]
