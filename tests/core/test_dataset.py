"""Data sets: unique ids, figures, fingerprints."""

from __future__ import annotations

import pytest
from hypothesis import given
from tests.strategies import datasets

from nerquake.core.dataset import Dataset, FileLayout, content_fingerprint
from nerquake.core.sentence import Sentence
from nerquake.core.span import Span

ANNA = Sentence("s1", ("Anna", "met", "Bonn"), (Span(0, 1, "PER"), Span(2, 3, "LOC")))
NOBODY = Sentence("s2", ("Nothing", "."))


def test_ids_are_unique_and_the_message_names_the_repeated_one() -> None:
    with pytest.raises(ValueError, match=r"news: ids that stand more than once: s1"):
        Dataset("news", (ANNA, NOBODY, ANNA))


def test_figures() -> None:
    news = Dataset("news", (ANNA, NOBODY))
    assert (len(news), news.tokens, news.labels) == (2, 5, ("LOC", "PER"))
    assert news.mentions == {"PER": 1, "LOC": 1}
    assert list(news) == [ANNA, NOBODY]


def test_the_fingerprint_tells_contents_apart() -> None:
    relabelled = ANNA.with_spans([Span(0, 1, "PER")])
    resplit = Sentence("s1", ("Anna met", "Bonn"))
    prints = {Dataset("x", (one,)).fingerprint for one in (ANNA, relabelled, resplit, NOBODY)}
    assert len(prints) == 4


def test_a_given_fingerprint_stays() -> None:
    assert Dataset("x", (ANNA,), fingerprint="abc").with_sentences([NOBODY], "one left out").fingerprint == "abc"


def test_notes_add_up() -> None:
    made = Dataset("x", (ANNA,), notes=("read",)).with_sentences([ANNA], "sampled")
    assert made.notes == ("read", "sampled")


@given(datasets(laid_out=True))
def test_the_layout_is_not_compared(dataset: Dataset) -> None:
    other = Dataset(dataset.name, dataset.sentences, layout=FileLayout(newline="\r\n"))
    assert other == dataset
    assert content_fingerprint(dataset.sentences) == dataset.fingerprint
