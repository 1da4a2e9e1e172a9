"""What changed since an earlier run on the same data: losses then and now, mentions newly fallen and recovered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from nerquake.analyse.earlier import differing, setting_of
from nerquake.analyse.flips import outcomes
from nerquake.core.results import AuditResult, Case
from nerquake.core.seeds import hashed
from nerquake.core.span import Span

EXAMPLES = 5
AROUND = 2
"""Tokens that an example shows on either side of a mention."""
MARKS = {"right": "✓", "type": "◆", "boundary": "◧", "missed": "○", "gone": "–"}
Known = Mapping[tuple[str, str], Case]


def since(now: AuditResult, then: AuditResult) -> dict[str, Any]:
    """`findings.since` of `result.json`; the two runs are known to be comparable (analyse/earlier.py).

    ```
    {"version", "signature": of the earlier run, "newly_fallen": mentions, "recovered": mentions,
     "models": {"shared": [names], "only_then": [..], "only_now": [..]}, "sets": {the same}, "notes": [..],
     "records": [record], "examples": [example]}
    record = {"tagger", "set", "then": scores, "now": scores, "change", "sentences", "other_text", "mentions",
              "fell_then", "fell_now", "newly_fallen", "newly_fallen_wrong_then", "recovered", "recovered_wrong_now",
              "sentences_newly_fallen", "sentences_recovered",
              "mentions_newly_fallen": [[parent, mention]], "mentions_recovered": [[parent, mention]]}
    scores = {"original", "attacked", "drop", "low", "high"}
    example = {"id", "parent", "set", "tagger", "mention", "label", "original", "attacked", "was", "is"}
    ```
    Models and sets are joined by name, sentences by the original's id, mentions by their place in it. A mention fell if
    it is right in the original text and wrong in the attacked one. `newly_fallen` fell now and not then, `recovered`
    fell then and not now. Not all that is newly fallen was right under the attack then: `newly_fallen_wrong_then` was
    wrong already, before the attack too; likewise `recovered_wrong_now` is wrong now even before the attack. Sentences
    whose text is not the same in both runs (another version, another dictionary, a surrogate that has changed) are
    left out and counted in `other_text`. `change` is the loss now - the loss then, in F1 over all sentences.
    """
    both, before = setting_of(now.data), setting_of(then.data)
    known = {(case.set, case.parent): case for case in then.cases}
    pairs = [(entry["name"], name) for entry in now.data["taggers"] for name in both.sets]
    there = {(block["tagger"], block["set"]) for block in then.data["results"]}
    scored = {(block["tagger"], block["set"]) for block in now.data["results"]}
    by_set: dict[str, list[Case]] = {}
    for case in now.cases:
        by_set.setdefault(case.set, []).append(case)
    turns = {pair: _compare(pair[0], by_set.get(pair[1], ()), known) for pair in pairs if pair in there & scored}
    records = [_record(pair, turn, now, then) for pair, turn in turns.items()]
    header = then.data["header"]
    return {
        "version": header["version"],
        "signature": header["signature"],
        "newly_fallen": sum(record["newly_fallen"] for record in records),
        "recovered": sum(record["recovered"] for record in records),
        "models": _sides(before.models, both.models),
        "sets": _sides(list(before.sets), list(both.sets)),
        "notes": differing(before.signature, both.signature),
        "records": records,
        "examples": _examples(turns, known, int(now.data["header"]["seed"])),
    }


class Fall(NamedTuple):
    """A mention of a sentence that fell in one run and not in the other.

    then, now  its outcomes (before the attack, after it) in the two runs
    """

    case: Case
    mention: int
    then: tuple[str, str]
    now: tuple[str, str]


@dataclass(frozen=True, slots=True)
class _Compared:
    """One model under one set in both runs."""

    sentences: int
    other_text: int
    mentions: int
    fell_then: int
    fell_now: int
    fallen: tuple[Fall, ...]
    recovered: tuple[Fall, ...]


def _compare(tagger: str, cases: Sequence[Case], known: Known) -> _Compared:
    other = mentions = fell_then = fell_now = sentences = 0
    fallen: list[Fall] = []
    recovered: list[Fall] = []
    for case in cases:
        earlier = known.get((case.set, case.parent))
        if earlier is None or not _same_text(case, earlier):
            other += 1
            continue
        if tagger not in case.predicted or tagger not in earlier.predicted:
            continue
        sentences += 1
        mentions += len(case.mentions)
        was, now = set(earlier.fell[tagger]), set(case.fell[tagger])
        fell_then += len(was)
        fell_now += len(now)
        if was != now:
            fallen += [_fall(tagger, case, earlier, place) for place in sorted(now - was)]
            recovered += [_fall(tagger, case, earlier, place) for place in sorted(was - now)]
    return _Compared(sentences, other, mentions, fell_then, fell_now, tuple(fallen), tuple(recovered))


def _same_text(case: Case, earlier: Case) -> bool:
    return (
        case.attacked == earlier.attacked
        and case.original == earlier.original
        and case.original_spans == earlier.original_spans
        and case.attacked_spans == earlier.attacked_spans
        and case.mentions == earlier.mentions
    )


def _fall(tagger: str, case: Case, earlier: Case, place: int) -> Fall:
    return Fall(case, place, earlier.outcomes[tagger][place], case.outcomes[tagger][place])


def _record(pair: tuple[str, str], turn: _Compared, now: AuditResult, then: AuditResult) -> dict[str, Any]:
    scores = {side: _scores(pair, result) for side, result in (("then", then), ("now", now))}
    lost_now, lost_then = scores["now"]["drop"], scores["then"]["drop"]
    fallen, recovered = turn.fallen, turn.recovered
    return {
        "tagger": pair[0],
        "set": pair[1],
        **scores,
        "change": None if lost_now is None or lost_then is None else lost_now - lost_then,
        "sentences": turn.sentences,
        "other_text": turn.other_text,
        "mentions": turn.mentions,
        "fell_then": turn.fell_then,
        "fell_now": turn.fell_now,
        "newly_fallen": len(fallen),
        "newly_fallen_wrong_then": sum(fall.then[1] != "right" for fall in fallen),
        "recovered": len(recovered),
        "recovered_wrong_now": sum(fall.now[1] != "right" for fall in recovered),
        "sentences_newly_fallen": len({fall.case.parent for fall in fallen}),
        "sentences_recovered": len({fall.case.parent for fall in recovered}),
        "mentions_newly_fallen": [[fall.case.parent, fall.mention] for fall in fallen],
        "mentions_recovered": [[fall.case.parent, fall.mention] for fall in recovered],
    }


def _scores(pair: tuple[str, str], result: AuditResult) -> dict[str, float | None]:
    found = next(block for block in result.data["results"] if (block["tagger"], block["set"]) == pair)
    paired = found.get("paired") or {}
    return {key: paired.get(key) for key in ("original", "attacked", "drop", "low", "high")}


def _sides(then: Sequence[str], now: Sequence[str]) -> dict[str, list[str]]:
    return {
        "shared": [name for name in now if name in then],
        "only_then": [name for name in then if name not in now],
        "only_now": [name for name in now if name not in then],
    }


def _examples(turns: Mapping[tuple[str, str], _Compared], known: Known, seed: int) -> list[dict[str, Any]]:
    """Mentions that were right under the attack and are not, drawn by the seed; others only where these are few."""
    drawn = sorted(
        ((fall.then[1] != "right", hashed(seed, "since", *pair, fall.case.parent, str(fall.mention)), pair[0], fall)
         for pair, turn in turns.items() for fall in turn.fallen),
        key=lambda one: (*one[:3], one[3].case.set, one[3].case.parent, one[3].mention),
    )[:EXAMPLES]  # fmt: skip
    return [_example(tagger, fall, known[fall.case.set, fall.case.parent]) for _, _, tagger, fall in drawn]


def _example(tagger: str, fall: Fall, earlier: Case) -> dict[str, Any]:
    case = fall.case
    new = case.mentions[fall.mention]
    assert new is not None, "what has fallen stands in both texts"
    old, gold = case.original_spans[fall.mention], case.attacked_spans[new]
    return {
        "id": case.parent,
        "parent": case.parent,
        "set": case.set,
        "tagger": tagger,
        "mention": fall.mention,
        "label": gold.label,
        "original": _around(case.original, old),
        "attacked": _around(case.attacked, gold),
        "was": _answer(earlier, tagger, new),
        "is": _answer(case, tagger, new),
    }


def _around(tokens: Sequence[str], span: Span) -> str:
    start, end = max(0, span.start - AROUND), min(len(tokens), span.end + AROUND)
    return " ".join([*(["…"] if start else []), *tokens[start:end], *(["…"] if end < len(tokens) else [])])


def _answer(case: Case, tagger: str, mention: int) -> str:
    """What a model made of a mention of the attacked text, with the label that it said: `✓ LOC`, `◆ ORG`, `○`."""
    found = outcomes(case.attacked_spans, case.predicted[tagger][1]).mentions[mention]
    return " ".join([MARKS[found.kind], *([found.said.label] if found.said else [])])
