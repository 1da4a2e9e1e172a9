"""HIPE tables: documents, flags, entity columns; what is read is written byte for byte."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from nerquake.core.dataset import Dataset
from nerquake.core.edits import Edit, apply_edits
from nerquake.core.errors import OutputError, Problem
from nerquake.core.protocols import ReadOptions
from nerquake.core.sentence import Sentence
from nerquake.core.span import Span
from nerquake.io.hipe import Hipe

HEAD = "TOKEN\tNE-COARSE-LIT\tNE-FINE-LIT\tNE-NESTED\tNEL-LIT\tMISC\n"
FILE = (
    HEAD
    + """# hipe2022:language = de
# hipe2022:document_id = d1
# made:title = A, b = c
# segment_iiif_link = x
Bonn\tB-loc\tB-loc.city\tO\tQ586\tNoSpaceAfter
,\tO\tO\tO\t_\t_
# segment_iiif_link = y
Ulm\tB-loc\tB-loc.city\tB-loc\tNIL\tLED0.00|NoSpaceAfter
.\tO\tO\tO\t_\tEndOfSentence
#Ende\tO\tO\tO\t_\t_

# hipe2022:document_id = d2
# hipe2022:language = de
Anna\tB-pers\tB-pers.ind\t_\t_\tEndOfSentence
Lind\tO\tO\t_\t_\tEndOfSentence
"""
)


def read(text: str, column: str = "NE-COARSE-LIT", options: ReadOptions = ReadOptions()) -> Dataset:  # noqa: B008
    return Hipe(column).read_bytes("x.tsv", text.encode(), options)


def examine(text: str, column: str = "NE-COARSE-LIT") -> tuple[Problem, ...]:
    return Hipe(column).examine("x.tsv", text.encode(), ReadOptions()).problems


def written(dataset: Dataset, column: str = "NE-COARSE-LIT") -> str:
    return "".join(Hipe(column).lines(dataset))


def row(token: str = "a", tag: str = "O", misc: str = "_") -> str:
    return f"{token}\t{tag}\tO\tO\t_\t{misc}\n"


def test_documents_sentences_blanks_and_meta() -> None:
    data = read(FILE)
    assert [s.tokens for s in data] == [("Bonn", ",", "Ulm", "."), ("#Ende",), ("Anna",), ("Lind",)]
    assert [s.doc_id for s in data] == ["d1", "d1", "d2", "d2"]
    first = data.sentences[0]
    assert first.text.strip() == "Bonn, Ulm."
    assert dict(first.meta)["made:title"] == "A, b = c"
    assert dict(data.sentences[2].meta) == {"hipe2022:language": "de"}
    assert first.columns[0] == ("B-loc.city", "O", "Q586", "NoSpaceAfter")


@pytest.mark.parametrize(
    ("column", "mentions"),
    [
        ("NE-COARSE-LIT", {"loc": 2, "pers": 1}),
        ("NE-FINE-LIT", {"loc.city": 2, "pers.ind": 1}),
        ("NE-NESTED", {"loc": 1}),
    ],
)
def test_any_entity_column(column: str, mentions: dict[str, int]) -> None:
    data = read(FILE, column)
    assert data.mentions == mentions
    assert written(data, column) == FILE
    assert any("not annotated in NE-NESTED, read as O: 2" in note for note in data.notes) == (column == "NE-NESTED")


@pytest.mark.parametrize(
    "text",
    [
        FILE,
        FILE.rstrip("\n"),
        FILE + "\n\n",
        "\n" + FILE,
        FILE.replace("EndOfSentence", "EndOfLine"),
        FILE.replace("\tEndOfSentence", "\t_"),
        FILE.replace("document_id = d2", "document_id = d1"),
        FILE.replace("# hipe2022:document_id = d2\n", ""),
        FILE.replace("Anna\t", "# sent_id = s7\nAnna\t"),
        HEAD.replace("\tMISC", "") + "Bonn\tB-loc\tO\tO\t_\n\nUlm\tB-loc\tO\tO\t_\n",
    ],
)
def test_what_is_read_is_written_byte_for_byte(text: str) -> None:
    assert written(read(text)) == text


def test_without_the_flag_sentences_end_with_lines_or_documents() -> None:
    data = read(FILE.replace("EndOfSentence", "EndOfLine"))
    assert len(data) == 4
    assert any("sentences end at EndOfLine" in note for note in data.notes)
    data = read(FILE.replace("\tEndOfSentence", "\t_"))
    assert [len(s) for s in data] == [5, 2]
    assert any("with documents" in note for note in data.notes)


def test_what_an_attack_changes_keeps_flags_and_blanks() -> None:
    data = read(FILE)
    first = data.sentences[0]
    edits = [Edit(0, 1, ("Bad", "Ems"), "mention"), Edit(2, 3, ("Köln",), "mention"), Edit(3, 4, ("!",), "context")]
    made = replace(apply_edits(first, edits).sentence, source=first.id)
    text = written(data.with_sentences([made, *data.sentences[1:]]))
    assert "Bad\tB-loc\t_\t_\t_\t_\nEms\tI-loc\t_\t_\t_\tNoSpaceAfter\n,\tO" in text
    assert "Köln\tB-loc\t_\t_\t_\tNoSpaceAfter\n!\tO\t_\t_\t_\tEndOfSentence\n#Ende" in text
    again = read(text)
    assert (again.sentences[0].spans, again.sentences[0].spaces) == (made.spans, made.spaces)
    assert read(text, "NE-FINE-LIT").mentions == {"pers.ind": 1}


def test_a_document_is_opened_though_its_first_sentence_is_left_out() -> None:
    data = read(FILE)
    text = written(data.with_sentences([data.sentences[1], data.sentences[3]]))
    again = read(text)
    assert [(s.tokens, s.doc_id, s.meta) for s in again] == [
        (s.tokens, s.doc_id, s.meta) for s in (data.sentences[1], data.sentences[3])
    ]


def test_a_data_set_from_elsewhere_gets_every_column() -> None:
    one = Sentence("s1", ("Bonn", "."), (Span(0, 1, "LOC"),), spaces=(False, True), doc_id="d")
    text = written(Dataset("x", (one, Sentence("s2", ("#", "x"), (Span(0, 2, "B"),)))))
    assert text.startswith("TOKEN\tNE-COARSE-LIT\tNE-COARSE-METO\t")
    assert "\n# hipe2022:document_id = d\n# sent_id = s1\nBonn\tB-LOC\t_\t_\t_\t_\t_\t_\t_\tNoSpaceAfter\n.\tO" in text
    back = read(text)
    assert [(s.id, s.tokens, s.spans) for s in back] == [
        ("s1", one.tokens, one.spans),
        ("s2", ("#", "x"), (Span(0, 2, "B"),)),
    ]
    with pytest.raises(OutputError, match="NE-NOWHERE"):
        written(Dataset("x", (one,)), "NE-NOWHERE")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (FILE.removeprefix(HEAD), [("no-header", 1)]),
        (HEAD.replace("NE-NESTED", "NE-FINE-LIT") + row(), [("no-header", 1)]),
        (HEAD.replace("NE-COARSE-LIT", "NE-X") + row(), [("missing-column", 1)]),
        (HEAD + row() + "b\tO\tO\n", [("mixed-columns", 3)]),
        (HEAD + row() + "#b\tO\tO\n", [("mixed-columns", 3)]),
        (HEAD + row() + "b O O O _ _\n", [("mixed-columns", 3)]),
        (HEAD + row(""), [("empty-token", 2)]),
        (HEAD + row("a", "loc") + row("b", "X-loc"), [("bad-tag", 2), ("bad-tag", 3)]),
        (HEAD + row("a", "O") + row("b", "I-loc") + row("c", "B-loc"), [("ill-formed-sequence", 3)]),
        (HEAD + "# id a\n" + row("a", misc="EndOfSentence") + "# id a\n" + row("b"), [("duplicate-id", 5)]),
        (HEAD, [("no-sentences", 0)]),
    ],
)
def test_every_fault_is_named_by_its_line(text: str, expected: list[tuple[str, int]]) -> None:
    found = Hipe().examine("x.tsv", text.encode(), ReadOptions(scheme="iob2")).problems
    assert [(problem.code, problem.line) for problem in found] == expected


def test_an_unknown_column_lists_those_that_are_there() -> None:
    (problem,) = examine(FILE, "NE-COARSE")
    assert "NE-COARSE-LIT, NE-FINE-LIT, NE-NESTED" in problem.hint


def test_lenient_leaves_out_broken_sentences_and_counts_them() -> None:
    text = HEAD + row("a", "loc") + row("b", misc="EndOfSentence") + row("c")
    found = read(text, options=ReadOptions(lenient=True))
    assert [s.tokens for s in found] == [("c",)]
    assert any("bad-tag 1" in note for note in found.notes)


@pytest.mark.parametrize(
    "sentence",
    [
        Sentence("s", ("a\tb",)),
        Sentence("s", (" ",)),
        Sentence("s", ("a",), (Span(0, 1, "A\tB"),)),
        Sentence("s", ("a",), doc_id="a\nb"),
        Sentence("a\tb", ("a",)),
    ],
)
def test_what_cannot_be_held_is_refused(sentence: Sentence) -> None:
    with pytest.raises(OutputError, match=re.escape(f"sentence {sentence.id!r}")):
        written(Dataset("x", (sentence,)))


def test_real_tables_come_back_byte_for_byte(shared: Path) -> None:
    files = sorted((shared / "data" / "hipe2022").rglob("*dev*.tsv")) + sorted(
        (shared / "data" / "hipe2022").rglob("*test*.tsv")
    )
    assert files
    for file in files:
        for column in ("NE-COARSE-LIT", "NE-FINE-LIT", "NE-NESTED"):
            data = Hipe(column).read(str(file), ReadOptions(repair="conlleval"))
            assert len({s.doc_id for s in data}) > 5
            if not any("ill-formed" in note for note in data.notes):
                assert written(data, column).encode() == file.read_bytes()
