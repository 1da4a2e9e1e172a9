"""spaCy's .spacy files: sentences, blanks, entities and what is not kept."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from nerquake.core.dataset import Dataset
from nerquake.core.edits import Edit, apply_edits
from nerquake.core.errors import FormatError, OutputError
from nerquake.core.protocols import ReadOptions
from nerquake.core.sentence import Sentence
from nerquake.core.span import Span
from nerquake.io.docbin import SpacyDocs
from nerquake.io.load import load, save

if not os.environ.get("NERQUAKE_TEST_ALL"):  # where every extra was promised, a missing one is a failure
    pytest.importorskip("spacy", reason='pip install "nerquake[spacy]"')
import spacy
from spacy.tokens import Doc, DocBin
from spacy.tokens import Span as Entity

WORDS = ["\n", "Anna", "Lind", "  ", "lebt", ".", "\n\n", "In", "Bonn", "\t", "am", "Rhein", "."]
SPACES = [False, True, False, False, False, False, False, True, True, False, True, False, False]
STARTS = [True, False, False, False, False, False, False, True, *[False] * 5]


def doc(
    words: list[str] = WORDS, ents: tuple[tuple[int, int, str], ...] = ((1, 3, "PER"), (8, 12, "LOC")), **more: Any
) -> Any:
    vocab = spacy.blank("de").vocab
    if words is WORDS:
        more = {"spaces": SPACES, "sent_starts": STARTS, **more}
    made = Doc(vocab, words=words, **more)
    made.set_ents([Entity(made, start, end, label=label) for start, end, label in ents])
    return made


def packed(*docs: Any, user: bool = False) -> bytes:
    data: bytes = DocBin(docs=docs, store_user_data=user).to_bytes()
    return data


def read(data: bytes, options: ReadOptions = ReadOptions()) -> Dataset:  # noqa: B008
    return SpacyDocs("de").read_bytes("x.spacy", data, options)


def written(dataset: Dataset) -> bytes:
    return b"".join(SpacyDocs("de").lines(dataset))


def docs_of(data: bytes) -> list[Any]:
    return list(DocBin().from_bytes(data).get_docs(spacy.blank("de").vocab))


def test_sentences_blanks_and_entities() -> None:
    data = read(packed(doc(), doc(["Ulm", "!"], ((0, 1, "LOC"),))))
    first, second, third = data.sentences
    assert first.tokens == ("Anna", "Lind", "lebt", ".")
    assert first.spans == (Span(0, 2, "PER"),)
    assert second.tokens == ("In", "Bonn", "am", "Rhein", ".")
    assert second.spans == (Span(1, 4, "LOC"),)
    assert (first.doc_id, second.doc_id, third.doc_id) == ("1", "1", None)
    assert third.tokens == ("Ulm", "!")
    assert all(s.hashed for s in data)
    assert data.language == "de"
    assert any("only blanks, kept beside the sentences: 4" in note for note in data.notes)


def test_text_sentences_and_entities_come_back() -> None:
    source = packed(doc(), doc(["Ulm", "!"], ((0, 1, "LOC"),)))
    for before, after in zip(docs_of(source), docs_of(written(read(source))), strict=True):
        assert after.text == before.text
        assert [t.text for t in after] == [t.text for t in before]
        assert [(e.start, e.end, e.label_) for e in after.ents] == [(e.start, e.end, e.label_) for e in before.ents]
        assert [t.is_sent_start for t in after if before.has_annotation("SENT_START")] == [
            t.is_sent_start for t in before if before.has_annotation("SENT_START")
        ]


def test_what_is_written_is_read_and_written_byte_for_byte() -> None:
    once = written(read(packed(doc())))
    assert written(read(once)) == once


def test_attributes_are_columns_and_parses_are_noted() -> None:
    words = ["Anna", "lebt"]
    made = doc(words, ((0, 1, "PER"),), tags=["NE", "VV"], pos=["PROPN", "VERB"], lemmas=["Anna", "leben"],
               morphs=["Case=Nom", ""], heads=[1, 1], deps=["sb", "ROOT"])  # fmt: skip
    made.spans["other"] = [Entity(made, 0, 2, label="X")]
    made.cats = {"news": 1.0}
    data = read(packed(made))
    assert data.sentences[0].columns == (("NE", "PROPN", "Case=Nom", "Anna"), ("VV", "VERB", "", "leben"))
    assert any("not kept: categories, parses, span group 'other'" in note for note in data.notes)
    edited = apply_edits(data.sentences[0], [Edit(0, 1, ("Rosa", "Thal"), "mention")]).sentence
    (back,) = docs_of(written(data.with_sentences([edited])))
    assert [token.tag_ for token in back] == ["", "", "VV"]
    assert [token.lemma_ for token in back] == ["", "", "leben"]
    assert [(e.text, e.label_) for e in back.ents] == [("Rosa Thal", "PER")]


def test_edits_leave_blank_tokens_where_they_were() -> None:
    data = read(packed(doc()))
    second = data.sentences[1]
    made = apply_edits(second, [Edit(1, 4, ("Köln",), "mention")]).sentence
    (back,) = docs_of(written(data.with_sentences([data.sentences[0], made])))
    assert back.text == "\nAnna Lind  lebt.\n\nIn Köln."


def test_ids_and_documents_survive(tmp_path: Path) -> None:
    one = Sentence("s1", ("Bonn", "!"), (Span(0, 1, "LOC"),), spaces=(False, True), doc_id="d1")
    two = Sentence("s2", ("\u00a0", "x"), (Span(0, 1, "PER"),), doc_id="d1")
    three = Sentence("s3", ("y",))
    save(Dataset("x", (one, two, three)), tmp_path / "x.spacy", "docbin")
    data = load(str(tmp_path / "x.spacy"), "docbin")
    assert [(s.id, s.tokens, s.spans, s.doc_id) for s in data] == [
        (s.id, s.tokens, s.spans, s.doc_id) for s in (one, two, three)
    ]


def no_bin() -> list[bytes]:
    good = packed(doc())
    return [
        b"",
        b"{}",
        b"\x00\x01",
        b"PK\x03\x04",
        good[:-20],
        good[5:],
        b"Bonn B-LOC\n",
        b"\xff\xfe",
        good[:40],
        b"\n",
    ]


@pytest.mark.parametrize("data", no_bin())
def test_other_bytes_are_one_message(data: bytes) -> None:
    with pytest.raises(FormatError) as caught:
        read(data)
    assert "x.spacy" in str(caught.value)
    assert [problem.code for problem in caught.value.problems] == ["binary-file"]


def test_faults_are_named_by_document_and_nothing_else_is_lost() -> None:
    crossing = doc(["a", "b", "c", "d"], ((1, 3, "X"),), sent_starts=[True, False, True, False])
    blank = doc([" ", "a"], ((0, 1, "X"),))
    nothing = doc(["\n"], ())
    fine = doc(["Bonn"], ((0, 1, "LOC"),))
    found = SpacyDocs("de").examine("x.spacy", packed(fine, crossing, blank, nothing), ReadOptions())
    assert [(p.code, p.line) for p in found.problems] == [
        ("crosses-sentences", 2), ("empty-token", 3), ("empty-token", 4),
    ]  # fmt: skip
    lenient = read(packed(fine, crossing), ReadOptions(lenient=True))
    assert [s.tokens for s in lenient] == [("Bonn",)]
    repeated = packed(*docs_of(written(Dataset("x", (Sentence("s", ("a",)),)))) * 2, user=True)
    assert [p.code for p in SpacyDocs().examine("x", repeated, ReadOptions()).problems] == ["duplicate-id"]


def test_a_blank_token_is_refused() -> None:
    with pytest.raises(OutputError, match="sentence 's'"):
        written(Dataset("x", (Sentence("s", ("a", " ")),)))
