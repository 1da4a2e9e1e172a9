"""Memory against context: what the probe says of models that know one thing, and figures by hand."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import pytest
from hypothesis import given, settings
from tests.analyse.audited import Model, attacked, audited, material, perfect, probed
from tests.strategies import datasets

from nerquake.analyse.probe import probe
from nerquake.core.dataset import Dataset
from nerquake.core.results import Predictions
from nerquake.core.seeds import hashed
from nerquake.core.sentence import Sentence
from nerquake.core.span import Span
from nerquake.perturb.probe import probe_sets

NAMES = {("Anna", "Lee"): "PER", ("Bo",): "PER", ("Kai", "Roth"): "PER", ("Bonn",): "LOC", ("Bad", "Ems"): "LOC"}
PEOPLE = [" ".join(name) for name, label in NAMES.items() if label == "PER"]
TOWNS = [" ".join(name) for name, label in NAMES.items() if label == "LOC"]
DATA = audited(*[f"Mr [PER {PEOPLE[n % 3]}] said so in [LOC {TOWNS[n % 2]}] ." for n in range(24)])


def knows_names(sentence: Sentence) -> Iterable[Span]:
    """Marks the names that it knows, wherever they stand."""
    for name, label in NAMES.items():
        for start in range(len(sentence)):
            if sentence.tokens[start : start + len(name)] == name:
                yield Span(start, start + len(name), label)


def knows_contexts(sentence: Sentence) -> Iterable[Span]:
    """Marks what stands between `Mr` and `said`, and between `in` and the full stop."""
    for before, behind, label in (("Mr", "said", "PER"), ("in", ".", "LOC")):
        if before in sentence.tokens and behind in sentence.tokens:
            yield Span(sentence.tokens.index(before) + 1, sentence.tokens.index(behind), label)


def knows_either(sentence: Sentence) -> Iterable[Span]:
    return {*knows_names(sentence), *knows_contexts(sentence)}


def needs_both(sentence: Sentence) -> Iterable[Span]:
    return set(knows_names(sentence)) & set(knows_contexts(sentence))


def guesses(sentence: Sentence) -> Iterable[Span]:
    """Right on a half of all mentions, drawn by lot."""
    return [span for span in sentence.spans if hashed(sentence.id, span.start) % 2]


def found_by(
    models: Mapping[str, Model], data: Dataset = DATA, seed: int = 3
) -> dict[tuple[str, str, str | None], dict[str, Any]]:
    """The records by model, context and label."""
    sets = probe_sets(data, seed)
    found = probe(material(data, [], models), sets, probed(sets, models))
    return {(one["tagger"], one["context"], one["label"]): one for one in found["shares"]}


def given_by(record: Mapping[str, Any]) -> list[float]:
    return [record["given"][what]["value"] for what in ("name_only", "context_only", "both", "neither")]


@pytest.mark.parametrize("context", ["neutral", "nonsense"])
@pytest.mark.parametrize("label", [None, "PER", "LOC"])
def test_the_probe_says_what_a_model_knows(context: str, label: str | None) -> None:
    models = {"names": knows_names, "contexts": knows_contexts, "either": knows_either, "needs": needs_both}
    found = found_by(models)
    cells = {name: given_by(found[name, context, label]) for name in models}
    assert cells == {"names": [1, 0, 0, 0], "contexts": [0, 1, 0, 0], "either": [0, 0, 1, 0], "needs": [0, 0, 0, 1]}
    recalls = {name: [one["value"] for one in found[name, context, label]["recall"].values()] for name in models}
    assert recalls == {"names": [1, 1, 0], "contexts": [1, 0, 1], "either": [1, 1, 1], "needs": [1, 0, 0]}
    assert {found[name, context, label]["mentions"] for name in models} == {48 if label is None else 24}


def test_a_model_that_guesses_has_neither_more_often_from_names_nor_from_contexts() -> None:
    data = audited(*[f"Mr [PER {PEOPLE[n % 3]}] said so in [LOC {TOWNS[n % 2]}] ." for n in range(400)])
    found = found_by({"m": guesses}, data)["m", "neutral", None]
    assert [abs(value - 0.25) < 0.06 for value in given_by(found)] == [True] * 4
    assert all(abs(one["value"] - 0.5) < 0.06 for one in found["recall"].values())


def test_a_label_that_is_known_by_name_stands_apart_from_one_that_is_known_by_context() -> None:
    def mixed(sentence: Sentence) -> Iterable[Span]:
        yield from (span for span in knows_names(sentence) if span.label == "PER")
        yield from (span for span in knows_contexts(sentence) if span.label == "LOC")

    found = found_by({"m": mixed})
    assert given_by(found["m", "neutral", "PER"]) == [1, 0, 0, 0]
    assert given_by(found["m", "neutral", "LOC"]) == [0, 1, 0, 0]
    assert given_by(found["m", "neutral", None]) == [0.5, 0.5, 0, 0]


def test_by_hand_with_mentions_that_cannot_be_asked_about_left_out() -> None:
    data = audited("[PER Bo] met [LOC Bonn]", "[ORG EU]", "in [DATE 1990]")
    sets = probe_sets(data, 0)
    right = {"s0": ["PER", "LOC"], "s1": ["ORG"], "s2": [], "s0~probe.name.0": ["PER"], "s1~probe.name.0": ["ORG"],
             "s2~probe.name.0": ["DATE"], "s0~probe.nonsense.1": ["PER"], "s0~probe.neutral.1": ["LOC"]}  # fmt: skip
    models = {"m": lambda s: [span for span in s.spans if span.label in right.get(s.id, [])]}
    found = probe(material(data, [], models), sets, probed(sets, models))
    assert found["sets"] == [
        {"set": "probe.name", "kind": "name", "sentences": 4},
        {"set": "probe.neutral", "kind": "neutral", "sentences": 3},
        {"set": "probe.nonsense", "kind": "nonsense", "sentences": 2},
    ]
    by_context = {one["context"]: one for one in found["shares"] if one["label"] is None}
    # neutral: Bo (whole right, name right, context wrong), Bonn (right, wrong, right), 1990 (wrong, right, wrong)
    neutral = by_context["neutral"]
    assert (neutral["mentions"], neutral["left_out"], neutral["right"]) == (3, 1, 2)
    assert [one["value"] for one in neutral["recall"].values()] == [2 / 3, 2 / 3, 1 / 3]
    assert {what: one["mentions"] for what, one in neutral["given"].items()} == {
        "name": 1, "context": 1, "name_only": 1, "context_only": 1, "both": 0, "neither": 0
    }  # fmt: skip
    # nonsense: Bo (right, right, wrong), Bonn (right, wrong, wrong: another mention was found)
    nonsense = by_context["nonsense"]
    assert (nonsense["mentions"], nonsense["left_out"], given_by(nonsense)) == (2, 2, [0.5, 0, 0, 0.5])
    dates = [one for one in found["shares"] if one["label"] == "DATE"]
    assert [(one["mentions"], one["right"], one["given"]["name"]["value"]) for one in dates] == [
        (1, 0, None),
        (0, 0, None),
    ]
    assert [one["recall"]["whole"]["value"] for one in dates] == [0, None]


def test_models_that_did_not_answer_the_probes_have_no_record() -> None:
    sets = probe_sets(DATA, 0)
    both = material(DATA, [attacked(DATA, lambda s: [])], {"asked": perfect, "not": perfect})
    found = probe(both, sets, probed(sets, {"asked": perfect}))
    assert {one["tagger"] for one in found["shares"]} == {"asked"}


Plain = tuple[int, int, str]


def by_plain_lists(
    mentions: list[tuple[str, int, str]],
    whole: dict[tuple[str, int], bool],
    name: dict[tuple[str, int], bool],
    context: dict[tuple[str, int], bool],
) -> dict[str | None, list[int]]:
    """Standard library only: by label the mentions, right ones, and of these the four cells and the two totals."""
    sums: dict[str | None, list[int]] = {}
    for key, mention, label in mentions:
        for group in (None, label):
            cell = sums.setdefault(group, [0] * 8)
            at = (key, mention)
            if at not in name or at not in context:
                continue
            cell[0] += 1
            if whole[at]:
                cell[1] += 1
                cell[
                    2
                    + (
                        0
                        if name[at] and not context[at]
                        else 1
                        if context[at] and not name[at]
                        else 2
                        if name[at]
                        else 3
                    )
                ] += 1
                cell[6] += name[at]
                cell[7] += context[at]
    return sums


def plain_rightness(
    sentences: Iterable[tuple[str, int, Plain, str]], answers: Predictions
) -> dict[tuple[str, int], bool]:
    spans = {
        key: [(s.start, s.end, s.label) for s in found] for key, found in zip(answers.ids, answers.spans, strict=True)
    }
    return {(parent, mention): gold in spans[key] for parent, mention, gold, key in sentences}


@settings(max_examples=40, deadline=None)
@given(datasets(max_size=5))
def test_every_count_equals_the_one_from_plain_lists(data: Dataset) -> None:
    sets = probe_sets(data, 1)
    models = {"m": guesses}
    whole, answers = material(data, [], models, resamples=10), probed(sets, models)
    mentions = [(s.id, at, span.label) for s in data for at, span in enumerate(s.spans)]
    asked = {
        one.kind: plain_rightness(
            [(place.parent, place.mention, (place.gold.start, place.gold.end, place.gold.label), sentence.id)
             for sentence, place in zip(one.sentences, one.places, strict=True)],
            answers["m", one.name],
        )
        for one in sets
    }  # fmt: skip
    asked["whole"] = plain_rightness(  # type: ignore[index]
        [(s.id, at, (x.start, x.end, x.label), s.id) for s in data for at, x in enumerate(s.spans)],
        whole.predictions["m", "original"],
    )
    records = probe(whole, sets, answers)["shares"]
    for kind in ("neutral", "nonsense"):
        expected = by_plain_lists(mentions, asked["whole"], asked["name"], asked[kind])  # type: ignore[index]
        for one in (record for record in records if record["context"] == kind):
            cells = ("name_only", "context_only", "both", "neither", "name", "context")
            counted = [one["mentions"], one["right"], *(one["given"][cell]["mentions"] for cell in cells)]
            assert counted == expected.get(one["label"], [0] * 8)
            for cell in cells:
                share = counted[2 + cells.index(cell)] / one["right"] if one["right"] else None
                assert one["given"][cell]["value"] == share
            assert one["mentions"] + one["left_out"] == sum(one["label"] in (None, label) for _, _, label in mentions)
