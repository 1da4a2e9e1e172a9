"""Files of pretrained word vectors."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from nerquake.core.errors import InputError
from nerquake.nn.vectors import place_of, read_vectors

GLOVE = "the 0.5 -1 2e-1\nberlin 1 2 3\n. . 4 5 6\n"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "vectors.txt"


def written(file: Path, text: str) -> str:
    file.write_text(text, "utf-8")
    return str(file)


def test_glove(file: Path) -> None:
    found = read_vectors(written(file, GLOVE))
    assert found.words == ("the", "berlin", ". .")
    assert found.table.tolist() == [[0.5, -1, pytest.approx(0.2)], [1, 2, 3], [4, 5, 6]]
    assert found.width == 3


def test_word2vec_has_a_header(file: Path) -> None:
    found = read_vectors(written(file, f"3 3\n{GLOVE}"))
    assert found.words == ("the", "berlin", ". .")


def test_gzip_windows_line_ends_tabs_and_blanks_at_the_end(tmp_path: Path) -> None:
    path = tmp_path / "vectors.txt.gz"
    path.write_bytes(gzip.compress(b"the\t0.5 1 \r\nBerlin 2 3 \r\n"))
    found = read_vectors(str(path))
    assert found.words == ("the", "Berlin")
    assert found.table.tolist() == [[0.5, 1], [2, 3]]


def test_only_words_of_interest_in_all_their_forms(file: Path) -> None:
    text = "the 1 1\nberlin 2 2\nBonn 3 3\n#### 4 4\n0000 5 5\nrome 6 6\n"
    found = read_vectors(written(file, text), {"Berlin", "Bonn", "1984"})
    assert found.words == ("berlin", "Bonn", "####", "0000")


def test_nothing_of_interest(file: Path) -> None:
    found = read_vectors(written(file, GLOVE), {"Oslo"})
    assert (found.words, found.table.shape) == ((), (0, 3))


def test_a_word_is_looked_up_as_it_stands_first(file: Path) -> None:
    found = read_vectors(written(file, "berlin 1\nBerlin 2\n#### 3\n0000 4\n"))
    rows = [place_of(found.places, word) for word in ("Berlin", "BERLIN", "1984", "Oslo")]
    assert rows == [1, 0, 3, -1]


def test_the_first_line_of_a_word_counts(file: Path) -> None:
    assert read_vectors(written(file, "a 1 2\na 3 4\n")).table.tolist() == [[1, 2]]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("the 1 2 3\nberlin 1 2\n", r"line 2: 'berlin 1 2' has 2 numbers behind its word, where others have 3"),
        ("the 1 2\nberlin 1 2 3\n", r"line 2: 'berlin 1 2 3' has 3 numbers behind its word, where others have 2"),
        ("the 1 2\nberlin 1 x2\n", r"line 2: 'x2' is no number; expected a word and its numbers"),
        ("the 1 2\nberlin 1 nan\n", r"line 2: a number is infinite or undefined"),
        ("the 1 2\n\nberlin 1 2\n", r"line 2: '' has 0 numbers"),
        ("2 2\nthe 1 2\nberlin 1\n", r"line 3: 'berlin 1' has 1 numbers behind its word, where others have 2"),
        ("3 2\nthe 1 2\n", r"is cut short: its first line tells of 3 words, there are 1"),
        ("just words\n", r"line 1: 'just words' has 0 numbers behind its word, expected a word and its numbers"),
        (f"a 1\n{'b' * 50} c\n", r"line 2: 'c' is no number"),
        (f"a 1 2\n{'b' * 50}\n", r"line 2: 'b{40} …' has 0 numbers"),
        ("", r"has no word vectors"),
    ],
)
def test_a_bad_line(file: Path, text: str, message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        read_vectors(written(file, text))
    assert str(file) in str(caught.value)


def test_no_such_file(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no such file of word vectors"):
        read_vectors(str(tmp_path / "absent.txt"))


def test_a_folder(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"cannot be read: Is a directory"):
        read_vectors(str(tmp_path))


def test_a_gzip_file_that_lost_its_end(tmp_path: Path) -> None:
    path = tmp_path / "vectors.gz"
    path.write_bytes(gzip.compress(GLOVE.encode() * 100)[:-20])
    with pytest.raises(InputError, match="damaged gzip file"):
        read_vectors(str(path))


def test_characters_that_are_no_utf_8_do_not_stop_it(file: Path) -> None:
    file.write_bytes(b"caf\xe9 1 2\nthe 3 4\n")
    assert read_vectors(str(file)).words == ("caf�", "the")
