"""A gate's checks in words: what was asked, the limit, what was measured."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from nerquake.report.numbers import UNDEFINED, bounds, decimal, percent, plural
from nerquake.report.visible import visible

Check = Mapping[str, Any]
MARKS = {"passed": "✓", "failed": "✗", "undecided": "?", "ignored": "–"}
_POINTS = frozenset({"max_drop", "min", "max"})
"""Limits of scores and losses, shown in points; rates of mentions are shown as fractions, as in the policy."""
FALSE_ALARMS = "false_alarm_rate"


def in_points(check: Check) -> bool:
    """Whether its figures are scores or losses of a score."""
    return check["kind"] in _POINTS and check["metric"] != FALSE_ALARMS


def figure(check: Check, value: float | None) -> str:
    """One figure of a check, as its kind is written."""
    if value is None:
        return UNDEFINED
    if in_points(check):
        return percent(value)
    return f"{100 * value:.0f} %".replace("-", "−") if check["kind"] == "max_relative_drop" else decimal(value, 2)


def interval(check: Check) -> str:
    """Its interval: `26.8 to 28.1`; empty where there is none."""
    if check["low"] is None or check["high"] is None:
        return ""
    if in_points(check):
        return bounds(check["low"], check["high"])
    return f"{figure(check, check['low'])} to {figure(check, check['high'])}"


def rule_parts(check: Check, models: int) -> list[str]:
    """What a check is called: its limit, then the user's names; the metric where it is not strict F1."""
    kind = check["kind"] if check["metric"] in ("strict_f1", "strict_recall") else f"{check['kind']} {check['metric']}"
    since = " since last run" if check["against"] == "baseline" else ""
    names = [check["set"], check["label"], check["group"], check["model"] if models > 1 else ""]
    return [kind + since, *filter(None, names)]


def measured(check: Check) -> str:
    """What was measured, or why nothing was."""
    if check["measured"] is None:
        return f"{UNDEFINED}: {check['why']}"
    return figure(check, check["measured"]) + (f": {check['why']}" if check["why"] else "")


def sign(check: Check) -> str:
    """How a limit is read."""
    return "≥" if check["kind"] == "min" else "≤"


def unit(checks: Sequence[Check]) -> str:
    """What is counted: rules, or their checks where a rule has several, for models, sets, labels, groups or limits."""
    return "rule" if len({check["rule"] for check in checks}) == len(checks) else "check"


def headline(gate: Mapping[str, Any]) -> str:
    """`✗ NER robustness gate failed: 2 of 6 rules, 1 undecided`."""
    return f"{MARKS[gate['status']]} NER robustness gate {gate['status']}: {tally(gate)}"


def tally(gate: Mapping[str, Any]) -> str:
    """`2 of 6 rules, 1 undecided`: how many made the gate what it is, and how many others did not pass."""
    counts, status = gate["counts"], gate["status"]
    total = sum(counts.values())
    if status == "passed":
        what = plural(counts["passed"], unit(gate["checks"]))
    elif total == 0:
        what = "no rule fits this audit"
    else:
        what = f"{counts[status]} of {plural(total, unit(gate['checks']))}"
    more = f", {counts['undecided']} undecided" if status == "failed" and counts["undecided"] else ""
    left = f", {counts['ignored']} ignored" if counts["ignored"] else ""
    return f"{what}{more}{left}"


def models_of(checks: Sequence[Check]) -> int:
    """How many models the checks are about."""
    return len({check["model"] for check in checks})


def reason(check: Check, models: int) -> str:
    """A check that did not pass: `max_drop[swap+mask] ≤ 10.0 was 27.5`."""
    kind, *names = rule_parts(check, models)
    limit = f"{kind}[{', '.join(names)}] {sign(check)} {figure(check, check['limit'])}"
    if check["measured"] is None:
        return f"{limit} is undefined: {check['why']}"
    why = f", {check['why']}" if check["why"] else ""
    return f"{limit} was {figure(check, check['measured'])}{why}"


def first_reasons(gate: Mapping[str, Any], most: int = 3) -> str:
    """The first checks that did not pass, and how many more there are; empty where all passed."""
    checks = gate["checks"]
    wanted = [check for check in checks if check["status"] in ("failed", "undecided")]
    models = models_of(checks)
    said = [reason(check, models) for check in wanted[:most]]
    return "; ".join([*said, *([f"and {len(wanted) - most} more"] if len(wanted) > most else [])])


def head_lines(gate: Mapping[str, Any], verdict: str) -> tuple[str, ...]:
    """The lines for a terminal: the headline, the verdict's first sentence, the first checks that did not pass.

    What the user's names hold that a terminal would act on is shown as its number.
    """
    return tuple(visible(line) for line in (headline(gate), verdict, first_reasons(gate)) if line)
