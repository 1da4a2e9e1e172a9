"""Prodigy's JSON Lines: tokens, spans, answers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from nerquake.core.dataset import Dataset
from nerquake.core.edits import Edit, apply_edits
from nerquake.core.errors import FormatError
from nerquake.core.protocols import ReadOptions
from nerquake.core.sentence import Sentence
from nerquake.core.span import Span
from nerquake.io.doccano import Doccano
from nerquake.io.load import load, save
from nerquake.io.prodigy import Prodigy

RECORD: dict[str, Any] = {
    "text": "Rosa Lind in Bonn.",
    "_input_hash": 1,
    "_task_hash": 2,
    "tokens": [
        {"text": "Rosa", "start": 0, "end": 4, "id": 0, "ws": True},
        {"text": "Lind", "start": 5, "end": 9, "id": 1, "ws": True},
        {"text": "in", "start": 10, "end": 12, "id": 2, "ws": True},
        {"text": "Bonn.", "start": 13, "end": 18, "id": 3, "ws": True},
    ],
    "spans": [{"start": 0, "end": 9, "token_start": 0, "token_end": 1, "label": "PER", "source": "model"}],
    "meta": {"section": "news"},
    "_view_id": "ner_manual",
    "answer": "accept",
}


PRODIGY = Prodigy()


def lines(*records: Any) -> bytes:
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records).encode()


def read(data: bytes, form: Prodigy = PRODIGY, **options: Any) -> Dataset:
    return form.read_bytes("x.jsonl", data, ReadOptions(**options))


def having(**fields: Any) -> dict[str, Any]:
    return {**RECORD, **fields}


def token(index: int, **fields: Any) -> dict[str, Any]:
    tokens = [dict(one) for one in RECORD["tokens"]]
    tokens[index] |= fields
    return having(tokens=tokens)


def span(**fields: Any) -> dict[str, Any]:
    return having(spans=[{**RECORD["spans"][0], **fields}])


def test_the_tokens_are_those_of_the_file() -> None:
    found = read(lines(RECORD))
    (sentence,) = found.sentences
    assert sentence.tokens == ("Rosa", "Lind", "in", "Bonn.")
    assert sentence.spaces == (True, True, True, False)
    assert (sentence.spans, sentence.meta) == ((Span(0, 2, "PER"),), (("section", "news"),))
    assert "".join(Prodigy().lines(found)).encode() == lines(RECORD)


def test_a_changed_record_has_tokens_spans_and_other_fields_anew() -> None:
    found = read(lines(RECORD))
    edited = apply_edits(found.sentences[0], [Edit(0, 2, ("Bo",), "mention")]).sentence
    made = json.loads("".join(Prodigy().lines(found.with_sentences([edited]))))
    assert made["text"] == "Bo in Bonn."
    assert [(one["text"], one["start"], one["end"], one["id"], one["ws"]) for one in made["tokens"]] == [
        ("Bo", 0, 2, 0, True), ("in", 3, 5, 1, True), ("Bonn.", 6, 11, 2, False),
    ]  # fmt: skip
    assert made["spans"] == [{"start": 0, "end": 2, "token_start": 0, "token_end": 0, "label": "PER"}]
    assert "_input_hash" not in made
    assert (made["_view_id"], made["answer"]) == ("ner_manual", "accept")


def test_answers_follow_a_stated_rule_and_are_counted() -> None:
    broken = span(start=3)
    records = [RECORD, having(answer="reject"), having(answer="ignore"), {**broken, "answer": "reject"}]
    unanswered = {key: value for key, value in RECORD.items() if key != "answer"}
    found = read(lines(*records, unanswered, having(_is_binary=True)))
    assert len(found) == 2
    assert "2 records left out: the answer is reject" in found.notes
    assert "1 record left out: the answer is ignore" in found.notes
    assert any("only partly annotated" in note for note in found.notes)
    assert len(read(lines(having(_is_binary=True)), Prodigy(partial="keep"))) == 1


def test_nobody_who_annotated_is_named_in_anything_written(tmp_path: Path) -> None:
    names = {"_session_id": "set-ida", "_annotator_id": "ida", "versions": [{"text": "x", "_annotator_id": "ulf"}]}
    found = read(lines(having(**names)))
    assert any("_annotator_id in 1, _session_id in 1, versions in 1" in note for note in found.notes)
    for form in ("prodigy", "doccano", "jsonl", "labelstudio", "conll"):
        save(found, tmp_path / form, form)
        text = (tmp_path / form).read_text("utf-8")
        assert "ida" not in text
        assert "ulf" not in text
    assert "".join(Prodigy().lines(found)).encode() == lines(RECORD)
    assert "".join(Prodigy().lines(read(lines(having(_session_id=None))))).encode() == lines(having(_session_id=None))


def test_tokens_of_blanks_are_spacing() -> None:
    tokens = [
        {"text": "Bo", "start": 0, "end": 2, "id": 0, "ws": True},
        {"text": " ", "start": 3, "end": 4, "id": 1, "ws": False},
        {"text": "lebt", "start": 4, "end": 8, "id": 2, "ws": False},
    ]
    spans = [{"start": 4, "end": 8, "token_start": 2, "token_end": 2, "label": "X"}]
    data = lines({"text": "Bo  lebt", "tokens": tokens, "spans": spans})
    found = read(data)
    assert found.sentences[0].tokens == ("Bo", "lebt")
    assert found.sentences[0].spans == (Span(1, 2, "X"),)
    assert "1 token of blanks only, which are spacing" in found.notes
    assert "".join(Prodigy().lines(found)).encode() == data


def test_records_without_tokens_are_cut_by_the_tokeniser() -> None:
    found = read(lines({"text": "Bo lebt.", "spans": [{"start": 0, "end": 2, "label": "PER"}]}))
    assert found.sentences[0].tokens == ("Bo", "lebt", ".")


def test_lines_as_sentences_use_the_tokens_of_the_file() -> None:
    text = "Bo.\nAnna lebt."
    words = [(0, 3), (4, 8), (9, 14)]
    tokens = [{"text": text[a:b], "start": a, "end": b, "id": i, "ws": b < len(text)} for i, (a, b) in enumerate(words)]
    form = Prodigy(split="lines")
    found = read(lines({"id": "r", "text": text, "tokens": tokens, "spans": []}), form)
    assert [s.tokens for s in found] == [("Bo.",), ("Anna", "lebt.")]
    made = found.with_sentences([s.with_spans([Span(0, 1, "PER")]) for s in found])
    again = "".join(form.lines(made))
    assert "token_offsets" not in again
    assert [(s.id, s.spans) for s in read(again.encode(), form)] == [(s.id, s.spans) for s in made]


MALFORMED = [
    (having(text=None), "wrong-type", "text must be"),
    (having(answer="maybe"), "wrong-type", "answer must be"),
    ({"text": "good film", "label": "POSITIVE", "answer": "accept"}, "wrong-type", "no spans"),
    ({"text": "good film", "options": [], "accept": []}, "wrong-type", "no spans"),
    (having(tokens={"0": "Rosa"}), "wrong-type", "tokens must be"),
    (token(1, start="5"), "wrong-type", "tokens must be"),
    (token(1, text="Link"), "surface-differs", "'Link' stands there"),
    (token(1, end=99), "offset-outside", "token 1"),
    (having(tokens=[RECORD["tokens"][i] for i in (0, 1, 3)]), "bad-token", "no token holds 'in'"),
    (token(1, ws=False), "surface-differs", "a blank follows"),
    (having(spans={}), "wrong-type", "spans must be"),
    (span(label=None), "wrong-type", "start, end and label"),
    (span(start=1, token_start=None, token_end=None), "cuts-token", "inside the word 'Rosa'"),
    (span(token_end=2), "surface-differs", "'Rosa Lind in'"),
    (span(token_end=9), "offset-outside", "among its 4 tokens"),
    (span(text="Rosa Link"), "surface-differs", "'Rosa Link' stands there"),
    (having(spans=[*RECORD["spans"], {"start": 0, "end": 4, "label": "X"}]), "nested", "lies inside"),
]


@pytest.mark.parametrize(("record", "code", "message"), MALFORMED)
def test_a_malformed_record_is_one_problem_of_its_line(record: Any, code: str, message: str) -> None:
    with pytest.raises(FormatError) as caught:
        read(lines(RECORD, record, RECORD))
    (problem,) = caught.value.problems
    assert (problem.code, problem.line) == (code, 2)
    assert message in str(problem)
    assert len(read(lines(RECORD, record, RECORD), lenient=True)) == 2


def test_every_wrong_span_of_a_record_is_named() -> None:
    wrong = having(spans=[{"start": 1, "end": 4, "label": "A"}, {"start": 0, "end": 8, "label": "B"}, {"start": 5}])
    with pytest.raises(FormatError) as caught:
        read(lines(wrong))
    assert [problem.code for problem in caught.value.problems] == ["wrong-type"]
    wrong["spans"].pop()
    with pytest.raises(FormatError) as caught:
        read(lines(wrong))
    assert [problem.code for problem in caught.value.problems] == ["cuts-token", "cuts-token"]


@pytest.mark.parametrize(
    ("file", "sentences", "mentions"), [("fashion_brands_eval.jsonl", 500, 238), ("test_annotated.jsonl", 517, 242)]
)
def test_real_exports_come_back(shared: Path, tmp_path: Path, file: str, sentences: int, mentions: int) -> None:
    source = shared / "data" / "prodigy_jsonl" / file
    found = load(str(source))
    assert found.reader == "prodigy"
    assert (len(found), sum(found.mentions.values())) == (sentences, mentions)
    kept = source.read_text("utf-8").splitlines(keepends=True)
    kept = [line for line in kept if json.loads(line)["answer"] == "accept" and json.loads(line)["text"].strip()]
    assert "".join(Prodigy().lines(found)) == "".join(kept)
    save(found, tmp_path / "a.conll", "conll")
    save(load(str(tmp_path / "a.conll")), tmp_path / "b.jsonl", "prodigy")
    again = load(str(tmp_path / "b.jsonl"))
    assert [(s.tokens, s.spans) for s in again] == [(s.tokens, s.spans) for s in found]


GAPS = st.text(st.sampled_from("\xa0\u200b\ufeff\x00\x1f\u2028\t\n\r \x85\u3000"), max_size=3)


@given(gaps=st.lists(GAPS, min_size=2, max_size=4), lead=GAPS)
@example(gaps=["\xa0", "\u200b"], lead="")
@example(gaps=["\ufeff", "\x00"], lead="\x00")
@example(gaps=[" \x00", "\x00 "], lead=" ")
def test_what_is_written_reads_back_whatever_stands_between_tokens(gaps: list[str], lead: str) -> None:
    text = lead + "".join(f"({gap}" for gap in gaps) + "."
    found = read(lines({"text": text, "spans": [], "id": "r"}))
    relabelled = found.with_sentences([found.sentences[0].with_spans([Span(0, 1, "X")])])
    edited = apply_edits(found.sentences[0], [Edit(0, 1, ("Bo",), "context")]).sentence
    for made in (relabelled, found.with_sentences([edited])):
        again = read("".join(PRODIGY.lines(made)).encode())
        assert [(s.tokens, s.spans) for s in again] == [(s.tokens, s.spans) for s in made]


def test_tokens_of_blanks_and_words_between_tokens_are_told_by_offsets() -> None:
    blank = Dataset("x", (Sentence("a", ("Bo", " ", "lebt"), (Span(2, 3, "X"),), (False, False, False)),))
    again = read("".join(PRODIGY.lines(blank)).encode())
    assert again.sentences[0].tokens == ("Bo", " ", "lebt")
    record = b'{"text": "Bo in Bonn", "label": [], "token_offsets": [[[0, 2], [6, 10]]]}'
    gap = Doccano().read_bytes("x", record, ReadOptions())
    assert read("".join(PRODIGY.lines(gap)).encode()).sentences[0].tokens == ("Bo", "Bonn")


def test_ws_is_checked_where_tools_agree() -> None:
    tokens = [{"text": "a", "start": 0, "end": 1, "id": 0}, {"text": "b", "start": 2, "end": 3, "id": 1}]

    def told(text: str, ws: bool) -> bytes:
        return lines({"text": text, "tokens": [{**tokens[0], "ws": ws}, tokens[1]], "spans": []})

    for ws in (True, False):
        assert read(told("a\xa0b", ws)).sentences[0].tokens == ("a", "b")
    with pytest.raises(FormatError, match="a blank follows"):
        read(told("a b", False))


def test_relations_go_with_what_they_are_of() -> None:
    relations = [{"head": 1, "child": 3, "label": "IN", "head_span": {"start": 5, "end": 9}}]
    found = read(lines(having(relations=relations)))
    assert "1 record with relations, which are kept only in records that do not change" in found.notes
    (sentence,) = found.sentences
    edited = apply_edits(sentence, [Edit(0, 2, ("Bo",), "mention")]).sentence
    gone = sentence.with_spans([])
    more = sentence.with_spans([*sentence.spans, Span(3, 4, "LOC")])
    made = [json.loads("".join(PRODIGY.lines(found.with_sentences([one])))) for one in (edited, gone, more, sentence)]
    assert [one["relations"] for one in made] == [[], [], relations, relations]
