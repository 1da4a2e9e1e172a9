import pytest
from hypothesis import given
from hypothesis import strategies as st

from nerquake.report import numbers


@pytest.mark.parametrize(
    ("value", "written"),
    [(0.585, "58.5"), (1.0, "100.0"), (0.0, "0.0"), (-0.0004, "0.0"), (-0.004, "−0.4"), (None, "n/e")],
)
def test_rates_are_percent_with_one_decimal(value: float | None, written: str) -> None:
    assert numbers.percent(value) == written


@pytest.mark.parametrize(("drop", "written"), [(0.339, "−33.9"), (-0.012, "+1.2"), (0.0, "0.0"), (0.0001, "0.0")])
def test_a_loss_is_a_change_with_a_true_minus(drop: float, written: str) -> None:
    assert numbers.change(drop) == written


@pytest.mark.parametrize(("drop", "written"), [(0.37, "↓37 %"), (-0.05, "↑5 %"), (0.001, "0 %"), (None, "n/e")])
def test_relative_losses_have_an_arrow(drop: float | None, written: str) -> None:
    assert numbers.relative(drop) == written


@pytest.mark.parametrize(
    ("p", "written"),
    [
        (0.0009, "p < 0.001"), (0.001, "p = 0.001"), (0.03, "p = 0.03"), (0.0499, "p < 0.05"), (0.05, "p = 0.05"),
        (0.0098, "p = 0.01"), (1.0, "p = 1.00"), (None, "p = n/e"),
    ],
)  # fmt: skip
def test_p_values(p: float | None, written: str) -> None:
    assert numbers.p_value(p) == written


@given(st.floats(0, 0.05, exclude_max=True))
def test_rounding_never_lifts_a_p_to_the_limit(p: float) -> None:
    assert numbers.p_number(p).startswith("<") or float(numbers.p_number(p)) < 0.05


@given(st.floats(-1, 1))
def test_a_change_reads_back_as_the_loss_it_was(drop: float) -> None:
    assert abs(float(numbers.change(drop).replace("−", "-")) + 100 * drop) <= 0.05 + 1e-9


def test_intervals_and_counts() -> None:
    assert numbers.interval(0.31, 0.368) == "[31.0, 36.8]"
    assert numbers.interval(-0.004, 0.009) == "[−0.4, 0.9]"
    assert numbers.interval(None, 0.1) == "n/e"
    assert numbers.count(3684) == "3,684"
    assert (numbers.plural(1, "sentence"), numbers.plural(2000, "sentence")) == ("1 sentence", "2,000 sentences")
    assert numbers.level(0.95) == "95 %"
