"""Draws from ranked candidates: which ones take part, and that noise changes nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nerquake.core.errors import PluginError
from nerquake.core.fillers import Fill, Masked
from nerquake.core.seeds import hashed
from nerquake.perturb.drawing import Blank, Window, draw_all

WORDS = tuple(f"w{number}" for number in range(60))


@dataclass
class Scripted:
    """Answers written down for each request; alone the true scores, in a batch others."""

    true: Sequence[dict[str, float]]
    other: Sequence[dict[str, float]]
    noise: float
    cased: bool = True
    alone: list[int] = field(default_factory=list)

    def fill(self, requests: Sequence[Masked], depth: int) -> list[list[Fill]]:
        scores = self.true if len(requests) == 1 else self.other
        if len(requests) == 1:
            self.alone.append(requests[0].position)
        return [
            [Fill(word, score) for word, score in sorted(scores[one.position].items(), key=lambda p: (-p[1], p[0]))][
                :depth
            ]
            for one in requests
        ]


def blank(position: int, seed: int = 0) -> Blank:
    """Words whose number ends in 3 are rejected."""
    return Blank(
        Masked(("x",), position),
        lambda fill: "three" if fill.text.endswith("3") else "",
        lambda text: hashed(seed, position, text),
    )


def blanks(count: int, seed: int) -> list[Blank]:
    return [blank(position, seed) for position in range(count)]


scores = st.lists(st.floats(0, 1), min_size=60, max_size=60)
windows = st.sampled_from(
    [
        Window(range(1, 201), 5),
        Window(range(1, 201), 1),
        Window(range(1, 61), 5),
        Window(range(1, 6)),
        Window(range(10, 21)),
        Window(range(1, 4), 2),
    ]
)


@given(st.lists(scores, min_size=2, max_size=3), st.data(), windows, st.sampled_from([0.0, 1e-3, 0.05, 0.3]))
def test_noise_changes_neither_draws_nor_counts(
    drawn: list[list[float]], more: st.DataObject, window: Window, noise: float
) -> None:
    seed = more.draw(st.integers(0, 3))
    true = [dict(zip(WORDS, values, strict=True)) for values in drawn]
    shift = st.lists(st.floats(-noise, noise), min_size=60, max_size=60)
    other = [
        {word: score + by for (word, score), by in zip(one.items(), more.draw(shift), strict=True)} for one in true
    ]
    exact = Scripted(true, true, 0.0)
    noisy = Scripted(true, other, noise)
    asked = blanks(len(true), seed)
    assert draw_all(noisy, asked, window) == draw_all(exact, asked, window)  # type: ignore[arg-type]


def test_a_band_of_noise_deeper_than_the_answer_is_open() -> None:
    """The word that should win stands behind the 27 of the answer, in a band of noise that begins at the border."""
    by_number = sorted((word for word in WORDS if not word.endswith("3")), key=blank(0).number)
    winner, second = by_number[:2]
    true = {**dict.fromkeys(WORDS, 0.0), second: 1.0, winner: 1e-4}
    other = {**true, winner: -9e-4, **{word: -9e-4 for word in WORDS if word.endswith("3")}}
    window = Window(range(1, 4), 2)
    found = draw_all(Scripted([true] * 2, [other] * 2, 1e-3), [blank(0), blank(0)], window)  # type: ignore[arg-type]
    assert [one.text for one in found] == [winner, winner]


def test_a_rejected_word_beside_the_last_that_passes_is_open() -> None:
    """Of equal scores w5, w52 and w53 the names decide; with noise w53 comes first, and would be counted."""
    true = {word: float(word in {"w5", "w52", "w53"}) for word in WORDS}
    other = {**true, "w53": 1.0009}
    window = Window(range(1, 4), 2)
    found = draw_all(Scripted([true] * 2, [other] * 2, 1e-3), blanks(2, 0), window)  # type: ignore[arg-type]
    assert found == draw_all(Scripted([true] * 2, [true] * 2, 0.0), blanks(2, 0), window)  # type: ignore[arg-type]
    assert not any(one.rejected for one in found)


def test_only_what_noise_leaves_open_is_asked_again() -> None:
    far = {word: -float(at) for at, word in enumerate(WORDS)}
    close = {word: -at * 1e-4 for at, word in enumerate(WORDS)}
    filler = Scripted([far, close], [far, close], noise=0.01)
    draw_all(filler, blanks(2, 0), Window(range(1, 60), 5))  # type: ignore[arg-type]
    assert filler.alone == [1]


def test_the_ranks_are_those_of_the_whole_vocabulary_both_ends_included() -> None:
    """A window of ranks 3 to 5 has w2, w3, w4, of which w3 is rejected, whatever was rejected above it."""
    answer = {word: -float(at) for at, word in enumerate(WORDS)}
    found = Counter(
        draw_all(Scripted([answer], [answer], 0.0), [blank(0, seed)], Window(range(3, 6)))[0].text  # type: ignore[arg-type]
        for seed in range(200)
    )
    assert set(found) == {"w2", "w4"}
    assert min(found.values()) > 60


def test_of_the_best_that_pass_each_is_as_likely() -> None:
    answer = {word: -float(at) for at, word in enumerate(WORDS)}
    found = Counter(
        draw_all(Scripted([answer], [answer], 0.0), [blank(0, seed)], Window(range(1, 61), 5))[0].text  # type: ignore[arg-type]
        for seed in range(500)
    )
    assert set(found) == {"w0", "w1", "w2", "w4", "w5"}
    assert min(found.values()) > 65


def test_rejections_are_counted_up_to_the_last_that_takes_part() -> None:
    answer = {word: -float(at) for at, word in enumerate(WORDS)}
    drawn = draw_all(Scripted([answer], [answer], 0.0), [blank(0)], Window(range(1, 61), 14))  # type: ignore[arg-type]
    assert drawn[0].rejected == Counter({"three": 2})


@pytest.mark.parametrize("ranks", [range(1, 4), range(50, 60), range(100, 201)])
def test_a_short_answer_has_fewer_candidates_or_none(ranks: range) -> None:
    answer = {"a": 0.0, "b3": -1.0}
    drawn = draw_all(Scripted([answer], [answer], 0.0), [blank(0)], Window(ranks))[0]  # type: ignore[arg-type]
    assert drawn.text == ("a" if ranks[0] == 1 else None)


@dataclass
class Deep(Scripted):
    """Writes down how deep it was asked."""

    depths: list[int] = field(default_factory=list)

    def fill(self, requests: Sequence[Masked], depth: int) -> list[list[Fill]]:
        self.depths.append(depth)
        return super().fill(requests, depth)


def test_a_few_best_are_looked_for_near_the_top_first_and_farther_down_where_they_are_missing() -> None:
    near = {f"n{at}": -float(at) for at in range(400)}
    far = {(f"x{at}3" if at < 150 else f"x{at}a"): -float(at) for at in range(400)}
    filler = Deep([near, far], [near, far], 0.0)
    first, second = draw_all(filler, blanks(2, 0), Window(range(1, 201), 5))  # type: ignore[arg-type]
    assert filler.depths == [44, 224]
    assert first.text is not None and second.text in {f"x{at}a" for at in range(150, 155)}
    assert second.rejected == Counter({"three": 150})


def test_another_number_of_answers_is_the_fillers_fault() -> None:
    class Short(Scripted):
        def fill(self, requests: Sequence[Masked], depth: int) -> list[list[Fill]]:
            return []

    with pytest.raises(PluginError, match="0 answers for 2 requests"):
        draw_all(Short([], [], 0.0), blanks(2, 0), Window(range(1, 6)))  # type: ignore[arg-type]
