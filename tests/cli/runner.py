"""Running commands as a user does, in this process."""

from __future__ import annotations

import contextlib
import io
import json
from typing import Any, NamedTuple

from nerquake.cli.main import run


class Ran(NamedTuple):
    """What a command did."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out, parse_constant=pytest_fail)


def pytest_fail(name: str) -> None:
    raise AssertionError(f"{name} stands in JSON")


def nerquake(*arguments: object) -> Ran:
    """Run `nerquake ARGUMENTS` and catch what it prints."""
    out, err = Stream(), Stream()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = run([str(argument) for argument in arguments])
    return Ran(code, out.text, err.text)


class Stream(io.TextIOWrapper):
    """A text stream over bytes, as the real ones are."""

    def __init__(self) -> None:
        super().__init__(io.BytesIO(), encoding="utf-8", newline="", write_through=True)

    @property
    def text(self) -> str:
        self.flush()
        held = self.buffer
        assert isinstance(held, io.BytesIO)
        return held.getvalue().decode("utf-8")
