"""A tiny Stanza pipeline, tagger and parser, trained in seconds on sentences with hand-made parses."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from nerquake.language.rewriting.conllu import Row
from nerquake.models.quiet import quiet

SMALL = {
    "shorthand": "de_tiny", "lang": "de", "hidden_dim": 32, "char_hidden_dim": 8, "word_emb_dim": 16, "char_emb_dim": 8,
    "tag_emb_dim": 8, "deep_biaff_hidden_dim": 32, "transformed_dim": 8, "composite_deep_biaff_hidden_dim": 8,
    "dropout": 0.0, "word_dropout": 0.0, "word_cutoff": 0, "augment_nopunct": 0.0, "drop_initial_punct_prob": 0.0,
    "pretrain": False, "use_peft": False, "device": "cpu",
}  # fmt: skip


def _entries(sentences: Sequence[Sequence[Row]]) -> list[list[dict[str, Any]]]:
    return [
        [
            {
                "id": (at + 1,), "text": row.text, "lemma": row.text, "upos": row.pos, "xpos": "_", "deprel": row.dep,
                "feats": "|".join(f"{key}={value}" for key, value in sorted(row.morph.items())) or "_",
                "head": 0 if row.head == at else row.head + 1,
            }
            for at, row in enumerate(rows)
        ]
        for rows in sentences
    ]  # fmt: skip


def _tagger(entries: list[list[dict[str, Any]]], file: Path, steps: int) -> None:
    import torch
    from stanza.models.common.doc import Document
    from stanza.models.pos.data import Dataset
    from stanza.models.pos.trainer import Trainer
    from stanza.models.tagger import build_argparse

    torch.manual_seed(1)
    args = vars(build_argparse().parse_args([])) | SMALL | {"lr": 0.02}
    data = Dataset(Document(entries), args, None)
    trainer = Trainer(args=args, vocab=data.vocab, device="cpu")
    for _ in range(steps):
        for batch in data.to_loader(batch_size=8):
            trainer.update(batch)
    trainer.save(str(file))


def _parser(entries: list[list[dict[str, Any]]], file: Path, steps: int) -> None:
    import torch
    from stanza.models.common.doc import Document
    from stanza.models.depparse.data import DataLoader
    from stanza.models.depparse.trainer import GraphTrainer
    from stanza.models.parser import build_argparse

    torch.manual_seed(1)
    args = vars(build_argparse().parse_args([])) | SMALL | {"optim": "adam", "lr": 0.01}
    data = DataLoader(Document(entries), 5000, args, None, evaluation=False)
    trainer = GraphTrainer(args=args, vocab=data.vocab, pretrain=None, device="cpu")
    for _ in range(steps):
        for batch in data:
            trainer.update(batch)
    trainer.save(str(file))


@cache
def _models(sentences: tuple[tuple[Row, ...], ...], steps: int) -> tuple[bytes, bytes]:
    entries = _entries(sentences)
    with tempfile.TemporaryDirectory() as folder, quiet("stanza"):
        files = Path(folder) / "pos.pt", Path(folder) / "depparse.pt"
        _tagger(entries, files[0], steps)
        _parser(entries, files[1], steps)
        return files[0].read_bytes(), files[1].read_bytes()


class Hashable(tuple[Row, ...]):
    """Rows by their tokens: features are no key."""

    def __hash__(self) -> int:
        return hash(tuple(row.text for row in self))


def stanza_parser_folder(folder: Path, sentences: Sequence[Sequence[Row]], steps: int = 80) -> Path:
    """A folder as Stanza's downloader leaves it, for German, with lemmas that are the words themselves."""
    models = _models(tuple(Hashable(rows) for rows in sentences), steps)
    names = {"tokenize": "tiny", "pos": "tiny", "lemma": "identity", "depparse": "tiny"}
    for processor, data in zip(("pos", "depparse"), models, strict=True):
        place = folder / "de" / processor
        place.mkdir(parents=True)
        (place / "tiny.pt").write_bytes(data)
    german = {"lang_name": "German", "packages": {"default": names}}
    german |= {processor: {name: {}} for processor, name in names.items()}  # type: ignore[misc]
    (folder / "resources.json").write_text(json.dumps({"de": german}), "utf-8")
    return folder
