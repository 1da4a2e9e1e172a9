"""How good the mask filler `ngram` is against the frequencies of words alone, how fast, and how large.

    python -m benchmarks.ngram [LANGUAGE=]FILE...

For each file, for its first 400 sentences in a random order and for all of them (15,000 at most): a fifth of the
sentences, 600 at most, is held out, each of its tokens with a letter or digit masked in turn, and the model of the
other sentences asked for its ten best. Means over five splits. The language is for the list of stop words: content
words are those outside it. The unigram model is the same one with all other tokens hidden.

    hit        share of masked tokens among ten words, of ngram and of the unigram model, and their ratio (target 1.5)
    least      the ratio of the worst split
    words      the ratio where marks are taken out of both lists before they are cut to ten
    content    hits of content words: ngram and unigram
    perplexity of the masked tokens, unknown ones too: ngram and unigram

Then what an attack meets, with the whole file learned: processor seconds to learn it, requests a second at depth 10
and 200 and for scores (medians of three runs over 2,000 requests), bytes a token that stay and that learning takes at
its peak.
"""

from __future__ import annotations

import math
import random
import statistics
import sys
import time
import tracemalloc
from collections.abc import Callable, Sequence
from typing import NamedTuple

from benchmarks.common import THREAD_VARIABLES
from nerquake.core.dataset import Dataset
from nerquake.core.fillers import CONTENT, Fill, Masked
from nerquake.core.protocols import ReadOptions
from nerquake.core.sentence import Sentence
from nerquake.io.load import load
from nerquake.language.ngram import LearnedNgrams, NgramFiller
from nerquake.language.stopwords import StopWords

SEEDS = 5
SMALL, LARGE, HELD_OUT = 400, 15_000, 600
BEST, ASKED = 10, 40
REQUESTS = 2_000


class Split(NamedTuple):
    hit: float
    unigram_hit: float
    words: float
    unigram_words: float
    content: float
    unigram_content: float
    loss: float
    unigram_loss: float


def is_word(token: str) -> bool:
    return any(map(str.isalnum, token))


def best(fills: Sequence[Fill], only_words: bool = False) -> set[str]:
    return {fill.text for fill in [one for one in fills if not only_words or is_word(one.text)][:BEST]}


def measure(sentences: Sequence[Sentence], language: str, seed: int, size: int) -> Split:
    """One split of `size` sentences."""
    drawn = random.Random(seed).sample(list(sentences), min(size, len(sentences)))
    cut = min(len(drawn) // 5, HELD_OUT)
    filler = NgramFiller().learn(Dataset("train", tuple(drawn[cut:])))
    held = [one.tokens for one in drawn[:cut]]
    kinds = StopWords(language).tag(held)
    places = [(s, at) for s, tokens in enumerate(held) for at, token in enumerate(tokens) if is_word(token)]
    requests = [Masked(held[s], at) for s, at in places]
    nothing = Masked(("", "", "?", "", ""), 2, (0, 1, 3, 4))
    gold = [held[s][at] for s, at in places]
    content = [kinds[s][at] == CONTENT for s, at in places]
    (flat,) = filler.fill([nothing], ASKED)
    unigram = filler.score([nothing._replace(tokens=("", "", word, "", "")) for word in gold])
    answers = filler.fill(requests, ASKED)

    def share(hits: Sequence[bool], among: Sequence[bool] | None = None) -> float:
        chosen = [hit for hit, yes in zip(hits, among or [True] * len(hits), strict=True) if yes]
        return sum(chosen) / max(len(chosen), 1)

    hits = [word in best(fills) for word, fills in zip(gold, answers, strict=True)]
    flat_hits = [word in best(flat) for word in gold]
    return Split(
        share(hits),
        share(flat_hits),
        share([word in best(fills, True) for word, fills in zip(gold, answers, strict=True)]),
        share([word in best(flat, True) for word in gold]),
        share(hits, content),
        share(flat_hits, content),
        -statistics.fmean(filler.score(requests)),
        -statistics.fmean(unigram),
    )


def print_quality(name: str, sentences: Sequence[Sentence], language: str) -> None:
    for size in (SMALL, min(LARGE, len(sentences))):
        splits = [measure(sentences, language, seed, size) for seed in range(SEEDS)]
        mean = Split(*map(statistics.fmean, zip(*splits, strict=True)))
        least = min(split.hit / split.unigram_hit for split in splits)
        columns = (
            f"{mean.hit:.3f} {mean.unigram_hit:.3f} {mean.hit / mean.unigram_hit:5.2f} {least:6.2f}",
            f"{mean.words / mean.unigram_words:5.2f}",
            f"{mean.content:.3f} {mean.unigram_content:.3f}",
            f"{math.exp(mean.loss):7,.0f} {math.exp(mean.unigram_loss):7,.0f}",
        )
        print(f"{name:<28} {min(size, len(sentences)):6,}", *columns, sep="  ", flush=True)


def a_second(answer: Callable[[Sequence[Masked]], object], requests: Sequence[Masked]) -> float:
    """Requests a processor second, asked 256 at a time, as an attack does."""
    seconds = []
    for _ in range(3):
        start = time.process_time()
        for at in range(0, len(requests), 256):
            answer(requests[at : at + 256])
        seconds.append(time.process_time() - start)
    return len(requests) / statistics.median(seconds)


def print_speed(name: str, data: Dataset) -> None:
    start = time.process_time()
    filler: LearnedNgrams = NgramFiller().learn(data)
    seconds = time.process_time() - start
    drawn = random.Random(0).sample(data.sentences, len(data))
    requests = [Masked(one.tokens, at, (), one.id) for one in drawn for at in range(len(one))][:REQUESTS]
    rates = [
        a_second(lambda some: filler.fill(some, BEST), requests),
        a_second(lambda some: filler.fill(some, 200), requests),
        a_second(filler.score, requests),
    ]
    tracemalloc.start()
    kept = NgramFiller().learn(data)
    stays, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    del kept
    print(
        f"{name:<28} {data.tokens:8,} tokens in {seconds:.1f} s",
        " ".join(f"{rate:6,.0f}" for rate in rates) + " requests a second",
        f"{stays / data.tokens:,.0f} bytes a token, peak {peak / data.tokens:,.0f}",
        sep="   ",
        flush=True,
    )


def main() -> None:
    sets = []
    for argument in sys.argv[1:]:
        language, _, file = argument.rpartition("=")
        data = load(file, options=ReadOptions(lenient=True, repair="conlleval"))
        sets.append((f"{language or data.language} {data.name}"[-28:], data, language or data.language))
    if not sets:
        raise SystemExit(__doc__)
    print(f"one thread ({', '.join(THREAD_VARIABLES)})")
    print(f"{'':<28} {'size':>6}  {'hit':>11} ratio  least  words  {'content':>11}  {'perplexity':>15}")
    for name, data, language in sets:
        print_quality(name, data.sentences, language)
    for name, data, _ in sets:
        print_speed(name, data)


if __name__ == "__main__":
    main()
