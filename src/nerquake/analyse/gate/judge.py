"""Judging: what was measured against what a policy asks, rule by rule."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from nerquake.analyse.gate.last import last_value, metric_then
from nerquake.analyse.gate.measure import Asked, Measures, Value
from nerquake.analyse.gate.policy import EVERY, Limit, Policy, Rule
from nerquake.analyse.groupings import Grouping
from nerquake.analyse.material import Material
from nerquake.core.errors import UsageError

PASSED, FAILED, UNDECIDED, IGNORED = "passed", "failed", "undecided", "ignored"
STATUSES = (FAILED, UNDECIDED, PASSED, IGNORED)
_BELOW = frozenset({"min"})
"""Limits that a value must not be below; the others must not be exceeded."""
_LOSSES = frozenset({"max_drop", "max_relative_drop"})
"""Limits of what was lost since an earlier run, where a rule asks for that; the others are about this run alone."""
_TINY = 1e-9
"""What rounding leaves: 0.9 - 0.8 is no more than 0.1."""


class Check(NamedTuple):
    """One limit for one model, set, and label or group."""

    number: int
    rule: Rule
    limit: Limit
    asked: Asked


def judge(policy: Policy, material: Material, baseline: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """What a policy says of an audit.

    ```
    {"policy", "status": "passed" | "failed" | "undecided", "counts": {status: n},
     "checks": [{"rule": number, "name", "kind": "max_drop", "model", "set", "label", "group", "metric", "against",
                 "compare", "limit", "measured", "low", "high", "support", "last", "status", "why"}]}
    ```
    Fractions, null where undefined. Checks that failed come first, then those undecided. A failure outranks an
    undecided rule. `last` is the same value in the earlier run, null where it does not tell it.

    baseline  `result.json` of an earlier run

    Raises:
        UsageError: the policy names models, sets, labels or groups that the audit does not have, or asks for an
            earlier run where there is none.
    """
    measures = Measures(material)
    _refuse_unknown(policy, measures, baseline)
    checks = [_judged(check, measures, baseline) for check in _checks(policy, measures)]
    checks.sort(key=lambda check: STATUSES.index(check["status"]))
    counts = {status: sum(check["status"] == status for check in checks) for status in STATUSES}
    status = FAILED if counts[FAILED] else UNDECIDED if counts[UNDECIDED] or not counts[PASSED] else PASSED
    return {"policy": policy.name, "status": status, "counts": counts, "checks": checks}


def _checks(policy: Policy, measures: Measures) -> Iterator[Check]:
    material = measures.material
    answered = {(tagger, attacked.name) for tagger, attacked in material.pairs()}
    for number, rule in enumerate(policy.rules, 1):
        for limit in rule.limits:
            for model in rule.models or material.taggers:
                for name in rule.sets or [one.name for one in material.sets]:
                    if (model, name) in answered:
                        for asked in _parts(rule, model, name, measures):
                            yield Check(number, rule, limit, asked)


def _parts(rule: Rule, model: str, name: str, measures: Measures) -> Iterator[Asked]:
    """All mentions, or each label, or each group."""
    if rule.labels:
        every = sorted(measures.material.original.labels) or [EVERY] if EVERY in rule.labels else []
        for label in dict.fromkeys([*every, *(label for label in rule.labels if label != EVERY)]):
            yield Asked(model, name, label)
    elif rule.groups:
        found, known = measures.groupings(name), _groupings(measures)
        for text in rule.groups:
            typed, equals, group = text.partition("=")
            full = _full_name(typed, known)
            if full not in found:  # it is another set's, so nothing passes here
                yield Asked(model, name, "", f"{full}{equals}{group}")
                continue
            for each in (group,) if group else found[full].groups:
                yield Asked(model, name, "", f"{full}={each}")
    else:
        yield Asked(model, name)


def _groupings(measures: Measures) -> Mapping[str, Grouping]:
    """Those that any set has."""
    found: dict[str, Grouping] = {}
    for one in measures.material.sets:
        found |= measures.groupings(one.name)
    return found


def _full_name(typed: str, known: Mapping[str, Any]) -> str:
    """`domain` for `meta:domain`, where one grouping alone is called so."""
    near = [name for name in known if name.partition(":")[2] == typed]
    return near[0] if typed not in known and len(near) == 1 else typed


def _judged(check: Check, measures: Measures, baseline: Mapping[str, Any] | None) -> dict[str, Any]:
    value = _measured(check, measures, baseline)
    compare = _compare(check)
    status, why = _status(check, value, compare)
    asked = check.asked
    against = check.rule.against if check.limit.kind in _LOSSES else "original"
    return {
        "rule": check.number,
        "name": check.rule.name,
        "kind": check.limit.kind,
        "model": asked.model,
        "set": asked.set,
        "label": asked.label,
        "group": asked.group,
        "metric": check.rule.metric,
        "against": against,
        "compare": compare,
        "limit": check.limit.value,
        "measured": value.value,
        "low": value.low,
        "high": value.high,
        "support": value.support,
        "last": last_value(baseline, check.limit.kind, check.rule.metric, against, asked) if baseline else None,
        "status": status,
        "why": why,
    }


def _compare(check: Check) -> str:
    if check.rule.compare:
        return check.rule.compare
    fine = bool(check.asked.label or check.asked.group)
    return "interval" if check.limit.kind == "max_drop" and fine and check.rule.against == "original" else "point"


def _measured(check: Check, measures: Measures, baseline: Mapping[str, Any] | None) -> Value:
    rule, kind, asked = check.rule, check.limit.kind, check.asked
    if asked.group and asked.group.partition("=")[2] not in _groups_of(asked, measures):
        return Value(None, None, None, 0, f"no mention with {asked.group}")
    if kind == "max_flip_rate":
        value = measures.flip_rate(asked)
    elif kind in ("min", "max"):
        value = measures.after(asked, rule.metric)
    elif rule.against == "baseline":
        value = _since(measures.after(asked, rule.metric), rule, asked, baseline or {}, kind == "max_relative_drop")
    else:
        value = measures.drop(asked, rule.metric, kind == "max_relative_drop")
    if value.value is not None and value.support < rule.min_support:
        return value._replace(value=None, why=f"support {value.support}, below min_support {rule.min_support}")
    return value


def _groups_of(asked: Asked, measures: Measures) -> Sequence[str]:
    grouping = measures.groupings(asked.set).get(asked.group.partition("=")[0])
    return grouping.groups if grouping else ()


def _since(now: Value, rule: Rule, asked: Asked, baseline: Mapping[str, Any], relative: bool) -> Value:
    """What was lost since the earlier run; no interval, since its sentences are not here."""
    then = metric_then(baseline, rule.metric, asked)
    if then is None:
        what = f"{asked.label} is not evaluated" if asked.label else "there is no such value"
        return Value(None, None, None, now.support, f"{what} in the earlier run")
    if now.value is None or (relative and not then):
        return Value(None, None, None, now.support, now.why or "it was 0 in the earlier run")
    lost = then - now.value
    return Value(lost / then if relative else lost, None, None, now.support)


def _status(check: Check, value: Value, compare: str) -> tuple[str, str]:
    if value.value is None:
        undefined = {"undecided": UNDECIDED, "fail": FAILED, "ignore": IGNORED}[check.rule.on_undefined]
        return undefined, value.why or "undefined"
    if compare == "point":
        return (PASSED if _holds(check.limit, value.value) else FAILED), ""
    if value.low is None or value.high is None:
        return UNDECIDED, "its interval is unknown: too few sentences"
    ends = {_holds(check.limit, end) for end in (value.low, value.high)}
    if ends == {True}:
        return PASSED, ""
    return (FAILED, "") if ends == {False} else (UNDECIDED, "the limit lies within the interval")


def _holds(limit: Limit, value: float) -> bool:
    return value >= limit.value - _TINY if limit.kind in _BELOW else value <= limit.value + _TINY


def check_names(policy: Policy, models: Sequence[str], sets: Sequence[str], baseline: bool) -> None:
    """See that a policy fits an audit, before anything is run.

    baseline  whether there is an earlier run

    Raises:
        UsageError: it names models or sets that the audit does not have, or asks for an earlier run where there is
            none. (A label without mentions is undecided, not a mistake.)
    """
    faults = []
    for number, rule in enumerate(policy.rules, 1):
        for key, typed, there in (("models", rule.models, models), ("sets", rule.sets, sets)):
            absent = [name for name in typed if name not in there]
            if absent:
                faults.append(f"rule {number}: {key} {', '.join(absent)} not in this audit; there: {', '.join(there)}")
        if rule.against == "baseline" and not baseline:
            faults.append(f'rule {number}: against = "baseline" needs an earlier run: --baseline DIR')
    if not sets:
        faults.append("there is no attack to hold against it: -p SPEC")
    _refuse(policy, faults)


def _refuse(policy: Policy, faults: Sequence[str]) -> None:
    if faults:
        raise UsageError("\n".join(f"{policy.name}: {fault}" for fault in faults))


def _refuse_unknown(policy: Policy, measures: Measures, baseline: Mapping[str, Any] | None) -> None:
    material = measures.material
    check_names(policy, material.taggers, [one.name for one in material.sets], baseline is not None)
    _refuse(
        policy, [fault for number, rule in enumerate(policy.rules, 1) for fault in _groupless(number, rule, measures)]
    )


def _groupless(number: int, rule: Rule, measures: Measures) -> Iterator[str]:
    """Groupings that no set has."""
    found = _groupings(measures) if rule.groups else {}
    for text in rule.groups:
        typed = text.partition("=")[0]
        if _full_name(typed, found) not in found:
            yield f"rule {number}: no grouping {typed!r}; there: {', '.join(found)}"
