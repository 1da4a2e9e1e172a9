"""Paraphrases that were made elsewhere, from a file: for services without an interface, and for people.

```
s1<TAB>The match was lost by Bonn.                        a line a paraphrase; several for one sentence in their order
{"id": "s1", "text": "The match was lost by Bonn."}       the same in JSON Lines
{"id": "s1", "tokens": ["The", "match", "was", "lost", "by", "Bonn", "."]}
```
Ids are those of the data set. A first line `id<TAB>text` is a head and no paraphrase.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from nerquake.core.dataset import Dataset
from nerquake.core.errors import FormatError, InputError, Problem, SpecError
from nerquake.core.options import positional, settled
from nerquake.core.paraphrases import Answer, Candidate
from nerquake.core.seeds import Draws
from nerquake.core.sentence import Sentence
from nerquake.models.quiet import Version, digest_of, version_of

ABSENT = "no paraphrase in the file"
HEAD = ("id", "text")
_HINT = '{"id": "s1", "text": ".."}, or s1, a tab, and the text'
_SHOWN = 3


@dataclass(frozen=True, slots=True)
class FileParaphraser:
    """Paraphrases that were made elsewhere, from a file of sentence ids and texts: TSV or JSON Lines.

    For services without an interface and for people: what comes back is joined by sentence id.
    Several paraphrases of one sentence are all tried. A sentence that the file does not have is left out.

    file     TSV (id, tab, text), or JSON Lines of {"id", "text"} or {"id", "tokens"}
    unknown  how many ids the data set does not have (`fitted`)
    """

    file: str = positional()
    unknown: int = settled(0)

    def __post_init__(self) -> None:
        if not self.file:
            raise SpecError("file needs a file: file:PARAPHRASES.tsv")
        if not Path(self.file).is_file():
            raise InputError(
                f"{self.file}: there is no such file of paraphrases; expected lines of id, tab, text, or JSON Lines "
                'of {"id", "text"}'
            )

    def lacks(self, language: str) -> str:
        """Nothing: a file may be in any language."""
        return ""

    def fitted(self, corpus: Dataset, language: str) -> FileParaphraser:
        """The same, with the number of ids that are of other data, if the file is about any sentence with a mention.

        Raises:
            InputError: it has none: its ids are of another data set.
            FormatError: lines that are no paraphrases, all of them listed.
        """
        known = self._read()
        there = [sentence.id for sentence in corpus if sentence.spans]
        if there and known and not any(key in known for key in there):
            theirs, ours = (", ".join(keys[:_SHOWN]) for keys in (list(known), there))
            raise InputError(
                f"{self.file}: it has no paraphrase of a sentence of {corpus.name} that has mentions; its ids begin "
                f"{theirs}, those of the data set {ours}"
            )
        return replace(self, unknown=len(known.keys() - {sentence.id for sentence in corpus}))

    def paraphrase(self, sentences: Sequence[Sentence], draws: Draws) -> list[Answer]:
        """The paraphrases of each sentence, in the file's order."""
        known = self._read()
        return [Answer(known[one.id]) if one.id in known else Answer(reason=ABSENT) for one in sentences]

    def about(self) -> tuple[str, ...]:
        """The file's name, and how much it holds."""
        known = self._read()
        number = sum(map(len, known.values()))
        others = f", {self.unknown:,} of which the data set does not have" if self.unknown else ""
        return (f"{Path(self.file).name}: {number:,} paraphrases of {len(known):,} sentences{others}",)

    def fingerprint(self) -> str:
        """A hash over the file."""
        self._read()  # says so where it cannot be read
        return f"file {digest_of(Path(self.file))}"

    def _read(self) -> Mapping[str, tuple[Candidate, ...]]:
        return _read(self.file, version_of(self.file))


def _bytes(path: str) -> bytes:
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}") from None


@lru_cache(maxsize=4)
def _read(file: str, version: Version) -> Mapping[str, tuple[Candidate, ...]]:
    """The paraphrases by sentence id, each once. The first line that is not empty may be a head.

    Raises:
        InputError: it cannot be read, or holds no paraphrase.
        FormatError: lines that are none.
    """
    problems: list[Problem] = []
    found: dict[str, dict[Candidate, None]] = {}
    lines = list(_lines(_bytes(file), problems))
    parse = _json if lines and lines[0][1].lstrip().startswith("{") else _tsv
    if parse is _tsv and lines and _is_head(lines[0][1]):
        del lines[0]
    for number, line in lines:
        made = parse(number, line)
        if isinstance(made, Problem):
            problems.append(made)
        else:
            found.setdefault(made[0], {})[made[1]] = None
    if problems:
        raise FormatError(file, sorted(problems, key=lambda one: one.line), f"expected {_HINT}")
    if not found:
        raise InputError(f"{file}: the file holds no paraphrase; expected {_HINT}")
    return {key: tuple(candidates) for key, candidates in found.items()}


def _lines(data: bytes, problems: list[Problem]) -> Iterator[tuple[int, str]]:
    for number, raw in enumerate(re.split(rb"\r\n|\n|\r", data.removeprefix(b"\xef\xbb\xbf")), 1):
        try:
            line = raw.decode("utf-8")
        except UnicodeDecodeError as error:
            problems.append(Problem("not-decodable", number, f"byte 0x{raw[error.start]:02x} is not UTF-8"))
            continue
        if line.strip():
            yield number, line


def _is_head(line: str) -> bool:
    return tuple(part.strip().casefold() for part in line.split("\t")) == HEAD


def _tsv(number: int, line: str) -> tuple[str, Candidate] | Problem:
    key, tab, text = line.partition("\t")
    if not tab or not key.strip():
        return Problem("no-id", number, "no id before a tab", line[:40])
    text, more, _ = text.strip().partition("\t")
    if more:
        return Problem("second-tab", number, "a second tab: a line holds an id and a text, and no column more", key)
    if not text.strip():
        return Problem("no-text", number, "no text behind the id", key)
    return key.strip(), Candidate(text=text.strip())


def _json(number: int, line: str) -> tuple[str, Candidate] | Problem:
    try:
        record: Any = json.loads(line)
    except (ValueError, RecursionError):
        return Problem("no-json", number, "this is no JSON object", line[:40])
    key = record.get("id") if isinstance(record, dict) else None
    if not isinstance(key, str | int) or isinstance(key, bool) or not str(key).strip():
        return Problem("no-id", number, "the record has no id", line[:40])
    text, tokens = record.get("text", ""), record.get("tokens")
    if isinstance(tokens, list) and tokens and all(isinstance(token, str) and token for token in tokens):
        return str(key), Candidate(tokens=tuple(tokens))
    if tokens is not None or not isinstance(text, str) or not text.strip():
        return Problem("no-text", number, "the record has no text", str(key))
    return str(key), Candidate(text=text.strip())
