"""The attack: which candidate is taken, what is discarded and why, and what nothing changes."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.perturb.helpers import by_parent, data, run, sentence
from tests.perturb.stub_paraphrasers import HERE, Given
from tests.perturb.wikidata_cases import dictionary, members
from tests.strategies import datasets

from nerquake.core.dataset import Dataset
from nerquake.core.errors import InputError, PluginError, SpecError, UnknownName, UsageError
from nerquake.core.labels import LabelRules
from nerquake.core.paraphrases import Answer, Candidate
from nerquake.core.protocols import Context, ReadOptions
from nerquake.core.seeds import Draws
from nerquake.core.sentence import Sentence
from nerquake.core.variant import AttackedSet, Variant
from nerquake.io.load import load
from nerquake.language.paraphrase_rules import RuleParaphraser
from nerquake.language.paraphrase_text import SAME
from nerquake.perturb import proposing
from nerquake.perturb.choose import build, chains_from, check
from nerquake.perturb.paraphrase import (
    IDENTICAL,
    NO_MENTION,
    NOT_DRAWN,
    OTHER_KIND,
    TOO_NEAR,
    Paraphrase,
)
from nerquake.perturb.paraphrase_mentions import CHANGED, DUPLICATED, LOST, SPLIT
from nerquake.perturb.words import TOO_ODD
from nerquake.registry import PARAPHRASERS, PERTURBATIONS

ANNA = sentence("anna", "Anna met Bo in Bonn on Monday .", "B-PER O B-PER O B-LOC O O O")
ROSA = sentence("rosa", "Rosa Lind left Paris .", "B-PER I-PER O B-LOC O")
NOBODY = sentence("nobody", "Nothing happened .")
CORPUS = data([ANNA, ROSA, NOBODY])
FRONTED = "On Monday Anna met Bo in Bonn."
PASSIVE = "In Bonn on Monday Bo was met by Anna."
REWORDED = "Anna saw Bo in Bonn last Monday."


def attacked(options: str = "", corpus: Dataset = CORPUS, seed: int = 0) -> AttackedSet:
    return run(corpus, f'paraphrase:"{HERE}:Given"{options},name=it', seed)


def one(options: str = "") -> Variant:
    return by_parent(attacked(options))["anna"]


def source(variant: Variant) -> dict[str, str]:
    assert variant.rewrite is not None
    return dict(variant.rewrite.source)


def test_the_most_different_candidate_is_taken() -> None:
    Given.say(anna=[REWORDED, FRONTED, PASSIVE])
    found = one()
    # of the words of both the passive turns 15 of 21 pairs, the adverbial in front 10
    assert " ".join(found.sentence.tokens) == "In Bonn on Monday Bo was met by Anna ."
    assert source(found) == {"rules": f"{HERE}:Given", "kind": "structure", "distance": "0.71",
                             "mentions-moved": "1.00", "wording": "0.12"}  # fmt: skip
    assert [found.sentence.surface(span) for span in found.sentence.spans] == ["Bonn", "Bo", "Anna"]
    assert [span.label for span in found.sentence.spans] == ["LOC", "PER", "PER"]
    assert found.mentions == (2, 1, 0)
    assert attacked().level == "context" and found.replaced == 0


def test_structure_comes_before_any_change_of_words() -> None:
    Given.say(anna=["Anna saw Bo in Bonn last Monday evening , gladly .", "Bo met Anna in Bonn on Monday ."])
    assert source(one())["kind"] == "structure"
    assert source(one(",kind=lexical"))["kind"] == "lexical"


def test_the_first_of_equals() -> None:
    Given.say(anna=["On Monday Anna saw Bo in Bonn.", "On Monday Anna met Bo at Bonn."])
    assert "saw" in one().sentence.tokens


def test_candidates_that_are_not_taken_are_counted() -> None:
    Given.say(anna=["In Bonn Bo was met.", "anna met Bo in Bonn.", "ANNA met Bo in Bonn.", FRONTED], rosa="Paris!")
    made = attacked()
    assert by_parent(made)["anna"].status == "changed"
    gone = by_parent(made)["rosa"]
    assert (gone.status, gone.reason, gone.sentence.tokens) == ("discarded", LOST, ROSA.tokens)
    assert dict(made.rejected) == {LOST: 2, CHANGED: 2}
    assert made.statuses == {"changed": 1, "unchanged": 0, "not-applicable": 1, "discarded": 1}
    assert made.reasons == {LOST: 1, NO_MENTION: 1}
    assert [variant.parent for variant in made.kept] == ["anna", "nobody"]


def test_the_same_again_is_no_paraphrase() -> None:
    Given.say(anna=["Anna met Bo in Bonn on Monday.", "Anna met Bo, in Bonn, on monday!", "Bo met Bonn."])
    found = one()
    assert (found.status, found.reason) == ("unchanged", IDENTICAL)
    assert found.rewrite is None


def test_a_model_that_repeats_the_sentence_changes_nothing() -> None:
    Given.answers.update(anna=Answer(reason=SAME), rosa=Answer((Candidate(text="Gone!"),), SAME))
    assert (one().status, one().reason) == ("unchanged", IDENTICAL)
    assert by_parent(attacked())["rosa"].reason == LOST


def test_no_candidate_is_a_discard_with_the_backend_s_reason() -> None:
    Given.say(rosa=[])
    made = attacked()
    assert (one().status, one().reason) == ("discarded", "no rule applies")
    assert by_parent(made)["rosa"].reason == "no paraphrase"
    assert Given.asked[0] == ["anna", "rosa"], "what has no mention is not asked about"


@pytest.mark.parametrize(("options", "reason"), [
    (",kind=structure", OTHER_KIND),
    (",min-change=0.1", TOO_NEAR),
    (f',filler="{HERE}:Letters",max-perplexity-ratio=0.9', TOO_ODD),
])  # fmt: skip
def test_limits(options: str, reason: str) -> None:
    Given.say(anna=REWORDED)
    assert one().status == "changed"
    assert (one(options).status, one(options).reason) == ("discarded", reason)
    assert dict(attacked(options).rejected) == {reason: 1}


def test_of_those_that_are_natural_enough_the_most_different() -> None:
    # Letters finds words the likelier the shorter they are: 22 letters in 8 tokens before
    long = "In Bonn on Monday unexpectedly Bo was met by Anna."
    Given.say(anna=[long, FRONTED])
    assert "unexpectedly" in one().sentence.tokens
    options = f',filler="{HERE}:Letters",max-perplexity-ratio=1.1'
    assert source(one(options))["perplexity-ratio"] == "1.00"
    assert "unexpectedly" not in one(options).sentence.tokens


def test_rules_name_themselves() -> None:
    tokens = ("On", "Monday", "Anna", "met", "Bo", "in", "Bonn", ".")
    made = Candidate(tokens=tokens, origin=(5, 6, 0, 1, 2, 3, 4, 7), rules=("fronting", "contraction"))
    Given.say(anna=made)
    assert source(one())["rules"] == "fronting+contraction"
    assert source(one())["distance"] == "0.48"


def test_kinds_are_counted_apart() -> None:
    Given.say(anna=FRONTED, rosa="Rosa Lind quit Paris .")
    (chain,) = chains_from([f'paraphrase:"{HERE}:Given"'], "en").chains
    (attack,) = build(chain)
    assert isinstance(attack, Paraphrase)
    draws = Draws(0, "x")
    made = attack.propose_batch(CORPUS.sentences, draws, Context(CORPUS, attack.prepare(CORPUS, draws).state))
    assert attack.counted(made) == (
        "paraphrase: 1 rewrites of structure, 1 of wording alone; mean distance of the order of words 0.24",
    )
    assert attack.counted(made[2:]) == ()


def numbered(count: int) -> Dataset:
    return data([sentence(f"s{n}", f"Anna met Bo in town{n} .", "B-PER O B-PER O O O") for n in range(count)])


def drawn(made: AttackedSet) -> set[str]:
    return {variant.parent for variant in made.variants if variant.kept}


def test_a_sample_of_the_sentences_with_mentions() -> None:
    corpus = numbered(40).with_sentences([*numbered(40), NOBODY])
    Given.say(**{f"s{n}": f"In town{n} Anna met Bo." for n in range(40)})
    made = attacked(",sample=10", corpus)
    assert made.statuses == {"changed": 10, "unchanged": 0, "not-applicable": 0, "discarded": 31}
    assert made.reasons == {NOT_DRAWN: 30, NO_MENTION: 1}
    assert any("10 of 40 sentences with mentions drawn" in note for note in made.notes)
    assert drawn(made) < drawn(attacked(",sample=20", corpus)), "a larger sample has the smaller one in it"
    assert drawn(made) != drawn(attacked(",sample=10", corpus, seed=1))
    turned = corpus.with_sentences(corpus.sentences[::-1])
    assert drawn(made) == drawn(attacked(",sample=10", turned))
    # a sentence more puts one out at most: the k smallest hashes of the whole set are taken
    fewer = corpus.with_sentences(corpus.sentences[1:])
    assert len(drawn(made) - drawn(attacked(",sample=10", fewer))) <= 1
    assert drawn(attacked(",sample=100", corpus)) == {f"s{n}" for n in range(40)}


def test_a_sample_of_the_whole_set_comes_before_the_attack_s_own() -> None:
    Given.say(**{f"s{n}": f"In town{n} Anna met Bo." for n in range(40)})
    from nerquake.perturb.sample import sample_ids

    ten = sample_ids(numbered(40), 10, 0)
    made = run(numbered(40), f'paraphrase:"{HERE}:Given",sample=20,name=it', sample=ten)
    assert {variant.parent for variant in made.kept} == ten


def test_para_is_the_paper_s() -> None:
    (chain,) = chains_from([f'para:"{HERE}:Given"'], "en").chains
    assert build(chain) == [Paraphrase(backend=f"{HERE}:Given", sample=500)]
    assert chain.name == f"para__{HERE}_Given_"
    (plain,) = chains_from(["paraphrase:file:x.tsv"], "en").chains
    assert plain.steps[0].get("") == "file:x.tsv"


def test_the_language_is_the_data_set_s() -> None:
    (attack,) = build(chains_from([f'paraphrase:"{HERE}:Given,language=de",name=it'], "de").chains[0])
    assert isinstance(attack, Paraphrase)
    assert (attack.lacks("de"), attack.lacks("en")) == ("", "no rules for en")
    chains = chains_from([f'paraphrase:"{HERE}:Given,language=de",name=it'], "en").chains
    with pytest.raises(UsageError, match=r"-p paraphrase.*no rules for en"):
        check(chains, CORPUS, LabelRules())
    check(chains, Dataset("d", CORPUS.sentences, language="de"), LabelRules())


def test_a_suite_leaves_it_out_where_the_language_has_no_backend(monkeypatch: pytest.MonkeyPatch) -> None:
    spec = f'paraphrase:backend="{HERE}:Given,language=de",sample=500'
    monkeypatch.setitem(cast(dict[str, str], PERTURBATIONS.aliases), "para", spec)
    assert "para" in [chain.text for chain in chains_from(["multilingual"], "de").chains]
    english = chains_from(["multilingual"], "en")
    assert "para" not in [chain.text for chain in english.chains]
    assert "para (no rules for en)" in english.notes[0]


def test_a_suite_leaves_it_out_too_where_no_language_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(RuleParaphraser, "lacks", lambda self, language: f"nothing for {language or 'no language'}")
    found = chains_from(["multilingual"], "")
    assert "para" not in [chain.text for chain in found.chains]
    assert "para (nothing for no language)" in found.notes[0] or "para (needs spacy" in found.notes[0]


@pytest.mark.parametrize(("options", "error"), [
    ("sample=-1", SpecError), ("min-change=2", SpecError), ("min-meaning=2", SpecError),
    ("max-perplexity-ratio=2", SpecError), ("max-perplexity-ratio=-2,filler=ngram", SpecError),
    ("kind=odd", SpecError), ("nope", UnknownName),
    ("filler=nope", UnknownName), ("allow=aliases", SpecError), ("allow=aliases,dictionary=nope", InputError),
    ("allow=aliases,dictionary=starter,links=nope", InputError),
])  # fmt: skip
def test_options_are_checked_before_anything_runs(options: str, error: type[Exception]) -> None:
    begin = "" if options == "nope" else f'"{HERE}:Given",'
    with pytest.raises(error):
        build(chains_from([f"paraphrase:{begin}{options}"], "en").chains[0])


def test_a_backend_that_breaks_the_protocol(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Given, "paraphrase", lambda self, sentences, draws: [Answer()])
    with pytest.raises(PluginError, match="1 answers for 2 sentences"):
        attacked()
    with pytest.raises(PluginError, match="is no paraphraser: it has no lacks"):
        build(chains_from([f"paraphrase:{HERE}:Letters"], "en").chains[0])
    assert PARAPHRASERS.needs == ("lacks", "paraphrase", "about", "fingerprint")


@pytest.mark.parametrize("odd", [
    "In Bonn Anna met Bo.", Candidate(text=cast(str, None)), Candidate(tokens=cast(tuple[str, ...], ["Bo"])),
    Candidate(tokens=cast(tuple[str, ...], (1, 2))), Candidate(tokens=("Bo",), origin=cast(tuple[int, ...], ("0",))),
])  # fmt: skip
def test_candidates_that_are_none(odd: object) -> None:
    Given.answers.update(anna=Answer((cast(Candidate, odd),)))
    with pytest.raises(PluginError, match=r"sentence 'anna': the paraphraser .*Given gave a candidate that is none"):
        attacked()


def test_other_names_of_an_item_by_wish_only(tmp_path: Path) -> None:
    rows = [*members("Q6256", "GPE", {"Q30": "United States", "Q794": "Iran"}), ("alias", "Q30", "en", "U.S."),
            ("alias", "Q30", "en", "America"), ("alias", "Q30", "en", "the states")]  # fmt: skip
    file = dictionary(tmp_path, rows)
    us = sentence("us", "The United States beat Iran in Bonn .", "O B-GPE I-GPE O B-GPE O B-GPE O")
    corpus = data([us])
    Given.say(us="In Bonn, Iran was beaten by the U.S.")
    assert by_parent(attacked("", corpus))["us"].reason == LOST
    options = f',allow=aliases,dictionary="{file}"'
    made = attacked(options, corpus)
    found = by_parent(made)["us"]
    assert found.status == "changed" and made.level == "both"
    assert found.sentence.tokens[-3:] == ("the", "U.S.", ".")
    assert found.sentence.surface(found.sentence.spans[-1]) == "U.S."
    assert source(found)["alias"] == "United States -> U.S."
    assert found.replaced == 1 and found.mentions == (2, 1, 0)
    assert any("1 of 3 mentions have other names" in note for note in made.notes)
    for text in ("In Bonn, Iran was beaten by the U.S. of America.", "In Bonn, Iran was beaten by the states."):
        Given.say(us=text)
        assert by_parent(attacked(options, corpus))["us"].status == "discarded"
    Given.say(us="The U.S. beat Iran in Bonn.")
    assert by_parent(attacked(options, corpus))["us"].status == "changed"


def mentions(one: Sentence) -> Counter[tuple[tuple[str, ...], str]]:
    return Counter((one.mention(span), span.label) for span in one.spans)


WILD = f'paraphrase:"{HERE}:Wild",name=it'


@settings(max_examples=50)
@given(datasets(max_size=5, laid_out=True), st.integers(0, 3))
def test_every_output_has_the_mentions_and_labels_of_its_original(corpus: Dataset, seed: int) -> None:
    made = run(Dataset(corpus.name, corpus.sentences, language="en"), WILD, seed)
    for before, variant in zip(corpus, made.variants, strict=True):
        assert mentions(variant.sentence) == mentions(before)
        assert None not in variant.mentions
        for span, index in zip(before.spans, variant.mentions, strict=True):
            after = variant.sentence.spans[index or 0]
            assert variant.sentence.mention(after) == before.mention(span)
            assert after.label == span.label
        assert (variant.status == "changed") == (variant.sentence.tokens != before.tokens)


def test_a_wild_backend_on_real_sentences() -> None:
    """The property above is about something: most sentences are changed, and candidates refused for every reason."""
    made = run(load("sample:en"), WILD)
    assert made.statuses["changed"] > 200 and made.statuses["discarded"] > 0
    assert {LOST, CHANGED, SPLIT, DUPLICATED} <= dict(made.rejected).keys()
    for before, variant in zip(load("sample:en"), made.variants, strict=True):
        assert mentions(variant.sentence) == mentions(before)


@pytest.mark.shared
def test_tweets(shared: Path) -> None:
    read = load(str(shared / "data" / "wnut17" / "emerging.test.annotated"), options=ReadOptions(lenient=True))
    made = run(Dataset("wnut17", read.sentences, language="en"), WILD)
    assert made.statuses["changed"] > 100
    for before, variant in zip(read, made.variants, strict=True):
        assert mentions(variant.sentence) == mentions(before)


@settings(max_examples=25)
@given(datasets(min_size=2, max_size=6), st.integers(0, 3), st.randoms(use_true_random=False))
def test_neither_order_nor_batch_nor_another_sentence_changes_anything(corpus, seed, rng) -> None:  # type: ignore[no-untyped-def]
    corpus = Dataset("d", tuple(Sentence(f"s{n}", s.tokens, s.spans) for n, s in enumerate(corpus)), language="en")
    first = {key: tokens(variant) for key, variant in by_parent(run(corpus, WILD, seed)).items()}
    shuffled = list(corpus)
    rng.shuffle(shuffled)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(proposing, "BATCH", 2)
        turned = by_parent(run(corpus.with_sentences(shuffled), WILD, seed, jobs=2))
    assert {key: tokens(variant) for key, variant in turned.items()} == first
    # another sentence counts only by its names and words: here it has none of its own
    more = corpus.with_sentences([*corpus, Sentence("more", corpus.sentences[0].tokens, corpus.sentences[0].spans)])
    added = {key: tokens(variant) for key, variant in by_parent(run(more, WILD, seed)).items() if key != "more"}
    assert added == first


def tokens(variant: Variant) -> tuple[object, ...]:
    return variant.sentence.tokens, variant.sentence.spans, variant.status, variant.reason


def test_a_real_file_from_end_to_end(tmp_path: Path) -> None:
    (tmp_path / "made.tsv").write_text(f"anna\t{FRONTED}\nrosa\tParis was left by R. Lind.\n", "utf-8")
    made = run(CORPUS, f"paraphrase:file:{tmp_path / 'made.tsv'},name=it")
    assert " ".join(by_parent(made)["anna"].sentence.tokens) == "On Monday Anna met Bo in Bonn ."
    assert by_parent(made)["rosa"].reason == CHANGED
    assert "paraphrase: by made.tsv: 2 paraphrases of 2 sentences" in made.notes
