"""Offsets in code points, UTF-16 units and UTF-8 bytes, both ways."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.strategies import sentences

from nerquake.core.offsets import OffsetError, Offsets, Unit, token_offsets
from nerquake.core.sentence import Sentence

UNITS: tuple[Unit, ...] = ("codepoint", "utf16", "byte")
TEXTS = st.text(st.one_of(st.characters(exclude_categories=("Cs",)), st.sampled_from("🙂é\r\nß")), max_size=12)


def width(text: str, unit: Unit) -> int:
    return {"codepoint": len(text), "utf16": len(text.encode("utf-16-le")) // 2, "byte": len(text.encode())}[unit]


@given(TEXTS, st.sampled_from(UNITS))
def test_every_code_point_has_the_offset_that_the_encoding_gives_it(text: str, unit: Unit) -> None:
    offsets = Offsets(text, unit)
    assert offsets.size == width(text, unit)
    valid = [width(text[:index], unit) for index in range(len(text) + 1)]
    assert [offsets.from_codepoint(index) for index in range(len(text) + 1)] == valid
    assert [offsets.to_codepoint(offset) for offset in valid] == list(range(len(text) + 1))
    for offset in set(range(offsets.size)) - set(valid):
        with pytest.raises(OffsetError, match="inside the character") as caught:
            offsets.to_codepoint(offset)
        assert not caught.value.outside


@given(TEXTS, st.sampled_from(UNITS))
def test_every_unit_lies_on_the_character_that_it_is_part_of(text: str, unit: Unit) -> None:
    offsets = Offsets(text, unit)
    expected = [index for index, character in enumerate(text) for _ in range(width(character, unit))]
    assert [offsets.character_at(offset) for offset in range(offsets.size)] == expected


@pytest.mark.parametrize(("unit", "inside"), [("utf16", 1), ("byte", 1), ("byte", 3)])
def test_an_offset_inside_a_character_names_it(unit: Unit, inside: int) -> None:
    with pytest.raises(OffsetError, match=f"offset {inside} lies inside the character '🙂'"):
        Offsets("🙂x", unit).to_codepoint(inside)


@pytest.mark.parametrize("unit", UNITS)
def test_offsets_outside_say_how_long_the_text_is(unit: Unit) -> None:
    offsets = Offsets("🙂x", unit)
    for call in (offsets.to_codepoint, offsets.from_codepoint):
        for offset in (-1, 99):
            with pytest.raises(OffsetError) as caught:
                call(offset)
            assert caught.value.outside
    with pytest.raises(OffsetError, match="outside the text, which has"):
        offsets.character_at(offsets.size)


@pytest.mark.parametrize(("unit", "size"), [("codepoint", 5), ("utf16", 5), ("byte", 6)])
def test_a_line_end_of_two_characters_may_count_as_one(unit: Unit, size: int) -> None:
    text = "é\r\nab\r"
    assert Offsets(text, unit, crlf_as_one=True).size == size
    assert Offsets(text, unit).size == size + 1
    assert Offsets("a\r\nb", unit, crlf_as_one=True).to_codepoint(2) == 3


@given(sentences())
def test_token_offsets_are_where_the_tokens_stand_in_the_text(sentence: Sentence) -> None:
    found = token_offsets(sentence)
    assert [sentence.text[start:end] for start, end in found] == list(sentence.tokens)
    assert all(one[1] <= two[0] for one, two in pairwise(found))
