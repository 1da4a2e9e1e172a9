"""Hugging Face data sets: folders, Parquet, Arrow and JSON; class labels by name; by name only from local folders."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from tests.cli.runner import nerquake

from nerquake.core.dataset import Dataset
from nerquake.core.edits import Edit, apply_edits
from nerquake.core.errors import FormatError, InputError, OutputError
from nerquake.core.protocols import ReadOptions
from nerquake.core.sentence import Sentence
from nerquake.core.span import Span
from nerquake.io.hf_dataset import HfDataset
from nerquake.io.load import inspect, load, save

if not os.environ.get("NERQUAKE_TEST_ALL"):  # where every extra was promised, a missing one is a failure
    pytest.importorskip("datasets", reason='pip install "nerquake[datasets]"')
import datasets

NAMES = ["I-LOC", "O", "B-PER", "B-LOC"]
"""Out of the usual order, so that a number taken for something else shows."""
ROWS: dict[str, list[Any]] = {
    "id": ["0", "1"],
    "tokens": [["Anna", "mag", "New", "York"], ["NA", "null"]],
    "ner_tags": [[2, 1, 3, 0], [1, 1]],
    "pos_tags": [[1, 0, 1, 1], [0, 0]],
    "domain": ["news", "web"],
    "extra": [{"a": [1]}, {"a": []}],
}
FEATURES = {
    "id": datasets.Value("string"),
    "tokens": datasets.Sequence(datasets.Value("string")),
    "ner_tags": datasets.Sequence(datasets.ClassLabel(names=NAMES)),
    "pos_tags": datasets.Sequence(datasets.ClassLabel(names=["V", "NE"])),
    "domain": datasets.Value("string"),
    "extra": {"a": datasets.Sequence(datasets.Value("int64"))},
}


@pytest.fixture
def made() -> Any:
    return datasets.Dataset.from_dict(ROWS, features=datasets.Features(FEATURES))


def check(data: Dataset) -> None:
    first, second = data.sentences
    assert (first.id, first.tokens) == ("0", ("Anna", "mag", "New", "York"))
    assert first.spans == (Span(0, 1, "PER"), Span(2, 4, "LOC"))
    assert second.tokens == ("NA", "null")
    assert first.columns == (("NE",), ("V",), ("NE",), ("NE",))
    assert first.meta == (("domain", "news"),)
    assert any("not read: extra" in note for note in data.notes)


def read(text: str, reader: HfDataset = HfDataset(), options: ReadOptions = ReadOptions()) -> Dataset:  # noqa: B008
    return reader.read_bytes("x.jsonl", text.encode(), options)


def written(dataset: Dataset, reader: HfDataset = HfDataset()) -> str:  # noqa: B008
    return "".join(reader.lines(dataset))


def lines(*rows: Any) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


def test_a_folder_of_save_to_disk(made: Any, tmp_path: Path) -> None:
    made.save_to_disk(tmp_path / "one")
    check(load(str(tmp_path / "one"), "hf"))
    check(load(f"hf:{tmp_path / 'one'}"))
    made.select([1, 0]).save_to_disk(tmp_path / "turned")
    assert [s.id for s in load(str(tmp_path / "turned"), "huggingface")] == ["1", "0"]


def test_several_splits(made: Any, tmp_path: Path) -> None:
    datasets.DatasetDict(train=made, test=made.select([0])).save_to_disk(tmp_path / "all")
    check(load(str(tmp_path / "all"), "hf:split=train"))
    assert len(load(f"hf:{tmp_path / 'all'},split=test")) == 1
    with pytest.raises(InputError, match=r"split=test\|train"):
        load(str(tmp_path / "all"), "hf")
    with pytest.raises(InputError, match="no split 'dev'"):
        load(str(tmp_path / "all"), "hf:split=dev")


def test_parquet_and_arrow_files(made: Any, tmp_path: Path) -> None:
    made.to_parquet(tmp_path / "x.parquet")
    check(load(str(tmp_path / "x.parquet")))
    made.save_to_disk(tmp_path / "one")
    (arrow,) = (tmp_path / "one").glob("*.arrow")
    check(HfDataset().read(str(arrow), ReadOptions()))
    folder = tmp_path / "hub" / "data"
    folder.mkdir(parents=True)
    made.select([0]).to_parquet(folder / "train-00000-of-00002.parquet")
    made.select([1]).to_parquet(folder / "train-00001-of-00002.parquet")
    made.to_parquet(folder / "test-00000-of-00001.parquet")
    data = load(str(tmp_path / "hub"), "hf:split=train")
    check(data)
    assert "2 files read as one" in data.notes


def test_by_name_from_a_local_folder_and_offline(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file or folder, and as a data set by name"):
        load("hf:nobody-of-this-name/has-this-set,split=test")
    with pytest.raises(InputError, match="by name"):
        load(str(tmp_path / "nothing"), "hf:split=test")


def test_json_lines_with_texts_and_with_numbers() -> None:
    text = lines({"id": 7, "tokens": ["Bonn"], "ner_tags": ["B-LOC"]}, {"tokens": ["x"], "ner_tags": ["O"]})
    data = read(text)
    assert [(s.id, s.hashed) for s in data] == [("7", False), (data.sentences[1].id, True)]
    numbers = lines({"tokens": ["New", "York"], "ner_tags": [3, 0]})
    with pytest.raises(FormatError, match=r"hf:labels=O\|B-PER"):
        read(numbers)
    reader = HfDataset(labels=tuple(NAMES))
    data = read(numbers, reader)
    assert data.sentences[0].spans == (Span(0, 2, "LOC"),)
    assert written(data, reader) == numbers, "numbers that still say the same stay"
    assert data.reader == "hf:labels=I-LOC|O|B-PER|B-LOC"
    array = json.dumps(
        [{"tokens": ["Bonn"], "tags": ["B-LOC"], "n": [1]}, {"tokens": ["Ulm"], "tags": ["B-LOC"], "n": [2]}]
    )
    assert read(array).sentences[1].columns == (("2",),)


@pytest.mark.parametrize(
    "text",
    [
        lines({"id": "a", "tokens": ["Bonn"], "ner_tags": ["B-LOC"], "domain": "x"}),
        '{"ner_tags":["O"],"tokens":["B\\u00e4r"]}\n\n{"tokens": ["y"],  "ner_tags": ["O"]}',
        lines({"words": ["Bonn"], "labels": ["B-LOC"], "pos": ["NE"]}) + "\n\n",
    ],
)
def test_what_is_read_is_written_byte_for_byte(text: str) -> None:
    assert written(read(text)) == text


def test_what_an_attack_puts_in() -> None:
    data = read(lines({"id": "a", "words": ["in", "Bonn"], "ner": ["O", "B-LOC"], "pos": ["P", "NE"]}))
    made = apply_edits(data.sentences[0], [Edit(1, 2, ("Bad", "Ems"), "mention")], "a~swap").sentence
    assert json.loads(written(data.with_sentences([made]))) == {
        "id": "a~swap", "words": ["in", "Bad", "Ems"], "ner": ["O", "B-LOC", "I-LOC"], "pos": ["P", "_", "_"],
    }  # fmt: skip


def test_parquet_has_class_labels_that_the_library_reads(made: Any, tmp_path: Path) -> None:
    made.to_parquet(tmp_path / "x.parquet")
    save(load(str(tmp_path / "x.parquet")), tmp_path / "y.parquet", "hf")
    check_ids = load(str(tmp_path / "y.parquet"))
    assert [(s.id, s.tokens, s.spans, s.columns, s.meta) for s in check_ids] == [
        (s.id, s.tokens, s.spans, s.columns, s.meta) for s in load(str(tmp_path / "x.parquet"))
    ]
    back = datasets.Dataset.from_parquet(str(tmp_path / "y.parquet"), cache_dir=str(tmp_path / "cache"))
    inner = getattr(back.features["ner_tags"], "feature", back.features["ner_tags"])
    assert inner.names == ["O", "B-LOC", "I-LOC", "B-PER"]
    save(Dataset("x", (Sentence("s", ("a",), (Span(0, 1, "X"),)),)), tmp_path / "z.parquet")
    assert load(str(tmp_path / "z.parquet")).mentions == {"X": 1}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{", [("bad-json", 1)]),
        (lines({"tokens": ["a"], "ner_tags": ["O"]}) + "[1]\n", [("bad-json", 2)]),
        (lines({"text": "a", "entities": []}), [("missing-column", 0), ("missing-column", 0)]),
        (lines({"tokens": "a b", "ner_tags": ["O"]}), [("wrong-type", 1)]),
        (lines({"tokens": ["a", None], "ner_tags": ["O", "O"]}), [("wrong-type", 1)]),
        (lines({"tokens": ["a"], "ner_tags": "O"}), [("wrong-type", 1)]),
        (lines({"tokens": ["a"], "ner_tags": ["O", "O"]}), [("wrong-length", 1)]),
        (lines({"tokens": ["a"], "ner_tags": ["LOC"]}), [("bad-tag", 1)]),
        (lines({"tokens": ["a", "b"], "ner_tags": [-100, 9]}), [("bad-tag", 1), ("bad-tag", 1)]),
        (lines({"tokens": ["a"], "ner_tags": [1.5]}), [("bad-tag", 1)]),
        (lines({"tokens": ["a", ""], "ner_tags": ["O", "O"]}), [("empty-token", 1)]),
        (lines({"tokens": [], "ner_tags": []}), [("no-tokens", 1)]),
        (lines(*[{"id": 1, "tokens": ["a"], "ner_tags": ["O"]}] * 2), [("duplicate-id", 2)]),
        (lines({"tokens": ["a", "b"], "ner_tags": ["I-X", "B-X"]}), [("ill-formed-sequence", 1)]),
        ("[1, 2]", [("bad-json", 1), ("bad-json", 2)]),
    ],
)
def test_every_fault_is_named_by_its_line(text: str, expected: list[tuple[str, int]]) -> None:
    reader = HfDataset(labels=("O", "B-X"))
    found = reader.examine("x.jsonl", text.encode(), ReadOptions(scheme="iob2")).problems
    assert [(problem.code, problem.line) for problem in found] == expected


@pytest.mark.parametrize(
    "data", [b"", b"PAR1 and nothing", b"ARROW1xx", b"\xff\xff\xff\xff1", b"\x00", b"\xff\xfe", b"[1,"]
)
def test_broken_files_are_one_message(data: bytes) -> None:
    with pytest.raises(FormatError, match=r"x\.bin"):
        HfDataset().read_bytes("x.bin", data, ReadOptions())


def test_broken_folders_are_one_message(made: Any, tmp_path: Path) -> None:
    made.save_to_disk(tmp_path / "one")
    (arrow,) = (tmp_path / "one").glob("*.arrow")
    arrow.write_bytes(b"no arrow")
    assert [p.code for p in inspect(str(tmp_path / "one"), "hf").problems] == ["binary-file"]
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match="holds no data set"):
        load(str(tmp_path / "empty"), "hf")


def test_lenient_leaves_out_broken_rows_and_counts_them() -> None:
    text = lines({"tokens": ["a"], "ner_tags": ["LOC"]}, {"tokens": ["b"], "ner_tags": ["O"]})
    found = read(text, options=ReadOptions(lenient=True))
    assert [s.tokens for s in found] == [("b",)]
    assert any("bad-tag 1" in note for note in found.notes)


def test_what_cannot_be_held_is_refused() -> None:
    with pytest.raises(OutputError, match="sentence 's'"):
        written(Dataset("x", (Sentence("s", ("a",), meta=(("tokens", "x"),)),)))
    with pytest.raises(OutputError, match="sentence 's'"):
        written(Dataset("x", (Sentence("s", ("a", " ")),)))


def test_the_command_line_takes_a_folder_by_name(made: Any, tmp_path: Path) -> None:
    made.save_to_disk(tmp_path / "one")
    ran = nerquake("validate", f"hf:{tmp_path / 'one'}", "--format", "json")
    assert ran.code == 0, ran.err
    assert ran.json["mentions"] == {"LOC": 1, "PER": 1}
