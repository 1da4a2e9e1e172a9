"""How fast a masked language model fills: `fill` against bare forward passes over the same batches, by precision.

    python -m benchmarks.filler MODEL FILE [SENTENCES]

For each of the first 200 sentences of the file three single words are masked, one a request. Bare passes are the
encoder and its head at masked places only, over inputs made before. CPU seconds, medians of five alternating runs, one
thread. Target: `fill` at least 0.85 of bare passes of the same precision. Then what batches do to scores: how far they
are from those of the request alone, against the noise that the filler claims.

With the small English model and WNUT 17 kept beside the project:

    python -m benchmarks.filler ../shared/models/minilm-mlm-en ../shared/data/wnut17/emerging.test.annotated
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from time import process_time
from typing import Any, get_args

from benchmarks.common import alternate, print_table
from nerquake.core.errors import NerquakeError
from nerquake.core.fillers import Masked
from nerquake.core.protocols import ReadOptions
from nerquake.core.seeds import Draws
from nerquake.io.load import load
from nerquake.language.transformers import TransformersFiller
from nerquake.models.means import Precision

DEPTHS = (5, 200)


def requests_of(path: str, size: int) -> list[Masked]:
    """Three masked words of each sentence, or as many as it has tokens."""
    data = load(path, options=ReadOptions(lenient=True))
    draws = Draws(0, "benchmark")
    found = []
    for sentence in data.sentences[:size]:
        places = range(len(sentence.tokens))
        drawn = draws.of(sentence.id).random("places").sample(places, min(3, len(places)))
        found += [Masked(sentence.tokens, place) for place in drawn]
    return found


def filling(filler: TransformersFiller, requests: Sequence[Masked], depth: int) -> Callable[[], None]:
    def run() -> None:
        filler.fill(requests, depth)

    return run


def bare(filler: TransformersFiller, requests: Sequence[Masked]) -> Callable[[], None]:
    """The model alone, over the batches that the filler would make."""
    import torch

    encoder, model, _ = filler._engine()
    made = []
    for batch in encoder.batches(encoder.to_fill(requests), filler.batch):
        given = {"input_ids": torch.from_numpy(batch.pieces), "attention_mask": torch.from_numpy(batch.mask)}
        made.append((given, torch.from_numpy(batch.at)))

    def run() -> None:
        with torch.inference_mode():
            for given, at in made:
                if model.gather is not None:
                    model.gather.at = at
                model.module(**given)
        if model.gather is not None:
            model.gather.at = None

    return run


def farthest(filler: TransformersFiller, requests: Sequence[Masked]) -> float:
    """The largest difference between a score in a batch and that of the request alone."""
    engine = filler._engine()

    def scores(some: Sequence[Masked]) -> dict[int, Any]:
        batches = engine.encoder.batches(engine.encoder.to_fill(some), filler.batch)
        pairs = (zip(batch.rows, engine.model.scores(batch), strict=True) for batch in batches)
        return {row.request: got for made in pairs for row, got in made}

    together = scores(requests)
    return max(float((scores([one])[0] - together[at]).abs().max()) for at, one in enumerate(requests))


def measure(model: str, requests: Sequence[Masked]) -> None:
    import torch

    torch.set_num_threads(1)
    functions: dict[str, Callable[[], object]] = {}
    fillers = {}
    for precision in get_args(Precision)[1:]:
        filler = TransformersFiller(model, device="cpu", precision=precision)
        try:
            filler.fill(requests[:2], 1)
        except NerquakeError as error:
            print(f"skipped: {error}")
            continue
        fillers[precision] = filler
        functions[f"{precision}: bare forward passes"] = bare(filler, requests)
        functions |= {f"{precision}: fill, {depth} deep": filling(filler, requests, depth) for depth in DEPTHS}
    medians = alternate(functions, clock=process_time)
    print_table(f"{len(requests):,} masked words", medians)
    for precision, filler in fillers.items():
        passes = medians[f"{precision}: bare forward passes"]
        shares = [f"{passes / medians[f'{precision}: fill, {depth} deep']:.2f}" for depth in DEPTHS]
        print(
            f"  {precision}: {' and '.join(shares)} of bare passes (target 0.85); scores in batches are up to "
            f"{farthest(filler, requests[:100]):.2g} off, noise={filler.noise:.2g}"
        )


def main() -> None:
    if len(sys.argv) < 3:
        print("python -m benchmarks.filler MODEL FILE [SENTENCES]")
        return
    measure(sys.argv[1], requests_of(sys.argv[2], int(sys.argv[3]) if len(sys.argv) > 3 else 200))


if __name__ == "__main__":
    main()
