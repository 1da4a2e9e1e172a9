"""Which fills pass, and why the others do not."""

from __future__ import annotations

from collections import Counter

import pytest
from tests.perturb.helpers import by_parent, data, run, sentence
from tests.perturb.stub_fillers import CASE_7, HERE

from nerquake.core.fillers import Fill
from nerquake.perturb.fills import FillRules, in_case_of, is_word

ALL = Counter({
    "special token": 1, "piece of a word": 1, "the word that stood there": 1, "punctuation": 1,
    "capitalised where the word was not": 1, "more than one token": 1, "empty": 1,
})  # fmt: skip


def masked_once(first: int) -> tuple[str, tuple[str, ...], dict[str, int]]:
    """Case 7 with `to` inside a mention, so that only `traveled` can be masked."""
    corpus = data([sentence("m", "Maria traveled to Bonn .", "B-PER O B-LOC I-LOC O")])
    made = run(corpus, f'mask:"{HERE}:Case7,first={first}",masks=1')
    variant = by_parent(made)["m"]
    return variant.status, variant.sentence.tokens, dict(made.rejected)


def test_case_7() -> None:
    status, tokens, rejected = masked_once(8)
    assert (status, tokens) == ("changed", ("Maria", "drove", "to", "Bonn", "."))
    assert Counter(rejected) == ALL


def test_case_7_with_nothing_that_passes() -> None:
    status, tokens, rejected = masked_once(7)
    assert (status, tokens) == ("unchanged", ("Maria", "traveled", "to", "Bonn", "."))
    assert Counter(rejected) == ALL


@pytest.mark.parametrize("text", CASE_7[:-1])
def test_every_rejected_candidate_alone(text: str) -> None:
    kind = {"[UNK]": "special", "##ing": "piece"}.get(text, "word")
    assert FillRules().reason(Fill(text, 0.0, kind), "traveled", "Maria to Bonn .")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "old", "reason"),
    [
        ("<unk>", "word", "special token"),
        ("<|endoftext|>", "word", "special token"),
        ("Berlin", "Town", "a mention of the set or a listed name"),
        ("BERLIN", "TOWN", "a mention of the set or a listed name"),
        ("acme", "word", "a mention of the set or a listed name"),
        ("иван", "word", "other script"),
        ("शहर", "word", "other script"),
        ("word", "शहर", "other script"),
        ("word", "1990", ""),
        ("1990", "word", ""),
        ("iPhone", "phone", "capitalised where the word was not"),
        ("iPhone", "Phone", ""),
        ("WORD", "word", "the word that stood there"),
        ("straße", "weg", ""),
        ("नगर", "शहर", ""),
        ("\u200b", "word", "punctuation"),
        ("\u00a0", "word", "empty"),
        ("a b", "word", "more than one token"),
        ("a\u2028b", "word", "more than one token"),
        ("…", "word", "punctuation"),
    ],
)
def test_reasons(text: str, old: str, reason: str) -> None:
    corpus = data([sentence("a", "Berlin saw Bo Lind", "B-LOC O B-PER I-PER")])
    rules = FillRules.of(corpus, ["Acme"])
    assert rules.reason(Fill(text, 0.0), old, "plain words") == reason


def test_without_letters_the_sentence_tells_the_script() -> None:
    assert FillRules().reason(Fill("word", 0.0), "1990", "शहर में") == "other script"


def test_a_mention_of_several_tokens_bars_none_of_them_alone() -> None:
    corpus = data([sentence("a", "Bank of England", "B-ORG I-ORG I-ORG")])
    assert not FillRules.of(corpus).reason(Fill("bank", 0.0), "house", "")


def test_ascii_only_where_asked() -> None:
    assert FillRules(ascii=True).reason(Fill("straße", 0.0), "weg", "") == "not ASCII"


def test_words_are_what_holds_a_letter_or_a_digit() -> None:
    assert [token for token in ("a", "4", "शहर", "।", ".", "—", "ि", "🙂", "n't") if is_word(token)] == [
        "a",
        "4",
        "शहर",
        "n't",
    ]


def test_fills_of_a_model_without_capitals_are_written_as_the_old_word() -> None:
    assert [in_case_of("gestern", old) for old in ("Heute", "heute", "HEUTE", "I", "x")] == [
        "Gestern", "gestern", "GESTERN", "Gestern", "gestern",
    ]  # fmt: skip
