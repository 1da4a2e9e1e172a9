"""CoNLL files are written as they were read, brought up to date where something changed, and never wrongly."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from nerquake.core.dataset import Dataset
from nerquake.core.edits import Edit, Rewrite, apply_edits, apply_rewrite
from nerquake.core.errors import OutputError
from nerquake.core.protocols import ReadOptions
from nerquake.core.scheme import SCHEMES
from nerquake.core.sentence import Sentence, token_hash
from nerquake.core.span import Span
from nerquake.io.conll import Conll
from nerquake.io.tags import written_scheme

DATA = Path(__file__).parent.parent / "data"


def read(text: str, conll: Conll = Conll()) -> Dataset:  # noqa: B008
    return conll.read_bytes("x.conll", text.encode(), ReadOptions())


def write(dataset: Dataset, conll: Conll = Conll()) -> str:  # noqa: B008
    return "".join(conll.lines(dataset))


def plain(*sentences: Sentence) -> Dataset:
    return Dataset("made", tuple(sentences))


ROUND_TRIPS = {
    "two columns": "a\tO\nBonn\tB-LOC\n\nb\tO\n",
    "no line end": "a O\n\nb B-X",
    "many blank lines": "\n\na O\n\n\n\t\nb O\n\n\n\n",
    "a tab as separator": "a\tO\n\t\nb\tO\n",
    "odd blanks": "a  O\n b\tO \nc O\t\nd O\n",
    "an empty fifth column": "1\ta\tO\tO\n2\tb\tO\tO\t\n",
    "borders": "-DOCSTART- -X- -X- O\n\na O\n\n-DOCSTART- -X- O O\nb O\n-DOCSTART-\n-DOCSTART-\n\nc O\n\n-DOCSTART-\n",
    "one document twice": "-DOCSTART- -a- O\n\nx O\n\n-DOCSTART- -a- O\n\ny O\n",
    "ids": "# id a\tdomain=x\nb O\n\n# id c\tdomain=y\nd O\n\n",
    "ids glued and with blanks": "#id a b\nb O\n\n# sent_id=c\nd O\n\n# id: e \nf O\n",
    "comments inside and behind": "a O\n# file: x\nb O\n# end\n\nc O\n# last",
    "ids without blank lines": "# id a\nx O\n# id b\ny O\n",
    "text that fits and text that does not": "# text = In Bonn.\nIn O\nBonn O\n. O\n\n# text = other\nx O\n",
    "a header": "# top\nTOKEN\tNER\tX\n# doc\nBonn\tB-LOC\t_\n",
    "global columns": "# global.columns = FORM NER\n# id a\nx O\n\n# id b\ny O\n",
    "carriage returns inside": "a\rb\tO\nc\tO\n",
    "mixed separators": "New York\tB-LOC\nis\tO\nBonn B-LOC\n",
    "bioes": "a S-X\nb B-X\nc I-X\nd E-X\n",
    "iob1": "a I-X\nb B-X\nc I-Y\n",
    "bmes": "a B-X\nb M-X\nc E-X\nd S-X\n",
}


@pytest.mark.parametrize("text", ROUND_TRIPS.values(), ids=ROUND_TRIPS)
def test_what_is_read_is_written_byte_for_byte(text: str) -> None:
    conll = Conll(token=1, tag=2) if text.startswith("1\t") else Conll(tag=1)
    assert write(read(text, conll), conll) == text


def test_only_the_mark_and_the_line_ends_of_the_torture_file_change() -> None:
    path = DATA / "torture.conll"
    written = write(Conll().read(str(path), ReadOptions()))
    assert written.encode() == path.read_bytes().removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n")


@pytest.mark.parametrize("scheme", ["iob1", "bioes", "bilou", "bmes"])
def test_another_scheme_encodes_the_same_mentions_anew(scheme: str) -> None:
    found = read("a B-X\nb B-X\nc I-X\nd B-Y\ne O\n")
    other = replace(found, scheme=SCHEMES[scheme])
    again = Conll().read_bytes("x", write(other).encode(), ReadOptions(scheme=scheme))
    assert again.sentences[0].spans == found.sentences[0].spans
    assert write(other) != write(found)


def test_touching_mentions_that_io_cannot_hold_are_written_as_iob1_and_said() -> None:
    found = replace(read("a B-X\nb B-X\nc O\n"), scheme=SCHEMES["io"])
    assert write(found) == "a I-X\nb B-X\nc O\n"
    assert written_scheme(found)[0].name == "iob1"
    assert "iob1" in written_scheme(found)[1]
    assert written_scheme(read("a I-X\nb O\n")) == (SCHEMES["io"], "")


def test_new_tokens_get_an_underscore_in_other_columns_and_keep_the_separator() -> None:
    found = read("# id s1\td=x\nAnna NE _ B-PER\nmet V q O\n\n# id s2\td=y\nx Y _ O\n")
    sentence = found.sentences[0]
    new = apply_edits(sentence, [Edit(0, 1, ("Rosa", "Lind"), "mention")], "s1~swap").sentence
    assert write(replace(found, sentences=(new, found.sentences[1]))) == (
        "# id s1~swap\td=x\nRosa _ _ B-PER\nLind _ _ I-PER\nmet V q O\n\n# id s2\td=y\nx Y _ O\n"
    )


def test_a_new_token_with_a_blank_goes_into_a_tab_file_only() -> None:
    for text, holds in (("Anna\tB-PER\nmet\tO\n", True), ("Anna B-PER\nmet O\n", False)):
        found = read(text)
        new = apply_edits(found.sentences[0], [Edit(0, 1, ("Rosa Lind",), "mention")]).sentence
        dataset = replace(found, sentences=(new,))
        if holds:
            assert write(dataset) == "Rosa Lind\tB-PER\nmet\tO\n"
        else:
            with pytest.raises(OutputError, match=new.id):
                write(dataset)


def test_a_token_beside_a_line_that_stood_out_falls_back_to_the_separator_of_the_file() -> None:
    found = read("Bonn B-LOC\nis\tO\nold\tO\n")
    new = apply_edits(found.sentences[0], [Edit(0, 1, ("New York",), "mention")]).sentence
    assert write(replace(found, sentences=(new,))) == "New York\tB-LOC\nis\tO\nold\tO\n"


def test_the_text_line_follows_the_tokens_if_it_ever_fitted() -> None:
    found = read("# text = In Bonn.\nIn O\nBonn B-LOC\n. O\n\n# text = gone\nx B-LOC\n")
    edits = [Edit(1, 2, ("New", "York"), "mention")]
    first = apply_edits(found.sentences[0], edits).sentence
    second = apply_edits(found.sentences[1], [Edit(0, 1, ("y",), "mention")]).sentence
    written = write(replace(found, sentences=(first, second)))
    assert "# text = In New York.\n" in written
    assert "# text = gone\n" in written
    rewritten = apply_rewrite(found.sentences[0], Rewrite(("a", "b"), (), (None,))).sentence
    assert "# text = a b\n" in write(replace(found, sentences=(rewritten,)))


def test_a_border_is_written_even_if_the_first_sentence_of_its_document_is_left_out() -> None:
    text = "-DOCSTART- -X- O\n\na x O\n\nb x O\n\n-DOCSTART- -X- O\n\nc x O\n\nd x O\n"
    found = read(text)
    a, b, c, d = found.sentences
    assert write(replace(found, sentences=(b, d))) == ("-DOCSTART- -X- O\n\nb x O\n\n-DOCSTART- -X- O\n\nd x O\n")
    assert write(replace(found, sentences=(a, d))) == "-DOCSTART- -X- O\n\na x O\n\n-DOCSTART- -X- O\n\nd x O\n"
    assert write(replace(found, sentences=(c, d))) == "-DOCSTART- -X- O\n\nc x O\n\nd x O\n"


def test_a_named_document_and_a_header_are_written_even_if_the_first_sentence_is_left_out() -> None:
    text = "TOKEN\tNER\tX\n# newdoc id = d\n# sent_id = a\nx\tO\t_\n\n# sent_id = b\ny\tO\t_\n"
    found = read(text, Conll(tag=1))
    written = write(replace(found, sentences=found.sentences[1:]), Conll(tag=1))
    assert written == "TOKEN\tNER\tX\n# newdoc id = d\n# sent_id = b\ny\tO\t_\n"


def test_a_file_that_begins_with_its_second_sentence_does_not_begin_with_a_blank_line() -> None:
    found = read("a O\n\nb O\n\nc O\n\n")
    assert write(replace(found, sentences=found.sentences[1:])) == "b O\n\nc O\n\n"


def test_sentences_that_are_added_or_moved_are_parted_by_blank_lines() -> None:
    found = read("# id a\nx O\n\n# id b\ny O\n")
    copies = tuple(replace(sentence, id=f"{sentence.id}~2") for sentence in found)
    written = write(replace(found, sentences=(*found.sentences, *copies)))
    assert written == "# id a\nx O\n\n# id b\ny O\n\n# id a~2\nx O\n\n# id b~2\ny O\n"
    moved = write(replace(found, sentences=found.sentences[::-1]))
    assert [s.id for s in read(moved)] == ["b", "a"]


def test_a_copy_behind_its_original_does_not_open_the_document_again() -> None:
    found = read("-DOCSTART- O\n\na O\n\nb O\n")
    a, b = found.sentences
    copy = replace(a, id=f"{token_hash(('a',))}.2")
    assert write(replace(found, sentences=(a, copy, b))).count("-DOCSTART-") == 1


def test_an_id_line_is_added_where_a_sentence_got_an_id() -> None:
    found = read("a O\n\nb O\n")
    named = tuple(replace(s, id=f"n{i}", hashed=False) for i, s in enumerate(found))
    assert write(replace(found, sentences=named)) == "# id n0\na O\n\n# id n1\nb O\n"


def test_the_plain_form_reads_back_as_equal_sentences() -> None:
    given = plain(
        Sentence("s1", ("In", "Bonn", "."), (Span(1, 2, "LOC"),), spaces=(True, False, False), doc_id="s1",
                 columns=(("X", ""), ("Y", "é"), ("", "")), meta=(("domain", "news"), ("k", "a=b")), source="s0"),
        Sentence("s 2", ("#", "\u00a0"), doc_id="s1", columns=(("a", "b"), ("c", "d"))),
        Sentence("s3", ("x",), (Span(0, 1, "B-C"),), doc_id="report 7", columns=(("a", "b"),)),
    )  # fmt: skip
    text = write(given)
    assert text.startswith("-DOCSTART-\t-X-\t-X-\tO\n\n# id s1\tdomain=news\tk=a=b\tsource-id=s0\n")
    assert read(text).sentences == given.sentences


def test_the_plain_form_of_hashed_sentences_has_no_comments() -> None:
    given = plain(*(Sentence(token_hash((t,)), (t,), hashed=True) for t in ("a", "b")))
    assert write(given) == "a\tO\n\nb\tO\n"


def test_sentences_of_another_format_are_written_plainly() -> None:
    found = read("a O\n")
    foreign = replace(found, layout=None)
    assert write(foreign) == "a\tO\n"


@pytest.mark.parametrize("token", ["", " ", "\t", "a\tb", "a\nb", "\n", "a\r", "a\x00b", "-DOCSTART-", " \r "])
def test_a_token_that_the_format_cannot_hold_is_never_written_wrongly(token: str) -> None:
    with pytest.raises(OutputError, match="s7"):
        write(plain(Sentence("s7", ("a", token))))


@pytest.mark.parametrize(
    "sentence",
    [
        Sentence("s7", ("a",), (Span(0, 1, "PER "),)),
        Sentence("s7", ("a",), (Span(0, 1, "P\nER"),)),
        Sentence("s7", ("a",), columns=(("x\ty",),)),
        Sentence("s7\t", ("a",)),
        Sentence("s7\nb", ("a",)),
        Sentence(" s7", ("a",)),
        Sentence("s7", ("a",), meta=(("a=b", "c"),)),
        Sentence("s7", ("a",), meta=(("a", "c\td"),)),
        Sentence("s7", ("a",), doc_id="x\ny"),
        Sentence("s7", ("a", " b"), spaces=(False, False)),
    ],
)
def test_labels_cells_ids_and_comments_that_would_read_back_as_others_are_refused(sentence: Sentence) -> None:
    try:
        text = write(plain(sentence))
    except OutputError as error:
        assert "s7" in str(error)
    else:
        pytest.fail(f"written as {text!r}")


def test_a_first_token_that_begins_with_a_mark_survives() -> None:
    given = plain(Sentence("x", ("\ufeffa",), hashed=True))
    assert read(write(given)).sentences[0].tokens == ("\ufeffa",)


def test_columns_that_the_data_set_does_not_have_cannot_be_written() -> None:
    with pytest.raises(OutputError, match="2 columns"):
        write(plain(Sentence("s", ("a",))), Conll(token=3))


def test_the_separator_can_be_asked_for() -> None:
    found = read("a  x O\nb y O\n")
    assert write(found, Conll(sep="tab")) == "a\tx\tO\nb\ty\tO\n"
    assert write(read("a\tx\tO\n"), Conll(sep="blank")) == "a x O\n"
    with pytest.raises(OutputError):
        write(read("New York\tO\n"), Conll(sep="blank"))
