"""What every file format does: what is written is read back, or refused before it is written wrong."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from tests.contracts.cases import CASES, CORPUS, NASTY, cases_of
from tests.strategies import datasets

from nerquake.core.dataset import Dataset
from nerquake.core.errors import InputError, NerquakeError, OutputError
from nerquake.core.protocols import ReadOptions
from nerquake.core.sentence import Sentence
from nerquake.registry import READERS

each_reader = pytest.mark.parametrize("name", cases_of(READERS))


def build(name: str, folder: Path) -> Any:
    return READERS.build(CASES[READERS.kind][name](folder))


def written(reader: Any, dataset: Dataset, file: Path) -> Path:
    text = "".join(reader.lines(dataset))
    file.write_bytes(text.encode("utf-8"))
    return file


def core(sentence: Sentence) -> tuple[object, ...]:
    return sentence.id, sentence.tokens, sentence.spans, sentence.hashed


@each_reader
@pytest.mark.parametrize("dataset", [CORPUS, NASTY], ids=["corpus", "nasty"])
def test_a_data_set_survives_writing_and_reading(name: str, dataset: Dataset, tmp_path: Path) -> None:
    reader = build(name, tmp_path)
    if name == "conll":  # a table cannot hold a border of documents as a word
        kept = [s for s in dataset.sentences if "-DOCSTART-" not in s.tokens]
        dataset = dataset.with_sentences(kept)
    file = written(reader, dataset, tmp_path / f"data.{reader.extension}")
    found = reader.read(str(file), ReadOptions())
    assert [core(s) for s in found] == [core(s) for s in dataset]


@each_reader
def test_whatever_is_written_is_read_back(name: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp(name)
    reader = build(name, folder)
    survived = 0

    @settings(max_examples=60)
    @given(datasets())
    def body(dataset: Dataset) -> None:
        nonlocal survived
        try:
            file = written(reader, dataset, folder / f"data.{reader.extension}")
        except OutputError as error:
            assert any(s.id in str(error) for s in dataset), "the message names the sentence"
            return
        found = reader.read(str(file), ReadOptions())
        assert [core(s) for s in found] == [core(s) for s in dataset]
        survived += 1

    body()
    assert survived > 20, "a format that refuses nearly everything is none"


@each_reader
def test_reading_and_writing_in_the_same_format_is_byte_for_byte(name: str, tmp_path: Path) -> None:
    reader = build(name, tmp_path)
    first = written(reader, CORPUS, tmp_path / f"first.{reader.extension}")
    again = written(reader, reader.read(str(first), ReadOptions()), tmp_path / f"again.{reader.extension}")
    assert again.read_bytes() == first.read_bytes()


@each_reader
def test_other_columns_survive(name: str, tmp_path: Path) -> None:
    reader = build(name, tmp_path)
    told = CORPUS.with_sentences(
        [Sentence(s.id, s.tokens, s.spans, columns=tuple((f"P{i}", "x") for i in range(len(s)))) for s in CORPUS]
    )
    file = written(reader, told, tmp_path / f"data.{reader.extension}")
    assert [s.columns for s in reader.read(str(file), ReadOptions())] == [s.columns for s in told]


@each_reader
@pytest.mark.parametrize("content", [b"", b"\n\n", b"\x00\x01\x02", b"\xff\xfe", b"{", b"just some words\nand more"])
def test_a_file_of_another_kind_is_one_message(name: str, content: bytes, tmp_path: Path) -> None:
    reader = build(name, tmp_path)
    file = tmp_path / f"bad.{reader.extension}"
    file.write_bytes(content)
    with pytest.raises(InputError) as caught:
        reader.read(str(file), ReadOptions())
    assert "bad." in str(caught.value)


@each_reader
def test_no_file_and_a_folder_are_one_message(name: str, tmp_path: Path) -> None:
    reader = build(name, tmp_path)
    for path in (tmp_path / "nowhere", tmp_path):
        with pytest.raises(NerquakeError) as caught:
            reader.read(str(path), ReadOptions())
        assert str(path) in str(caught.value)
