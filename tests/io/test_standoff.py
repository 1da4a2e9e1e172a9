"""What all formats with character offsets share: units, words, spacing, alignment, nesting."""

from __future__ import annotations

import json
import re
from itertools import pairwise
from typing import Any
from unicodedata import combining

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.strategies import NASTY_TOKENS, datasets

from nerquake.core.dataset import Dataset
from nerquake.core.edits import Edit, apply_edits
from nerquake.core.errors import FormatError, MissingExtra, UnknownName, UsageError
from nerquake.core.protocols import ReadOptions
from nerquake.core.sentence import Sentence
from nerquake.core.span import Span
from nerquake.io import standoff_tokens
from nerquake.io.doccano import Doccano
from nerquake.io.standoff_tokens import BLANKS, regex, tokeniser, whitespace

STRICT = ReadOptions()


def record(text: str, *labels: list[Any], **more: Any) -> bytes:
    return (json.dumps({"text": text, "label": list(labels), **more}, ensure_ascii=False) + "\n").encode()


def read(form: Doccano, data: bytes, **options: Any) -> Dataset:
    return form.read_bytes("x.jsonl", data, ReadOptions(**options))


def surfaces(dataset: Dataset) -> list[str]:
    return [sentence.surface(span) for sentence in dataset for span in sentence.spans]


def refused(form: Doccano, data: bytes, **options: Any) -> FormatError:
    with pytest.raises(FormatError) as caught:
        read(form, data, **options)
    return caught.value


# Case 15 of the cases: offsets in another unit are never loaded silently.

EMOJI = record("🙂 Anna lebt", [3, 7, "PER"])


@pytest.mark.parametrize("words", ["regex", "whitespace", "spacy:de"])
def test_offsets_of_a_browser_need_their_unit(words: str) -> None:
    if words == "spacy:de":
        pytest.importorskip("spacy")
    assert surfaces(read(Doccano(tokenizer=words, offset_unit="utf16"), EMOJI)) == ["Anna"]
    error = refused(Doccano(tokenizer=words), EMOJI)
    assert [problem.code for problem in error.problems] == ["cuts-token"]
    assert "begins inside the word 'Anna'" in str(error)
    assert "with offset_unit=utf16 it is 'Anna'" in str(error)
    assert "line 1" in str(error)


@pytest.mark.parametrize(
    ("form", "label"),
    [
        (Doccano(), [2, 6, "PER"]),
        (Doccano(ends="inclusive"), [2, 5, "PER"]),
        (Doccano(offset_unit="utf16", ends="inclusive"), [3, 6, "PER"]),
        (Doccano(offset_unit="byte"), [5, 9, "PER"]),
        (Doccano(offset_unit="byte", ends="inclusive"), [5, 8, "PER"]),
    ],
    ids=lambda value: str(getattr(value, "spec", value)),
)
def test_every_way_of_counting_reads_its_own_and_names_itself_to_others(form: Doccano, label: list[Any]) -> None:
    data = record("🙂 Anna lebt", label)
    found = read(form, data)
    assert surfaces(found) == ["Anna"]
    assert "".join(form.lines(found)).encode() == data
    moved = found.with_sentences([found.sentences[0].with_spans([Span(1, 2, "ORG")])])
    assert json.loads("".join(form.lines(moved)))["label"] == [[*label[:2], "ORG"]]
    for other in (Doccano(), Doccano(offset_unit="utf16"), Doccano(offset_unit="byte"), Doccano(ends="inclusive")):
        if (other.offset_unit, other.ends) != (form.offset_unit, form.ends):
            named = {f"offset_unit={form.offset_unit}": form.offset_unit != other.offset_unit}
            named |= {f"ends={form.ends}": form.ends != other.ends}
            error = refused(other, data)
            assert "it is 'Anna'" in str(error)
            assert [key in str(error) for key in named] == list(named.values())


def test_a_file_is_written_in_the_unit_that_is_asked_for() -> None:
    found = read(Doccano(offset_unit="utf16"), EMOJI)
    for form, place in (
        (Doccano(), [2, 6]),
        (Doccano(offset_unit="byte"), [5, 9]),
        (Doccano(ends="inclusive"), [2, 5]),
    ):
        written = "".join(form.lines(found))
        assert json.loads(written)["label"] == [[*place, "PER"]]
        assert read(form, written.encode()).sentences == found.sentences


def test_an_offset_inside_a_character_is_refused() -> None:
    error = refused(Doccano(offset_unit="utf16"), record("🙂 Anna", [1, 7, "PER"]))
    assert [problem.code for problem in error.problems] == ["cuts-character"]
    error = refused(Doccano(offset_unit="byte"), record("Jürgen", [2, 7, "PER"]))
    assert [problem.code for problem in error.problems] == ["cuts-character"]


def test_line_ends_of_two_characters() -> None:
    two, one = record("Anna\r\nBo Li", [6, 8, "PER"]), record("Anna\r\nBo Li", [5, 7, "PER"])
    assert surfaces(read(Doccano(), two)) == ["Bo"]
    assert surfaces(read(Doccano(crlf="one"), one)) == ["Bo"]
    assert "with crlf=one it is 'Bo'" in str(refused(Doccano(), one))
    assert "".join(Doccano().lines(read(Doccano(), two))).encode() == two
    as_file = two.replace(b"\n", b"\r\n")  # line ends of the file itself are another matter
    assert surfaces(read(Doccano(), as_file)) == ["Bo"]


# Words.


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Anna's 3,5 km.", ["Anna", "'", "s", "3,5", "km", "."]),
        ("Jürgen Groß, İzmir", ["Jürgen", "Groß", ",", "İzmir"]),
        ("हैदराबाद की।", ["हैदराबाद", "की", "।"]),
        ("क्षेत्र", ["क्षेत्र"]),
        ("👩‍👩‍👧 🇮🇳🇩🇪 👍🏽!", ["👩‍👩‍👧", "🇮🇳", "🇩🇪", "👍🏽", "!"]),
        ("am 1996-12-06 um 10:30.", ["am", "1996", "-", "12", "-", "06", "um", "10:30", "."]),
        ("ü 10:30. 1,000,", ["ü", "10:30", ".", "1,000", ","]),
        ("北京にABC", ["北", "京", "に", "ABC"]),
        ("a\u00a0b\u2028c\u200bd", ["a", "b", "c", "d"]),
        ("e\u0301te\u0301", ["e\u0301te\u0301"]),
        ("سوريا، שלום", ["سوريا", "،", "שלום"]),
    ],
)
def test_words_of_the_regex_tokeniser(text: str, words: list[str]) -> None:
    assert [text[start:end] for start, end in regex(text)] == words


TEXTS = st.text(
    st.one_of(st.characters(exclude_categories=("Cs", "Cc")), st.sampled_from("ab1., \u0301\u200d🙂👍🏽की")),
    max_size=20,
)


@given(TEXTS)
def test_tokens_are_ordered_lose_no_letter_and_split_no_cluster(text: str) -> None:
    for words in (regex, whitespace):
        found = words(text)
        assert all(start < end for start, end in found)
        assert all(one[1] <= two[0] for one, two in pairwise(found))
        covered = {index for start, end in found for index in range(start, end)}
        assert all(index in covered for index, one in enumerate(text) if one.isalnum() or one in ".,🙂")
        for start, _ in found:
            inside = start > 0 and text[start - 1] not in BLANKS and text[start - 1].isprintable()
            assert not (inside and start - 1 in covered and combining(text[start]))
            assert not (inside and start - 1 in covered and text[start - 1] == "\u200d" and words is regex)


@given(st.text(st.characters(max_codepoint=126, min_codepoint=32), max_size=20))
def test_plain_english_is_cut_alike_on_the_fast_way(text: str) -> None:
    behind = f"{text} é"
    assert regex(text) == regex(behind)[:-1]


def test_rules_of_spacy_by_language() -> None:
    pytest.importorskip("spacy")
    text = "Dr. Groß  kommt.\n"
    assert [text[a:b] for a, b in tokeniser("spacy:de")(text)] == ["Dr.", "Groß", "kommt", "."]
    assert tokeniser("spacy", "de")(text) == tokeniser("spacy:de")(text)
    with pytest.raises(UsageError, match="needs a language"):
        tokeniser("spacy")
    with pytest.raises(UsageError, match="tokenizer=spacy:qq"):
        tokeniser("spacy:qq")


def test_unknown_tokenisers_are_named() -> None:
    for name in ("moses", "regex:de", ""):
        with pytest.raises(UnknownName, match="spacy:xx"):
            tokeniser(name)


def test_spacy_that_is_not_installed_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(standoff_tokens, "find_spec", lambda name: None)
    with pytest.raises(MissingExtra, match=re.escape('pip install "nerquake[spacy]"')):
        read(Doccano(tokenizer="spacy:de"), EMOJI)


# Spacing.


@given(
    st.text(st.sampled_from("ab.🙂é \t\n\r\u00a0\u0301"), min_size=1, max_size=14), st.sampled_from(["record", "lines"])
)
def test_the_text_comes_back_character_for_character(text: str, split: Any) -> None:
    form = Doccano(split=split)
    data = record("x" + text, id="r1")
    found = read(form, data)
    assert "".join(form.lines(found)).encode() == data
    renamed = [Sentence(s.id, s.tokens, (Span(0, 1, "X"),), s.spaces, s.doc_id, layout=s.layout) for s in found]
    changed = "".join(form.lines(found.with_sentences(renamed)))
    assert json.loads(changed)["text"] == "x" + text
    assert [s.tokens for s in read(form, changed.encode())] == [s.tokens for s in found]


@settings(max_examples=40)
@given(datasets(laid_out=True))
@example(Dataset("x", (Sentence("s", ("Anna", " "), (Span(1, 2, "X"),)),)))
def test_spaces_survive_with_any_tokens(dataset: Dataset) -> None:
    form = Doccano()
    plain = [Sentence(s.id, s.tokens, s.spans, s.spaces, hashed=s.hashed) for s in dataset]
    written = "".join(form.lines(dataset.with_sentences(plain)))
    for found, made in zip(read(form, written.encode()), plain, strict=True):
        assert (found.tokens, found.spans) == (made.tokens, made.spans)
        assert found.spaces == (made.spaces or (True,) * (len(made) - 1) + (False,))


def test_odd_blanks_stay_around_tokens_that_an_attack_puts_in() -> None:
    form = Doccano()
    found = read(form, record("  Anna lebt\t\tin   Bonn \n", [2, 6, "PER"], [18, 22, "LOC"]))
    sentence = found.sentences[0]
    edited = apply_edits(sentence, [Edit(0, 1, ("Rosa", "Lind"), "mention")]).sentence
    made = json.loads("".join(form.lines(found.with_sentences([edited]))))
    assert made["text"] == "  Rosa Lind lebt\t\tin   Bonn \n"
    assert [made["text"][start:end] for start, end, _ in made["label"]] == ["Rosa Lind", "Bonn"]


def test_lines_are_sentences_of_one_record() -> None:
    form = Doccano(split="lines")
    data = record("Anna lebt.\n\n Bo auch\n", [0, 4, "PER"], [13, 15, "PER"], id=7)
    found = read(form, data)
    assert [(s.id, s.doc_id, s.tokens) for s in found] == [
        ("7.1", "7", ("Anna", "lebt", ".")), ("7.2", "7", ("Bo", "auch")),
    ]  # fmt: skip
    assert "".join(form.lines(found)).encode() == data
    second = json.loads("".join(form.lines(found.with_sentences(found.sentences[1:]))))
    assert (second["text"].strip(), second["label"]) == ("Bo auch", [[1, 3, "PER"]])
    assert [s.id for s in read(form, json.dumps(second).encode())] == ["7.2"]
    error = refused(form, record("Anna\nBo", [0, 7, "PER"]))
    assert [problem.code for problem in error.problems] == ["crosses-line"]


# Spans that cut words.


@pytest.mark.parametrize(
    ("label", "expand", "contract"),
    [
        ([1, 4, "X"], ["Anna"], []),
        ([1, 9, "X"], ["Anna Lind"], ["Lind"]),
        ([0, 5, "X"], ["Anna"], ["Anna"]),
        ([4, 7, "X"], ["Lind"], []),
        ([4, 12, "X"], ["Lind ist"], ["Lind"]),
    ],
)
def test_a_cut_word_is_a_problem_or_a_counted_choice(label: list[Any], expand: list[str], contract: list[str]) -> None:
    data = record("Anna Lind ist da", label)
    assert [problem.code for problem in refused(Doccano(), data).problems] == ["cuts-token"]
    for align, expected in (("expand", expand), ("contract", contract)):
        found = read(Doccano(), data, align=align)
        assert surfaces(found) == expected
        (note,) = [note for note in found.notes if note.startswith("1 mention ")]
        assert ("left out" in note) == (not expected)


@pytest.mark.parametrize("label", [[17, 20, "X"], [0, 17, "X"], [3, 3, "X"], [5, 2, "X"], [-1, 4, "X"], [4, 5, "X"]])
def test_offsets_that_hold_no_word_are_problems_under_every_alignment(label: list[Any]) -> None:
    for align in ("strict", "expand", "contract"):
        error = refused(Doccano(), record("Anna Lind ist da", label), align=align)
        assert [problem.code for problem in error.problems] == ["offset-outside"]


# Nesting.

NEST = record("Universität Bonn am Rhein", [0, 16, "ORG"], [12, 16, "LOC"], [12, 25, "LOC"])


def test_nested_and_overlapping_mentions_are_refused_with_a_list() -> None:
    error = refused(Doccano(), NEST)
    assert [problem.code for problem in error.problems] == ["overlapping", "nested"]
    assert "'Bonn am Rhein'" in str(error)


@pytest.mark.parametrize(
    ("flatten", "labels", "expected"),
    [
        ("outer", [[0, 16, "ORG"], [12, 16, "LOC"]], ["Universität Bonn"]),
        ("inner", [[0, 16, "ORG"], [12, 16, "LOC"]], ["Bonn"]),
        ("longest", [[0, 16, "ORG"], [12, 16, "LOC"], [12, 25, "LOC"]], ["Bonn am Rhein"]),
        ("outer", [[12, 16, "A"], [12, 16, "B"]], ["Bonn"]),
        ("inner", [[0, 16, "A"], [0, 11, "B"], [12, 16, "C"]], ["Universität", "Bonn"]),
    ],
)
def test_flattening_is_counted(flatten: str, labels: list[list[Any]], expected: list[str]) -> None:
    found = read(Doccano(), record("Universität Bonn am Rhein", *labels), flatten=flatten)
    assert surfaces(found) == expected
    left = len(labels) - len(expected)
    assert f"{left} mention{'s' * (left > 1)} nested or overlapping: left out" in found.notes


@pytest.mark.parametrize("flatten", ["outer", "inner"])
def test_mentions_that_cross_are_not_settled_by_nesting(flatten: str) -> None:
    data = record("Universität Bonn am Rhein", [0, 16, "ORG"], [12, 25, "LOC"])
    error = refused(Doccano(), data, flatten=flatten)
    assert [problem.code for problem in error.problems] == ["overlapping"]
    assert "--flatten longest" in str(error)


def test_touching_mentions_are_no_overlap() -> None:
    found = read(Doccano(), record("Anna Bo", [0, 4, "PER"], [5, 7, "PER"]))
    assert found.sentences[0].spans == (Span(0, 1, "PER"), Span(1, 2, "PER"))


def test_lenient_leaves_out_whole_records_and_counts_them() -> None:
    found = read(Doccano(), EMOJI + record("Bo lebt", [0, 2, "PER"]) + b"{\n" + NEST, lenient=True)
    assert surfaces(found) == ["Bo"]
    assert "left out (lenient): 3 records" in found.notes


def test_every_token_that_programs_stumble_over_comes_back() -> None:
    sentences = [Sentence(f"n{i}", (t, "x", t), (Span(0, 1, "P"),)) for i, t in enumerate(NASTY_TOKENS)]
    made = "".join(Doccano().lines(Dataset("n", tuple(sentences))))
    assert [s.tokens for s in read(Doccano(), made.encode())] == [s.tokens for s in sentences]
