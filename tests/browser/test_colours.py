"""Labels can be told apart by their colours, whatever cones an eye has, and their text can be read."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import combinations
from pathlib import Path

import pytest
from tests.browser.colours import SIGHTS, Colour, contrast, difference, lab
from tests.browser.opened import Opened

MARKS = """
['solid', 'dashed', 'dotted'].flatMap(edge => [1, 2, 3, 4, 5, 6].map(slot => {
  const mark = Object.assign(document.createElement('mark'), {className: `g${slot} ${edge}`, textContent: 'LOC'});
  document.querySelector('main').append(mark);
  const style = getComputedStyle(mark);
  return [style.backgroundColor, style.color, style.borderTopStyle];
}))
"""


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        # Sharma, Wu and Dalal's test data, pairs 1, 7, 17 and 25
        ((50, 2.6772, -79.7751), (50, 0, -82.7485), 2.0425),
        ((50, 0, 0), (50, -1, 2), 2.3669),
        ((50, 2.5, 0), (73, 25, -18), 27.1492),
        ((60.2574, -34.0099, 36.2677), (60.4626, -34.1751, 39.4387), 1.2644),
    ],
)
def test_the_difference_is_that_of_the_published_pairs(one: Colour, other: Colour, expected: float) -> None:
    assert difference(one, other) == pytest.approx(expected, abs=1e-4)


def rgb(text: str) -> Colour:
    red, green, blue = map(float, re.findall(r"[\d.]+", text)[:3])
    return red, green, blue


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_labels_look_different_and_can_be_read(report: Path, opened: Callable[..., Opened], theme: str) -> None:
    looks = opened(report, color_scheme=theme).page.evaluate(MARKS)
    assert len({(ground, edge) for ground, _, edge in looks}) == 18
    grounds = sorted({ground for ground, _, _ in looks})
    assert len(grounds) == 6
    for sight in SIGHTS:
        for one, other in combinations(grounds, 2):
            assert difference(lab(rgb(one), sight), lab(rgb(other), sight)) >= 10, (sight, one, other)
    assert min(contrast(rgb(ground), rgb(ink)) for ground, ink, _ in looks) >= 4.5
