"""What `attack` makes of proposals: statuses, ids, composed edits, errors."""

from __future__ import annotations

import gc
from dataclasses import replace

import pytest
from tests.perturb.helpers import by_parent, data, names, run, sentence

from nerquake.core.edits import Edit, Rewrite, apply_edits
from nerquake.core.errors import PluginError
from nerquake.core.protocols import Proposal
from nerquake.core.sentence import Layout, Sentence, TokenIds, token_hash
from nerquake.core.span import Span
from nerquake.core.spec import Chain, Spec
from nerquake.perturb import run as run_module
from nerquake.perturb.choose import build, chains_from
from nerquake.perturb.identity import Identity
from nerquake.perturb.keys import step_keys
from nerquake.perturb.run import attack

CORPUS = data([
    sentence("a", "Anna Lind met Bo in Bonn .", "B-PER I-PER O B-PER O B-LOC O"),
    sentence("b", "Nothing happened ."),
    sentence("c", "Wien and Graz and Cleo", "B-LOC O B-LOC O B-PER"),
])  # fmt: skip


class Scripted(Identity):
    """Proposes what it is told, and says what it was shown."""

    def __init__(self, proposals: dict[str, Proposal]) -> None:
        object.__setattr__(self, "proposals", proposals)
        object.__setattr__(self, "shown", [])

    def propose(self, sentence, draws, context):  # type: ignore[no-untyped-def]
        self.shown.append((sentence.tokens, [s.id for s in context.corpus]))  # type: ignore[attr-defined]
        return self.proposals[sentence.id]  # type: ignore[attr-defined]


def scripted(monkeypatch: pytest.MonkeyPatch, *steps: dict[str, Proposal]) -> list[Scripted]:
    made = [
        Scripted({**{s.id: Proposal(reason="as told", applicable=False) for s in CORPUS}, **step}) for step in steps
    ]
    monkeypatch.setattr(run_module, "build", lambda chain: made)
    return made


def chain(size: int = 1) -> Chain:
    return Chain(tuple(Spec(f"step{n}") for n in range(size)), "scripted")


def test_statuses_and_reasons(monkeypatch: pytest.MonkeyPatch) -> None:
    scripted(monkeypatch, {
        "a": Proposal(reason="lost a mention", discard=True), "c": Proposal(reason="no other candidate"),
    })  # fmt: skip
    made = attack(CORPUS, chain(), 0)
    assert made.statuses == {"changed": 0, "unchanged": 1, "not-applicable": 1, "discarded": 1}
    assert made.reasons == {"as told": 1, "lost a mention": 1, "no other candidate": 1}
    assert [variant.parent for variant in made.kept] == ["b", "c"]
    assert by_parent(made)["c"].sentence.tokens == CORPUS.sentences[2].tokens


def test_an_edit_that_changes_nothing_is_no_change(monkeypatch: pytest.MonkeyPatch) -> None:
    scripted(monkeypatch, {"a": Proposal((Edit(3, 4, ("Bo",), "mention"),), attackable=2)})
    variant = by_parent(attack(CORPUS, chain(), 0))["a"]
    assert (variant.status, variant.reason) == ("unchanged", "nothing differs from the original")
    assert (variant.edits, variant.attackable, variant.replaced) == ((), 2, 0)


def test_a_discarded_sentence_takes_no_part_in_later_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    _, second = scripted(monkeypatch, {"a": Proposal(discard=True, reason="gone")}, {})
    made = attack(CORPUS, chain(2), 0)
    assert by_parent(made)["a"].reason == "gone"
    assert [ids for _, ids in second.shown] == [["b", "c"]] * 2  # type: ignore[attr-defined]


def test_edits_after_a_rewrite_become_part_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    rewrite = Rewrite(("Oh", "Bo", "!"), (Span(1, 2, "PER"),), (None, 0, None), (("from", "x"),))
    edit = Edit(1, 2, ("Rosa", "Lind"), "mention", (("was", "Bo"),))
    scripted(monkeypatch, {"a": Proposal(rewrite=rewrite)}, {"a": Proposal((edit,))})
    variant = by_parent(attack(CORPUS, chain(2), 0))["a"]
    assert variant.sentence.tokens == ("Oh", "Rosa", "Lind", "!")
    assert variant.edits == ()
    assert variant.mentions == (None, 0, None)
    assert variant.replaced == 1
    assert variant.rewrite == Rewrite(
        ("Oh", "Rosa", "Lind", "!"), (Span(1, 3, "PER"),), (None, 0, None), (("step0.from", "x"), ("step1.was", "Bo"))
    )


def test_a_second_step_that_undoes_the_first(monkeypatch: pytest.MonkeyPatch) -> None:
    there, back = Edit(3, 4, ("Cleo",), "mention"), Edit(3, 4, ("Bo",), "mention")
    scripted(monkeypatch, {"a": Proposal((there,))}, {"a": Proposal((back,))})
    variant = by_parent(attack(CORPUS, chain(2), 0))["a"]
    assert (variant.status, variant.edits) == ("unchanged", ())


@pytest.mark.parametrize("proposal", [
    Proposal((Edit(0, 1, ("Rosa",), "context"),)),
    Proposal((Edit(1, 3, ("x",), "mention"),)),
    Proposal((Edit(6, 9, ("x",), "context"),)),
    Proposal((Edit(2, 3, ("",), "context"),)),
    Proposal(rewrite=Rewrite(("x",), (), (None,))),
    Proposal(rewrite=Rewrite((), (), (None, None, None))),
])  # fmt: skip
def test_a_proposal_that_would_do_damage_names_the_attack_and_the_sentence(
    monkeypatch: pytest.MonkeyPatch, proposal: Proposal
) -> None:
    scripted(monkeypatch, {"a": proposal})
    with pytest.raises(PluginError, match=r"step0 proposed a change to sentence 'a' that cannot be made"):
        attack(CORPUS, chain(), 0)


def test_ids_of_sentences_that_have_one() -> None:
    made = run(CORPUS, "swap:name=mine")
    assert [(v.id, v.parent, v.sentence.source) for v in made.variants] == [(f"{k}~mine", k, k) for k in "abc"]
    assert (made.name, made.spec, made.level) == ("mine", "swap:name=mine", "entity")


def test_hashed_ids_are_those_of_the_kept_tokens_in_order() -> None:
    ids = TokenIds()
    rows = [("Bonn",), ("Wien",), ("Bonn",), ("said",)]
    sentences = [Sentence(ids.next(t), t, (Span(0, 1, "LOC"),) if t != ("said",) else (), hashed=True) for t in rows]
    made = run(data(sentences), "swap", sample=frozenset(s.id for s in sentences[:3]))
    counted = TokenIds()
    kept = [variant for variant in made.variants if variant.kept]
    assert len(kept) == 3
    assert [variant.id for variant in kept] == [counted.next(variant.sentence.tokens) for variant in kept]
    assert made.variants[3].id == token_hash(("said",))
    assert len({variant.id for variant in made.variants}) == 4


def test_unsampled_sentences_are_discarded_and_still_drawn_from() -> None:
    corpus = data(names(["A", "B", "C", "D"]))
    made = run(corpus, "swap", sample=frozenset({"s1"}))
    assert made.reasons == {"not sampled": 3}
    assert by_parent(made)["s1"] == by_parent(run(corpus, "swap"))["s1"]


def test_the_line_of_the_file_is_forgotten_and_its_comments_kept() -> None:
    one = replace(CORPUS.sentences[1], layout=Layout(("# a comment",), raw='{"id": "b"}'))
    (variant,) = run(data([one]), "swap").variants
    assert variant.sentence.layout == Layout(("# a comment",))


def test_swap_in_a_chain_is_swap_alone() -> None:
    corpus = data(names([f"Name {n}" for n in range(30)], "PER"))
    swapped, both = run(corpus, "swap"), run(corpus, "swap+letters")
    for first, second in zip(swapped.variants, both.variants, strict=True):
        assert dict(second.edits[0].source)["swap.from"] == dict(first.edits[0].source)["from"]
        assert dict(second.edits[0].source)["letters.was"] == " ".join(first.edits[0].new)


def test_a_chain_is_its_steps_in_a_row() -> None:
    corpus = data([*CORPUS, *names(["Rosa Lind", "Jo"], "PER")])
    first = run(corpus, "swap")
    middle = data(replace(v.sentence, id=v.parent, source=None) for v in first.variants)
    second, both = run(middle, "letters"), run(corpus, "swap+letters")
    assert [v.sentence.tokens for v in both.variants] == [v.sentence.tokens for v in second.variants]
    assert [v.sentence.spans for v in both.variants] == [v.sentence.spans for v in second.variants]
    for before, variant in zip(corpus, both.variants, strict=True):
        assert apply_edits(before, variant.edits).sentence.tokens == variant.sentence.tokens


def test_the_name_of_a_set_draws_nothing() -> None:
    assert by_parent(run(CORPUS, "letters:name=x"))["a"].edits == by_parent(run(CORPUS, "letters"))["a"].edits


def test_keys_of_draws() -> None:
    assert keys("letters+swap:types=PER,name=x+letters+letters") == [
        "letters", "swap,types=PER", "letters#2", "letters#3",
    ]  # fmt: skip
    assert keys("swap:coverage=20,coverage-draw=nested") == ["swap,coverage_draw=nested"]


@pytest.mark.parametrize(
    "spellings",
    [
        ("swap:coverage=20", "swap:coverage=0.2", "swap:coverage=20,consistent=mention"),
        ("swap:types=PER|LOC", "swap:types=LOC|PER"),
        ("swap:match-length=yes", "swap:match_length=true"),
        ("swap", "swap:coverage=100", "swap:replace=no"),
    ],
)
def test_options_that_mean_the_same_draw_the_same(spellings: tuple[str, ...]) -> None:
    assert len({tuple(keys(text)) for text in spellings}) == 1


def keys(text: str) -> list[str]:
    chain = chains_from([text], "en").chains[0]
    return step_keys(chain.steps, build(chain))


def test_a_repeated_step_draws_anew() -> None:
    once, twice = run(CORPUS, "letters"), run(CORPUS, "letters+letters")
    assert once.variants[0].sentence.tokens != twice.variants[0].sentence.tokens
    sources = [key for key, _ in twice.variants[0].edits[0].source]
    assert sources == ["letters.was", "letters#2.was"]


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("text", ["swap", "swap+letters"])
def test_progress_counts_every_sentence_once(jobs: int, text: str) -> None:
    told: list[int] = []
    run(data(names([f"N{n}" for n in range(601)])), text, jobs=jobs, progress=told.append)
    assert sum(told) == 601
    assert len(told) > 1


@pytest.mark.parametrize(("text", "level"), [
    ("identity", "none"), ("swap", "entity"), ("swap+letters", "entity"), ("identity+swap", "entity"),
    ("mixup", "both"), ("swap+mixup", "both"),
])  # fmt: skip
def test_levels(text: str, level: str) -> None:
    assert run(CORPUS, text).level == level


def test_a_data_set_without_mentions_or_sentences() -> None:
    for corpus in (data([]), data([sentence("b", "Nothing happened .")])):
        for text in ("swap", "faker", "letters", "mixup", "identity"):
            made = run(corpus, text)
            assert made.statuses["changed"] == 0
            assert len(made.variants) == len(corpus)


def test_the_collector_is_left_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    before = gc.get_threshold()
    run(CORPUS, "swap")
    assert gc.get_threshold() == before
    scripted(monkeypatch, {"a": Proposal((Edit(0, 1, ("Rosa",), "context"),))})
    with pytest.raises(PluginError):
        attack(CORPUS, chain(), 0)
    assert gc.get_threshold() == before
