from __future__ import annotations

import re
import unicodedata
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.perturb.helpers import by_parent, data, new_surfaces, run

from nerquake.core.sentence import Sentence
from nerquake.core.span import Span
from nerquake.perturb.alphabets import stand_ins

# A well-formed Devanagari cluster: a consonant with an optional nukta, joined to others by virama, an optional vowel
# sign, then signs for nasals; or an independent vowel with such signs; or a digit.
CLUSTER = re.compile(
    "(?:[\u0915-\u0939\u0958-\u095f]\u093c?(?:\u094d[\u200c\u200d]?[\u0915-\u0939\u0958-\u095f]\u093c?)*"
    "(?:[\u093e-\u094c]|\u094d)?|[\u0904-\u0914])[\u0900-\u0903]*|[\u0966-\u096f]"
)
_consonant = st.sampled_from("कखगघचछजटठडतथदधनपफबभमयरलवशषसह\u0958\u095d")
_with_nukta = st.sampled_from(["क\u093c", "ज\u093c", "ड\u093c", "फ\u093c"])
_syllable = st.builds(
    lambda heads, sign, nasal: "\u094d".join(heads) + sign + nasal,
    st.lists(st.one_of(_consonant, _with_nukta), min_size=1, max_size=3),
    st.sampled_from(["", "ा", "ि", "ी", "ु", "ू", "े", "ै", "ो", "ौ", "ृ", "ॉ"]),
    st.sampled_from(["", "ं", "ँ", "ः"]),
)
hindi = st.lists(st.one_of(_syllable, st.sampled_from(["अ", "आ", "इं", "ओ"])), min_size=1, max_size=5).map("".join)


def masked(text: str, language: str = "en", seed: int = 0, options: str = "") -> str:
    tokens = tuple(text.split(" "))
    corpus = data([Sentence("s", (*tokens, "."), (Span(0, len(tokens), "ORG"),))], language)
    return new_surfaces(run(corpus, f"letters{options}", seed))[0]


def shape(text: str) -> str:
    """Upper and lower case letters as X and x, all else as it stands."""
    return "".join("X" if c.isupper() else "x" if c.islower() else c for c in text)


any_text = st.text(st.characters(exclude_categories=("Cs", "Cc", "Zs", "Zl", "Zp")), min_size=1, max_size=8)


@settings(max_examples=120)
@given(st.lists(any_text, min_size=1, max_size=3), st.integers(0, 3))
def test_case_digits_punctuation_and_lengths_stay(tokens: list[str], seed: int) -> None:
    before = " ".join(tokens)
    after = masked(before, seed=seed)
    assert list(map(len, after.split(" "))) == list(map(len, before.split(" ")))
    assert shape(after) == shape(before) or not before.isascii()
    for old, new in zip(before, after, strict=True):
        assert unicodedata.category(new) == unicodedata.category(old) or unicodedata.category(old)[0] == "M"
        if not (old.isalpha() or unicodedata.category(old)[0] == "M"):
            assert new == old


@given(st.text("abcXYZéÜß-'.3", min_size=1, max_size=10).filter(lambda text: any(map(str.isalpha, text))))
def test_every_latin_letter_changes(text: str) -> None:
    after = masked(text, options=":stop-words=no")
    assert all((new != old) == old.isalpha() for old, new in zip(text, after, strict=True))


@pytest.mark.parametrize(("text", "language", "pattern"), [
    ("Bank of England", "en", r"[A-Z][a-z]{3} of [A-Z][a-z]{6}"),
    ("The Who", "en", r"[A-Z][a-z]{2} [A-Z][a-z]{2}"),
    ("Microsoft", "en", r"[A-Z][a-z]{8}"),
    ("US Army", "en", r"[A-Z]{2} [A-Z][a-z]{3}"),
    ("THE BANK OF ENGLAND", "en", r"THE [A-Z]{4} OF [A-Z]{7}"),
    ("U.S. 3rd O'Neill-Smith", "en", r"[A-Z]\.[A-Z]\. 3[a-z]{2} [A-Z]'[A-Z][a-z]{4}-[A-Z][a-z]{4}"),
    ("Straße der Jugend", "de", r"[A-Z][a-z]{5} der [A-Z][a-z]{5}"),
    ("Ärzte ohne Grenzen", "de", r"[A-Z][a-z]{4} ohne [A-Z][a-z]{6}"),
    ("बैंक का भवन", "hi", "\\S+ का \\S+"),
])  # fmt: skip
def test_stop_words_beside_others_stay(text: str, language: str, pattern: str) -> None:
    after = masked(text, language)
    assert re.fullmatch(pattern, after)
    assert after != text


def test_stop_words_can_be_masked_too() -> None:
    assert " of " not in masked("Bank of England", options=":stop-words=no")
    assert " der " in masked("Straße der Jugend", "en", options=":language=de")


def test_a_language_without_a_list_is_said() -> None:
    corpus = data([Sentence("s", ("Bo",), (Span(0, 1, "PER"),))], "xx")
    assert run(corpus, "letters").notes == ("letters: no list of stop words for xx, so none are kept",)


@settings(max_examples=120)
@given(st.lists(hindi, min_size=1, max_size=3), st.integers(0, 3))
def test_devanagari_clusters_stay_well_formed(words: list[str], seed: int) -> None:
    before = " ".join(words)
    after = masked(before, "hi", seed, ":stop-words=no")
    for old, new in zip(words, after.split(" "), strict=True):
        assert len(new) == len(old)
        assert "".join(CLUSTER.findall(new)) == new, f"{old} became {new}"
        assert len(CLUSTER.findall(new)) == len(CLUSTER.findall(old))
        assert new != old
        for a, b in zip(old, new, strict=True):
            assert (a == b) == (a in "\u093c\u094d\u0901\u0902\u0903")


def test_a_consonant_with_a_nukta_becomes_one_that_takes_it() -> None:
    for seed in range(30):
        assert masked("ज\u093cा", "hi", seed)[0] in "कखगडढफ"


@pytest.mark.parametrize("text", ["Москва", "Αθήνα", "القاهرة", "ירושלים", "東京都", "とうきょう", "서울", "กรุงเทพ",
                                  "চট্টগ্রাম", "சென்னை", "తెలుగు", "Երևան", "თბილისი", "አዲስ", "ශ්‍රී"])  # fmt: skip
def test_other_scripts_keep_their_script_marks_and_length(text: str) -> None:
    after = masked(text, "xx")
    assert after != text
    assert len(after) == len(text)
    for old, new in zip(text, after, strict=True):
        assert unicodedata.category(new)[0] == unicodedata.category(old)[0]
        assert unicodedata.name(new).split()[0] == unicodedata.name(old).split()[0]


@given(st.characters(exclude_categories=("Cs",)))
def test_what_stands_in_is_assigned_and_never_the_letter_itself(letter: str) -> None:
    choices = stand_ins(letter)
    assert letter not in choices
    assert len(set(choices)) == len(choices)
    assert {unicodedata.category(c)[0] for c in choices} <= {unicodedata.category(letter)[0]}


def test_a_mention_without_letters_is_left_as_it_is() -> None:
    corpus = data([Sentence("s", ("24", "/", "7", "🙂"), (Span(0, 4, "ORG"),))])
    (variant,) = run(corpus, "letters").variants
    assert (variant.status, variant.reason) == ("unchanged", "no letter to change")


def test_letters_are_drawn_evenly() -> None:
    counts = [0] * 26
    rng = Random(1)
    for _ in range(2500):
        counts[ord(rng.choice(stand_ins("a"))) - ord("a")] += 1
    assert counts[0] == 0
    assert min(counts[1:]) > 60


def test_neither_order_nor_other_sentences_matter() -> None:
    rows = [Sentence(f"s{i}", (f"Name{i}", "Bo"), (Span(0, 2, "PER"),)) for i in range(20)]
    before, after = by_parent(run(data(rows), "letters")), by_parent(run(data(rows[::-1][:7]), "letters"))
    assert {key: before[key] for key in after} == after
