"""The backend `rules`: from sentences to candidates, on spaCy's own parse."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from nerquake.core.dataset import Dataset
from nerquake.core.errors import SpecError, UnknownName
from nerquake.core.options import instance
from nerquake.core.paraphrases import Candidate
from nerquake.core.seeds import Draws
from nerquake.core.sentence import Sentence
from nerquake.core.span import Span
from nerquake.core.spec import parse_spec
from nerquake.io.load import load
from nerquake.language.paraphrase_rules import MOST_TOKENS, RuleParaphraser

pytestmark = pytest.mark.spacy
DRAWS = Draws(13, "paraphrase")


def _sentence(text: str, *spans: Span, name: str = "s") -> Sentence:
    return Sentence(name, tuple(text.split(" ")), tuple(spans))


def _texts(pipeline: str, sentence: Sentence, *rules: str) -> list[str]:
    (answer,) = RuleParaphraser(pipeline, rules=rules).paraphrase([sentence], DRAWS)
    return [" ".join(one.tokens) for one in answer.candidates]


def test_capitals_and_punctuation_are_right(pipeline: str) -> None:
    closed = _sentence("Engineers closed the Severn Bridge before dawn .", Span(3, 5, "FAC"))
    assert _texts(pipeline, closed, "passive") == ["The Severn Bridge was closed by engineers before dawn ."]
    said = _sentence("The road is closed , said officer Tamsin Okafor .", Span(7, 9, "PERSON"))
    assert _texts(pipeline, said, "reporting-clause") == ["Officer Tamsin Okafor said that the road is closed ."]


def test_rewritings_combine(pipeline: str) -> None:
    (answer,) = RuleParaphraser(pipeline).paraphrase(
        [_sentence("Engineers closed the bridge after a gust flipped a van .")], DRAWS
    )
    found = {" ".join(one.tokens): one.rules for one in answer.candidates}
    whole = "After a van was flipped by a gust , the bridge was closed by engineers ."
    assert sorted(found[whole]) == ["fronted-clause", "passive", "passive"]


def test_an_answer_depends_on_the_sentence_alone(pipeline: str) -> None:
    texts = ["The firm bought the mill in May because it was cheap .", "She left .", "Critics say the maps are old ."]
    sentences = [_sentence(text, name=str(at)) for at, text in enumerate(texts)]
    rules = RuleParaphraser(pipeline)
    together = rules.paraphrase(sentences, DRAWS)
    assert together == [rules.paraphrase([one], DRAWS)[0] for one in sentences]
    assert together[::-1] == rules.paraphrase(sentences[::-1], DRAWS)


def test_where_nothing_applies_it_says_why(pipeline: str) -> None:
    rules = RuleParaphraser(pipeline)
    long = Sentence("long", ("word",) * (MOST_TOKENS + 1))
    answers = rules.paraphrase([_sentence("Rain !"), long, Sentence("blank", (" ",))], DRAWS)
    assert [answer.reason for answer in answers] == ["no rule applies", "longer than 200 tokens", "no rule applies"]
    assert not any(answer.candidates for answer in answers)
    assert rules.paraphrase([], DRAWS) == []


@pytest.mark.parametrize(
    "text",
    [
        "😬",
        "@tom RT : lol #yes 😬",
        "प्रधानमंत्री ने दिल्ली में कहा ।",
        "\u200b a \u200b",
        "( ( (",
        "`` '' ``",
        ", , , .",
        "I",
        "THE",
    ],
)
def test_odd_rows_do_no_harm(pipeline: str, text: str) -> None:
    sentence = _sentence(text, Span(0, 1, "ORG"))
    (answer,) = RuleParaphraser(pipeline).paraphrase([sentence], DRAWS)
    assert all(_keeps(sentence, one) for one in answer.candidates)


def test_mentions_of_the_sample_stay_whole_and_every_token_has_its_origin(pipeline: str) -> None:
    sample = [one for one in load("sample:en") if one.spans]
    answers = RuleParaphraser(pipeline).paraphrase(sample, DRAWS)
    found = Counter(
        _keeps(one, made) for one, answer in zip(sample, answers, strict=True) for made in answer.candidates
    )
    assert found[False] == 0
    assert sum(any(made.structural for made in answer.candidates) for answer in answers) > len(sample) / 2


@pytest.mark.shared
def test_tweets_keep_their_mentions(pipeline: str, shared: Path) -> None:
    tweets = list(load(str(shared / "data" / "wnut17" / "emerging.test.annotated")))[:400]
    answers = RuleParaphraser(pipeline).paraphrase(tweets, DRAWS)
    for one, answer in zip(tweets, answers, strict=True):
        assert all(_keeps(one, made) for made in answer.candidates)


def _keeps(sentence: Sentence, made: Candidate) -> bool:
    """Whether every mention stands in one piece and letter by letter, and the candidate is another sentence."""
    if made.tokens == sentence.tokens or len(made.origin) != len(made.tokens):
        return False
    for span in sentence.spans:
        at = [place for place, old in enumerate(made.origin) if old in range(span.start, span.end)]
        if [made.origin[place] for place in at] != list(range(span.start, span.end)):
            return False
        if at[-1] - at[0] != span.width - 1 or made.tokens[at[0] : at[-1] + 1] != sentence.mention(span):
            return False
    return True


def test_options(pipeline: str) -> None:
    spec = parse_spec(f"rules:pipeline={pipeline},budget=1,rules=passive|active", ("rules",))
    assert instance(RuleParaphraser, spec) == RuleParaphraser(pipeline, 1, ("passive", "active"))
    with pytest.raises(UnknownName, match="passive"):
        RuleParaphraser(rules=("pasive",))
    with pytest.raises(SpecError, match="budget"):
        instance(RuleParaphraser, parse_spec("rules:budget=0", ("rules",)))


def test_what_it_lacks_and_says(pipeline: str) -> None:
    rules = RuleParaphraser(pipeline)
    assert (rules.lacks("en"), rules.lacks("")) == ("", "")
    assert "not for hi" in rules.lacks("hi")
    corpus = Dataset("x", (_sentence("She left ."),))
    assert rules.fitted(corpus, "") == rules.fitted(corpus, "en") == rules
    assert "rules for en" in rules.about()[0]
    assert rules.fingerprint() != RuleParaphraser(pipeline, rules=("passive",)).fingerprint()
    assert rules.fingerprint() != RuleParaphraser(pipeline, budget=1).fingerprint()
