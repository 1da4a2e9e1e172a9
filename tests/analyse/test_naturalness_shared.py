"""With a real model pseudo-perplexity tells sentences from the same sentences with their content words shuffled."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from nerquake.core.dataset import Dataset
from nerquake.core.fillers import CONTENT
from nerquake.core.seeds import Draws
from nerquake.core.sentence import Sentence
from nerquake.io.load import load
from nerquake.language.build import build_filler
from nerquake.language.perplexity import perplexity_ratios
from nerquake.language.stopwords import StopWords

PAIRS = 20
"""Of each file."""
FEWEST = 5
"""Content words that a sentence has at least: with two or three a shuffled order is often as good."""


def shuffled(sentence: Sentence, places: list[int]) -> tuple[str, ...]:
    """The sentence with its content words in another order."""
    rng = Draws(0, "shuffled", sentence.id).random()
    tokens = list(sentence.tokens)
    words = [tokens[at] for at in places]
    while words == [tokens[at] for at in places]:
        rng.shuffle(words)
    for at, word in zip(places, words, strict=True):
        tokens[at] = word
    return tuple(tokens)


def pairs_of(data: Dataset) -> list[tuple[str, tuple[str, ...], tuple[str, ...]]]:
    tags = StopWords("en").tag([sentence.tokens for sentence in data])
    found = []
    for sentence, tagged in zip(data, tags, strict=True):
        places = [at for at, tag in enumerate(tagged) if tag == CONTENT]
        if len({sentence.tokens[at] for at in places}) >= FEWEST and len(sentence) <= 40:
            found.append((sentence.id, sentence.tokens, shuffled(sentence, places)))
    draws = Draws(0, "pairs")
    return sorted(found, key=lambda pair: draws.number(pair[0]))[:PAIRS]


@pytest.fixture
def one_thread(huggingface_library: None) -> Iterator[None]:
    """Tests run side by side: threads of several models would wait for each other."""
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.mark.slow
def test_sentences_score_better_than_with_their_content_words_shuffled(shared: Path, one_thread: None) -> None:
    files = ("wnut17/emerging.test.annotated", "wikigold/wikigold.conll.txt")
    pairs = [pair for file in files for pair in pairs_of(load(str(shared / "data" / file)))]
    assert len(pairs) == 2 * PAIRS
    judge = build_filler(f"transformers:{shared / 'models' / 'minilm-mlm-en'},device=cpu,precision=fp32")
    ratios = perplexity_ratios(judge, pairs)
    better = sum(ratio is not None and ratio > 1 for ratio in ratios)
    assert better >= 0.95 * len(pairs)
