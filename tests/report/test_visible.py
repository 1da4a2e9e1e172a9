import pytest
from hypothesis import given
from hypothesis import strategies as st

from nerquake.report.visible import is_hidden, pieces, visible


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("x\u202ey", "x‹U+202E›y"),
        ("a\u200bb", "a‹U+200B›b"),
        ("a\u00a0b", "a‹U+00A0›b"),
        ("a\u00adb", "a‹U+00AD›b"),
        ("a\nb\tc", "a‹U+000A›b‹U+0009›c"),
        ("\ud800", "‹U+D800›"),
        ("\u200d", "‹U+200D›"),
        ("plain | ` <b>", "plain | ` <b>"),
        ("दिल्ली", "दिल्ली"),
        ("क्\u200dष", "क्\u200dष"),
        ("👩\u200d🚀", "👩\u200d🚀"),
    ],
)
def test_what_cannot_be_seen_is_written_as_its_number(text: str, shown: str) -> None:
    assert visible(text) == shown


@given(st.text(st.characters()))
def test_what_is_shown_can_be_stored_and_holds_nothing_hidden_but_joiners(text: str) -> None:
    shown = visible(text)
    shown.encode("utf-8")
    assert not any(is_hidden(character) for character in shown if character not in "\u200c\u200d")


@given(st.text(st.characters()))
def test_pieces_lose_nothing(text: str) -> None:
    back = "".join(chr(int(piece.text[2:], 16)) if piece.hidden else piece.text for piece in pieces(text))
    assert back == text
