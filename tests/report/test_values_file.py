"""Values files: every form reads alike, and every fault is named with its line."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nerquake.core.errors import FormatError, InputError
from nerquake.report.paper_tables import relative_table
from nerquake.report.values import Place, Values, is_original, together
from nerquake.report.values_file import column_of, columns_of, read_values

ROWS = [("m", "original", "0.9", "0.8", "0.85"), ("m", "E", "0.5", "", "n/e")]
SAME = {
    "tsv": "model\tset\tprecision\trecall\tf1\n" + "".join("\t".join(row) + "\n" for row in ROWS),
    "comma": "Model,Set,Precision,Recall,F1\r\n" + "".join(",".join(row) + "\r\n" for row in ROWS),
    "semicolon": "\ufeffmodel;set;precision;recall;F1-score\n\n" + "".join(";".join(row) + "\n" for row in ROWS),
    "quoted": 'model,set,precision,recall,f1\n"m","original",0.9,0.8,0.85\n" m ","E",0.5,,n/e\n',
    "per cent": "tagger,attack,prec %,rec %,f1 (%)\nm,original,90,80,85\nm,E,50,,n/e\n",
    "objects": '{"model": "m", "set": "original", "precision": 0.9, "recall": 0.8, "f1": 0.85}\n\n'
    '{"model": "m", "set": "E", "precision": "0.5", "f1": null}\n',
}


def read(text: str, tmp_path: Path) -> Values:
    path = tmp_path / "values.csv"
    path.write_bytes(text.encode("utf-8"))
    return read_values(str(path))


def faults(text: str, tmp_path: Path) -> list[str]:
    with pytest.raises(FormatError) as found:
        read(text, tmp_path)
    assert str(found.value).startswith("values.csv: ")
    return [str(problem) for problem in found.value.problems]


@pytest.mark.parametrize("form", SAME)
def test_every_form_holds_the_same_values(form: str, tmp_path: Path) -> None:
    first, second = read(SAME[form], tmp_path).items
    assert (first.place, first.model, first.set) == (Place(""), "m", "original")
    assert first.scores == {"precision": 0.9, "recall": 0.8, "f1": 0.85}
    assert second.scores == {"precision": 0.5, "f1": None}  # what is empty is not known, n/e is undefined


def test_a_figure_above_one_makes_all_of_them_per_cent(tmp_path: Path) -> None:
    values = read("dataset,split,language,model,set,f1\nCoNLL,test,de,m,Orig,84.6\nCoNLL,test,de,m,RS,1\n", tmp_path)
    assert [item.scores["f1"] for item in values.items] == [0.846, 0.01]
    assert values.items[0].place == ("CoNLL", "test", "de")
    assert values.source == "values.csv"


@pytest.mark.parametrize(
    ("figure", "shown"),
    [("0.91", "91"), ("0.9", "90"), ("0.912", "91.2"), ("91.2", "91.2"), ("91", "91"), ("91.25", "91.2")],
)
def test_no_table_has_more_digits_than_the_file(figure: str, shown: str, tmp_path: Path) -> None:
    values = read(f"model,set,f1\nm,None,{figure}\n", tmp_path)
    assert relative_table(values, Place("")).rows[0].cells[1].text == shown


def test_blanks_that_do_not_break_are_blanks(tmp_path: Path) -> None:
    assert read("model,set,f1\nBERT\u00a0CRF ,None,0.5\n", tmp_path).items[0].model == "BERT CRF"


def test_faults_of_rows_are_all_named_with_their_lines(tmp_path: Path) -> None:
    text = (
        "model,set,precision,f1,p\n"
        "m,original,0.5,0.9x,\n"  # line 2
        "m,,0.5,0.9,\n"
        ",E,0.5,0.9,\n"
        "m,E,,,\n"
        "m,C,0.5\n"
        "m,M,-0.1,0.5,\n"
        "m,N,0.5,nan,2\n"
        "\n"
        "m,E+C,0.5,0.5,0.01\n"
        "m,E+C,0.5,0.6,<0.001\n"  # line 11
    )
    assert faults(text, tmp_path) == [
        "line 2: f1 is no number at '0.9x' (such as 84.6 or 0.846, with a decimal point and without %) [bad-number]",
        "line 3: the set has no name [empty-cell]",
        "line 4: the model has no name [empty-cell]",
        "line 5: the row has no figure (n/e is undefined) [no-figure]",
        "line 6: the row has 3 cells, the head has 5 [cells]",
        "line 7: precision is not from 0 to 100 at '-0.1' [out-of-range]",
        "line 8: f1 is no number at 'nan' (such as 84.6 or 0.846, with a decimal point and without %) [bad-number]",
        "line 8: p is no number from 0 to 1 at '2' (such as 0.03 or <0.001) [bad-p]",
        "line 11: data set, split, language, model and set are those of line 10 at 'm, E+C' [row-twice]",
    ]


def test_faults_of_the_head(tmp_path: Path) -> None:
    assert faults("modle\tset\tSet\tf1\nm\ta\tb\t1\n", tmp_path) == [
        "line 1: there is no such column at 'modle' (did you mean model?) [unknown-column]",
        "line 1: the column model is missing [column-missing]",
        "line 1: two columns have one meaning at 'set' [column-twice]",
    ]
    assert faults("model,set,recall\nm,None,1\n", tmp_path) == ["line 1: the column f1 is missing [column-missing]"]


def test_fractions_and_per_cent_in_one_file_are_refused_at_the_rarer_kind(tmp_path: Path) -> None:
    hint = "(write all of them alike; where all are per cent, say so in the head: f1 %) [mixed-units]"
    few_fractions = "model,set,f1\nm,None,91.5\nm,E,0.61\nm,C,80.1\n"
    assert faults(few_fractions, tmp_path) == [
        f"line 3: the figure looks like a fraction, others in the file do not at '0.61' {hint}"
    ]
    few_per_cent = "model,set,f1\nm,None,0.915\nm,E,0.61\nm,C,80.1\n"
    assert faults(few_per_cent, tmp_path) == [
        f"line 4: the figure looks like per cent, others in the file do not at '80.1' {hint}"
    ]
    said = read("model,set,f1 %\nm,None,91.5\nm,E,0.61\n", tmp_path)
    assert [item.scores["f1"] for item in said.items] == [0.915, 0.0061]


def test_faults_of_objects(tmp_path: Path) -> None:
    text = (
        '{"model": "m", "set": "None", "f1": 0.5}\n'
        '{"model": "m", "set": "E", "f1": tru}\n'
        '{"model": "m", "set": "E", "f1": true}\n'
        '{"model": 3, "set": "E", "f1": 0.5}\n'
        '{"model": "m", "f1": 0.5, "note": "x"}\n'
        "[1]\n"
        '{"model": "m", "set": "C", "f1": 0.5, "p": true}\n'
    )
    found = faults(text, tmp_path)
    assert [line.split(":")[0] for line in found] == [
        "line 2", "line 3", "line 4", "line 4", "line 5", "line 5", "line 6", "line 7",
    ]  # fmt: skip
    assert "f1 is no number at 'True'" in found[1]
    assert "the model is to be text at '3'" in found[2]
    assert 'such as {"model": "m"' in found[6]


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("model,set,f1\n", "there is no row of values"),
        ("\n \n", "there is no row of values"),
        ("", "the file is empty"),
        ('model,set,f1\n"m,None,1\n', "a quote is not closed"),
    ],
)
def test_files_without_values(text: str, what: str, tmp_path: Path) -> None:
    assert what in faults(text, tmp_path)[0]


def test_other_encodings_are_named_with_what_to_do(tmp_path: Path) -> None:
    path = tmp_path / "values.csv"
    path.write_bytes("model,set,f1\nMüller,None,0.5\n".encode("latin-1"))
    with pytest.raises(FormatError, match=r"line 2: .*save the file as UTF-8"):
        read_values(str(path))
    path.write_bytes("model,set,f1\nm,None,0.5\n".encode("utf-16"))
    with pytest.raises(FormatError, match=r"UTF-16 text \(save the file as UTF-8\)"):
        read_values(str(path))
    with pytest.raises(InputError, match="no such file"):
        read_values(str(tmp_path / "none.csv"))


def test_a_long_list_of_faults_ends_with_their_number(tmp_path: Path) -> None:
    found = faults("model,set,f1\n" + "m,None\n" * 30, tmp_path)
    assert len(found) == 20
    assert found[-1] == "and 11 more problems [more]"


def test_heads_may_be_written_in_several_ways() -> None:
    assert [column_of(head) for head in ("Data set", "F1 (%)", "f1-score", "Test set", "PREC", "lang", "P", "x")] == [
        "dataset", "f1", "f1", "set", "precision", "language", "p", "",
    ]  # fmt: skip
    assert [is_original(name) for name in ("None", "Orig.", "original", " ORIG ", "E")] == [True] * 4 + [False]


def test_a_later_source_counts(tmp_path: Path) -> None:
    old = read("model,set,f1\nm,None,0.5\nm,E,0.4\n", tmp_path)
    new = read("model,set,f1\nm,E,0.3\n", tmp_path)
    assert [item.scores["f1"] for item in together([old, new]).items] == [0.5, 0.3]


RATES = st.none() | st.integers(0, 1000).map(lambda number: number / 10)


@given(
    st.lists(
        st.tuples(st.sampled_from("abc"), st.sampled_from(["None", "E", "x|y", "a,b"]), RATES, RATES),
        unique_by=lambda row: row[:2],
        min_size=1,
    )
)
def test_what_is_written_in_per_cent_is_what_the_table_prints(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[str, str, float | None, float | None]]
) -> None:
    def cell(number: float | None) -> str:
        return "n/e" if number is None else f"{number:.1f}"

    text = "model\tset\trecall %\tf1 %\n" + "".join(
        f"{model}\t{name}\t{cell(recall)}\t{cell(f1)}\n" for model, name, recall, f1 in rows
    )
    values = read(text, tmp_path_factory.mktemp("values"))
    table = relative_table(values, Place(""))
    written = {(model, name): cell(f1) for model, name, _, f1 in rows}
    for row in table.rows:
        for column, found in zip(table.columns[1:], row.cells[1:], strict=True):
            expected = written.get((row.cells[0].text, column.head), "–")
            assert found.text.split(" (")[0] == expected


@pytest.mark.parametrize(
    ("head", "columns"),
    [
        ("model,set,P,R,F1", ["precision", "recall", "f1"]),
        ("model,set,p,r,f1", ["precision", "recall", "f1"]),
        ("model,set,P (%),R (%),F1 (%)", ["precision", "recall", "f1"]),
        ("model,set,P,R,F1,p", ["precision", "recall", "f1", "p"]),
        ("model,set,p,P,R,F1", ["p", "precision", "recall", "f1"]),
        ("model,set,precision,recall,F1,P", ["precision", "recall", "f1", "p"]),
        ("model,set,F1,p", ["f1", "p"]),
        ("model,set,F1,p-value", ["f1", "p"]),
    ],
)
def test_lone_letters_are_read_as_the_papers_write_them(head: str, columns: list[str]) -> None:
    assert columns_of(head.split(",")) == ["model", "set", *columns]


def test_a_precision_is_never_taken_for_a_p_value(tmp_path: Path) -> None:
    (value,) = read("dataset,model,set,P,R,F1\nd,m,original,0.9,0.8,0.847\n", tmp_path).items
    assert (value.scores, value.p) == ({"precision": 0.9, "recall": 0.8, "f1": 0.847}, None)
    (fault,) = faults("model,set,P,F1\nm,original,0.9,0.847\n", tmp_path)
    assert "there is no such column at 'P' (write precision, or p for the p value)" in fault
