"""CoNLL-2003 as it was handed out: IOB1 tags, and German in ISO-8859-1 with its five columns."""

from __future__ import annotations

from pathlib import Path

import pytest

from nerquake.core.errors import FormatError
from nerquake.core.protocols import ReadOptions
from nerquake.core.span import Span
from nerquake.io.conll import Conll
from nerquake.io.load import load, save

GERMAN = """-DOCSTART- -X- -X- -X- O

Jürgen Jürgen NE I-NC I-PER
Groß groß NE I-NC I-PER
fährt fahren VVFIN I-VC O
nach nach APPR I-PC O
Köln Köln NE I-NC I-LOC
Bonn Bonn NE I-NC B-LOC
. . $. O O

-DOCSTART- -X- -X- -X- O

Die d ART B-NC O
EU EU NE I-NC I-ORG
Jürgen Jürgen NE I-NC I-PER
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "deu.train"
    path.write_bytes(GERMAN.encode("latin-1"))
    return path


def test_iob1_in_latin_1_is_read_and_said(file: Path) -> None:
    data = load(str(file), "conll:encoding=latin-1")
    first, second = data.sentences
    assert first.tokens[:2] == ("Jürgen", "Groß")
    assert first.spans == (Span(0, 2, "PER"), Span(4, 5, "LOC"), Span(5, 6, "LOC")), "touching mentions of one label"
    assert second.spans == (Span(1, 2, "ORG"), Span(2, 3, "PER"))
    assert first.columns[4] == ("Köln", "NE", "I-NC")
    assert data.scheme is not None
    assert data.scheme.name == "iob1"
    assert "read as latin-1; what is written is UTF-8" in data.notes
    assert "documents: 2" in data.notes


def test_it_is_written_in_utf_8_and_otherwise_unchanged(file: Path, tmp_path: Path) -> None:
    data = load(str(file), "conll:encoding=latin-1")
    save(data, tmp_path / "out.conll", "conll")
    assert (tmp_path / "out.conll").read_text("utf-8") == GERMAN
    again = load(str(tmp_path / "out.conll"))
    assert [(s.tokens, s.spans, s.columns) for s in again] == [(s.tokens, s.spans, s.columns) for s in data]


def test_without_the_encoding_every_line_is_named_and_the_option_too(file: Path) -> None:
    with pytest.raises(FormatError) as caught:
        load(str(file))
    unread = [problem for problem in caught.value.problems if problem.code == "not-decodable"]
    assert [problem.line for problem in unread] == [3, 4, 5, 7, 15]
    assert all("encoding=latin-1" in problem.hint for problem in unread)


def test_declared_as_iob2_each_mention_is_ill_formed(file: Path) -> None:
    found = Conll(encoding="latin-1").examine(str(file), file.read_bytes(), ReadOptions(scheme="iob2"))
    assert [(p.code, p.line) for p in found.problems] == [
        ("ill-formed-sequence", line) for line in (3, 7, 14, 15)
    ]  # fmt: skip


@pytest.mark.parametrize("encoding", ["iso-8859-1", "latin1", "cp1252"])
def test_other_names_of_the_encoding(file: Path, encoding: str) -> None:
    assert load(str(file), f"conll:encoding={encoding}").sentences[0].tokens[4] == "Köln"
