"""Paraphrases by tiny sequence-to-sequence models whose answers are known, and by models that are none."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.language.tiny_seq2seq import ENGLISH, copier, random_marian, random_t5, save_words
from tests.taggers.tiny_models import bert, change_config

from nerquake.core.dataset import Dataset
from nerquake.core.errors import InputError, MissingExtra, SpecError, UnknownName, UsageError
from nerquake.core.paraphrases import Answer
from nerquake.core.seeds import Draws
from nerquake.core.sentence import Sentence
from nerquake.core.span import Span
from nerquake.language import paraphrase_seq2seq as seq2seq
from nerquake.language.paraphrase_seq2seq import Seq2SeqParaphraser
from nerquake.models import means

pytestmark = pytest.mark.usefixtures("huggingface_library")
DRAWS = Draws(0, "paraphrase")
ANNA = Sentence("a", ("Anna", "met", "Bo", "in", "New", "York", "."),
                (Span(0, 1, "PER"), Span(2, 3, "PER"), Span(4, 6, "LOC")))  # fmt: skip
SHORT = Sentence("b", ("Bo", "met", "Anna"), (Span(0, 1, "PER"), Span(2, 3, "PER")))


@pytest.fixture(scope="module")
def made(huggingface_library: None, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """`swaps` says the second word first, and `met` or `saw`; `there` and `back` translate."""
    folder = tmp_path_factory.mktemp("seq2seq")
    saw = {"met": ("saw", "met")}
    return {
        "swaps": copier(folder / "swaps", saw, (1, 0)),
        "copies": copier(folder / "copies"),
        "there": copier(folder / "there", {"met": ("traf", "sah"), "saw": ("sah",), "and": ("und",)}),
        "back": copier(folder / "back", {"traf": ("met",), "sah": ("saw",), "und": ("and",)}),
        "endless": copier(folder / "endless", order=[0] * 24),
    }


@pytest.fixture
def copy(made: dict[str, str], tmp_path: Path) -> Path:
    """A checkpoint to change or damage."""
    return Path(shutil.copytree(made["swaps"], tmp_path / "copy"))


def texts(answers: Sequence[Answer]) -> list[list[str]]:
    return [[candidate.text for candidate in answer.candidates] for answer in answers]


def asked(paraphraser: Seq2SeqParaphraser, *sentences: Sentence, draws: Draws = DRAWS) -> list[list[str]]:
    return texts(paraphraser.paraphrase(sentences, draws))


def test_the_likeliest_answers_come_first(made: dict[str, str]) -> None:
    paraphraser = Seq2SeqParaphraser(made["swaps"], candidates=2)
    (answer,) = paraphraser.paraphrase([ANNA], DRAWS)
    assert texts([answer]) == [["saw Anna Bo in New York .", "met Anna Bo in New York ."]]
    assert answer.reason == ""
    assert {candidate.rules for candidate in answer.candidates} == {(f"seq2seq:{made['swaps']}",)}
    assert all(candidate.tokens == () for candidate in answer.candidates)
    assert paraphraser.lacks("hi") == ""
    assert paraphraser.fitted(Dataset("d", (ANNA,)), "hi") is paraphraser


def test_more_candidates_begin_with_the_fewer(made: dict[str, str]) -> None:
    few, many = (Seq2SeqParaphraser(made["swaps"], candidates=count, beams=6) for count in (2, 5))
    assert asked(many, SHORT)[0][:2] == asked(few, SHORT)[0] == ["saw Bo Anna", "met Bo Anna"]


def test_the_sentence_itself_is_left_out_and_said(made: dict[str, str]) -> None:
    copies = Seq2SeqParaphraser(made["copies"], candidates=1)
    assert copies.paraphrase([SHORT], DRAWS) == [Answer(reason="the model repeats the sentence")]
    assert "Bo met Anna" not in asked(replace(copies, candidates=4), SHORT)[0]


@pytest.mark.parametrize("batch", [3, 16])
@pytest.mark.parametrize("draw", [False, True])
def test_neither_batch_nor_order_changes_an_answer(made: dict[str, str], batch: int, draw: bool) -> None:
    """Beyond what the model is sure of there are ties: only its two likeliest answers are looked at."""
    words = [tuple(ENGLISH[(at * 7 + place * (at + 1)) % 9] for place in range(1 + at % 11)) for at in range(12)]
    sentences = [Sentence(f"s{at}", ("met", *(word for word in some if word != "met"), "met"))
                 for at, some in enumerate(words)]  # fmt: skip
    paraphraser = Seq2SeqParaphraser(made["swaps"], candidates=2, draw=draw, top_p=1.0, temperature=4.0)
    alone = [paraphraser.paraphrase([sentence], DRAWS)[0] for sentence in sentences]
    together = replace(paraphraser, batch=batch)
    assert together.paraphrase(sentences, DRAWS) == alone
    assert together.paraphrase(sentences[::-1], DRAWS) == alone[::-1]


def test_draws_depend_on_the_seed_and_the_sentence_alone(made: dict[str, str]) -> None:
    paraphraser = Seq2SeqParaphraser(made["swaps"], candidates=4, draw=True, top_p=1.0, temperature=3.0)
    same = [asked(paraphraser, SHORT) for _ in range(2)]
    assert same[0] == same[1]
    assert len({repr(asked(paraphraser, SHORT, draws=Draws(seed, "k"))) for seed in range(6)}) > 1
    assert len({repr(asked(paraphraser, replace(SHORT, id=str(at)))) for at in range(6)}) > 1


def test_draws_have_the_models_probabilities(made: dict[str, str]) -> None:
    """`saw` is e times as likely as `met`, at temperature 2 the square root of it: 0.62 of the draws, +-0.06."""
    paraphraser = Seq2SeqParaphraser(made["swaps"], candidates=1, draw=True, top_p=0.9, temperature=2.0, batch=64)
    found = asked(paraphraser, *(replace(SHORT, id=str(at)) for at in range(512)))
    saw = sum(one == ["saw Bo Anna"] for one in found)
    assert saw + sum(one == ["met Bo Anna"] for one in found) == 512, "top_p keeps the noise out"
    assert 0.56 < saw / 512 < 0.68


def test_draws_from_the_likeliest_alone(made: dict[str, str]) -> None:
    paraphraser = Seq2SeqParaphraser(made["swaps"], candidates=6, draw=True, top_p=0.5)
    assert asked(paraphraser, SHORT) == [["saw Bo Anna"]], "0.73 of the probability is one piece's"


def test_there_and_back(made: dict[str, str]) -> None:
    paraphraser = Seq2SeqParaphraser(made["there"], made["back"], candidates=2)
    first, second = paraphraser.paraphrase([ANNA, SHORT], DRAWS)
    assert texts([first, second]) == [["Anna saw Bo in New York ."], ["Bo saw Anna"]]
    assert first.candidates[0].rules == (f"seq2seq:{made['there']},back={made['back']}",)
    alone = replace(paraphraser, candidates=1).paraphrase([SHORT], DRAWS)
    assert alone == [Answer(reason="the model repeats the sentence")], "the likeliest translation leads back to it"


def test_prefixes_are_shown_to_the_models(tmp_path: Path) -> None:
    """The models leave the first place out, where the prefix stands; without it the first word is lost."""
    order = [*range(1, 23), 23]
    there = copier(tmp_path / "there", {"met": ("traf",)}, order)
    back = copier(tmp_path / "back", {"traf": ("saw",)}, order)
    assert asked(Seq2SeqParaphraser(there, candidates=1, prefix="say: "), SHORT) == [["Bo traf Anna"]]
    assert asked(Seq2SeqParaphraser(there, candidates=1), SHORT) == [["traf Anna"]]
    both = Seq2SeqParaphraser(there, back, candidates=1, prefix="say: ", back_prefix="say: ")
    assert asked(both, SHORT) == [["Bo saw Anna"]]


def test_shielded_mentions_are_put_back(tmp_path: Path, made: dict[str, str]) -> None:
    """The model would say another name in each one's stead, but never sees them."""
    model = copier(tmp_path / "m", {"Anna": ("Bo",), "Bo": ("Anna",), "York": ("Bonn",), "met": ("saw",)}, (2, 1, 0))
    plain = Seq2SeqParaphraser(model, candidates=1)
    assert asked(plain, ANNA) == [["Anna saw Bo in New Bonn ."]]
    assert asked(replace(plain, shield="ENT#"), ANNA) == [["Bo saw Anna in New York ."]]


@pytest.mark.parametrize(
    ("says", "expected"),
    [
        ({"ENT2": ("today",)}, "ENT1 met today in ENT3 ."),
        ({"ENT2": ("ENT1",)}, "ENT1 met ENT1 in ENT3 ."),
        ({"ENT3": ("ENT4",)}, "ENT1 met ENT2 in ENT4 ."),
        ({"met": ("ENT1",)}, "ENT1 ENT1 ENT2 in ENT3 ."),
    ],
    ids=["lost", "another's", "a new one", "twice"],
)
def test_placeholders_that_did_not_survive_stay(tmp_path: Path, says: dict[str, Sequence[str]], expected: str) -> None:
    model = copier(tmp_path / "m", says, words=(*ENGLISH, "ENT4"))
    assert asked(Seq2SeqParaphraser(model, candidates=1, shield="ENT#"), ANNA) == [[expected]]


def test_a_shield_does_not_bring_back_words_of_the_sentence(tmp_path: Path) -> None:
    """`ENT1` is a word of this sentence: the placeholders are numbered from 2."""
    model = copier(tmp_path / "m", {"met": ("saw",)})
    sentence = Sentence("s", ("ENT1", "met", "Bo"), (Span(2, 3, "PER"),))
    assert asked(Seq2SeqParaphraser(model, candidates=1, shield="ENT#"), sentence) == [["ENT1 saw Bo"]]


def test_longer_sentences_are_not_cut(made: dict[str, str]) -> None:
    """24 pieces are taken, the end included."""
    fits, more = (Sentence(str(size), ("Bo", "met", *["and"] * (size - 2))) for size in (22, 24))
    answers = Seq2SeqParaphraser(made["swaps"], candidates=1).paraphrase([more, fits, more, SHORT], DRAWS)
    assert answers[0] == answers[2] == Answer(reason="longer than the model takes")
    assert texts(answers)[1] == [" ".join(["saw", "Bo", *["and"] * 20])]
    assert texts(answers)[3] == ["saw Bo Anna"]
    capped = Seq2SeqParaphraser(made["swaps"], candidates=1, max_length=4)
    assert capped.paraphrase([ANNA, SHORT], DRAWS)[0].reason == "longer than the model takes"
    assert capped.paraphrase([ANNA, SHORT], DRAWS)[1].reason == "the model's answer has no end", "3 words and no end"


def test_a_translation_that_is_too_long_for_the_way_back(made: dict[str, str], tmp_path: Path) -> None:
    back = copier(tmp_path / "back", places=5)
    answers = Seq2SeqParaphraser(made["there"], back, candidates=1).paraphrase([ANNA, SHORT], DRAWS)
    assert answers[0] == Answer(reason="longer than the model takes")
    assert texts(answers)[1] == ["Bo traf Anna"]


@pytest.mark.parametrize("draw", [False, True])
def test_an_answer_without_end_is_none(made: dict[str, str], draw: bool) -> None:
    """Its settings would put an end to it where it is cut off (`forced_eos_token_id`)."""
    paraphraser = Seq2SeqParaphraser(made["endless"], candidates=2, draw=draw)
    assert paraphraser.paraphrase([SHORT], DRAWS) == [Answer(reason="the model's answer has no end")]
    there = Seq2SeqParaphraser(made["copies"], made["endless"], candidates=1, draw=draw)
    assert there.paraphrase([SHORT], DRAWS) == [Answer(reason="the model's answer has no end")]


def test_a_model_that_says_nothing(made: dict[str, str], tmp_path: Path) -> None:
    mute = copier(tmp_path / "m", dict.fromkeys(ENGLISH, ("</s>",)))
    assert Seq2SeqParaphraser(mute, candidates=1).paraphrase([SHORT], DRAWS) == [
        Answer(reason="the model says nothing")
    ]
    both = Seq2SeqParaphraser(mute, made["back"], candidates=1)
    assert both.paraphrase([SHORT], DRAWS) == [Answer(reason="the model says nothing")]


@pytest.mark.parametrize("tokens", [("...",), ("\u200b",), ("",), ("\u200b", "🙂", "!")])
def test_sentences_without_a_word_are_not_asked_about(made: dict[str, str], tokens: tuple[str, ...]) -> None:
    assert Seq2SeqParaphraser(made["swaps"]).paraphrase([Sentence("s", tokens)], DRAWS) == [
        Answer(reason="no word in it")
    ]


def test_odd_tokens_and_no_sentences(made: dict[str, str]) -> None:
    paraphraser = Seq2SeqParaphraser(made["swaps"], candidates=1, shield="ENT#")
    odd = Sentence("s", ("बर्लिन", "met", "🙂", "\u200b", "", "Bo"), (Span(0, 1, "LOC"), Span(5, 6, "PER")))
    ((text,),) = asked(paraphraser, odd)
    assert text.split()[:2] == ["saw", "बर्लिन"], "the name is put back although the model cannot spell it"
    assert text.split()[-1] == "Bo"
    assert paraphraser.paraphrase([], DRAWS) == []
    assert len(paraphraser.paraphrase([Sentence("t", ("Bo",) * 5000)], DRAWS)) == 1


def test_settings_that_would_draw_or_force_a_length_are_not_heeded(tmp_path: Path) -> None:
    settings = {"do_sample": True, "num_beams": 3, "min_length": 20, "max_length": 3, "temperature": 9.0}
    odd = copier(tmp_path / "odd", {"met": ("saw", "met")}, (1, 0))
    file = Path(odd) / "generation_config.json"
    file.write_text(json.dumps(json.loads(file.read_text("utf-8")) | settings), "utf-8")
    assert asked(Seq2SeqParaphraser(odd, candidates=2), SHORT) == [["saw Bo Anna", "met Bo Anna"]]


@pytest.mark.parametrize("make", [random_t5, random_marian])
def test_other_architectures_answer_the_same_in_any_batch(tmp_path: Path, make: Any) -> None:
    model = make(tmp_path / "m")
    sentences = [Sentence(str(at), tuple(ENGLISH[(at + place) % 9] for place in range(2 + at % 7))) for at in range(6)]
    for options in ({}, {"draw": True, "temperature": 3.0, "top_p": 1.0}):
        paraphraser = Seq2SeqParaphraser(model, candidates=2, **options)
        alone = [paraphraser.paraphrase([sentence], DRAWS)[0] for sentence in sentences]
        assert replace(paraphraser, batch=5).paraphrase(sentences, DRAWS) == alone
        assert all(bool(answer.candidates) != bool(answer.reason) for answer in alone)
        assert any(answer.candidates for answer in alone) or not options, "drawn answers end some day"


def test_about_and_fingerprint(made: dict[str, str], copy: Path) -> None:
    paraphraser = Seq2SeqParaphraser(str(copy))
    (line,) = paraphraser.about()
    assert line.startswith(f"seq2seq:{copy} runs on ")
    assert line.endswith("answers by 5 beams, one sentence at a time")
    (drawn,) = replace(paraphraser, draw=True, batch=8, back=made["back"]).about()
    assert f"seq2seq:{copy},back={made['back']} runs on" in drawn
    assert drawn.endswith("answers by draws, temperature 1, top_p 0.95, 8 sentences at a time")
    prints = {replace(paraphraser, **options).fingerprint() for options in (
        {}, {"candidates": 4}, {"beams": 7}, {"shield": "X#"}, {"prefix": "p "}, {"back": made["back"]}, {"draw": True},
        {"max_length": 20}, {"batch": 2},
    )}  # fmt: skip
    assert len(prints) == 9
    before = paraphraser.fingerprint()
    assert Seq2SeqParaphraser(made["swaps"]).fingerprint() == before, "the same files in another folder"
    change_config(copy, note="changed")
    assert paraphraser.fingerprint() != before


def truncate_weights(folder: Path) -> None:
    file = folder / "model.safetensors"
    file.write_bytes(file.read_bytes()[:200])


def drop_weights(folder: Path) -> None:
    (folder / "model.safetensors").unlink()


def drop_tokenizer(folder: Path) -> None:
    for file in folder.iterdir():
        if file.name not in ("config.json", "generation_config.json", "model.safetensors"):
            file.unlink()


def other_size(folder: Path) -> None:
    change_config(folder, d_model=64)


def more_layers(folder: Path) -> None:
    change_config(folder, decoder_layers=2)


def no_start(folder: Path) -> None:
    for name in ("config.json", "generation_config.json"):
        found = json.loads((folder / name).read_text("utf-8"))
        kept = {key: value for key, value in found.items() if key not in ("decoder_start_token_id", "bos_token_id")}
        kept |= {"bos_token_id": None, "decoder_start_token_id": None}
        (folder / name).write_text(json.dumps(kept), "utf-8")


def more_words(folder: Path) -> None:
    save_words(folder, ["<pad>", "</s>", "<unk>", "<s>", *(f"w{at}" for at in range(90)), "Bo", "Anna", "met"], 24)


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (truncate_weights, "its weights cannot be loaded"),
        (drop_weights, "its weights cannot be loaded"),
        (drop_tokenizer, "its tokenizer cannot be loaded"),
        (other_size, "its weights cannot be loaded: size mismatch"),
        (more_layers, "has no weights for model.decoder.layers.1.*no finished sequence-to-sequence model"),
        (no_start, "does not say with which piece an answer starts and ends"),
        (more_words, r"its tokenizer gives piece \d+, but the model knows 24: they are of two checkpoints"),
    ],
)
def test_a_damaged_checkpoint(copy: Path, damage: Any, message: str) -> None:
    damage(copy)
    with pytest.raises(InputError, match=message) as caught:
        Seq2SeqParaphraser(str(copy)).paraphrase([SHORT], DRAWS)
    assert str(caught.value).startswith(f"seq2seq:{copy}")
    assert "\n" not in str(caught.value)


def test_a_model_of_another_kind(tmp_path: Path, made: dict[str, str]) -> None:
    folder = bert(tmp_path / "bert")
    for paraphraser in (Seq2SeqParaphraser(folder), Seq2SeqParaphraser(made["swaps"], folder)):
        with pytest.raises(InputError, match=r"bert is no sequence-to-sequence model \(bert has no encoder"):
            paraphraser.paraphrase([SHORT], DRAWS)
        with pytest.raises(InputError, match=r"bert is no sequence-to-sequence model"):
            paraphraser.fitted(Dataset("d", (SHORT,)), "en")


def test_a_folder_or_name_that_is_not_there(copy: Path, tmp_path: Path) -> None:
    with pytest.raises(UnknownName, match=r"HF_HUB_OFFLINE=1 keeps the hub out of reach.*--local-dir"):
        Seq2SeqParaphraser("some/paraphraser").paraphrase([SHORT], DRAWS)
    with pytest.raises(UnknownName):
        Seq2SeqParaphraser(str(tmp_path / "none")).fitted(Dataset("d", (SHORT,)), "en")
    with pytest.raises(InputError, match=r"^seq2seq:.* is a file; name the folder"):
        Seq2SeqParaphraser(str(copy / "config.json")).paraphrase([SHORT], DRAWS)
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match=r"has no config\.json"):
        Seq2SeqParaphraser(str(tmp_path / "empty")).paraphrase([SHORT], DRAWS)


def test_lengths_that_cannot_be(made: dict[str, str]) -> None:
    with pytest.raises(UsageError, match="max_length=25, but the model has 24 positions"):
        Seq2SeqParaphraser(made["swaps"], max_length=25).paraphrase([SHORT], DRAWS)
    with pytest.raises(UsageError, match="max_length=3 leaves no room"):
        Seq2SeqParaphraser(made["swaps"], max_length=3).paraphrase([SHORT], DRAWS)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"model": ""}, "seq2seq:MODEL"),
        ({"candidates": 0}, "candidates and batch are 1 or more"),
        ({"batch": 0}, "candidates and batch are 1 or more"),
        ({"beams": 2}, "beams=2 find no more than 2 candidates"),
        ({"temperature": 0.0}, "temperature is above 0"),
        ({"top_p": 1.5}, "top_p above 0 and at most 1"),
        ({"back_prefix": "x"}, "are about a second model"),
    ],
)
def test_options_that_cannot_be(options: dict[str, Any], message: str) -> None:
    with pytest.raises(SpecError, match=message):
        Seq2SeqParaphraser(**{"model": "m", **options})


@pytest.mark.parametrize("form", ["ENT", "#", "A #", "#ENT#", "E1#"])
def test_shields_that_cannot_be(form: str) -> None:
    with pytest.raises(ValueError, match="shield="):
        Seq2SeqParaphraser("m", shield=form)


def test_a_library_that_is_missing(made: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    found = means.find_spec
    monkeypatch.setattr(means, "find_spec", lambda name: None if name == "torch" else found(name))
    with pytest.raises(MissingExtra, match=r'the paraphraser seq2seq needs torch, .*"nerquake\[huggingface\]"'):
        Seq2SeqParaphraser(made["swaps"]).paraphrase([SHORT], DRAWS)


def test_nothing_is_printed(made: dict[str, str], capfd: pytest.CaptureFixture[str]) -> None:
    seq2seq.load_engine.cache_clear()
    Seq2SeqParaphraser(made["swaps"], batch=4).paraphrase([ANNA, Sentence("l", ("Bo",) * 900)], DRAWS)
    assert capfd.readouterr() == ("", "")
