"""Files whose format nobody says are told by their ending or their first lines; tables go over into each other."""

from __future__ import annotations

from io import BytesIO, TextIOWrapper
from pathlib import Path

import pytest

from nerquake.core.errors import FormatError, UsageError
from nerquake.io.conversion import losses
from nerquake.io.load import inspect, load, save

CONLL2012 = "#begin document (a); part 000\na 0 0 Bonn NE * - - - - (LOC) -\n\n#end document\n"
HIPE = "TOKEN\tNE-COARSE-LIT\tNE-FINE-LIT\tMISC\nBonn\tB-loc\tB-loc.city\tEndOfSentence\nx\tO\tO\t_\n"
GERMEVAL = "#\thttp://example.org\t[2010]\n1\tFC\tB-ORG\tO\n2\tBonn\tI-ORG\tB-LOC\n"
TSV = "sentence_id\tword\ttag\ns1\tBonn\tB-LOC\n"
CONLLU = "1\tBonn" + "\t_" * 7 + "\tname=B-LOC\n"


@pytest.mark.parametrize(
    ("name", "text", "reader"),
    [
        ("x_gold_conll", CONLL2012, "conll2012"),
        ("x.conll", CONLL2012, "conll2012"),
        ("x.tsv", HIPE, "hipe"),
        ("x.tsv", GERMEVAL, "germeval"),
        ("x.tsv", TSV, "tsv"),
        ("x.tsv", "Bonn\tB-LOC\n", "conll"),
        ("x.tsv", "token\ttag\nBonn\tB-LOC\n", "conll"),
        ("x.csv", TSV.replace("\t", ","), "csv"),
        ("x.conllu", CONLLU, "conllu"),
        ("x.iob2", "# sent_id = a\nBonn\tB-LOC\n", "conll"),
        ("x", CONLLU, "conllu"),
        ("x", "# a = b\n1-2\tBonns" + "\t_" * 8 + "\n" + CONLLU + "2\ts" + "\t_" * 8 + "\n", "conllu"),
        ("x", "".join(f"{at}\tBonn" + "\t_" * 7 + "\tO\n" for at in (1, 2)), "conll"),
        ("x", "1" + "\tx" * 7 + "\tB-LOC\n", "conll"),
        ("x", TSV.replace("\t", ","), "csv"),
        ("x.txt", "Sentence #,Word,Tag\nSentence: 1,Bonn,B-LOC\n", "csv"),
        ("x", TSV.replace("\t", ";"), "csv:sep=semicolon"),
        ("x", "token,tag\nBonn,B-LOC\n", "csv"),
        ("x", 'sentence,tags\n"[""Bonn""]","[""B-LOC""]"\n', "csv"),
        ("x", "word,tag B-LOC\n", "conll"),
        ("x", "word,x B-LOC\n", "conll"),
    ],
)
def test_the_format_is_told_by_ending_or_content(name: str, text: str, reader: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(text)
    found = inspect(str(tmp_path / name))
    assert found.reader == reader
    assert found.dataset is not None
    save(found.dataset, tmp_path / "again", found.dataset.reader)
    assert (tmp_path / "again").read_text() == text


def test_another_entity_column_of_the_same_table(tmp_path: Path) -> None:
    (tmp_path / "x.tsv").write_text(HIPE)
    data = load(str(tmp_path / "x.tsv"), "hipe")
    save(data, tmp_path / "y.tsv", "hipe:column=NE-FINE-LIT")
    assert (tmp_path / "y.tsv").read_text() == HIPE.replace("B-loc\tB-loc.city", "_\tB-loc").replace(
        "x\tO\tO", "x\t_\tO"
    )
    (tmp_path / "g.tsv").write_text(GERMEVAL)
    outer = load(str(tmp_path / "g.tsv"), "germeval")
    save(outer, tmp_path / "h.tsv", "germeval:layer=inner")
    assert load(str(tmp_path / "h.tsv"), "germeval:layer=inner").mentions == {"ORG": 1}


def test_tables_go_over_into_each_other(tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text(TSV.replace("\t", ","))
    data = load(str(tmp_path / "x.csv"))
    save(data, tmp_path / "y.tsv", "tsv")
    assert (tmp_path / "y.tsv").read_text() == "sentence_id\ttoken\ttag\ns1\tBonn\tB-LOC\n"
    save(data, tmp_path / "z.csv", "csv:token=form")
    assert (tmp_path / "z.csv").read_text() == "sentence_id,form,tag\ns1,Bonn,B-LOC\n"
    save(data, tmp_path / "w.csv", "csv:rows=sentence")
    assert (tmp_path / "w.csv").read_text() == 'sentence_id,token,tag\ns1,"[""Bonn""]","[""B-LOC""]"\n'


def test_what_the_same_format_holds_is_no_loss(tmp_path: Path) -> None:
    (tmp_path / "x.conllu").write_text(CONLLU)
    data = load(str(tmp_path / "x.conllu"))
    assert not losses(data, "conllu")
    assert any("other columns" in line for line in losses(data, "hipe"))


def test_a_long_table_is_told_by_its_whole_lines(tmp_path: Path) -> None:
    (tmp_path / "x").write_text("".join(CONLLU.replace("Bonn", "B" * 3_000) + "\n" for _ in range(20)))
    assert inspect(str(tmp_path / "x")).reader == "conllu"


def test_a_table_on_standard_input_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    for text, reader in ((CONLLU, "conllu"), (TSV.replace("\t", ","), "csv")):
        monkeypatch.setattr("sys.stdin", TextIOWrapper(BytesIO(text.encode())))
        data = load("-")
        assert (data.reader, data.mentions) == (reader, {"LOC": 1})


STUDIO = '[{"data": {"text": "Bo"}, "annotations": []}]'


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
@pytest.mark.parametrize(
    ("name", "text", "reader"),
    [
        ("x.json", STUDIO, "labelstudio"),
        ("x", '{"text": "Bo", "label": []}', "doccano"),
        ("x", CONLLU, "conllu"),
        ("x.csv", TSV.replace("\t", ","), "csv"),
    ],
)
def test_utf16_is_named_with_the_format(name: str, text: str, reader: str, encoding: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(text.encode(encoding))
    with pytest.raises(FormatError, match=f"UTF-16 text: use --input {reader}:encoding={encoding} "):
        load(str(tmp_path / name))
    if reader in ("csv", "conllu"):
        assert load(str(tmp_path / name), f"{reader}:encoding={encoding}").mentions == {"LOC": 1}


def test_utf16_json_that_cannot_be_told_is_said_to_be_utf16(tmp_path: Path) -> None:
    (tmp_path / "x.json").write_bytes('[{"words": 1}]'.encode("utf-16"))
    with pytest.raises(UsageError, match=r"which format this UTF-16 JSON is of .*encoding=utf-16$"):
        load(str(tmp_path / "x.json"))
