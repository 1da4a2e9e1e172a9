"""Sentences of a data set as trees: a spaCy pipeline parses the tokens as they are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from nerquake.core.errors import InputError
from nerquake.core.sentence import Sentence
from nerquake.core.span import Span
from nerquake.language.rewriting.tree import Tree, Word
from nerquake.language.visible import NONE
from nerquake.models.spacy import load_pipeline

UNNEEDED = ("ner", "beam_ner", "entity_linker", "entity_ruler", "span_ruler", "spancat", "senter", "sentencizer",
            "textcat", "textcat_multilabel")  # fmt: skip
"""Components that no rule reads from."""
BATCH = 128
"""Sentences that spaCy takes at a time."""
UNSEEN = "unseen"
"""The relation of a blank token, which no parser sees: it stands alone, so that no phrase reaches over it."""
STAND_INS = {
    "person": "Anna", "per": "Anna",
    "org": "Microsoft", "organization": "Microsoft", "organisation": "Microsoft", "corporation": "Microsoft",
    "company": "Microsoft", "group": "Microsoft",
    "gpe": "London", "loc": "London", "location": "London", "geo-loc": "London", "fac": "London",
    "facility": "London",
    "event": "Christmas", "law": "Parliament", "product": "Hamlet", "work_of_art": "Hamlet", "creative-work": "Hamlet",
}  # fmt: skip
"""Plain names by label, which parsers know."""
ARTICLES = frozenset({"the", "a", "an"})
SMALL_IN_NAMES = frozenset({"the", "a", "an", "of", "and", "in", "for", "on", "to", "de", "la", "von", "van", "'s"})
SHORT_NAME = 4
"""Letters up to which a word in capitals is taken for an abbreviation."""
SHOUTED = 0.6
"""Share of cased words in capitals from which a sentence is shown to the parser in small letters, but for its names."""


def parser_of(pipeline: str) -> Any:
    """A pipeline that parses.

    Raises:
        UnknownName: nothing of this name is installed, nor is it a folder.
        InputError: it cannot be loaded, or has no parser.
    """
    nlp = load_pipeline(pipeline, UNNEEDED)
    if "parser" not in nlp.pipe_names:
        listed = ", ".join(nlp.pipe_names) or "none"
        raise InputError(
            f"spacy:{pipeline} has no parser, which rules for paraphrases need; its components: {listed}. "
            "A trained pipeline of the language has one, such as en_core_web_sm"
        )
    return nlp


def parse(nlp: Any, sentences: Sequence[Sentence]) -> list[Tree]:
    """One tree for each sentence, one word for each token; blank tokens are roots of their own.

    A name of several words, or in small letters, is shown to the parser as one plain name of its kind (`On the Origin
    of Species` as Hamlet), since parsers take such names apart; its words then hang on its last one. A sentence of the
    data set that the parser takes for several has several roots.
    """
    from spacy.tokens import Doc

    shown = [_shown(one) for one in sentences]
    docs = iter(nlp.pipe((Doc(nlp.vocab, words=[unit.text for unit in units]) for units in shown if units),
                         batch_size=BATCH))  # fmt: skip
    return [_tree(one, next(docs) if units else (), units) for one, units in zip(sentences, shown, strict=True)]


class _Unit(NamedTuple):
    """A word that the parser gets, and the tokens [start, end) that it stands for."""

    text: str
    start: int
    end: int


def _shown(sentence: Sentence) -> list[_Unit]:
    """The words that the parser gets: shouted ones in small letters, as it takes every capital for a name."""
    cased = [word for word in sentence.tokens if len(word) > 1 and word.lower() != word.upper()]
    shouted = bool(cased) and sum(word.isupper() for word in cased) >= SHOUTED * len(cased)
    units: list[_Unit] = []
    at = 0
    spans = {span.start: span for span in sentence.spans}
    while at < len(sentence):
        span, token = spans.get(at), sentence.tokens[at]
        if span is not None and _stands_for(sentence, span):
            units.append(_Unit(STAND_INS[span.label.lower()], at, span.end))
            at = span.end
            continue
        if token.strip():
            inside = any(one.start <= at < one.end for one in sentence.spans)
            small = shouted and not inside
            units.append(_Unit(_small(token) if small else _name(token) if inside else token, at, at + 1))
        at += 1
    return units


def _stands_for(sentence: Sentence, span: Span) -> bool:
    """Whether a name is shown as another one: several words without a blank one among them, or small letters."""
    tokens = sentence.tokens[span.start : span.end]
    if span.label.lower() not in STAND_INS or not all(token.strip() for token in tokens):
        return False
    return len(tokens) > 1 or tokens[0].islower() or tokens[0].endswith("ing")


def _small(word: str) -> str:
    return word if word == "I" else word.lower()


def _name(word: str) -> str:
    """A word of a name with a capital, and no more than that where it shouts."""
    if word.islower() and word.lower() not in SMALL_IN_NAMES:
        return word.title()
    return word.title() if len(word) > SHORT_NAME and word.isupper() else word


def _tree(sentence: Sentence, doc: Any, units: Sequence[_Unit]) -> Tree:
    words = [Word(at, text, "", NONE, "", UNSEEN, at) for at, text in enumerate(sentence.tokens)]
    for (_, start, end), token in zip(units, doc, strict=True):
        at, head = end - 1, units[token.head.i].end - 1
        one = end - start == 1
        words[at] = Word(
            at, sentence.tokens[at], token.lemma_ if one else sentence.tokens[at], token.pos_,
            token.tag_ if one else _tag(sentence, start, end), token.dep_, head, token.morph.to_dict(),
        )  # fmt: skip
        for inner in range(start, at):
            text = sentence.tokens[inner]
            article = inner == start and text.lower() in ARTICLES
            tag, pos, dep = ("DT", "DET", "det") if article else ("NNP", "PROPN", "compound")
            words[inner] = Word(inner, text, text.lower() if article else text, pos, tag, dep, at)
    spans = sentence.spans
    return Tree(tuple(words), tuple((one.start, one.end) for one in spans), tuple(one.label for one in spans))


def _tag(sentence: Sentence, start: int, end: int) -> str:
    """NNPS for names like `the Hurricanes`, of which a verb may go either way."""
    plural = sentence.tokens[start].lower() == "the" and sentence.tokens[end - 1].lower().endswith("s")
    return "NNPS" if plural else "NNP"
