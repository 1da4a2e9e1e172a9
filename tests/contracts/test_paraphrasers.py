"""What every paraphraser does: an answer for each sentence, which depends on nothing but the sentence."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.contracts.cases import CASES, CORPUS, NASTY, cases_of
from tests.taggers.chat_server import chat_server, saying

from nerquake.core.paraphrases import Answer, Candidate, Fitting
from nerquake.core.seeds import Draws
from nerquake.registry import PARAPHRASERS

NEEDS = {
    "rules": (pytest.mark.spacy, "pipeline"),
    "seq2seq": (pytest.mark.huggingface, "huggingface_library"),
    "llm": (pytest.mark.allow_hosts(["127.0.0.1"]), "endpoint"),
}
"""What a paraphraser's marker is, and the fixture that it asks for."""
NAMES = [pytest.param(name, marks=NEEDS[name][0] if name in NEEDS else ()) for name in cases_of(PARAPHRASERS)]
SENTENCES = (*CORPUS.sentences, *NASTY.sentences)
DRAWS = Draws(0, "paraphrase")


def turned(body: dict[str, Any]) -> Any:
    """The words of the sentence from last to first."""
    asked = json.loads(body["messages"][1]["content"])["sentence"]
    return saying(json.dumps({"paraphrases": [" ".join(reversed(asked.split()))]}))


@pytest.fixture
def endpoint(tmp_path: Path) -> Iterator[None]:
    """A chat endpoint that turns sentences round; its address stands in the folder of the case."""
    with chat_server() as server:
        server.rule = turned
        (tmp_path / "url").write_text(server.url, "utf-8")
        yield


@pytest.fixture(params=NAMES)
def paraphraser(request: pytest.FixtureRequest, tmp_path: Path) -> Any:
    """Each registered paraphraser, built from the specification of its case, for the data set."""
    if request.param in NEEDS:
        request.getfixturevalue(NEEDS[request.param][1])
    made = PARAPHRASERS.build(CASES[PARAPHRASERS.kind][request.param](tmp_path))
    return made.fitted(CORPUS, "en") if isinstance(made, Fitting) else made


def test_an_answer_for_each_sentence(paraphraser: Any) -> None:
    answers = list(paraphraser.paraphrase(SENTENCES, DRAWS))
    assert len(answers) == len(SENTENCES)
    assert all(isinstance(answer, Answer) for answer in answers)
    assert any(answer.candidates for answer in answers)
    for sentence, answer in zip(SENTENCES, answers, strict=True):
        assert answer.candidates or answer.reason, "why there is none"
        for candidate in answer.candidates:
            assert isinstance(candidate, Candidate)
            assert bool(candidate.text) != bool(candidate.tokens), "text or tokens"
            assert (candidate.tokens != sentence.tokens and candidate.text.split() != list(sentence.tokens)) or (
                sentence.id == "s7"
            ), "the sentence itself is left out, but by a file, which says what it says"  # fmt: skip
            assert "" not in candidate.tokens
            assert len(candidate.origin) in (0, len(candidate.tokens))
            assert all(at is None or 0 <= at < len(sentence) for at in candidate.origin)


def test_neither_order_nor_batch_changes_an_answer(paraphraser: Any) -> None:
    together = list(paraphraser.paraphrase(SENTENCES, DRAWS))
    back = list(paraphraser.paraphrase(SENTENCES[::-1], DRAWS))
    assert back[::-1] == together
    assert [paraphraser.paraphrase([one], DRAWS)[0] for one in SENTENCES[:6]] == together[:6]


def test_no_sentence_at_all(paraphraser: Any) -> None:
    assert list(paraphraser.paraphrase([], DRAWS)) == []


def test_it_says_what_it_is(paraphraser: Any) -> None:
    assert paraphraser.lacks("en") == ""
    assert paraphraser.about() and all(isinstance(line, str) and line for line in paraphraser.about())
    assert paraphraser.about() == paraphraser.about()
    assert paraphraser.fingerprint() == paraphraser.fingerprint() != ""
