"""`unfinished.jsonl`: what a slow attack has proposed so far, so that a run that was killed goes on where it stopped.

A header as in every stage file, then a line a sentence, appended as they are made. The last line of a killed run may
be torn: it and what follows are dropped and made again. The file goes when the attacked set is written.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from nerquake.core.edits import Edit, Rewrite
from nerquake.core.errors import EditError
from nerquake.core.protocols import Proposal
from nerquake.core.span import Span
from nerquake.io.output import explained
from nerquake.io.records import Record, dump, load_record, spans_json
from nerquake.io.stages import StageKey, same_header

FORMAT = "nerquake.unfinished/1"


class ProposalsFile:
    """Proposals of a run in a file; the file is made when the first are kept."""

    def __init__(self, path: Path, key: StageKey) -> None:
        self.path, self.key = path, key
        self.earlier: dict[int, dict[str, Proposal]] = {}
        self.stream: BinaryIO | None = None
        self.good = self._read()

    def of_step(self, step: int) -> Mapping[str, Proposal]:
        """What an earlier run has proposed in a step, by sentence id."""
        return self.earlier.get(step, {})

    def add(self, step: int, made: Mapping[str, Proposal]) -> None:
        """Append what was proposed just now, and see it on the disk.

        Raises:
            OutputError: it cannot be written.
        """
        lines = [dump({"step": step, "sentence": key, **_record(one)}) + "\n" for key, one in made.items()]
        with explained(str(self.path)):
            if self.stream is None:
                self.stream = self._opened()
            self.stream.write("".join(lines).encode("utf-8", "surrogatepass"))
            self.stream.flush()
            os.fsync(self.stream.fileno())

    def close(self) -> None:
        """Close the file; it stays."""
        if self.stream is not None:
            self.stream.close()
            self.stream = None

    def _opened(self) -> BinaryIO:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        stream = self.path.open("r+b" if self.good else "wb")
        stream.truncate(self.good)
        stream.seek(self.good)
        if not self.good:
            stream.write((dump(self.key.header(FORMAT)) + "\n").encode("utf-8", "surrogatepass"))
        return stream

    def _read(self) -> int:
        """Read an earlier run's lines; how many bytes of the file are whole lines that belong to this run."""
        try:
            lines = self.path.read_bytes().split(b"\n")
        except OSError:
            return 0
        header = _loaded(lines[0]) if len(lines) > 1 else None
        if header is None or not same_header(header, self.key, FORMAT):
            return 0
        good = len(lines[0]) + 1
        for line in lines[1:-1]:
            data = _loaded(line)
            try:
                found = None if data is None else (int(data["step"]), str(data["sentence"]), _proposal(data))
            except (KeyError, TypeError, ValueError, EditError):
                found = None
            if found is None:
                break
            self.earlier.setdefault(found[0], {})[found[1]] = found[2]
            good += len(line) + 1
        return good


@contextmanager
def unfinished(path: Path, key: StageKey | None) -> Iterator[ProposalsFile | None]:
    """The proposals of a run, kept while it lasts; None where nothing says what they depend on.

    The file is left behind where the run ends in an error or is interrupted.
    """
    if key is None:
        yield None
        return
    kept = ProposalsFile(path, key)
    try:
        yield kept
    finally:
        kept.close()


def _loaded(line: bytes) -> dict[str, Any] | None:
    try:
        found = load_record(1, line.decode("utf-8", "surrogatepass"))
    except UnicodeDecodeError:
        return None
    return found.data if isinstance(found, Record) else None


def _record(proposal: Proposal) -> dict[str, Any]:
    """A proposal as JSON values, without what is as by default."""
    record: dict[str, Any] = {}
    if proposal.edits:
        record["edits"] = [[one.start, one.end, one.new, one.kind, one.source] for one in proposal.edits]
    if proposal.rewrite is not None:
        made = proposal.rewrite
        record["rewrite"] = [made.tokens, spans_json(made.spans), made.mentions, made.source]
    for name in ("reason", "discard", "attackable", "relabelled"):
        if getattr(proposal, name):
            record[name] = getattr(proposal, name)
    if not proposal.applicable:
        record["applicable"] = False
    if proposal.rejected:
        record["rejected"] = dict(proposal.rejected)
    return record


def _proposal(data: Mapping[str, Any]) -> Proposal:
    rewrite = data.get("rewrite")
    return Proposal(
        edits=tuple(
            Edit(start, end, tuple(new), kind, tuple(map(tuple, source)))
            for start, end, new, kind, source in data.get("edits", ())
        ),
        rewrite=None if rewrite is None else _rewrite(*rewrite),
        reason=str(data.get("reason", "")),
        applicable=bool(data.get("applicable", True)),
        discard=bool(data.get("discard", False)),
        attackable=int(data.get("attackable", 0)),
        relabelled=int(data.get("relabelled", 0)),
        rejected=tuple((name, int(count)) for name, count in data.get("rejected", {}).items()),
    )


def _rewrite(tokens: list[str], spans: list[Any], mentions: list[int | None], source: list[list[str]]) -> Rewrite:
    pairs = tuple((name, text) for name, text in source)
    return Rewrite(tuple(tokens), tuple(Span(*span) for span in spans), tuple(mentions), pairs)
