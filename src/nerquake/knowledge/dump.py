"""From a Wikidata dump to shards: Parquet files of names, classes and the like, which a dictionary is made of.

The dump is cut into chunks. Each is read on its own, in any process and in any order, and gives the same shards; a run
that was killed goes on with the chunks that are not finished. Memory does not depend on the size of the dump.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from typing import Any

from nerquake.core.errors import MissingExtra, UsageError
from nerquake.knowledge.dump_chunk import Job, Seen
from nerquake.knowledge.dump_folder import Extraction, finished_record, prepared, summarise
from nerquake.knowledge.dump_lines import Part
from nerquake.knowledge.dump_options import DumpOptions
from nerquake.knowledge.dump_pool import make_chunks
from nerquake.knowledge.dump_source import TextChunks, source_of

LIBRARIES, EXTRA = ("isal", "msgspec", "orjson", "pyarrow"), "wikidata"
"""What is needed, and the extra that has it."""
Progress = Callable[[int, int], object]


def extract(
    source: str,
    folder: str | Path,
    options: DumpOptions | None = None,
    *,
    jobs: int = 1,
    progress: Progress | None = None,
) -> Extraction:
    """Read a dump to its end, or go on with what an earlier run has begun.

    source    a file (JSON, gzip or bzip2, whatever its name), or `-` for standard input
    folder    for the shards; what an earlier run with the same source and options left there is used
    jobs      processes; standard input and gzip files of one member are read by one
    progress  called with bytes done and bytes in all, -1 where that is not known

    Raises:
        InputError: the source cannot be read, or is no dump. Broken lines and members are noted, never raised.
        UsageError: the folder holds something else.
        OutputError: the shards cannot be written.
        MissingExtra: a library is not installed.
    """
    options = options or DumpOptions()
    _need_libraries()
    with source_of(source, options.chunk) as (found, parts):
        job = Job(found, Path(folder), options)
        with prepared(job):
            made = _one_go(job, parts) if found.whole else _by_chunks(job, jobs)
            records: dict[int, dict[str, Any]] = {}
            done = 0
            for record in made:
                records[record["chunk"]] = record
                done += record["bytes"] if found.whole else found.chunk
                if progress is not None:
                    progress(min(done, found.size) if not found.whole else done, -1 if found.whole else found.size)
            whole = summarise(job, [records[number] for number in range(len(records))])
            return replace(whole, remarks=tuple(filter(None, [found.remark])))


def _need_libraries() -> None:
    for name in LIBRARIES:
        if find_spec(name) is None:
            raise MissingExtra("reading a Wikidata dump", name, EXTRA)


def _by_chunks(job: Job, jobs: int) -> Iterator[dict[str, Any]]:
    missing = []
    for number in range(job.source.chunks):
        record = finished_record(job.folder, number)
        if record is None:
            missing.append(number)
        else:
            yield record
    yield from make_chunks(job, missing, jobs)


def _one_go(job: Job, parts: Iterator[Part]) -> Iterator[dict[str, Any]]:
    """Chunks of a text that must be read from its begin; what is finished is read past, and must be the same."""
    chunks = TextChunks(parts, job.source.chunk)
    for number in count():
        if chunks.rest is None:
            return
        record = finished_record(job.folder, number)
        if record is None:
            yield job.make_from(chunks.chunk(), number)
            continue
        seen = Seen()
        for _ in seen.through(chunks.chunk()):
            pass
        if seen.checksum != record["text"]:
            raise UsageError(
                f"{job.folder} holds shards of another dump than the one that is read now: "
                "name another folder, or remove this one to begin anew"
            )
        yield record
