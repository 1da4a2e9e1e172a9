"""Parses that were made elsewhere, from a CoNLL-U file; sentences of the data set are found in it by their tokens.

Ten columns parted by tabs, an empty line after each sentence, as universaldependencies.org/format.html has it. A token
that stands for several words (`3-4 im`, of `in` and `dem`) is one token of the data set, and one word of the tree.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from nerquake.core.errors import FormatError, InputError, Problem
from nerquake.models.quiet import Version, version_of

COLUMNS = 10
EXPECTED = "expected CoNLL-U: ten columns parted by tabs, and an empty line after each sentence"


class Row(NamedTuple):
    """One token with its analysis; `head` counts tokens of the sentence from 0 and is the token's own for a root."""

    text: str
    lemma: str
    pos: str
    tag: str
    dep: str
    head: int
    morph: Mapping[str, str]


class _Word(NamedTuple):
    """A line of the file: `head` is a word's number there, 0 for a root."""

    line: int
    number: int
    row: Row
    head: int


class _Range(NamedTuple):
    """A token that stands for several words."""

    first: int
    last: int
    text: str


Parses = Mapping[tuple[str, ...], tuple[Row, ...]]
"""Analyses by the tokens of their sentence."""


def read_parses(file: str) -> Parses:
    """All sentences of a file; of several with the same tokens the first.

    Raises:
        InputError: it cannot be read, or holds no sentence.
        FormatError: lines that are no CoNLL-U, or heads that make no tree, all of them listed.
    """
    return _read(file, version_of(file))


def morph_of(text: str | None) -> dict[str, str]:
    """Features as CoNLL-U writes them: `Case=Gen|Number=Sing`."""
    pairs = (part.partition("=") for part in (text or "_").split("|") if "=" in part)
    return {key: value for key, _, value in pairs}


@lru_cache(maxsize=2)
def _read(file: str, version: Version) -> Parses:
    try:
        text = Path(file).read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise InputError(f"{file} cannot be read: {error.strerror}; a CoNLL-U file with parses is expected") from None
    except UnicodeDecodeError as error:
        raise InputError(f"{file} is not in UTF-8 (byte {error.start}); a CoNLL-U file is expected") from None
    problems: list[Problem] = []
    found: dict[tuple[str, ...], tuple[Row, ...]] = {}
    for lines in _blocks(text):
        rows = _sentence(lines, problems)
        found.setdefault(tuple(row.text for row in rows), rows)
    if problems:
        raise FormatError(file, sorted(problems, key=lambda one: one.line), EXPECTED)
    if not found:
        raise InputError(f"{file}: the file holds no sentence; {EXPECTED}")
    return found


def _blocks(text: str) -> Iterator[list[tuple[int, str]]]:
    """The lines of each sentence with their numbers, comments left out."""
    block: list[tuple[int, str]] = []
    for number, raw in enumerate([*text.split("\n"), ""], 1):
        line = raw.rstrip("\r")
        if line.strip() and not line.startswith("#"):
            block.append((number, line))
        elif not line.strip() and block:
            yield block
            block = []


def _sentence(lines: Sequence[tuple[int, str]], problems: list[Problem]) -> tuple[Row, ...]:
    """The tokens of a sentence; none where there is a problem, which is put down."""
    before = len(problems)
    words: list[_Word] = []
    ranges: list[_Range] = []
    for number, line in lines:
        made = _line(number, line)
        if isinstance(made, Problem):
            problems.append(made)
        elif isinstance(made, _Word):
            if made.number != len(words) + 1:
                problems.append(Problem("wrong-id", number, f"word {len(words) + 1} is expected", str(made.number)))
            words.append(made)
        elif made is not None:
            ranges.append(made)
    if len(problems) == before:
        problems += _not_a_tree(words, ranges, lines[0][0])
    return () if len(problems) > before else tuple(_joined(words, ranges))


def _line(number: int, line: str) -> _Word | _Range | Problem | None:
    """A word, a token of several, or nothing for an empty node (`8.1`), which has no token."""
    cells = line.split("\t")
    if len(cells) != COLUMNS:
        return Problem("wrong-columns", number, f"{COLUMNS} columns are expected, not {len(cells)}", line[:40])
    name, text, lemma, pos, tag, morph, head, dep = cells[:8]
    first, hyphen, last = name.partition("-")
    if not name.replace("-", "", 1).replace(".", "", 1).isdecimal() or not first:
        return Problem("wrong-id", number, "a word's number is expected in the first column", name)
    if "." in name:
        return None
    if hyphen:
        return _Range(int(first), int(last or 0), text)
    if not head.isdecimal():
        return Problem("wrong-head", number, "the number of a word, or 0, is expected in column 7", head)
    given = ["" if cell == "_" else cell for cell in (lemma, pos, tag, dep)]
    return _Word(number, int(name), Row(text, given[0], given[1], given[2], given[3], 0, morph_of(morph)), int(head))


def _not_a_tree(words: Sequence[_Word], ranges: Sequence[_Range], line: int) -> Iterator[Problem]:
    if not words:
        yield Problem("no-word", line, "a sentence without a word")
    end = 0
    for one in ranges:
        if not end < one.first < one.last <= len(words):
            yield Problem("wrong-id", line, f"{one.first}-{one.last} is no range of words of this sentence", one.text)
        end = max(end, one.last)
    for word in words:
        if word.head > len(words) or word.head == word.number:
            yield Problem("wrong-head", word.line, "no other word of this sentence has the number", str(word.head))
            return
    for word in words:
        at, steps = word.number, 0
        while at and steps <= len(words):
            at, steps = words[at - 1].head, steps + 1
        if at:
            yield Problem("wrong-head", word.line, "the heads go round in a circle and reach no root", word.row.text)
            return


def _joined(words: Sequence[_Word], ranges: Sequence[_Range]) -> Iterator[Row]:
    """One row a token. Of the words of one token that which the others hang on stays, or else the first."""
    inside = {number: one for one in ranges for number in range(one.first, one.last + 1)}
    kept: list[_Word] = []
    place: dict[int, int] = {}
    for word in words:
        whole = inside.get(word.number)
        if whole is None:
            place[word.number] = len(kept)
            kept.append(word)
        elif word.number == whole.first:
            place |= dict.fromkeys(range(whole.first, whole.last + 1), len(kept))
            kept.append(_standing(words[whole.first - 1 : whole.last], whole))
    for at, word in enumerate(kept):
        yield word.row._replace(head=place[word.head] if word.head else at)


def _standing(words: Sequence[_Word], whole: _Range) -> _Word:
    numbers = {word.number for word in words}
    outside = [word for word in words if word.head not in numbers]
    hung_on = [word for word in outside if any(other.head == word.number for other in words)]
    word = (hung_on or outside)[0]
    return word._replace(row=word.row._replace(text=whole.text))
