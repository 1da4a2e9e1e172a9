"""Progress bars on standard error, for work that takes over a second, where there is someone to see them."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Task

PATIENCE = 1.0


@contextmanager
def counting(total: int, what: str) -> Iterator[Callable[[int], object] | None]:
    """A function to call with the number of items just done; None where nobody watches."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeRemainingColumn
    from rich.text import Text

    class Speed(TextColumn):
        """Items a second."""

        def render(self, task: Task) -> Text:
            return Text("" if not task.speed else f"{task.speed:,.{0 if task.speed >= 10 else 1}f} a second")

    columns = (
        SpinnerColumn(), TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), Speed(""),
        TimeRemainingColumn(),
    )  # fmt: skip
    bar = Progress(*columns, console=Console(stderr=True), transient=True)
    task = bar.add_task(what, total=total)
    # By a clock, not by the first step: a model may take a minute for its first batch.
    patience = threading.Timer(PATIENCE, bar.start)
    patience.daemon = True
    patience.start()

    def step(done: int) -> None:
        bar.advance(task, done)

    try:
        yield step
    finally:
        patience.cancel()
        patience.join()
        bar.stop()
