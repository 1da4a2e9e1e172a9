"""Predictions made elsewhere, read from a file or a folder and joined by sentence id (docs/formats.md)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from nerquake.core.dataset import Dataset
from nerquake.core.errors import FormatError, InputError, OutputError, SpecError, TokensDiffer
from nerquake.core.options import positional, settled
from nerquake.core.protocols import Tagging
from nerquake.core.sentence import Sentence
from nerquake.taggers.join import Answer, join_answers

_FILES = frozenset({".conll", ".txt", ".tsv", ".csv", ".json", ".jsonl", ".iob", ".iob2", ".bio", ".conllu"})
"""Endings by which a path that is not there yet is meant to be a file, not a folder."""


@dataclass(frozen=True, slots=True)
class FileTagger:
    """One file of predictions, or a folder with `<set>.pred.<ext>` for every set.

    path        the file or folder
    input       format of the files, when their ending does not tell it
    scheme      their tag scheme; auto: the gold file's where it fits, else their own
    repair      what becomes of ill-formed tags
    extra       ignore predictions for sentences that the set does not have, instead of refusing the file

    What building settles: `gold`, the scheme of the gold file; `gold_reader`, how the gold file was read, which is
    tried first, since a program may tag the attacked files in place; `extension`, the ending of files to be tagged.
    """

    path: str = positional()
    input: str = ""
    scheme: str = "auto"
    repair: Literal["conlleval", "discard", "none"] = "conlleval"
    extra: bool = False
    gold: str = settled("")
    gold_reader: str = settled("")
    extension: str = settled("conll")

    def __post_init__(self) -> None:
        if not self.path:
            raise SpecError("file needs a path: file:FOLDER or file:predictions.conll")

    def fitted(self, gold: Dataset, extension: str) -> FileTagger:
        """The same, knowing the gold file's scheme, reader and ending."""
        scheme = gold.scheme.name if gold.scheme else ""
        return replace(self, gold=scheme, gold_reader=gold.reader, extension=extension)

    def labels(self) -> frozenset[str] | None:
        """Unknown until the files are read."""
        return None

    def expect(self, sets: Mapping[str, Sequence[Sentence]]) -> None:
        """Check that the folder holds a file for every set; write what is to be tagged where one is missing.

        Raises:
            InputError: names every missing file.
        """
        folder = Path(self.path)
        if self.path == "-" or (not folder.is_dir() and (folder.exists() or folder.suffix.lower() in _FILES)):
            self._expect_single(folder, sets)
            return
        missing = [name for name in sets if sets[name] and not self._found(folder, name)]
        if not missing:
            return
        for name in missing:
            self._write_todo(name, sets[name])
        listed = "\n".join(f"  {folder / f'{name}.pred.{self.extension}'}" for name in missing)
        raise InputError(
            f"file:{self.path} lacks predictions for {len(missing)} of {len(sets)} sets. Expected:\n{listed}\n"
            f"Tag the files <set>.todo.{self.extension} that now stand there, write the answers under the names above "
            "(same sentences, same tokens, same order or ids), and run the same command again."
        )

    def _write_todo(self, name: str, sentences: Sequence[Sentence]) -> str:
        """Write the sentences of a set for the user's program to tag; returns the file's name.

        Tokens that columns cannot hold, such as an empty one, make it a JSONL file.
        """
        from nerquake.io.load import save

        todo = Dataset(f"{name}.todo.{self.extension}", tuple(sentences))
        try:
            save(todo, str(Path(self.path) / todo.name))
        except OutputError:
            todo = replace(todo, name=f"{name}.todo.jsonl")
            save(todo, str(Path(self.path) / todo.name), "jsonl")
        return todo.name

    def _expect_single(self, file: Path, sets: Mapping[str, Sequence[Sentence]]) -> None:
        if self.path != "-" and not file.exists():
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
        if not sentences:
            return []
        path = self._path(name)
        answers = self._answers(path)
        try:
            return join_answers(sentences, answers, extra=self.extra)
        except TokensDiffer as error:
            again = ""
            if Path(self.path).is_dir():
                with suppress(OutputError):  # no format can hold an empty token, and this is only a help
                    todo = self._write_todo(name, sentences)
                    again = f"\nIf it was made for another run: tag {todo}, which now stands there, anew."
            raise TokensDiffer(f"{path} does not fit the set {name}: {error}{again}") from error

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

        predicted = None
        if not self.input and self.gold_reader:
            with suppress(FormatError):
                predicted = load_predicted(
                    path, self.gold_reader, scheme=self.scheme, gold=self.gold, repair=self.repair
                )
        if predicted is None:
            predicted = load_predicted(path, self.input, scheme=self.scheme, gold=self.gold, repair=self.repair)
        return [
            Answer(s.id, s.hashed, s.tokens, Tagging(s.spans, invalid=invalid))
            for s, invalid in zip(predicted.dataset.sentences, predicted.invalid, strict=True)
        ]
