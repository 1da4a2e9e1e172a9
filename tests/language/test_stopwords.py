"""Content words by exclusion."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.strategies import tokens

from nerquake.core.fillers import CONTENT
from nerquake.core.spec import parse_spec
from nerquake.language.stopwords import StopWords, stop_list
from nerquake.registry import PARTS_OF_SPEECH


def content(text: str, language: str = "en") -> list[str]:
    words = tuple(text.split(" "))
    (tags,) = StopWords(language).tag([words])
    return [word for word, tag in zip(words, tags, strict=True) if tag == CONTENT]


@pytest.mark.parametrize(("language", "text", "expected"), [
    ("en", "The dogs barked loudly at THE postman , and She ran", "dogs barked loudly postman"),
    ("en", "the dogs' owner and Anna's e-mail and a T-shirt", "dogs' owner Anna's e-mail T-shirt"),
    ("de", "Der Hund hat die Straße übermütig überquert , daß es kracht", "Hund Straße übermütig überquert kracht"),
    ("fr", "l' homme qu' il aime aujourd'hui et l'école jusqu' ici", "homme aime aujourd'hui l'école"),
    ("hi", "भारत के प्रधान मंत्री ने क्षेत्र में भाषण दिया ।", "भारत प्रधान मंत्री क्षेत्र भाषण"),
    ("tr", "İçin IŞIK ve bir", "IŞIK"),
    ("he", "שלום שלי של", "שלום"),
    ("ru", "Москва и не город", "Москва город"),
    ("no", "jeg liker fisk", "liker fisk"),
    ("german", "der Hund", "Hund"),
])  # fmt: skip
def test_what_is_no_stop_word_is_a_content_word(language: str, text: str, expected: str) -> None:
    assert content(text, language) == expected.split(" ")


@pytest.mark.parametrize(
    "token",
    [
        *("don't", "don’t", "n't", "'s", "’s", "'em", "wo", "it's", "they'll", "y'all", "-", "so-and-so"),
        *("1990s", "3rd", "5,000", "$5m", "'90s", "१९९०", "12वीं", "½", "Ⅳ", "1e5"),
        *("http://t.co/x", "www.example.org", "example.com/a", "Me@Example.org", "@bob", "#tag", "＃タグ"),
        *(
            "🙂",
            "❤️",
            "👩‍👩‍👧",
            "🇮🇳",
            ":D",
            ":-P",
            "...",
            "।",
            "&amp;",
            "-LRB-",
            "<b>",
            "",
            " ",
            "\u200b",
            "\u0301",
            "ां",
        ),
        *("x", "É", "U.S.", "a.m.", "“The", "the!"),
    ],
)
def test_what_is_no_word_or_a_small_one(token: str) -> None:
    assert StopWords("en").tag([(token,)]) == [("FUNCTION",)]


@pytest.mark.parametrize(
    "token",
    ["e\u0301tude", "हैदराबाद", "क्षेत्र", "O'Neill", "Covid-19", "B2B", "北", "व", "naïve", "rock'n'roll", "barked!",
     "“Dogs", "ph.d."],
)  # fmt: skip
def test_what_is_a_word(token: str) -> None:
    assert StopWords("en").tag([(token,)]) == [("CONTENT",)]


def test_a_mark_put_on_its_letter_in_another_way_is_the_same() -> None:
    composed, apart = "काफ़ी", "काफ\u093cी"
    assert StopWords("hi").tag([(composed, apart)]) == [("FUNCTION", "FUNCTION")]
    assert content("tr\u00e8s tre\u0300s", "fr") == []


def test_a_language_without_a_list_takes_every_word_and_says_so() -> None:
    assert content("the casa , 3 x !", "xx") == ["the", "casa"]
    assert StopWords("xx").about() == (
        "parts of speech: no list of stop words for xx, so every word counts as a content word",
    )
    assert "a language that is not given" in StopWords().about()[0]
    assert StopWords("de").about() == (
        f"parts of speech: content words are those outside the {len(stop_list('de'))} stop words for de",
    )


def test_a_language_is_settled_where_none_was_given() -> None:
    assert StopWords().for_language("hi") == StopWords("hi")
    assert StopWords("de").for_language("hi") == StopWords("de")
    assert PARTS_OF_SPEECH.build(parse_spec("stopwords:de")) == StopWords("de")
    assert not StopWords().tells_classes


def test_the_fingerprint_is_of_the_list() -> None:
    assert StopWords("de").fingerprint() == StopWords("german").fingerprint() != StopWords("en").fingerprint()


@given(tokens(), st.sampled_from(["en", "de", "hi", "tr", ""]))
def test_case_does_not_matter(token: str, language: str) -> None:
    source = StopWords(language)
    if token.upper().casefold() == token.casefold() and not set("ıIiİ") & set(token):
        assert source.tag([(token.upper(),)]) == source.tag([(token,)])


@given(st.text("ab.-'@:/&;_", max_size=3000))
def test_no_token_takes_long(token: str) -> None:
    assert len(StopWords("en").tag([(token * 20,)])[0]) == 1


def test_every_list_can_be_used() -> None:
    from stop_words import LANGUAGE_MAPPING

    for language in LANGUAGE_MAPPING:
        words = [word for word in stop_list(language) if " " not in word]
        (tags,) = StopWords(language).tag([tuple(words)])
        assert len(words) > 40
        assert CONTENT not in tags, language
