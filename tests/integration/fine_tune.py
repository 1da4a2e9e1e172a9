"""Fine-tuning an encoder for a moment: enough for a model that has learnt something, in seconds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from nerquake.core.scheme import IOB2
from nerquake.core.sentence import Sentence

IGNORED = -100


def fine_tune(encoder: str, sentences: Sequence[Sentence], folder: Path, *, steps: int, batch: int = 16) -> str:
    """Train a token classification head, and the encoder with it, on first pieces; saves both and the tokenizer.

    One thread: where tests run side by side, threads that wait for each other take ten times as long.
    """
    import torch
    from transformers import AutoModelForTokenClassification, AutoTokenizer

    labels = sorted({span.label for sentence in sentences for span in sentence.spans})
    names = ["O", *(f"{prefix}-{label}" for label in labels for prefix in "BI")]
    torch.manual_seed(0)
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    tokenizer = AutoTokenizer.from_pretrained(encoder)
    model = AutoModelForTokenClassification.from_pretrained(
        encoder, id2label=dict(enumerate(names)), label2id={name: at for at, name in enumerate(names)}
    )
    model.base_model.embeddings.requires_grad_(False)  # half of the numbers, and of no use in so few steps
    optimizer = torch.optim.AdamW([p for p in model.parameters() if p.requires_grad], lr=1e-3)
    model.train()
    for inputs in _batches(tokenizer, sentences, names, steps, batch):
        optimizer.zero_grad()
        model(**inputs).loss.backward()
        optimizer.step()
    torch.set_num_threads(threads)
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return str(folder)


def _batches(
    tokenizer: Any, sentences: Sequence[Sentence], names: Sequence[str], steps: int, size: int
) -> Iterator[dict[str, Any]]:
    import torch

    for step in range(steps):
        chosen = [sentences[(step * size + at) % len(sentences)] for at in range(size)]
        inputs = tokenizer(
            [list(sentence.tokens) for sentence in chosen],
            is_split_into_words=True, padding=True, truncation=True, max_length=64, return_tensors="pt",
        )  # fmt: skip
        rows = []
        for at, sentence in enumerate(chosen):
            tags = IOB2.encode(sentence.spans, len(sentence))
            words = inputs.word_ids(at)
            new = [word is not None and word != before for before, word in zip([None, *words], words, strict=False)]
            rows.append([names.index(tags[w]) if first else IGNORED for w, first in zip(words, new, strict=True)])
        yield {**inputs, "labels": torch.tensor(rows)}
