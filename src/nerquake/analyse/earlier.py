"""Whether an earlier run was about the same data, under the same attacks: only then can the two be compared."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from nerquake.core.errors import UsageError
from nerquake.core.results import AuditResult
from nerquake.core.variant import NOT_SAMPLED, ORIGINAL

_SAID = ("scheme", "repair", "entity-free")
"""Parts of a signature that change scores and not the data."""


class Setting(NamedTuple):
    """What a run was about.

    inputs  fingerprint of each input file by name
    labels  `--labels`, `--map` and `--unmapped`
    sample  how many sentences were taken, None for all
    sets    specification of each attacked set, by name
    models  names of the models
    """

    inputs: Mapping[str, str]
    labels: Mapping[str, Any]
    seed: int
    sample: int | None
    sets: Mapping[str, str]
    models: Sequence[str]
    signature: str = ""


def setting_of(data: Mapping[str, Any]) -> Setting:
    """What the run of a `result.json` was about."""
    header = data["header"]
    labels = (data.get("findings", {}).get("method") or {}).get("labels") or {}
    original = next((entry for entry in data["sets"] if entry["name"] == ORIGINAL), None)
    left = original["reasons"].get(NOT_SAMPLED, 0) if original else 0
    return Setting(
        {entry["name"]: entry["sha256"] for entry in header["inputs"]},
        labels_of(labels.get("only") or (), labels.get("map") or {}, labels.get("unmapped") or "stop"),
        header["seed"],
        sum(original["status"].values()) - left if original and left else None,
        {entry["name"]: entry["spec"] for entry in data["sets"] if entry["name"] != ORIGINAL},
        [entry["name"] for entry in data["taggers"]],
        header.get("signature") or "",
    )


def labels_of(only: Sequence[str], renames: Mapping[str, str], unmapped: str) -> dict[str, Any]:
    """What decides which labels are scored, in one order."""
    return {"--labels": sorted(only), "--map": dict(sorted(renames.items())), "--unmapped": unmapped}


def refuse_other(earlier: AuditResult, now: Setting, folder: str) -> None:
    """See that an earlier run can be compared with one that is about to start.

    folder  where the earlier run stands, for the message

    Raises:
        UsageError: the data, the labels, the seed, the sample or an attack differ, the two have no model or no set in
            common, or the earlier run holds no sentences or not all of them, is redacted or is several audits joined.
            Everything that differs is named with both values and with what to do.
    """
    header = earlier.data["header"]
    if "audits" in header:
        raise UsageError(f"{folder} holds several audits joined; name the folder of one of them with --baseline")
    if header.get("redacted"):
        raise UsageError(
            f"{folder} is redacted, and its sentences cannot be told to be the same ones; name the folder of that run"
            " without --redact"
        )
    then = setting_of(earlier.data)
    faults = [*_faults(then, now)]
    held = len(earlier.cases)
    wanted = sum(sum(entry["status"].values()) for entry in earlier.data["sets"] if entry["name"] != ORIGINAL)
    if not held and then.sets:
        faults.append("it holds no cases.jsonl, or an empty one; run that audit again")
    elif held != wanted:
        faults.append(f"its cases.jsonl holds {held:,} of {wanted:,} sentences; run that audit again")
    if faults:
        raise UsageError("\n".join(f"{folder} cannot be compared with this run: {fault}" for fault in faults))


def _faults(then: Setting, now: Setting) -> Iterator[str]:
    if sorted(then.inputs.values()) != sorted(now.inputs.values()):
        yield (
            f"the data differ: it audited {_files(then.inputs)}, this run audits {_files(now.inputs)}; audit the same"
            " file, or leave --baseline out"
        )
    for option, value in now.labels.items():
        if then.labels[option] != value:
            yield _option(option, _said(then.labels[option]), _said(value))
    if then.seed != now.seed:
        yield _option("--seed", str(then.seed), str(now.seed))
    if then.sample != now.sample:
        yield _option("--sample", _sampled(then.sample), _sampled(now.sample))
    for name in then.sets.keys() & now.sets.keys():
        if then.sets[name] != now.sets[name]:
            yield (
                f"the attack {name} differs: it was {then.sets[name]!r}, here it is {now.sets[name]!r}; use the same"
                " specification, or another name=."
            )
    yield from _strangers("model", then.models, now.models, "give a model the name that it had, with name= in -t")
    yield from _strangers("attacked set", list(then.sets), list(now.sets), "run one of its attacks, with -p")


def _option(option: str, then: str, now: str) -> str:
    return f"{option} differs: it ran with {then}, this run with {now}; use the same, or leave --baseline out"


def _strangers(what: str, then: Sequence[str], now: Sequence[str], advice: str) -> Iterator[str]:
    if not set(then) & set(now):
        yield f"no {what} stands in both: it has {_names(then)}, this run {_names(now)}; {advice}"


def _names(names: Sequence[str]) -> str:
    return ", ".join(names) or "none"


def _files(inputs: Mapping[str, str]) -> str:
    return ", ".join(f"{name} ({fingerprint[:12]})" for name, fingerprint in inputs.items())


def _sampled(sample: int | None) -> str:
    return "all sentences" if sample is None else f"{sample:,} sentences"


def _said(value: Any) -> str:
    if isinstance(value, Mapping):
        return ",".join(f"{key}={item}" for key, item in value.items()) or "none"
    return value if isinstance(value, str) else ",".join(value) or "none"


def differing(then: str, now: str) -> list[str]:
    """How two signatures differ in what changes scores and not the data, for the reader to know."""
    before, after = (dict(part.partition(":")[::2] for part in text.split("|")) for text in (then, now))
    return [
        f"{key} differs: the earlier run was scored with {before[key]}, this one with {after[key]}"
        for key in _SAID
        if key in before and key in after and before[key] != after[key]
    ]
