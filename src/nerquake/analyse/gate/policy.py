"""A gate's policy: rules with limits, from TOML. Everything wrong with it is told at once."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any, NamedTuple

from nerquake.core.errors import FormatError, Problem
from nerquake.core.results import SCHEME_NAMES
from nerquake.io.files import read_bytes

LIMITS = ("max_drop", "max_relative_drop", "max_flip_rate", "min", "max")
MEASURES = ("f1", "precision", "recall")
FALSE_ALARMS = "false_alarm_rate"
METRICS = (*(f"{scheme}_{measure}" for scheme in SCHEME_NAMES for measure in MEASURES), FALSE_ALARMS)
ON_UNDEFINED = ("undecided", "fail", "ignore")
COMPARE = ("point", "interval")
AGAINST = ("original", "baseline")
EVERY = "*"
ADVICE = "docs/gate.md has the keys of a policy, with examples."


class Limit(NamedTuple):
    """One limit of a rule: `max_drop = 0.10`."""

    kind: str
    value: float


@dataclass(frozen=True, slots=True)
class Rule:
    """What is asked of some models, sets, labels or groups.

    sets, models  names; empty: all attacked sets, all models
    labels        names, `*` for every label of the data; empty: all labels together
    groups        groupings of mentions (`mention-length`, `domain`), or one group of one (`domain=news`); recall is
                  measured
    metric        what `min`, `max`, `max_drop` and `max_relative_drop` are about
    min_support   gold mentions that must be there, else the value counts as undefined
    on_undefined  what becomes of a value that is undefined
    compare       the value itself, or its whole interval; empty: the interval for a `max_drop` on labels or groups
    against       what a drop is measured from: the original text, or the same set in an earlier run
    """

    limits: tuple[Limit, ...]
    name: str = ""
    sets: tuple[str, ...] = ()
    models: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()
    metric: str = "strict_f1"
    min_support: int = 1
    on_undefined: str = "undecided"
    compare: str = ""
    against: str = "original"


@dataclass(frozen=True, slots=True)
class Policy:
    """The rules of a file."""

    name: str
    rules: tuple[Rule, ...]


def read_policy(path: str) -> Policy:
    """The policy in a file.

    Raises:
        InputError: it cannot be read; FormatError with every problem in it.
    """
    try:
        text = read_bytes(path).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        problem = Problem("not-decodable", 0, f"byte {error.start} is no UTF-8 text")
        raise FormatError(path, [problem], ADVICE) from None
    return parse_policy(text, Path(path).name)


def parse_policy(text: str, name: str) -> Policy:
    """The policy in a TOML text.

    name  of the file, for messages and outputs

    Raises:
        FormatError: every problem of the file, rule by rule.
    """
    try:
        found = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise FormatError(name, [Problem("bad-toml", 0, f"this is no TOML: {error}")], ADVICE) from None
    tables = found.get("rule")
    faults = [Problem("bad-policy", 0, _unknown(key, ("rule",), "table")) for key in found if key != "rule"]
    if not isinstance(tables, list) or not tables or not all(isinstance(table, dict) for table in tables):
        faults.append(Problem("bad-policy", 0, "expected at least one [[rule]] table"))
        raise FormatError(name, faults, ADVICE)
    for number, table in enumerate(tables, 1):
        faults += [Problem("bad-policy", 0, f"rule {number}: {fault}") for fault in _faults(table)]
    if faults:
        raise FormatError(name, faults, ADVICE)
    return Policy(name, tuple(_rule(table) for table in tables))


def _rule(table: Mapping[str, Any]) -> Rule:
    limits = tuple(Limit(kind, float(table[kind])) for kind in LIMITS if kind in table)
    values: dict[str, Any] = {
        key: tuple(value) if key in _LISTS else value for key, value in table.items() if key not in LIMITS
    }
    if "groups" in values:
        values["metric"] = "strict_recall"
    return Rule(limits, **values)


_LISTS = ("sets", "models", "labels", "groups")
_CHOICES: Mapping[str, Sequence[str]] = {
    "metric": METRICS,
    "on_undefined": ON_UNDEFINED,
    "compare": COMPARE,
    "against": AGAINST,
}
_KEYS = (*LIMITS, *_LISTS, *_CHOICES, "name", "min_support")


def _faults(table: Mapping[str, Any]) -> Iterator[str]:
    for key, value in table.items():
        if key not in _KEYS:
            yield _unknown(key, _KEYS, "key")
        elif key in LIMITS:
            yield from _limit_faults(key, value)
        else:
            expected = _expected(key, value)
            if expected:
                yield f"{key}: expected {expected}, got {value!r}"
    yield from _joint_faults(table)


def _expected(key: str, value: Any) -> str:
    """What a value should have been; empty where it is right."""
    if key in _LISTS:
        right = isinstance(value, list) and value and all(isinstance(one, str) and one for one in value)
        return "" if right else f'a list of names such as ["{_EXAMPLES[key]}"]'
    if key in _CHOICES:
        return "" if value in _CHOICES[key] else f"one of {', '.join(_CHOICES[key])}"
    if key == "min_support":
        right = isinstance(value, int) and not isinstance(value, bool) and value >= 0
        return "" if right else "a whole number of mentions"
    return "" if isinstance(value, str) and value else "a text"


_EXAMPLES = {"sets": "swap", "models": "spacy:en_core_web_sm", "labels": "PER", "groups": "domain=news"}


def _limit_faults(key: str, value: Any) -> Iterator[str]:
    if not isinstance(value, int | float) or isinstance(value, bool):
        yield f"{key}: expected a fraction such as 0.10, got {value!r}"
    elif not 0 <= value <= 1:
        points = f"; for {value:g} points write {value / 100:g}" if 1 < value <= 100 else ""
        yield f"{key}: limits are fractions from 0 to 1, got {value:g}{points}"


def _joint_faults(table: Mapping[str, Any]) -> Iterator[str]:
    """What does not go together."""
    if not any(limit in table for limit in LIMITS):
        yield f"it has no limit; expected one or more of {', '.join(LIMITS)}"
    if "labels" in table and "groups" in table:
        yield "labels and groups are two ways of parting mentions; a rule has one of them"
    if table.get("metric") == FALSE_ALARMS:
        wrong = [key for key in ("labels", "groups", "max_flip_rate") if key in table]
        if wrong:
            yield f"{FALSE_ALARMS} is about sentences without a mention; it has no {', '.join(wrong)}"
        turned = [key for key in ("max_drop", "max_relative_drop", "min") if key in table]
        if turned:
            yield f"{FALSE_ALARMS} is worse the higher it is; limit it with max, not with {', '.join(turned)}"
    if "groups" in table and table.get("metric", "strict_recall") != "strict_recall":
        yield f"groups of gold mentions have recall alone, not {table['metric']}; leave metric out"
    if table.get("against") == "baseline" and table.get("compare") == "interval":
        yield "a drop against an earlier run has no interval; leave compare out"


def _unknown(key: str, known: Sequence[str], what: str) -> str:
    near = get_close_matches(key, known, 1)
    hint = f"; did you mean {near[0]}?" if near else f"; known: {', '.join(known)}"
    return f"unknown {what} {key!r}{hint}"
