"""Whatever stands in a CoNLL file, reading and writing lose nothing."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.strategies import any_tags, datasets, edits, sentences

from nerquake.core.dataset import Dataset
from nerquake.core.edits import apply_edits
from nerquake.core.errors import FormatError, OutputError
from nerquake.core.protocols import ReadOptions
from nerquake.core.scheme import SCHEMES
from nerquake.io.conll import Conll

CONLL = Conll()
_words = st.sampled_from(
    ("Bonn", "New York", "#", "#NER", "# id", "\u00a0", "\u2028", "\u200b", "\ufeff", '"', "NA", "-DOCSTART-", "-", "_",
     "", " ", "O", "B-PER", "=", "id", "text", "a\rb", "हैदराबाद", "🙂")
)  # fmt: skip
_tag_cells = st.sampled_from(("O", "O", "O", "B-PER", "I-PER", "S-X", "E-X", "I-X", " O", "O ", "B", "o", ""))
_lines = st.one_of(
    st.sampled_from(("", "", "", "\t", " ", "# id s1", "# id s2\tdomain=x", "# text = Bonn .", "# x = y", "#c",
                     "-DOCSTART- -X- O", "-DOCSTART-", "# newdoc id = d", "# newdoc", "a", "TOKEN\tNER")),
    st.builds("{}\t{}".format, _words, _tag_cells),
    st.builds("{} {}".format, _words, _tag_cells),
    st.builds("{}\t{}\t{}".format, _words, _words, _tag_cells),
)  # fmt: skip


def text_of(dataset: Dataset) -> str:
    return "".join(CONLL.lines(dataset))


@settings(max_examples=120)
@given(st.lists(_lines, max_size=14), st.sampled_from(("\n", "\r\n")), st.booleans())
def test_any_file_is_read_and_written_byte_for_byte_or_refused(lines: list[str], newline: str, ended: bool) -> None:
    text = newline.join(lines) + (newline if ended else "")
    try:
        found = CONLL.read_bytes("x", text.encode(), ReadOptions())
    except FormatError as error:
        assert error.problems
        return
    expected = text.replace("\r\n", "\n").removeprefix("\ufeff")
    assert text_of(found).removeprefix("\ufeff") == expected.removeprefix("\ufeff")


@settings(max_examples=100)
@given(st.lists(_lines, max_size=14), st.sampled_from(("tab", "blank")))
def test_lenient_reading_only_ever_leaves_out_and_reads_back_alike(
    lines: list[str], sep: Literal["tab", "blank"]
) -> None:
    """The separator is declared: which one most lines have may change with the lines that are left out."""
    conll = Conll(sep=sep)
    try:
        found = conll.read_bytes("x", "\n".join(lines).encode(), ReadOptions(lenient=True, repair="conlleval"))
    except FormatError:
        return
    if all(token.startswith("#") for sentence in found for token in sentence.tokens):
        return  # the shape of a file hangs on lines that cannot be comments
    scheme = found.scheme.name if found.scheme else "auto"
    try:
        text = "".join(conll.lines(found))
    except OutputError as error:  # such as a token that would read back as the border of a document
        assert any(repr(sentence.id) in str(error) for sentence in found)
        return
    again = conll.read_bytes("x", text.encode(), ReadOptions(scheme=scheme))
    assert [(s.tokens, s.spans) for s in again] == [(s.tokens, s.spans) for s in found]


@settings(max_examples=100)
@given(datasets(laid_out=True), st.sampled_from(sorted(SCHEMES)))
def test_any_data_set_is_written_and_read_back_or_refused(dataset: Dataset, scheme: str) -> None:
    dataset = replace(dataset, scheme=SCHEMES[scheme])
    widths = {len(s.columns[0]) if s.columns else 0 for s in dataset}
    try:
        text = text_of(dataset)
    except OutputError as error:
        assert any(repr(sentence.id) in str(error) for sentence in dataset)
        return
    written = "iob1" if scheme == "io" and not all(SCHEMES["io"].holds(s.spans) for s in dataset) else scheme
    found = CONLL.read_bytes("x", text.encode(), ReadOptions(scheme=written))
    if len(widths) == 1:
        assert found.sentences == dataset.sentences
    assert [(s.id, s.tokens, s.spans, s.spaces) for s in found] == [
        (s.id, s.tokens, s.spans, s.spaces) for s in dataset
    ]


@settings(max_examples=80)
@given(st.data())
def test_edited_sentences_are_written_into_their_own_file(data: st.DataObject) -> None:
    original = data.draw(datasets(laid_out=True, max_size=4))
    try:
        found = CONLL.read_bytes("x", text_of(original).encode(), ReadOptions(scheme="iob2"))
    except OutputError:
        return
    edited = []
    for sentence in found:
        new_id = sentence.id if sentence.hashed else f"{sentence.id}~swap"
        edited.append(apply_edits(sentence, data.draw(edits(sentence)), new_id).sentence)
    attacked = replace(found, sentences=tuple(edited))
    try:
        text = text_of(attacked)
    except OutputError:
        return
    again = CONLL.read_bytes("x", text.encode(), ReadOptions(scheme="iob2"))
    assert [(s.tokens, s.spans, s.columns) for s in again] == [(s.tokens, s.spans, s.columns) for s in edited]
    assert [s.id for s in again if not s.hashed] == [s.id for s in edited if not s.hashed]


@settings(max_examples=60)
@given(st.lists(any_tags(prefixes="BIES"), min_size=1, max_size=4), st.sampled_from(("iob2", "bioes", "iob1", "io")))
def test_what_repair_makes_of_gold_is_well_formed(tags: list[list[str]], scheme: str) -> None:
    text = "\n\n".join("\n".join(f"w{i} {tag}" for i, tag in enumerate(row)) for row in tags if row)
    if not text:
        return
    for repair in ("conlleval", "discard"):
        found = CONLL.read_bytes("x", text.encode(), ReadOptions(scheme=scheme, repair=repair))
        again = CONLL.examine("x", text_of(found).encode(), ReadOptions(scheme="iob1" if scheme == "io" else scheme))
        assert not again.problems
        assert again.dataset is not None
        assert [s.spans for s in again.dataset] == [s.spans for s in found]


@settings(max_examples=60)
@given(sentences(), st.integers(0, 3))
def test_copies_of_a_sentence_have_different_ids_that_survive(sentence: object, copies: int) -> None:
    body = "".join(f"w{i} O\n" for i in range(len(sentence)))  # type: ignore[arg-type]
    found = CONLL.read_bytes("x", ("\n".join([body] * (copies + 1))).encode(), ReadOptions())
    assert len({s.id for s in found}) == copies + 1
    assert [s.id for s in CONLL.read_bytes("x", text_of(found).encode(), ReadOptions())] == [s.id for s in found]
