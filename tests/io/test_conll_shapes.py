"""CoNLL files in all their shapes are read as what they mean."""

from __future__ import annotations

from pathlib import Path

import pytest

from nerquake.core.dataset import Dataset
from nerquake.core.protocols import ReadOptions
from nerquake.core.sentence import token_hash
from nerquake.core.span import Span
from nerquake.io.conll import Conll

DATA = Path(__file__).parent.parent / "data"


def read(text: str | bytes, conll: Conll = Conll(), **options: object) -> Dataset:  # noqa: B008
    data = text.encode() if isinstance(text, str) else text
    return conll.read_bytes("x.conll", data, ReadOptions(**options))  # type: ignore[arg-type]


def tokens(dataset: Dataset) -> list[tuple[str, ...]]:
    return [sentence.tokens for sentence in dataset]


def test_case_13_the_torture_file() -> None:
    found = Conll().read(str(DATA / "torture.conll"), ReadOptions())
    assert tokens(found) == [
        ("New York", "said", "a\u2028b"),
        ("\u00a0", "EU", "UN"),
        ("#NER", "#"),
        ("in", "Bonn"),
    ]
    first, _, third, _ = (sentence.id for sentence in found)
    assert [sentence.doc_id for sentence in found] == [first, first, third, third]
    assert found.sentences[1].spans == (Span(1, 2, "ORG"), Span(2, 3, "ORG"))
    assert found.sentences[3].spans == (Span(1, 2, "LOC"),)
    assert found.sentences[0].columns == (("NNP",), ("VBD",), ("XX",))
    assert "documents: 2" in found.notes
    assert any("byte order mark" in note for note in found.notes)
    assert any("CRLF" in note for note in found.notes)


def test_case_12_the_words_null_and_na_and_quotes_stay_words() -> None:
    found = Conll().read(str(DATA / "nulls.tsv"), ReadOptions())
    assert tokens(found) == [("NA", "said", '"', "Null", "won", '"')]
    assert found.sentences[0].spans == (Span(0, 1, "LOC"), Span(3, 4, "PER"))


def test_cells_of_a_tab_file_may_hold_blanks_or_be_empty() -> None:
    found = read("New York\t\tB-LOC\n a \tx\tO\n")
    assert tokens(found) == [("New York", " a ")]
    assert found.sentences[0].columns == (("",), ("x",))


def test_blanks_and_tabs_mixed_part_cells_where_most_lines_have_no_tab() -> None:
    assert tokens(read("a O\nb  O\n c\tO \nd O\ne O\n")) == [("a", "b", "c", "d", "e")]


def test_a_line_of_blanks_in_a_tab_file_is_read_and_said() -> None:
    found = read("New York\tB-LOC\nis\tO\nBonn B-LOC\n")
    assert tokens(found) == [("New York", "is", "Bonn")]
    assert any("separated by blanks" in note for note in found.notes)


@pytest.mark.parametrize("unicode_blank", ["\u00a0", "\u200b", "\u2028", "\u3000", "\x85", "\x1c", "\x0b", "\u2029"])
@pytest.mark.parametrize("separator", ["\t", " "])
def test_a_token_of_a_unicode_blank_alone_stays_a_token(unicode_blank: str, separator: str) -> None:
    found = read(f"a{separator}O\n{unicode_blank}{separator}B-LOC\nb{separator}O\n")
    assert tokens(found) == [("a", unicode_blank, "b")]


@pytest.mark.parametrize("blank", ["", "\t", " ", " \t ", "\r"])
def test_a_line_of_blanks_parts_sentences_and_two_make_no_empty_one(blank: str) -> None:
    assert tokens(read(f"{blank}\na\tO\n{blank}\n{blank}\nb\tO\n{blank}\n")) == [("a",), ("b",)]


def test_columns_are_counted_from_either_end() -> None:
    text = "1\tBonn\tB-LOC\tO\t-\n2\tlies\tO\tO\t-\n"
    found = read(text, Conll(token=1, tag=2))
    assert tokens(found) == [("Bonn", "lies")]
    assert found.sentences[0].columns[0] == ("1", "O", "-")
    assert tokens(read(text, Conll(token=-4, tag=-3))) == tokens(found)


def test_the_tag_may_stand_in_front() -> None:
    found = read("B-LOC\tBonn\nO\tis\n", Conll(token=1, tag=0))
    assert tokens(found) == [("Bonn", "is")]
    assert found.sentences[0].spans == (Span(0, 1, "LOC"),)


def test_an_empty_column_behind_every_line_is_no_column() -> None:
    found = read("Bonn\tNE\tB-LOC\t\nis\tV\tO\t\n")
    assert found.sentences[0].spans == (Span(0, 1, "LOC"),)
    assert found.sentences[0].columns == (("NE",), ("V",))


@pytest.mark.parametrize(
    "border",
    ["-DOCSTART-", "-DOCSTART- O", "-DOCSTART-\tO", "-DOCSTART- -X- -X- O", "-DOCSTART- -X- O O", "-DOCSTART-\t-X-\tO"],
)
def test_every_kind_of_docstart_is_a_border_and_no_token(border: str) -> None:
    found = read(f"{border}\n\na O\n\n{border}\nb O\n\nc O\n")
    assert tokens(found) == [("a",), ("b",), ("c",)]
    first, second, _ = (sentence.id for sentence in found)
    assert [sentence.doc_id for sentence in found] == [first, second, second]


def test_a_docstart_line_names_its_document() -> None:
    found = read("-DOCSTART- -672-x/1- O O\n\na\tb\tc\tO\n")
    assert found.sentences[0].doc_id == "672-x/1"


def test_a_border_ends_the_sentence_before_it_and_lookalikes_are_tokens() -> None:
    assert tokens(read("a O\n-DOCSTART- O\nb O\n")) == [("a",), ("b",)]
    assert tokens(read("-DOCSTART-s O\n-DOCSTART O\n")) == [("-DOCSTART-s", "-DOCSTART")]
    assert tokens(read("1\t-DOCSTART-\tO\n", Conll(token=1))) == [("-DOCSTART-",)]


def test_multiconer_comments_give_id_and_domain() -> None:
    found = read("# id fc-1\tdomain=train\nbonn _ _ B-LOC\n# _ _ O\n\n# id fc-2\tdomain=dev\nulm _ _ O\n")
    assert [(s.id, s.meta, s.hashed) for s in found] == [
        ("fc-1", (("domain", "train"),), False),
        ("fc-2", (("domain", "dev"),), False),
    ]
    assert found.sentences[0].tokens == ("bonn", "#")


def test_conllu_comments_give_ids_documents_blanks_and_the_rest() -> None:
    found = read(
        "# newdoc id = d1\n# sent_id = d1-1\n# text = In Bonn.\n# translit = x y\n"
        "1\tIn\tO\n2\tBonn\tB-LOC\n3\t.\tO\n\n# newdoc\n# sent_id = d2-1\n1\tUlm\tO\n",
        Conll(token=1),
    )
    first, second = found.sentences
    assert (first.id, first.doc_id, first.spaces) == ("d1-1", "d1", (True, False, False))
    assert first.text == "In Bonn."
    assert first.meta == (("translit", "x y"),)
    assert (second.id, second.doc_id, second.spaces) == ("d2-1", "d2-1", None)


def test_tokens_that_begin_with_a_hash_are_no_comments() -> None:
    assert tokens(read("#\tO\n#NER\tB-ORG\n# 1\tO\n")) == [("#", "#NER", "# 1")]
    assert tokens(read("# O\n#a B-LOC\n")) == [("#", "#a")]
    assert tokens(read("# comment\n#NER O\n##\nb O\n")) == [("#NER", "b")]


def test_a_comment_may_have_as_many_cells_as_a_token_line() -> None:
    found = read("#\thttp://x.org\t[2010]\t\n1\tBonn\tB-LOC\tO\n", Conll(token=1, tag=2))
    assert tokens(found) == [("Bonn",)]
    assert tokens(read("# sent_id = O\na b c O\n")) == [("a",)]


def test_an_id_line_begins_a_sentence_without_a_blank_line() -> None:
    found = read("# id a\nx O\n# id b\ny O\n")
    assert [(s.id, s.tokens) for s in found] == [("a", ("x",)), ("b", ("y",))]


def test_sentences_without_ids_get_the_hash_of_their_tokens() -> None:
    found = read("a O\n\nb O\n\na O\n")
    once = token_hash(("a",))
    assert [s.id for s in found] == [once, token_hash(("b",)), f"{once}.2"]
    assert all(s.hashed for s in found)


def test_line_ends_of_old_macs_and_a_file_of_one_line() -> None:
    assert tokens(read("a O\rb B-X\r\rc O\r")) == [("a", "b"), ("c",)]
    assert tokens(read("Bonn B-LOC")) == [("Bonn",)]


def test_a_lone_carriage_return_inside_a_line_parts_nothing() -> None:
    assert tokens(read("a\rb\tO\nc\tO\n")) == [("a\rb", "c")]


def test_a_header_is_no_sentence() -> None:
    found = read("TOKEN\tNER\tMISC\n\nBonn\tB-LOC\t_\n", Conll(tag=1))
    assert tokens(found) == [("Bonn",)]
    assert "line 1 is a header" in found.notes


def test_other_encodings_are_declared() -> None:
    found = Conll(encoding="latin-1").read(str(DATA / "latin-1.conll"), ReadOptions())
    assert found.sentences[1].tokens == ("München", "nicht")
    assert any("latin-1" in note for note in found.notes)
    assert tokens(Conll(encoding="utf-16").read(str(DATA / "utf-16.conll"), ReadOptions())) == [("Bonn",)]


@pytest.mark.parametrize(
    ("text", "scheme", "spans"),
    [
        ("a I-LOC\nb B-LOC\nc O\n", "iob1", [(0, 1), (1, 2)]),
        ("a I-LOC\nb I-LOC\nc O\n", "io", [(0, 2)]),
        ("a B-LOC\nb B-LOC\nc I-LOC\n", "iob2", [(0, 1), (1, 3)]),
        ("a S-LOC\nb B-LOC\nc E-LOC\n", "bioes", [(0, 1), (1, 3)]),
        ("a U-LOC\nb B-LOC\nc L-LOC\n", "bilou", [(0, 1), (1, 3)]),
        ("a B-LOC\nb M-LOC\nc E-LOC\n", "bmes", [(0, 3)]),
        ("a O\nb O\n", "iob2", []),
    ],
)
def test_the_scheme_is_detected_and_said(text: str, scheme: str, spans: list[tuple[int, int]]) -> None:
    found = read(text)
    assert found.scheme is not None
    assert found.scheme.name == scheme
    assert any(note.startswith(f"scheme detected: {scheme}") for note in found.notes)
    assert [(span.start, span.end) for span in found.sentences[0].spans] == spans


def test_case_17_declared_iob1_reads_two_mentions() -> None:
    found = read("a I-LOC\nb B-LOC\nc O\n", scheme="iob1")
    assert found.sentences[0].spans == (Span(0, 1, "LOC"), Span(1, 2, "LOC"))


@pytest.mark.parametrize("alias", ["bio", "BIO", "iob2", "iobes"])
def test_schemes_have_aliases(alias: str) -> None:
    assert read("a O\n", scheme=alias).scheme is not None


def test_case_20_adjacent_mentions_stay_two() -> None:
    found = read("a B-ORG\nb B-PER\nc B-PER\n")
    assert found.sentences[0].spans == (Span(0, 1, "ORG"), Span(1, 2, "PER"), Span(2, 3, "PER"))


def test_labels_keep_their_hyphens() -> None:
    assert read("a B-location-stop\nb I-location-stop\n").labels == ("location-stop",)


def test_a_file_without_mentions_is_legal() -> None:
    assert not Conll().read(str(DATA / "no-mentions.conll"), ReadOptions()).mentions


def test_strings_and_gaps_are_shared() -> None:
    found = read("Bonn _ O\nis _ O\n\nBonn _ O\nis _ O\n")
    one, two = found.sentences
    assert one.tokens[0] is two.tokens[0]
    assert one.columns[0] is two.columns[1]
    assert one.layout is not None
    assert two.layout is not None
    assert one.layout.gaps[0] is two.layout.gaps[1]


def test_a_comment_whose_value_looks_like_a_tag_is_a_comment() -> None:
    found = read("# id s1\n# text = B-PERAnna\nB-PER\tx\ty\tO\nAnna\tx\ty\tO\n")
    assert tokens(found) == [("B-PER", "Anna")]
    assert found.sentences[0].spaces == (False, False)
