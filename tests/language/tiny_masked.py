"""Tiny masked language models made on the fly, whose fills are known: ranked alike in every context, or by the word
before.

The hidden state of a piece has three parts: the piece, its place, and the piece before it, which the one layer of
attention copies there. The head turns the last into scores. Everything around it is the real library.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.taggers.tiny_models import word_piece

ENGLISH = ("river", "garden", "winter", "market", "letter", "engine", "summer", "window", "bridge", "corner")
"""Lower-case words that may serve as fills."""


def bert_filler(
    folder: Path,
    fills: Sequence[str] = ENGLISH,
    after: Mapping[str, Sequence[str]] | None = None,
    *,
    words: Sequence[str] = (),
    lower: bool = False,
    places: int = 64,
) -> str:
    """A BERT model with a WordPiece tokenizer; returns the folder's path.

    fills   the vocabulary entries that it ranks first, best first: words, `##s` for a piece, `[SEP]`; what is new
            becomes an entry
    after   others that come before these where a certain word (an entry of the vocabulary) stands directly before;
            a masked word before is none
    words   further entries, which rank last
    lower   the tokenizer makes capitals small
    places  positions, special pieces included

    Words that are no entries are spelled letter by letter, ASCII only.
    """
    from tokenizers import normalizers
    from transformers import BertConfig, BertForMaskedLM, BertTokenizerFast

    after = after or {}
    letters = [chr(code) for code in range(ord("!"), ord("~") + 1)]
    vocab = _once(
        ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "[unused0]", *letters, *(f"##{letter}" for letter in letters)],
        *_all(fills, after, words),
    )
    table = {entry: at for at, entry in enumerate(vocab)}
    config = BertConfig(
        vocab_size=len(vocab), hidden_size=_width(vocab, places), num_hidden_layers=1, num_attention_heads=1,
        intermediate_size=8, max_position_embeddings=places, tie_word_embeddings=False,
    )  # fmt: skip
    model = BertForMaskedLM(config)
    _wire(model.bert, len(vocab))
    _rank(model.cls.predictions.decoder, model.cls.predictions.transform.dense, table, fills, after)
    model.save_pretrained(folder)
    tokenizer = word_piece(table)
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=lower)
    tokenizer.save(str(folder / "tokenizer.json"))
    BertTokenizerFast(
        tokenizer_file=str(folder / "tokenizer.json"), do_lower_case=lower, model_max_length=places
    ).save_pretrained(str(folder))
    return str(folder)


def roberta_filler(
    folder: Path,
    fills: Sequence[str] = ENGLISH,
    after: Mapping[str, Sequence[str]] | None = None,
    *,
    words: Sequence[str] = (),
    places: int = 64,
) -> str:
    """A RoBERTa model with a byte-level tokenizer; returns the folder's path. The arguments are those of `bert_filler`.

    Words are entries with a blank before them, `##s` is one without, which no text is split into; `<s>` is the model's
    own. Words that are no entries are spelled byte by byte. It has two positions fewer than `places` for pieces.
    """
    from tokenizers.pre_tokenizers import ByteLevel
    from transformers import RobertaConfig, RobertaForMaskedLM

    after = {_bytes(word): [_bytes(fill) for fill in ranked] for word, ranked in (after or {}).items()}
    fills = [_bytes(fill) for fill in fills]
    vocab = ["<s>", "<pad>", "</s>", "<unk>", "<mask>", *sorted(ByteLevel.alphabet())]
    merges: dict[tuple[str, str], None] = {}
    for entry in _once([], *_all(fills, after, [_bytes(word) for word in words])):
        built, rest = (entry[:1], entry[1:]) if entry.startswith("Ġ") else (entry, "")
        vocab = _once(vocab, [built])
        for letter in rest:
            merges[built, letter] = None
            built += letter
            vocab = _once(vocab, [built])
    config = RobertaConfig(
        vocab_size=len(vocab), hidden_size=_width(vocab, places), num_hidden_layers=1, num_attention_heads=1,
        intermediate_size=8, max_position_embeddings=places, type_vocab_size=1, tie_word_embeddings=False,
    )  # fmt: skip
    model = RobertaForMaskedLM(config)
    _wire(model.roberta, len(vocab))
    table = {entry: at for at, entry in enumerate(vocab)}
    _rank(model.lm_head.decoder, model.lm_head.dense, table, fills, after)
    model.save_pretrained(folder)
    (folder / "vocab.json").write_text(json.dumps(table), "utf-8")
    (folder / "merges.txt").write_text("#version: 0.2\n" + "".join(f"{a} {b}\n" for a, b in merges), "utf-8")
    (folder / "tokenizer_config.json").write_text(json.dumps({"tokenizer_class": "RobertaTokenizer"}), "utf-8")
    return str(folder)


def _all(fills: Sequence[str], after: Mapping[str, Sequence[str]], words: Sequence[str]) -> tuple[Sequence[str], ...]:
    return fills, *after.values(), list(after), words


def _once(start: Sequence[str], *more: Sequence[str]) -> list[str]:
    return list(dict.fromkeys((*start, *(entry for entries in more for entry in entries))))


def _bytes(word: str) -> str:
    """A word as byte-level tokenizers write it in their vocabulary."""
    from tokenizers.pre_tokenizers import ByteLevel

    if word.startswith("<") and word.endswith(">"):
        return word
    text = word[2:] if word.startswith("##") else f" {word}"
    return "".join(part for part, _ in ByteLevel(add_prefix_space=False, use_regex=False).pre_tokenize_str(text))


def _width(vocab: Sequence[str], places: int) -> int:
    return 2 * len(vocab) + places


def _wire(encoder: Any, size: int) -> None:
    """One-hot pieces and places; the attention copies the piece before into the third part."""
    import torch

    places, width = encoder.embeddings.position_embeddings.weight.shape
    layer = encoder.encoder.layer[0]
    attention = layer.attention
    parts = (attention.self.query, attention.self.key, attention.self.value, attention.output.dense, layer.output.dense)
    with torch.no_grad():
        for linear in parts:
            linear.weight.zero_()
            linear.bias.zero_()
        encoder.embeddings.token_type_embeddings.weight.zero_()
        encoder.embeddings.word_embeddings.weight.zero_()
        encoder.embeddings.position_embeddings.weight.zero_()
        piece, place, before = torch.arange(size), size + torch.arange(places), size + places + torch.arange(size)
        encoder.embeddings.word_embeddings.weight[piece, piece] = 1.0
        encoder.embeddings.position_embeddings.weight[place - size, place] = 1.0
        attention.self.query.weight[place[:-1], place[1:]] = 4.0  # each place looks for the one before it
        attention.self.key.weight[place, place] = 1.0
        attention.self.value.weight[before, piece] = 1.0
        attention.output.dense.weight[before, before] = 1.0
    assert width == 2 * size + places


def _rank(
    decoder: Any, dense: Any, table: Mapping[str, int], fills: Sequence[str], after: Mapping[str, Sequence[str]]
) -> None:
    """Scores one apart from rank to rank, also in bfloat16; what is not ranked comes far behind, in its own order."""
    import torch

    size, width = decoder.weight.shape
    one = (width / 3) ** 0.5  # what a layer norm makes of three ones among zeros
    with torch.no_grad():
        dense.weight.copy_(torch.eye(width))
        dense.bias.zero_()
        decoder.weight.zero_()
        decoder.bias.copy_(-float(len(fills) + 4) - torch.arange(size) / 16)
        for rank, fill in enumerate(fills):
            decoder.bias[table[fill]] = -float(rank)
        for word, ranked in after.items():
            for rank, fill in enumerate(ranked):
                wanted = len(ranked) + 2.0 - rank - float(decoder.bias[table[fill]])
                decoder.weight[table[fill], width - size + table[word]] = wanted / one
