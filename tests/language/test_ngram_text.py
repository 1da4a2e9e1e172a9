"""Files that `ngram:corpus=FILE` reads."""

from __future__ import annotations

from pathlib import Path

import pytest

from nerquake.core.errors import InputError
from nerquake.language.ngram_text import read_corpus


def read(tmp_path: Path, content: str | bytes) -> tuple[list[tuple[str, ...]], bool]:
    file = tmp_path / "corpus.txt"
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    return read_corpus(str(file))


TWO = [("Anna", "lacht", "."), ("Die", "Größe", "zählt")]


@pytest.mark.parametrize(
    "content",
    [
        "Anna lacht .\nDie Größe zählt\n",
        "\ufeffAnna lacht .\r\n\r\n  Die\tGröße  zählt",
    ],
)
def test_a_sentence_a_line(tmp_path: Path, content: str) -> None:
    assert read(tmp_path, content) == (TWO, False)


@pytest.mark.parametrize(
    "content",
    [
        "Anna B-PER\nlacht O\n. O\n\nDie O\nGröße O\nzählt O\n",
        "-DOCSTART- X O\n\nAnna\tN\tI-PER\r\nlacht\tV\tO\r\n.\t.\tO\r\n\t\r\nDie\tD\tO\r\nGröße\tN\tO\r\nzählt\tV\tO",
        "# id a\nAnna _ _ B-PER\nlacht _ _ O\n. _ _ O\n\n\n# id b\tdomain=x\nDie _ _ O\nGröße _ _ O\nzählt _ _ O\n",
        "#\tsource\n1\tAnna\tB-PER\tO\n2\tlacht\tO\tO\n3\t.\tO\tO\n\n1\tDie\tO\tO\n2\tGröße\tO\tO\n3\tzählt\tO\tO\n",
    ],
    ids=["two columns", "DOCSTART and Windows", "MultiCoNER", "GermEval"],
)
def test_token_and_tag_columns(tmp_path: Path, content: str) -> None:
    assert read(tmp_path, content) == (TWO, True)


def test_tags_behind_some_lines_are_words(tmp_path: Path) -> None:
    assert read(tmp_path, "blood group O\nblood group A\n") == (
        [("blood", "group", "O"), ("blood", "group", "A")],
        False,
    )


def test_numbers_in_front_of_tags_are_tokens_where_there_is_nothing_else(tmp_path: Path) -> None:
    assert read(tmp_path, "1984 O\n2001 O\n") == ([("1984", "2001")], True)


def test_hash_marks_that_are_tokens_stay(tmp_path: Path) -> None:
    assert read(tmp_path, "#ner B-X\nis O\n") == ([("#ner", "is")], True)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "the file is empty; expected one sentence a line"),
        (" \n\n", "the file is empty"),
        ('{"tokens": ["a"]}\n', "this looks like JSON; .*nerquake convert"),
        ('[\n{"tokens": ["a"]}\n]\n', "this looks like JSON"),
        (b"PK\0\0", "this is a binary file"),
        ("gut\nGröße".encode("latin-1"), "line 2: byte 0xf6 is not UTF-8"),
    ],
)
def test_other_files_are_refused(tmp_path: Path, content: str | bytes, message: str) -> None:
    with pytest.raises(InputError, match=rf"corpus\.txt: {message}"):
        read(tmp_path, content)


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="ngram's corpus= names a text file"):
        read_corpus(str(tmp_path))
