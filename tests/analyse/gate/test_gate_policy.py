"""What a policy may say, and that everything wrong with one is told at once."""

from __future__ import annotations

from pathlib import Path

import pytest

from nerquake.analyse.gate.policy import Limit, Rule, parse_policy, read_policy
from nerquake.core.errors import FormatError, InputError


def test_a_rule_with_everything() -> None:
    text = """
    [[rule]]
    name = "people"
    sets = ["swap+mask"]
    models = ["m"]
    labels = ["PER", "*"]
    metric = "exact_recall"
    max_drop = 0.10
    min = 1
    min_support = 20
    on_undefined = "fail"
    compare = "point"
    against = "baseline"

    [[rule]]
    groups = ["domain=news"]
    max_flip_rate = 0
    """
    first, second = parse_policy(text, "gate.toml").rules
    assert first == Rule(
        (Limit("max_drop", 0.10), Limit("min", 1.0)), "people", ("swap+mask",), ("m",), ("PER", "*"), (),
        "exact_recall", 20, "fail", "point", "baseline",
    )  # fmt: skip
    assert second == Rule((Limit("max_flip_rate", 0.0),), groups=("domain=news",), metric="strict_recall")


@pytest.mark.parametrize(("rule", "words"), [
    ("max_drop = 10", "limits are fractions from 0 to 1, got 10; for 10 points write 0.1"),
    ("min = -0.1", "limits are fractions from 0 to 1"),
    ('min = "0.8"', "min: expected a fraction such as 0.10, got '0.8'"),
    ("min = true", "min: expected a fraction"),
    ("min = nan", "limits are fractions"),
    ("min = inf", "limits are fractions"),
    ("", "it has no limit; expected one or more of max_drop"),
    ("maxdrop = 0.1\nmin = 0.1", "unknown key 'maxdrop'; did you mean max_drop?"),
    ("min = 0.1\nsets = []", "sets: expected a list of names"),
    ('min = 0.1\nsets = "swap"', "sets: expected a list of names"),
    ("min = 0.1\nlabels = [1]", 'labels: expected a list of names such as ["PER"], got [1]'),
    ('min = 0.1\nmetric = "f1"', "metric: expected one of strict_f1"),
    ("min = 0.1\nmetric = [1]", "metric: expected one of"),
    ("min = 0.1\nmin_support = -1", "min_support: expected a whole number of mentions"),
    ("min = 0.1\nmin_support = 1.5", "min_support"),
    ('min = 0.1\non_undefined = "pass"', "on_undefined: expected one of undecided, fail, ignore, got 'pass'"),
    ('min = 0.1\nlabels = ["A"]\ngroups = ["b"]', "a rule has one of them"),
    ('min = 0.1\nlabels = ["A"]\nmetric = "false_alarm_rate"', "it has no labels"),
    ('max_drop = 0.1\nmetric = "false_alarm_rate"', "it is; limit it with max, not with max_drop"),
    ('min = 0.1\nmax = 0.2\nmetric = "false_alarm_rate"', "not with min"),
    ('max_relative_drop = 0.1\nmetric = "false_alarm_rate"\nagainst = "baseline"', "not with max_relative_drop"),
    ('min = 0.1\ngroups = ["b"]\nmetric = "strict_f1"', "have recall alone"),
    ('max_drop = 0.1\nagainst = "baseline"\ncompare = "interval"', "has no interval"),
])  # fmt: skip
def test_what_is_wrong_is_said(rule: str, words: str) -> None:
    with pytest.raises(FormatError) as caught:
        parse_policy(f"[[rule]]\n{rule}\n", "gate.toml")
    assert words in str(caught.value)
    assert "rule 1: " in str(caught.value)
    assert caught.value.exit_code == 2


def test_all_of_it_at_once() -> None:
    with pytest.raises(FormatError) as caught:
        parse_policy('title = "x"\n[[rule]]\nmin = 2\n[[rule]]\nlimit = 3\n', "gate.toml")
    assert len(caught.value.problems) == 4


@pytest.mark.parametrize("text", ["", "rule = 3", "rule = []", "[rule]\nmin = 0.1", "x ="])
def test_a_file_without_rules(text: str) -> None:
    with pytest.raises(FormatError):
        parse_policy(text, "gate.toml")


def test_files(tmp_path: Path) -> None:
    file = tmp_path / "gate.toml"
    with pytest.raises(InputError, match="there is no such file"):
        read_policy(str(file))
    file.write_bytes(b"\xef\xbb\xbf[[rule]]\r\nmin = 0.5\r\n")
    assert read_policy(str(file)).name == "gate.toml"
    file.write_bytes(b"\xff\xfe[")
    with pytest.raises(FormatError, match="no UTF-8"):
        read_policy(str(file))
