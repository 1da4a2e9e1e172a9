"""A tagger that knows what it was trained on, as models do that `nerquake train` made."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from nerquake.core.protocols import Tagging
from nerquake.core.sources import Sources
from nerquake.taggers.trained_on import read_trained_on


@dataclass(frozen=True)
class Schooled:
    """It finds nothing; what it was trained on stands in a folder."""

    folder: str

    def labels(self) -> frozenset[str]:
        return frozenset()

    def predict(self, batch: Sequence[tuple[str, ...]]) -> list[Tagging]:
        return [Tagging(()) for _ in batch]

    def trained_on(self) -> Sources | None:
        return read_trained_on(self.folder)


@dataclass(frozen=True)
class Misled(Schooled):
    """One that breaks the protocol."""

    def trained_on(self) -> Sources | None:
        if self.folder == "raise":
            raise ValueError("cog slipped")
        return ["s1"]  # type: ignore[return-value]
