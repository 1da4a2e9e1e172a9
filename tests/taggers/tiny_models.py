"""Tiny transformers checkpoints made on the fly, whose answers are known: every piece has one label, whatever stands
around it.

The hidden state of a piece is a row of an identity matrix: embeddings are one-hot, attention and feed-forward layers
add nothing. The classifier then looks the label up. Everything around it is the real library.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from nerquake.core.span import Span

IOB2 = ("O", "B-PER", "I-PER", "B-LOC", "I-LOC", "B-ORG", "I-ORG")
PIECES = {
    "Anna": "B-PER", "Lind": "I-PER", "Bo": "B-PER", "Bonn": "B-LOC", "New": "B-LOC", "York": "I-LOC",
    "United": "B-ORG", "Nations": "I-ORG", "Iran": "B-LOC", "Paris": "B-LOC", "EU": "B-ORG",
    "met": "O", "in": "O", "and": "O", ".": "O",
}  # fmt: skip
"""Words of the vocabulary and their labels. Other words are spelled by `##` pieces, which are O."""
TEXT = ("Anna", "Lind", "met", "Bo", "in", "New", "York", "and", "the", "United", "Nations", ".")
SPANS = (Span(0, 2, "PER"), Span(3, 4, "PER"), Span(5, 7, "LOC"), Span(9, 11, "ORG"))
"""A sentence, and what the models find in it."""


def allowed(before: str, after: str) -> float:
    return float(after[0] != "I" or (before[0] in "BI" and before[2:] == after[2:]))


CRF = {
    "start_transitions": [0.0] * 7,
    "end_transitions": [0.0] * 7,
    "transitions": [[0.0] * 7 for _ in range(7)],
    "_constraint_mask": [
        *([*(allowed(before, after) for after in IOB2), 0.0, 1.0] for before in IOB2),
        [*(allowed("O", after) for after in IOB2), 0.0, 0.0],
        [0.0] * 9,
    ],
}
"""What T-NER keeps for the tags of IOB2: start and end are the last two rows and columns of the mask."""


def names(labels: Sequence[str]) -> dict[str, Any]:
    return {"id2label": dict(enumerate(labels)), "label2id": {label: at for at, label in enumerate(labels)}}


def bert(
    folder: Path,
    pieces: Mapping[str, str] = PIECES,
    labels: Sequence[str] = IOB2,
    *,
    special: Sequence[str] = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"),
    outside: str = "O",
    extra: Mapping[str, Any] | None = None,
) -> str:
    """A BERT model of 64 positions with a WordPiece tokenizer; returns the folder's path.

    Words that are not among the pieces are spelled letter by letter. What has no label has the label `outside`.
    """
    from transformers import BertConfig, BertForTokenClassification

    letters = [chr(code) for code in range(ord("!"), ord("~") + 1)]
    spelled = [*letters, *(f"##{letter}" for letter in letters)]
    vocab = [*special, *pieces, *(piece for piece in spelled if piece not in pieces)]
    width = len(vocab) + len(vocab) % 2
    config = BertConfig(
        vocab_size=len(vocab), hidden_size=width, num_hidden_layers=1, num_attention_heads=2, intermediate_size=8,
        max_position_embeddings=64, **names(labels), **(extra or {}),
    )  # fmt: skip
    model = BertForTokenClassification(config)
    silence(model.bert)
    look_up(model.bert.embeddings.word_embeddings, model.classifier, vocab, pieces, labels, outside)
    model.save_pretrained(folder)
    if special:
        save_wordpiece(folder, vocab)
    return str(folder)


def save_wordpiece(folder: Path, vocab: Sequence[str]) -> None:
    from transformers import BertTokenizerFast

    file = folder / "tokenizer.json"
    word_piece({piece: at for at, piece in enumerate(vocab)}).save(str(file))
    BertTokenizerFast(tokenizer_file=str(file), do_lower_case=False).save_pretrained(str(folder))


def word_piece(table: Mapping[str, int]) -> Any:
    """BERT's tokenizer as it is: control characters and blanks vanish, punctuation stands alone."""
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

    tokenizer = Tokenizer(models.WordPiece(dict(table), unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=False)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[("[CLS]", table["[CLS]"]), ("[SEP]", table["[SEP]"])],
    )
    return tokenizer


def roberta(folder: Path, pieces: Mapping[str, str] = PIECES, labels: Sequence[str] = IOB2) -> str:
    """A RoBERTa model with a byte-level tokenizer that has a piece for each word behind a blank, and for each byte."""
    from tokenizers.pre_tokenizers import ByteLevel
    from transformers import RobertaConfig, RobertaForTokenClassification

    merges: list[tuple[str, str]] = []
    vocab = ["<s>", "<pad>", "</s>", "<unk>", "<mask>", *sorted(ByteLevel.alphabet())]
    for word in pieces:
        built = "Ġ"
        for letter in word:
            if (built, letter) not in merges:
                merges.append((built, letter))
            built += letter
            if built not in vocab:
                vocab.append(built)
    known = {f"Ġ{word}": label for word, label in pieces.items()}
    width = len(vocab) + len(vocab) % 2
    config = RobertaConfig(
        vocab_size=len(vocab), hidden_size=width, num_hidden_layers=1, num_attention_heads=2, intermediate_size=8,
        max_position_embeddings=40, type_vocab_size=1, **names(labels),
    )  # fmt: skip
    model = RobertaForTokenClassification(config)
    silence(model.roberta)
    look_up(model.roberta.embeddings.word_embeddings, model.classifier, vocab, known, labels)
    model.save_pretrained(folder)
    (folder / "vocab.json").write_text(json.dumps({piece: at for at, piece in enumerate(vocab)}), "utf-8")
    (folder / "merges.txt").write_text("#version: 0.2\n" + "".join(f"{a} {b}\n" for a, b in merges), "utf-8")
    (folder / "tokenizer_config.json").write_text(json.dumps({"tokenizer_class": "RobertaTokenizer"}), "utf-8")
    return str(folder)


def silence(encoder: Any) -> None:
    """Positions, segments, attention and feed-forward layers add nothing."""
    import torch

    with torch.no_grad():
        encoder.embeddings.position_embeddings.weight.zero_()
        encoder.embeddings.token_type_embeddings.weight.zero_()
        for layer in encoder.encoder.layer:
            for linear in (layer.attention.output.dense, layer.output.dense):
                linear.weight.zero_()
                linear.bias.zero_()


def look_up(
    embeddings: Any,
    classifier: Any,
    vocab: Sequence[str],
    pieces: Mapping[str, str],
    labels: Sequence[str],
    outside: str = "O",
) -> None:
    """One-hot embeddings, and a classifier that gives each piece its label."""
    import torch

    with torch.no_grad():
        embeddings.weight.copy_(torch.eye(*embeddings.weight.shape))
        classifier.bias.zero_()
        classifier.bias[labels.index(outside)] = 5.0  # a piece with a label scores about 14 for it
        classifier.weight.zero_()
        for at, piece in enumerate(vocab):
            if pieces.get(piece, outside) != outside:
                classifier.weight[labels.index(pieces[piece]), at] = 1.0


def change_config(folder: Path, **changes: Any) -> None:
    """Change a checkpoint's configuration."""
    file = folder / "config.json"
    file.write_text(json.dumps(json.loads(file.read_text("utf-8")) | changes), "utf-8")
