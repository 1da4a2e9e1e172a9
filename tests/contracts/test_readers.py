"""What every file format does: what is written is read back, or refused before it is written wrong."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from tests.conftest import skip_or_fail
from tests.contracts.cases import CASES, CORPUS, NASTY, cases_of
from tests.strategies import datasets

from nerquake.core.dataset import Dataset
from nerquake.core.errors import InputError, MissingExtra, NerquakeError, OutputError
from nerquake.core.protocols import ReadOptions
from nerquake.core.sentence import Sentence
from nerquake.io.conversion import losses
from nerquake.registry import READERS

each_reader = pytest.mark.parametrize("name", cases_of(READERS))


def build(name: str, folder: Path) -> Any:
    try:
        return READERS.build(CASES[READERS.kind][name](folder))
    except MissingExtra as error:
        return skip_or_fail(str(error))


def written(reader: Any, dataset: Dataset, file: Path) -> Path:
    reader.save(dataset, str(file))
    return file


def content(path: Path) -> dict[str, bytes]:
    """A file's bytes, or those of all files of a folder."""
    files = sorted(path.rglob("*")) if path.is_dir() else [path]
    return {str(file.relative_to(path)): file.read_bytes() for file in files if file.is_file()}


def core(reader: Any, sentence: Sentence) -> tuple[object, ...]:
    own = (sentence.id, sentence.hashed) if reader.keeps_ids else ()
    return *own, sentence.tokens, sentence.spans


@each_reader
@pytest.mark.parametrize("dataset", [CORPUS, NASTY], ids=["corpus", "nasty"])
def test_a_data_set_survives_writing_and_reading(name: str, dataset: Dataset, tmp_path: Path) -> None:
    reader = build(name, tmp_path)
    if name == "conll":  # a table cannot hold a border of documents as a word
        kept = [s for s in dataset.sentences if "-DOCSTART-" not in s.tokens]
        dataset = dataset.with_sentences(kept)
    file = written(reader, dataset, tmp_path / f"data.{reader.extension}")
    found = reader.read(str(file), ReadOptions())
    assert [core(reader, s) for s in found] == [core(reader, s) for s in dataset]


@each_reader
def test_whatever_is_written_is_read_back(name: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp(name)
    reader = build(name, folder)
    survived = 0

    @settings(max_examples=40)
    @given(datasets())
    def body(dataset: Dataset) -> None:
        nonlocal survived
        try:
            file = written(reader, dataset, folder / f"data.{reader.extension}")
        except OutputError as error:
            assert any(s.id in str(error) for s in dataset), "the message names the sentence"
            return
        found = reader.read(str(file), ReadOptions())
        assert [core(reader, s) for s in found] == [core(reader, s) for s in dataset]
        survived += 1

    body()
    assert survived > 20, "a format that refuses nearly everything is none"


@each_reader
def test_reading_and_writing_in_the_same_format_is_byte_for_byte(name: str, tmp_path: Path) -> None:
    reader = build(name, tmp_path)
    first = written(reader, CORPUS, tmp_path / f"first.{reader.extension}")
    again = written(reader, reader.read(str(first), ReadOptions()), tmp_path / f"again.{reader.extension}")
    assert content(again) == content(first)


FULL = CORPUS.with_sentences(
    [
        Sentence(
            s.id,
            s.tokens,
            s.spans,
            spaces=(True,) * (len(s) - 1) + (False,),
            doc_id="d1",
            columns=tuple((f"P{i}", "x") for i in range(len(s))),
            meta=(("domain", "news"),),
        )
        for s in CORPUS
    ]
)
FEATURES = {"spaces": "spaces", "documents": "doc_id", "columns": "columns", "meta": "meta"}


@each_reader
@pytest.mark.parametrize("feature", FEATURES)
def test_a_format_holds_what_it_says_that_it_holds(name: str, feature: str, tmp_path: Path) -> None:
    reader = build(name, tmp_path)
    if feature not in reader.holds:
        assert any(f"{name} has no place for" in line for line in losses(FULL, str(reader.spec)))
        return
    found = reader.read(str(written(reader, FULL, tmp_path / f"data.{reader.extension}")), ReadOptions())
    assert [getattr(s, FEATURES[feature]) for s in found] == [getattr(s, FEATURES[feature]) for s in FULL]


@each_reader
def test_other_columns_survive(name: str, tmp_path: Path) -> None:
    reader = build(name, tmp_path)
    if "columns" not in reader.holds:
        pytest.skip("it has no place for them, and `convert` says so")
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
