"""The leak guard: sentences go back to their sources, and what a model was trained on is found again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.strategies import datasets

from nerquake.core.dataset import Dataset
from nerquake.core.sentence import Sentence, TokenIds, token_hash
from nerquake.core.sources import Lineage, Overlap, Source, SourceKey, Sources, overlap, source_id
from nerquake.core.splits import split_by_source

NOTHING = Overlap((), (), ())


def sentence(key: str, text: str = "", source: str | None = None, *, hashed: bool = False) -> Sentence:
    return Sentence(key, tuple((text or f"tokens of {key}").split()), source=source, hashed=hashed)


def ids_of(trained: Sequence[Sentence], audited: Sequence[Sentence], others: Sequence[Sentence] = ()) -> Overlap:
    return overlap(Sources.of(trained), audited, others)


def case_5(stated: bool = True) -> list[Sentence]:
    """10 sources x (1 original + 5 variants), in one file; `stated`: variants say what they were made from."""
    made = [sentence(f"s{number}") for number in range(10)]
    for name in ("rs", "faker", "mask", "para", "m+r"):
        made += [sentence(f"s{n}~{name}", f"tokens of s{n} {name}", f"s{n}" if stated else None) for n in range(10)]
    return made


@pytest.mark.parametrize(
    ("one", "others", "expected"),
    [
        (sentence("s1"), (), "s1"),
        (sentence("s1~rs", source="s1"), (), "s1"),
        (sentence("x", source="s1"), (), "s1"),
        (sentence("s1~rs"), (), "s1"),
        (sentence("s1~rs.2"), (), "s1"),
        (sentence("s1~rs~mask"), (), "s1"),
        (sentence("x", source="s1~rs"), (), "s1"),
        (sentence("x", source="s1~2"), (sentence("s1~2", source="s1"),), "s1"),
        (sentence("x", source="y"), (sentence("y", source="z"), sentence("z", source="s1")), "s1"),
        (sentence("doc~2"), (), "doc~2"),
        (sentence("doc~2"), (sentence("doc~1"), sentence("doc~2")), "doc~2"),
        (sentence("doc~2"), (sentence("doc"),), "doc"),
        (sentence("a~b c"), (), "a~b c"),
        (sentence("~rs"), (), "~rs"),
        (sentence("s1", source="s1"), (), "s1"),
    ],
)  # fmt: skip
def test_a_sentence_goes_back_to_its_first_ancestor(one: Sentence, others: tuple[Sentence, ...], expected: str) -> None:
    assert source_id(one, others) == expected


def test_a_circle_has_one_source() -> None:
    circle = [
        sentence("b", source="c"),
        sentence("c", source="a"),
        sentence("a", source="b"),
        sentence("d", source="b"),
    ]
    lineage = Lineage(circle)
    assert {lineage.root(one) for one in circle} == {"a"}
    assert lineage.key(circle[2]).hash == token_hash(circle[2].tokens)


def test_sentences_without_ids_are_called_by_their_tokens() -> None:
    ids = TokenIds()
    bare = [sentence(ids.next(text.split()), text, hashed=True) for text in ("Anna left", "Bo came", "Anna left")]
    assert [one.id[12:] for one in bare] == ["", "", ".2"]
    made = token_hash(("Anna", "left"))
    variant = sentence(token_hash(("Rosa", "left")), "Rosa left", bare[2].id, hashed=True)
    for others in ((), bare):
        assert source_id(bare[2], others) == source_id(variant, others) == made
        assert Lineage(others).key(variant) == SourceKey(made, made)
    assert source_id(sentence("deadbeef0000.2", "other tokens")) == "deadbeef0000.2"


def test_what_is_kept_of_training_data() -> None:
    data = [sentence("s2", "b"), sentence("s2~rs", "c", "s2"), sentence("s1~rs", "d"), sentence("s1~mask", "a")]
    kept = Sources.of(data, "train.conll")
    assert kept.name == "train.conll"
    assert kept.sources == (
        Source(SourceKey("s1", None), tuple(sorted((token_hash("a"), token_hash("d"))))),
        Source(SourceKey("s2", token_hash("b")), tuple(sorted((token_hash("b"), token_hash("c"))))),
    )
    assert Sources.of(reversed(data), "train.conll") == kept
    other = Sources.of([sentence("s2", "b"), sentence("s3", "e")], "base.conll")
    both = kept.joined(other)
    assert [source.key.id for source in both.sources] == ["s1", "s2", "s3"]
    assert both.sources[:2] == kept.sources and both.name == "train.conll, base.conll"


def test_case_5_a_model_trained_on_the_other_sources_is_let_through() -> None:
    for seed in range(20):
        train, test = split_by_source(case_5(), 0.6, seed)
        assert (len(train), len(test)) == (36, 24)
        assert ids_of(train, test) == NOTHING


@pytest.mark.parametrize("stated", [True, False])
@pytest.mark.parametrize("trained", ["~", "", "~rs", "s"])
@pytest.mark.parametrize("audited", ["", "~mask", "s", "~"])
def test_case_5_a_model_trained_on_the_same_sources_is_found(stated: bool, trained: str, audited: str) -> None:
    """Whichever of the sentences of a source stood in the training file, and whichever are audited.

    "" takes the originals, "~" all variants, "~rs" one set, "s" everything.
    """

    def taken(sentences: Sequence[Sentence], which: str) -> list[Sentence]:
        return [one for one in sentences if (which in one.id if which else "~" not in one.id)]

    _, test = split_by_source(case_5(stated), 0.6, 3)
    asked = taken(test, audited)
    assert len(asked) in (4, 20, 24)
    assert ids_of(taken(case_5(stated), trained), asked) == Overlap(tuple(one.id for one in asked), (), ())
    assert ids_of(taken(case_5(stated), trained), asked, test).both == tuple(one.id for one in asked)


def test_ids_alone_and_tokens_alone_are_told_apart() -> None:
    trained = [sentence("1", "Anna left"), sentence("2", "Bo came"), sentence("3", "Bo slept")]
    audited = [
        sentence("1", "Anna left"),
        sentence("2", "another corpus counts from one too"),
        sentence("9", "Bo slept"),
        sentence("3", "Bo came"),
        sentence("8", "new"),
        sentence("8~rs", "Anna left"),
    ]
    assert ids_of(trained, audited) == Overlap(("1",), ("2",), ("9", "3", "8~rs"))


def test_variants_go_by_their_source_where_its_tokens_are_known() -> None:
    trained = [sentence("1", "Anna left")]
    variant = sentence("1~rs", "Rosa left", "1")
    assert ids_of(trained, [variant], [sentence("1", "Anna left")]).both == ("1~rs",)
    assert ids_of(trained, [variant], [sentence("1", "another corpus")]) == Overlap((), ("1~rs",), ())
    assert ids_of(trained, [variant]).both == ("1~rs",), "nothing speaks against the id"
    assert ids_of([variant], [sentence("1", "Anna left")]).both == ("1",)
    other = [sentence("1", "another corpus"), variant]
    original = sentence("1", "Anna left")
    assert ids_of(other, [variant], [original]).both == ("1~rs",), "these very tokens were trained on"
    assert ids_of([original], [sentence("8~rs", "new", "8")], [sentence("8", "Anna left")]).hash_only == ("8~rs",)


def test_a_set_named_by_a_number_is_followed_where_its_parent_is_known() -> None:
    originals, numbered = [sentence("s1"), sentence("s2")], [sentence("s1~1"), sentence("s2~1")]
    assert ids_of(originals, numbered).both == ("s1~1", "s2~1")
    assert ids_of(numbered, originals).both == ("s1", "s2")
    assert ids_of([sentence("doc~1")], [sentence("doc~2")]) == NOTHING, "sentences of one document"


def test_without_ids_only_the_same_sentences_are_found() -> None:
    def bare(*texts: str) -> list[Sentence]:
        ids = TokenIds()
        return [sentence(ids.next(text.split()), text, hashed=True) for text in texts]

    trained, audited = bare("Anna left", "Bo came"), bare("new", "Bo came", "Bo came")
    found = ids_of(trained, audited)
    assert found == Overlap((audited[1].id, audited[2].id), (), ())


def test_a_variant_that_equals_another_sentence_does_not_hide_it() -> None:
    """Without ids the two have one id; the other's variants go back to it all the same."""
    anna, bo = (token_hash((name, "left")) for name in ("Anna", "Bo"))
    bo_left = sentence(bo, "Bo left", hashed=True)
    swapped = sentence(bo, "Bo left", anna, hashed=True)
    variant = sentence(token_hash(("Cem", "left")), "Cem left", bo, hashed=True)
    for others in ((bo_left, swapped), (swapped, bo_left)):
        lineage = Lineage(others)
        assert [lineage.root(one) for one in (bo_left, swapped, variant)] == [bo, anna, bo]


@given(datasets(max_size=8), st.sets(st.integers(0, 7)))
def test_a_sentence_that_was_trained_on_is_always_found(dataset: Dataset, chosen: set[int]) -> None:
    data = dataset.sentences
    trained = [one for at, one in enumerate(data) if at in chosen]
    found = ids_of(trained, data)
    assert {one.id for one in trained} <= set(found.both)
    assert found.id_only == ()
    hashes = {token_hash(one.tokens) for one in trained}
    assert {one.id for one in data if token_hash(one.tokens) in hashes} == {*found.both, *found.hash_only}
    variants = [replace(one, id=f"{one.id}~rs", source=one.id) for one in data]
    asked = {one.id.removesuffix("~rs") for one in variants if one.id in ids_of(trained, variants).both}
    assert {one.id for one in trained} <= asked
