"""Dev sets that are cut from the training data."""

from __future__ import annotations

from dataclasses import replace

from nerquake.core.span import Span
from nerquake.nn.tags import labels_of
from nerquake.train.prepare import split_dev
from tests.train.toy import world


def test_a_label_that_one_sentence_has_stays_in_training() -> None:
    data = world(40)
    drawn = split_dev(data, 0.1, 0)
    assert drawn.dev is not None
    rare = drawn.dev.sentences[0].id
    marked = data.with_sentences([replace(one, spans=(Span(0, 1, "RARE"),)) if one.id == rare else one for one in data])
    made = split_dev(marked, 0.1, 0)
    assert made.dev is not None
    assert labels_of(made.dev) <= labels_of(made.train)
    assert [one.id for one in made.dev] == [one.id for one in drawn.dev if one.id != rare]
    assert len(made.train) + len(made.dev) == len(data)
    assert "1 with labels that stand nowhere else stay in training" in made.notes[0]
