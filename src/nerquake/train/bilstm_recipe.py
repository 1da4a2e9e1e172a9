"""The recipe `bilstm-crf`: words and their letters, a two-way LSTM and a CRF, trained from nothing (R, appendix C)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from nerquake.core.errors import SpecError
from nerquake.core.scheme import ALIASES, SCHEMES
from nerquake.core.sentence import Sentence
from nerquake.train.recipe import Precision, Schedule

if TYPE_CHECKING:
    from nerquake.nn.network import Network
    from nerquake.nn.word_encoder import Pretrained

Kept = Literal["all", "training"]


@dataclass(frozen=True, slots=True, kw_only=True)
class BilstmRecipe(Schedule):
    """Words and their letters, a two-way LSTM and a conditional random field (Lample et al., 2016).

    word           size of a word's own vector
    affix          size of the vectors of its first and last three letters and of its shape; 0: none
    char           filters over its letters; 0: none
    hidden         units of the LSTM in each direction
    layers         LSTMs one above the other
    dropout        share of features that training leaves out
    word_dropout   share of words that training takes for unknown ones
    min_count      how often a word stands in the training data to have a vector of its own
    scheme         tag scheme that it learns
    vectors        file of pretrained word vectors: text in GloVe's or word2vec's form, plain or .gz
    vector_words   all: words that only the file has are known too, and saved with the model; training: only its own
    train_vectors  train the pretrained vectors too
    """

    epochs: int = 50
    lr: float = 2e-3
    batch: int = 32
    patience: int = 10
    clip: float = 5.0
    warmup: float = 0.02
    precision: Precision = "fp32"
    word: int = 64
    affix: int = 24
    char: int = 48
    hidden: int = 96
    layers: int = 1
    dropout: float = 0.4
    word_dropout: float = 0.1
    min_count: int = 2
    scheme: str = "bioes"
    vectors: str = ""
    vector_words: Kept = "all"
    train_vectors: bool = False

    def __post_init__(self) -> None:
        Schedule.__post_init__(self)
        wholes = {"word": self.word, "hidden": self.hidden, "layers": self.layers, "min-count": self.min_count}
        faults = [f"{name}={value}: 1 or more" for name, value in wholes.items() if value < 1]
        faults += [f"{name}={value}: 0 or more" for name, value in self._optional if value < 0]
        faults += [f"{name}={value}: 0 or more, below 1" for name, value in self._shares if not 0 <= value < 1]
        if self.scheme not in SCHEMES and self.scheme not in ALIASES:
            faults.append(f"there is no scheme {self.scheme}: {', '.join(SCHEMES)}")
        if faults:
            raise SpecError(f"bilstm-crf: {'; '.join(faults)}")

    @property
    def _optional(self) -> tuple[tuple[str, int], ...]:
        return ("affix", self.affix), ("char", self.char)

    @property
    def _shares(self) -> tuple[tuple[str, float], ...]:
        return ("dropout", self.dropout), ("word-dropout", self.word_dropout)

    @property
    def schedule(self) -> Schedule:
        """Itself."""
        return self

    @property
    def reads(self) -> tuple[str, ...]:
        """The file of word vectors."""
        return (self.vectors,) if self.vectors else ()

    def network(self, sentences: Sequence[Sentence], labels: Sequence[str], seed: int) -> Network:
        """The network with the vocabulary of the sentences.

        Raises:
            InputError: the file of word vectors cannot be read.
        """
        import torch

        from nerquake.nn.bilstm import BilstmCrf, BilstmSizes
        from nerquake.nn.tags import tag_set
        from nerquake.nn.vocabulary import vocabulary_of
        from nerquake.nn.word_encoder import WordSizes

        words = WordSizes(word=self.word, affix=self.affix, filters=self.char)
        sizes = BilstmSizes(words, self.hidden, self.layers, self.dropout, self.word_dropout)
        tokens = [sentence.tokens for sentence in sentences]
        pretrained = self._pretrained(tokens)
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed)
            tags = tag_set(labels, ALIASES.get(self.scheme, self.scheme))
            return BilstmCrf(tags, vocabulary_of(tokens, self.min_count), sizes, pretrained)

    def _pretrained(self, tokens: Sequence[Sequence[str]]) -> Pretrained | None:
        if not self.vectors:
            return None
        from nerquake.nn.vectors import read_vectors
        from nerquake.nn.word_encoder import Pretrained

        wanted = None if self.vector_words == "all" else {word for sentence in tokens for word in sentence}
        return Pretrained(read_vectors(self.vectors, wanted), self.train_vectors)

    def about(self) -> tuple[str, ...]:
        """What is trained, and how it departs from the papers' network."""
        vectors = f", with the vectors of {self.vectors}" if self.vectors else ", without pretrained vectors"
        parts = " and the beginnings, ends and shapes of words" if self.affix else ""
        return (
            f"bilstm-crf: {self.layers} two-way LSTM of {self.hidden} units{vectors}; {self.scheme} tags",
            f"beyond R's BLSTM-CRF, whose sizes the paper does not give: letters are read by filters{parts}",
        )
