"""What language plug-ins implement: masked language models that fill in words, and sources of parts of speech.

`language/ngram.py` and `language/stopwords.py` are the plainest of them. A plug-in is a frozen dataclass: its fields
are its options.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple, Protocol

from nerquake.core.dataset import Dataset

FillKind = Literal["word", "piece", "special"]
"""What a vocabulary entry is: a word or whatever else stands between blanks, a part of one, a model's own mark."""


class Masked(NamedTuple):
    """A sentence with a masked word.

    tokens    the sentence's tokens; what stands at a masked position is not shown to the model
    position  the word that is asked for
    hidden    other positions that are masked as well
    key       id of the sentence that this one was made from, for models that were estimated from the data set itself
    """

    tokens: tuple[str, ...]
    position: int
    hidden: tuple[int, ...] = ()
    key: str = ""


class Fill(NamedTuple):
    """A candidate for a masked word.

    text   as it would stand in the sentence, without the model's marks for pieces and blanks
    score  the model's; only differences within one answer mean something
    """

    text: str
    score: float
    kind: FillKind = "word"


class MaskFiller(Protocol):
    """A masked language model over whole tokens.

    Its answer to a single request is the reference. In a batch the same request may be answered with scores that are
    up to `noise` off, as floating-point sums depend on the shape of what is summed; whoever draws from an answer
    asks again, with that request alone, where so little could change the draw.
    """

    @property
    def noise(self) -> float:
        """By how much a score in a batch may differ from that of the request alone; 0 where it never does."""
        ...

    @property
    def cased(self) -> bool:
        """Whether its vocabulary tells capitals from small letters."""
        ...

    def learn(self, corpus: Dataset) -> MaskFiller:
        """The filler for a data set: estimated from it, or itself where it was trained elsewhere."""
        ...

    def fill(self, requests: Sequence[Masked], depth: int) -> Sequence[Sequence[Fill]]:
        """For each request the `depth` best entries of the whole vocabulary, special ones included, best first.

        Fewer where the vocabulary is smaller; none where the model cannot see the position.
        """
        ...

    def score(self, requests: Sequence[Masked]) -> Sequence[float]:
        """For each request the natural logarithm of the probability of the word that stands there.

        A word of several pieces has the sum over its pieces. NaN where the model cannot see the position.
        """
        ...

    def about(self) -> tuple[str, ...]:
        """Lines for the outputs: what runs, on what, how precisely; the same each time on the same machine."""
        ...

    def fingerprint(self) -> str:
        """A text that changes whenever its answers may change, the data set it learns from apart."""
        ...


CONTENT = "CONTENT"
FUNCTION = "FUNCTION"
"""What a source says that can only tell content words from others."""
CONTENT_WORDS = frozenset({"NOUN", "VERB", "ADJ", "ADV", CONTENT})
"""Universal part-of-speech tags of the words that paper R masks (2.2): nouns, verbs, adjectives, adverbs."""


class PosSource(Protocol):
    """Parts of speech by token."""

    @property
    def tells_classes(self) -> bool:
        """Whether it gives Universal part-of-speech tags; False: only CONTENT and FUNCTION."""
        ...

    def tag(self, batch: Sequence[tuple[str, ...]]) -> Sequence[tuple[str, ...]]:
        """For each token sequence a tag a token; "X" where there is none."""
        ...

    def about(self) -> tuple[str, ...]:
        """Lines for the outputs: what runs, and why it was chosen where it was."""
        ...

    def fingerprint(self) -> str:
        """A text that changes whenever its answers may change."""
        ...
