"""What training shows on standard error: a line an epoch, and a bar of its steps where someone watches."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from nerquake.cli.progress import counting
from nerquake.cli.show import note

if TYPE_CHECKING:
    from nerquake.train.loop import EpochLog


class Watch:
    """Tells how training goes (`train.loop.Watching`)."""

    def __init__(self, what: str, epochs: int) -> None:
        self.what, self.epochs = what, epochs
        self.bar: Any = None
        self.advance: Any = None
        self.at = 0

    def step(self, epoch: int, done: int, steps: int, loss: float) -> None:
        """A step was taken."""
        if self.bar is None:
            self.bar = counting(steps, f"{self.what}, epoch {epoch}, steps")
            self.advance = self.bar.__enter__()
            self.at = done - 1
        if self.advance is not None:
            self.advance(done - self.at)
        self.at = done

    def epoch(self, log: EpochLog) -> None:
        """An epoch ended."""
        self.close()
        scores = ""
        if log.f1 is not None:
            scores = f", dev F1 {log.f1:.4f} (P {log.precision or 0:.4f}, R {log.recall or 0:.4f})"
        note(f"epoch {log.epoch} of {self.epochs}: loss {log.loss:.4f}{scores}")

    def close(self) -> None:
        """Take the bar away."""
        if self.bar is not None:
            self.bar.__exit__(None, None, None)
            self.bar = None


@contextmanager
def watching(what: str, epochs: int) -> Iterator[Watch]:
    """A watch for one training."""
    watch = Watch(what, epochs)
    try:
        yield watch
    finally:
        watch.close()
