"""Transformers models as mask fillers, on tiny models whose fills are known."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.language.tiny_masked import ENGLISH, bert_filler, roberta_filler

from nerquake.core.dataset import Dataset
from nerquake.core.fillers import Fill, Masked
from nerquake.core.spec import Spec
from nerquake.language.transformers import TransformersFiller
from nerquake.registry import FILLERS

pytestmark = pytest.mark.usefixtures("huggingface_library")
FILLS = ("garden", "Straße", "घर", "##ing", "नमस्ते", "Bonn", "summer")
AFTER = {"the": ("winter", "घर"), "Bonn": ("Straße",)}
TEXT = ("met", "the", "old", "Bonn", "market", "in", "grün", "पानी", ".")
Build = Callable[..., str]


@pytest.fixture(scope="module")
def folders(huggingface_library: None, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    folder = tmp_path_factory.mktemp("fillers")
    return {
        "bert": bert_filler(folder / "bert", FILLS, AFTER, words=("the", "grün")),
        "roberta": roberta_filler(folder / "roberta", FILLS, AFTER, words=("the", "grün")),
    }


@pytest.fixture(params=["bert", "roberta"])
def filler(request: pytest.FixtureRequest, folders: dict[str, str]) -> TransformersFiller:
    return TransformersFiller(folders[request.param], precision="fp32", device="cpu")


def texts(fills: Sequence[Fill]) -> list[str]:
    return [fill.text for fill in fills]


def test_the_best_come_first_as_real_text(filler: TransformersFiller) -> None:
    (answer,) = filler.fill([Masked(TEXT, 6)], len(FILLS))
    assert texts(answer) == ["garden", "Straße", "घर", "ing", "नमस्ते", "Bonn", "summer"]
    assert [fill.kind for fill in answer] == ["word", "word", "word", "piece", "word", "word", "word"]
    scores = [fill.score for fill in answer]
    assert scores == sorted(scores, reverse=True)
    assert len(answer) == len(FILLS)


def test_what_stands_at_a_masked_position_is_not_shown(filler: TransformersFiller) -> None:
    shown = filler.fill([Masked(("met", "the", word, "."), 2) for word in ("old", "", "\u200b", "a b", "Bonn")], 20)
    assert all(answer == shown[0] for answer in shown)
    assert texts(shown[0])[:3] == ["winter", "घर", "garden"]
    hidden, seen = filler.fill([Masked(("the", "x"), 1, (0,)), Masked(("the", "x"), 1)], 1)
    assert (texts(hidden), texts(seen)) == (["garden"], ["winter"])


def test_words_without_a_piece_are_left_out(filler: TransformersFiller) -> None:
    (answer,) = filler.fill([Masked(("the", "", "x"), 2)], 1)
    assert texts(answer) == ["winter"]


def test_each_answer_belongs_to_its_request(filler: TransformersFiller) -> None:
    """Whatever their order, their number and their lengths."""
    requests = [Masked(("met",) * length + (word, "x", *TEXT), length + 1) for length in range(30)
                for word in ("the", "Bonn", "market")]  # fmt: skip
    expected = [{"the": "winter", "Bonn": "Straße", "market": "garden"}[one.tokens[one.position - 1]]
                for one in requests]  # fmt: skip
    for batch in (1, 3, 32):
        answers = replace(filler, batch=batch).fill(requests, 1)
        assert [texts(answer)[0] for answer in answers] == expected


def test_the_first_few_of_many_are_the_few(filler: TransformersFiller) -> None:
    (all_of_them,) = filler.fill([Masked(TEXT, 3)], 10**6)
    for precision in ("fp32", "bf16"):
        again = replace(filler, precision="auto" if precision == "bf16" else "fp32")
        (every,) = again.fill([Masked(TEXT, 3)], 10**6)
        assert len(every) == len(all_of_them)
        for depth in (1, 5, 17, 100):
            (some,) = again.fill([Masked(TEXT, 3)], depth)
            assert some == every[:depth]


def test_no_request_and_no_depth(filler: TransformersFiller) -> None:
    assert filler.fill([], 5) == []
    assert filler.score([]) == []
    assert list(map(len, filler.fill([Masked(TEXT, 0)], 0))) == [0]


def test_answers_are_made_as_they_are_asked_for(filler: TransformersFiller) -> None:
    (answer,) = filler.fill([Masked(TEXT, 6)], 5)
    assert answer[0] == next(iter(answer)) == Fill("garden", answer[0].score)
    assert answer[-1].text == "नमस्ते"
    assert texts(answer[1:3]) == ["Straße", "घर"]
    assert list(answer) == [answer[at] for at in range(5)]
    assert answer != list(answer)[:4]
    with pytest.raises(IndexError):
        answer[5]


def test_a_long_sentence_is_read_around_the_masked_word(filler: TransformersFiller) -> None:
    filler = replace(filler, max_length=24)
    long = ("y",) * 40 + ("the", "old") + ("y",) * 40
    (answer,) = filler.fill([Masked(long, 41)], 2)
    assert texts(answer) == ["winter", "घर"]
    assert texts(filler.fill([Masked(long, 0)], 1)[0]) == ["garden"]
    assert texts(filler.fill([Masked(long[:42], 41)], 1)[0]) == ["winter"]


def by_hand(folder: str, tokens: Sequence[str], position: int, depth: int) -> tuple[list[str], list[float]]:
    """The library called as its documentation does: the sentence tokenised as a whole, scores of every place."""
    import torch
    from transformers import AutoModelForMaskedLM, AutoTokenizer

    bytes_too = {"add_prefix_space": True} if (Path(folder) / "merges.txt").exists() else {}
    tokenizer = AutoTokenizer.from_pretrained(folder, **bytes_too)
    model = AutoModelForMaskedLM.from_pretrained(folder, dtype=torch.float32).eval()
    words = [tokenizer.mask_token if at == position else word for at, word in enumerate(tokens)]
    given = tokenizer([words], is_split_into_words=True, return_tensors="pt")
    at = int((given["input_ids"][0] == tokenizer.mask_token_id).nonzero()[0])
    with torch.no_grad():
        top = model(**given).logits[0, at].topk(depth)
    return tokenizer.convert_ids_to_tokens(top.indices.tolist()), top.values.tolist()


@pytest.mark.parametrize("position", range(len(TEXT)))
def test_fills_are_those_of_the_library_called_by_hand(filler: TransformersFiller, position: int) -> None:
    entries, scores = by_hand(filler.model, TEXT, position, 12)
    (answer,) = filler.fill([Masked(TEXT, position)], 12)
    assert [fill.score for fill in answer] == pytest.approx(scores, abs=1e-4)
    vocabulary = filler._engine().vocabulary
    table = filler._engine().encoder.tokenizer.get_vocab()
    assert texts(answer) == [vocabulary.texts[table[entry]] for entry in entries]


def test_scores_are_logarithms_of_probabilities(filler: TransformersFiller) -> None:
    words = ("garden", "Straße", "Bonn", "summer")
    (answer,) = filler.fill([Masked(("met", "x"), 1)], 10**6)
    total = math.log(math.fsum(math.exp(fill.score) for fill in answer))
    expected = {fill.text: fill.score - total for fill in answer if fill.kind == "word"}
    found = filler.score([Masked(("met", word), 1) for word in words])
    assert found == pytest.approx([expected[word] for word in words], abs=1e-5)
    assert found == sorted(found, reverse=True)
    told = filler.score(
        [Masked(("the", "winter"), 1), Masked(("met", "winter"), 1), Masked(("the", "winter"), 1, (0,))]
    )
    assert told[0] > told[1] == pytest.approx(told[2], abs=0.5)


def test_a_word_of_several_pieces_has_the_sum_with_the_later_ones_masked(folders: dict[str, str]) -> None:
    filler = TransformersFiller(folders["bert"], precision="fp32", device="cpu")
    encoder = filler._engine().encoder
    rows = encoder.to_score([Masked(("the", "old", "Bonn"), 1)])
    o, ld, d = (encoder.tokenizer.get_vocab()[piece] for piece in ("o", "##l", "##d"))
    (the,), (bonn,) = encoder.memory["the"], encoder.memory["Bonn"]
    start, end, mask = encoder.frame.before[0], encoder.frame.after[0], encoder.mask
    assert [row.pieces for row in rows] == [
        [start, the, mask, mask, mask, bonn, end],
        [start, the, o, mask, mask, bonn, end],
        [start, the, o, ld, mask, bonn, end],
    ]
    assert [(row.at, row.target) for row in rows] == [(2, o), (3, ld), (4, d)]
    (whole,) = filler.score([Masked(("the", "old", "Bonn"), 1)])
    assert whole < 3 * math.log(0.5)


def test_what_cannot_be_scored_is_not_a_number(filler: TransformersFiller) -> None:
    short = replace(filler, max_length=12)
    found = short.score([Masked(("the", ""), 1), Masked(("the", "y" * 11), 1), Masked(("the", "winter"), 1)])
    assert list(map(math.isnan, found)) == [True, True, False]


@settings(max_examples=40)
@given(st.lists(st.one_of(st.sampled_from(TEXT), st.text(max_size=6)), min_size=1, max_size=12))
def test_pieces_word_by_word_are_those_of_the_sentence(folders: dict[str, str], words: list[str]) -> None:
    for folder in folders.values():
        encoder = TransformersFiller(folder, precision="fp32", device="cpu")._engine().encoder
        encoder.split(words)
        alone = [piece for word in words for piece in encoder.memory[word]]
        shown = [word.encode("utf-8", "replace").decode() for word in words]
        together = encoder.tokenizer(shown, is_split_into_words=True, add_special_tokens=False)["input_ids"]
        assert alone == together


def test_capitals_are_told_from_small_letters_where_the_tokenizer_keeps_them(
    filler: TransformersFiller, tmp_path: Path
) -> None:
    assert filler.cased
    lower = TransformersFiller(bert_filler(tmp_path / "lower", ENGLISH, {"the": ("market",)}, lower=True))
    assert not lower.cased
    assert texts(lower.fill([Masked(("THE", "x"), 1)], 1)[0]) == ["market"]


def test_it_learns_nothing(filler: TransformersFiller) -> None:
    assert filler.learn(Dataset("none", ())) is filler


def test_what_runs_is_said(filler: TransformersFiller) -> None:
    (line,) = filler.about()
    assert line.startswith(f"transformers:{filler.model} runs on cpu, fp32, torch ")
    assert ", transformers " in line


def test_the_fingerprint_follows_what_changes_answers(filler: TransformersFiller, tmp_path: Path) -> None:
    other = bert_filler(tmp_path / "other", FILLS[::-1])
    prints = {
        filler.fingerprint(),
        replace(filler, max_length=20).fingerprint(),
        replace(filler, model=other).fingerprint(),
    }
    assert len(prints) == 3
    assert replace(filler, batch=7).fingerprint() == filler.fingerprint()


def test_a_specification_builds_it(folders: dict[str, str]) -> None:
    spec = Spec("transformers", (("", folders["bert"]), ("precision", "fp32"), ("max-length", "20"), ("batch", "4")))
    built = FILLERS.build(spec)
    assert built == TransformersFiller(folders["bert"], precision="fp32", max_length=20, batch=4)


def test_a_model_is_loaded_once(filler: TransformersFiller, monkeypatch: pytest.MonkeyPatch) -> None:
    import transformers

    filler.fill([Masked(TEXT, 0)], 1)

    def again(*_: Any, **__: Any) -> Any:
        raise AssertionError("loaded again")

    monkeypatch.setattr(transformers.AutoModelForMaskedLM, "from_pretrained", again)
    monkeypatch.setattr(transformers.AutoTokenizer, "from_pretrained", again)
    replace(filler).fill([Masked(TEXT, 0)], 1)
    replace(filler, batch=3).score([Masked(TEXT, 0)])
