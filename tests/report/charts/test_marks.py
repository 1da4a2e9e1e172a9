"""Scales and cut texts, worked out by hand."""

from nerquake.report.charts.marks import COLOURS, Drawing, ceiling, cut, steps


def test_steps_are_round_and_hold_zero() -> None:
    assert steps(0, 184) == (0, 50, 100, 150)
    assert steps(0, 100) == (0, 20, 40, 60, 80, 100)
    assert steps(0, 51.6) == (0, 10, 20, 30, 40, 50)
    assert steps(-7, 103) == (0, 20, 40, 60, 80, 100)
    assert steps(-33, 12) == (-30, -20, -10, 0, 10)
    assert steps(0, 12_345) == (0, 5_000, 10_000)


def test_steps_are_never_parts_of_a_mention() -> None:
    assert steps(0, 1) == (0, 1)
    assert steps(0, 2.04) == (0, 1, 2)
    assert steps(0, 0.5) == (0,)


def test_a_scale_ends_a_little_behind_the_largest_figure() -> None:
    assert ceiling(100) == 102
    assert ceiling(0) == 1


def test_a_long_text_loses_its_middle() -> None:
    assert cut("abc", 3) == "abc"
    assert cut("organisation_of_the_state", 20) == "organisation…e_state"[:11] + "…he_state"
    assert len(cut("x" * 100, 20)) == 20


def test_units_of_the_drawing() -> None:
    drawing = Drawing((), 0, 50, 10, (), left=100, right=600)
    assert drawing.units(5) == 50
    assert drawing.behind(10) == 10.6, "six units to the right"


def test_every_colour_has_a_name_of_its_own() -> None:
    assert len(COLOURS) == len(set(COLOURS.values())) == 6
    for colour, name in COLOURS.items():
        assert name.startswith("var(--") and name.endswith(f",{colour})")
