"""A recogniser without a model: names and patterns. Also the fake that tests and examples use."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import sha256
from pathlib import Path

from nerquake.core.errors import FormatError, InputError, Problem
from nerquake.core.options import positional
from nerquake.core.protocols import Tagging
from nerquake.core.span import Span


@dataclass(frozen=True, slots=True)
class NameMatcher:
    """Finds names (token sequences) and patterns (over the tokens joined by blanks) in sentences.

    The leftmost, then longest match wins; names go before patterns of the same length. Only matches that begin and
    end at a token border count.
    """

    names: Mapping[tuple[str, ...], str]
    patterns: tuple[tuple[re.Pattern[str], str], ...] = ()
    ignore_case: bool = False
    _longest: int = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_longest", max(map(len, self.names), default=0))

    def labels(self) -> frozenset[str]:
        """The labels it can give."""
        return frozenset([*self.names.values(), *(label for _, label in self.patterns)])

    def predict(self, batch: Sequence[tuple[str, ...]]) -> list[Tagging]:
        """The mentions of each sentence."""
        return [Tagging(tuple(self._mentions(tokens))) for tokens in batch]

    def _mentions(self, tokens: tuple[str, ...]) -> Iterator[Span]:
        found = sorted([*self._by_name(tokens), *self._by_pattern(tokens)], key=lambda span: (span.start, -span.end))
        end = 0
        for span in found:
            if span.start >= end:
                yield span
                end = span.end

    def _by_name(self, tokens: tuple[str, ...]) -> Iterator[Span]:
        words = tuple(map(str.lower, tokens)) if self.ignore_case else tokens
        for start in range(len(words)):
            for end in range(min(len(words), start + self._longest), start, -1):
                label = self.names.get(words[start:end])
                if label is not None:
                    yield Span(start, end, label)
                    break

    def _by_pattern(self, tokens: tuple[str, ...]) -> Iterator[Span]:
        if not self.patterns:
            return
        starts, ends, at = {}, {}, 0
        for index, token in enumerate(tokens):
            starts[at], ends[at + len(token)] = index, index + 1
            at += len(token) + 1
        text = " ".join(tokens)
        for pattern, label in self.patterns:
            for match in pattern.finditer(text):
                if match.start() in starts and match.end() in ends and match.end() > match.start():
                    yield Span(starts[match.start()], ends[match.end()], label)


def match_names(pairs: Iterable[tuple[str, str]], ignore_case: bool = False) -> NameMatcher:
    """A matcher for (label, name) pairs; a name between slashes is a regular expression.

    Raises:
        re.error: a pattern is not a regular expression.
    """
    names: dict[tuple[str, ...], str] = {}
    patterns: list[tuple[re.Pattern[str], str]] = []
    for label, name in pairs:
        if len(name) > 2 and name.startswith("/") and name.endswith("/"):
            patterns.append((re.compile(name[1:-1], re.IGNORECASE if ignore_case else 0), label))
        else:
            names.setdefault(tuple((name.lower() if ignore_case else name).split(" ")), label)
    return NameMatcher(names, tuple(patterns), ignore_case)


@dataclass(frozen=True, slots=True)
class Rules:
    """Names and patterns from a file: one `LABEL<TAB>name` or `LABEL<TAB>/pattern/` a line; `#` begins a comment.

    file         path of the file; names are written as the data is tokenised, tokens separated by blanks
    ignore_case  match whatever the case
    """

    file: str = positional()
    ignore_case: bool = False

    def labels(self) -> frozenset[str]:
        """The labels of its file."""
        return self._matcher().labels()

    def predict(self, batch: Sequence[tuple[str, ...]]) -> list[Tagging]:
        """The mentions of each sentence."""
        return self._matcher().predict(batch)

    def fingerprint(self) -> str:
        """SHA-256 of the file, and whether case counts."""
        return f"{sha256(_read(self.file).encode('utf-8')).hexdigest()} {self.ignore_case}"

    def _matcher(self) -> NameMatcher:
        return _load(self.file, self.ignore_case, _version(self.file))


def _version(path: str) -> tuple[int, int]:
    """What changes when the file does, so that a file that was edited is read again."""
    try:
        found = Path(path).stat()
    except OSError:
        return 0, 0
    return found.st_mtime_ns, found.st_size


@lru_cache(maxsize=8)
def _load(path: str, ignore_case: bool, version: tuple[int, int]) -> NameMatcher:
    pairs: list[tuple[str, str]] = []
    problems: list[Problem] = []
    for number, line in enumerate(_read(path).split("\n"), start=1):
        text = line.removesuffix("\r")
        if not text.strip() or text.startswith("#"):
            continue
        label, tab, name = text.partition("\t")
        if not tab or not label.strip() or not name.strip():
            problems.append(Problem("bad-rule", number, "expected LABEL<TAB>name", text))
            continue
        try:
            match_names([(label, name)], ignore_case)
        except re.error as error:
            problems.append(Problem("bad-pattern", number, f"not a regular expression: {error}", name))
            continue
        pairs.append((label, name))
    if not pairs and not problems:
        problems.append(Problem("no-rules", 0, "no names and no patterns", hint="expected lines LABEL<TAB>name"))
    if problems:
        raise FormatError(path, problems)
    return match_names(pairs, ignore_case)


def _read(path: str) -> str:
    try:
        return Path(path).read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise InputError(f"rules file {path}: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise InputError(f"rules file {path}: not UTF-8 at byte {error.start}") from error
