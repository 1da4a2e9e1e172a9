"""Shards are the same bytes with one process or two, and after any number of kills; other shards are refused."""

from __future__ import annotations

import io
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest
from tests.knowledge import synthetic_dump as synthetic
from tests.knowledge.dump_parts import gz, need_extra, shard_bytes

from nerquake.core.errors import InputError, OutputError, UsageError
from nerquake.knowledge import dump_pool
from nerquake.knowledge.dump import extract
from nerquake.knowledge.dump_chunk import Job
from nerquake.knowledge.dump_folder import load_extraction
from nerquake.knowledge.dump_lines import Part
from nerquake.knowledge.dump_options import DumpOptions
from nerquake.knowledge.dump_shards import _Hashing

need_extra()
Put = Callable[[bytes], None]
ITEMS = 400
OPTIONS = DumpOptions(chunk=40_000)
RUN = """
import sys
from nerquake.knowledge.dump import extract
from nerquake.knowledge.dump_lines import Part
from nerquake.knowledge.dump_options import DumpOptions
from nerquake.knowledge.dump_shards import _Hashing
if __name__ == "__main__":
    extract(sys.argv[1], sys.argv[2], DumpOptions(chunk=int(sys.argv[3])), jobs=int(sys.argv[4]))
"""


@pytest.fixture(scope="module")
def dump(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A dump of more than fifteen chunks."""
    return synthetic.write(tmp_path_factory.mktemp("dump") / "dump.json.gz", synthetic.items(ITEMS), batch=5)


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A dump of a few chunks."""
    return synthetic.write(tmp_path_factory.mktemp("dump") / "dump.json.gz", synthetic.items(60), batch=8)


@pytest.fixture(scope="module")
def whole(dump: Path) -> dict[str, bytes]:
    """The shards of an undisturbed run with one process."""
    found = extract(str(dump), dump.parent / "whole", OPTIONS)
    assert found.chunks >= 15
    return shard_bytes(found.folder)


@pytest.fixture
def script(tmp_path: Path) -> Path:
    file = tmp_path / "run.py"
    file.write_text(RUN, "utf-8")
    return file


def test_two_processes_make_the_same_shards(dump: Path, whole: dict[str, bytes], tmp_path: Path) -> None:
    seen: list[tuple[int, int]] = []
    found = extract(str(dump), tmp_path / "two", OPTIONS, jobs=2, progress=lambda done, size: seen.append((done, size)))
    assert shard_bytes(found.folder) == whole
    assert found.digest == load_extraction(dump.parent / "whole").digest
    size = dump.stat().st_size
    assert seen[-1] == (size, size)
    assert seen == sorted(seen)


def begun(script: Path, dump: Path, folder: Path, jobs: int) -> subprocess.Popen[bytes]:
    command = [sys.executable, str(script), str(dump), str(folder), str(OPTIONS.chunk), str(jobs)]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)


def finished(folder: Path) -> int:
    return len(list((folder / "chunks").glob("*.json"))) if folder.exists() else 0


def wait_until(condition: Callable[[], bool], seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it takes too long"
        time.sleep(0.005)


@pytest.mark.slow
@pytest.mark.parametrize("jobs", [1, 2])
def test_ten_kills_change_nothing(jobs: int, dump: Path, whole: dict[str, bytes], script: Path, tmp_path: Path) -> None:
    folder, rng, interrupted = tmp_path / "killed", random.Random(jobs), 0
    for _ in range(10):
        before = finished(folder)
        run = begun(script, dump, folder, jobs)
        wait_until(lambda: finished(folder) > before or run.poll() is not None)  # noqa: B023
        time.sleep(rng.random() * 0.05)
        run.send_signal(signal.SIGKILL)
        interrupted += run.wait() == -signal.SIGKILL
    assert interrupted >= 3
    found = extract(str(dump), folder, OPTIONS, jobs=jobs)
    assert shard_bytes(folder) == whole
    assert found.digest == load_extraction(dump.parent / "whole").digest
    assert not list(folder.rglob("*.tmp"))


def children(pid: int) -> list[int]:
    """The processes that a process has started."""
    text = Path(f"/proc/{pid}/task/{pid}/children").read_text("utf-8")
    return [int(one) for one in text.split()]


def alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state not in "ZX"


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="needs /proc")
def test_processes_end_when_their_parent_is_killed(dump: Path, script: Path, tmp_path: Path) -> None:
    run = begun(script, dump, tmp_path / "killed", 2)
    wait_until(lambda: finished(tmp_path / "killed") > 1)
    workers = children(run.pid)
    assert len(workers) >= 2
    run.send_signal(signal.SIGKILL)
    run.wait()
    wait_until(lambda: not any(map(alive, workers)), 10)


def test_a_killed_process_is_one_message(dump: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dump_pool, "_make", os._exit)
    with pytest.raises(OutputError, match=r"was killed.*the same command goes on"):
        extract(str(dump), tmp_path / "shards", OPTIONS, jobs=2)


def test_what_is_finished_is_not_made_again(small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = extract(str(small), tmp_path / "shards", OPTIONS)

    def refuse(job: Job, number: int) -> dict[str, object]:
        raise AssertionError(f"chunk {number} is made again")

    monkeypatch.setattr(Job, "make", refuse)
    again = extract(str(small), tmp_path / "shards", OPTIONS)
    assert again == first == load_extraction(tmp_path / "shards")


@pytest.mark.parametrize("damage", ["names/000002.parquet", "chunks/000002.json"])
@pytest.mark.parametrize("how", ["gone", "cut", "flipped"])
def test_a_damaged_chunk_is_made_again(damage: str, how: str, small: Path, tmp_path: Path) -> None:
    extract(str(small), tmp_path / "shards", OPTIONS)
    whole = shard_bytes(tmp_path / "shards")
    file = tmp_path / "shards" / damage
    data = file.read_bytes()
    if how == "gone":
        file.unlink()
    else:
        file.write_bytes(data[: len(data) // 2] if how == "cut" else data[:9] + bytes([data[9] ^ 1]) + data[10:])
    extract(str(small), tmp_path / "shards", OPTIONS)
    assert shard_bytes(tmp_path / "shards") == whole


def test_other_options_are_refused_in_one_message(small: Path, tmp_path: Path) -> None:
    extract(str(small), tmp_path / "shards", OPTIONS)
    other = DumpOptions(("en", "fr"), descriptions=True, deny=(), chunk=50_000)
    with pytest.raises(UsageError) as raised:
        extract(str(small), tmp_path / "shards", other)
    text = str(raised.value)
    for part in ("languages: de, en, hi, mul there, en, fr, mul now", "descriptions: False there, True now",
                 "deny: Q1", "none now", "chunk: 40000 there, 50000 now", "name another folder"):  # fmt: skip
        assert part in text
    assert "\n" not in text


def test_another_order_of_options_is_the_same(small: Path, tmp_path: Path) -> None:
    first = extract(str(small), tmp_path / "shards", OPTIONS)
    turned = DumpOptions(OPTIONS.languages[::-1], deny=OPTIONS.deny[::-1], chunk=OPTIONS.chunk)
    assert extract(str(small), tmp_path / "shards", turned) == first
    assert extract(str(small), tmp_path / "turned", turned).digest == first.digest


def test_another_dump_is_refused(small: Path, tmp_path: Path) -> None:
    extract(str(small), tmp_path / "shards", OPTIONS)
    other = tmp_path / "other.gz"
    data = small.read_bytes()
    for changed in (data + gz(b"\n"), data[:-9] + bytes([data[-9] ^ 1]) + data[-8:]):
        other.write_bytes(changed)
        with pytest.raises(UsageError, match="made otherwise"):
            extract(str(other), tmp_path / "shards", OPTIONS)
    moved = tmp_path / "moved.gz"
    moved.write_bytes(data)
    extract(str(moved), tmp_path / "shards", OPTIONS)


def test_an_older_extractor_is_refused(small: Path, tmp_path: Path) -> None:
    extract(str(small), tmp_path / "shards", OPTIONS)
    file = tmp_path / "shards" / "manifest.json"
    file.write_text(json.dumps(json.loads(file.read_bytes()) | {"extractor": 0}), "utf-8")
    with pytest.raises(UsageError, match="extractor: 0 there, 1 now"):
        extract(str(small), tmp_path / "shards", OPTIONS)


def test_a_folder_with_other_things_is_refused(small: Path, tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("x", "utf-8")
    with pytest.raises(UsageError, match="is not empty"):
        extract(str(small), tmp_path, OPTIONS)
    with pytest.raises(InputError, match="holds no shards"):
        load_extraction(tmp_path)


def test_a_folder_that_cannot_be_made(small: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x", "utf-8")
    with pytest.raises(OutputError, match="cannot be written"):
        extract(str(small), tmp_path / "file" / "shards", OPTIONS)


@pytest.mark.parametrize("room", [0, 5_000, 20_000])
def test_a_full_disk_is_one_message_and_leaves_nothing_half_written(
    room: int, small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = _Hashing.write

    def write(stream: _Hashing, data: Any) -> int:
        nonlocal room
        room -= len(data)
        if room < 0 and not stream.lost:
            raise OSError(28, "No space left on device")
        return written(stream, data)

    with monkeypatch.context() as patch:
        patch.setattr(_Hashing, "write", write)
        with pytest.raises(OutputError, match="No space left on device; when that is mended"):
            extract(str(small), tmp_path / "shards", OPTIONS)
    assert not list((tmp_path / "shards").rglob("*.tmp"))
    extract(str(small), tmp_path / "shards", OPTIONS)
    assert shard_bytes(tmp_path / "shards") == shard_bytes(extract(str(small), tmp_path / "other", OPTIONS).folder)


def test_two_runs_at_once_are_refused(small: Path, tmp_path: Path) -> None:
    pytest.importorskip("fcntl")

    def second(done: int, size: int) -> None:
        with pytest.raises(UsageError, match="another run is writing there"):
            extract(str(small), tmp_path / "shards", OPTIONS)

    extract(str(small), tmp_path / "shards", OPTIONS, progress=second)


def test_an_unfinished_folder_says_so(small: Path, tmp_path: Path) -> None:
    extract(str(small), tmp_path / "shards", OPTIONS)
    (tmp_path / "shards" / "summary.json").unlink()
    with pytest.raises(InputError, match="not been read to its end"):
        load_extraction(tmp_path / "shards")


@pytest.fixture
def stream(monkeypatch: pytest.MonkeyPatch) -> Put:
    """A function that puts bytes on standard input."""

    def put(data: bytes) -> None:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))

    return put


def test_a_stream_goes_on_where_it_stopped(stream: Put, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = synthetic.plain(list(synthetic.items(200)))
    options = DumpOptions(chunk=300_000)
    stream(text)
    first = extract("-", tmp_path / "whole", options)
    assert first.chunks > 5
    original = Job.make_from

    def stopping(job: Job, parts: Iterable[Part], number: int) -> dict[str, Any]:
        if number == 3:
            raise KeyboardInterrupt
        return original(job, parts, number)

    stream(text)
    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(Job, "make_from", stopping)
        extract("-", tmp_path / "shards", options)
    assert finished(tmp_path / "shards") == 3
    stream(text)
    assert extract("-", tmp_path / "shards", options).digest == first.digest
    assert shard_bytes(tmp_path / "shards") == shard_bytes(tmp_path / "whole")
    stream(text[:100_000] + text[100_000:].replace(b"Q1", b"Q2"))
    with pytest.raises(UsageError, match="another dump"):
        extract("-", tmp_path / "shards", options)


def test_memory_is_given_back_shard_by_shard(small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows are handed over as soon as there are enough, so that the size of a chunk does not matter."""
    monkeypatch.setattr("nerquake.knowledge.dump_rows.FULL", 50)
    from pyarrow import parquet

    found = extract(str(small), tmp_path / "shards", DumpOptions(chunk=1 << 30))
    (shard,) = found.shards("names")
    groups = parquet.ParquetFile(shard).metadata
    assert groups.num_row_groups > 3
    assert max(groups.row_group(number).num_rows for number in range(groups.num_row_groups)) < 80
