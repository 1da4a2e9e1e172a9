"""Findings of an audit once more, from its stage files and the standard library alone, without intervals and p.

Every function returns what `findings` of result.json hold under its name, in the same shape and order, but for the keys
that tests/test_report_figures.py takes out: what resampling makes. Rates are fractions, so that nothing rounds.
"""

from collections import Counter
from fractions import Fraction
from itertools import combinations

from tests.analyse import plain_drops, plain_figures
from tests.analyse.plain_drops import less, share
from tests.analyse.plain_figures import followed, kind, sides

SCHEMES = ("strict", "exact", "partial", "type")
CHARGES = ("correct", "incorrect", "partial", "missed", "spurious")
WRONG = ("type", "boundary", "missed")


def pairs(stages, names):
    return [(model, name) for model in stages.models for name in names]


def fine_grained(stages, names):
    return [row for model, name in pairs(stages, names) for row in fine_rows(stages, model, name)]


def fine_rows(stages, model, name):
    charged = plain_figures.charges(stages.records, name, model)
    predicted = {"original": Counter(), "attacked": Counter()}
    for both in sides(stages.records, name):
        for side, text in zip(predicted, both, strict=True):
            predicted[side].update(span[2] for span in text["said"][model])
    labels = sorted(
        {label for side in charged.values() for label, _, _ in side} | {*predicted["original"], *predicted["attacked"]}
    )
    for label in (None, *labels):
        chosen = labels if label is None else [label]
        blocks = {side: block(charged[side], predicted[side], chosen) for side in charged}
        evaluated = all(one["gold"] > 0 for one in blocks.values())
        yield {"tagger": model, "set": name, "label": label, "evaluated": evaluated, **blocks}


def block(charged, predicted, labels):
    said = sum(predicted[label] for label in labels)
    made = {"gold": 0, "predicted": said}
    for scheme in SCHEMES:
        counts = {name: sum(charged[label, scheme, name] for label in labels) for name in CHARGES}
        credit = counts["correct"] + Fraction(counts["partial"], 2)
        possible = sum(counts[name] for name in CHARGES if name != "spurious")
        actual = said if scheme == "strict" else sum(counts[name] for name in CHARGES if name != "missed")
        made["gold"] = possible
        made[scheme] = {
            **counts, "possible": possible, "actual": actual, "precision": share(credit, actual),
            "recall": share(credit, possible), "f1": share(2 * credit, possible + actual),
        }  # fmt: skip
    return made


def labels(stages, names):
    found = []
    for name in names:
        for model in stages.models:
            for row in fine_rows(stages, model, name):
                if row["label"] is not None:
                    was, now = (
                        {s: row[side][s]["f1"] for s in ("strict", "exact")} for side in ("original", "attacked")
                    )
                    found.append({
                        "tagger": model, "set": name, "label": row["label"], "support": row["original"]["gold"],
                        "original": was, "attacked": now, "drop": less(was["strict"], now["strict"]),
                    })  # fmt: skip
    return found


def turned(stages, name, model):
    """(key, label, right before, right after, replaced) of every mention in both texts."""
    for key, before, after, changed in followed(stages.records, name, model):
        yield key, before[0][2], before[0] == before[1], after[0] == after[1], changed


def flips(stages, names):
    return [flips_of(stages, name, model)[0] for name in names for model in stages.models]


def flips_of(stages, name, model):
    counts, cases = {}, {}
    for (parent, _), label, was, now, _ in turned(stages, name, model):
        one = counts.setdefault(label, Counter())
        one.update(mentions=1, right=was, fell=was and not now, rose=now and not was)
        if was != now and stages.by_id[parent]["sets"][name]["status"] == "changed":
            cases[parent] = cases.get(parent, False) or was
    order = sorted(counts, key=lambda label: (-counts[label]["fell"], label))
    total = sum(counts.values(), Counter())
    keys = ("mentions", "right", "fell", "rose")
    record = {
        "tagger": model, "set": name, **{key: total[key] for key in keys},
        "sentences_fell": sum(cases.values()), "cases": len(cases),
        "by_label": {label: {key: counts[label][key] for key in keys} for label in order},
    }  # fmt: skip
    return record, cases


def sentences(stages, names):
    cases, fell, by_label = {name: set() for name in names}, {name: set() for name in names}, Counter()
    for name, model in ((name, model) for name in names for model in stages.models):
        record, found = flips_of(stages, name, model)
        cases[name] |= set(found)
        fell[name] |= {parent for parent, has in found.items() if has}
        by_label.update({label: one["fell"] for label, one in record["by_label"].items() if one["fell"]})
    most = sorted(by_label.items(), key=lambda item: (-item[1], item[0]))
    return {
        "cases": sum(map(len, cases.values())),
        "fell": {name: len(found) for name, found in fell.items()},
        "most_fallen": [{"label": label, "fell": number} for label, number in most],
    }


def changed_labels(stages, name):
    found = Counter()
    for record, other in sides(stages.records, name):
        for old, new in enumerate(other["map"] if other["status"] == "changed" else ()):
            if new is not None and text(record, record["gold"][old]) != text(other, other["gold"][new]):
                found[record["gold"][old][2]] += 1
    return dict(sorted(found.items(), key=lambda item: (-item[1], item[0])))


def text(sentence, span):
    return tuple(sentence["tokens"][span[0] : span[1]])


def drops(stages, names):
    found = []
    for model, name in pairs(stages, names):
        values = plain_drops.drops(stages.records, name, model)
        made = {
            key: {
                "original": was,
                "attacked": now,
                "drop": drop,
                "relative_drop": drop / was if was and drop is not None else None,
            }
            for key, (was, now, drop) in values.items()
        }
        made["type"]["relative_drop"] = None
        strict, by_type = made["f1"]["drop"], made["type"]["drop"]
        shares = None not in (strict, by_type) and strict > 0 and 0 <= by_type <= strict
        found.append({
            "tagger": model, "set": name, "level": stages.level(name), "pairs": len(sides(stages.records, name)),
            **made, "type_share": by_type / strict if shares else None,
        })  # fmt: skip
    return found


def drop_levels(stages, names):
    levels = {name: stages.level(name) for name in names if stages.level(name) != "none"}
    most = max(len(sides(stages.records, name)) for name in levels)
    found = []
    for scope, wanted in (("all", ("changed", "unchanged", "not-applicable")), ("changed", ("changed",))):
        kept = plain_drops.shared(stages.records, levels, wanted)
        by_model = {m: plain_drops.level_drops(stages.records, levels, m, wanted) for m in stages.models}
        before = mean([plain_drops.f1(kept, model) for model in stages.models])
        means = {level: mean([by_model[m][level] for m in stages.models]) for level in dict.fromkeys(levels.values())}
        rows = [
            {
                "level": level, "sets": [name for name in levels if levels[name] == level], "original": before,
                "attacked": less(before, means[level]), "drop": means[level],
                "relative_drop": means[level] / before if before and means[level] is not None else None,
                "by_tagger": {model: by_model[model][level] for model in stages.models},
            }
            for level in sorted(means, key=lambda level: -means[level])
        ]  # fmt: skip
        found.append({
            "scope": scope, "pairs": len(kept), "left_out": most - len(kept), "taggers": list(stages.models),
            "levels": rows, "differences": [difference(by_model, means, *two) for two in combinations(means, 2)],
        })  # fmt: skip
    return found


def difference(by_model, means, a, b):
    more, lesser = (a, b) if means[a] >= means[b] else (b, a)
    firmer = sum(drops[more] > drops[lesser] for drops in by_model.values())
    return {"more": more, "less": lesser, "difference": means[more] - means[lesser], "taggers": firmer}


def mean(values):
    return None if None in values or not values else sum(values) / len(values)


ROWS = [(kind, d) for kind in ("right", "wrong") for d in range(4)] + [(None, None)]


def kind_of(row):
    return "missed" if row[0] is None else "boundary" if row[1] else "right" if row[0] == "right" else "type"


def errors(stages, names):
    found = []
    for model, name in pairs(stages, names):
        columns = plain_figures.error_table(stages.records, name, model)
        sizes = {side: int(sum(columns[side].values())) for side in ("before", "after", "left", "replaced")}
        touched = plain_figures.touched(stages.records, name, model)
        rows = [
            {
                "type": row[0], "d": row[1], "kind": kind_of(row),
                "counts": {side: columns[side][row] for side in sizes},
                "touched": {side: touched[side][row] for side in sizes},
                "shares": {side: share(columns[side][row], sizes[side]) for side in sizes},
            }
            for row in ROWS
        ]  # fmt: skip
        most = {f"{a}_{b}": grown(rows, sizes, a, b) for a, b in (("before", "after"), ("left", "replaced"))}
        kinds = plain_figures.kinds(stages.records, name, model)
        found.append({
            "tagger": model, "set": name, "mentions": sizes, "rows": rows, "most": most,
            "kinds": [
                {"kind": one, "before": kinds["before"][one], "after": kinds["after"][one],
                 "added": share(kinds["after"][one] - kinds["before"][one], sizes["before"])}
                for one in ("right", *WRONG, "spurious")
            ],
            "boundaries": boundaries(stages, name, model),
        })  # fmt: skip
    return found


def grown(rows, sizes, first, second):
    if not sizes[first] or not sizes[second]:
        return None
    more = {
        kind: sum(row["shares"][second] - row["shares"][first] for row in rows if row["kind"] == kind) for kind in WRONG
    }
    most = max(WRONG, key=lambda kind: more[kind])
    return {"kind": most, "added": more[most], "of": sum(more.values())} if more[most] > 0 else None


def boundaries(stages, name, model):
    found = {side: Counter() for side in ("before", "after")}
    for _, *both, _ in followed(stages.records, name, model):
        for side, (gold, said, _) in zip(found, both, strict=True):
            if kind(gold, said) == "boundary":
                inside = gold[0] <= said[0] and said[1] <= gold[1]
                around = said[0] <= gold[0] and gold[1] <= said[1]
                found[side]["shorter" if inside else "longer" if around else "shifted"] += 1
    return [
        {"what": what, "before": found["before"][what], "after": found["after"][what]}
        for what in ("shorter", "longer", "shifted")
    ]


def confusion(stages, names):
    return [confusion_of(stages, name, model) for model, name in pairs(stages, names)]


def confusion_of(stages, name, model):
    cells = plain_figures.confusion(stages.records, name, model)
    known = sorted({label for side in cells.values() for pair in side for label in pair} - {"missed", "spurious"})
    rows, columns = [*known, "spurious"], [*known, "missed"]
    made = {"tagger": model, "set": name, "labels": known}
    for side in ("original", "attacked"):
        counts = [[None if (r, c) == ("spurious", "missed") else cells[side][r, c] for c in columns] for r in rows]
        whole = [sum(number or 0 for number in row) for row in counts]
        shares = [[None if n is None else share(n, all_) for n in row] for row, all_ in zip(counts, whole, strict=True)]
        made[side] = {"counts": counts, "shares": shares}
    made["difference"] = {
        key: [[less(now, was) for was, now in zip(*both, strict=True)]
              for both in zip(made["original"][key], made["attacked"][key], strict=True)]
        for key in ("counts", "shares")
    }  # fmt: skip
    return {**made, "moved": moved(made)}


def moved(made):
    sizes = [[sum(n or 0 for n in row) for row in made[side]["counts"]][:-1] for side in ("original", "attacked")]
    enough = [row for row, both in enumerate(zip(*sizes, strict=True)) if min(both) >= 20]
    rows = enough or [row for row, both in enumerate(zip(*sizes, strict=True)) if min(both)]
    change = made["difference"]["shares"]
    cells = [(r, c) for r in rows for c in range(len(made["labels"])) if r != c and change[r][c]]
    if not cells:
        return None
    row, column = min(cells, key=lambda at: (-abs(change[at[0]][at[1]]), -change[at[0]][at[1]], at))
    return {
        "gold": made["labels"][row], "predicted": made["labels"][column],
        "original": made["original"]["shares"][row][column], "attacked": made["attacked"]["shares"][row][column],
        "change": change[row][column], "support": sizes[0][row], "few": not enough,
    }  # fmt: skip


def overlap(stages, names):
    found = []
    for model in stages.models:
        record = {"tagger": model, "sets": list(names)}
        for reading in ("wrong", "fell"):
            record[reading] = reading_of(stages, names, model, reading)
        found.append(record)
    return found


def reading_of(stages, names, model, reading):
    there, fail = plain_figures.failing(stages.records, names, model, reading)
    alike = []
    for a, b in combinations(names, 2):
        both = there[a] & there[b]
        left, right = fail[a] & both, fail[b] & both
        alike.append({
            "a": a, "b": b, "mentions": len(both), "only_a": len(left - right), "only_b": len(right - left),
            "both": len(left & right), "jaccard": share(len(left & right), len(left | right)),
        })  # fmt: skip
    _, mentions, groups = plain_figures.overlaps(stages.records, names, model, reading)
    never = groups.pop((), 0)
    order = sorted(groups, key=lambda one: (-groups[one], len(one), [names.index(name) for name in one]))
    return {
        "pairs": alike, "mentions": mentions,
        "combinations": [{"sets": list(one), "mentions": groups[one]} for one in order[:12]],
        "others": {"combinations": len(order[12:]), "mentions": sum(groups[one] for one in order[12:])},
        "never": never, "never_share": share(never, mentions),
    }  # fmt: skip


def flip_table(stages, names):
    found = []
    for model, name in pairs(stages, names):
        labels = sorted({label for _, label, *_ in turned(stages, name, model)})
        by_label = {label: flips_block(stages, name, model, label=label) for label in labels}
        found.append({
            "tagger": model, "set": name, "all": flips_block(stages, name, model),
            "replaced": flips_block(stages, name, model, replaced=True),
            "left_alone": flips_block(stages, name, model, replaced=False),
            "by_label": dict(sorted(by_label.items(), key=lambda item: (-item[1]["fell"], item[0]))),
        })  # fmt: skip
    return found


def flips_block(stages, name, model, **chosen):
    one = plain_drops.flips(stages.records, name, model, **chosen)
    fell, rose = one["fell_to"].total(), one["rose_from"].total()
    return {
        "mentions": one["right"] + one["wrong"], "right": one["right"], "fell": fell,
        "fell_share": share(fell, one["right"]), "fell_to": {kind: one["fell_to"][kind] for kind in WRONG},
        "wrong": one["wrong"], "rose": rose, "rose_share": share(rose, one["wrong"]),
        "rose_from": {kind: one["rose_from"][kind] for kind in WRONG},
    }  # fmt: skip
