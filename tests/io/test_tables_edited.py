"""Tables whose sentences were edited, and some left out, read back as what was written."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.io import test_conll2012, test_conllu, test_csv_table, test_germeval, test_hipe
from tests.strategies import edits

from nerquake.core.edits import apply_edits
from nerquake.core.errors import OutputError
from nerquake.core.protocols import ReadOptions
from nerquake.core.spec import Spec
from nerquake.registry import READERS

SOURCES = [
    ("conll2012", test_conll2012.FILE),
    ("conllu", test_conllu.FILE),
    ("hipe", test_hipe.FILE),
    ("germeval", test_germeval.FILE),
    ("csv", test_csv_table.PANDAS),
    ("csv", test_csv_table.KAGGLE),
    ("csv", test_csv_table.LISTS),
]


@pytest.mark.parametrize(("name", "text"), SOURCES, ids=[f"{name}-{at}" for at, (name, _) in enumerate(SOURCES)])
def test_edited_sentences_read_back(name: str, text: str) -> None:
    reader: Any = READERS.build(Spec(name))
    source = reader.read_bytes("x", text.encode(), ReadOptions())
    survived = 0

    @settings(max_examples=40)
    @given(st.data())
    def body(data: st.DataObject) -> None:
        nonlocal survived
        kept = data.draw(st.lists(st.sampled_from(source.sentences), unique_by=lambda s: s.id, min_size=1))
        made = [
            replace(apply_edits(sentence, data.draw(edits(sentence))).sentence, source=sentence.id)
            for sentence in source
            if sentence in kept
        ]
        try:
            out = "".join(reader.lines(source.with_sentences(made)))
        except OutputError as error:
            assert any(sentence.id in str(error) for sentence in made)
            return
        found = reader.read_bytes("x", out.encode(), ReadOptions(scheme="iob2"))
        assert [(s.tokens, s.spans) for s in found] == [(s.tokens, s.spans) for s in made]
        if "spaces" in reader.holds:
            assert [s.spaces for s in found] == [s.spaces for s in made]
        if name in ("conll2012", "hipe"):  # others number documents without a name
            assert [s.doc_id for s in found] == [s.doc_id for s in made]
        survived += 1

    body()
    assert survived > 20
