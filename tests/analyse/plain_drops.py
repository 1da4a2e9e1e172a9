"""Drops, draws, flips and ranks once more, from the plain records of plain_figures.py and the standard library alone.

Every figure is a fraction, so that nothing rounds. Slow and simple on purpose.
"""

from collections import Counter
from fractions import Fraction
from itertools import combinations, permutations

from tests.analyse.plain_figures import followed, kind, pairing, sides


def share(part, whole):
    return Fraction(part, whole) if whole else None


def less(a, b):
    return None if a is None or b is None else a - b


def sums(texts, model):
    """Right mentions, right spans under another label, gold and predicted mentions of these texts."""
    found = Counter()
    for text in texts:
        gold, said = text["gold"], text["said"][model]
        pairs = pairing(gold, said)
        kinds = Counter(kind(gold[g], said[s]) for g, s in pairs.items())
        found.update(right=kinds["right"], type=kinds["type"], gold=len(gold), predicted=len(said))
    return found


def f1(texts, model):
    found = sums(texts, model)
    return share(2 * found["right"], found["gold"] + found["predicted"])


def rates(texts, model):
    found = sums(texts, model)
    both = found["gold"] + found["predicted"]
    return {
        "precision": share(found["right"], found["predicted"]),
        "recall": share(found["right"], found["gold"]),
        "f1": share(2 * found["right"], both),
        "exact": share(2 * (found["right"] + found["type"]), both),
        "type": share(2 * found["type"], both),
    }


def drops(records, name, model):
    """{measure: (original, attacked, drop)}; the mentions of another label cost more where they grow."""
    both = sides(records, name)
    before, after = rates([one for one, _ in both], model), rates([other for _, other in both], model)
    found = {key: (before[key], after[key], less(before[key], after[key])) for key in before}
    found["type"] = (before["type"], after["type"], less(after["type"], before["type"]))
    return found


def shared(records, names, wanted=("changed", "unchanged")):
    """Sentences that every set has in one of these states."""
    return [one for one in records if all(one["sets"].get(name, {"status": ""})["status"] in wanted for name in names)]


def level_drops(records, levels, model, wanted=("changed", "unchanged")):
    """{level: mean loss over its sets}; levels is {set: level}."""
    kept = shared(records, levels, wanted)
    before = f1(kept, model)
    found = {}
    for level in set(levels.values()):
        names = [name for name in levels if levels[name] == level]
        losses = [less(before, f1([one["sets"][name] for one in kept], model)) for name in names]
        found[level] = None if None in losses else sum(losses) / len(losses)
    return found


def lives(records, names, model):
    """(label, right before, draws where right, replaced in every draw) of the mentions that every draw compares."""
    seen = {}
    for name in names:
        for key, before, after, changed in followed(records, name, model):
            now = after[0] == after[1]
            seen.setdefault(key, []).append((before[0][2], before[0] == before[1], now, changed))
    whole = [found for found in seen.values() if len(found) == len(names)]
    lived = [(m[0][0], m[0][1], sum(one[2] for one in m), all(one[3] for one in m)) for m in whole]
    return lived, len(seen) - len(whole)


def flips(records, name, model, label=None, replaced=None):
    found = {"right": 0, "wrong": 0, "fell_to": Counter(), "rose_from": Counter()}
    for _, before, after, changed in followed(records, name, model):
        if label not in (None, before[0][2]) or replaced not in (None, changed):
            continue
        was, now = kind(*before[:2]), kind(*after[:2])
        found["right" if was == "right" else "wrong"] += 1
        if was == "right" != now:
            found["fell_to"][now] += 1
        if was != "right" == now:
            found["rose_from"][was] += 1
    return found


def ranks(values):
    """From 1 for the smallest, equal values share the mean."""
    return [Fraction(2 * sum(b < a for b in values) + sum(b == a for b in values) + 1, 2) for a in values]


def sign(number):
    return (number > 0) - (number < 0)


def spearman(x, y):
    a, b = ranks(x), ranks(y)
    middle = Fraction(len(x) + 1, 2)
    spread = sum((i - middle) ** 2 for i in a) * sum((j - middle) ** 2 for j in b)
    return sum((i - middle) * (j - middle) for i, j in zip(a, b, strict=True)) / float(spread) ** 0.5


def kendall(x, y):
    pairs = [(sign(x[i] - x[j]), sign(y[i] - y[j])) for i, j in combinations(range(len(x)), 2)]
    spread = sum(a != 0 for a, _ in pairs) * sum(b != 0 for _, b in pairs)
    return sum(a * b for a, b in pairs) / spread**0.5


def permutation_p(measure, x, y):
    """The share of all orders whose correlation is at least as far from 0."""
    observed = abs(measure(x, y))
    drawn = [abs(measure(x, order)) for order in permutations(y)]
    return sum(value >= observed - 1e-9 for value in drawn) / len(drawn)
