"""Mask and context: which words are masked, in which order, and which candidate is taken."""

from __future__ import annotations

from collections import Counter

import pytest
from tests.perturb.helpers import by_parent, data, outside, run, sentence
from tests.perturb.stub_fillers import HERE, Listed, MissesBeside, Noisy

from nerquake.core.dataset import Dataset
from nerquake.core.errors import LabelsDiffer, SpecError, UsageError
from nerquake.core.labels import LabelRules
from nerquake.core.variant import AttackedSet
from nerquake.io.work import Asked, variants_key
from nerquake.perturb.choose import chains_from

LISTED = f"{HERE}:Listed"
GREEK = "alpha|beta|gamma|delta|epsilon|zeta|eta|theta"
TEXT = "Anna Lind saw houses slowly near old Bonn yesterday ."
TAGS = "B-PER I-PER O O O O O B-LOC O O"


def corpus(count: int = 8) -> Dataset:
    return data([sentence(f"s{at}", TEXT, TAGS) for at in range(count)])


def listed(words: str = GREEK, name: str = "mask", more: str = "") -> str:
    return f'{name}:filler="{LISTED},words={words}"{more},name=it'


def changed_positions(made: AttackedSet) -> list[list[int]]:
    return [[edit.start for edit in variant.edits] for variant in made.variants]


def test_mask_replaces_three_words_and_leaves_mentions_and_punctuation() -> None:
    made = run(corpus(), listed())
    for variant in made.variants:
        assert variant.sentence.tokens[:2] == ("Anna", "Lind") and variant.sentence.tokens[7] == "Bonn"
        assert variant.sentence.tokens[9] == "."
        assert len(variant.edits) == 3
        assert {edit.new[0] for edit in variant.edits} <= set(GREEK.split("|")[:5]), "of the five best"
        assert all(edit.source == (("was", TEXT.split()[edit.start]),) for edit in variant.edits)
    assert made.level == "context"
    assert made.context_words == 24
    assert len(set(map(tuple, changed_positions(made)))) > 3, "positions are drawn"


def test_each_fill_sees_the_earlier_ones_and_nothing_else_is_hidden() -> None:
    Listed.asked.clear()
    made = run(corpus(1), listed())
    first, second, third = Listed.asked
    words = TEXT.split()
    assert first.tokens == tuple(words) and not first.hidden
    assert sum(a != b for a, b in zip(second.tokens, words, strict=True)) == 1
    assert sum(a != b for a, b in zip(third.tokens, words, strict=True)) == 2
    assert len({one.position for one in Listed.asked}) == 3, "no position twice"
    assert {one.key for one in Listed.asked} == {"s0"}
    assert made.variants[0].sentence.tokens[third.position] != words[third.position]


def test_a_sentence_with_fewer_words_has_fewer_masked() -> None:
    short = data([sentence("a", "Anna sang . !", "B-PER O O O"), sentence("b", "Anna Lind", "B-PER I-PER")])
    made = by_parent(run(short, listed()))
    assert len(made["a"].edits) == 1
    assert (made["b"].status, made["b"].reason) == ("not-applicable", "no word outside mentions that can be masked")


def test_where_no_candidate_is_left_the_next_position_is_tried() -> None:
    """`sang` cannot become `sang`, and `beta` not `beta`: with one candidate each, the other word is masked."""
    one = data([sentence(f"s{at}", "Anna sang low", "B-PER O O") for at in range(9)])
    made = run(one, f'mask:filler="{LISTED},words=sang",masks=1')
    assert changed_positions(made) == [[2]] * 9
    assert dict(made.rejected)["the word that stood there"] in range(1, 9)


def test_no_candidate_left_at_all() -> None:
    made = run(corpus(3), f'mask:filler="{LISTED},words=##a|[UNK]"')
    assert {(v.status, v.reason) for v in made.variants} == {("unchanged", "no candidate left")}
    assert dict(made.rejected) == {"piece of a word": 18, "special token": 18}


def test_released_mask_draws_among_the_models_five_best_that_pass() -> None:
    words = "[UNK]|##a|alpha|beta|gamma|delta|epsilon"
    text = {edit.new[0] for v in run(corpus(20), f'mask:filler="{LISTED},words={words}"').variants for edit in v.edits}
    released = run(corpus(20), f'mask:filler="{LISTED},words={words}",variant=released')
    assert text == {"alpha", "beta", "gamma", "delta", "epsilon"}
    assert {edit.new[0] for v in released.variants for edit in v.edits} == {"alpha", "beta", "gamma"}


def test_names_of_a_file_are_never_put_in(tmp_path) -> None:  # type: ignore[no-untyped-def]
    (tmp_path / "names.txt").write_text("Alpha\nBeta Gamma\n", "utf-8")
    made = run(corpus(20), listed("alpha|gamma", more=f",names={tmp_path / 'names.txt'}"))
    assert {edit.new[0] for v in made.variants for edit in v.edits} == {"gamma"}
    assert dict(made.rejected)["a mention of the set or a listed name"] == 60


@pytest.mark.parametrize("name", ["mask", "context"])
def test_a_set_is_made_again_where_a_file_that_it_depends_on_has_changed(name: str, tmp_path) -> None:  # type: ignore[no-untyped-def]
    names, rules = tmp_path / "names.txt", tmp_path / "rules.tsv"
    more = f",pos=stopwords,surrogate=rules:{rules}" if name == "context" else ""
    (chain,) = chains_from([listed(name=name, more=f",names={names}{more}")], "en").chains

    def key(listed: str, rule: str) -> object:
        names.write_text(listed, "utf-8")
        rules.write_text(f"PER\t{rule}\n", "utf-8")
        return variants_key(Asked(corpus(), chain, 0))

    first = key("Alpha\n", "Anna")
    assert first is not None and first == key("Alpha\n", "Anna")
    assert first != key("Beta\n", "Anna")
    assert (first != key("Alpha\n", "Bo")) == (name == "context")


def test_a_second_step_protects_the_mentions_that_the_first_put_in() -> None:
    people = data([
        sentence("a", "Anna met old Bo", "B-PER O O B-PER"), sentence("b", "Cleo Lind sang here", "B-PER I-PER O O"),
    ])  # fmt: skip
    made = run(people, f'rs+mask:filler="{LISTED},words=alpha|beta"')
    swapped = by_parent(run(people, "rs"))
    assert made.level == "both"
    for variant in made.variants:
        alone = swapped[variant.parent].sentence
        assert [variant.sentence.mention(s) for s in variant.sentence.spans] == [alone.mention(s) for s in alone.spans]
        assert outside(variant.sentence) != outside(alone)
        assert {edit.kind for edit in variant.edits} == {"mention", "context"}


def test_the_alias_m_plus_r_is_swap_then_mask_and_takes_options_of_both() -> None:
    people = data([sentence("a", "Anna met old Bo", "B-PER O O B-PER"), sentence("b", "Cleo sang here", "B-PER O O")])
    typed = run(people, f'm+r,filler="{LISTED},words=alpha|beta",masks=1,match-length=yes')
    spelled = run(people, f'swap:match-length=yes+mask:filler="{LISTED},words=alpha|beta",masks=1')
    assert [v.sentence.tokens for v in typed.variants] == [v.sentence.tokens for v in spelled.variants]
    assert run(people, "m+r").level == "both"
    with pytest.raises(UsageError, match="nothing"):
        run(people, "m+r,nothing=1")


def test_context_masks_between_one_and_three_content_words_together() -> None:
    Listed.asked.clear()
    made = run(corpus(40), listed(name="context", more=",ranks=1-8,pos=stopwords"))
    counts = Counter(len(variant.edits) for variant in made.variants)
    assert set(counts) == {1, 2, 3} and min(counts.values()) > 3
    content = {"saw", "houses", "slowly", "near", "old", "yesterday"}
    assert {TEXT.split()[at] for each in changed_positions(made) for at in each} <= content
    for one in Listed.asked:
        assert all(one.position < other for other in one.hidden), "from left to right"
    assert any(one.hidden for one in Listed.asked)


def test_context_takes_these_ranks_both_ends_included() -> None:
    made = run(corpus(60), listed(name="context", more=",ranks=3-5,pos=stopwords"))
    assert {edit.new[0] for v in made.variants for edit in v.edits} == {"gamma", "delta", "epsilon"}


def test_context_says_what_it_works_with_and_names_three_surrogates() -> None:
    made = run(corpus(), listed(name="context", more=",ranks=1-8"))
    notes = " ".join(made.notes)
    assert "no surrogate was named" in notes
    assert all(f"surrogate={name}:" in notes for name in ("spacy", "huggingface", "rules"))
    assert "a list of 8 words" in notes
    assert "not the paper's setting" in " ".join(run(corpus(), "rockner-c").notes)
    assert "n-grams are no masked language model" in " ".join(run(corpus(), "mask:ngram").notes)


SURROGATE = f"{HERE}:MissesBeside"


@pytest.mark.parametrize("word", ["alpha", "epsilon", "theta"])
def test_the_chosen_candidate_holds_the_word_that_the_surrogate_stumbles_over(word: str) -> None:
    people = data([sentence(f"s{at}", "Anna saw houses slowly yesterday .", "B-PER O O O O O") for at in range(30)])
    MissesBeside.batches.clear()
    more = f',ranks=1-8,k=20,pos=stopwords,surrogate="{SURROGATE},word={word}"'
    made = run(people, listed(name="context", more=more))
    assert sum(word in variant.sentence.tokens for variant in made.variants) == 30
    assert len(MissesBeside.batches) == 1, "the surrogate is called once a batch"
    assert made.variants[0].edits[0].source[1] == ("surrogate-missed", "1 of 1 mentions")


def test_keep_hurting_leaves_the_others_alone() -> None:
    people = data([sentence(f"s{at}", "Anna saw houses slowly yesterday .", "B-PER O O O O O") for at in range(60)])
    more = f',ranks=1-8,k=2,pos=stopwords,surrogate="{SURROGATE},word=alpha"'
    always = run(people, listed(name="context", more=more))
    hurting = run(people, listed(name="context", more=more + ",keep=hurting"))
    assert always.statuses["changed"] == 60
    assert 0 < hurting.statuses["changed"] < 60
    assert hurting.reasons == {"no candidate makes the surrogate miss more": hurting.statuses["unchanged"]}
    for variant in hurting.variants:
        assert ("alpha" in variant.sentence.tokens) == (variant.status == "changed")


def test_a_surrogate_that_misses_already_hurts_no_more() -> None:
    people = data([sentence("s", "Anna saw alpha yesterday .", "B-PER O O O O")])
    more = f',ranks=1-8,pos=stopwords,surrogate="{SURROGATE},word=Anna",keep=hurting'
    assert run(people, listed(name="context", more=more)).statuses["changed"] == 0


def test_the_labels_of_a_surrogate_are_joined_as_those_of_a_model() -> None:
    people = data([sentence("s", "Anna saw houses slowly yesterday .", "B-person O O O O O")])
    spec = listed(name="context", more=f',ranks=1-8,pos=stopwords,surrogate="{SURROGATE},word=alpha"')
    with pytest.raises(LabelsDiffer, match="PER"):
        run(people, spec)
    assert run(people, spec, rules=LabelRules.parse(renames="PER=person")).statuses["changed"] == 1


@pytest.mark.parametrize(
    ("spec", "what"),
    [
        ("context:keep=hurting", "needs a surrogate"),
        ("context:k=0", "begin at 1"),
        ("context:ranks=0-5", "begin at 1"),
        ("mask:masks=0", "begin at 1"),
        ("mask:max_perplexity_ratio=-1", "0 .no limit. or above"),
        ("mask:filler=nothing", "no mask filler is called"),
        ("context:surrogate=nothing", "no tagger is called"),
        ("context:surrogate=file:x.conll", "predictions made elsewhere"),
    ],
)
def test_wrong_options_are_told_before_anything_runs(spec: str, what: str) -> None:
    with pytest.raises((SpecError, UsageError), match=what):
        run(corpus(), spec)


def test_a_limit_on_perplexity_keeps_odd_sentences_out() -> None:
    """The stub gives a word of n letters the probability exp(-n): short fills are natural, long ones odd."""
    words, more = "ab|extraordinarily-long-word", ",best=2,masks=1,max_perplexity_ratio="
    free = run(corpus(30), listed(words, more=f"{more}100"))
    assert 5 < sum("extraordinarily-long-word" in v.sentence.tokens for v in free.variants) < 25
    assert free.statuses["changed"] == 30
    strict = run(corpus(30), listed(words, more=f"{more}1.2"))
    odd = sum("extraordinarily-long-word" in v.sentence.tokens for v in free.variants)
    assert strict.reasons == {"above max_perplexity_ratio": odd}
    assert all("extraordinarily-long-word" not in v.sentence.tokens for v in strict.variants)


def test_context_takes_another_candidate_where_one_is_too_odd() -> None:
    more = ",ranks=1-2,pos=stopwords,masks=1-1,max_perplexity_ratio=1.2"
    made = run(corpus(30), listed("ab|extraordinarily-long-word", "context", more))
    assert all("extraordinarily-long-word" not in v.sentence.tokens for v in made.variants)
    assert made.statuses["changed"] > 25


@pytest.mark.parametrize("name", ["mask", "context"])
def test_noise_batches_and_order_change_nothing(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from nerquake.perturb import proposing

    more = "" if name == "mask" else ",ranks=5-20,pos=stopwords"
    spec = f'{name}:filler="{HERE}:Noisy"{more}'
    sentences = list(corpus(30))
    Noisy.calls.clear()
    first = by_parent(run(data(sentences), spec))
    for size, ordered in ((1, sentences), (7, sentences[::-1]), (30, sentences[11:] + sentences[:11])):
        monkeypatch.setattr(proposing, "BATCH", size)
        made = by_parent(run(data(ordered), spec, jobs=2))
        assert {key: variant.sentence for key, variant in made.items()} == {
            key: variant.sentence for key, variant in first.items()
        }
    assert 1 in Noisy.calls


def test_another_filler_or_surrogate_is_asked_about_the_same_places() -> None:
    plain = changed_positions(run(corpus(), listed()))
    assert plain == changed_positions(run(corpus(), listed("one|two|three|four|five|six")))
    assert plain != changed_positions(run(corpus(), listed(), seed=1))
    context = changed_positions(run(corpus(), listed(name="context", more=",ranks=1-8,pos=stopwords,k=1")))
    more = f',ranks=1-8,pos=stopwords,k=1,surrogate="{SURROGATE},word=alpha"'
    assert context == changed_positions(run(corpus(), listed(name="context", more=more)))


def test_an_added_sentence_changes_no_other_one() -> None:
    before = by_parent(run(corpus(8), listed()))
    more = by_parent(run(data([sentence("new", "Bo sang there", "B-PER O O"), *corpus(8)]), listed()))
    assert {key: more[key] for key in before} == before


def test_umlauts_and_devanagari_survive() -> None:
    german = data([sentence("d", "Übel müde Vögel sah Käthe Groß", "O O O O B-PER I-PER")])
    hindi = data([sentence("h", "राम ने शहर में घर देखा ।", "B-PER O O O O O O")])
    german_made = run(german, f'mask:filler="{LISTED},words=schöne|größer"').variants[0]
    hindi_made = run(hindi, f'mask:filler="{LISTED},words=नगर|पुराना"').variants[0]
    assert german_made.sentence.tokens[4:] == ("Käthe", "Groß") and len(german_made.edits) == 3
    assert {edit.new[0] for edit in german_made.edits} <= {"schöne", "größer"}
    assert {edit.new[0] for edit in hindi_made.edits} <= {"नगर", "पुराना"} and len(hindi_made.edits) == 3
    assert hindi_made.sentence.tokens[0] == "राम" and hindi_made.sentence.tokens[-1] == "।"


def test_a_sentence_alone_is_as_in_a_batch() -> None:
    from nerquake.core.protocols import Context
    from nerquake.core.seeds import Draws
    from nerquake.perturb.mask import Mask

    attack = Mask(filler=f"{LISTED},words=alpha|beta|gamma")
    state = attack.prepare(corpus(), Draws(0, "mask")).state
    context = Context(corpus(), state)
    batch = attack.propose_batch(corpus().sentences, Draws(0, "mask"), context)
    assert [attack.propose(one, Draws(0, "mask").of(one.id), context) for one in corpus()] == batch
