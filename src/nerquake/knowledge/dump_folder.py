"""The folder of a dump's shards: a manifest that says what made them, a record a chunk, and a summary at the end.

```
manifest.json           the source, the options, the extractor's version: what a later run must agree with
chunks/000012.json      counts, faults, and the checksums of the shards of a chunk: it is finished
names/000012.parquet    ... and so on for each table
summary.json            all together: the dump is finished
```
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nerquake.core.errors import InputError, UsageError
from nerquake.knowledge.dump_chunk import RECORDS, Job, record_path
from nerquake.knowledge.dump_columns import tables_of
from nerquake.knowledge.dump_notes import CODES, Level, Note
from nerquake.knowledge.dump_shards import remove_temporary, shard_path, write_json, writing

FORMAT = "nerquake.wikidata-shards/1"
EXTRACTOR = 1
"""To be raised whenever the same dump gives other shards."""
FAULTS, OTHERS = 1000, 20
"""How many faults are listed in all, and how many of each other code."""
_MANIFEST, _SUMMARY, _LOCK = "manifest.json", "summary.json", ".lock"


@dataclass(frozen=True, slots=True)
class Extraction:
    """A finished folder of shards.

    manifest  what made them
    counts    lines, items, and what became of them; rows by table
    denied    items left out, by the class that kept them out
    notes     how often each code was noted
    listed    the first notes, with the lines of the whole dump
    digest    the same for the same shards
    remarks   what else there is to say
    """

    folder: Path
    manifest: Mapping[str, Any]
    chunks: int
    counts: Mapping[str, int]
    denied: Mapping[str, int]
    notes: Mapping[str, int]
    listed: Sequence[Note]
    digest: str
    remarks: tuple[str, ...] = ()

    @property
    def faults(self) -> list[Note]:
        """What could not be read."""
        return [note for note in self.listed if CODES[note.code][0] is Level.FAULT]

    @property
    def tables(self) -> tuple[str, ...]:
        """The tables that it has."""
        return tables_of(bool(self.manifest["options"]["descriptions"]))

    def shards(self, table: str) -> list[Path]:
        """The shards of a table, in order."""
        return [shard_path(self.folder, table, number) for number in range(self.chunks)]


def manifest_of(job: Job) -> dict[str, Any]:
    """What a job's shards depend on."""
    return {
        "format": FORMAT,
        "extractor": EXTRACTOR,
        "source": job.source.record(),
        "options": job.options.record(),
    }


@contextmanager
def prepared(job: Job) -> Iterator[None]:
    """A folder for a job's shards, new or of an earlier run of the same job; no other run may write there meanwhile.

    Raises:
        UsageError: it holds shards that were made otherwise, or something else; or another run is writing there.
        OutputError: it cannot be made.
    """
    folder, manifest = job.folder, manifest_of(job)
    with writing(folder):
        earlier = _read(folder / _MANIFEST)
        if earlier is not None:
            _refuse_others(folder, earlier, manifest)
        elif folder.exists() and any(not path.name.startswith(".") for path in folder.iterdir()):
            raise UsageError(f"{folder} is not empty and holds no shards of a dump: name another folder")
        (folder / RECORDS).mkdir(parents=True, exist_ok=True)
    with _locked(folder):
        with writing(folder):
            remove_temporary(folder)
            if earlier is None:
                write_json(folder / _MANIFEST, manifest)
        yield


def finished_record(folder: Path, number: int) -> dict[str, Any] | None:
    """The record of a chunk if it is finished and its shards are as they were."""
    record = _read(record_path(folder, number))
    try:
        if record is not None and all(
            _checksum(shard_path(folder, table, number)) == file["sha256"] for table, file in record["files"].items()
        ):
            return record
    except (OSError, KeyError, TypeError, AttributeError):
        pass
    return None


def summarise(job: Job, records: Sequence[Mapping[str, Any]]) -> Extraction:
    """Put the records of all chunks together, and write the summary."""
    counts: Counter[str] = Counter()
    denied: Counter[str] = Counter()
    notes: Counter[str] = Counter()
    digest = hashlib.sha256()
    for record in records:
        counts.update({"lines": record["lines"], "bytes": record["bytes"], **record["counts"]})
        counts.update({f"rows {table}": file["rows"] for table, file in record["files"].items()})
        denied.update(record["denied"])
        notes.update(record["notes"])
        for table, file in sorted(record["files"].items()):
            digest.update(f"{table} {file['sha256']}\n".encode())
    listed = [[note.line, note.offset, note.code, note.detail] for note in _listed(records)]
    summary = {"chunks": len(records), "counts": dict(counts), "denied": dict(denied), "notes": dict(notes),
               "listed": listed, "digest": digest.hexdigest()}  # fmt: skip
    with writing(job.folder):
        write_json(job.folder / _SUMMARY, summary)
    return _extraction(job.folder, manifest_of(job), summary)


def load_extraction(folder: Path) -> Extraction:
    """A finished folder of shards.

    Raises:
        InputError: it is none, or not finished.
    """
    manifest, summary = _read(folder / _MANIFEST), _read(folder / _SUMMARY)
    if manifest is None or manifest.get("format") != FORMAT:
        raise InputError(f"{folder} holds no shards of a dump that this version knows ({FORMAT})")
    if summary is None:
        raise InputError(f"{folder}: the dump has not been read to its end; the command that began it goes on")
    try:
        return _extraction(folder, manifest, summary)
    except (KeyError, TypeError, ValueError) as error:
        raise InputError(f"{folder / _SUMMARY} is damaged ({error}); remove it, and build again") from error


def _extraction(folder: Path, manifest: Mapping[str, Any], summary: Mapping[str, Any]) -> Extraction:
    listed = [Note(*values) for values in summary["listed"]]
    return Extraction(folder, manifest, summary["chunks"], summary["counts"], summary["denied"], summary["notes"],
                      listed, summary["digest"])  # fmt: skip


def _listed(records: Sequence[Mapping[str, Any]]) -> Iterator[Note]:
    """The first notes, with lines that count from the begin of the dump."""
    before = 0
    seen: Counter[str] = Counter()
    for record in records:
        for line, offset, code, detail in record["listed"]:
            fault = CODES[code][0] is Level.FAULT
            group = Level.FAULT.name if fault else code
            seen[group] += 1
            if seen[group] <= (FAULTS if fault else OTHERS):
                yield Note(before + line, offset, code, detail)
        before += record["lines"]


def _refuse_others(folder: Path, earlier: Mapping[str, Any], now: Mapping[str, Any]) -> None:
    """Refuse a folder whose shards were made otherwise, with all differences in one message."""
    old, new = _flat(earlier), _flat(now)
    differences = [
        f"{name}: {old.get(name, 'nothing')} there, {new.get(name, 'nothing')} now"
        for name in sorted(old.keys() | new.keys()) if old.get(name) != new.get(name)
    ]  # fmt: skip
    if differences:
        raise UsageError(
            f"{folder} holds shards that were made otherwise ({'; '.join(differences)}): "
            "name another folder, or remove this one to begin anew"
        )


def _flat(manifest: Mapping[str, Any]) -> dict[str, str]:
    """A manifest as pairs of names and short texts."""
    pairs: dict[str, str] = {}
    for name, value in manifest.items():
        if isinstance(value, Mapping):
            pairs |= {f"{name} {key}": text for key, text in _flat(value).items()}
        else:
            text = ", ".join(map(str, value)) or "none" if isinstance(value, list) else str(value)
            pairs[name] = text if len(text) < 200 else text[:200] + "..."
    return pairs


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Keep other runs out, where the system has locks; a killed run leaves none."""
    try:
        import fcntl
    except ImportError:
        yield
        return
    with writing(folder):
        stream = (folder / _LOCK).open("wb")
    with stream:
        try:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise UsageError(f"{folder}: another run is writing there; wait for it, or name another folder") from None
        except OSError:  # a file system without locks
            pass
        yield


def _read(path: Path) -> dict[str, Any] | None:
    """A JSON object from a file; None where there is none, or it is damaged."""
    with suppress(OSError, ValueError):
        found = json.loads(path.read_bytes())
        return found if isinstance(found, dict) else None
    return None


def _checksum(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
