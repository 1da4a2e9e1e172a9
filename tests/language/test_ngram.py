"""The mask filler `ngram` as an attack meets it."""

from __future__ import annotations

import os
import random
import statistics
import subprocess
import sys
import tracemalloc
from collections import Counter
from pathlib import Path

import pytest

from nerquake.core.dataset import Dataset
from nerquake.core.errors import InputError, PluginError, UnknownName
from nerquake.core.fillers import Masked
from nerquake.core.protocols import ReadOptions
from nerquake.core.sentence import Sentence
from nerquake.io.load import load
from nerquake.language.build import build_filler
from nerquake.language.ngram import NgramFiller


def dataset(*texts: str) -> Dataset:
    return Dataset("notes.conll", tuple(Sentence(f"s{at}", tuple(text.split())) for at, text in enumerate(texts)))


TEXTS = (
    "the old mill burned down .",
    "the old barn burned down .",
    "the new mill stands near Bonn .",
    "a new barn stands near Bonn .",
    "she said the old house burned .",
)


def masked(text: str, word: str, key: str = "") -> Masked:
    tokens = tuple(text.split())
    return Masked(tokens, tokens.index(word), (), key)


def texts(filler: object, one: Masked, depth: int = 5) -> list[str]:
    return [fill.text for fill in filler.fill([one], depth)[0]]  # type: ignore[attr-defined]


def test_it_knows_what_stands_between_its_neighbours() -> None:
    filler = build_filler("ngram").learn(dataset(*TEXTS))
    assert set(texts(filler, masked("the old ? burned down .", "?"), 3)) == {"mill", "barn", "house"}
    assert texts(filler, masked("he lives near ? .", "?"), 1) == ["Bonn"]


def test_both_sides_count() -> None:
    filler = NgramFiller().learn(dataset("red car", "red car", "blue boat", "blue boat", "red boat", "blue car"))
    assert texts(filler, masked("? car", "?"), 1) == ["red"]
    assert texts(filler, masked("? boat", "?"), 1) == ["blue"]
    assert texts(filler, masked("red ?", "?"), 1) == ["car"]
    assert texts(filler, masked("blue ?", "?"), 1) == ["boat"]


def test_rare_words_lean_on_endings_and_capitals() -> None:
    filler = NgramFiller().learn(dataset(*["Anna walks", "Berta walks", "Clara walks"] * 2, *["it rained"] * 4))
    assert texts(filler, masked("? 17", "?"), 1) == ["it"]
    # "talks" was never seen, but it ends as "walks" does.
    known, unknown = (filler.score([masked(f"Anna {word}", "Anna")])[0] for word in ("talks", "17"))
    assert known > unknown + 0.3


def test_its_answers_are_words_of_the_corpus_as_they_stand_there() -> None:
    odd = "e\u0301te\u0301 क्\u200dष Groß iPhone"
    filler = NgramFiller().learn(dataset(odd, *TEXTS))
    (fills,) = filler.fill([masked(odd, "Groß")], 100)
    assert sorted(fill.text for fill in fills) == sorted({word for text in (odd, *TEXTS) for word in text.split()})
    assert {fill.kind for fill in fills} == {"word"}
    assert (filler.noise, filler.cased) == (0.0, True)


def test_borders_and_tokens_that_are_no_single_word_are_no_answers() -> None:
    odd = Sentence("odd", ("New York", "", "\n", "\n<s>", "\u00a0", "fell"))
    filler = NgramFiller().learn(Dataset("odd", (odd,)))
    for position in range(6):
        assert texts(filler, Masked(odd.tokens, position), 9) == ["fell"]
    assert filler.fill([Masked(odd.tokens, 0, (), "odd")], 9)[0] == ()


def test_ties_are_broken_by_the_words_text() -> None:
    filler = NgramFiller().learn(dataset("d", "b", "c", "a"))
    assert texts(filler, masked("?", "?")) == ["a", "b", "c", "d"]


def test_a_sentence_does_not_know_itself() -> None:
    filler = NgramFiller().learn(dataset(*TEXTS))
    one = masked(TEXTS[4], "house", "s4")
    assert "house" not in texts(filler, one, 99)
    assert filler.score([one])[0] < filler.score([one._replace(key="")])[0]


def test_nor_does_it_know_a_copy_of_itself() -> None:
    once, twice = NgramFiller().learn(dataset(*TEXTS)), NgramFiller().learn(dataset(*TEXTS, TEXTS[4]))
    assert "house" not in texts(twice, masked(TEXTS[4], "house", "s4"), 99)
    assert "house" not in texts(twice, masked(TEXTS[4], "house", "s5"), 99)
    assert "house" in texts(once, masked(TEXTS[4], "house", "s0"), 99)


def test_originals_and_variants_are_measured_alike() -> None:
    """In a corpus of words drawn at random no word fits better than another, so a change makes nothing worse."""
    rng = random.Random(3)
    words = [f"w{number}" for number in range(60)]
    sentences = [tuple(rng.choices(words, k=8)) for _ in range(300)]
    data = Dataset("random", tuple(Sentence(f"s{at}", tokens) for at, tokens in enumerate(sentences)))
    filler = NgramFiller().learn(data)

    def gap(with_key: bool) -> float:
        differences = []
        for one in data:
            at = rng.randrange(8)
            variant = (*one.tokens[:at], rng.choice(words), *one.tokens[at + 1 :])
            key = one.id if with_key else ""
            before, after = filler.score([Masked(one.tokens, at, (), key), Masked(variant, at, (), key)])
            differences.append(before - after)
        return statistics.fmean(differences)

    assert gap(with_key=False) > 1.5
    assert abs(gap(with_key=True)) < 0.25


def test_before_it_has_learned_it_says_so() -> None:
    for method in (NgramFiller().fill, lambda requests, _: NgramFiller().score(requests)):
        with pytest.raises(PluginError, match=r"was called before learn; call learn"):
            method([masked("a", "a")], 1)


def test_it_says_what_it_was_estimated_from(tmp_path: Path) -> None:
    assert NgramFiller().learn(dataset(*TEXTS)).about() == (
        "ngram estimated from 5 sentences, 33 tokens of notes.conll, vocabulary 15",
    )
    file = tmp_path / "more.txt"
    file.write_text("one two three\n\nfour five\n", "utf-8")
    learned = NgramFiller(corpus=str(file)).learn(dataset(*TEXTS))
    assert learned.about() == ("ngram estimated from 2 sentences, 5 tokens of more.txt, vocabulary 5",)
    assert NgramFiller().about() == ("ngram, to be estimated from the data set",)


def test_a_file_takes_the_place_of_the_data_set(tmp_path: Path) -> None:
    file = tmp_path / "more.txt"
    file.write_text("cats sleep\ndogs bark\n" + TEXTS[0] + "\n", "utf-8")
    filler = build_filler(f"ngram:corpus={file}").learn(dataset(*TEXTS))
    assert texts(filler, masked("dogs ?", "?"), 1) == ["bark"]
    assert "house" not in texts(filler, masked("the old ?", "?"), 99)
    # What the file and the data set share is left out too.
    assert "burned" in texts(filler, masked(TEXTS[0], "burned", "s1"), 99)
    assert "burned" not in texts(filler, masked(TEXTS[0], "burned", "s0"), 99)


def test_the_fingerprint_is_that_of_the_files_content(tmp_path: Path) -> None:
    one, other = tmp_path / "one.txt", tmp_path / "other.txt"
    one.write_text("a b c\n", "utf-8")
    other.write_text("a b c\n", "utf-8")
    before = NgramFiller(str(one)).fingerprint()
    assert before == NgramFiller(str(other)).fingerprint() == NgramFiller(str(one)).learn(dataset("x")).fingerprint()
    assert before != NgramFiller().fingerprint()
    one.write_text("a b d\n", "utf-8")
    assert NgramFiller(str(one)).fingerprint() != before


def test_options_that_do_not_fit(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"nowhere\.txt: there is no such file for ngram's corpus="):
        build_filler(f"ngram:corpus={tmp_path / 'nowhere.txt'}")
    with pytest.raises(UnknownName, match="corpus"):
        build_filler("ngram:corpsu=x")


def test_an_empty_data_set_has_no_words() -> None:
    filler = NgramFiller().learn(Dataset("empty", ()))
    assert filler.fill([masked("a b", "a")], 5) == [()]
    assert filler.fill([], 5) == []
    assert filler.score([masked("a b", "a")]) == [0.0]


def test_another_data_set_can_be_learned() -> None:
    learned = NgramFiller().learn(dataset("red car")).learn(dataset("blue boat"))
    assert set(texts(learned, masked("?", "?"))) == {"blue", "boat"}


_SCRIPT = """
from tests.language.test_ngram import TEXTS, dataset, masked
from nerquake.language.ngram import NgramFiller
filler = NgramFiller().learn(dataset(*TEXTS))
print(filler.fill([masked(text, text.split()[2], f"s{at}") for at, text in enumerate(TEXTS)], 9))
"""


def test_answers_do_not_depend_on_the_process() -> None:
    answers = {
        subprocess.run(
            [sys.executable, "-c", _SCRIPT],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(sys.path)},
            capture_output=True,
            check=True,
            cwd=Path(__file__).parents[2],
        ).stdout
        for seed in ("1", "2")
    }
    assert len(answers) == 1
    assert b"Fill(" in answers.pop()


def test_its_memory_is_bounded() -> None:
    rng = random.Random(1)
    words = [f"word{number}" for number in range(8000)]
    data = dataset(*(" ".join(words[int(8000 * rng.random() ** 3)] for _ in range(15)) for _ in range(2000)))
    tracemalloc.start()
    filler = NgramFiller().learn(data)
    stays, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert filler.places
    assert stays / data.tokens < 400


FILES = {
    "wikigold": "wikigold/wikigold.conll.txt",
    "wnut17": "wnut17/wnut17train.conll",
    "germeval2014": "germeval2014/NER-de-dev.tsv",
    "multiconer1 de": "multiconer1/DE-German/de_train.conll",
    "il_ner hi": "il_ner/Hindi/Hindi-dev.txt",
    "multiconer2 hi": "multiconer2/hi-train.conll",
}


@pytest.mark.shared
@pytest.mark.parametrize("name", FILES)
def test_it_is_a_language_model_not_a_frequency_list(shared: Path, name: str) -> None:
    """On held-out sentences its ten best hold the masked word at least 1.5 times as often as the ten most frequent."""
    data = load(str(shared / "data" / FILES[name]), options=ReadOptions(lenient=True, repair="conlleval"))
    drawn = random.Random(0).sample(data.sentences, min(len(data), 2000))
    held, rest = drawn[: len(drawn) // 10], drawn[len(drawn) // 10 :]
    filler = NgramFiller().learn(Dataset("rest", tuple(rest)))
    frequent = {word for word, _ in Counter(token for one in rest for token in one.tokens).most_common(10)}
    places = [(one.tokens, at) for one in held for at, token in enumerate(one.tokens) if any(map(str.isalnum, token))]
    answers = filler.fill([Masked(tokens, at) for tokens, at in places], 10)
    hits = sum(tokens[at] in {fill.text for fill in fills} for (tokens, at), fills in zip(places, answers, strict=True))
    assert hits >= 1.5 * sum(tokens[at] in frequent for tokens, at in places)
