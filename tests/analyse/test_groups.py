"""Where it breaks: recall by group and the gap, on planted faults, and against a second computation."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import given, settings
from tests.analyse.audited import attacked, audited, blind, bracketed, material, perfect, renamed
from tests.strategies import datasets

from nerquake.analyse.groups import SHOWN, groups
from nerquake.analyse.material import Material
from nerquake.core.dataset import Dataset
from nerquake.core.sentence import Sentence
from nerquake.core.span import Span
from nerquake.core.variant import ORIGINAL

SHORT, LONG = "[PER Anna] left", "[PER Anna van Dyk] left"
EVEN = audited(*[SHORT, LONG] * 20)


def misses_long(sentence: Sentence) -> Iterable[Span]:
    """Finds every mention of one token and no other."""
    return [span for span in sentence.spans if span.width == 1]


def falls_on_short(sentence: Sentence) -> Iterable[Span]:
    """Right but where the attack replaced what was one token in EVEN, whatever stands there now."""
    number, _, attack = sentence.id[1:].partition("~")
    return () if attack and int(number) % 2 == 0 else sentence.spans


def one(found: list[dict[str, Any]], grouping: str, tagger: str = "m") -> dict[str, Any]:
    (record,) = [r for r in found if (r["grouping"], r["tagger"]) == (grouping, tagger)]
    return record


def test_a_group_that_is_wholly_missed_is_the_worst_and_the_gap_is_one() -> None:
    made = attacked(EVEN, lambda sentence: [])
    record = one(groups(material(EVEN, [made], {"m": misses_long})), "mention-length")
    worst, best = record["groups"]
    assert (worst["group"], worst["mentions"], worst["after"]["value"]) == ("3 tokens", 20, 0.0)
    assert (best["group"], best["mentions"], best["after"]["value"]) == ("1 token", 20, 1.0)
    gap = {"worst": "3 tokens", "best": "1 token", "value": 1.0, "low": 1.0, "high": 1.0}
    assert record["gap"]["before"] == record["gap"]["after"] == gap
    assert record["gap"]["drop"]["value"] == 0.0
    assert (record["set"], record["of"], record["data"], record["mentions"]) == ("attack", "all", False, 40)


def test_equal_groups_have_no_gap() -> None:
    made = attacked(EVEN, lambda sentence: [])
    for model, recall in ((perfect, 1.0), (blind, 0.0)):
        record = one(groups(material(EVEN, [made], {"m": model})), "mention-length")
        assert [group["after"]["value"] for group in record["groups"]] == [recall, recall]
        assert record["gap"]["after"] == {"worst": "1 token", "best": "3 tokens", "value": 0.0, "low": 0.0, "high": 0.0}


def test_an_attack_that_breaks_one_group_shows_as_a_gap_of_the_loss() -> None:
    made = attacked(EVEN, renamed("Rosa Lind"))

    record = one(groups(material(EVEN, [made], {"m": falls_on_short})), "mention-length")
    assert record["gap"]["before"]["value"] == 0
    assert record["gap"]["drop"] == {"worst": "1 token", "best": "3 tokens", "value": 1.0, "low": 1.0, "high": 1.0}
    worst = record["groups"][0]
    assert (worst["group"], worst["before"]["value"], worst["after"]["value"], worst["drop"]["value"]) == (
        "1 token", 1.0, 0.0, 1.0
    )  # fmt: skip


def test_small_groups_are_marked_stand_last_and_do_not_count_for_the_gap() -> None:
    data = audited(*[SHORT] * 20, *[LONG] * 25, *["[PER Anna Lee] left"] * 19)
    made = attacked(data, lambda sentence: [])

    def model(sentence: Sentence) -> Iterable[Span]:
        return [span for span in sentence.spans if span.width == 3]

    record = one(groups(material(data, [made], {"m": model})), "mention-length")
    assert [(group["group"], group["small"]) for group in record["groups"]] == [
        ("1 token", False), ("3 tokens", False), ("2 tokens", True),
    ]  # fmt: skip
    assert (record["gap"]["after"]["worst"], record["gap"]["after"]["best"]) == ("1 token", "3 tokens")
    record = one(groups(material(data, [made], {"m": model}), minimum=26), "mention-length")
    assert record["gap"] == {"before": None, "after": None, "drop": None}
    assert [group["small"] for group in record["groups"]] == [True] * 3


def test_recall_is_strict_and_by_hand() -> None:
    data = audited("[PER Anna Lee] met [PER Bo]", "[LOC Ulm] and [ORG EU]")
    made = attacked(data, renamed("Rosa"))
    right = {"s0": [Span(0, 2, "PER"), Span(3, 4, "LOC")], "s1": [Span(0, 1, "LOC"), Span(2, 3, "ORG")],
             "s0~attack": [Span(0, 1, "PER"), Span(2, 3, "PER")], "s1~attack": []}  # fmt: skip
    record = one(groups(material(data, [made], {"m": lambda s: right[s.id]}), minimum=1), "mention-length")
    (first, second) = record["groups"]
    assert (first["group"], first["mentions"]) == ("1 token", 3)
    assert (first["before"]["value"], first["after"]["value"]) == (2 / 3, 1 / 3)
    assert first["drop"]["value"] == pytest.approx(1 / 3)
    assert (second["group"], second["before"]["value"], second["after"]["value"]) == ("2 tokens", 1.0, 1.0)
    assert record["gap"]["after"]["value"] == pytest.approx(2 / 3)


def test_groupings_by_the_users_data_are_there_where_two_groups_can_be_compared() -> None:
    sentences = [
        bracketed(f"s{n}", SHORT, meta=(("domain", "ab"[n % 2]), ("id", str(n)), ("all", "x"))) for n in range(40)
    ]
    data = Dataset("d", tuple(sentences))
    made = attacked(data, lambda sentence: [])
    found = groups(material(data, [made], {"m": lambda s: s.spans if s.meta[0][1] == "a" else ()}))
    assert {record["grouping"] for record in found if record["data"]} == {"meta:domain"}
    assert [group["group"] for group in one(found, "meta:domain")["groups"]] == ["b", "a"]
    assert one(found, "meta:domain")["gap"]["after"]["value"] == 1.0


def test_the_worst_origin_of_replacements_comes_first() -> None:
    made = attacked(EVEN, renamed("Rosa", lambda old: (("locale", "hi_IN" if old == "Anna" else "de_DE"),)))
    record = one(groups(material(EVEN, [made], {"m": falls_on_short})), "source:locale")
    assert (record["of"], record["data"]) == ("replaced", True)
    assert [(group["group"], group["after"]["value"]) for group in record["groups"]] == [("hi_IN", 0), ("de_DE", 1)]


def test_of_many_groups_the_worst_and_the_best_are_listed() -> None:
    sentences = [bracketed(f"s{n}", SHORT, doc_id=f"d{n // 2:02}") for n in range(100)]
    data = Dataset("d", tuple(sentences))
    made = attacked(data, lambda sentence: [])
    found = groups(material(data, [made], {"m": lambda s: s.spans if s.doc_id > "d40" else ()}), minimum=2)
    record = one(found, "document")
    assert len(record["groups"]) == SHOWN and record["not_shown"] == {"groups": 20, "mentions": 40}
    assert record["groups"][-1]["group"] == record["gap"]["after"]["best"] == "d49"
    assert [group["after"]["value"] for group in record["groups"]] == [0.0] * 29 + [1.0]


def test_without_a_mention_or_an_attack_there_is_nothing() -> None:
    empty = audited("no mention here")
    assert groups(material(empty, [attacked(empty, lambda s: [])], {"m": perfect})) == []
    assert groups(material(EVEN, [], {"m": perfect})) == []


def recomputed(found: Material, tagger: str, place: int) -> dict[str, dict[str, tuple[int, float, float]]]:
    """Recall by group from plain lists; sees spans as tuples and nothing of the code under test."""
    one = found.sets[place]
    plain_old = {s.id: (list(s.tokens), [(x.start, x.end, x.label) for x in s.spans]) for s in found.original}
    plain_new = [(v.parent, v.id, [(x.start, x.end, x.label) for x in v.sentence.spans]) for v in one.variants]
    answers = {
        name: {
            key: {(x.start, x.end, x.label) for x in spans}
            for key, spans in zip(
                found.predictions[tagger, name].ids, found.predictions[tagger, name].spans, strict=True
            )
        }
        for name in (ORIGINAL, one.name)
    }
    return by_plain_lists(plain_old, plain_new, answers[ORIGINAL], answers[one.name])


Plain = tuple[int, int, str]


def by_plain_lists(
    old: dict[str, tuple[list[str], list[Plain]]],
    new: list[tuple[str, str, list[Plain]]],
    before: dict[str, set[Plain]],
    after: dict[str, set[Plain]],
) -> dict[str, dict[str, tuple[int, float, float]]]:
    """Standard library only: mentions keep their order under an attack that proposes edits."""
    sums: dict[str, dict[str, list[int]]] = defaultdict(lambda: defaultdict(lambda: [0, 0, 0]))
    for parent, key, spans in new:
        tokens, gold = old[parent]
        for was, now in zip(gold, spans, strict=True):
            width = was[1] - was[0]
            size = len(tokens)
            groups_of = {
                "mention-length": "1 token" if width == 1 else f"{width} tokens" if width < 4 else "4 or more tokens",
                "sentence-length": "under 10 tokens" if size < 10 else "10 to 19 tokens",
                "position": "at the start" if was[0] == 0 else
                            f"in the {('first', 'middle', 'last')[int(3 * was[0] / size)]} third",
            }  # fmt: skip
            for grouping, group in groups_of.items():
                cell = sums[grouping][group]
                cell[0] += 1
                cell[1] += was in before[parent]
                cell[2] += now in after[key]
    return {
        grouping: {group: (n, right / n, still / n) for group, (n, right, still) in cells.items()}
        for grouping, cells in sums.items()
    }


def half_wrong(sentence: Sentence) -> Iterable[Span]:
    """Loses mentions, shortens them and takes other labels, by their place."""
    for span in sentence.spans:
        what = (span.start + len(sentence)) % 4
        if what == 0:
            yield Span(span.start, span.end, "WRONG")
        elif what == 1 and span.width > 1:
            yield Span(span.start + 1, span.end, span.label)
        elif what > 1:
            yield span


@settings(max_examples=40, deadline=None)
@given(datasets(max_size=5))
def test_every_recall_equals_the_one_counted_from_plain_lists(data: Dataset) -> None:
    made = attacked(data, renamed("Rosa Lind"))
    found = material(data, [made], {"m": half_wrong}, resamples=20)
    records = [record for record in groups(found, minimum=1) if not record["data"]]
    expected = recomputed(found, "m", 0)
    assert {record["grouping"] for record in records} >= set(expected)
    for record in records:
        assert sum(group["mentions"] for group in record["groups"]) == record["mentions"] == data.mentions.total()
        if record["grouping"] in expected:
            shown = {
                group["group"]: (group["mentions"], group["before"]["value"], group["after"]["value"])
                for group in record["groups"]
            }
            assert shown == expected[record["grouping"]]
        recalls = [group["after"]["value"] for group in record["groups"]]
        assert recalls == sorted(recalls)
        if len(recalls) > 1:
            assert record["gap"]["after"]["value"] == pytest.approx(recalls[-1] - recalls[0])
            drops = [group["before"]["value"] - group["after"]["value"] for group in record["groups"]]
            assert record["gap"]["drop"]["value"] == pytest.approx(max(drops) - min(drops))


def test_the_result_does_not_depend_on_the_order_of_sentences() -> None:
    data = audited(*[SHORT, LONG, "[LOC Ulm] met [PER Bo Li] there"] * 8)
    turned = Dataset(data.name, data.sentences[::-1])
    one_way, other_way = (
        groups(material(part, [attacked(part, renamed("Rosa"))], {"m": half_wrong}), minimum=2)
        for part in (data, turned)
    )
    assert one_way == other_way
