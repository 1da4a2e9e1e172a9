"""Parses from CoNLL-U files: words of one token, empty nodes, and all that can be wrong in a file."""

from __future__ import annotations

from pathlib import Path

import pytest

from nerquake.core.errors import FormatError, InputError
from nerquake.language.rewriting.conllu import morph_of, read_parses

IN_THE_HOUSE = """# text = Er wohnt im Haus.
1\tEr\ter\tPRON\tPPER\tCase=Nom|Number=Sing\t2\tnsubj\t_\t_
2\twohnt\twohnen\tVERB\tVVFIN\tVerbForm=Fin\t0\troot\t_\t_
3-4\tim\t_\t_\t_\t_\t_\t_\t_\t_
3\tin\tin\tADP\tAPPR\t_\t5\tcase\t_\t_
4\tdem\tder\tDET\tART\tCase=Dat\t5\tdet\t_\t_
5\tHaus\tHaus\tNOUN\tNN\t_\t2\tobl\t_\t_
5.1\tgern\tgern\tADV\t_\t_\t_\t_\t2:advmod\t_
6\t.\t.\tPUNCT\t$.\t_\t2\tpunct\t_\t_
"""


def _line(at: int, text: str, head: int) -> str:
    return f"{at}\t{text}\t_\tX\t_\t_\t{head}\tdep\t_\t_\n"


def _file(folder: Path, text: str) -> str:
    (folder / "parses.conllu").write_text(text, "utf-8")
    return str(folder / "parses.conllu")


def test_a_token_of_two_words_is_one_word(tmp_path: Path) -> None:
    (rows,) = read_parses(_file(tmp_path, IN_THE_HOUSE)).values()
    assert [(row.text, row.lemma, row.pos, row.tag, row.dep, row.head) for row in rows] == [
        ("Er", "er", "PRON", "PPER", "nsubj", 1),
        ("wohnt", "wohnen", "VERB", "VVFIN", "root", 1),
        ("im", "in", "ADP", "APPR", "case", 3),
        ("Haus", "Haus", "NOUN", "NN", "obl", 1),
        (".", ".", "PUNCT", "$.", "punct", 1),
    ]
    assert rows[0].morph == {"Case": "Nom", "Number": "Sing"}
    assert morph_of(None) == morph_of("_") == {}


def test_of_two_words_that_stays_which_the_others_hang_on(tmp_path: Path) -> None:
    text = "1-2\tgehts\t" + "\t".join("_" * 8) + "\n" + _line(1, "geht", 0) + _line(2, "es", 1) + _line(3, "gut", 1)
    (rows,) = read_parses(_file(tmp_path, text)).values()
    assert [(row.text, row.head) for row in rows] == [("gehts", 0), ("gut", 0)]


def test_sentences_are_found_by_their_tokens_and_the_first_counts(tmp_path: Path) -> None:
    text = (
        _line(1, "Ja", 0) + "\n\n" + _line(1, "Ja", 0).replace("X", "INTJ") + "\n" + _line(1, "प्रधानमंत्री", 0) + "\r\n"
    )
    parses = read_parses(_file(tmp_path, "\ufeff" + text))
    assert list(parses) == [("Ja",), ("प्रधानमंत्री",)]
    assert parses["Ja",][0].pos == "X"


@pytest.mark.parametrize(
    ("text", "line", "code"),
    [
        ("1\tJa\n", 1, "wrong-columns"),
        (_line(1, "Ja", 0) + _line(3, "so", 1), 2, "wrong-id"),
        (_line(1, "Ja", 0).replace("1\t", "a\t", 1), 1, "wrong-id"),
        (_line(1, "Ja", 0).replace("\t0\t", "\t_\t"), 1, "wrong-head"),
        (_line(1, "Ja", 1), 1, "wrong-head"),
        (_line(1, "Ja", 7), 1, "wrong-head"),
        ("# x\n" + _line(1, "a", 2) + _line(2, "b", 3) + _line(3, "c", 2), 2, "wrong-head"),
        ("2-1\tab\t" + "\t".join("_" * 8) + "\n" + _line(1, "a", 0), 1, "wrong-id"),
        ("1-2\tab\t" + "\t".join("_" * 8) + "\n", 1, "no-word"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(tmp_path: Path, text: str, line: int, code: str) -> None:
    with pytest.raises(FormatError, match="expected CoNLL-U") as told:
        read_parses(_file(tmp_path, text))
    assert (told.value.problems[0].line, told.value.problems[0].code) == (line, code)


def test_all_problems_are_listed(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="2 problems"):
        read_parses(_file(tmp_path, "x\n\n" + _line(1, "Ja", 0) + "\ny\n"))


def test_files_that_are_none(tmp_path: Path) -> None:
    for text in ("", "\n\n", "# only a comment\n"):
        with pytest.raises(InputError, match="holds no sentence"):
            read_parses(_file(tmp_path, text))
    (tmp_path / "latin.conllu").write_bytes("1\tMüller".encode("latin-1"))
    with pytest.raises(InputError, match="not in UTF-8"):
        read_parses(str(tmp_path / "latin.conllu"))
    for path in (tmp_path, tmp_path / "absent"):
        with pytest.raises(InputError, match="cannot be read"):
            read_parses(str(path))


def test_a_file_that_changes_is_read_again(tmp_path: Path) -> None:
    assert list(read_parses(_file(tmp_path, _line(1, "Ja", 0)))) == [("Ja",)]
    assert list(read_parses(_file(tmp_path, _line(1, "Nein", 0)))) == [("Nein",)]
