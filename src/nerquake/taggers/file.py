"""Predictions made elsewhere, read from a file or a folder and joined by sentence id (`CONTRACT.md` 8)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from nerquake.core.dataset import Dataset
from nerquake.core.errors import InputError, SpecError, TokensDiffer
from nerquake.core.protocols import Tagging
from nerquake.core.sentence import Sentence
from nerquake.registry import positional
from nerquake.taggers.join import Answer, join_answers


@dataclass(frozen=True, slots=True)
class FileTagger:
    """One file of predictions, or a folder with `<set>.pred.<ext>` for every set.

    path        the file or folder
    input       format of the files, when their ending does not tell it
    scheme      their tag scheme; auto: the gold file's where it fits, else their own
    repair      what becomes of ill-formed tags
    gold        scheme of the gold file
    extension   ending of the files that are written for the user's program to tag
    extra       ignore predictions for sentences that the set does not have, instead of refusing the file
    """

    path: str = positional()
    input: str = ""
    scheme: str = "auto"
    repair: Literal["conlleval", "discard", "none"] = "conlleval"
    gold: str = ""
    extension: str = "conll"
    extra: bool = False

    def __post_init__(self) -> None:
        if not self.path:
            raise SpecError("file needs a path: file:FOLDER or file:predictions.conll")

    def labels(self) -> frozenset[str] | None:
        """Unknown until the files are read."""
        return None

    def expect(self, sets: Mapping[str, Sequence[Sentence]]) -> None:
        """Check that the folder holds a file for every set; write what is to be tagged where one is missing.

        Raises:
            InputError: names every missing file.
        """
        folder = Path(self.path)
        if not folder.is_dir() and (folder.exists() or folder.suffix):
            self._expect_single(folder, sets)
            return
        missing = [name for name in sets if not self._found(folder, name)]
        if not missing:
            return
        from nerquake.io.load import save

        for name in missing:
            todo = Dataset(f"{name}.todo.{self.extension}", tuple(sets[name]))
            save(todo, str(folder / todo.name))
        listed = "\n".join(f"  {folder / f'{name}.pred.{self.extension}'}" for name in missing)
        raise InputError(
            f"file:{self.path} lacks predictions for {len(missing)} of {len(sets)} sets. Expected:\n{listed}\n"
            f"Tag the files <set>.todo.{self.extension} that now stand there, write the answers under the names above "
            "(same sentences, same tokens, same order or ids), and run the same command again."
        )

    def _expect_single(self, file: Path, sets: Mapping[str, Sequence[Sentence]]) -> None:
        if not file.exists():
            raise InputError(f"file:{self.path}: there is no such file or folder")
        if len(sets) > 1:
            raise InputError(
                f"file:{self.path} is one file, but there are {len(sets)} sets to tag ({', '.join(sets)}): "
                "name a folder, and the run says which files it expects there"
            )

    def predict_set(self, name: str, sentences: Sequence[Sentence]) -> list[Tagging]:
        """The answers for one set, in its order.

        Raises:
            TokensDiffer: sentences are missing, or tokens differ.
            FormatError: the file cannot be read.
        """
        path = self._path(name)
        answers = self._answers(path)
        try:
            return join_answers(sentences, answers, extra=self.extra)
        except TokensDiffer as error:
            raise TokensDiffer(f"{path} does not fit the set {name}: {error}") from error

    def _path(self, name: str) -> str:
        folder = Path(self.path)
        if not folder.is_dir():
            return self.path
        found = self._found(folder, name)
        if not found:
            raise InputError(f"{folder} holds no {name}.pred.{self.extension}")
        if len(found) > 1:
            raise InputError(f"{folder} holds several predictions for {name}: {', '.join(p.name for p in found)}")
        return str(found[0])

    @staticmethod
    def _found(folder: Path, name: str) -> list[Path]:
        if not folder.is_dir():
            return []
        return sorted(p for p in folder.iterdir() if p.name.startswith(f"{name}.pred.") or p.name == f"{name}.pred")

    def _answers(self, path: str) -> list[Answer]:
        from nerquake.io.predicted import load_predicted

        predicted = load_predicted(path, self.input, scheme=self.scheme, gold=self.gold, repair=self.repair)
        return [
            Answer(s.id, s.hashed, s.tokens, Tagging(s.spans, invalid=invalid))
            for s, invalid in zip(predicted.dataset.sentences, predicted.invalid, strict=True)
        ]
