"""Chunks of a dump over several processes. Nothing but numbers and records travels between them."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from multiprocessing.connection import Connection
from threading import Thread
from typing import Any

from nerquake.core.errors import OutputError
from nerquake.knowledge.dump_chunk import Job


def make_chunks(job: Job, numbers: Sequence[int], jobs: int) -> Iterator[dict[str, Any]]:
    """Make the shards of some chunks, in any order; their records as they are finished.

    Raises:
        OutputError: the shards cannot be written, or a process was killed.
    """
    if jobs <= 1 or len(numbers) <= 1:
        yield from map(job.make, numbers)
        return
    context = get_context("spawn")
    ours, theirs = context.Pipe(duplex=False)
    pool = ProcessPoolExecutor(min(jobs, len(numbers)), context, _begin, (job, ours))
    try:
        for future in as_completed([pool.submit(_make, number) for number in numbers]):
            yield future.result()
    except BrokenProcessPool as error:
        raise OutputError(
            f"{job.folder}: a process that read the dump was killed, perhaps for want of memory; "
            "the same command goes on where it stopped, --jobs 1 needs least"
        ) from error
    finally:
        theirs.close()  # the processes end now, in the midst of a chunk if need be
        ours.close()
        pool.shutdown(cancel_futures=True)


_JOB: Job | None = None
"""In a worker process its job."""


def _begin(job: Job, alive: Connection) -> None:
    """Take the job, and end when the parent does: its end of a pipe closes, even if it is killed."""
    global _JOB
    _JOB = job
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent stops its processes itself
    Thread(target=_end_with, args=(alive,), daemon=True).start()


def _end_with(alive: Connection) -> None:
    try:
        alive.recv_bytes()
    except (EOFError, OSError):
        os._exit(1)


def _make(number: int) -> dict[str, Any]:
    assert _JOB is not None
    return _JOB.make(number)
