"""Joining answers made elsewhere to the sentences of a set: by id, never by position."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from nerquake.core.errors import TokensDiffer
from nerquake.core.protocols import Tagging
from nerquake.core.sentence import Sentence, TokenIds
from nerquake.taggers.changed_text import what_differs
from nerquake.taggers.fold import fold_tokens

SHOWN = 3


class Answer(NamedTuple):
    """One sentence of a prediction file. `hashed` says that the file had no id for it."""

    id: str
    hashed: bool
    tokens: tuple[str, ...]
    tagging: Tagging


def join_answers(sentences: Sequence[Sentence], answers: Sequence[Answer], *, extra: bool = False) -> list[Tagging]:
    """The answers in the order of `sentences`.

    They are joined by id where both files have ids, else by the hash of the tokens.

    Raises:
        TokensDiffer: a sentence has no answer, an answer has no sentence (unless `extra`), or tokens differ.
    """
    ids = {sentence.id for sentence in sentences}
    by_id = not any(a.hashed for a in answers) and not any(s.hashed for s in sentences)
    if by_id or all(answer.id in ids for answer in answers):
        wanted, given = [s.id for s in sentences], [a.id for a in answers]
    else:
        wanted, given = _token_ids([s.tokens for s in sentences]), _token_ids([a.tokens for a in answers])
    found = dict(zip(given, answers, strict=True))
    _check_same(sentences, wanted, answers, given, extra)
    for sentence, key in zip(sentences, wanted, strict=True):
        _check_tokens(sentence, found[key])
    return [found[key].tagging for key in wanted]


def _token_ids(sequences: Sequence[tuple[str, ...]]) -> list[str]:
    ids = TokenIds()
    return [ids.next(tokens) for tokens in sequences]


def _check_same(
    sentences: Sequence[Sentence], wanted: Sequence[str], answers: Sequence[Answer], given: Sequence[str], extra: bool
) -> None:
    known, there = set(wanted), set(given)
    lost = [s for s, key in zip(sentences, wanted, strict=True) if key not in there]
    added = [] if extra else [a for a, key in zip(answers, given, strict=True) if key not in known]
    if not lost and not added:
        return
    parts = [f"the set has {len(sentences)} sentences, the predictions {len(answers)}"]
    if lost:
        parts.append(f"{len(lost)} have no prediction, such as " + "; ".join(map(_quote_sentence, lost[:SHOWN])))
    if added:
        parts.append(f"{len(added)} predictions are for other sentences, such as "
                     + "; ".join(_quote(a.id, a.tokens) for a in added[:SHOWN]))  # fmt: skip
    parts += filter(None, [_respelt(lost, added)])
    raise TokensDiffer(". ".join(parts))


def _quote_sentence(sentence: Sentence) -> str:
    return _quote(sentence.id, sentence.tokens)


def _quote(name: str, tokens: Sequence[str]) -> str:
    text = " ".join(tokens)
    return f"{name} {text[:60] + '…' if len(text) > 60 else text!r}"


def _check_tokens(sentence: Sentence, answer: Answer) -> None:
    if sentence.tokens == answer.tokens:
        return
    pairs = zip(sentence.tokens, answer.tokens, strict=False)
    at = next((i for i, (a, b) in enumerate(pairs) if a != b), min(len(sentence.tokens), len(answer.tokens)))
    ours, theirs = (" ".join(tokens[max(0, at - 2) : at + 3]) for tokens in (sentence.tokens, answer.tokens))
    raise TokensDiffer(
        f"sentence {sentence.id} has other tokens: at token {at + 1} the set has {ours!r}, the predictions {theirs!r} "
        f"({len(sentence.tokens)} and {len(answer.tokens)} tokens){_hint(sentence.tokens, answer.tokens)}"
    )


def _hint(ours: Sequence[str], theirs: Sequence[str]) -> str:
    """What was most likely done to the tokens, and what to do about it."""
    differs = what_differs(ours, theirs)
    return f": {differs}. Tag the tokens as the set has them, one answer for each" if differs else ""


def _respelt(lost: Sequence[Sentence], added: Sequence[Answer]) -> str:
    """A sentence without an answer and an answer without a sentence that seem to be one and the same."""
    by_text = {fold_tokens(answer.tokens).text: answer for answer in added}
    for sentence in lost:
        answer = by_text.get(fold_tokens(sentence.tokens).text)
        if answer is not None:
            return (f"{sentence.id} and {answer.id} seem to be one sentence"
                    f"{_hint(sentence.tokens, answer.tokens)}")  # fmt: skip
    return ""
