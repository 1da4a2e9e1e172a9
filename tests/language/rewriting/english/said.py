"""Sentences as trees, and what a rule makes of them. Mentions are written [Germany|GPE], [New York|GPE]."""

from __future__ import annotations

from functools import cache

from nerquake.core.sentence import Sentence
from nerquake.core.span import Span
from nerquake.language.rewriting.parse import parse, parser_of
from nerquake.language.rewriting.tree import Rewriting, Rule, Tree


def sentence_of(text: str) -> Sentence:
    """A sentence of tokens between blanks, with the mentions that brackets mark."""
    tokens: list[str] = []
    spans: list[Span] = []
    start = 0
    for piece in text.split(" "):
        opened = piece.startswith("[") and len(piece) > 1
        closed = "|" in piece and piece.endswith("]")
        start = len(tokens) if opened else start
        word, _, label = piece[opened:].rstrip("]").partition("|") if closed else (piece[opened:], "", "")
        tokens.append(word)
        if closed:
            spans.append(Span(start, len(tokens), label))
    return Sentence(id="s", tokens=tuple(tokens), spans=tuple(spans))


@cache
def tree_of(pipeline: str, text: str) -> Tree:
    """The sentence as spaCy's pipeline parses it."""
    return parse(parser_of(pipeline), [sentence_of(text)])[0]


def done(tree: Tree, one: Rewriting) -> str:
    """A rewriting carried out, capitals left as they are; every mention must lie whole in one part."""
    words = [word.text for word in tree.words]
    for start, end in tree.mentions:
        if start < one.end and one.start < end:
            assert sum(not isinstance(part, str) and part[0] <= start and end <= part[1] for part in one.parts) == 1
    new = [word for part in one.parts for word in ([part] if isinstance(part, str) else words[part[0] : part[1]])]
    return " ".join(words[: one.start] + new + words[one.end :])


def said(pipeline: str, rule: Rule, text: str) -> list[str]:
    """All that a rule makes of a sentence."""
    tree = tree_of(pipeline, text)
    found = list(rule.find(tree))
    assert all((one.rule, one.kind) == (rule.name, rule.kind) for one in found)
    return [done(tree, one) for one in found]
