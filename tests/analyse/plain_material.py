"""Material from plain records (tests/analyse/plain_figures.py), by hand or drawn."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from nerquake.analyse.material import Material
from nerquake.core.dataset import Dataset
from nerquake.core.results import Predictions
from nerquake.core.sentence import Sentence
from nerquake.core.span import Span
from nerquake.core.variant import ORIGINAL, AttackedSet, Variant

Record = dict[str, Any]
Mention = tuple[int, int, str]


def spans(mentions: list[Mention]) -> tuple[Span, ...]:
    return tuple(Span(*mention) for mention in mentions)


def under(
    gold: list[Mention], said: dict[str, list[Mention]], tokens: str = "", status: str = "changed", **more: Any
) -> Record:
    """What a set made of a sentence of ten tokens; every mention is itself unless a `map` says otherwise."""
    words = tokens.split() or [f"new{n}" for n in range(10)]
    return {"status": status, "tokens": words, "gold": gold, "said": said, "map": [*range(len(gold))], **more}


def record(gold: list[Mention], said: dict[str, list[Mention]], sets: dict[str, Record], tokens: str = "") -> Record:
    """A sentence of ten tokens."""
    return {"tokens": tokens.split() or [f"w{n}" for n in range(10)], "gold": gold, "said": said, "sets": sets}


def material(records: list[Record], names: tuple[str, ...] = ("swap",), **more: Any) -> Material:
    """The material of these sentences; they are called s0, s1 and so on."""
    for number, one in enumerate(records):
        one["id"] = f"s{number}"
    models = list(records[0]["said"])
    data = Dataset("plain", tuple(Sentence(one["id"], tuple(one["tokens"]), spans(one["gold"])) for one in records))
    sets = tuple(AttackedSet(name, name, "entity", tuple(_variant(one, name) for one in records)) for name in names)
    answers: dict[tuple[str, str], Predictions] = {}
    for model in models:
        texts = {ORIGINAL: [(one["id"], one) for one in records]}
        for name in names:
            texts[name] = [(f"{one['id']}~{name}", one["sets"][name]) for one in records if name in one["sets"]]
        for name, members in texts.items():
            said = tuple(spans(one["said"][model]) for _, one in members)
            answers[model, name] = Predictions(model, tuple(key for key, _ in members), said, ((),) * len(said))
    return Material(data, sets, answers, **more)


def _variant(one: Record, name: str) -> Variant:
    other = one["sets"].get(name)
    if other is None:
        gone = Sentence(f"{one['id']}~{name}", tuple(one["tokens"]), spans(one["gold"]))
        return Variant(gone, one["id"], "discarded", "a mention did not survive")
    sentence = Sentence(f"{one['id']}~{name}", tuple(other["tokens"]), spans(other["gold"]))
    mentions = () if other["status"] == "unchanged" else tuple(other["map"])
    return Variant(sentence, one["id"], other["status"], mentions=mentions)


@st.composite
def mentions(draw: st.DrawFn, size: int) -> list[Mention]:
    """Up to four mentions side by side, of three labels."""
    found: list[Mention] = []
    at = 0
    while at < size and len(found) < 4 and draw(st.integers(0, 3)):
        start = min(at + draw(st.sampled_from((0, 0, 1))), size - 1)
        end = draw(st.integers(start + 1, min(size, start + 4)))
        found.append((start, end, draw(st.sampled_from("ABC"))))
        at = end
    return found


@st.composite
def records(draw: st.DrawFn, names: tuple[str, ...] = ("one", "two", "three")) -> list[Record]:
    """One to three sentences, two models, and sets that change, keep or discard them and may lose mentions."""
    return [draw(_records_of(names)) for _ in range(draw(st.integers(1, 3)))]


@st.composite
def _records_of(draw: st.DrawFn, names: tuple[str, ...]) -> Record:
    tokens = draw(st.lists(st.sampled_from("xyz"), min_size=1, max_size=8))
    gold = draw(mentions(len(tokens)))
    made = {"tokens": tokens, "gold": gold, "said": draw(_said(len(tokens), gold)), "sets": {}}
    for name in names:
        status = draw(st.sampled_from(("changed", "changed", "unchanged", "discarded")))
        if status == "unchanged":
            made["sets"][name] = under(gold, draw(_said(len(tokens), gold)), " ".join(tokens), status)
        elif status == "changed":
            new = draw(st.lists(st.sampled_from("xyz"), min_size=1, max_size=8))
            kept = draw(mentions(len(new)))
            places: list[int | None] = [*range(len(kept)), *(None for _ in gold)]
            mapped = draw(st.permutations(places))[: len(gold)]
            made["sets"][name] = under(kept, draw(_said(len(new), kept)), " ".join(new), status, map=mapped)
    return made


@st.composite
def _said(draw: st.DrawFn, size: int, gold: list[Mention]) -> dict[str, list[Mention]]:
    return {"m": draw(st.one_of(st.just(gold), mentions(size))), "n": draw(mentions(size))}
