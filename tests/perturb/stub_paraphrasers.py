"""Paraphrasers whose answers are known, to be named in specifications as `tests.perturb.stub_paraphrasers:Given`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from random import Random
from typing import ClassVar

from nerquake.core.dataset import Dataset
from nerquake.core.fillers import Fill, Masked
from nerquake.core.paraphrases import Answer, Candidate
from nerquake.core.seeds import Draws
from nerquake.core.sentence import Sentence

HERE = "tests.perturb.stub_paraphrasers"


@dataclass(frozen=True)
class Given:
    """The answers that a test has put into `answers`, by sentence id."""

    language: str = ""
    answers: ClassVar[dict[str, Answer]] = {}
    asked: ClassVar[list[list[str]]] = []

    def lacks(self, language: str) -> str:
        return f"no rules for {language}" if self.language and language != self.language else ""

    def paraphrase(self, sentences: Sequence[Sentence], draws: Draws) -> list[Answer]:
        self.asked.append([one.id for one in sentences])
        return [self.answers.get(one.id, Answer(reason="no rule applies")) for one in sentences]

    def about(self) -> tuple[str, ...]:
        return ("given answers",)

    def fingerprint(self) -> str:
        return repr(sorted(self.answers.items()))

    @classmethod
    def say(cls, **texts: str | Candidate | Sequence[str | Candidate]) -> None:
        """Fill `answers`, a text or a candidate or several for a sentence."""
        cls.answers.clear()
        cls.asked.clear()
        for key, given in texts.items():
            several = [given] if isinstance(given, str | Candidate) else given
            cls.answers[key] = Answer(tuple(Candidate(text=one) if isinstance(one, str) else one for one in several))


@dataclass(frozen=True)
class Wild:
    """Anything a backend may come up with: words in another order, left out, put in, spelled in another way; with
    origins and without."""

    def lacks(self, language: str) -> str:
        return ""

    def fitted(self, corpus: Dataset, language: str) -> Wild:
        return self

    def paraphrase(self, sentences: Sequence[Sentence], draws: Draws) -> list[Answer]:
        return [_wild(one, draws.of(one.id).random("wild")) for one in sentences]

    def about(self) -> tuple[str, ...]:
        return ("anything",)

    def fingerprint(self) -> str:
        return "anything"


def _wild(sentence: Sentence, rng: Random) -> Answer:
    made: list[Candidate] = []
    for _ in range(4):
        origin: list[int | None] = []
        for block in _blocks(sentence, rng):
            if rng.random() < 0.1:
                continue
            origin += block
            if rng.random() < 0.1:
                origin += block if rng.random() < 0.5 else [None]
        if not origin:
            continue
        tokens = ["new" if at is None else sentence.tokens[at] for at in origin]
        if rng.random() < 0.2:
            place = rng.randrange(len(tokens))
            tokens[place] = tokens[place].swapcase()
        kind = rng.randrange(3)
        if kind == 0:
            made.append(Candidate(tokens=tuple(tokens), origin=tuple(origin), rules=("wild",)))
        elif kind == 1:
            made.append(Candidate(tokens=tuple(tokens)))
        else:
            made.append(Candidate(text=" ".join(tokens)))
    return Answer(tuple(made))


def _blocks(sentence: Sentence, rng: Random) -> list[list[int | None]]:
    """The sentence cut into blocks, mostly not through mentions, most often in another order."""
    cuts = [at for at in range(1, len(sentence)) if rng.random() < 0.4]
    if rng.random() < 0.8:
        cuts = [at for at in cuts if not any(span.start < at < span.end for span in sentence.spans)]
    edges = [0, *cuts, len(sentence)]
    blocks: list[list[int | None]] = [list(range(a, b)) for a, b in pairwise(edges)]
    if rng.random() < 0.8:
        rng.shuffle(blocks)
    return blocks


@dataclass(frozen=True)
class Letters:
    """A masked language model to which a word's letters each cost the same."""

    cased: ClassVar[bool] = True
    noise: ClassVar[float] = 0.0

    def learn(self, corpus: Dataset) -> Letters:
        return self

    def fill(self, requests: Sequence[Masked], depth: int) -> list[list[Fill]]:
        return [[] for _ in requests]

    def score(self, requests: Sequence[Masked]) -> list[float]:
        return [-float(len(one.tokens[one.position])) for one in requests]

    def about(self) -> tuple[str, ...]:
        return ("letters",)

    def fingerprint(self) -> str:
        return "letters"
