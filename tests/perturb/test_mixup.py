from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.perturb.helpers import by_parent, data, run, sentence

from nerquake.core.variant import Variant

CORPUS = data([
    sentence("a", "Anna saw Bonn in May .", "B-PER O B-LOC O O O"),
    sentence("b", "From Graz to Bo it rained", "O B-LOC O B-PER O O"),
    sentence("c", "Wien called", "B-LOC O"),
    sentence("d", "Acme closed", "B-ORG O"),
    sentence("e", "nothing here"),
])  # fmt: skip


def test_the_first_half_and_the_second_half_of_another() -> None:
    for seed in range(20):
        made = by_parent(run(CORPUS, "mixup", seed))
        originals = {s.id: s for s in CORPUS}
        for key in "abc":
            check(made[key], originals)


def check(variant: Variant, originals: dict) -> None:  # type: ignore[type-arg]
    assert variant.status == "changed"
    assert variant.rewrite is not None
    assert variant.edits == ()
    target = originals[variant.parent]
    partner = originals[dict(variant.rewrite.source)["from"]]
    assert partner.id != target.id
    kept = sum(index is not None for index in variant.mentions)
    assert variant.mentions == (*range(kept), *[None] * (len(target.spans) - kept))
    last = target.spans[kept - 1]
    tokens = variant.sentence.tokens
    assert tokens[: last.end] == target.tokens[: last.end]
    ends = [s.end for s in partner.spans if s.label == last.label and partner.tokens[s.end :] == tokens[last.end :]]
    assert ends
    assert variant.sentence.spans[:kept] == target.spans[:kept]
    tail = [(s.start - last.end, s.end - last.end, s.label) for s in variant.sentence.spans[kept:]]
    assert tail in [[(s.start - end, s.end - end, s.label) for s in partner.spans if s.start >= end] for end in ends]


def test_a_type_that_stands_alone_and_a_sentence_without_mentions() -> None:
    made = by_parent(run(CORPUS, "mixup"))
    assert (made["d"].status, made["d"].reason) == ("unchanged", "no other candidate")
    assert made["e"].status == "not-applicable"


def test_the_same_end_is_no_change() -> None:
    corpus = data([sentence("a", "in Bonn", "O B-LOC"), sentence("b", "near Graz", "O B-LOC")])
    assert run(corpus, "mixup").reasons == {"no other candidate": 2}


@settings(max_examples=30)
@given(st.permutations(CORPUS.sentences), st.integers(0, 20))
def test_the_order_of_sentences_does_not_matter(order: list, seed: int) -> None:  # type: ignore[type-arg]
    assert by_parent(run(data(order), "mixup", seed)) == by_parent(run(CORPUS, "mixup", seed))


def test_level_is_both_and_no_mention_counts_as_replaced() -> None:
    made = run(CORPUS, "mixing-up")
    assert made.level == "both"
    assert all(variant.replaced == 0 for variant in made.variants)
