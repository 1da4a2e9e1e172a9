"""Tiny Flair and Stanza recognisers, trained on a few sentences in seconds and saved."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from nerquake.core.scheme import BIOES
from nerquake.core.sentence import Sentence
from nerquake.core.span import Span
from nerquake.models.quiet import quiet


def _sentence(key: str, text: str, *spans: Span) -> Sentence:
    return Sentence(key, tuple(text.split(" ")), spans)


TAUGHT: tuple[Sentence, ...] = (
    _sentence("s1", "Anna Lind met Bo in Bonn .", Span(0, 2, "PER"), Span(3, 4, "PER"), Span(5, 6, "LOC")),
    _sentence("s2", "Nothing happened ."),
    _sentence("s3", "Anna Anna Iranian Iran", Span(0, 1, "PER"), Span(1, 2, "PER"), Span(3, 4, "LOC")),
    _sentence("s4", "Bo flew to Iran and Bonn", Span(0, 1, "PER"), Span(3, 4, "LOC"), Span(5, 6, "LOC")),
)
"""What the models learn by heart; tests ask about these sentences, since of others nothing is certain."""
BO = TAUGHT[3]


def flair_model(file: Path, steps: int = 60) -> None:
    """A bidirectional LSTM with a CRF over one-hot words."""
    with quiet("flair"):
        _flair(file, steps, spans=True)


def flair_token_tagger(file: Path) -> None:
    """A tagger of single tokens, which is no entity recogniser."""
    with quiet("flair"):
        _flair(file, 1, spans=False)


def _words() -> Any:
    from flair.data import Dictionary
    from flair.embeddings import OneHotEmbeddings

    words = Dictionary()
    for sentence in TAUGHT:
        for token in sentence.tokens:
            words.add_item(token)
    return OneHotEmbeddings(words, embedding_length=16)


def _flair(file: Path, steps: int, spans: bool) -> None:
    import flair
    from flair.data import Dictionary
    from flair.models import SequenceTagger

    flair.set_seed(1)
    tags = Dictionary(add_unk=False)
    for label in ("PER", "LOC") if spans else ("up", "low"):
        tags.add_item(label)
    tags.span_labels = spans
    tagger = SequenceTagger(
        embeddings=_words(),
        tag_dictionary=tags,
        tag_type="ner" if spans else "case",
        hidden_size=16,
        use_crf=spans,
        reproject_embeddings=False,
        word_dropout=0.0,
        locked_dropout=0.0,
    )
    _learn(tagger, [_labelled(sentence, spans) for sentence in TAUGHT], steps)
    tagger.save(file)


def _labelled(sentence: Sentence, spans: bool) -> Any:
    from flair.data import Sentence as Words

    made = Words(list(sentence.tokens))
    if spans:
        for span in sentence.spans:
            made[span.start : span.end].add_label("ner", span.label)
    else:
        for token in made.tokens:
            token.add_label("case", "up" if token.text.istitle() else "low")
    return made


def _learn(tagger: Any, taught: Sequence[Any], steps: int) -> None:
    import torch

    optimizer = torch.optim.Adam(tagger.parameters(), lr=0.05)
    tagger.train()
    for _ in range(steps):
        optimizer.zero_grad()
        loss, _ = tagger.forward_loss(taught)
        loss.backward()
        optimizer.step()
        for sentence in taught:
            sentence.clear_embeddings()
    tagger.eval()


def stanza_model(file: Path, steps: int = 60) -> None:
    """A bidirectional LSTM with a CRF over words and characters, without word vectors or character models."""
    with quiet("stanza"):
        import torch
        from stanza.models.common.doc import Document
        from stanza.models.ner.data import DataLoader
        from stanza.models.ner.trainer import Trainer
        from stanza.models.ner_tagger import build_argparse

        torch.manual_seed(1)
        args = vars(build_argparse().parse_args([]))
        args |= {"shorthand": "xx_tiny", "lang": "xx", "hidden_dim": 16, "char_hidden_dim": 8, "word_emb_dim": 8,
                 "char_emb_dim": 8, "dropout": 0.0, "word_dropout": 0.0, "optim": "adam", "lr": 0.02,
                 "lowercase": False, "use_peft": False}  # fmt: skip
        entries = []
        for sentence in TAUGHT:
            tags = BIOES.encode(sentence.spans, len(sentence))
            entries.append([{"id": (at + 1,), "text": token, "ner": tag}
                            for at, (token, tag) in enumerate(zip(sentence.tokens, tags, strict=True))])  # fmt: skip
        batches = DataLoader(Document(entries), 8, args, evaluation=False)
        trainer = Trainer(args=args, vocab=batches.vocab, device="cpu")
        for _ in range(steps):
            for batch in batches:
                trainer.update(batch)
        trainer.save(str(file))


@cache
def _bytes(library: str) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "model.pt"
        {"flair": flair_model, "stanza": stanza_model}[library](file)
        return file.read_bytes()


def tiny_tagger(library: str, folder: Path) -> Path:
    """A file of the tiny model of `flair` or `stanza`, trained once in this process."""
    file = folder / f"{library}.pt"
    file.write_bytes(_bytes(library))
    return file


def stanza_folder(folder: Path, language: str = "xx") -> None:
    """A folder as Stanza's downloader leaves it, with one recogniser; `yy` is another name of the language."""
    models = folder / language / "ner"
    models.mkdir(parents=True)
    tiny_tagger("stanza", models).rename(models / "tiny.pt")
    packages = {"default": {"tokenize": "tiny", "ner": "tiny"}}
    entry = {"lang_name": "Example", "packages": packages, "tokenize": {"tiny": {}}, "ner": {"tiny": {}}}
    (folder / "resources.json").write_text(json.dumps({language: entry, "yy": {"alias": language}}), "utf-8")
