"""CSV and TSV tables: which columns, which rows make a sentence, and cells that stay texts."""

from __future__ import annotations

import csv
import io
import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nerquake.core.dataset import Dataset
from nerquake.core.edits import Edit, apply_edits
from nerquake.core.errors import OutputError, Problem
from nerquake.core.protocols import ReadOptions
from nerquake.core.sentence import Sentence
from nerquake.core.span import Span
from nerquake.io.csv_rows import Dialect
from nerquake.io.csv_table import Csv, Tsv

PANDAS = ''',sentence_id,word,pos,tag
0,s1,Anna,NE,B-PER
1,s1,",",$c,O
2,s1,"say ""x""",V,O
3,s2,NA,NE,B-LOC
4,s2,Null,NE,I-LOC
'''
KAGGLE = '''Sentence #,Word,POS,Tag
Sentence: 1,Thousands,NNS,O
,of,IN,O
,London,NNP,B-geo
Sentence: 2,"Say, ""No""",NN,O
,1e5,CD,O
'''
LISTS = """Sentence #,Sentence,POS,Tag
Sentence: 1,Anna met Bonn,"['NE', 'V', 'NE']","['B-PER', 'O', 'B-LOC']"
Sentence: 2,NA,['X'],['O']
"""
JSON_LISTS = """id,tokens,ner_tags,source
s1,"[""New York"", "".""]","[""B-LOC"", ""O""]",x
s2,"[""a""]","[""O""]",y
"""


def read(text: str, reader: Csv = Csv(), options: ReadOptions = ReadOptions()) -> Dataset:  # noqa: B008
    return reader.read_bytes("x.csv", text.encode(), options)


def examine(text: str, reader: Csv = Csv(), **options: object) -> tuple[Problem, ...]:  # noqa: B008
    return reader.examine("x.csv", text.encode(), ReadOptions(**options)).problems  # type: ignore[arg-type]


def written(dataset: Dataset, reader: Csv = Csv()) -> str:  # noqa: B008
    return "".join(reader.lines(dataset))


def test_a_row_a_token_with_the_sentence_in_every_row() -> None:
    data = read(PANDAS)
    assert [s.id for s in data] == ["s1", "s2"]
    assert data.sentences[0].tokens == ("Anna", ",", 'say "x"')
    assert data.sentences[1].tokens == ("NA", "Null")
    assert data.sentences[1].spans == (Span(0, 2, "LOC"),)
    assert data.sentences[0].columns[1] == ("1", "$c")


def test_the_sentence_in_its_first_row_only_and_running_numbers() -> None:
    data = read(KAGGLE)
    assert [s.tokens for s in data] == [("Thousands", "of", "London"), ('Say, "No"', "1e5")]
    assert all(s.hashed for s in data), "running numbers are no ids: a sentence added in front would change them all"
    assert any("no ids" in note for note in data.notes)
    shorter = written(data.with_sentences(data.sentences[1:]))
    assert shorter == 'Sentence #,Word,POS,Tag\nSentence: 1,"Say, ""No""",NN,O\n,1e5,CD,O\n'


def test_a_row_a_sentence() -> None:
    data = read(LISTS)
    assert data.sentences[0].tokens == ("Anna", "met", "Bonn")
    assert data.sentences[0].spans == (Span(0, 1, "PER"), Span(2, 3, "LOC"))
    assert data.sentences[0].meta == (("POS", "['NE', 'V', 'NE']"),)
    data = read(JSON_LISTS)
    assert data.sentences[0].tokens == ("New York", ".")
    assert [s.id for s in data] == ["s1", "s2"]
    blank = read("words,tags\nAnna met Bonn,B-PER O B-LOC\nno,O\n")
    assert blank.mentions == {"PER": 1, "LOC": 1}


@pytest.mark.parametrize(
    ("text", "reader"),
    [
        (PANDAS, Csv()),
        (PANDAS.rstrip("\n"), Csv()),
        (PANDAS.replace("Anna", '"Anna"').replace("NE,B", '"NE",B'), Csv()),
        (PANDAS.replace("1,s1", "\n1,s1"), Csv()),
        (PANDAS.replace("1,s1,", "1,,"), Csv()),
        (PANDAS.replace("V,O", '"two\nlines",O'), Csv()),
        (PANDAS.replace(",", ";").replace('";"', '","'), Csv(sep="semicolon")),
        (KAGGLE, Csv()),
        (KAGGLE.replace("Sentence: 2", "\n,,,\nSentence: 2") + ",,,\n\n", Csv()),
        (LISTS, Csv()),
        (JSON_LISTS, Csv()),
        ("words,tags\nAnna met Bonn,B-PER O B-LOC\nno,O\n", Csv()),
        ("token,tag\nBonn,B-LOC\n\n\nUlm,B-LOC\n", Csv()),
        ("a\tword\tner\n1\tBonn\tB-LOC\n2\t\"\tO\n3\tx\"\tO\n", Tsv()),
        ('word\tner\nBonn\tB-LOC\n""""\tO\n', Tsv()),
        ('word\tner\n"Bonn\tB-LOC\n"Ulm"\tO\n', Tsv()),
    ],
)  # fmt: skip
def test_what_is_read_is_written_byte_for_byte(text: str, reader: Csv) -> None:
    assert written(read(text, reader), reader) == text


def test_case_12_strings_stay_strings() -> None:
    rows = ["NA\tB-LOC", "said\tO", '"\tO', "Null\tB-PER", "won\tO", '"\tO']
    text = "\n".join(["word\ttag", *rows, ""])
    data = read(text, Tsv())
    assert data.sentences[0].tokens == ("NA", "said", '"', "Null", "won", '"')
    assert written(data, Tsv()) == text
    comma = written(data.with_sentences(data.sentences), Tsv())
    assert read(comma, Tsv()).sentences[0].tokens == data.sentences[0].tokens


def test_columns_are_named_by_the_user() -> None:
    text = "gold,form,sys,nr\nB-LOC,Bonn,O,7\nO,.,O,7\nO,x,O,9\n"
    data = read(text, Csv(token="form", tag="gold", sentence="nr"))
    assert [s.id for s in data] == ["7", "9"]
    assert data.sentences[0].columns == (("O",), ("O",))
    (problem,) = examine(text)
    assert (problem.code, problem.line) == ("missing-column", 1)
    assert "'gold', 'form', 'sys', 'nr'" in problem.hint


def test_what_an_attack_puts_in() -> None:
    data = read(KAGGLE)
    made = replace(apply_edits(data.sentences[0], [Edit(2, 3, ("New", "York, NY"), "mention")]).sentence, source="x")
    text = written(data.with_sentences([made, data.sentences[1]]))
    assert ',New,_,B-geo\n,"York, NY",_,I-geo\nSentence: 2,' in text
    lists = read(LISTS)
    made = replace(apply_edits(lists.sentences[0], [Edit(0, 1, ("Rosa", "Thal"), "mention")]).sentence, source="x")
    text = written(lists.with_sentences([made, lists.sentences[1]]))
    assert "Sentence: 1,Rosa Thal met Bonn," in text
    assert read(text).sentences[0].spans == made.spans


def test_a_data_set_from_elsewhere_has_ids_or_numbers() -> None:
    one = Sentence("s1", ("Bonn", "a,b"), (Span(0, 1, "LOC"),), columns=(("x",), ("y",)))
    assert written(Dataset("d", (one,))) == 'sentence_id,token,tag,column1\ns1,Bonn,B-LOC,x\ns1,"a,b",O,y\n'
    bare = replace(one, hashed=True, columns=())
    assert written(Dataset("d", (bare,)), Tsv()) == "sentence\ttoken\ttag\n1\tBonn\tB-LOC\n1\ta,b\tO\n"
    rows = written(Dataset("d", (one,)), Csv(rows="sentence"))
    assert read(rows).sentences[0].spans == one.spans
    assert read(rows).sentences[0].id == "s1"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("word,tag\nBonn,B-LOC,x\n", [("mixed-columns", 2)]),
        ("word,tag\nBonn\n", [("mixed-columns", 2)]),
        ('word,tag\nBonn,B-LOC\n",O\na,O\n', [("bad-quote", 3)]),
        ('word,tag\n"a"b,O\nBonn,LOC\n', [("bad-quote", 2), ("bad-tag", 3)]),
        ("word,tag\n,O\nx,O\n", [("empty-token", 2)]),
        ('word,tag\n"a\nb",O\nc,X\n', [("bad-cell", 2), ("bad-tag", 4)]),
        ("word,tag\nBonn,\n", [("bad-tag", 2)]),
        ("Bonn,B-LOC\nUlm,B-LOC\n", [("missing-column", 1), ("missing-column", 1)]),
        ("sent_id,word,tag\na,x,O\nb,y,O\na,z,O\n", [("duplicate-id", 4)]),
        ("word,tag\na,O\nb,I-LOC\nc,B-LOC\n", [("ill-formed-sequence", 3)]),
        ("words,tags\na b,O O\nc d,O O O\n", [("wrong-length", 3)]),
        ("words,tags\na b,O O\n[x,['O']\n", [("bad-list", 3)]),
        ("words,tags\na b,O O\na  b,O O O\n", [("empty-token", 3)]),
        ("words,tags\na b,O O\na b,O LOC\n", [("bad-tag", 3)]),
        ("word,tag\n", [("no-sentences", 0)]),
    ],
)
def test_every_fault_is_named_by_its_line(text: str, expected: list[tuple[str, int]]) -> None:
    assert [(problem.code, problem.line) for problem in examine(text, scheme="iob2")] == expected


def test_lenient_leaves_out_broken_sentences_and_counts_them() -> None:
    found = read("sent_id,word,tag\na,x,LOC\na,y,O\nb,z,O\n", options=ReadOptions(lenient=True))
    assert [s.id for s in found] == ["b"]
    assert any("bad-tag 1" in note for note in found.notes)


@pytest.mark.parametrize(
    ("sentence", "reader"),
    [
        (Sentence("s", ("a\nb",)), Csv()),
        (Sentence("s", (" ",)), Csv()),
        (Sentence("s", ("a",), (Span(0, 1, "A\rB"),)), Csv()),
        (Sentence("s", ("a\tb",)), Tsv(quote="no")),
        (Sentence(" ", ("a",)), Csv()),
        (Sentence("s", ("a",), columns=(("x\ry",),)), Csv()),
        (Sentence("1", ("a",)), Csv(sentence="nr")),
    ],
)
def test_what_cannot_be_held_is_refused(sentence: Sentence, reader: Csv) -> None:
    with pytest.raises(OutputError, match=re.escape(f"sentence {sentence.id!r}")):
        written(Dataset("x", (sentence,)), reader)


CELLS = st.text(st.characters(exclude_categories=("Cs", "Cc")) | st.sampled_from('",\n;'), max_size=6)


@given(st.lists(CELLS, min_size=2))
def test_rows_are_those_of_the_standard_library(cells: list[str]) -> None:
    buffer = io.StringIO(newline="")
    csv.writer(buffer, lineterminator="\n").writerow(cells)
    raw = buffer.getvalue().removesuffix("\n")
    dialect = Dialect(",", True)
    assert dialect.cells(raw) == tuple(cells)
    assert next(csv.reader(io.StringIO(dialect.text(cells), newline=""))) == cells
