"""The clearest failures: which sentences they are, in which order, and what stands there of each."""

import json
from collections import defaultdict
from typing import Any

import pytest
from hypothesis import given
from tests.analyse.plain_material import Record, material, record, records, under

from nerquake.analyse.clearest import clearest
from nerquake.analyse.material import Material
from nerquake.core.dataset import Dataset
from nerquake.core.edits import Edit, apply_edits
from nerquake.core.results import Predictions
from nerquake.core.sentence import Sentence
from nerquake.core.span import Span
from nerquake.core.variant import AttackedSet, Variant

PER, LOC = (0, 1, "PER"), (3, 4, "LOC")
SETS = ("swap", "mask")
RIGHT = {"a": [PER, LOC], "b": [PER, LOC]}
TEXTS = ("Nicol was in Syria then", "Ben went to Bonn early", "Ida flew via Oslo today", "Noor met Li Wei again")


def held(tokens: str = "") -> Record:
    return under([PER, LOC], RIGHT, tokens or "Major was in Rome then")


def fallen(a: list[Any], b: list[Any], tokens: str = "") -> Record:
    return under([PER, LOC], {"a": a, "b": b}, tokens or "Major was in Rome then")


def case(
    swap: Record, mask: Record | None = None, tokens: str = TEXTS[0], said: dict[str, Any] | None = None
) -> Record:
    return record([PER, LOC], said or RIGHT, {"swap": swap, "mask": mask or held()}, tokens)


def parents(cases: list[dict[str, Any]]) -> list[str]:
    return [one["parent"] for one in cases]


def test_a_case_has_the_sentence_under_every_attack_with_every_answer() -> None:
    # a takes the new name for an organisation and misses the place; b gives the place one token more
    fell = fallen([(0, 1, "ORG")], [PER, (3, 5, "LOC")])
    (found,) = clearest(material([case(fell)], SETS))
    assert {key: found[key] for key in ("parent", "tokens", "spans", "said")} == {
        "parent": "s0",
        "tokens": ["Nicol", "was", "in", "Syria", "then"],
        "spans": [[0, 1, "PER"], [3, 4, "LOC"]],
        "said": {"a": [[0, 1, "PER"], [3, 4, "LOC"]], "b": [[0, 1, "PER"], [3, 4, "LOC"]]},
    }
    assert found["fell"] == {"models": 2, "pairs": 2, "sets": ["swap"]}
    assert (found["margin"], found["naturalness"]) == (None, None)
    swap, mask = found["attacks"]
    assert swap == {
        "set": "swap",
        "id": "s0~swap",
        "status": "changed",
        "reason": "",
        "tokens": ["Major", "was", "in", "Rome", "then"],
        "spans": [[0, 1, "PER"], [3, 4, "LOC"]],
        "mentions": [[0, 0], [1, 1]],
        "said": {"a": [[0, 1, "ORG"]], "b": [[0, 1, "PER"], [3, 5, "LOC"]]},
        "fell": {
            "a": [[0, "type", [0, 1, "ORG"]], [1, "missed", None]],
            "b": [[1, "boundary", [3, 5, "LOC"]]],
        },
    }
    assert (mask["set"], mask["fell"]) == ("mask", {})
    json.dumps(found, allow_nan=False)


def test_only_a_change_that_makes_a_right_mention_wrong_counts() -> None:
    rose = case(held(), said={"a": [PER], "b": [LOC]})  # wrong before
    wavered = case(under([PER, LOC], {"a": [], "b": []}, TEXTS[0], status="unchanged"))
    lost = case(under([LOC], {"a": [LOC], "b": [LOC]}, map=[None, 0]))  # the mention that is wrong is gone
    assert clearest(material([rose, wavered, lost, case(held())], SETS)) == []


def test_models_count_most_then_pairs_then_margin() -> None:
    unsure = {"a": [(0, 1, "PER", 0.5), LOC], "b": [PER, LOC]}
    sure = {"a": [(0, 1, "PER", 0.9), LOC], "b": [PER, LOC]}
    made = material(
        [
            case(fallen([LOC], [PER, LOC]), tokens=TEXTS[0], said=unsure),  # one model, one set: 0.5
            case(fallen([(0, 1, "ORG", 0.8), LOC], [PER, LOC]), tokens=TEXTS[1], said=sure),  # (0.9 + 0.8) / 2
            case(fallen([LOC], [PER, LOC]), fallen([], [PER, LOC]), tokens=TEXTS[2]),  # one model, two sets
            case(fallen([LOC], [PER]), tokens=TEXTS[3]),  # two models
        ],
        SETS,
    )
    found = clearest(made)
    assert parents(found) == ["s3", "s2", "s1", "s0"]
    assert [one["margin"] for one in found] == [None, None, pytest.approx(0.85), 0.5]
    assert parents(clearest(made, shown=2)) == ["s3", "s2"]


def test_natural_text_comes_first_among_equals() -> None:
    fell = fallen([LOC], [PER, LOC])
    made = material([case(fell, tokens=text) for text in TEXTS[:3]], SETS)
    ratios = {"swap": {"s0": 8.0, "s1": None, "s2": 0.5}}  # 0.5 is nearer to 1 than 8 is; unknown comes last
    found = clearest(made, ratios=ratios)
    assert [(one["parent"], one["naturalness"]) for one in found] == [("s2", 0.5), ("s0", 8.0), ("s1", None)]
    block = {"swap": {"perplexity_ratio": {"median": 1.5}}, "mask": None}
    assert [one["naturalness"] for one in clearest(made, naturalness=block)] == [1.5] * 3
    assert parents(clearest(made, naturalness=block)) == ["s0", "s1", "s2"]


def test_a_sentence_with_hardly_any_context_comes_last_and_shorter_ones_first() -> None:
    fell = fallen([LOC], [PER, LOC])
    bare = case(fell, tokens="Rome 2 3 Lima")  # two tokens outside mentions
    longer = case(fell, tokens="Ben went to Bonn early on a day")
    made = material([bare, longer, case(fell, tokens=TEXTS[2])], SETS)
    assert parents(clearest(made)) == ["s2", "s1", "s0"]


def test_sentences_that_read_alike_are_shown_once() -> None:
    fell = fallen([LOC], [PER, LOC])
    assert parents(clearest(material([case(fell), case(fell), case(fell, tokens=TEXTS[1])], SETS))) == ["s0", "s2"]


def test_a_discarded_attack_has_no_text_and_an_unchanged_one_its_reason() -> None:
    one = case(fallen([LOC], [PER, LOC]))
    del one["sets"]["mask"]
    two = case(fallen([LOC], [PER, LOC]), under([PER, LOC], RIGHT, TEXTS[1], status="unchanged"), tokens=TEXTS[1])
    first, second = clearest(material([one, two], SETS))
    gone, same = first["attacks"][1], second["attacks"][1]
    assert gone["status"] == "discarded"
    assert gone["reason"] == "a mention did not survive"
    assert (gone["tokens"], gone["spans"], gone["mentions"], gone["said"], gone["fell"]) == ([], [], [], {}, {})
    assert (same["status"], same["mentions"], same["said"]["a"]) == ("unchanged", [[0, 0], [1, 1]], [[*PER], [*LOC]])


def test_of_two_edited_sentences_the_less_changed_one_comes_first() -> None:
    def one(key: str, tokens: str, width: int) -> tuple[Sentence, Variant]:
        parent = Sentence(key, tuple(tokens.split()), (Span(0, 1, "PER"),))
        edits = (Edit(2, 2 + width, ("x",) * width, "context"),)
        made = apply_edits(parent, edits, f"{key}~mask")
        return parent, Variant(made.sentence, key, "changed", "", edits, None, made.mentions)

    pairs = [one("s0", "Ida came by two times", 2), one("s1", "Noor came by once more", 1)]
    attacked = AttackedSet("mask", "mask", "context", tuple(variant for _, variant in pairs))
    right = Predictions("m", ("s0", "s1"), ((Span(0, 1, "PER"),),) * 2, ((), ()))
    wrong = Predictions("m", ("s0~mask", "s1~mask"), ((), ()), ((), ()))
    data = Dataset("d", tuple(parent for parent, _ in pairs))
    made = Material(data, (attacked,), {("m", "original"): right, ("m", "mask"): wrong})
    assert parents(clearest(made)) == ["s1", "s0"]


def plain_falls(found: list[Record]) -> dict[str, dict[tuple[str, str], list[int]]]:
    """The places that fell, by sentence, set and model; standard library only."""
    fell: dict[str, dict[tuple[str, str], list[int]]] = defaultdict(dict)
    for number, one in enumerate(found):
        for name, other in one["sets"].items():
            for model in one["said"]:
                places = [
                    old
                    for old, new in enumerate(other["map"])
                    if new is not None
                    and one["gold"][old] in one["said"][model]
                    and other["gold"][new] not in other["said"][model]
                ]
                if places and other["status"] == "changed":
                    fell[f"s{number}"][name, model] = places
    return fell


@given(records())
def test_every_fall_is_found_and_the_order_is_that_of_models_and_pairs(drawn: list[Record]) -> None:
    found = clearest(material(drawn, ("one", "two", "three")))
    expected = plain_falls(drawn)
    seen = {one["parent"]: one for one in found}
    texts = [tuple(one["tokens"]) for one in found]
    assert len(set(texts)) == len(texts)
    assert set(seen) <= set(expected)
    assert {tuple(drawn[int(key[1:])]["tokens"]) for key in expected} == set(texts)
    for key, one in seen.items():
        mine = {
            (attack["set"], model): [place for place, _, _ in fell]
            for attack in one["attacks"]
            for model, fell in attack["fell"].items()
        }
        assert mine == expected[key]
        models, pairs = len({model for _, model in expected[key]}), len(expected[key])
        assert (one["fell"]["models"], one["fell"]["pairs"]) == (models, pairs)
    ranks = [(-one["fell"]["models"], -one["fell"]["pairs"]) for one in found]
    assert ranks == sorted(ranks)
