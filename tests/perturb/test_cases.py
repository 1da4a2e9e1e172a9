"""Cases 10, 11, 20, 21 and 22: what naive attacks on mentions get wrong."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.perturb.helpers import by_parent, data, run, sentence

from nerquake.core.scheme import IOB2
from nerquake.core.sentence import Sentence
from nerquake.core.span import Span


def tags(one: Sentence) -> str:
    return " ".join(IOB2.encode(one.spans, len(one)))


@pytest.fixture
def rosa(tmp_path: Path) -> str:
    file = tmp_path / "names.tsv"
    file.write_text("PER\tRosa Lind\nGPE\tNew Leeds\nORG\tAcme Works\n", "utf-8")
    return str(file)


def test_swap_with_no_partner() -> None:
    """Case 10."""
    corpus = data([sentence("a", "Acme closed", "B-ORG O"), sentence("b", "Bo saw Cleo", "B-PER O B-PER")])
    made = run(corpus, "swap:types=ORG")
    (variant,) = [v for v in made.variants if v.parent == "a"]
    assert (variant.status, variant.reason) == ("unchanged", "no other candidate")
    assert (variant.attackable, variant.replaced) == (1, 0)
    assert made.statuses["changed"] == 0
    assert variant.sentence.tokens == ("Acme", "closed")


def test_a_difference_in_case_is_no_swap() -> None:
    """Case 10."""
    corpus = data([sentence("a", "ACME closed", "B-ORG O"), sentence("b", "Acme closed", "B-ORG O")])
    for text in ("swap", "swap:replace=yes"):
        assert run(corpus, text).reasons == {"no other candidate": 2}


def test_identity_changes_nothing() -> None:
    """Case 10."""
    corpus = data([sentence("a", "Acme closed", "B-ORG O"), sentence("b", "all quiet")])
    made = run(corpus, "identity")
    assert made.statuses == {"changed": 0, "unchanged": 2, "not-applicable": 0, "discarded": 0}
    assert [v.sentence.tokens for v in made.variants] == [s.tokens for s in corpus]
    assert made.level == "none"


def test_the_same_surface_in_different_roles(rosa: str) -> None:
    """Case 11."""
    corpus = data([sentence("a", "May met May in May .", "B-PER O B-PER O B-DATE O")])
    (variant,) = run(corpus, f"gazetteer:{rosa},types=PER").variants
    assert variant.sentence.text == "Rosa Lind met Rosa Lind in May ."
    assert tags(variant.sentence) == "B-PER I-PER O B-PER I-PER O B-DATE O"


ADJACENT = data([
    sentence("a", "Acme Bo won", "B-ORG B-PER O"),
    sentence("b", "Cleo Dan Eve left", "B-PER B-PER I-PER O"),
    sentence("c", "in Initech Zoe", "O B-ORG B-PER"),
])  # fmt: skip


@pytest.mark.parametrize("text", [
    "swap", "swap:match-length=yes", "swap:replace=yes", "swap:variant=released", "swap:consistent=corpus", "faker",
    "faker:orgs=yes", "letters", "identity", "swap+letters", "swap+faker+letters", "gazetteer",
])  # fmt: skip
def test_adjacent_mentions_survive(text: str, rosa: str) -> None:
    """Case 20."""
    made = by_parent(run(ADJACENT, text.replace("gazetteer", f"gazetteer:{rosa}")))
    for before in ADJACENT:
        after = made[before.id].sentence
        assert [span.label for span in after.spans] == [span.label for span in before.spans]
        assert made[before.id].mentions == tuple(range(len(before.spans)))
        touching = [a.end == b.start for a, b in zip(before.spans, before.spans[1:], strict=False)]
        assert [a.end == b.start for a, b in zip(after.spans, after.spans[1:], strict=False)] == touching
        assert IOB2.decode(tags(after).split(" ")) == after.spans


def test_a_mention_is_replaced_by_position_never_by_search(rosa: str) -> None:
    """Case 21."""
    corpus = data([sentence("a", "Iranian officials met the Iran coach in Iran .", "O O O O B-GPE O O B-GPE O")])
    (variant,) = run(corpus, f"gazetteer:{rosa}").variants
    assert variant.sentence.text == "Iranian officials met the New Leeds coach in New Leeds ."
    for text in ("letters", "faker"):
        tokens = run(corpus, text).variants[0].sentence.tokens
        assert (tokens[0], tokens[3]) == ("Iranian", "the")
        assert "Iran" not in tokens


@pytest.mark.parametrize("text", ["swap", "swap:replace=yes", "faker", "letters", "gazetteer"])
def test_german_compounds(text: str, tmp_path: Path) -> None:
    """Case 22."""
    file = tmp_path / "names.tsv"
    file.write_text("LOC\tAachen\nLOCpart\tBonn-Fest\n", "utf-8")
    rows = [
        Sentence("a", ("Die", "Troia-Ausstellung"), (Span(1, 2, "LOCpart"),)),
        Sentence("b", ("Die", "Bonn-Reise"), (Span(1, 2, "LOCpart"),)),
        Sentence("c", ("In", "Wien"), (Span(1, 2, "LOC"),)),
        Sentence("d", ("In", "Graz"), (Span(1, 2, "LOC"),)),
    ]
    made = by_parent(run(data(rows, "de"), text.replace("gazetteer", f"gazetteer:{file}")))
    assert [made[key].status for key in "abcd"] == ["not-applicable", "not-applicable", "changed", "changed"]
    assert made["a"].sentence.tokens == ("Die", "Troia-Ausstellung")
    assert made["a"].reason == "no mention that this attack replaces"
