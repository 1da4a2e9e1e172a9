"""spaCy's training data as JSON: pairs, and documents of paragraphs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from nerquake.core.dataset import Dataset
from nerquake.core.edits import Edit, apply_edits
from nerquake.core.errors import FormatError, OutputError
from nerquake.core.protocols import ReadOptions
from nerquake.core.sentence import Sentence
from nerquake.core.span import Span
from nerquake.io.doccano import Doccano
from nerquake.io.load import load, save
from nerquake.io.spacy_json import SpacyJson

SPACY = SpacyJson()
PAIR: Any = ["Where is Berlin?", {"entities": [[9, 15, "LOC"]]}]


def document(*sentences: str, raw: str | None = None, **more: Any) -> dict[str, Any]:
    """A document of one paragraph; each sentence is written as word/tag."""
    made = []
    for sentence in sentences:
        pairs = [word.rsplit("/", 1) for word in sentence.split()]
        made.append({"tokens": [{"id": i, "orth": orth, "ner": ner} for i, (orth, ner) in enumerate(pairs)]})
    return {"id": 3, "paragraphs": [{"raw": raw, "sentences": made}], **more}


DOCUMENT = document("Rosa/B-PER Lind/L-PER ./O", "Bonn/U-LOC", raw="Rosa Lind.\nBonn")


def file(*records: Any, indent: int | None = None) -> bytes:
    return json.dumps(records, ensure_ascii=False, indent=indent).encode()


def read(data: bytes, form: SpacyJson = SPACY, **options: Any) -> Dataset:
    return form.read_bytes("x.json", data, ReadOptions(**options))


@pytest.mark.parametrize("indent", [None, 2])
def test_pairs_and_documents_come_back(indent: int | None) -> None:
    data = file(PAIR, ["Bo", {"entities": [], "cats": {"x": 1.0}}], indent=indent)
    found = read(data)
    assert [s.tokens for s in found] == [("Where", "is", "Berlin", "?"), ("Bo",)]
    assert found.sentences[0].spans == (Span(2, 3, "LOC"),)
    assert all(s.hashed for s in found)
    assert "".join(SPACY.lines(found)).encode() == data
    changed = json.loads("".join(SPACY.lines(found.with_sentences([s.with_spans([]) for s in found]))))
    assert changed == [["Where is Berlin?", {"entities": []}], ["Bo", {"entities": [], "cats": {"x": 1.0}}]]


@pytest.mark.parametrize("raw", ["Rosa Lind.\nBonn", None])
def test_documents_of_paragraphs(raw: str | None) -> None:
    data = file(document("Rosa/B-PER Lind/L-PER ./O", "Bonn/U-LOC", raw=raw), indent=4)
    found = read(data)
    assert [(s.tokens, s.doc_id) for s in found] == [(("Rosa", "Lind", "."), "3"), (("Bonn",), "3")]
    assert [s.spans for s in found] == [(Span(0, 2, "PER"),), (Span(0, 1, "LOC"),)]
    assert found.sentences[0].spaces == (True, raw is None, raw is None)
    assert "".join(SPACY.lines(found)).encode() == data
    changed = [s.with_spans([Span(0, 1, "X")]) for s in found]
    again = read("".join(SPACY.lines(found.with_sentences(changed))).encode())
    assert [(s.tokens, s.spans, s.doc_id) for s in again] == [(s.tokens, s.spans, s.doc_id) for s in changed]


def test_offsets_of_other_units_do_not_touch_tags() -> None:
    found = read(file(document("🙂/O Rosa/U-PER", raw="🙂 Rosa")), SpacyJson(offset_unit="utf16", ends="inclusive"))
    assert found.sentences[0].spans == (Span(1, 2, "PER"),)


def test_partly_annotated_documents_are_left_out_and_counted() -> None:
    found = read(file(document("Rosa/- Lind/O"), PAIR, ["Bo", {"cats": {}}]))
    assert len(found) == 1
    assert "1 document left out: only partly annotated (ner is -)" in found.notes
    assert "1 record without entities: left out, not annotated" in found.notes


def test_several_paragraphs() -> None:
    two = {"id": "d", "paragraphs": [*DOCUMENT["paragraphs"], *document("Bo/U-PER", raw="  Bo")["paragraphs"]]}
    found = read(file(two))
    assert [s.spans for s in found][2] == (Span(0, 1, "PER"),)
    assert "".join(SPACY.lines(found)).encode() == file(two)


MALFORMED = [
    ("text", "wrong-type", "no record"),
    (["Bo", [[0, 2, "PER"]]], "wrong-type", "no record"),
    (["Bo", {"entities": {}}], "wrong-type", "entities must be"),
    (["Bo", {"entities": [[0, "2", "PER"]]}], "wrong-type", "no [start, end, label]"),
    (["Bo", {"entities": [[0, 2, ""]]}], "wrong-type", "no [start, end, label]"),
    (["Bo", {"entities": [[0, 9, "PER"]]}], "offset-outside", "2 code points"),
    (["Bonn", {"entities": [[0, 2, "PER"]]}], "cuts-token", "'Bonn'"),
    (["Bo", {"entities": [[0, 2, "A"], [0, 2, "B"]]}], "nested", "same words"),
    (["Bo", {"entities": [], "words": ["Bi"]}], "bad-token", "not the words"),
    (["Bo", {"entities": [], "words": ["Bo"], "sent_starts": [1, 0]}], "wrong-type", "a list of 1 entries"),
    (["Bo", {"entities": [], "words": ["Bo"], "sent_starts": ["x"]}], "wrong-type", "true or false"),
    ({"paragraphs": {}}, "wrong-type", "must be a list"),
    ({"paragraphs": [{"raw": "Bo"}]}, "wrong-type", "no list of sentences"),
    ({"paragraphs": [{"sentences": [{"words": []}]}]}, "wrong-type", "no list of tokens"),
    ({"paragraphs": [{"sentences": [{"tokens": [{"orth": 1}]}]}]}, "wrong-type", "orth and ner"),
    (document("Bo/U-PER", raw="Bi"), "bad-token", "not the words"),
    (document("Bo/PER"), "bad-tag", "'PER' is no tag"),
    (document("Rosa/B-PER Lind/O"), "ill-formed-sequence", "O follows B-PER"),
]


@pytest.mark.parametrize(("given", "code", "message"), MALFORMED)
def test_a_malformed_record_is_one_problem_of_its_line(given: Any, code: str, message: str) -> None:
    data = b"[\n" + b",\n".join(json.dumps(one).encode() for one in (PAIR, given, PAIR)) + b"\n]\n"
    with pytest.raises(FormatError) as caught:
        read(data)
    (problem,) = caught.value.problems
    assert (problem.code, problem.line) == (code, 3)
    assert message in str(problem)
    assert len(read(data, lenient=True)) == 2


def test_fresh_pairs_are_read_by_spacy_with_the_same_tokens(tmp_path: Path) -> None:
    spacy = pytest.importorskip("spacy")
    from spacy.training import Example

    one = Sentence("s1", ("AT&T's", "Bonn", "."), (Span(0, 1, "ORG"), Span(1, 2, "LOC")), spaces=(True, False, False))
    save(Dataset("x", (one,)), tmp_path / "a.json", "spacy-json")
    ((text, told),) = json.loads((tmp_path / "a.json").read_text("utf-8"))
    assert text == "AT&T's Bonn."
    found = load(str(tmp_path / "a.json"))
    assert (found.reader, found.sentences[0].tokens, found.sentences[0].spans) == ("spacy-json", one.tokens, one.spans)
    reference = Example.from_dict(spacy.blank("en").make_doc(text), told).reference
    assert [token.text for token in reference] == list(one.tokens)
    assert [(ent.text, ent.label_) for ent in reference.ents] == [("AT&T's", "ORG"), ("Bonn", "LOC")]
    assert reference.text == text


@pytest.mark.parametrize("name", ["train.json", "dev.json"])
def test_real_pairs_come_back(shared: Path, name: str) -> None:
    file = shared / "data" / "prodigy_jsonl" / "spacy_train_json" / name
    found = load(str(file))
    assert found.mentions
    assert "".join(SPACY.lines(found)).encode() == file.read_bytes()


@pytest.mark.parametrize("name", ["labeling.spacy.user1", "labeling.spacy.user2", "labeling_text_label.spacy.user0"])
def test_real_documents_are_those_of_the_same_texts_in_conll(shared: Path, name: str) -> None:
    folder = shared / "data" / "doccano_jsonl" / "doccano-transformer"
    found = load(str(folder / name))
    assert "".join(SPACY.lines(found)).encode() == (folder / name).read_bytes()
    columns = folder / name.replace("spacy", "conll2003")
    if columns.exists():
        same = load(str(columns)).sentences
        assert [(s.tokens, s.spans) for s in found] == [(s.tokens, s.spans) for s in same][: len(found)]


def test_entries_by_token_go_where_the_text_changes() -> None:
    by_token = {"tags": ["A", "B", "C", "D"], "heads": [0, 0, 0, 0], "links": {"9,15": {"Q64": 1.0}}}
    found = read(file([PAIR[0], {**PAIR[1], **by_token, "cats": {"x": 1.0}}]))
    assert "1 record with tags, heads, links: kept only in records whose text does not change" in found.notes
    (sentence,) = found.sentences
    edited = apply_edits(sentence, [Edit(2, 3, ("New", "York"), "mention")]).sentence
    relabelled = sentence.with_spans([Span(2, 3, "GPE")])
    ((_, first),) = json.loads("".join(SPACY.lines(found.with_sentences([edited]))))
    ((_, second),) = json.loads("".join(SPACY.lines(found.with_sentences([relabelled]))))
    assert first == {"entities": [[9, 17, "LOC"]], "cats": {"x": 1.0}}
    assert second == {
        "entities": [[9, 15, "GPE"]],
        "tags": by_token["tags"],
        "heads": by_token["heads"],
        "cats": {"x": 1.0},
    }


def test_fields_of_tokens_that_changed_documents_lose_are_counted() -> None:
    tagged = json.loads(json.dumps(DOCUMENT))
    tagged["paragraphs"][0]["sentences"][0]["tokens"][0] |= {"tag": "NNP", "dep": "ROOT"}
    notes = read(file(tagged, DOCUMENT)).notes
    assert notes == ("1 document with dep, tag: kept only in documents that do not change",)


def test_borders_of_sentences_stay_in_a_pair() -> None:
    spacy = pytest.importorskip("spacy")
    from spacy.training import Example

    tokens = [[[0, 2], [3, 8]], [[9, 11], [12, 16], [16, 17]]]
    record = {"id": 1, "text": "Bo lebt. In Bonn.", "label": [[0, 2, "PER"], [12, 16, "LOC"]], "token_offsets": tokens}
    source = Doccano().read_bytes("x", json.dumps(record).encode(), ReadOptions())
    written = "".join(SPACY.lines(source))
    found = read(written.encode())
    assert [(s.tokens, s.spans) for s in found] == [(s.tokens, s.spans) for s in source]
    assert len(found) == 2
    assert "".join(SPACY.lines(found)) == written
    again = read("".join(SPACY.lines(found.with_sentences([s.with_spans([]) for s in found]))).encode())
    assert [s.tokens for s in again] == [s.tokens for s in source]
    ((text, told),) = json.loads(written)
    reference = Example.from_dict(spacy.blank("en").make_doc(text), told).reference
    assert reference.text == text == "Bo lebt.\nIn Bonn."
    assert [sentence.text for sentence in reference.sents] == ["Bo lebt.\n", "In Bonn."]
    assert [ent.text for ent in reference.ents] == ["Bo", "Bonn"]


def test_words_of_blanks_are_spacing() -> None:
    told = {"words": ["\n", "AT&T", " ", "lebt"], "spaces": [False, True, False, False], "entities": [[1, 5, "ORG"]]}
    data = file(["\nAT&T  lebt", told])
    found = read(data)
    (sentence,) = found.sentences
    assert (sentence.tokens, sentence.spans) == (("AT&T", "lebt"), (Span(0, 1, "ORG"),))
    assert "2 words of blanks only, which are spacing" in found.notes
    relabelled = found.with_sentences([sentence.with_spans([])])
    assert json.loads("".join(SPACY.lines(relabelled))) == [["\nAT&T  lebt", {**told, "entities": []}]]
    with pytest.raises(OutputError, match="sentence 'a': the token ' ' is blank"):
        "".join(SPACY.lines(Dataset("x", (Sentence("a", ("AT&T", " ")),))))


@pytest.mark.parametrize("gap", ["\n", "\xa0", "\u200b", "\ufeff", "\x00", " \x1f"])
def test_borders_and_words_are_read_back_whatever_stands_between_them(gap: str) -> None:
    text = f"AT&T{gap}Bo.\nIn{gap}Bonn."
    at = len(gap)
    tokens = [[[0, 4], [4 + at, 7 + at]], [[8 + at, 10 + at], [10 + 2 * at, 15 + 2 * at]]]
    record = json.dumps({"text": text, "label": [], "token_offsets": tokens}).encode()
    source = Doccano().read_bytes("x", record, ReadOptions())
    assert [s.tokens for s in source] == [("AT&T", "Bo."), ("In", "Bonn.")]
    assert [s.tokens for s in read("".join(SPACY.lines(source)).encode())] == [s.tokens for s in source]


def test_words_stay_beside_what_is_told_of_them() -> None:
    told = {"words": ["Bo", "lebt"], "spaces": [True, False], "tags": ["N", "V"]}
    found = read(file(["Bo lebt", {**told, "entities": [[0, 2, "PER"]]}]))
    relabelled = found.with_sentences([found.sentences[0].with_spans([])])
    assert json.loads("".join(SPACY.lines(relabelled))) == [["Bo lebt", {**told, "entities": []}]]
