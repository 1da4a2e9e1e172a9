"""brat's .ann files: one annotation a line. Text-bound ones (`T`) are mentions; the rest is counted."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from nerquake.core.errors import OutputError
from nerquake.io.standoff import Book
from nerquake.io.standoff_place import Mention
from nerquake.io.standoff_write import Group, Place

_OTHERS = {
    "A": "attribute", "M": "attribute", "R": "relation", "*": "relation", "E": "event", "N": "normalisation",
    "#": "note",
}  # fmt: skip
_PLACE = re.compile(r"(\S+) (\d+ \d+(?:;\d+ \d+)*)")


def parse(name: str, text: str, book: Book) -> tuple[Mention, ...]:
    """The mentions of a file. Attributes, relations, events, normalisations and notes are counted.

    name   the file's name, for messages
    text   its lines
    """
    found: list[Mention] = []
    ids: dict[str, int] = {}
    for number, line in enumerate(text.split("\n"), 1):
        line = line.removesuffix("\r")  # noqa: PLW2901
        if not line.strip():
            continue
        key = line.partition("\t")[0]
        if key[0] in _OTHERS:
            book.counts[f"{_OTHERS[key[0]]}{{s}} not kept outside brat, nor in documents that change"] += 1
            continue
        mention = _mention(name, number, line, book)
        if mention is None:
            continue
        if key in ids:
            what = f"{name}: the id {key} stands for another mention too (line {ids[key]})"
            book.wrong("duplicate-id", number, what)
        ids.setdefault(key, number)
        found.append(mention)
    return tuple(found)


def _mention(name: str, number: int, line: str, book: Book) -> Mention | None:
    cells = line.split("\t")
    if not re.fullmatch(r"T\S+", cells[0]):
        known = "T, A, M, R, *, E, N or #"
        book.wrong("bad-annotation", number, f"{name}: a line begins with {known} and a number", line[:40])
        return None
    if len(cells) != 3 or not cells[2]:
        hint = "T1<TAB>Type 0 4<TAB>text"
        book.wrong("bad-annotation", number, f"{name}: {cells[0]} has {len(cells)} cells, not 3", line[:40], hint)
        return None
    place = _PLACE.fullmatch(cells[1])
    if place is None:
        what = f"{name}: {cells[0]} has no type and offsets such as Type 0 4 or Type 0 4;9 12"
        book.wrong("bad-annotation", number, what, cells[1])
        return None
    ranges = [tuple(map(int, part.split())) for part in place[2].split(";")]
    return Mention(tuple((start, end) for start, end in ranges), place[1], cells[2], f"{name}: {cells[0]}", number)


def lines(group: Group, places: Sequence[Place]) -> Iterator[str]:
    """The lines of a document's mentions, numbered anew.

    places   the mentions in the file's own unit

    Raises:
        OutputError: a label that brat cannot hold.
    """
    for number, (own, place) in enumerate(zip(group.mentions, places, strict=True), 1):
        if (found := re.search(r"[\s;]", own.label)) is not None:
            sentence = group.sentences[0].id
            what = "a semicolon" if found.group() == ";" else "a blank"
            raise OutputError(
                f"sentence {sentence!r}: brat cannot hold the label {own.label!r}, which has {what} in it;"
                " --map renames it"
            )
        surface = re.sub(r"[\r\n\t]", " ", group.text[own.start : own.end])
        yield f"T{number}\t{own.label} {place.start} {place.end}\t{surface}\n"
