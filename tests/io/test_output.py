"""Files are written whole or not at all."""

from __future__ import annotations

import errno
import os
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from nerquake.core.errors import OutputError
from nerquake.io.output import write_whole


def half(error: BaseException) -> Iterator[str]:
    yield "the first half\n" * 10_000
    raise error


def everything_in(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


def test_text_is_written_as_it_is_and_parents_are_made(tmp_path: Path) -> None:
    write_whole(tmp_path / "a" / "b" / "c.txt", ["é\u2028\r\n", "x\n"])
    assert (tmp_path / "a" / "b" / "c.txt").read_bytes() == "é\u2028\r\nx\n".encode()
    assert everything_in(tmp_path) == ["a", "a/b", "a/b/c.txt"]


@pytest.mark.parametrize(
    "error",
    [OSError(errno.ENOSPC, "No space left on device"), OutputError("no"), RuntimeError("bug"), KeyboardInterrupt()],
)
def test_a_writer_that_fails_half_way_leaves_nothing(tmp_path: Path, error: BaseException) -> None:
    expected = OutputError if isinstance(error, OSError) else type(error)
    with pytest.raises(expected):
        write_whole(tmp_path / "new" / "file.txt", half(error))
    assert everything_in(tmp_path) == []


def test_a_writer_that_fails_half_way_keeps_the_old_file(tmp_path: Path) -> None:
    target = tmp_path / "file.txt"
    target.write_text("old")
    with pytest.raises(OutputError, match=r"file\.txt.*No space left.*free some space"):
        write_whole(target, half(OSError(errno.ENOSPC, "No space left on device")))
    assert target.read_text() == "old"
    assert everything_in(tmp_path) == ["file.txt"]


def test_a_path_below_a_file_and_a_directory_in_the_way_are_one_message(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(OutputError, match="a part of the path is a file"):
        write_whole(tmp_path / "file" / "below" / "deeper.txt", ["x"])
    with pytest.raises(OutputError, match="a part of the path is a file"):
        write_whole(tmp_path / "file" / "below.txt", ["x"])
    with pytest.raises(OutputError, match="there is a directory of this name"):
        write_whole(tmp_path, ["x"])
    with pytest.raises(OutputError, match="null"):
        write_whole("a\0b", ["x"])
    with pytest.raises(OutputError, match="shorter"):
        write_whole(tmp_path / ("n" * 300), ["x"])
    assert everything_in(tmp_path) == ["file"]


def test_a_place_where_one_may_not_write_is_one_message(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(self: Path, *args: object, **kwargs: object) -> object:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(OutputError, match=r"Permission denied.*another place"):
        write_whole(tmp_path / "x", ["a"])


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_a_full_device_is_one_message() -> None:
    with pytest.raises(OutputError, match=r"/dev/full cannot be written: No space left"):
        write_whole("/dev/full", ["x"])
    assert stat.S_ISCHR(Path("/dev/full").stat().st_mode)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_a_full_standard_output_is_one_message() -> None:
    code = (
        "import os, sys\nfrom nerquake.io.output import write_whole\n"
        "from nerquake.core.errors import OutputError\n"
        "try:\n    write_whole('-', ['x' * 100000])\n"
        "except OutputError as error:\n    sys.stderr.write(str(error)); sys.stderr.flush(); os._exit(7)\n"
    )
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run([sys.executable, "-c", code], stdout=full, stderr=subprocess.PIPE, check=False)
    assert done.returncode == 7
    assert b"standard output cannot be written" in done.stderr


def test_a_pipe_is_written_directly(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    got: list[bytes] = []
    thread = threading.Thread(target=lambda: got.append(pipe.read_bytes()))
    thread.start()
    write_whole(pipe, ["a", "b"])
    thread.join(10)
    assert got == [b"ab"]
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_standard_output_gets_utf_8_whatever_the_locale(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    write_whole("-", ["é\n"])
    assert capfdbinary.readouterr().out == "é\n".encode()


def test_a_symbolic_link_stays_one_and_permissions_stay(tmp_path: Path) -> None:
    real, link = tmp_path / "real", tmp_path / "link"
    real.write_text("old")
    real.chmod(0o640)
    link.symlink_to(real)
    write_whole(link, ["new"])
    assert link.is_symlink()
    assert real.read_text() == "new"
    assert stat.S_IMODE(real.stat().st_mode) == 0o640


def test_a_new_file_has_the_permissions_of_any_new_file(tmp_path: Path) -> None:
    (tmp_path / "other").write_text("x")
    write_whole(tmp_path / "new", ["x"])
    assert (tmp_path / "new").stat().st_mode == (tmp_path / "other").stat().st_mode


def test_half_a_surrogate_pair_is_one_message_and_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match=r"U\+D83D"):
        write_whole(tmp_path / "x", ["fine\n", "bad \ud83d here\n"])
    assert everything_in(tmp_path) == []
