"""The verdict: what the audit found, in sentences whose wording is fixed."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from nerquake.core.variant import NOT_SAMPLED, ORIGINAL
from nerquake.report.confusion_tables import taken_for
from nerquake.report.drop_tables import shown_levels
from nerquake.report.error_tables import boundary_words, grown_most, new_errors
from nerquake.report.gate.words import MARKS, first_reasons, tally
from nerquake.report.label_tables import hardest_hit, not_evaluated
from nerquake.report.links import link
from nerquake.report.numbers import bounds, change, count, decimal, interval, level, p_value, percent, plural
from nerquake.report.probe_tables import given_line, shown_seen_lines
from nerquake.report.tables import reason_of_pair, shown_name
from nerquake.report.view import POWER, Block, Pair, View, p_of

ENOUGH_SENTENCES = 100
"""Sets with fewer compared sentences give the headline only where no set has more."""
ALPHA = 0.05
LEFT_OUT = 0.05
"""A set that leaves out more than this share of the sentences is not comparable with the others."""
REDACTED = "This report is redacted."
Finding = Literal["loss", "none", "gain", "undefined"]


class Part(NamedTuple):
    """A stretch of a sentence; strong ones are its message. `link` names the section, or the filters, it leads to."""

    text: str
    strong: bool = False
    link: str = ""


@dataclass(frozen=True, slots=True)
class Said:
    """A sentence of the verdict; `title` explains how a figure in it was made."""

    parts: tuple[Part, ...]
    title: str = ""

    def __str__(self) -> str:
        return "".join(part.text for part in self.parts)


@dataclass(frozen=True, slots=True)
class Verdict:
    """The card at the head of the report.

    title      the page's title: the first sentence's message
    finding    what the first sentence says, for the colour of the card's edge
    sentences  the first one is the headline
    warnings   short lines
    """

    title: str
    finding: Finding
    sentences: tuple[Said, ...]
    warnings: tuple[str, ...]


def verdict(view: View) -> Verdict:
    """The verdict of an audit."""
    defined = [pair for pair in view.pairs if pair.paired["drop"] is not None]
    candidates = [pair for pair in defined if pair.paired["pairs"] >= ENOUGH_SENTENCES] or defined
    if not candidates:
        return _without_losses(view)
    worst = max(candidates, key=lambda pair: float(pair.paired["drop"]))
    finding, first = headline(view, worst)
    few = worst.paired["pairs"] < ENOUGH_SENTENCES
    small = (f"only {plural(worst.paired['pairs'], 'sentence')} compared",) if few else ()
    rest = (
        _flips(view, worst),
        _new_errors(view, worst),
        _detail(view, worst),
        _hardest(view, worst),
        *_causes(view, worst),
        _least_harm(view, candidates),
        _order(view),
        _gate(view),
    )
    sentences = (first, *(sentence for sentence in rest if sentence is not None))
    gaps = [pair for pair in view.pairs if pair.paired["drop"] is None]
    undefined = [f"{p.tagger} not evaluated under {p.set}: {reason_of_pair(p.paired)}." for p in gaps]
    return Verdict(first.parts[0].text, finding, sentences, (*small, *undefined, *warnings(view)))


def _without_losses(view: View) -> Verdict:
    if view.pairs:
        pair = view.pairs[0]
        message = f"Not evaluated under {pair.set}"
        first = Said((Part(message, strong=True), Part(f": {reason_of_pair(pair.paired)}.")))
        return Verdict(message, "undefined", (first, *_closing(view)), warnings(view))
    message = "No attack was run"
    scores = [f"{tagger} {_original_score(view, tagger)}" for tagger in view.taggers]
    first = Said((Part(message, strong=True), Part(f": strict F1 on the original text: {', '.join(scores)}.")))
    return Verdict(message, "undefined", (first, *_closing(view)), warnings(view))


def _original_score(view: View, tagger: str) -> str:
    block = view.block(tagger, ORIGINAL)
    return percent(None if block is None else block["overall"]["strict"]["f1"])


def headline(view: View, pair: Pair) -> tuple[Finding, Said]:
    """The first sentence, and what it says."""
    block = pair.paired
    low, high, p = block["low"], block["high"], p_of(block)
    scores = f"{percent(block['original'])} → {percent(block['attacked'])}"
    compared = f"{count(block['pairs'])} of {plural(block['pairs'] + block['dropped'], 'sentence')} compared"
    confidence = f"{level(view.level)} interval"
    if low is not None and low > 0 and (p is None or p < ALPHA):
        message = f"{pair.tagger} loses {percent(block['drop'])} points of F1 under {pair.set}"
        rest = f": {scores} ({confidence} of the loss {bounds(low, high)}; {p_value(p)}; {compared})."
        return "loss", Said((Part(message, strong=True), Part(rest)))
    if high is not None and high < 0:
        message = f"{pair.tagger} gains {percent(-block['drop'])} points under {pair.set}"
        rest = f": {scores} ({confidence} of the gain {bounds(-high, -low)}; {p_value(p)}; {compared})."
        return "gain", Said(
            (Part(message, strong=True), Part(f"{rest} This can mean that the attack put in easier names."))
        )
    return "none", _no_loss(view, pair, scores, confidence)


def _no_loss(view: View, pair: Pair, scores: str, confidence: str) -> Said:
    block = pair.paired
    message = Part(f"No loss shown for {pair.tagger} under {pair.set}", strong=True)
    if block["low"] is None or block["high"] is None:
        return Said((message, Part(f": {scores}; too few resamples define an interval.")))
    if block["low"] > 0:
        excludes = f"the interval excludes zero, corrected {p_value(p_of(block))}{_too_few(view, block)}"
        return Said((message, Part(f": {scores}; the {confidence} {bounds(block['low'], block['high'])}; {excludes}.")))
    zero = f": {scores}; the {confidence} {bounds(block['low'], block['high'])} includes zero. "
    if block["low"] == block["high"]:
        return Said((message, Part(f"{zero}{_nothing_moved(block)}")))
    detectable = view.detectable(block)
    could = f"{plural(block['pairs'], 'sentence')} could show a loss of about {percent(detectable)} points."
    title = (
        f"The loss that this many sentences show with a power of {POWER:.0%}: the interval's half width divided by its "
        f"normal quantile is the standard error, times the sum of that quantile and the quantile of {POWER:g}."
    )
    return Said(
        (
            message,
            Part(zero),
            Part(could),
        ),
        title,
    )


def _too_few(view: View, block: Block) -> str:
    """Where p is as small as the resamples let it be and only the correction lifts it: how many would do."""
    resamples = view.header.get("resamples")
    if not resamples or block["p"] is None or block.get("p_holm") is None or block["p"] > 1 / (1 + resamples):
        return ""
    needed = 100 * math.ceil(block["p_holm"] / block["p"] / ALPHA / 100)
    return (
        f": {count(resamples)} resamples cannot show less for so many comparisons, --resamples {needed} or more could"
    )


def _nothing_moved(block: Block) -> str:
    """Why no resample of the sentences shows any difference; what a loss would have had to be cannot be told then."""
    if block["original"] == block["attacked"] == 0:
        return "Nothing was right before the attack, so that nothing could fall."
    return "No resample of the sentences shows a change."


def _new_errors(view: View, pair: Pair) -> Said | None:
    """Which kinds of error grew most; nothing where none did, or where the audit has not counted them."""
    words = new_errors(view, pair.tagger, pair.set)
    return Said((Part(words),)) if words else None


def _detail(view: View, pair: Pair) -> Said | None:
    """What the most frequent new kind of error is: which label is taken for which, or what boundaries are wrong."""
    kind = grown_most(view, pair.tagger, pair.set)
    says = {"type": taken_for, "boundary": boundary_words}.get(kind)
    words = says(view, pair.tagger, pair.set) if says else ""
    return Said((Part(words),)) if words else None


def _causes(view: View, pair: Pair) -> Iterator[Said]:
    """What the loss comes from, as far as it is shown: names or contexts, and names that training had or had not."""
    lines = (*shown_levels(view), given_line(view, pair.tagger), *shown_seen_lines(view, pair.tagger, pair.set))
    yield from (Said((Part(line),)) for line in lines if line)


def _flips(view: View, pair: Pair) -> Said | None:
    """How many of the mentions that it had right fell: from the flips, never from the ratio of F1 scores."""
    records = view.findings("flips") or ()
    found = [row for row in records if (row["tagger"], row["set"]) == (pair.tagger, pair.set)]
    if not found or not found[0]["right"]:
        return None
    row = found[0]
    fell, rose = (_of_hundred(row[key], row["right"]) for key in ("fell", "rose"))
    verb = "is" if fell == "1" else "are"
    title = (
        f"{plural(row['fell'], 'mention')} of {count(row['right'])} fell; {count(row['rose'])} that were wrong before "
        f"are right after the attack, as a share of the same {count(row['right'])}."
    )
    after = "is" if rose == "1" else "are"
    return Said(
        (
            Part("Of 100 mentions that it had right, "),
            Part(f"{fell} {verb} no longer right", link=_cases(view, pair, row["fell"], kind="fell")),
            Part("; "),
            Part(f"{rose} {after} right only after the attack", link=_cases(view, pair, row["rose"], kind="rose")),
            Part("."),
        ),
        title,
    )


def _cases(view: View, pair: Pair, number: float, **filters: str) -> str:
    """Where the sentences behind a figure are, in a report that has them."""
    if not view.all_cases:
        return ""
    return link(number, model=pair.tagger, set=pair.set, **filters)[1:]


def _of_hundred(part: int, whole: int) -> str:
    share = decimal(100 * part / whole, 0)
    return "fewer than 1" if part and share == "0" else share


def _hardest(view: View, pair: Pair) -> Said | None:
    row = hardest_hit(view, pair)
    if row is None:
        return None
    scores = f" {percent(row['original']['strict'])} → {percent(row['attacked']['strict'])}"
    fallen = _cases(view, pair, 1, kind="fell", label=row["label"])
    return Said(
        (
            Part("Hit hardest: "),
            Part(row["label"], strong=True, link=fallen),
            Part(f"{scores} (support {count(row['support'])})."),
        )
    )


def _least_harm(view: View, pairs: list[Pair]) -> Said | None:
    """The pair that loses least; a set that changed no sentence harms nothing and says nothing."""
    pairs = [pair for pair in pairs if (view.paired(*pair[:2], "paired_changed") or pair.paired)["pairs"]]
    if len(pairs) < 2:
        return None
    least = min(pairs, key=lambda pair: float(pair.paired["drop"]))
    drop, low, high = (least.paired[key] for key in ("drop", "low", "high"))
    if drop < 0 and low is not None and high is not None:
        said = f"a gain of {percent(-drop)} points {interval(-high, -low)}"
    else:
        said = f"{change(drop)} points {interval(low, high)}"
    return Said((Part(f"Least harm: {least.tagger} under {least.set}, {said}."),))


def best_on_original(view: View) -> str | None:
    """The model with the highest strict F1 on the original text; None with fewer than two, or in joined audits.

    Joined audits may be about different data, whose scores cannot be ranked.
    """
    scored: list[tuple[float, str]] = []
    if "audits" in view.header:
        return None
    for tagger in view.taggers:
        block = view.block(tagger, ORIGINAL)
        if block is not None and block["overall"]["strict"]["f1"] is not None:
            scored.append((block["overall"]["strict"]["f1"], tagger))
    return max(scored, key=lambda pair: pair[0])[1] if len(scored) > 1 else None


class Overtaken(NamedTuple):
    """A model that is ahead of the best one under an attack."""

    by: str
    set: str
    lead: float
    block: Block


def overtaken(view: View, best: str) -> tuple[Overtaken, ...]:
    """Where a model is ahead of the one that is best on the original text, largest lead first."""
    found = []
    for block in view.comparisons:
        difference = block["difference"]
        if block["set"] == ORIGINAL or difference is None or best not in (block["a"], block["b"]):
            continue
        lead = -difference if block["a"] == best else difference
        if lead > 0:
            found.append(Overtaken(block["b"] if block["a"] == best else block["a"], block["set"], lead, block))
    return tuple(sorted(found, key=lambda item: -item.lead))


def _order(view: View) -> Said | None:
    best = best_on_original(view)
    if best is None or not any(block["set"] != ORIGINAL for block in view.comparisons):
        return None
    start = f"The best model on original text, {best}, "
    ahead = overtaken(view, best)
    if not ahead:
        return Said((Part(f"{start}is also best under every attack."),))
    first = ahead[0]
    lead = f"(+{percent(first.lead)} points, {p_value(p_of(first.block))})"
    return Said((Part(f"{start}is overtaken by {first.by} under {first.set} {lead}."),))


def _gate(view: View) -> Said | None:
    """What a policy says of it, with the rules that did not pass first."""
    gate = view.findings("gate")
    if not gate:
        return None
    said = first_reasons(gate)
    link = Part(f"{MARKS[gate['status']]} Gate {gate['status']}", strong=True, link="gate")
    return Said((link, Part(f": {tally(gate)}{f': {said}' if said else ''}.")))


def _closing(view: View) -> tuple[Said, ...]:
    found = _gate(view)
    return () if found is None else (found,)


def warnings(view: View) -> tuple[str, ...]:
    """What to know before comparing figures."""
    lines = [line for entry in view.attacks for line in _set_warnings(entry)]
    undefined = not_evaluated(view)
    if undefined:
        lines.append(f"{plural(len(undefined), 'label')} not evaluated: {', '.join(undefined)}.")
    lines += _trained_on(view)
    if view.header.get("redacted"):
        lines.append(REDACTED)
    if view.kept != "all":
        lines.append(_held(view))
    return tuple(lines)


def _trained_on(view: View) -> Iterator[str]:
    """How many audited sentences, or what they were made from, each model was trained on."""
    for record in view.findings("training_overlap") or ():
        number = len(record["both"]) + len(record["hash_only"])
        whose = f" of {record['tagger']}" if len(view.taggers) > 1 else ""
        if number:
            stand = "stands" if number == 1 else "stand"
            yield f"{plural(number, 'sentence')} of the audit also {stand} in the training file{whose}."


def _held(view: View) -> str:
    """Which sentences the page holds, where not all."""
    drawn = "drawn by seed" if view.kept != "fell" else "those where a mention fell or rose"
    held, whole = count(len(view.page_cases)), plural(len(view.all_cases), "case")
    return f"This page shows {held} of {whole}, {drawn}; cases.jsonl beside it holds all."


def _set_warnings(entry: Mapping[str, Any]) -> Iterator[str]:
    sampled_out = entry["reasons"].get(NOT_SAMPLED, 0)  # the same sentences under every attack
    total = sum(entry["status"].values()) - sampled_out
    discarded = entry["status"].get("discarded", 0) - sampled_out
    name = shown_name(entry)
    if total and discarded > LEFT_OUT * total:
        compared = f"{count(total - discarded)} of {plural(total, 'sentence')}"
        yield f"{name} compares {compared}; its figures are not comparable with the other sets."
    if total and not entry["status"].get("changed", 0):
        yield f"{name} changed no sentence{_why(entry)}."
    for tagger in entry.get("chosen_against") or ():
        yield f"{name} was chosen against {tagger}, its surrogate; no other model had an attack made for it."


def _why(entry: Mapping[str, Any]) -> str:
    reasons = [f"{reason} ({plural(number, 'sentence')})" for reason, number in entry["reasons"].items()]
    return f": {', '.join(reasons)}" if reasons else ""
