"""How fast a Wikidata dump becomes Parquet shards, against ways of reading it that keep nothing.

    python -m benchmarks.dump [ITEMS] [--cpu]

A synthetic dump in the real layout, by default 100,000 items. Medians of three alternating runs; with --cpu the
processor time of all processes counts, which says more on a busy machine. Targets, one process: at least 2.5 times as
fast as gzip + orjson.loads, and 0.80 of isal + msgspec; two processes: at least 0.88 of what two unrelated processes
gain; bzip2: at least 0.85 of `bz2.open` drained alone; at most 700 MiB for all processes.
"""

from __future__ import annotations

import bz2
import gzip
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from statistics import median

import orjson
from isal import igzip
from tests.knowledge import synthetic_dump as synthetic

from nerquake.knowledge.dump import extract
from nerquake.knowledge.dump_options import DumpOptions
from nerquake.knowledge.dump_shape import shape_of

RUNS, BATCH = 3, 5_000
LINE = 3
"""Shorter lines hold no entity."""
EXTRACT = """
import sys
from nerquake.knowledge.dump import extract
if __name__ == "__main__":
    extract(sys.argv[1], sys.argv[2], jobs=int(sys.argv[3]))
"""


def plainly(file: Path) -> None:
    """The standard library's gzip, and all of each entity."""
    with gzip.open(file) as stream:
        for line in stream:
            if len(line) > LINE:
                orjson.loads(line.rstrip(b",\n"))


def floor(file: Path) -> None:
    """The fastest libraries, and only what is needed of each entity."""
    options = DumpOptions()
    decode = shape_of(options.codes, False).decode
    with igzip.open(file) as stream:
        for line in stream:
            if len(line) > LINE:
                decode(memoryview(line.rstrip(b",\n")))


def drained(file: Path) -> None:
    """Nothing but decompressing bzip2."""
    with bz2.open(file) as stream:
        while stream.read(1 << 20):
            pass


def made(file: Path, jobs: int = 1, chunk: int = 0) -> None:
    """Shards, anew."""
    shutil.rmtree(file.with_suffix(".shards"), ignore_errors=True)
    extract(str(file), file.with_suffix(".shards"), DumpOptions(chunk=chunk), jobs=jobs)


def gain(file: Path) -> float:
    """How much more two unrelated processes do than one in the same time: each reads the whole dump."""
    with ProcessPoolExecutor(2, get_context("spawn")) as pool:
        list(pool.map(floor, [file, file]))  # started, and the file is in memory
        one = seconds(lambda: pool.submit(floor, file).result(), time.perf_counter)
        two = seconds(lambda: list(pool.map(floor, [file, file])), time.perf_counter)
    return 2 * one / two


def seconds(function: Callable[[], object], clock: Callable[[], float]) -> float:
    start = clock()
    function()
    return clock() - start


def processor_time() -> float:
    """Of this process and of those that it has waited for."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def alternate(functions: Mapping[str, Callable[[], object]], clock: Callable[[], float]) -> dict[str, float]:
    """Median seconds of each; all run once in turn, then again."""
    found: dict[str, list[float]] = {name: [] for name in functions}
    for _ in range(RUNS):
        for name, function in functions.items():
            found[name].append(seconds(function, clock))
    return {name: median(values) for name, values in found.items()}


def peak(file: Path) -> float:
    """The most memory, in MiB, that a run with two processes takes: all processes together, shared pages once."""
    shutil.rmtree(file.with_suffix(".shards"), ignore_errors=True)
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / "run.py"
        script.write_text(EXTRACT, "utf-8")
        command = [sys.executable, str(script), str(file), str(file.with_suffix(".shards")), "2"]
        run = subprocess.Popen(command)
        most, stop = [0.0], threading.Event()

        def watch() -> None:
            while not stop.wait(0.05):
                most[0] = max(most[0], memory(run.pid))

        thread = threading.Thread(target=watch)
        thread.start()
        run.wait()
        stop.set()
        thread.join()
    return most[0]


def memory(pid: int) -> float:
    """MiB of a process and those that it started."""
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text("utf-8").splitlines()
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text("utf-8").split()
    except OSError:
        return 0
    own = sum(int(line.split()[1]) for line in lines if line.startswith("Pss:"))
    return own / 1024 + sum(memory(int(child)) for child in children)


def main() -> None:
    arguments = [one for one in sys.argv[1:] if one != "--cpu"]
    count = int(arguments[0]) if arguments else 100_000
    clock = processor_time if "--cpu" in sys.argv else time.perf_counter
    with tempfile.TemporaryDirectory() as folder:
        file = synthetic.write(Path(folder) / "dump.gz", synthetic.items(count), BATCH)
        chunk = max(1 << 22, file.stat().st_size // 4)
        few = count // 10
        packed = synthetic.write(Path(folder) / "few.bz2", synthetic.items(few))
        print(f"{count:,} items, {file.stat().st_size / 2**20:,.0f} MiB compressed; seconds of "
              f"{'processor time' if clock is processor_time else 'wall clock'}")  # fmt: skip
        found = alternate(
            {
                "gzip + orjson.loads": lambda: plainly(file),
                "isal + msgspec": lambda: floor(file),
                "to Parquet": lambda: made(file, chunk=chunk),
                "to Parquet, two processes": lambda: made(file, 2, chunk),
                "bz2.open": lambda: drained(packed),
                "bzip2 to Parquet": lambda: made(packed),
            },
            clock,
        )
        for name, value in found.items():
            print(f"  {name:<26} {value:8.2f} s  {(few if 'bz' in name else count) / value:10,.0f} items a second")
        one, two, most = (
            found["to Parquet"],
            found["to Parquet, two processes"],
            median(gain(file) for _ in range(RUNS)),
        )
        print(f"  {found['gzip + orjson.loads'] / one:.2f} times gzip + orjson.loads, "
              f"{found['isal + msgspec'] / one:.2f} of isal + msgspec")  # fmt: skip
        if clock is time.perf_counter:
            print(f"  two processes gain {one / two:.2f}, unrelated ones {most:.2f}: {one / two / most:.2f} of it")
        print(f"  bzip2: {found['bz2.open'] / found['bzip2 to Parquet']:.2f} of bz2.open")
        print(f"  {peak(file):,.0f} MiB at most with two processes")


if __name__ == "__main__":
    main()
