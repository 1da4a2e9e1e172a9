"""Whether the figures of a values file are fractions or per cent, and whether they agree with one another."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import NamedTuple

from nerquake.core.errors import Problem
from nerquake.report.tables import Measure

PERCENT, FRACTION = 100, 1


class Figure(NamedTuple):
    """A figure with the digits that it is written with; None is undefined."""

    line: int
    column: Measure
    number: Decimal | None


def scale(figures: Sequence[Figure], said: bool, problems: list[Problem]) -> int:
    """What figures are divided by to be fractions: 100 where the head says per cent, or any is above 1; else 1.

    A file that holds both kinds cannot be read either way, so that every line of the rarer kind is a problem.
    """
    known = [(figure, figure.number) for figure in figures if figure.number is not None]
    if said:
        return PERCENT
    above = [figure for figure, number in known if number > 1]
    below = [figure for figure, number in known if 0 < number < 1]
    if not above:
        return FRACTION
    odd, kind = (below, "a fraction") if len(below) <= len(above) else (above, "per cent")
    if below:
        what = f"the figure looks like {kind}, others in the file do not"
        hint = "write all of them alike; where all are per cent, say so in the head: f1 %"
        for line in dict.fromkeys(figure.line for figure in odd):
            shown = next(str(number) for figure, number in known if figure.line == line and figure in odd)
            problems.append(Problem("mixed-units", line, what, shown, hint))
    return PERCENT


def decimals(figures: Sequence[Figure], by: int) -> int:
    """How many decimals of per cent the figures are given with, 1 at most: 0 for 0.91, 1 for 0.912 and 91.2."""
    given = [-int(figure.number.as_tuple().exponent) for figure in figures if figure.number is not None]
    return max(0, min(1, max(given, default=1) - (0 if by == PERCENT else 2)))


def remarks(line: int, figures: Mapping[Measure, Figure], by: int) -> Iterator[str]:
    """A note where F1 cannot be the harmonic mean of precision and recall, whatever was rounded away.

    F1 grows with both, so that the smallest and largest values that round to what is written bound it.
    """
    numbers = {column: figure.number for column, figure in figures.items()}
    precision, recall, f1 = numbers.get("precision"), numbers.get("recall"), numbers.get("f1")
    if precision is None or recall is None or f1 is None:
        return
    low = _f1(precision - _half(precision), recall - _half(recall)) - _half(f1)
    high = _f1(precision + _half(precision), recall + _half(recall)) + _half(f1)
    if not low <= f1 <= high:
        digits = max(0, -int(f1.as_tuple().exponent))
        mean = f"{_f1(precision, recall):.{digits}f}"
        yield (
            f"line {line}: F1 {f1} is not the harmonic mean of precision {precision} and recall {recall}, "
            f"which is {mean}; printed as given"
        )


def _f1(precision: Decimal, recall: Decimal) -> Decimal:
    total = precision + recall
    return 2 * precision * recall / total if total > 0 else Decimal(0)


def _half(number: Decimal) -> Decimal:
    """Half of the last digit's place: as much as rounding may have taken or added."""
    return Decimal(5).scaleb(int(number.as_tuple().exponent) - 1)
