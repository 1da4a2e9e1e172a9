"""How fast and how large `swap` is: tokens a second on one core, and peak memory a token.

    python -m benchmarks.swap [SENTENCES]

20,000 made-up sentences by default, about 16 tokens and one mention each, four labels, some names far more common
than others.
Prints the median of five runs; target 300,000 tokens a second, and under 1,500 bytes a token while perturbing.
"""

from __future__ import annotations

import gc
import random
import statistics
import sys
import time
import tracemalloc

from nerquake.core.dataset import Dataset
from nerquake.core.sentence import Sentence
from nerquake.core.span import Span
from nerquake.perturb.choose import chains_from
from nerquake.perturb.run import attack

RUNS = 5


def corpus(size: int) -> Dataset:
    """Sentences of 8 to 22 tokens with one mention each, two columns beside the tags, ids from the file."""
    rng = random.Random(1)
    words = [f"word{n}" for n in range(5000)]
    names = [tuple(f"Name{n}{part}" for part in range(1 + n % 3)) for n in range(3000)]
    sentences = []
    for number in range(size):
        before = [words[int(5000 * rng.random() ** 2)] for _ in range(rng.randrange(4, 11))]
        after = [words[int(5000 * rng.random() ** 2)] for _ in range(rng.randrange(4, 11))]
        name = names[int(3000 * rng.random() ** 3)]
        tokens = (*before, *name, *after)
        span = Span(len(before), len(before) + len(name), ("PER", "LOC", "ORG", "MISC")[number % 4])
        columns = tuple(("NN", "_") for _ in tokens)
        sentences.append(Sentence(f"s{number}", tokens, (span,), columns=columns))
    return Dataset("made-up", tuple(sentences), language="en")


def main() -> None:
    size = int(sys.argv[1]) if len(sys.argv) > 1 else 20_000
    data = corpus(size)
    for text in ("swap", "swap:replace=yes", "faker", "letters", "mixup", "swap+letters"):
        (chain,) = chains_from([text], "en").chains
        times, changed = [], 0
        for _ in range(RUNS):
            gc.collect()
            start = time.perf_counter()
            made = attack(data, chain, 0)
            times.append(time.perf_counter() - start)
            changed = made.statuses["changed"]
            del made
        seconds = statistics.median(times)
        print(f"{text:18} {data.tokens / seconds:>10,.0f} tokens/s   {seconds:.3f} s   {changed} of {size} changed")
    (chain,) = chains_from(["swap"], "en").chains
    tracemalloc.start()
    attack(data, chain, 0)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    print(f"swap: peak memory on top of the data set {peak / data.tokens:,.0f} bytes a token")


if __name__ == "__main__":
    main()
