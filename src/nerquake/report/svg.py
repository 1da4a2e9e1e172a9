"""What the page's drawings share: colours, an axis, text that is escaped and cut."""

from __future__ import annotations

from collections.abc import Iterable
from math import ceil, floor
from typing import NamedTuple

from markupsafe import escape

from nerquake.report.visible import visible

INK, MUTED, LINE = "var(--ink,#15181d)", "var(--muted,#59616b)", "var(--line,#d5dae1)"
HELD, FELL, PAPER = "var(--held,#0b5cad)", "var(--fell,#b34700)", "var(--paper,#ffffff)"


class Axis(NamedTuple):
    """A scale from percent to the drawing's units."""

    low: float
    high: float
    left: int
    right: int

    def x(self, value: float) -> float:
        """Where a percentage stands, kept inside the plot."""
        inside = min(max(value, self.low), self.high)
        return round(self.left + (self.right - self.left) * (inside - self.low) / (self.high - self.low), 1)

    @property
    def ticks(self) -> list[int]:
        """The values that are written: every 5, 10 or 20 percent."""
        step = next(step for step in (5, 10, 20) if step == 20 or (self.high - self.low) / step <= 6)
        return list(range(int(self.low), int(self.high) + 1, step))


def around(values: Iterable[float]) -> tuple[int, int]:
    """Whole tens around rates given as fractions, in percent: at least 20 wide, within 0 and 100."""
    shares = [100 * value for value in values] or [0.0, 100.0]
    low, high = 10 * floor((min(shares) - 1) / 10), 10 * ceil((max(shares) + 1) / 10)
    low, high = max(0, low), min(100, high)
    if high - low < 20:
        low, high = (low, low + 20) if low + 20 <= 100 else (80, 100)
    return low, high


def drawing(width: float, height: float, label: str, body: Iterable[str]) -> str:
    """The whole drawing; `label` says in words what it shows."""
    size = f'viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" aria-label="{escape(visible(label))}" '
        f'font-family="system-ui, sans-serif" font-size="13">{"".join(body)}</svg>'
    )


def words(
    x: float,
    y: float,
    text: str,
    *,
    anchor: str = "start",
    fill: str = INK,
    weight: int = 400,
    size: int = 13,
    length: int = 60,
) -> str:
    """A line of text, cut in the middle where it is longer than `length`, with the whole of it on pointing."""
    full = visible(text)
    short = full if len(full) <= length else f"{full[: length - 9]}…{full[-8:]}"
    title = f"<title>{escape(full)}</title>" if short != full else ""
    return (
        f'<text x="{x}" y="{y}" text-anchor="{anchor}" fill="{fill}" font-weight="{weight}" font-size="{size}" '
        f'style="font-variant-numeric:tabular-nums">{title}{escape(short)}</text>'
    )
