"""Coverage, types and labels of parts of names: what all attacks on mentions share."""

from __future__ import annotations

import itertools

import pytest
from tests.perturb.helpers import by_parent, data, names, run, sentence

from nerquake.core.errors import SpecError
from nerquake.core.sentence import Sentence
from nerquake.core.span import Span
from nerquake.perturb.kinds import is_name_part

MANY = data(names([f"Name {n}" for n in range(400)], "PER"))


def replaced(text: str, seed: int = 0) -> set[str]:
    return {key for key, variant in by_parent(run(MANY, text, seed)).items() if variant.status == "changed"}


@pytest.mark.parametrize("name", ["swap", "faker", "letters"])
@pytest.mark.parametrize("share", [20, 60])
def test_coverage_takes_about_that_share(name: str, share: int) -> None:
    taken = replaced(f"{name}:coverage={share}")
    assert abs(len(taken) / 400 - share / 100) < 0.08
    others = run(MANY, f"{name}:coverage={share}")
    assert others.reasons == {"not chosen (coverage)": 400 - len(taken)}
    assert all(variant.attackable == 1 for variant in others.variants)


@pytest.mark.parametrize("name", ["swap", "faker", "letters"])
def test_nested_draws_only_add(name: str) -> None:
    taken = [replaced(f"{name}:coverage={share},coverage-draw=nested") for share in (20, 40, 60, 80, 100)]
    assert all(small < large for small, large in itertools.pairwise(taken))


@pytest.mark.parametrize("name", ["faker", "letters"])
def test_a_nested_mention_keeps_its_replacement_where_the_pool_is_fixed(name: str) -> None:
    few = by_parent(run(MANY, f"{name}:coverage=30,coverage-draw=nested"))
    more = by_parent(run(MANY, f"{name}:coverage=70,coverage-draw=nested"))
    assert all(more[key].edits == variant.edits for key, variant in few.items() if variant.status == "changed")


def test_independent_draws_are_not_nested() -> None:
    assert not replaced("letters:coverage=20") <= replaced("letters:coverage=40")


def test_a_share_and_a_percentage_are_the_same_number() -> None:
    assert replaced("letters:coverage=0.4,coverage-draw=nested") == replaced("letters:coverage=40,coverage-draw=nested")


@pytest.mark.parametrize("value", ["0", "-1", "101", "x", "nan", "inf"])
def test_a_coverage_that_is_none(value: str) -> None:
    with pytest.raises(SpecError, match="coverage"):
        run(MANY, f"swap:coverage={value}")


def test_consistent_coverage_takes_all_mentions_of_a_text_or_none() -> None:
    corpus = data(names(["Anna", "Bo", "Cleo", "Dan"] * 20, "PER"))
    made = run(corpus, "letters:coverage=50,consistent=corpus")
    found: dict[str, set[str]] = {}
    for before, variant in zip(corpus, made.variants, strict=True):
        found.setdefault(before.tokens[0], set()).add(variant.sentence.tokens[0])
    assert all(len(new) == 1 for new in found.values())


@pytest.mark.parametrize(("label", "part"), [
    ("LOCpart", True), ("ORGderiv", True), ("OTHpart", True), ("LOC", False), ("Counterpart", False), ("part", False),
])  # fmt: skip
def test_labels_of_parts_of_names(label: str, part: bool) -> None:
    assert is_name_part(label) is part


@pytest.mark.parametrize("name", ["swap", "faker:places=LOC|LOCpart", "letters"])
def test_compounds_are_left_alone_unless_they_are_asked_for(name: str) -> None:
    """Case 22, and the whole kind of it: several of them could be dealt out among themselves."""
    rows = [("a", "Troia-Ausstellung"), ("b", "Bonn-Besuch"), ("c", "Wien-Reise")]
    corpus = data([Sentence(k, (t,), (Span(0, 1, "LOCpart"),)) for k, t in rows], "de")
    made = run(corpus, name) if ":" not in name else run(corpus, "faker")
    assert made.statuses["not-applicable"] == 3
    assert made.statuses["changed"] == 0
    asked = run(corpus, f"{name}{',' if ':' in name else ':'}types=LOCpart")
    assert asked.statuses["changed"] == 3


def test_what_is_left_alone_is_said() -> None:
    corpus = data([sentence("a", "Troia-Ausstellung in Bonn", "B-LOCpart O B-LOC"), *names(["Wien"], "LOC")])
    made = run(corpus, "swap")
    assert made.notes == ("LOCpart: 1 compounds or derived words left alone (types= takes them)",)
    assert by_parent(made)["a"].sentence.tokens == ("Troia-Ausstellung", "in", "Wien")
