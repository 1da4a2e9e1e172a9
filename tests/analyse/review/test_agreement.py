"""Cohen's kappa against tables worked out by hand, and what counts as a disagreement."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.analyse.review.planted import decided

from nerquake.analyse.by_sentence import Sampling
from nerquake.analyse.review.agreement import agreements, kappas
from nerquake.analyse.review.resolve import resolve
from nerquake.core.decisions import CHOICES, Choice, Decision, DecisionsFile
from nerquake.core.span import Span

SAMPLING = Sampling(200, 0.95, 0)


def pair(table: dict[tuple[Choice, Choice], int]) -> tuple[DecisionsFile, DecisionsFile]:
    """Two files that agree and disagree so often."""
    both = [choices for choices, count in table.items() for _ in range(count)]
    sides = ({f"s{n}~swap": choices[side] for n, choices in enumerate(both)} for side in (0, 1))
    first, second = sides
    return decided("mira", first), decided("noor", second)


def test_kappa_by_hand() -> None:
    # Of 10: accept 5 and 6, reject 5 and 4; agreed 7, by chance 0.5 * 0.6 + 0.5 * 0.4 = 0.5; (0.7 - 0.5) / 0.5 = 0.4
    files = pair({("accept", "accept"): 4, ("reject", "reject"): 3, ("accept", "reject"): 1, ("reject", "accept"): 2})
    (found,) = agreements(files, SAMPLING)
    assert (found["a"], found["b"], found["items"], found["agreed"]) == ("mira", "noor", 10, 7)
    assert found["kappa"]["value"] == pytest.approx(0.4)
    assert found["kappa"]["low"] < 0.4 < found["kappa"]["high"]
    assert found["table"] == [[4, 1, 0, 0], [2, 3, 0, 0], [0] * 4, [0] * 4]
    assert len(found["disagreements"]) == 3


def test_cohens_own_table() -> None:
    # Cohen 1960, table 1, of 200: agreement 0.70, by chance 0.41, kappa 0.492
    table = np.array([[[88, 14, 18], [10, 40, 10], [2, 6, 12]]])
    assert kappas(table.reshape(1, 9))[0, 0] == pytest.approx(0.492, abs=5e-4)


def test_where_both_say_one_thing_of_all_kappa_is_undefined() -> None:
    (found,) = agreements(pair({("accept", "accept"): 5}), SAMPLING)
    assert found["kappa"] == {"value": None, "low": None, "high": None}
    assert found["agreed"] == 5


def test_files_without_a_sentence_in_common_are_not_compared() -> None:
    assert agreements([decided("a", {"s1~x": "accept"}), decided("b", {"s2~x": "accept"})], SAMPLING) == []


@given(st.lists(st.tuples(st.sampled_from(CHOICES), st.sampled_from(CHOICES)), min_size=1, max_size=30))
def test_kappa_follows_its_definition(both: list[tuple[Choice, Choice]]) -> None:
    counts = np.zeros((1, 16), dtype=np.int64)
    for one, other in both:
        counts[0, CHOICES.index(one) * 4 + CHOICES.index(other)] += 1
    found = kappas(counts)[0, 0]
    size = len(both)
    observed = sum(one == other for one, other in both) / size
    chance = sum(sum(a == c for a, _ in both) * sum(b == c for _, b in both) for c in CHOICES) / size**2
    assert np.isnan(found) if chance == 1 else found == pytest.approx((observed - chance) / (1 - chance))
    assert np.isnan(found) or found <= 1 + 1e-12


def relabel(*labels: str) -> Decision:
    return Decision("s~x", "relabel", spans=tuple(Span(n, n + 1, label) for n, label in enumerate(labels)))


def file(name: str, one: Decision, **rest: bool) -> DecisionsFile:
    return DecisionsFile(name, name, 1, {one.id: one}, undecided=(), settles=bool(rest.get("settles")))


def test_labels_must_agree_and_reasons_need_not() -> None:
    other = resolve([file("a", relabel("PER")), file("b", relabel("ORG"))])
    assert list(other.conflicts) == ["s~x"] and not other.decisions
    same = resolve([file("a", relabel("PER")), file("b", relabel("PER"))])
    assert same.decisions["s~x"].spans == (Span(0, 1, "PER"),)
    reasons = [Decision("s~x", "reject"), Decision("s~x", "reject", "meaning lost")]
    assert resolve([file("a", reasons[0]), file("b", reasons[1])]).decisions["s~x"].reason == "meaning lost"


def test_conflicts_are_dropped_or_the_first_counts_or_a_settling_file_does() -> None:
    files = [file("a", Decision("s~x", "accept")), file("b", Decision("s~x", "reject"))]
    assert not resolve(files, "drop").decisions
    assert resolve(files, "first").decisions["s~x"].choice == "accept"
    assert resolve(files[::-1], "first").decisions["s~x"].choice == "reject"
    settled = [*files, file("c", Decision("s~x", "unsure"), settles=True)]
    assert resolve(settled, "ask").decisions["s~x"].choice == "unsure"
    assert len(agreements(settled, SAMPLING)) == 1


def test_what_nobody_decided_is_named_and_what_files_do_not_name_is_counted() -> None:
    files = [
        decided("a", {"s1~x": "accept"}, undecided=("s2~x", "s3~x")),
        decided("b", {"s3~x": "reject"}, undecided=("s1~x", "s4~x")),
        DecisionsFile("c.jsonl", "c", 5, {"s1~x": Decision("s1~x", "accept")}),
    ]
    found = resolve(files)
    assert found.undecided == ("s2~x", "s4~x") and found.unnamed == 4
