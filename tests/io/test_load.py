"""Files are opened by specification, ending or content, inspected and saved."""

from __future__ import annotations

import hashlib
import io
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from nerquake.core.dataset import Dataset
from nerquake.core.errors import InputError, SpecError, UnknownName, UsageError
from nerquake.core.protocols import ReadOptions
from nerquake.core.sentence import Sentence
from nerquake.io.load import inspect, load, load_tags, save, writer_for

DATA = Path(__file__).parent.parent / "data"
CONLL = b"# id s1\nBonn\tB-LOC\nis\tO\n"
JSONL = b'{"id": "s1", "tokens": ["Bonn", "is"], "spans": [[0, 1, "LOC"]]}\n'


@dataclass(frozen=True)
class Words:
    """A reader of somebody else's."""

    label: str = "X"

    def read(self, path: str, options: ReadOptions) -> Dataset:
        words = Path(path).read_text("utf-8").split()
        return Dataset("?", (Sentence("all", tuple(words)),))


def put(folder: Path, name: str, data: bytes) -> str:
    (folder / name).write_bytes(data)
    return str(folder / name)


@pytest.mark.parametrize(
    ("name", "data", "reader"),
    [
        ("a.conll", CONLL, "conll"),
        ("a.bio", CONLL, "conll"),
        ("a.txt", CONLL, "conll"),
        ("a", CONLL, "conll"),
        ("a.jsonl", JSONL, "jsonl"),
        ("a.txt", JSONL, "jsonl"),
        ("a", b"\xef\xbb\xbf\n" + JSONL, "jsonl"),
        ("a.txt", b"{\tO\nBonn\tB-LOC\n", "conll"),
    ],
)
def test_the_format_is_found_by_ending_or_content(tmp_path: Path, name: str, data: bytes, reader: str) -> None:
    found = load(put(tmp_path, name, data))
    assert found.reader == reader
    assert found.name == name
    assert found.fingerprint == hashlib.sha256(data).hexdigest()
    assert found.labels == ("LOC",)


def test_a_specification_wins_and_is_kept(tmp_path: Path) -> None:
    path = put(tmp_path, "a.jsonl", b"B-LOC Bonn\nO is\n")
    found = load(path, "conll:token=1,tag=0")
    assert found.sentences[0].tokens == ("Bonn", "is")
    assert found.reader == "conll:token=1,tag=0"
    save(found, tmp_path / "b.conll")
    assert (tmp_path / "b.conll").read_bytes() == b"B-LOC Bonn\nO is\n"


@pytest.mark.parametrize("spec", ["conl", "conll:tok=1", "conll:token=x", "conll:sep=comma", "jsonl:token=1"])
def test_a_wrong_specification_is_a_usage_error(tmp_path: Path, spec: str) -> None:
    with pytest.raises(UsageError):
        load(put(tmp_path, "a.conll", CONLL), spec)


def test_a_column_option_that_is_no_number_says_what_is_expected(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match="whole number"):
        load(put(tmp_path, "a.conll", CONLL), "conll:token=first")


def test_standard_input_is_read_as_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"K\xc3\xb6ln B-LOC\r\n"), encoding="ascii"))
    found = load("-")
    assert found.name == "stdin"
    assert found.sentences[0].tokens == ("Köln",)


@pytest.mark.parametrize("language", ["en", "de", "hi"])
def test_samples_know_their_language(language: str) -> None:
    found = load(f"sample:{language}")
    assert found.language == language
    assert found.name == f"{language}.conll"
    assert found.mentions


def test_an_unknown_sample_lists_those_there_are() -> None:
    with pytest.raises(UnknownName, match="sample:en"):
        load("sample:eng")


def test_a_reader_of_somebody_elses_gets_name_and_fingerprint(tmp_path: Path) -> None:
    path = put(tmp_path, "a.words", b"Bonn is")
    found = load(path, f"{__name__}:Words" if __name__ in sys.modules else "tests.io.test_load:Words")
    assert (found.name, found.sentences[0].tokens) == ("a.words", ("Bonn", "is"))
    assert found.fingerprint == hashlib.sha256(b"Bonn is").hexdigest()
    with pytest.raises(UsageError, match="cannot write"):
        writer_for(found)
    with pytest.raises(UsageError, match="no tags"):
        load_tags(path, found.reader)


@pytest.mark.parametrize("name", sorted(p.name for p in DATA.iterdir() if p.suffix in (".conll", ".tsv", ".jsonl")))
def test_inspecting_never_fails_for_what_is_wrong_in_a_file(name: str) -> None:
    found = inspect(str(DATA / name))
    fine = name in ("torture.conll", "nulls.tsv")
    assert bool(found.problems) != fine
    assert all(problem.code and problem.message and problem.line >= 0 for problem in found.problems)


def test_inspecting_counts_what_can_be_read() -> None:
    found = inspect(str(DATA / "ill-formed.conll"), options=ReadOptions(scheme="iob2"))
    assert (found.scheme, found.reader) == ("iob2", "conll")
    assert found.dataset is not None
    assert sum(found.dataset.mentions.values()) == 4
    codes = [problem.code for problem in inspect(str(DATA / "comment-as-token.conll")).problems]
    assert codes == ["comment-as-token"]
    assert [p.code for p in inspect(str(DATA / "no-mentions.conll")).problems] == ["no-mentions"]


def test_inspecting_a_missing_file_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError):
        inspect(str(tmp_path / "none"))


def test_saving_converts_by_the_ending_and_keeps_the_own_format_else(tmp_path: Path) -> None:
    found = load(put(tmp_path, "a.conll", CONLL))
    assert save(found, tmp_path / "deep" / "b.jsonl") == ()
    assert load(str(tmp_path / "deep" / "b.jsonl")).sentences == found.sentences
    save(found, str(tmp_path / "c.tsv"))
    assert (tmp_path / "c.tsv").read_bytes() == CONLL
    back = load(str(tmp_path / "deep" / "b.jsonl"))
    save(back, tmp_path / "d.conll")
    assert load(str(tmp_path / "d.conll")).sentences == found.sentences
    save(found, tmp_path / "e.txt", "jsonl")
    assert load(str(tmp_path / "e.txt")).reader == "jsonl"
    assert writer_for("conll:tag=1").extension == "conll"


def test_saving_says_when_the_scheme_cannot_hold_the_mentions(tmp_path: Path) -> None:
    found = load(put(tmp_path, "a.conll", b"a I-X\nb I-X\nc O\n"))
    sentence = found.sentences[0]
    two = [type(sentence.spans[0])(0, 1, "X"), type(sentence.spans[0])(1, 2, "X")]
    notes = save(found.with_sentences([sentence.with_spans(two)]), tmp_path / "b.conll")
    assert "iob1" in notes[0]


def test_messages_name_the_path_as_it_was_given(tmp_path: Path) -> None:
    path = put(tmp_path, "a.conll", b"a O\nb x O\n")
    with pytest.raises(InputError, match=r"a\.conll: 1 problem") as caught:
        load(path)
    assert str(caught.value).startswith(path)
