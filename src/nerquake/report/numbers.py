"""How figures are written: one place for percent, points, intervals, p and counts.

Rates come in as fractions and are shown in percent or points with one decimal; None is undefined and shown as `n/e`.
"""

from __future__ import annotations

from typing import Any

MINUS = "\u2212"
UNDEFINED = "n/e"
NOT_COMPARABLE = "n/c"
MARK = "†"
AGAINST = "the attack was chosen against this model"
"""What the mark means: this model was the surrogate of the attack."""


def decimal(value: float, digits: int = 1) -> str:
    """A number with a true minus; what rounds to zero has no sign."""
    text = f"{abs(value):,.{digits}f}"
    return MINUS + text if value < 0 and float(text.replace(",", "")) else text


def percent(value: float | None) -> str:
    """A rate in percent, without the sign: `58.5`."""
    return UNDEFINED if value is None else decimal(100 * value)


def change(drop: float | None) -> str:
    """A loss as the change it is, in points: a drop of 0.339 is `−33.9`, a gain `+1.2`."""
    if drop is None:
        return UNDEFINED
    text = decimal(-100 * drop)
    return text if text.startswith(MINUS) or not float(text) else f"+{text}"


def relative(drop: float | None) -> str:
    """A loss as a share of the original score: `↓37 %`."""
    if drop is None:
        return UNDEFINED
    text = f"{abs(100 * drop):.0f}"
    arrow = "" if text == "0" else "↓" if drop > 0 else "↑"
    return f"{arrow}{text} %"


def bounds(low: float | None, high: float | None, between: str = " to ") -> str:
    """Both ends of an interval in points: `31.0 to 36.8`."""
    return f"{percent(low)}{between}{percent(high)}"


def interval(low: float | None, high: float | None) -> str:
    """An interval in points: `[31.0, 36.8]`."""
    return UNDEFINED if low is None or high is None else f"[{bounds(low, high, ', ')}]"


def p_number(p: float | None) -> str:
    """A p value without its letter: `< 0.001`, `0.03`; rounding never lifts one to 0.05."""
    if p is None:
        return UNDEFINED
    if p < 0.001:
        return "< 0.001"
    text = f"{p:.3f}" if p < 0.0095 else f"{p:.2f}"
    return "< 0.05" if p < 0.05 <= float(text) else text


def p_value(p: float | None) -> str:
    """A p value as it stands in a sentence: `p < 0.001`, `p = 0.03`."""
    text = p_number(p)
    return f"p {text}" if text.startswith("<") else f"p = {text}"


def times(ratio: float | None) -> str:
    """How many times as large one thing is as another, three digits: `1.42`, `12.3`, `1,250`."""
    return UNDEFINED if ratio is None else decimal(ratio, 2 if ratio < 10 else 1 if ratio < 100 else 0)


def count(number: Any) -> str:
    """A whole number with thousands separators; None is undefined."""
    return UNDEFINED if number is None else f"{number:,}"


def plural(number: int, one: str, many: str = "") -> str:
    """`1 sentence`, `3,684 sentences`."""
    return f"{count(number)} {one if number == 1 else many or one + 's'}"


def level(share: float) -> str:
    """A confidence level: `95 %`."""
    return f"{100 * share:g} %"
