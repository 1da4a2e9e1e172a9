"""How natural context attacks are: every figure against one that was worked out by hand."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.analyse import fillers
from tests.analyse.fillers import SPEC, ByFirstLetter, ByLength

from nerquake.analyse import naturalness as module
from nerquake.analyse.naturalness import (
    NO_CLASSES,
    NO_MODEL,
    OWN_WORDS,
    SAMPLE,
    changed_pairs,
    check_judge,
    drawn,
    measure,
    naturalness,
    own_judge,
)
from nerquake.core.dataset import Dataset
from nerquake.core.edits import Edit, apply_edits
from nerquake.core.errors import UsageError
from nerquake.core.sentence import Sentence
from nerquake.core.span import Span
from nerquake.core.spec import Chain, parse_chain
from nerquake.core.variant import AttackedSet, Level, Variant
from nerquake.io.work import Asked, WorkFolder

CHAIN = parse_chain(f"mask:filler={SPEC},name=mask")


def context(at: int, *words: str, width: int = 1) -> Edit:
    return Edit(at, at + width, words, "context")


def changed(sentence: Sentence, *edits: Edit) -> Variant:
    made = apply_edits(sentence, edits, f"{sentence.id}~a")
    return Variant(made.sentence, sentence.id, "changed", edits=edits, mentions=made.mentions)


def unchanged(sentence: Sentence) -> Variant:
    same = replace(sentence, id=f"{sentence.id}~a")
    return Variant(same, sentence.id, "unchanged", "no candidate left", mentions=tuple(range(len(sentence.spans))))


def attacked(*variants: Variant, level: Level = "context") -> AttackedSet:
    return AttackedSet("a", "mask", level, variants)


ANNA = Sentence("s1", ("cat", "met", "Anna", "Lee", "."), (Span(2, 4, "PER"),))
BONN = Sentence("s2", ("up", "to", "Bonn", "!"), (Span(2, 3, "LOC"),))
REST = Sentence("s3", ("not", "this", "one"))
DATA = Dataset("d", (ANNA, BONN, REST), language="en")
TWO = attacked(changed(ANNA, context(0, "kitten")), changed(BONN, context(1, "zu")), unchanged(REST))


@dataclass
class Steps:
    """Remembers what a watch was told."""

    total: int = 0
    what: str = ""
    done: int = 0

    @contextmanager
    def __call__(self, total: int, what: str) -> Iterator[Any]:
        self.total, self.what = total, what
        yield self._add

    def _add(self, done: int) -> None:
        self.done += done


@pytest.fixture(autouse=True)
def known_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "choose_pos", lambda text, corpus: ByFirstLetter())
    fillers.ASKED.clear()


def measured(
    made: AttackedSet, tmp_path: Path, *, data: Dataset = DATA, judge: str = "", chain: Chain = CHAIN, seed: int = 0
) -> Any:
    return naturalness(Asked(data, chain, seed), made, judge, WorkFolder(tmp_path), Steps())


def test_the_figures_are_those_worked_out_by_hand(tmp_path: Path) -> None:
    found = measured(TWO, tmp_path)
    # cat met Anna Lee . = 3 + 3 + 4 + 3 + 1 = 14 of 5 words; kitten makes it 17. up to Bonn ! = 9 of 4, as before.
    ratio = math.exp((17 - 14) / 5)
    assert found["perplexity_ratio"] == {
        "median": pytest.approx((1 + ratio) / 2, rel=1e-3),
        "low": pytest.approx(1 + (ratio - 1) / 4, rel=1e-3),
        "high": pytest.approx(1 + 3 * (ratio - 1) / 4, rel=1e-3),
    }
    assert found["sentences"] == {"changed": 2, "measured": 2, "without_ratio": 0}
    assert found["words"] == {"outside_mentions": 4, "replaced": 2, "share": 0.5}  # cat, met, up, to
    assert found["parts_of_speech"] == {"about": ["first letters"], "compared": 2, "kept": 2, "share": 1.0}
    assert (found["judge"], found["about"], found["notes"]) == (SPEC, ["word lengths, slope 1, fp32"], [OWN_WORDS])


def test_a_part_of_speech_that_changes_is_not_kept_and_one_that_is_not_known_not_compared(tmp_path: Path) -> None:
    made = attacked(changed(ANNA, context(0, "zebra"), context(1, fillers.UNSEEN)), changed(BONN, context(0, "um")))
    found = measured(made, tmp_path)
    assert found["parts_of_speech"] == {"about": ["first letters"], "compared": 2, "kept": 1, "share": 0.5}


def test_words_are_found_again_behind_a_mention_that_grew(tmp_path: Path) -> None:
    """A swap in front moves what a mask put in: without the shift `Berg` (a noun) would be compared with `zog`."""
    sentence = Sentence("s1", ("Bonn", "zog", "an"), (Span(0, 1, "LOC"),))
    variant = changed(sentence, Edit(0, 1, ("Bad", "Berg"), "mention"), context(1, "wog"))
    found = measured(attacked(variant, level="both"), tmp_path, data=Dataset("d", (sentence,)))
    assert found["parts_of_speech"]["compared"] == 1
    assert found["parts_of_speech"]["kept"] == 1
    assert found["words"] == {"outside_mentions": 2, "replaced": 1, "share": 0.5}


def test_a_word_that_was_put_back_is_not_replaced_and_one_that_was_removed_is(tmp_path: Path) -> None:
    sentence = Sentence("s1", ("one", "two", "three", "four"))
    variant = changed(sentence, Edit(0, 2, ("one", "dos"), "context"), context(2, "drei", width=2))
    found = measured(attacked(variant), tmp_path, data=Dataset("d", (sentence,)))
    assert found["words"]["replaced"] == 3
    assert found["parts_of_speech"]["compared"] == 1


def test_sets_whose_words_outside_mentions_stand_are_not_measured(tmp_path: Path) -> None:
    entity = changed(ANNA, Edit(2, 4, ("Bo",), "mention"))
    for made in (
        attacked(entity, level="entity"),
        attacked(entity, level="both"),
        attacked(unchanged(ANNA)),
        attacked(changed(ANNA, context(0, "kitten")), level="surface"),
    ):
        assert measured(made, tmp_path) is None
    assert measured(TWO, tmp_path, judge="none") is None
    assert fillers.ASKED == []
    assert list(tmp_path.iterdir()) == []


def test_a_ratio_that_is_not_defined_is_counted(tmp_path: Path) -> None:
    blind = Sentence("s4", (fillers.UNSEEN,))
    odd = Sentence("s5", ("a", "b"))
    made = attacked(changed(ANNA, context(0, "kitten")), changed(blind, context(0, "a")), changed(odd, context(0, "∞")))
    found = measured(made, tmp_path, data=Dataset("d", (ANNA, blind, odd)))
    assert found["sentences"] == {"changed": 3, "measured": 3, "without_ratio": 2}
    assert found["perplexity_ratio"]["median"] == found["perplexity_ratio"]["low"] == float(f"{math.exp(0.6):.4g}")


def test_no_ratio_at_all_is_undefined(tmp_path: Path) -> None:
    blind = Sentence("s4", (fillers.UNSEEN,))
    found = measured(attacked(changed(blind, context(0, "a"))), tmp_path, data=Dataset("d", (blind,)))
    assert found["perplexity_ratio"] is None
    assert found["words"] == {"outside_mentions": 0, "replaced": 0, "share": None}


def test_what_tells_only_content_words_compares_no_parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "choose_pos", lambda text, corpus: ByFirstLetter(tells_classes=False))
    found = measured(TWO, tmp_path)
    assert found["parts_of_speech"] is None
    assert found["notes"] == [OWN_WORDS, NO_CLASSES]


def test_an_attack_without_a_model_of_its_own_has_the_figures_that_need_none(tmp_path: Path) -> None:
    found = measured(TWO, tmp_path, chain=parse_chain("identity"))
    assert (found["judge"], found["perplexity_ratio"], found["parts_of_speech"]) == (None, None, None)
    assert found["words"]["share"] == 0.5
    assert found["notes"] == [NO_MODEL]
    assert measured(TWO, tmp_path, chain=parse_chain("identity"), judge=SPEC)["perplexity_ratio"] is not None


def test_the_attacks_own_judge_is_its_option_else_its_filler_else_none() -> None:
    other = f"{SPEC},slope=2"
    assert own_judge(parse_chain(f"swap+mask:filler={SPEC}")) == SPEC
    assert own_judge(parse_chain(f'mask:filler={SPEC},judge="{other}"')) == other
    assert own_judge(parse_chain(f'mask:filler="{other}"+swap+mask:filler={SPEC}')) == SPEC
    assert own_judge(parse_chain("swap")) == ""


def test_a_model_that_judges_words_of_its_own_is_told_from_another(tmp_path: Path) -> None:
    assert measured(TWO, tmp_path, judge=SPEC)["notes"] == [OWN_WORDS]
    assert measured(TWO, tmp_path, judge=f"{SPEC},slope=2")["notes"] == []


def test_a_judge_that_does_not_exist_is_refused() -> None:
    check_judge("")
    check_judge("none")
    check_judge(SPEC)
    with pytest.raises(UsageError, match="'nrgam'"):
        check_judge("nrgam")


def many(size: int) -> tuple[Dataset, AttackedSet]:
    sentences = tuple(Sentence(f"s{at}", ("a", "b" * (1 + at % 7), "c")) for at in range(size))
    return Dataset("d", sentences), attacked(
        *(changed(one, context(0, "d" * (1 + int(one.id[1:]) % 3))) for one in sentences)
    )


def test_at_most_a_sample_is_measured_and_the_seed_draws_it() -> None:
    data, made = many(SAMPLE + 30)
    pairs = changed_pairs(data, made)
    first, again, other = (drawn(pairs, seed, "a") for seed in (1, 1, 2))
    assert len(first) == SAMPLE
    assert first == again != other
    order = [pair.original.id for pair in pairs]
    assert [pair.original.id for pair in first] == [key for key in order if key in {p.original.id for p in first}]
    backwards = drawn(pairs[::-1], 1, "a")
    assert {pair.original.id for pair in backwards} == {pair.original.id for pair in first}


def test_the_progress_is_told_of_every_sentence(tmp_path: Path) -> None:
    data, made = many(SAMPLE + 30)
    steps = Steps()
    found = naturalness(Asked(data, CHAIN, 0), made, "", WorkFolder(tmp_path), steps)
    assert (steps.total, steps.done) == (SAMPLE, SAMPLE)
    assert steps.what == "measuring how natural a is"
    assert found is not None
    assert found["sentences"] == {"changed": SAMPLE + 30, "measured": SAMPLE, "without_ratio": 0}


@given(st.integers(1, 40))
def test_the_batch_changes_nothing(size: int) -> None:
    data, made = many(37)
    pairs = changed_pairs(data, made)
    expected = measure(data, pairs, ByLength(), ByFirstLetter())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_BATCH", size)
        assert measure(data, pairs, ByLength(), ByFirstLetter()) == expected


def test_noise_far_below_the_fourth_digit_changes_nothing(tmp_path: Path) -> None:
    slope = 1 + 1e-9
    exact = measured(TWO, tmp_path / "a")
    noisy = measured(TWO, tmp_path / "b", judge=f"{SPEC},slope={slope!r}")
    assert noisy["perplexity_ratio"] == exact["perplexity_ratio"]


def test_what_was_measured_is_not_measured_again(tmp_path: Path) -> None:
    found = measured(TWO, tmp_path)
    file = tmp_path / "a" / "naturalness.jsonl"
    assert fillers.ASKED
    written = file.read_bytes()
    fillers.ASKED.clear()
    assert measured(TWO, tmp_path) == found
    assert fillers.ASKED == []
    file.write_bytes(written[:-9])
    assert measured(TWO, tmp_path) == found
    assert fillers.ASKED
    assert file.read_bytes() == written


@pytest.mark.parametrize("changing", ["judge", "seed", "data", "variants", "parts"])
def test_whatever_it_depends_on_measures_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, changing: str) -> None:
    measured(TWO, tmp_path)
    fillers.ASKED.clear()
    if changing == "parts":
        monkeypatch.setattr(ByFirstLetter, "fingerprint", lambda self: "other letters")
    other = attacked(*TWO.variants[:1], changed(BONN, context(1, "for")))
    again = {
        "judge": {"judge": f"{SPEC},slope=2"},
        "seed": {"seed": 1},
        "data": {"data": replace(DATA, sentences=(*DATA.sentences, Sentence("s9", ("more",))))},
        "variants": {"made": other},
        "parts": {},
    }[changing]
    measured(**{"made": TWO, "tmp_path": tmp_path, **again})  # type: ignore[arg-type]
    assert fillers.ASKED
