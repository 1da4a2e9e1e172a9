from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.perturb.helpers import by_parent, data, names, new_surfaces, run, sentence, surfaces

from nerquake.core.errors import InputError, SpecError, UsageError
from nerquake.core.sentence import Sentence
from nerquake.core.span import Span

texts = st.lists(st.sampled_from(["EU", "eu", "UN", "New York", "new york", "Bonn", "A B C", "Straße", "STRASSE"]))


@settings(max_examples=80)
@given(texts, st.integers(0, 5))
def test_the_multiset_stays_and_the_promised_number_changes(given_: list[str], seed: int) -> None:
    corpus = data(names(given_))
    made = run(corpus, "swap", seed)
    after = new_surfaces(made)
    assert Counter(after) == Counter(given_)
    folded = Counter(text.casefold() for text in given_)
    n, m = len(given_), max(folded.values(), default=0)
    changed = sum(a.casefold() != b.casefold() for a, b in zip(after, given_, strict=True))
    assert changed == min(n, 2 * (n - m)) == made.statuses["changed"]
    same = {variant.reason for variant in made.variants if variant.status != "changed"}
    assert same <= {"no other candidate"}


def test_eu_eu_eu_un_two_change() -> None:
    made = run(data(names(["EU", "EU", "EU", "UN"])), "swap")
    assert made.statuses["changed"] == 2
    assert made.reasons == {"no other candidate": 2}


@settings(max_examples=40)
@given(st.lists(st.tuples(st.sampled_from(["A", "B", "C D", "E F"]), st.sampled_from(["PER", "LOC"])), max_size=12))
def test_types_never_mix_and_match_length_keeps_lengths(mentions: list[tuple[str, str]]) -> None:
    sentences = [names([text], label)[0] for text, label in mentions]
    corpus = data(Sentence(f"s{i}", s.tokens, s.spans) for i, s in enumerate(sentences))
    made = run(corpus, "swap:match-length=yes")
    for variant, before in zip(made.variants, corpus, strict=True):
        assert variant.sentence.spans == before.spans
    for label in ("PER", "LOC"):
        kept = [(b.surface(b.spans[0]), v.sentence.surface(v.sentence.spans[0])) for b, v in
                zip(corpus, made.variants, strict=True) if b.spans[0].label == label]  # fmt: skip
        assert Counter(old for old, _ in kept) == Counter(new for _, new in kept)


def test_an_added_mention_changes_replacements_of_its_own_type_only() -> None:
    corpus = [*names([f"Org {n}" for n in range(30)]), sentence("x1", "Anna Bo", "B-PER B-PER")]
    corpus += [Sentence(f"p{n}", (f"Per{n}",), (Span(0, 1, "PER"),)) for n in range(30)]
    more = sentence("new", "Acme Corp", "B-ORG I-ORG")
    before, after = by_parent(run(data(corpus), "swap")), by_parent(run(data([more, *corpus]), "swap"))
    assert all(before[s.id] == after[s.id] for s in corpus if s.spans[0].label == "PER")
    assert any(before[s.id] != after[s.id] for s in corpus if s.spans[0].label == "ORG")


def test_where_a_text_came_from_is_said() -> None:
    corpus = data(names(["Bonn", "Rosa Lind"]))
    (edit,) = by_parent(run(corpus, "swap"))["s0"].edits
    assert (edit.start, edit.end, edit.new, edit.kind) == (0, 1, ("Rosa", "Lind"), "mention")
    assert edit.source == (("from", "s1"), ("was", "Bonn"))


def test_only_the_types_asked_for() -> None:
    corpus = data([*names(["A", "B"], "PER"), sentence("x", "C and D", "B-LOC O B-LOC")])
    made = by_parent(run(corpus, "swap:types=LOC"))
    assert made["s0"].status == "not-applicable"
    assert made["x"].sentence.tokens == ("D", "and", "C")


def test_a_type_that_is_not_there_is_named_with_those_that_are() -> None:
    with pytest.raises(UsageError, match=r"no mention labelled PERS; its labels: ORG"):
        run(data(names(["A", "B"])), "swap:types=PERS")


@settings(max_examples=40)
@given(texts.filter(bool), st.integers(0, 3))
def test_drawing_with_replacement_takes_other_texts_from_other_sentences(given_: list[str], seed: int) -> None:
    corpus = data(names(given_))
    made = run(corpus, "entity-switching", seed)
    sentences = {s.id: s for s in corpus}
    for variant, old in zip(made.variants, given_, strict=True):
        others = [text for text in given_ if text.casefold() != old.casefold()]
        if not others:
            assert (variant.status, variant.reason) == ("unchanged", "no other candidate")
            continue
        (edit,) = variant.edits
        donor = sentences[dict(edit.source)["from"]]
        assert donor.id != variant.parent
        assert donor.mention(donor.spans[0]) == edit.new
        assert " ".join(edit.new).casefold() != old.casefold()


def test_entity_switching_never_draws_from_the_same_sentence() -> None:
    corpus = data([sentence("a", "Bonn met Wien", "B-LOC O B-LOC"), sentence("b", "Graz", "B-LOC")])
    for seed in range(10):
        assert by_parent(run(corpus, "entity-switching", seed))["a"].sentence.tokens == ("Graz", "met", "Graz")


def test_a_text_with_most_mentions_still_finds_the_rare_other() -> None:
    corpus = data(names([*["EU"] * 200, "UN"]))
    made = run(corpus, "swap:replace=yes")
    assert new_surfaces(made) == [*["UN"] * 200, "EU"]


def test_consistent_in_the_corpus_and_in_a_document() -> None:
    texts = ["Bonn", "Wien", "Bonn", "Graz", "Bonn", "Wien"]
    rows = [Sentence(s.id, s.tokens, s.spans, doc_id=f"d{i // 3}") for i, s in enumerate(names(texts))]
    everywhere = new_surfaces(run(data(rows), "swap:consistent=corpus"))
    assert everywhere[0] == everywhere[2] == everywhere[4]
    assert everywhere[1] == everywhere[5]
    assert len({everywhere[0], everywhere[1], everywhere[3]}) == 3
    inside = new_surfaces(run(data(rows), "swap:consistent=document"))
    assert inside[0] == inside[2]
    assert all(new != old for new, old in zip(inside, texts, strict=True))


def test_without_documents_a_sentence_is_one() -> None:
    corpus = data([sentence("a", "Bonn or Bonn", "B-LOC O B-LOC"), *names(["Wien", "Graz"], "LOC")])
    new = by_parent(run(corpus, "swap:consistent=document"))["a"].sentence
    assert new.tokens[0] == new.tokens[2] != "Bonn"


def test_the_released_variant_takes_the_last_unused_of_its_length() -> None:
    corpus = data(names(["A", "B", "C D", "E", "F G"]))
    assert new_surfaces(run(corpus, "swap:variant=released")) == ["E", "A", "F G", "B", "C D"]


def test_the_released_variant_takes_nothing_that_stands_in_the_sentence() -> None:
    corpus = data([sentence("a", "A and B", "B-LOC O B-LOC"), sentence("b", "B", "B-LOC")])
    made = by_parent(run(corpus, "swap:variant=released"))
    assert made["a"].reason == "no other candidate"
    assert made["b"].sentence.tokens == ("A",)


def test_a_pool_is_a_file_of_names(tmp_path: Path) -> None:
    file = tmp_path / "pool.tsv"
    file.write_text("ORG\tAcme Corp.\nORG\tZeta\n", "utf-8")
    corpus = data(names(["Zeta", "Beta", "Two Words"]))
    made = by_parent(run(corpus, f'swap:pool="{file}",match-length=yes'))
    assert made["s0"].reason == "no other candidate"
    assert made["s1"].sentence.tokens[0] == "Zeta"
    assert surfaces([made["s2"].sentence]) == ["Acme Corp."]
    assert made["s1"].edits[0].source[0] == ("from", "pool.tsv:2")


def test_a_pool_is_fixed_so_an_added_sentence_changes_no_other(tmp_path: Path) -> None:
    file = tmp_path / "pool.tsv"
    file.write_text("".join(f"ORG\tNew {n}\n" for n in range(50)), "utf-8")
    corpus = names([f"Old {n}" for n in range(20)])
    more = sentence("front", "Old Firm", "B-ORG I-ORG")
    text = f"swap:pool={file}"
    before, after = by_parent(run(data(corpus), text)), by_parent(run(data([more, *corpus]), text))
    assert {key: after[key] for key in before} == before


@pytest.mark.parametrize(
    "text", ["swap:replace=yes,variant=released", "swap:variant=released,consistent=corpus", "swap:variant=other"]
)
def test_options_that_exclude_each_other(text: str) -> None:
    with pytest.raises(SpecError):
        run(data(names(["A", "B"])), text)


def test_a_pool_that_is_not_there() -> None:
    with pytest.raises(InputError, match="no such file"):
        run(data(names(["A", "B"])), "swap:pool=nowhere.tsv")
