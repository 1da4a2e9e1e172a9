"""What every tagger does: valid mentions, one answer a sentence, whatever the batch."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from tests.contracts.cases import CASES, CORPUS, NASTY, cases_of
from tests.taggers.chat_server import capitals, chat_server

from nerquake.core.errors import TokensDiffer
from nerquake.core.labels import JoinedLabels, LabelRules
from nerquake.core.protocols import Fingerprinted, SetTagger, Tagger, Tagging
from nerquake.core.sentence import Sentence, check_spans
from nerquake.core.tagging import Named, run_tagger
from nerquake.registry import TAGGERS

EVERYTHING = JoinedLabels.of(LabelRules(), (), "x")


NEEDS = {
    "spacy": (pytest.mark.spacy, "pipeline"),
    "huggingface": (pytest.mark.huggingface, "huggingface_library"),
    "native": (pytest.mark.huggingface, "huggingface_library"),
    "flair": (pytest.mark.flair, "flair_library"),
    "stanza": (pytest.mark.stanza, "stanza_library"),
    "llm": (pytest.mark.allow_hosts(["127.0.0.1"]), "endpoint"),
}
"""What a tagger's marker is, and the fixture that it asks for."""
NAMES = [pytest.param(name, marks=NEEDS[name][0] if name in NEEDS else ()) for name in cases_of(TAGGERS)]


@pytest.fixture
def endpoint(tmp_path: Path) -> Iterator[None]:
    """A chat endpoint that takes capitalised words for persons; its address stands in the folder of the case."""
    with chat_server() as server:
        server.rule = capitals
        (tmp_path / "url").write_text(server.url, "utf-8")
        yield


@pytest.fixture(params=NAMES)
def tagger(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Each registered tagger, built from the specification of its case."""
    if request.param in NEEDS:
        request.getfixturevalue(NEEDS[request.param][1])
    monkeypatch.syspath_prepend(tmp_path)
    return TAGGERS.build(CASES[TAGGERS.kind][request.param](tmp_path))


def answers(tagger: Any, sentences: Sequence[Sentence]) -> list[Tagging]:
    if isinstance(tagger, SetTagger):
        return list(tagger.predict_set("original", sentences))
    return list(tagger.predict([sentence.tokens for sentence in sentences]))


def test_it_follows_one_of_the_protocols(tagger: Any) -> None:
    assert isinstance(tagger, Tagger | SetTagger)
    assert hash(tagger) == hash(tagger), "a frozen dataclass"


def test_one_valid_answer_a_sentence(tagger: Any) -> None:
    sentences = CORPUS.sentences if isinstance(tagger, SetTagger) else (*CORPUS.sentences, *NASTY.sentences)
    found = answers(tagger, sentences)
    assert len(found) == len(sentences)
    for sentence, answer in zip(sentences, found, strict=True):
        check_spans(tuple(sorted(answer.spans)), len(sentence), sentence.id)
        assert all(0 <= position < len(sentence) for position in answer.unseen)
        assert answer.invalid >= 0


def test_it_finds_something_and_declares_its_labels(tagger: Any) -> None:
    found = run_tagger(Named("x", "x", tagger), "original", CORPUS.sentences, EVERYTHING)
    given = {span.label for spans in found.spans for span in spans}
    assert given
    declared = tagger.labels()
    assert declared is None or given <= declared


def test_an_answer_depends_on_its_sentence_alone(tagger: Any) -> None:
    if isinstance(tagger, SetTagger):
        whole = answers(tagger, CORPUS.sentences)
        turned = answers(tagger, CORPUS.sentences[::-1])
        assert turned[::-1] == whole
        return
    sentences = (*CORPUS.sentences, *NASTY.sentences[:12])
    whole = answers(tagger, sentences)
    assert [answers(tagger, [sentence])[0] for sentence in sentences] == whole
    assert answers(tagger, sentences[::-1])[::-1] == whole


def test_empty_tokens_and_no_sentences_do_no_harm(tagger: Any) -> None:
    """Case 4: an empty token keeps its place. Predictions made elsewhere are for the sentences of their file only."""
    if isinstance(tagger, SetTagger):
        with pytest.raises(TokensDiffer):
            answers(tagger, [Sentence("a", ("Anna", "", "met"))])
        return
    assert answers(tagger, []) == []
    plain, with_empty = answers(tagger, [Sentence("a", ("Anna", "", "met")), Sentence("b", ("", "Anna"))])
    check_spans(plain.spans, 3, "a")
    check_spans(with_empty.spans, 2, "b")
    only = answers(tagger, [Sentence("c", ("", ""))])
    assert len(only) == 1


def test_a_fingerprint_is_the_same_twice(tagger: Any) -> None:
    if isinstance(tagger, Fingerprinted):
        assert tagger.fingerprint() == tagger.fingerprint() != ""
