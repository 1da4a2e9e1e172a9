"""A mention of a named entity: a half-open range of tokens with a label."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """Token range `[start, end)` with a label; `score` is the model's confidence and is not compared."""

    start: int
    end: int
    label: str
    score: float | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        if not 0 <= self.start < self.end:
            raise ValueError(f"a span needs 0 <= start < end, got [{self.start}, {self.end}) {self.label}")
        if not self.label:
            raise ValueError(f"a span needs a label, got [{self.start}, {self.end}) without one")

    @property
    def width(self) -> int:
        """Number of tokens."""
        return self.end - self.start

    def overlaps(self, other: Span) -> bool:
        """Whether the two share a token; touching spans do not."""
        return self.start < other.end and other.start < self.end

    def same_range(self, other: Span) -> bool:
        """Whether both cover exactly the same tokens, whatever their labels."""
        return self.start == other.start and self.end == other.end
