"""Embeddings of Flair's by what a user calls them: made from the training data, from files, by name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch

from nerquake.core.errors import InputError, NerquakeError, UsageError
from nerquake.nn.vectors import read_vectors
from nerquake.train.flair_recipe import CHARS, TRANSFORMERS

if TYPE_CHECKING:
    from nerquake.train.flair_recipe import FlairRecipe

LANGUAGE_MODEL = ".pt"
GENSIM = (".bin", ".gensim")


def embeddings_of(recipe: FlairRecipe, sentences: Sequence[Sequence[str]]) -> Any:
    """What a recipe reads words by, in one.

    sentences  the tokens of the training data

    Raises:
        InputError: a file cannot be read, or a name is not to be had.
        UsageError: a library that Flair reads it with is not installed.
    """
    from flair.embeddings import StackedEmbeddings

    made = [part for asked in recipe.embeddings for part in _parts(asked, recipe, sentences)]
    return made[0] if len(made) == 1 else StackedEmbeddings(made)


def _parts(asked: str, recipe: FlairRecipe, sentences: Sequence[Sequence[str]]) -> list[Any]:
    if asked == CHARS:
        return _from_training_data(recipe, sentences)
    try:
        return [_named(asked)]
    except NerquakeError:
        raise
    except ImportError as error:
        raise UsageError(
            f"flair: {asked} is read with a library that is not installed ({error}). pip install gensim brings the one "
            "for names and binary files of word vectors; a text file of them needs none"
        ) from error
    except Exception as error:  # whatever loaders raise: a broken file, a name that is none, no network
        raise InputError(_not_there(asked, error)) from error


def _named(asked: str) -> Any:
    from flair.embeddings import FlairEmbeddings, TransformerWordEmbeddings, WordEmbeddings

    if asked.startswith(TRANSFORMERS):
        name = asked.removeprefix(TRANSFORMERS)
        return TransformerWordEmbeddings(name, layers="-1", subtoken_pooling="first", fine_tune=True, use_context=False)
    if Path(asked).is_file():
        if Path(asked).suffix == LANGUAGE_MODEL:
            return FlairEmbeddings(asked)
        return WordEmbeddings(asked) if Path(asked).suffix in GENSIM else _from_text(asked)
    return FlairEmbeddings(asked) if "forward" in asked or "backward" in asked else WordEmbeddings(asked)


def _from_training_data(recipe: FlairRecipe, sentences: Sequence[Sequence[str]]) -> list[Any]:
    """An LSTM over letters, and a vector for each word; both are trained with the tagger."""
    from flair.embeddings import CharacterEmbeddings, OneHotEmbeddings

    counts = Counter(word for words in sentences for word in words)
    frequent = [word for word, count in counts.items() if count >= recipe.min_count]
    letters = dict.fromkeys(letter for word in counts for letter in word)
    return [CharacterEmbeddings(_dictionary(letters)), OneHotEmbeddings(_dictionary(frequent), "text", recipe.word)]


def _dictionary(items: Any) -> Any:
    """Numbers for items, 0 for all others."""
    from flair.data import Dictionary

    made = Dictionary(add_unk=True)
    for item in items:
        made.add_item(item)
    return made


def _from_text(path: str) -> Any:
    """Vectors from a text file. Flair itself would need another library, and knows fewer forms of such files."""
    from flair.embeddings import WordEmbeddings

    found = read_vectors(path)
    made = WordEmbeddings(None, vocab=found.places, embedding_length=found.width, name=Path(path).name)
    with torch.no_grad():
        made.embedding.weight[: len(found.words)].copy_(torch.from_numpy(found.table))  # the last row is for all others
    return made


def _not_there(asked: str, error: Exception) -> str:
    what = next((line.strip() for line in str(error).splitlines() if line.strip()), type(error).__name__)
    if Path(asked.removeprefix(TRANSFORMERS)).exists():
        return f"flair: the embeddings {asked} are there but cannot be loaded ({type(error).__name__}: {what})"
    return (
        f"flair: the embeddings {asked} are no file here, and Flair does not have them ({what}). A name needs the "
        "network the first time; embeddings=chars, a file, or transformers:FOLDER need none"
    )
