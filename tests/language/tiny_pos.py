"""A tiny Stanza part-of-speech tagger, trained on a few sentences in seconds, and case specifications for the rest."""

from __future__ import annotations

import json
import tempfile
from functools import cache
from pathlib import Path

from nerquake.models.quiet import quiet

TAUGHT = (
    ("Anna/PROPN met/VERB a/DET happy/ADJ man/NOUN in/ADP Bonn/PROPN ./PUNCT"),
    ("Nothing/PRON happened/VERB quickly/ADV ./PUNCT"),
    ("The/DET man/NOUN met/VERB Anna/PROPN"),
)
"""What the model learns by heart, as word and tag; tests ask about these, since of others nothing is certain."""
WORDS = tuple(tuple(pair.partition("/")[0] for pair in line.split()) for line in TAUGHT)
TAGS = tuple(tuple(pair.partition("/")[2] for pair in line.split()) for line in TAUGHT)


def stanza_pos(file: Path, steps: int = 60) -> None:
    """A bidirectional LSTM over words and characters, without word vectors or character models."""
    with quiet("stanza"):
        import torch
        from stanza.models.common.doc import Document
        from stanza.models.pos.data import Dataset
        from stanza.models.pos.trainer import Trainer
        from stanza.models.tagger import build_argparse

        torch.manual_seed(1)
        args = vars(build_argparse().parse_args([]))
        args |= {"shorthand": "xx_tiny", "lang": "xx", "hidden_dim": 16, "char_hidden_dim": 8, "word_emb_dim": 8,
                 "char_emb_dim": 8, "tag_emb_dim": 4, "deep_biaff_hidden_dim": 16, "transformed_dim": 8,
                 "composite_deep_biaff_hidden_dim": 4, "dropout": 0.0, "word_dropout": 0.0, "lr": 0.02,
                 "word_cutoff": 0, "augment_nopunct": 0.0, "pretrain": False, "use_peft": False}  # fmt: skip
        entries = [[{"id": (at + 1,), "text": word, "upos": tag, "xpos": "_", "feats": "_"}
                    for at, (word, tag) in enumerate(zip(words, tags, strict=True))]
                   for words, tags in zip(WORDS, TAGS, strict=True)]  # fmt: skip
        data = Dataset(Document(entries), args, None)
        trainer = Trainer(args=args, vocab=data.vocab, device="cpu")
        for _ in range(steps):
            for batch in data.to_loader(batch_size=8):
                trainer.update(batch)
        trainer.save(str(file))


@cache
def _bytes() -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "model.pt"
        stanza_pos(file)
        return file.read_bytes()


def stanza_pos_folder(folder: Path, *languages: str) -> Path:
    """A folder as Stanza's downloader leaves it, with one tagger a language, called `tiny`.

    Like a real one it lists a language, `zz`, and a model, `big`, that are not there; `yy` is another name of `xx`.
    """
    resources: dict[str, object] = {"yy": {"alias": "xx"}}
    for language in ("zz", *(languages or ("xx",))):
        packages = {"default": {"tokenize": "tiny", "pos": "tiny"}}
        resources[language] = {"lang_name": "Example", "packages": packages, "tokenize": {"tiny": {}},
                               "pos": {"tiny": {}, "big": {}}}  # fmt: skip
        if language != "zz":
            models = folder / language / "pos"
            models.mkdir(parents=True)
            (models / "tiny.pt").write_bytes(_bytes())
    folder.mkdir(exist_ok=True)
    (folder / "resources.json").write_text(json.dumps(resources), "utf-8")
    return folder
