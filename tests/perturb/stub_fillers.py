"""Fakes for what context attacks work with, to be named in specifications as `tests.perturb.stub_fillers:Listed`."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from nerquake.core.dataset import Dataset
from nerquake.core.fillers import Fill, FillKind, Masked
from nerquake.core.options import positional
from nerquake.core.protocols import Tagging
from nerquake.core.span import Span

HERE = "tests.perturb.stub_fillers"
CASE_7 = ("[UNK]", "##ing", "traveled", ",", "Berlin", "drove off", "", "drove")


def kind_of(text: str) -> FillKind:
    return "special" if text == "[UNK]" else "piece" if text.startswith("##") else "word"


@dataclass(frozen=True)
class Listed:
    """The same candidates everywhere, in this order, one apart in score."""

    words: tuple[str, ...] = positional()
    cased: bool = True
    noise: ClassVar[float] = 0.0
    asked: ClassVar[list[Masked]] = []

    def learn(self, corpus: Dataset) -> Listed:
        return self

    def fill(self, requests: Sequence[Masked], depth: int) -> list[list[Fill]]:
        self.asked.extend(requests)
        return [[Fill(word, -float(at), kind_of(word)) for at, word in enumerate(self.words[:depth])] for _ in requests]

    def score(self, requests: Sequence[Masked]) -> list[float]:
        return [-float(len(one.tokens[one.position])) for one in requests]

    def about(self) -> tuple[str, ...]:
        return (f"a list of {len(self.words)} words",)

    def fingerprint(self) -> str:
        return repr(self)


@dataclass(frozen=True)
class Case7:
    """The candidates of case 7; `first` of them."""

    first: int = 8
    cased: ClassVar[bool] = True
    noise: ClassVar[float] = 0.0

    def learn(self, corpus: Dataset) -> Case7:
        return self

    def fill(self, requests: Sequence[Masked], depth: int) -> list[list[Fill]]:
        texts = CASE_7[: self.first]
        return [[Fill(text, -float(at), kind_of(text)) for at, text in enumerate(texts)] for _ in requests]

    def score(self, requests: Sequence[Masked]) -> list[float]:
        return [-1.0] * len(requests)

    def about(self) -> tuple[str, ...]:
        return ("case 7",)

    def fingerprint(self) -> str:
        return "case 7"


@dataclass(frozen=True)
class Noisy:
    """Forty words whose scores lie close together, and in a batch are off by up to `noise`, another way each time."""

    noise: float = 0.02
    cased: ClassVar[bool] = True
    calls: ClassVar[list[int]] = []

    def learn(self, corpus: Dataset) -> Noisy:
        return self

    def fill(self, requests: Sequence[Masked], depth: int) -> list[list[Fill]]:
        self.calls.append(len(requests))
        return [self._answer(one, 0.0 if len(requests) == 1 else self.noise)[:depth] for one in requests]

    def _answer(self, request: Masked, noise: float) -> list[Fill]:
        own = random.Random(repr((request.tokens[: request.position], request.position)))
        wild = random.Random(repr((self.calls, request.key, request.position)))
        scores = {f"word{number}": own.uniform(0, 1) for number in range(40)}
        noisy = {word: score + wild.uniform(-noise, noise) for word, score in scores.items()}
        return [Fill(word, score) for word, score in sorted(noisy.items(), key=lambda pair: -pair[1])]

    def score(self, requests: Sequence[Masked]) -> list[float]:
        return [-1.0] * len(requests)

    def about(self) -> tuple[str, ...]:
        return ("noise",)

    def fingerprint(self) -> str:
        return "noise"


@dataclass(frozen=True)
class MissesBeside:
    """A surrogate that finds a PER in front, and misses it exactly when a word stands in the sentence."""

    word: str = positional()
    batches: ClassVar[list[int]] = []

    def labels(self) -> frozenset[str]:
        return frozenset({"PER"})

    def predict(self, batch: Sequence[tuple[str, ...]]) -> list[Tagging]:
        self.batches.append(len(batch))
        return [Tagging(() if self.word in tokens else (Span(0, 1, "PER"),)) for tokens in batch]

    def fingerprint(self) -> str:
        return self.word
