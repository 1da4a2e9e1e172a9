"""A tiny labelled world for training tests: names and the words around them, and a tiny encoder for them."""

from __future__ import annotations

from pathlib import Path
from random import Random

from nerquake.core.dataset import Dataset
from nerquake.core.scheme import IOB2
from nerquake.core.sentence import Sentence
from nerquake.core.span import Span
from tests.taggers.tiny_models import save_wordpiece

NAMES = {"PER": ["Anna Lind", "Bo", "Rosa", "Ida Berg", "Max"], "LOC": ["Bonn", "New York", "Oslo", "Rome"]}
FRAMES = (
    "{PER} met {PER} in {LOC} .",
    "{PER} left {LOC} .",
    "rain fell on {LOC} today .",
    "{PER} slept .",
    "it rained .",
)


def sentence(number: int, rng: Random, prefix: str = "s") -> Sentence:
    tokens: list[str] = []
    spans: list[Span] = []
    for part in rng.choice(FRAMES).split():
        label = part.strip("{}")
        words = rng.choice(NAMES[label]).split() if label in NAMES else [part]
        if label in NAMES:
            spans.append(Span(len(tokens), len(tokens) + len(words), label))
        tokens += words
    return Sentence(f"{prefix}{number}", tuple(tokens), tuple(spans))


def world(size: int, seed: int = 0, prefix: str = "s", name: str = "toy.conll") -> Dataset:
    rng = Random(seed)
    return Dataset(name, tuple(sentence(at, rng, prefix) for at in range(size)), "en", IOB2, "conll")


def conll(dataset: Dataset, path: Path) -> str:
    lines = []
    for one in dataset:
        tags = IOB2.encode(one.spans, len(one.tokens))
        lines += [f"# id {one.id}", *(f"{token} {tag}" for token, tag in zip(one.tokens, tags, strict=True)), ""]
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return str(path)


def encoder(folder: Path, positions: int = 64, dropout: float = 0.1) -> str:
    """A BERT encoder without a head, two layers of 32, over the words of the toy world; returns the folder's path."""
    import torch
    from transformers import BertConfig, BertModel

    words = sorted({word for frame in FRAMES for word in frame.split() if "{" not in word}
                   | {word for names in NAMES.values() for name in names for word in name.split()})  # fmt: skip
    vocab = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *words, *(f"##{c}" for c in "abcdefghij")]
    torch.manual_seed(1)
    config = BertConfig(
        vocab_size=len(vocab), hidden_size=32, num_hidden_layers=2, num_attention_heads=2, intermediate_size=64,
        max_position_embeddings=positions, hidden_dropout_prob=dropout, attention_probs_dropout_prob=dropout,
    )  # fmt: skip
    BertModel(config).save_pretrained(folder)
    save_wordpiece(folder, vocab)
    return str(folder)
