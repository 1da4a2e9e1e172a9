"""Transformers models, for real: tiny ones made on the fly, in the library's own code."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.cli.runner import nerquake
from tests.taggers.tiny_models import CRF, PIECES, SPANS, TEXT, bert, change_config

from nerquake.core.dataset import Dataset
from nerquake.core.errors import InputError
from nerquake.core.labels import JoinedLabels, LabelRules
from nerquake.core.sentence import Sentence
from nerquake.core.span import Span
from nerquake.core.spec import Spec
from nerquake.core.tagging import Named, run_tagger
from nerquake.registry import TAGGERS
from nerquake.score.count import count
from nerquake.score.metrics import rates
from nerquake.stats.system import unseen_mentions
from nerquake.taggers.build import build_taggers
from nerquake.taggers.huggingface import PLUGIN, HuggingFaceTagger

pytestmark = pytest.mark.usefixtures("huggingface_library")


@pytest.fixture(params=["bert", "roberta"])
def tagger(request: pytest.FixtureRequest, models: dict[str, str]) -> HuggingFaceTagger:
    return HuggingFaceTagger(models[request.param], precision="fp32")


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

    from nerquake.models.checkpoint import load_tokenizer, source_of

    class Opaque:
        is_fast = False
        all_special_ids = ()

        def __len__(self) -> int:
            return 9

    monkeypatch.setattr(transformers.AutoTokenizer, "from_pretrained", lambda *_, **__: Opaque())
    with pytest.raises(InputError, match=r"its tokenizer \(Opaque\) neither gives word ids nor splits single words"):
        load_tokenizer(source_of(models["bert"], "", PLUGIN))


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


def test_the_command_says_what_ran_and_what_was_not_seen(models: dict[str, str], tmp_path: Path) -> None:
    file = tmp_path / "data.conll"
    file.write_text("Anna\tB-PER\n\u200b\tO\nmet\tO\nBonn\tB-LOC\n\nBo\tB-PER\nmet\tO\nEU\tB-ORG\n", "utf-8")
    ran = nerquake("predict", file, "-t", f'huggingface:"{models["bert"]}",name=m,precision=fp32')
    assert ran.code == 0, ran.err
    assert "[Anna PER]" in ran.out
    assert "met [Bonn LOC]" in ran.out
    assert "m did not see 1 tokens" in ran.err
    assert "fp32, torch" in ran.err


def test_every_piece_of_the_vocabulary(plain: HuggingFaceTagger) -> None:
    """The tiny models are what they say."""
    answers = plain.predict([(word,) for word in PIECES])
    assert [bool(answer.spans) for answer in answers] == [label != "O" for label in PIECES.values()]
