"""Error table, confusion, fine-grained counts and overlap once more, from plain lists and the standard library alone.

A mention is `(start, end, label)`. A record is

    {"id", "tokens": [..], "gold": [mention], "said": {model: [mention]},
     "sets": {set: {"status", "tokens": [..], "gold": [mention], "map": [new index or None], "said": {model: [..]}}}}

and a set may lack a record's key where the sentence was discarded. Slow and simple on purpose.
"""

from collections import Counter
from fractions import Fraction
from itertools import combinations


def shared(a, b):
    return len(set(range(a[0], a[1])) & set(range(b[0], b[1])))


def pairing(gold, said):
    """Every way to pair, the best one by the objective of docs/scoring.md; {gold index: said index}."""
    edges = [(g, s) for g in range(len(gold)) for s in range(len(said)) if shared(gold[g], said[s])]
    ways = [()]
    for edge in edges:
        ways += [(*way, edge) for way in ways if all(edge[0] != g and edge[1] != s for g, s in way)]

    def worth(way):
        both = [(gold[g], said[s]) for g, s in way]
        return (
            sum(a == b for a, b in both),
            sum(a[:2] == b[:2] for a, b in both),
            sum(a[2] == b[2] for a, b in both),
            len(both),
            sum(shared(a, b) for a, b in both),
            [-g for g, _ in sorted(way)],
            [-s for _, s in sorted(way)],
        )

    return dict(max(ways, key=worth))


def kind(gold, said):
    if said is None:
        return "missed"
    if gold[:2] != said[:2]:
        return "boundary"
    return "right" if gold == said else "type"


def sides(records, name):
    """(record, set's record) of every sentence that the set keeps."""
    return [(record, record["sets"][name]) for record in records if name in record["sets"]]


def followed(records, name, model):
    """Every mention in both texts: key, gold, what was said, replaced; before and after."""
    for record, other in sides(records, name):
        before, after = (pairing(one["gold"], one["said"][model]) for one in (record, other))
        for old, new in enumerate(other["map"]):
            if new is not None:
                a, b = record["gold"][old], other["gold"][new]
                was = record["said"][model][before[old]] if old in before else None
                now = other["said"][model][after[new]] if new in after else None
                changed = record["tokens"][a[0] : a[1]] != other["tokens"][b[0] : b[1]]
                yield (record["id"], old), (a, was, record["said"][model]), (b, now, other["said"][model]), changed


def error_places(gold, said):
    """The table's rows of one mention, as {(type, d): weight}."""
    exact = [one for one in said if one[:2] == gold[:2]]
    near = exact or [one for one in said if shared(one, gold)]
    found = Counter()
    for one in near:
        tokens, others = set(range(gold[0], gold[1])), set(range(one[0], one[1]))
        found["right" if one[2] == gold[2] else "wrong", min(3, len(tokens ^ others))] += Fraction(1, len(near))
    return found or Counter({(None, None): Fraction(1)})


def error_table(records, name, model):
    columns = {"before": Counter(), "after": Counter(), "left": Counter(), "replaced": Counter()}
    for _, before, after, changed in followed(records, name, model):
        columns["before"].update(error_places(before[0], before[2]))
        columns["after"].update(error_places(after[0], after[2]))
        columns["replaced" if changed else "left"].update(error_places(after[0], after[2]))
    return columns


def touched(records, name, model):
    """Whole mentions with a part in a row, by column."""
    columns = {"before": Counter(), "after": Counter(), "left": Counter(), "replaced": Counter()}
    for _, before, after, changed in followed(records, name, model):
        columns["before"].update(list(error_places(before[0], before[2])))
        for side in ("after", "replaced" if changed else "left"):
            columns[side].update(list(error_places(after[0], after[2])))
    return columns


def kinds(records, name, model):
    counts = {"before": Counter(), "after": Counter()}
    for _, before, after, _ in followed(records, name, model):
        counts["before"][kind(*before[:2])] += 1
        counts["after"][kind(*after[:2])] += 1
    for both in sides(records, name):
        for side, one in zip(("before", "after"), both, strict=True):
            counts[side]["spurious"] += len(one["said"][model]) - len(pairing(one["gold"], one["said"][model]))
    return counts


def confusion(records, name, model):
    """{(gold label or "spurious", said label or "missed"): n} of both sides."""
    cells = {"original": Counter(), "attacked": Counter()}
    for both in sides(records, name):
        for side, one in zip(cells, both, strict=True):
            found = pairing(one["gold"], one["said"][model])
            for index, gold in enumerate(one["gold"]):
                cells[side][gold[2], one["said"][model][found[index]][2] if index in found else "missed"] += 1
            for index, said in enumerate(one["said"][model]):
                if index not in found.values():
                    cells[side]["spurious", said[2]] += 1
    return cells


def charges(records, name, model):
    """{(label, scheme, COR/INC/PAR/MIS/SPU): n} of both sides, by docs/scoring.md."""
    found = {"original": Counter(), "attacked": Counter()}
    for both in sides(records, name):
        for side, one in zip(found, both, strict=True):
            said = one["said"][model]
            partner = pairing(one["gold"], said)
            for scheme in ("strict", "exact", "partial", "type"):
                for index, gold in enumerate(one["gold"]):
                    answer = said[partner[index]] if index in partner else None
                    found[side][gold[2], scheme, charge(scheme, gold, answer)] += 1
                for index, span in enumerate(said):
                    if index not in partner.values():
                        found[side][span[2], scheme, "spurious"] += 1
    return found


def charge(scheme, gold, said):
    if said is None:
        return "missed"
    span, label = gold[:2] == said[:2], gold[2] == said[2]
    if scheme == "strict":
        return "correct" if span and label else "incorrect"
    if scheme == "exact":
        return "correct" if span else "incorrect"
    if scheme == "partial":
        return "correct" if span else "partial"
    return "correct" if label else "incorrect"


def failing(records, names, model, reading):
    """For each set the mentions that stand in it, and those that fail there."""
    there, fail = {}, {}
    for name in names:
        rows = [(key, kind(*a[:2]), kind(*b[:2])) for key, a, b, _ in followed(records, name, model)]
        taken = [row for row in rows if reading == "wrong" or row[1] == "right"]
        there[name] = {key for key, _, _ in taken}
        fail[name] = {key for key, _, now in taken if now != "right"}
    return there, fail


def overlaps(records, names, model, reading):
    there, fail = failing(records, names, model, reading)
    pairs = {}
    for a, b in combinations(names, 2):
        both = there[a] & there[b]
        left, right = fail[a] & both, fail[b] & both
        pairs[a, b] = (len(both), len(left & right), len(left | right))
    common = set.intersection(*there.values())
    groups = Counter(tuple(name for name in names if key in fail[name]) for key in common)
    return pairs, len(common), groups
