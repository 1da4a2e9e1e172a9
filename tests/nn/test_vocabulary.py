"""Words and their parts as numbers."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nerquake.core.errors import InputError
from nerquake.nn.vocabulary import (
    CHARACTERS_READ,
    FIRST,
    UNKNOWN,
    Vocabulary,
    parts_of,
    shape_of,
    vocabulary_from,
    vocabulary_of,
)

TEXT = (("Anna", "met", "anna", "in", "1984"), ("Bo", "met", "Anna", "in", "2024"))


def test_words_are_counted_in_lower_case_and_with_digits_alike() -> None:
    made = vocabulary_of(TEXT, min_count=2)
    assert made.words == ("anna", "0000", "in", "met")  # the frequent first, then by code points
    assert made.numbers("ANNA").word == made.numbers("Anna").word == FIRST
    assert made.numbers("1066").word == made.numbers("2024").word
    assert made.numbers("Bo").word == UNKNOWN


def test_digits_of_other_scripts_are_digits() -> None:
    assert vocabulary_of([("१९८४",)]).words == ("0000",)


def test_parts_keep_their_case() -> None:
    made = vocabulary_of(TEXT)
    assert made.numbers("Anna").affixes != made.numbers("anna").affixes
    assert made.numbers("Anna").characters != made.numbers("anna").characters
    assert made.numbers("Anna").characters[1:] == made.numbers("anna").characters[1:]


def test_what_stands_there_once_has_no_number_but_as_a_word() -> None:
    made = vocabulary_of([("Zoë", "sat"), ("sat",)])
    assert "zoë" in made.words
    assert "Zoë" not in made.prefixes
    assert "ë" not in made.characters
    assert made.numbers("ë").characters == (UNKNOWN,)


def test_an_empty_word_has_one_unknown_character() -> None:
    assert vocabulary_of(TEXT).numbers("").characters == (UNKNOWN,)


def test_the_front_and_the_end_of_a_very_long_word_are_read() -> None:
    word = "a" * 500 + "b" * 500
    read = parts_of(word).characters
    assert len(read) == CHARACTERS_READ
    assert (read[0], read[-1]) == ("a", "b")


@pytest.mark.parametrize(
    ("word", "shape"),
    [
        ("iPhone15", "xXxxx00"),
        ("BERLIN", "XXX"),
        ("e-mail@x.org", "x-xxx@x.xxx"),
        ("2024", "000"),
        ("", ""),
        ("नेपाल", "xxx"),
        ("東京", "xx"),
        ("€", "?"),
    ],
)
def test_shapes(word: str, shape: str) -> None:
    assert shape_of(word) == shape


@given(st.lists(st.lists(st.text(max_size=8), min_size=1, max_size=5), max_size=5), st.integers(1, 3))
def test_it_comes_back_from_json_as_it_was(sentences: list[list[str]], least: int) -> None:
    made = vocabulary_of(sentences, least)
    again = vocabulary_from(json.loads(json.dumps(made.as_dict())), "here")
    assert again == made
    words = {word for sentence in sentences for word in sentence}
    assert all(again.numbers(word) == made.numbers(word) for word in words)


@given(st.lists(st.text(max_size=60), min_size=1, max_size=5))
def test_numbers_lie_inside_their_tables(words: list[str]) -> None:
    made = vocabulary_of([words])
    sizes = made.sizes
    for word in [*words, "never seen"]:
        found = made.numbers(word)
        assert UNKNOWN <= found.word < sizes["words"]
        assert all(
            UNKNOWN <= number < sizes[part]
            for number, part in zip(found.affixes, ("prefixes", "suffixes", "shapes"), strict=True)
        )
        assert 1 <= len(found.characters) <= CHARACTERS_READ
        assert all(UNKNOWN <= number < sizes["characters"] for number in found.characters)


def test_the_order_of_sentences_changes_nothing() -> None:
    assert vocabulary_of(TEXT) == vocabulary_of(TEXT[::-1])


@pytest.mark.parametrize("record", [None, [], {}, {"words": "abc"}, {"words": [1]}])
def test_a_damaged_record(record: object) -> None:
    with pytest.raises(InputError, match=r"here: its vocabulary is damaged: expected lists of texts called words"):
        vocabulary_from(record, "here")


def test_a_record_with_a_word_twice() -> None:
    record = vocabulary_of(TEXT).as_dict()
    record["words"].append("anna")
    with pytest.raises(InputError, match="words: a text stands there twice"):
        vocabulary_from(record, "here")


def test_a_table_with_a_text_twice_is_a_bug() -> None:
    with pytest.raises(ValueError, match="characters"):
        Vocabulary((), ("a", "a"), (), (), ())
