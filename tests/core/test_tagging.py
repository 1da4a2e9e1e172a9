"""The runner: gold is never visible, answers are joined by id and checked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import pytest
from hypothesis import given
from tests.fakes import ScriptedSets, ScriptedTagger, knows
from tests.strategies import datasets

from nerquake.core.dataset import Dataset
from nerquake.core.errors import LabelsDiffer, PluginError
from nerquake.core.labels import JoinedLabels, LabelRules
from nerquake.core.protocols import SetTagger, Tagger, Tagging
from nerquake.core.sentence import Layout, Sentence
from nerquake.core.span import Span
from nerquake.core.tagging import BATCH, Named, announce, remembering, run_tagger

ANNA = Sentence("s1", ("Anna", "met"), (Span(0, 1, "PER"),), columns=(("B-PER",), ("O",)), layout=Layout(("# PER",)))
BONN = Sentence("s2", ("Bonn",), (Span(0, 1, "LOC"),), meta=(("labels", "LOC"),))


def join(unmapped: str = "stop", renames: str = "") -> JoinedLabels:
    return JoinedLabels.of(LabelRules.parse(renames=renames, unmapped=unmapped), {"PER", "LOC"}, "x")  # type: ignore[arg-type]


def named(tagger: Any) -> Named:
    return Named("x", "x", tagger)


def test_the_fakes_follow_the_protocols() -> None:
    assert isinstance(ScriptedTagger(), Tagger)
    assert isinstance(ScriptedSets({}), SetTagger)
    assert not isinstance(ScriptedTagger(), SetTagger)


@given(datasets())
def test_answers_come_back_under_the_sentences_ids(dataset: Dataset) -> None:
    told = knows(*dataset.sentences)
    rules = JoinedLabels.of(LabelRules(), dataset.labels, "x")
    found = run_tagger(named(told), "original", dataset.sentences, rules)
    assert found.ids == tuple(s.id for s in dataset)
    assert [told.answers[s.tokens] for s in dataset] == list(found.spans)


def test_a_tagger_sees_tokens_only() -> None:
    tagger = knows(ANNA, BONN)
    run_tagger(named(tagger), "original", [ANNA, BONN], join())
    assert tagger.seen == [[("Anna", "met"), ("Bonn",)]]


@dataclass(frozen=True)
class Cheat:
    """Answers with the gold mentions of the sentence it is shown."""

    def labels(self) -> None:
        return None

    def predict(self, batch: Sequence[Any]) -> list[Tagging]:
        return [Tagging(one.spans) for one in batch]


@dataclass(frozen=True)
class CheatBySet(Cheat):
    """The same for sets: the spans, the columns, the comments, whatever may tell the labels."""

    def expect(self, sets: Any) -> None:
        """Nothing to check."""

    def predict_set(self, name: str, sentences: Sequence[Sentence]) -> list[Tagging]:
        for one in sentences:
            assert "PER" not in repr(replace(one, layout=None)) + repr(one.layout)
        return self.predict(sentences)


def test_a_tagger_that_needs_gold_fails() -> None:
    with pytest.raises(PluginError, match="AttributeError"):
        run_tagger(named(Cheat()), "original", [ANNA], join())
    assert run_tagger(named(CheatBySet()), "original", [ANNA], join()).spans == ((),)


def test_predictions_made_elsewhere_are_joined_by_id_never_by_position() -> None:
    sets = ScriptedSets({"swap": {"s2": (Span(0, 1, "LOC"),), "s1": (Span(0, 1, "PER"),)}})
    for order in ([ANNA, BONN], [BONN, ANNA]):
        found = run_tagger(named(sets), "swap", order, join())
        assert dict(zip(found.ids, found.spans, strict=True)) == {"s1": ANNA.spans, "s2": BONN.spans}


def test_declared_labels_are_checked_before_anything_is_tagged() -> None:
    tagger = ScriptedTagger(declared=frozenset({"PER", "DATE"}))
    with pytest.raises(LabelsDiffer, match="DATE"):
        run_tagger(named(tagger), "original", [ANNA], join())
    assert tagger.seen == []


def test_undeclared_labels_stop_the_run_at_first_sight_and_all_that_were_seen_are_listed() -> None:
    answers = {("a", "b"): (Span(0, 1, "DATE"),), ("c",): (Span(0, 1, "TIME"),)}
    sentences = [Sentence(f"s{i}", ("a", "b") if i % 2 else ("c",)) for i in range(3 * BATCH)]
    tagger = ScriptedTagger(answers)
    with pytest.raises(LabelsDiffer, match="gold set does not have: DATE, TIME"):
        run_tagger(named(tagger), "original", sentences, join())
    assert len(tagger.seen) == 1, "the second batch is not tagged"


@dataclass(frozen=True)
class Answers:
    """Gives the same answers whatever it is asked."""

    answers: Any

    def labels(self) -> None:
        return None

    def predict(self, batch: Sequence[tuple[str, ...]]) -> Any:
        return self.answers


@pytest.mark.parametrize("count", [0, 1, 3])
def test_the_wrong_number_of_answers_is_an_error(count: int) -> None:
    with pytest.raises(PluginError, match=f"x gave {count} answers for a batch of 2 sentences"):
        run_tagger(named(Answers([Tagging(())] * count)), "original", [ANNA, BONN], join())


@pytest.mark.parametrize("count", [0, 3])
def test_the_wrong_number_of_answers_for_a_set_is_an_error(count: int) -> None:
    @dataclass(frozen=True)
    class Short(ScriptedSets):
        def predict_set(self, name: str, sentences: Sequence[Sentence]) -> list[Tagging]:
            return [Tagging(())] * count

    with pytest.raises(PluginError, match=f"x gave {count} answers for 2 sentences of swap"):
        run_tagger(named(Short({})), "swap", [ANNA, BONN], join())


@pytest.mark.parametrize(
    ("spans", "message"),
    [((Span(0, 2, "PER"), Span(1, 2, "LOC")), "overlaps"), ((Span(1, 3, "PER"),), "past its 2 tokens")],
)
def test_mentions_that_are_no_flat_spans_are_an_error_naming_the_sentence(spans: Any, message: str) -> None:
    with pytest.raises(PluginError, match=f"x: sentence 's1'.*{message}"):
        run_tagger(named(Answers([Tagging(spans)])), "original", [ANNA], join())


def test_something_else_than_an_answer_is_an_error() -> None:
    with pytest.raises(PluginError, match="gave a list for a sentence; a Tagging is expected"):
        run_tagger(named(Answers([[Span(0, 1, "PER")]])), "original", [ANNA], join())


def test_unsorted_mentions_are_sorted_and_any_iterable_of_answers_will_do() -> None:
    answers = (Tagging((Span(1, 2, "LOC"), Span(0, 1, "PER"))) for _ in range(1))
    found = run_tagger(named(Answers(answers)), "original", [ANNA], join())
    assert found.spans == ((Span(0, 1, "PER"), Span(1, 2, "LOC")),)


def test_what_a_tagger_did_not_see_and_broke_is_counted() -> None:
    answers = [Tagging((), unseen=(0, 1), invalid=2), Tagging((), invalid=1)]
    found = run_tagger(named(Answers(answers)), "original", [ANNA, BONN], join())
    assert (found.unseen, found.unseen_tokens, found.invalid) == (((0, 1), ()), 2, 3)


def test_left_out_mentions_are_counted_for_each_set_alone() -> None:
    """One join serves all sets of a tagger; what an earlier set left out is not this set's."""
    both = join("drop")
    tagger = ScriptedTagger({("Anna", "met"): (Span(0, 1, "DATE"),)})
    for name in ("original", "swap"):
        assert run_tagger(named(tagger), name, [ANNA], both).left_out == {"DATE": 1}


def test_progress_adds_up_to_the_number_of_sentences() -> None:
    steps: list[int] = []
    many = [Sentence(f"s{i}", ("a",)) for i in range(BATCH + 1)]
    run_tagger(named(ScriptedTagger()), "original", many, join(), steps.append)
    assert steps == [BATCH, 1]


def test_sets_are_announced_without_gold_and_only_to_taggers_that_read_them() -> None:
    told: dict[str, Any] = {}

    class Listening(ScriptedSets):
        def expect(self, sets: Any) -> None:
            told.update(sets)

    announce(named(Listening({})), {"original": [ANNA], "swap": [BONN]})
    assert told == {"original": [ANNA.stripped()], "swap": [BONN.stripped()]}
    announce(named(ScriptedTagger()), {"original": [ANNA]})


def test_a_sentence_is_asked_about_once_and_answered_alike() -> None:
    """A model whose answers waver must not make flips where an attack changed nothing."""

    class Wavering:
        asked = 0

        def labels(self) -> None:
            return None

        def predict(self, batch: Sequence[tuple[str, ...]]) -> list[Tagging]:
            self.asked += len(batch)
            return [Tagging((Span(0, 1, "PER"),) if self.asked % 2 else ()) for _ in batch]

    model = Wavering()
    asked = remembering(Named("m", "m", model))
    first = run_tagger(asked, "original", [ANNA, BONN], join())
    again = run_tagger(asked, "swap", [BONN, ANNA], join())
    assert again.spans == (first.spans[1], first.spans[0])
    assert model.asked == 2


def test_too_few_answers_are_told_apart_from_remembered_ones() -> None:
    class Short:
        def labels(self) -> None:
            return None

        def predict(self, batch: Sequence[tuple[str, ...]]) -> list[Tagging]:
            return []

    with pytest.raises(PluginError, match="0 answers for 2"):
        run_tagger(remembering(Named("m", "m", Short())), "original", [ANNA, BONN], join())
