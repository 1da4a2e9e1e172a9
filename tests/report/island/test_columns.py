import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nerquake.report.island.columns import Columns, Texts, json_bytes, pack, unpack, width_of


def numbers(*values: int) -> np.ndarray:
    return np.array(values, np.int64)


def test_two_bytes_lie_in_planes_low_bytes_first() -> None:
    assert pack(numbers(1, 256, 513)) == bytes([1, 0, 1, 0, 1, 2])


def test_four_bytes_lie_in_planes() -> None:
    assert pack(numbers(1, 0x01020304)) == bytes([1, 4, 0, 3, 0, 2, 0, 1])


@pytest.mark.parametrize(("most", "width"), [(0, 1), (255, 1), (256, 2), (65_535, 2), (65_536, 4), (2**32 - 1, 4)])
def test_a_column_is_as_wide_as_its_largest_number(most: int, width: int) -> None:
    assert width_of(numbers(0, most)) == width
    assert len(pack(numbers(0, most))) == 2 * width


def test_an_empty_column_has_no_bytes() -> None:
    assert (width_of(numbers()), pack(numbers())) == (1, b"")


@given(st.lists(st.lists(st.integers(0, 2**32 - 1)), max_size=5))
def test_columns_read_back(columns: list[list[int]]) -> None:
    made = Columns()
    for place, values in enumerate(columns):
        made.add(f"c{place}", values)
    found = unpack(made.packed(), json.loads(json.dumps(made.table())))
    assert [values.tolist() for values in found.values()] == columns


@pytest.mark.parametrize("values", [[-1], [2**32], [0, 5, -3]])
def test_numbers_that_do_not_fit_are_refused(values: list[int]) -> None:
    with pytest.raises(ValueError, match="the column x holds"):
        Columns().add("x", values)


def test_a_name_stands_once() -> None:
    made = Columns()
    made.add("x", bytearray(b"\x01"))
    with pytest.raises(ValueError, match="two columns x"):
        made.add("x", [1])


def test_bytes_too_few_or_too_many_are_refused() -> None:
    with pytest.raises(ValueError, match="2 bytes, expected 3"):
        unpack(b"ab", [{"name": "x", "width": 1, "length": 3}])


def test_texts_stand_by_frequency_then_by_their_characters() -> None:
    texts = Texts()
    assert [texts.of(word) for word in ("b", "a", "c", "b")] == [0, 1, 2, 0]
    ordered, ranks = texts.ranks(numbers(2, 2, 5))
    assert (ordered, ranks.tolist()) == (["c", "a", "b"], [2, 1, 0])


def test_half_a_surrogate_pair_is_escaped_and_everything_else_is_readable() -> None:
    assert json_bytes(["\ud800", "दिल्ली", "</script>"]) == '["\\ud800","दिल्ली","</script>"]'.encode()
    assert json.loads(json_bytes(["\ud800"])) == ["\ud800"]
