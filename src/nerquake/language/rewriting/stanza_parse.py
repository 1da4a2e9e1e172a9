"""Parses by a Stanza model, on sentences that are tokenised already, offline."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from nerquake.core.errors import InputError, MissingExtra
from nerquake.language.rewriting.conllu import Row, morph_of
from nerquake.models.quiet import Version, digest_of, quiet, version_of
from nerquake.models.stanza import RESOURCES, own_folder, version

PROCESSORS = "tokenize,pos,lemma,depparse"
"""Without `mwt`: the data set's tokens stay as they are, `im` is one word."""
LONGEST = 100
"""Characters of a token that the model is shown: Stanza makes every token of a batch as long as its longest."""
ABSENT = (
    'Download models with stanza.download("{language}", model_dir="FOLDER", processors="tokenize,pos,lemma,depparse")'
)


def downloaded(language: str) -> str:
    """Stanza's own folder where a parser of a language was downloaded to it, else an empty text."""
    try:
        folder = own_folder()
    except Exception:  # Stanza is not installed, or broken
        return ""
    return str(folder) if (folder / RESOURCES).is_file() and any(_models(folder, language)) else ""


def _models(folder: Path, language: str) -> Iterator[Path]:
    return folder.glob(f"{language}/depparse/*.pt")


def load(folder: str, language: str) -> Any:
    """The pipeline, loaded once for as long as its files stay as they are.

    Raises:
        InputError: the folder, or what is in it, is not what Stanza expects.
        MissingExtra: Stanza is not installed.
    """
    path = Path(folder)
    return _load(folder, language, version_of(path / RESOURCES, *sorted(path.glob("*/*/*.pt"))))


@lru_cache(maxsize=2)
def _load(folder: str, language: str, files: Version) -> Any:
    if not Path(folder).is_dir():
        raise InputError(f"stanza:{folder}: there is no such folder. {ABSENT.format(language=language)}")
    try:
        json.loads((Path(folder) / RESOURCES).read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise InputError(
            f"stanza:{folder} is no folder of Stanza models: its {RESOURCES} cannot be read ({error}). "
            f"{ABSENT.format(language=language)}"
        ) from error
    try:
        with quiet("stanza"):
            import stanza
    except ImportError as error:
        raise MissingExtra("a parse by Stanza", "Stanza", "stanza") from error
    try:
        with quiet("stanza"):
            return stanza.Pipeline(
                lang=language,
                dir=folder,
                processors=PROCESSORS,
                tokenize_pretokenized=True,
                download_method=None,
                verbose=False,
                pos_batch_size=1,  # a sentence's parse depends on no other sentence
                depparse_batch_size=1,
            )
    except Exception as error:  # a file that is none of its models, or a part that is not there
        what = " ".join(f"{type(error).__name__}: {error}".split())
        raise InputError(
            f"stanza:{folder} has no parser for {language} that can be loaded ({what}). "
            f"{ABSENT.format(language=language)}"
        ) from error


def parses(nlp: Any, batch: Sequence[Sequence[str]]) -> Iterator[tuple[Row, ...]]:
    """One analysis for each sentence, one row a token; no sentence is empty, no token blank."""
    if not batch:
        return
    with quiet("stanza"):
        made = nlp([[word[:LONGEST] for word in words] for words in batch])
    for words, sentence in zip(batch, made.sentences, strict=True):
        yield tuple(_row(text, at, word) for at, (text, word) in enumerate(zip(words, sentence.words, strict=True)))


def _row(text: str, at: int, word: Any) -> Row:
    head = at if not word.head else word.head - 1
    return Row(text, word.lemma or "", word.upos or "", word.xpos or "", word.deprel or "", head, morph_of(word.feats))


def fingerprint(nlp: Any) -> str:
    """A hash over Stanza's version and the files of the models."""
    paths = [path for key, path in nlp.config.items() if str(key).endswith("_path")]
    flat = [one for path in paths for one in (path if isinstance(path, list) else [path])]
    files = sorted({Path(one) for one in flat if isinstance(one, str) and Path(one).is_file()})
    return digest_of(*files, start=f"stanza {version()} depparse")
