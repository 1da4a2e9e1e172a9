"""False alarms in sentences without a mention, counted anew; nothing but the standard library."""

from collections import Counter
from fractions import Fraction


def false_alarms(stages, names):
    free = [record for record in stages.records if not record["gold"]]
    made = []
    for model in stages.models:
        made.append(alone(model, [record["said"][model] for record in free]))
        for name in names:
            there = [(one, one["sets"][name]) for one in free if name in one["sets"] and not one["sets"][name]["gold"]]
            made.append(both(model, name, [(one["said"][model], after["said"][model]) for one, after in there]))
    return made


def alone(model, said):
    alarms = sum(map(bool, said))
    counts = {"original": alarms, "attacked": None, "new": None, "gone": None}
    return record(model, "original", len(said), counts, {"value": rate(alarms, len(said))}, None, None, said, [])


def both(model, name, said):
    before, after = ([bool(pair[side]) for pair in said] for side in (0, 1))
    new = sum(now and not was for was, now in zip(before, after, strict=True))
    gone = sum(was and not now for was, now in zip(before, after, strict=True))
    counts = {"original": sum(before), "attacked": sum(after), "new": new, "gone": gone}
    rates = [rate(sum(before), len(said)), rate(sum(after), len(said))]
    change = None if None in rates else rates[1] - rates[0]
    sides = [[pair[side] for pair in said] for side in (0, 1)]
    return record(model, name, len(said), counts, *({"value": one} for one in (*rates, change)), *sides)


def record(model, name, size, counts, before, after, change, said, said_after):
    was, now = (Counter(label for spans in side for _, _, label in spans) for side in (said, said_after))
    order = sorted({*was, *now}, key=lambda label: (-now[label], -was[label], label))
    labels = [{"label": label, "original": was[label], "attacked": now[label]} for label in order]
    return {
        "tagger": model, "set": name, "sentences": size, "counts": counts, "original": before, "attacked": after,
        "change": change, "labels": labels,
    }  # fmt: skip


def rate(part, whole):
    return Fraction(part, whole) if whole else None
