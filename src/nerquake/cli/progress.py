"""Progress bars on standard error, for work that takes over a second, where there is someone to see them."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

PATIENCE = 1.0


@contextmanager
def counting(total: int, what: str) -> Iterator[Callable[[int], object] | None]:
    """A function to call with the number of items just done; None where nobody watches."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    bar = Progress(*columns, console=Console(stderr=True), transient=True)
    task = bar.add_task(what, total=total)
    began, shown = time.monotonic(), False

    def step(done: int) -> None:
        nonlocal shown
        bar.advance(task, done)
        if not shown and time.monotonic() - began > PATIENCE:
            bar.start()
            shown = True

    try:
        yield step
    finally:
        bar.stop()
