"""Groups, memory, draws, curves, ranks and cases once more, as tests/analyse/plain_report.py does the rest."""

from collections import Counter
from fractions import Fraction

from tests.analyse import plain_drops
from tests.analyse.plain_drops import less, share
from tests.analyse.plain_figures import followed, kind, pairing, sides
from tests.analyse.plain_report import changed_labels, mean, text, turned

MENTION_LENGTHS = ("1 token", "2 tokens", "3 tokens", "4 or more tokens")
POSITIONS = ("in the first third", "in the middle third", "in the last third")
MINIMUM, SHOWN = 20, 30
ASKED = ("whole", "name", "context")


class Known:
    """What mentions of a data set are called, with their labels."""

    def __init__(self, records):
        self.exact, self.folded = {}, {}
        for record in records:
            for span in record["gold"]:
                self.exact.setdefault(text(record, span), Counter())[span[2]] += 1
                self.folded.setdefault(folded(text(record, span)), Counter())[span[2]] += 1


def folded(words):
    return tuple(word.casefold() for word in words)


def seen(value):
    return "seen" if value else "unseen"


def sorted_by(training, record, span):
    """{grouping: group} of a mention before any attack, in the order of docs/formats.md."""
    words = text(record, span)
    exact, whatever = training.exact.get(words, Counter()), training.folded.get(folded(words), Counter())
    start, size = span[0], len(record["tokens"])
    tens = min(size // 10, 4)
    others = exact.total()
    made = {
        "seen-same-label": seen(exact[span[2]]),
        "seen-any-label": seen(others),
        "seen-folded-same-label": seen(whatever[span[2]]),
        "seen-folded-any-label": seen(whatever.total()),
        "mention-length": MENTION_LENGTHS[min(span[1] - start, 4) - 1],
        "sentence-length": (
            "under 10 tokens",
            "10 to 19 tokens",
            "20 to 29 tokens",
            "30 to 39 tokens",
            "40 or more tokens",
        )[tens],
        "position": POSITIONS[3 * start // size] if start else "at the start",
        "capitals": capitals(words),
        "consistency-training": consistency(exact[span[2]], others),
    }
    return made | {f"meta:{name}": value for name, value in sorted(record.get("meta", {}).items())}


def capitals(words):
    """The planted names have letters alone, and case."""
    if all(word.islower() for word in words):
        return "no capitals"
    if all(word.isupper() for word in words) and any(len(word) > 1 for word in words):
        return "all capitals"
    return "every word capitalised" if all(word[0].isupper() for word in words) else "mixed"


def consistency(same, others):
    if not others:
        return "no other mention with this text"
    if same in (0, others):
        return "always the same label" if same else "never the same label"
    return "mostly the same label" if 2 * same >= others else "seldom the same label"


def groups(stages, names, training):
    known, found = Known(training), []
    for model in stages.models:
        for name in names:
            found += groups_of(stages, name, model, known)
    return found


def groups_of(stages, name, model, known):
    members = {}
    for (parent, at), (gold, was, _), (new, now, _), changed in followed(stages.records, name, model):
        record = stages.by_id[parent]
        places = sorted_by(known, record, record["gold"][at])
        if changed:
            words = folded(text(record["sets"][name], new))
            places["replacement-seen"] = seen(words in known.folded)
        for grouping, group in places.items():
            members.setdefault(grouping, {}).setdefault(group, []).append(
                (kind(gold, was) == "right", kind(new, now) == "right")
            )
    for grouping, by_group in members.items():
        data = grouping.startswith("meta:")
        enough = [group for group in by_group if len(by_group[group]) >= MINIMUM]
        if data and len(enough) < 2:
            continue
        values = {group: recalls(met) for group, met in by_group.items()}
        order = sorted(values, key=lambda group: (group not in enough, values[group]["after"], group))
        yield {
            "tagger": model, "set": name, "grouping": grouping, "data": data,
            "of": "replaced" if grouping == "replacement-seen" else "all",
            "mentions": sum(map(len, by_group.values())), "minimum": MINIMUM,
            "groups": [
                {"group": group, "mentions": len(by_group[group]), "small": group not in enough,
                 **{side: {"value": value} for side, value in values[group].items()}}
                for group in order
            ],
            "not_shown": {"groups": 0, "mentions": 0},
            "gap": {side: gap(values, enough, side) for side in ("before", "after", "drop")},
        }  # fmt: skip


def recalls(met):
    before, after = (share(sum(one[side] for one in met), len(met)) for side in (0, 1))
    return {"before": before, "after": after, "drop": less(before, after)}


def gap(values, enough, side):
    if len(enough) < 2:
        return None
    sign = -1 if side == "drop" else 1
    order = sorted(enough, key=lambda group: (sign * values[group][side], group))
    return {"worst": order[0], "best": order[-1], "value": sign * (values[order[-1]][side] - values[order[0]][side])}


def whole(stages, model):
    """{mention: right in the whole original sentence}."""
    return {
        (record["id"], at): any(at == g and gold == record["said"][model][s] for g, s in paired(record, model))
        for record in stages.records
        for at, gold in enumerate(record["gold"])
    }


def paired(record, model):
    return pairing(record["gold"], record["said"][model]).items()


def asked(stages, kind_, model):
    """{mention: right in its probe sentence}; the sentence's id says which mention it is about.

    Names alone fill their sentence; in a context the mention stands where it stood, with other mentions unmoved before
    it: a neutral string is one token long, a nonsense one as long as the mention.
    """
    found = {}
    for sentence, said in stages.probe(kind_, model).items():
        parent, _, at = sentence.rpartition(f"~probe.{kind_}.")
        start, end, label = stages.by_id[parent]["gold"][int(at)]
        gold = {"name": (0, end - start, label), "neutral": (start, start + 1, label), "nonsense": (start, end, label)}[
            kind_
        ]
        found[parent, int(at)] = gold in said
    return found


def probe(stages):
    rows = []
    everyone = Counter(span[2] for record in stages.records for span in record["gold"])
    for model in stages.models:
        for context in ("neutral", "nonsense"):
            ways = [whole(stages, model), asked(stages, "name", model), asked(stages, context, model)]
            keys = [key for key in ways[0] if all(key in way for way in ways)]
            for label in (None, *sorted(everyone)):
                mine = [key for key in keys if label in (None, stages.by_id[key[0]]["gold"][key[1]][2])]
                size = everyone.total() if label is None else everyone[label]
                rows.append({"tagger": model, "context": context, "label": label, **tried(mine, ways, size)})
    sets = [
        {"set": f"probe.{one}", "kind": one, "sentences": len(stages.probe(one, stages.models[0]))}
        for one in ("name", "neutral", "nonsense")
    ]
    return {"sets": sets, "shares": rows}


def tried(keys, ways, size):
    met = [tuple(way[key] for way in ways) for key in keys]
    right = [one[1:] for one in met if one[0]]
    given = {
        "name": sum(name for name, _ in right), "context": sum(context for _, context in right),
        "name_only": right.count((True, False)), "context_only": right.count((False, True)),
        "both": right.count((True, True)), "neither": right.count((False, False)),
    }  # fmt: skip
    return {
        "mentions": len(met), "left_out": size - len(met),
        "recall": {way: {"value": share(sum(one[at] for one in met), len(met))} for at, way in enumerate(ASKED)},
        "right": len(right),
        "given": {what: {"mentions": number, "value": share(number, len(right))} for what, number in given.items()},
    }  # fmt: skip


def seen_context(stages, names, training):
    known, found = Known(training), []
    for model in stages.models:
        for name in names:
            if stages.level(name) == "context":
                met = [
                    (key, was, now)
                    for key, _, was, now, changed in turned(stages, name, model)
                    if not changed and stages.by_id[key[0]]["sets"][name]["status"] == "changed"
                ]
                found.append({"tagger": model, "set": name, "context": "changed", **seen_sides(stages, known, met)})
        before = whole(stages, model)
        alone = [
            (key, before[key], right) for key, right in asked(stages, "name", model).items() if has_context(stages, key)
        ]
        found.append(
            {"tagger": model, "set": "probe.name", "context": "taken away", **seen_sides(stages, known, alone)}
        )
    return found


def has_context(stages, key):
    record = stages.by_id[key[0]]
    start, end, _ = record["gold"][key[1]]
    return end - start < len(record["tokens"])


def seen_sides(stages, known, met):
    parts = {"seen": [], "unseen": []}
    for (parent, at), was, now in met:
        record = stages.by_id[parent]
        span = record["gold"][at]
        parts[seen(known.exact.get(text(record, span), Counter())[span[2]])].append((was, now))
    made = {}
    for who, one in parts.items():
        values = recalls(one)
        names = {"original": "before", "changed": "after", "drop": "drop"}
        made[who] = {"mentions": len(one), **{name: {"value": values[side]} for name, side in names.items()}}
    interaction = less(made["unseen"]["drop"]["value"], made["seen"]["drop"]["value"])
    return {"mentions": len(met), **made, "interaction": {"value": interaction}}


def curve(stages, points):
    """points   {attack: [(set, asked share)]}"""
    found = []
    for attack, asked_ in points.items():
        rows = [point(stages, "original", Fraction(0))]
        rows += [point(stages, name, at) for name, at in asked_]
        found.append({"set": attack, "draw": "independent", "points": rows})
    return found


def point(stages, name, asked_):
    variants = stages.variants.get(name, ())
    mentions = sum(len(record["gold"]) for record in stages.records)
    replaced = sum(one["replaced"] for one in variants if one["status"] != "discarded")
    texts = stages.records if name == "original" else [other for _, other in sides(stages.records, name)]
    scores = [{"tagger": model, "f1": plain_drops.f1(texts, model)} for model in stages.models]
    return {"set": name, "asked": asked_, "mentions": mentions, "replaced": replaced,
            "share": share(replaced, mentions), "scores": scores}  # fmt: skip


def draws(stages, by_attack):
    """by_attack   {attack: [sets, its own first]}"""
    found = []
    for model in stages.models:
        for attack, names in by_attack.items():
            found.append({"set": attack, "tagger": model, "level": stages.level(attack), "draws": names,
                          **drawn(stages, names, model)})  # fmt: skip
    return found


def drawn(stages, names, model):
    kept = [record for record in stages.records if all(name in record["sets"] for name in names)]
    before = plain_drops.f1(kept, model)
    scores = [plain_drops.f1([record["sets"][name] for record in kept], model) for name in names]
    lived, incomplete = lives(stages, names, model)
    middle = mean(scores)
    labels = {label: block([one for one in lived if one[0] == label], names) for label in {one[0] for one in lived}}
    order = sorted(labels, key=lambda label: (-labels[label]["survived"][0], label))
    return {
        "pairs": len(kept),
        "f1": {
            "original": before, "mean": middle,
            "worst": {"set": names[scores.index(min(scores))], "f1": min(scores)},
            "best": {"set": names[scores.index(max(scores))], "f1": max(scores)},
            "by_draw": [
                {"set": name, "f1": f1, "drop": less(before, f1)} for name, f1 in zip(names, scores, strict=True)
            ],
        },
        "variance": {"draws": sum((f1 - middle) ** 2 for f1 in scores) / (len(scores) - 1)},
        "incomplete": incomplete,
        "all": block(lived, names), "attacked": block([one for one in lived if one[3]], names),
        "by_label": {label: labels[label] for label in order},
    }  # fmt: skip


def lives(stages, names, model):
    """(label, right before, draws where right, reached in every draw) of mentions that every draw compares."""
    met = {}
    for name in names:
        entity = stages.level(name) == "entity"
        for key, label, was, now, changed in turned(stages, name, model):
            reached = changed if entity else stages.by_id[key[0]]["sets"][name]["status"] == "changed"
            met.setdefault(key, []).append((label, was, now, reached))
    complete = [one for one in met.values() if len(one) == len(names)]
    lived = [(one[0][0], one[0][1], sum(m[2] for m in one), all(m[3] for m in one)) for one in complete]
    return lived, len(met) - len(complete)


def block(lived, names):
    survived = Counter(times for _, right, times, _ in lived if right)
    recovered = Counter(times for _, right, times, _ in lived if not right)
    right = survived.total()
    return {
        "mentions": len(lived), "right": right, "survived": [survived[n] for n in range(len(names) + 1)],
        "never_broken": share(survived[len(names)], right), "always_broken": share(survived[0], right),
        "wrong": recovered.total(), "recovered": [recovered[n] for n in range(len(names) + 1)],
    }  # fmt: skip


def model_ranks(stages, names):
    records = []
    for name in names:
        both = sides(stages.records, name)
        scores = {
            model: (plain_drops.f1([a for a, _ in both], model), plain_drops.f1([b for _, b in both], model))
            for model in stages.models
        }
        relative = {model: (was - now) / was for model, (was, now) in scores.items()}
        records.append({"set": name, "sets": [name], "pairs": len(both), **ranked(scores, relative)})
    whole_ = {model: plain_drops.f1(stages.records, model) for model in stages.models}
    means = {
        model: [mean([one[key] for record in records for one in record["models"] if one["tagger"] == model])
                for key in ("attacked", "relative_drop")]
        for model in stages.models
    }  # fmt: skip
    scores = {model: (whole_[model], means[model][0]) for model in stages.models}
    relative = {model: means[model][1] for model in stages.models}
    return [*records, {"set": None, "sets": list(names), "pairs": None, **ranked(scores, relative)}]


def ranked(scores, relative):
    models = [
        {
            "tagger": model, "original": was, "attacked": now, "relative_drop": relative[model],
            "rank_original": 1 + sum(other > was for other, _ in scores.values()),
            "rank_attacked": 1 + sum(other > now for _, other in scores.values()),
        }
        for model, (was, now) in scores.items()
    ]  # fmt: skip
    before = [was for was, _ in scores.values()]
    overtaken = [
        {"behind": a, "ahead": b,
         "lead_original": scores[a][0] - scores[b][0], "lead_attacked": scores[b][1] - scores[a][1]}
        for a in scores for b in scores
        if scores[a][0] > scores[b][0] and scores[a][1] < scores[b][1]
    ]  # fmt: skip
    return {
        "models": models,
        "attacked_f1": correlated(before, [now for _, now in scores.values()]),
        "relative_drop": correlated(before, list(relative.values())),
        "order_changes": bool(overtaken), "overtaken": sorted(overtaken, key=lambda pair: -pair["lead_attacked"]),
    }  # fmt: skip


def correlated(x, y):
    if len(set(x)) < 2 or len(set(y)) < 2:
        return None
    measures = {"spearman": plain_drops.spearman, "kendall": plain_drops.kendall}
    return {"n": len(x), "exact": True, **{name: {"value": measure(x, y)} for name, measure in measures.items()}}


def example_of(stages, name, variant):
    """What the findings show of a changed sentence."""
    record, other = stages.by_id[variant["parent"]], stages.by_id[variant["parent"]]["sets"][name]
    return {
        "parent": record["id"], "id": variant["id"], "original": record["tokens"], "attacked": variant["tokens"],
        "original_spans": [list(span) for span in record["gold"]],
        "attacked_spans": [list(span) for span in other["gold"]],
        "edits": variant["edits"], "mentions": [[old, new] for old, new in enumerate(other["map"])],
    }  # fmt: skip


def replaced_by_set(stages, names):
    return {name: changed_labels(stages, name) for name in names}
