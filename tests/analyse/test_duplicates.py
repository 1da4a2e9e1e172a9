"""Duplicates: those that comparing all with all finds, in a fraction of the comparisons."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.strategies import tokens

from nerquake.analyse.duplicates import Duplicate, duplicate_table, duplicates
from nerquake.core.sentence import Sentence


def lines(*texts: str, name: str = "s") -> list[Sentence]:
    return [Sentence(f"{name}{at}", tuple(text.split())) for at, text in enumerate(texts)]


def similarity(one: Sentence, other: Sentence) -> Fraction:
    """As the page says it, spelt out."""

    def folded(sentence: Sentence) -> Counter[str]:
        return Counter("".join("0" if c.isdecimal() else c for c in token.casefold()) for token in sentence.tokens)

    mine, theirs = folded(one), folded(other)
    return Fraction((mine & theirs).total(), (mine | theirs).total())


words = st.sampled_from(("a", "A", "b", "c", "d", "e", "7", "8", "ß", "ss", "१", "२"))
texts = st.lists(st.lists(words | tokens(), min_size=1, max_size=12), max_size=12)
repeated = st.lists(st.lists(words, min_size=4, max_size=12), max_size=12)


def named(made: list[list[str]], name: str) -> list[Sentence]:
    return [Sentence(f"{name}{at}", tuple(one)) for at, one in enumerate(made)]


def check(found: Sequence[Duplicate], asked: Sequence[Sentence], held: Sequence[Sequence[Sentence]]) -> None:
    """`held` are the sentences that each of `asked` may repeat."""
    by_id = {one.id: one for one in found}
    assert list(by_id) == [one.id for one in found], "one entry each"
    for sentence, others in zip(asked, held, strict=True):
        one = by_id.get(sentence.id)
        exact = [other.id for other in others if other.tokens == sentence.tokens]
        near = {other.id: similarity(sentence, other) for other in others}
        if exact:
            assert one == Duplicate(sentence.id, exact[0], "exact", 1.0)
        elif max(near.values(), default=Fraction(0)) >= Fraction(4, 5):
            assert one is not None and one.kind == "near"
            assert near[one.of] >= Fraction(4, 5) and one.similarity == float(near[one.of])
            assert one.similarity == 1.0 or max(near.values()) < 1
        else:
            assert one is None


@given(texts | repeated, texts | repeated)
def test_between_files_all_are_found(left: list[list[str]], right: list[list[str]]) -> None:
    asked, held = named(left, "a"), named(right, "b")
    check(duplicates(asked, held), asked, [held] * len(asked))


@given(texts | repeated)
def test_within_a_file_all_are_found(made: list[list[str]]) -> None:
    sentences = named(made, "a")
    check(duplicates(sentences), sentences, [sentences[:at] for at in range(len(sentences))])


@pytest.mark.parametrize(
    ("one", "other", "kind"),
    [
        ("Anna met Bo .", "Anna met Bo .", "exact"),
        ("Anna met Bo .", "anna MET Bo .", "near"),
        ("score 3 : 1", "score 0 : 4", "near"),
        ("वर्ष १९९८ में", "वर्ष २०१० में", "near"),
        ("score 3 : 10", "score 3 : 1", None),
        ("a b c d", "a b c d e", "near"),
        ("a b c", "a b c d", None),
        ("a a a a", "a a a a a", "near"),
        ("a a a", "a a a a", None),
        ("a b c d e f g h i j", "j i h g f e d c b a", "near"),
        ("a b c d e f g h i j", "a b c d e f g h i x", "near"),
        ("a b c d e f g h", "a b c d e f g x", None),
    ],
)
def test_what_is_near(one: str, other: str, kind: str | None) -> None:
    found = duplicates(lines(one), lines(other, name="t"))
    assert [pair.kind for pair in found] == ([kind] if kind else [])
    assert [pair.of for pair in found] == (["t0"] if kind else [])


def test_few_sentences_are_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not all with all: sentences of ten words, one of them frequent, the others rare."""
    from nerquake.analyse import duplicates as module

    compared = 0
    shared = module._shared

    def counted(plain: frozenset[int], counts: Counter[int] | None, other: tuple[int, ...]) -> int:
        nonlocal compared
        compared += 1
        return shared(plain, counts, other)

    monkeypatch.setattr(module, "_shared", counted)
    names = ["".join(letters) for letters in product("abcdefghij", repeat=3)]
    sentences = [Sentence(str(n), ("the", *(names[(n * 7 + k * k) % 1000] for k in range(9)))) for n in range(1000)]
    assert duplicates(sentences) == []
    assert 0 < compared < 1000 * 999 / 2 / 20


def test_every_pair_of_files_has_a_row() -> None:
    files = {"dev": lines("Anna left", "Bo came", "Bo came"), "test": lines("bo CAME", "new here")}
    rows = duplicate_table(files, "train", lines("Anna left", "Anna left"))
    assert [(row["file"], row["of"], row["within"], row["exact"], row["near"]) for row in rows] == [
        ("dev", "dev", True, 1, 0),
        ("dev", "test", False, 0, 2),
        ("dev", "train", False, 1, 0),
        ("test", "test", True, 0, 0),
        ("test", "train", False, 0, 0),
        ("train", "train", True, 1, 0),
    ]
    assert rows[0]["pairs"] == [{"id": "s2", "of": "s1", "kind": "exact", "similarity": 1.0}]
    assert rows[0]["sentences"] == 3
