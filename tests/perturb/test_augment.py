from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from tests.perturb.helpers import data, names, sentence

from nerquake.core.sentence import Sentence, TokenIds
from nerquake.core.span import Span
from nerquake.perturb.augment import augment
from nerquake.perturb.choose import chains_from
from nerquake.perturb.sample import sample_ids

CORPUS = data([
    *names(["Bo", "Cleo", "Dan"], "PER"), sentence("lone", "Acme closed", "B-ORG O"), sentence("free", "all quiet"),
])  # fmt: skip


def chains(*texts: str) -> list:  # type: ignore[type-arg]
    return chains_from(texts, "en").chains


def test_originals_first_then_changed_variants_with_their_source() -> None:
    made = augment(CORPUS, chains("entity-switching")[0], 0)
    assert made.dataset.sentences[: len(CORPUS)] == CORPUS.sentences
    added = made.dataset.sentences[len(CORPUS) :]
    assert [(s.id, s.source) for s in added] == [(f"s{n}~entity-switching", f"s{n}") for n in range(3)]
    assert all(s.tokens != CORPUS.sentences[n].tokens for n, s in enumerate(added))


def test_what_was_not_added_is_said() -> None:
    made = augment(CORPUS, chains("entity-switching"), 0)
    assert made.notes[-1] == (
        "entity-switching: 5 sentences + 3 variants; 1 sentences without a mention stand once, as they are; "
        "1 not added: no other candidate"
    )


def test_several_augmentations_keep_ids_unique_and_hashed_ids_count_on() -> None:
    ids = TokenIds()
    rows = [Sentence(ids.next((t,)), (t,), (Span(0, 1, "LOC"),), hashed=True) for t in ("Bonn", "Wien", "Bonn")]
    made = augment(data(rows), chains("swap", "swap:replace=yes", "letters"), 0).dataset
    counted = TokenIds()
    assert [s.id for s in made] == [counted.next(s.tokens) for s in made]
    assert [s.source for s in made][:3] == [None, None, None]
    assert {s.source for s in made.sentences[3:]} <= {s.id for s in rows}


def test_a_sample_is_augmented_and_all_originals_stay() -> None:
    made = augment(CORPUS, chains("letters"), 0, sample=frozenset({"s1"}))
    assert [s.id for s in made.dataset] == [*(s.id for s in CORPUS), "s1~letters"]


@given(st.permutations(CORPUS.sentences), st.integers(1, 7), st.integers(0, 5))
def test_a_sample_does_not_depend_on_the_order(order: list[Sentence], size: int, seed: int) -> None:
    taken = sample_ids(data(order), size, seed)
    assert taken == sample_ids(CORPUS, size, seed)
    assert len(taken) == min(size, len(CORPUS))


def test_a_larger_sample_holds_the_smaller_one_and_seeds_differ() -> None:
    many = data(names([f"N{n}" for n in range(100)]))
    assert sample_ids(many, 10, 0) < sample_ids(many, 20, 0)
    assert sample_ids(many, 10, 0) != sample_ids(many, 10, 1)


def test_a_sample_of_none() -> None:
    import pytest

    from nerquake.core.errors import UsageError

    for size in (0, -3):
        with pytest.raises(UsageError, match="at least 1"):
            sample_ids(CORPUS, size, 0)
