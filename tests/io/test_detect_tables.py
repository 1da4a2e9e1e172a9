"""Files whose format nobody says are told by their ending or their first lines; tables go over into each other."""

from __future__ import annotations

from pathlib import Path

import pytest

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
