"""One chunk of a dump to its shards."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nerquake.knowledge.dump_lines import Lines, Part, Piece
from nerquake.knowledge.dump_notes import Notes
from nerquake.knowledge.dump_options import DumpOptions
from nerquake.knowledge.dump_rows import Rows
from nerquake.knowledge.dump_shape import shape_of
from nerquake.knowledge.dump_shards import ShardWriter, write_json, writing
from nerquake.knowledge.dump_source import Source
from nerquake.knowledge.dump_walk import Walker

RECORDS = "chunks"


@dataclass(frozen=True, slots=True)
class Job:
    """What all chunks of a dump have in common. Goes to worker processes."""

    source: Source
    folder: Path
    options: DumpOptions

    def make(self, number: int) -> dict[str, Any]:
        """Write the shards of a chunk, then its record, which is returned.

        Raises:
            InputError: the dump cannot be read.
            OutputError: the shards cannot be written.
        """
        return self.make_from(self.source.parts(number), number)

    def make_from(self, parts: Iterable[Part], number: int) -> dict[str, Any]:
        """Write the shards of a chunk with this text, then its record."""
        with writing(self.folder):
            seen = Seen()
            record = self._shards(seen.through(parts), number) | {"chunk": number, "text": seen.checksum}
            write_json(record_path(self.folder, number), record)
        return record

    def _shards(self, parts: Iterable[Part], number: int) -> dict[str, Any]:
        notes = Notes()
        shape = shape_of(self.options.codes, self.options.descriptions)
        lines, walker = Lines(notes, first=number == 0), Walker(shape, notes)
        with ShardWriter(self.folder, number, self.options) as writer:
            rows = Rows(self.options, shape, notes, writer.write)
            decode, errors, add = shape.decode, shape.errors, rows.add
            for line in lines.of(parts):
                try:
                    entity = decode(line)
                    known = bool(entity.id and entity.type)
                except errors:
                    known = False
                if known:
                    add(entity)
                else:
                    for one in walker.read(bytes(line)):
                        add(one)
            rows.flush()
            files = writer.commit()
        return {
            "lines": notes.line,
            "bytes": lines.bytes,
            "counts": rows.counts,
            "denied": {f"Q{number}": count for number, count in rows.left_out.items()},
            "notes": dict(notes.counts),
            "listed": [[note.line, note.offset, note.code, note.detail] for note in notes.in_order],
            "files": files,
        }


def record_path(folder: Path, number: int) -> Path:
    """Where the record of a chunk is."""
    return folder / RECORDS / f"{number:06d}.json"


class Seen:
    """The checksum of text that goes through, so that a stream that is given again is known to be the same."""

    def __init__(self) -> None:
        from xxhash import xxh3_128

        self.hash = xxh3_128()

    @property
    def checksum(self) -> str:
        """Of the text so far."""
        return self.hash.hexdigest()

    def through(self, parts: Iterable[Part]) -> Iterator[Part]:
        """The same parts."""
        for part in parts:
            if isinstance(part, Piece):
                self.hash.update(part.data)
            yield part
