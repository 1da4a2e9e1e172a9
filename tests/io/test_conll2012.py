"""CoNLL-2012: bracketed names, parts as documents, files and folders; what is read is written byte for byte."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from nerquake.core.dataset import Dataset
from nerquake.core.edits import Edit, apply_edits
from nerquake.core.errors import FormatError, InputError, OutputError, Problem
from nerquake.core.protocols import ReadOptions
from nerquake.core.sentence import Sentence
from nerquake.core.span import Span
from nerquake.io.conll2012 import Conll2012
from nerquake.io.load import inspect, load, save

FILE = """#begin document (nw/made/00/up_0001); part 000
nw/made/00/up_0001   0    0     Anna   NNP  (TOP(S(NP*     -    -   -   Bo  (PERSON*   (ARG0*      *    (1
nw/made/00/up_0001   0    1     Lind   NNP           *)    -    -   -   Bo         *)       *)      *     1)
nw/made/00/up_0001   0    2    visits  VBZ        (VP*  visit  01   1   Bo         *      (V*)      *     -
nw/made/00/up_0001   0    3      Bonn  NNP        (NP*)    -    -   -   Bo     (GPE)   (ARG1*)      *    (2)
nw/made/00/up_0001   0    4        /.    .         *))     -    -   -   Bo         *         *      *     -

nw/made/00/up_0001   0    0      Yes   UH   (TOP(S*))      -    -   -   -          *     -

#end document
#begin document (nw/made/00/up_0001); part 001
nw/made/00/up_0001   1    0   #1   CD   (TOP(NP*))   -   -   -   -   (CARDINAL*)   -

#end document
"""


def examine(text: str, options: ReadOptions = ReadOptions(), reader: Conll2012 = Conll2012()) -> tuple[Problem, ...]:  # noqa: B008
    return reader.examine("x_gold_conll", text.encode(), options).problems


def read(text: str, options: ReadOptions = ReadOptions()) -> Dataset:  # noqa: B008
    return Conll2012().read_bytes("x_gold_conll", text.encode(), options)


def written(dataset: Dataset) -> str:
    return "".join(Conll2012().lines(dataset))


def rows(*names: str) -> str:
    return "".join(f"d 0 {at} w{at} NN * - - - - {name} -\n" for at, name in enumerate(names))


def test_mentions_documents_and_columns() -> None:
    data = read(FILE)
    first, second, third = data.sentences
    assert first.tokens == ("Anna", "Lind", "visits", "Bonn", "/.")
    assert first.spans == (Span(0, 2, "PERSON"), Span(3, 4, "GPE"))
    assert (first.doc_id, second.doc_id, third.doc_id) == (
        "nw/made/00/up_0001#000", "nw/made/00/up_0001#000", "nw/made/00/up_0001#001",
    )  # fmt: skip
    assert (len(first.columns[0]), len(second.columns[0])) == (12, 10)
    assert first.columns[2][3] == "VBZ"
    assert third.spans == (Span(0, 1, "CARDINAL"),)
    assert "documents: 2" in data.notes


@pytest.mark.parametrize(
    "text",
    [
        FILE,
        FILE.replace("#end document\n", ""),
        FILE.rstrip("\n"),
        "\n\n" + FILE + "\n\n",
        FILE.replace("   ", "\t"),
        FILE.replace("part 001", "part 000"),
        FILE.replace("; part 001", ";"),
        FILE.replace("#begin document (nw/made/00/up_0001)", "# id own\n#begin document (nw/made/00/up_0001)", 1),
        rows("*", "(A*", "*)"),
        rows("(A)") + "\n" + rows("(A*)") + "\n\n\n" + rows("*"),
    ],
)
def test_what_is_read_is_written_byte_for_byte(text: str) -> None:
    assert written(read(text)) == text


def test_a_sentence_left_out_leaves_documents_whole() -> None:
    data = read(FILE)
    kept = written(data.with_sentences([data.sentences[1]]))
    assert kept.startswith("#begin document (nw/made/00/up_0001); part 000\nnw/made")
    assert kept.endswith("-\n\n#end document\n")
    assert written(data.with_sentences([data.sentences[2]])).startswith(
        "#begin document (nw/made/00/up_0001); part 001"
    )
    outer = written(data.with_sentences([data.sentences[0], data.sentences[2]]))
    assert outer.count("#begin") == outer.count("#end") == 2
    again = read(outer)
    assert [s.doc_id for s in again] == [data.sentences[0].doc_id, data.sentences[2].doc_id]


def test_what_an_attack_puts_in_leaves_the_file_readable() -> None:
    data = read(FILE)
    first = data.sentences[0]
    edits = [Edit(0, 2, ("Rosa", "von", "Thal"), "mention"), Edit(3, 4, ("Ulm",), "mention")]
    made = replace(apply_edits(first, edits).sentence, source=first.id)
    text = written(data.with_sentences([made, *data.sentences[1:]]))
    lines = [line.split() for line in text.splitlines()[1:7]]
    assert [cells[3] for cells in lines] == ["Rosa", "von", "Thal", "visits", "Ulm", "/."]
    assert [cells[2] for cells in lines] == list("012345")
    assert [cells[10] for cells in lines] == ["(PERSON*", "*", "*)", "*", "(GPE)", "*"]
    assert {tuple(cells[:2]) for cells in lines} == {("nw/made/00/up_0001", "0")}
    assert {cells[5] for cells in lines} == {"-"}, "the parse no longer closes"
    assert {cells[-1] for cells in lines} == {"-"}
    assert [cells[11] for cells in lines] == ["*", "*", "*", "(V*)", "*", "*"]
    assert read(text).sentences[0].spans == made.spans
    assert text.split("\n\n", 1)[1] == FILE.split("\n\n", 1)[1]


def test_a_data_set_from_elsewhere_gets_every_column() -> None:
    one = Sentence("s1", ("Anna", "in", "Bonn"), (Span(0, 1, "PER"), Span(2, 3, "LOC")), doc_id="d1")
    two = Sentence("s2", ("No",), doc_id="d2#003")
    text = written(Dataset("x", (one, two)))
    assert text.startswith("#begin document (d1);\n# id s1\nd1 0 0 Anna - - - - - - (PER) -\n")
    assert "\n\n#end document\n#begin document (d2); part 003\n# id s2\nd2 3 0 No" in text
    again = read(text)
    assert [s.doc_id for s in again] == ["d1", "d2#003"]
    assert again.sentences[0].spans == one.spans
    assert written(again) == text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (rows("(A*", "*"), [("unbalanced", 1)]),
        (rows("*", "*)"), [("unbalanced", 2)]),
        (rows("(A*", "(B*)", "*)"), [("nested", 2)]),
        (rows("(A(B*", "*))"), [("nested", 1)]),
        (rows("A", "(B", "B-PER"), [("bad-tag", 1), ("bad-tag", 2), ("bad-tag", 3)]),
        (rows("*") + "d 0 1 w NN *\n", [("missing-column", 2)]),
        (rows("*") + "d 0 1 w NN * - - - - * - -\n", [("mixed-columns", 2)]),
        ("#end document\n" + rows("*"), [("document-border", 1)]),
        ("#begin document\n" + rows("*"), [("document-border", 1)]),
        (
            "#end document\n#begin document (a); part 0\n" + rows("*") + "#begin document (b); part 0\n",
            [("document-border", 1), ("document-border", 4)],
        ),
        (rows("*") + "# a comment\n" + rows("*"), [("comment-inside", 2)]),
        ("# id a\n" + rows("*") + "\n# id a\n" + rows("*"), [("duplicate-id", 5)]),
        ("Bonn B-LOC\n", [("missing-column", 1)]),
    ],
)  # fmt: skip
def test_every_fault_is_named_by_its_line(text: str, expected: list[tuple[str, int]]) -> None:
    found = examine(text)
    assert [(problem.code, problem.line) for problem in found] == expected
    assert all(problem.hint for problem in found)


def test_lenient_leaves_out_broken_sentences_and_counts_them() -> None:
    text = rows("(A*", "*") + "\n" + rows("(B)")
    with pytest.raises(FormatError, match="unbalanced"):
        read(text)
    found = read(text, ReadOptions(lenient=True))
    assert [s.spans for s in found] == [(Span(0, 1, "B"),)]
    assert any("unbalanced 1" in note for note in found.notes)


@pytest.mark.parametrize(
    ("rule", "spans"),
    [
        ("outer", (Span(0, 3, "A"),)),
        ("longest", (Span(0, 3, "A"),)),
        ("inner", (Span(0, 1, "B"), Span(2, 3, "C"))),
    ],
)
def test_nested_mentions_are_made_flat_by_a_named_rule(rule: str, spans: tuple[Span, ...]) -> None:
    found = read(rows("(A(B)", "*", "(C))"), ReadOptions(flatten=rule))  # type: ignore[arg-type]
    assert found.sentences[0].spans == spans
    assert any(f"flatten {rule}" in note for note in found.notes)


def test_a_folder_and_a_glob_are_read_as_one_and_lines_are_those_of_the_file(tmp_path: Path) -> None:
    deep = tmp_path / "data" / "nw"
    deep.mkdir(parents=True)
    (deep / "a.v4_gold_conll").write_text(FILE.rstrip("\n"))
    (deep / "b.v4_gold_conll").write_text(FILE.replace("up_0001", "up_0002"))
    (deep / "b.v4_auto_conll").write_text("not read")
    data = load(str(tmp_path / "data"), "conll2012")
    assert len(data) == 6
    assert len({s.doc_id for s in data}) == 4
    assert written(data) == FILE + FILE.replace("up_0001", "up_0002")
    assert len(load(str(deep / "a*"), "conll2012")) == 3
    (deep / "b.v4_gold_conll").write_text(rows("*", "*)"))
    (problem,) = inspect(str(tmp_path / "data"), "conll2012").problems
    assert problem.line == 2
    assert problem.message.startswith("nw/b.v4_gold_conll: ")
    for path in (str(tmp_path / "none"), str(tmp_path / "*.none")):
        with pytest.raises(InputError, match="no such file"):
            load(path, "conll2012")
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match="holds no"):
        load(str(tmp_path / "empty"), "conll2012")


@pytest.mark.parametrize(
    "sentence",
    [
        Sentence("s", ("New York",)),
        Sentence("s", ("a",), (Span(0, 1, "A(B"),)),
        Sentence("s", ("a",), doc_id="a\nb"),
        Sentence("a\tb", ("a",)),
    ],
)
def test_what_cannot_be_held_is_refused(sentence: Sentence) -> None:
    with pytest.raises(OutputError, match=re.escape(f"sentence {sentence.id!r}")):
        written(Dataset("x", (sentence,)))


def test_conversion_to_columns_and_back_keeps_documents_and_mentions(tmp_path: Path) -> None:
    source = tmp_path / "x_gold_conll"
    source.write_text(FILE)
    data = load(str(source), "conll2012")
    save(data, tmp_path / "x.conll", "conll")
    back = load(str(tmp_path / "x.conll"))
    assert [(s.tokens, s.spans, s.doc_id) for s in back] == [(s.tokens, s.spans, s.doc_id) for s in data]


def test_a_nested_mention_is_named_with_the_one_around_it() -> None:
    (problem,) = examine(rows("(ORG*", "(GPE*)", "*)"))
    assert "Span(" not in problem.message
    assert problem.message.startswith("the mention GPE '")
    assert " lies in another, ORG '" in problem.message
