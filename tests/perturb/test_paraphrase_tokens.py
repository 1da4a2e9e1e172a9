"""Text tokenised as a data set is."""

from __future__ import annotations

import pytest
from hypothesis import given
from tests.perturb.helpers import data, sentence
from tests.strategies import sentences

from nerquake.core.dataset import Dataset
from nerquake.core.sentence import Sentence
from nerquake.perturb.paraphrase_tokens import Conventions

TREEBANK = data([
    sentence("1", "He did n't say `` no '' to Anna 's well-known `` May Fair '' -LRB- in the U.S. -RRB- ."),
    sentence("2", "It is -- and was -- the U.S. that won ."),
])  # fmt: skip
TWEETS = data([sentence("1", "I don't think it's Anna's :) #win @bo http://t.co/x ... \" so \" .")])
OWN = "Bonn - based AT & T did not pay Anna’s bill in the U.S. ."
PARTED = data([sentence("1", "Bonn - based firms don ' t pay and / or sell"), sentence("2", "a well - known one")])


@pytest.mark.parametrize(("corpus", "text", "tokens"), [
    (TREEBANK, "She didn't leave Bo's old-fashioned house.", "She did n't leave Bo 's old-fashioned house ."),
    (TREEBANK, 'She said "yes" (once).', "She said `` yes '' -LRB- once -RRB- ."),
    (TREEBANK, "She said “yes” — once", "She said `` yes '' -- once"),
    (TREEBANK, "Bonn; 3,000 people (1.5 %): e.g. Mr. Groß!", "Bonn ; 3,000 people -LRB- 1.5 % -RRB- : e.g. Mr. Groß !"),
    (TREEBANK, "That was Anna’s", "That was Anna 's"),
    (TREEBANK, "the owners' son", "the owners ' son"),
    (PARTED, "the owners' son", "the owners ' son"),
    (TWEETS, "the owners' son", "the owners' son"),
    (TWEETS, "Bo's here, don't go :)", "Bo's here , don't go :)"),
    (TWEETS, "see http://x.org/a,b?c=d, or mail bo@x.org.", "see http://x.org/a,b?c=d , or mail bo@x.org ."),
    (TWEETS, "wait ... \"so\"", 'wait ... " so "'),
    (PARTED, "Berlin-based, isn't it?", "Berlin - based , isn ' t it ?"),
    (PARTED, "this and/or that", "this and / or that"),
    (TREEBANK, "", ""),
    (TREEBANK, " \u00a0\u2003\n", ""),
])  # fmt: skip
def test_as_the_data_set_does(corpus: Dataset, text: str, tokens: str) -> None:
    assert list(Conventions.of(corpus, "en").tokenise(text)) == tokens.split()


def test_what_the_sentence_itself_has_comes_first() -> None:
    found = Conventions.of(TREEBANK, "en")
    own = OWN.split()
    made = found.tokenise("In the U.S., Anna's bill wasn't paid by Bonn-based AT&T.", own)
    assert " ".join(made) == "In the U.S. , Anna’s bill was n't paid by Bonn - based AT & T ."
    # one point ends the abbreviation and the sentence
    assert found.tokenise("AT&T did pay in the U.S.", own)[-2:] == ("U.S.", ".")
    quoted = found.tokenise("He drove a ``van.''", ["``", "A", "van", ",", "''", "he", "said", "."])
    assert " ".join(quoted) == "He drove a `` van . ''"


def test_scripts_without_blanks() -> None:
    words = data([Sentence("1", ("北京", "是", "中国", "的", "首都", "。"))], "zh")
    assert Conventions.of(words, "zh").tokenise("中国的首都是北京。") == ("中国", "的", "首都", "是", "北京", "。")
    characters = Sentence("1", tuple("北京是首都。"))
    assert Conventions.of(data([characters], "zh"), "zh").tokenise("首都是北京。", characters.tokens) == tuple(
        "首都是北京。"
    )


def test_devanagari_keeps_its_marks() -> None:
    own = ["राम", "हैदराबाद", "में", "रहते", "हैं", "।"]
    corpus = data([Sentence("1", tuple(own))], "hi")
    made = Conventions.of(corpus, "hi").tokenise("हैदराबाद में राम रहते हैं।", own)
    assert " ".join(made) == "हैदराबाद में राम रहते हैं ।"


@given(sentences(laid_out=False))
def test_a_text_of_the_sentence_s_own_tokens_is_parted_into_them(one: Sentence) -> None:
    corpus = data([one])
    if any(token.split() != [token] for token in one.tokens):
        return  # a token that is or holds a blank of Unicode's
    made = Conventions.of(corpus, "en").tokenise(" ".join(one.tokens), one.tokens)
    assert made[: len(one)] == one.tokens and len(made) <= len(one) + 1
