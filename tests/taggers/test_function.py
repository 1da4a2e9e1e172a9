"""A function of the user's own as a recogniser."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from nerquake.core.errors import PluginError, UsageError
from nerquake.core.span import Span
from nerquake.taggers.function import FunctionTagger, _find


@pytest.fixture(autouse=True)
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "mine_for_tests.py").write_text(
        textwrap.dedent(
            """
            def tags(sentences):
                return [["B-PER" if token.istitle() else "O" for token in tokens] for tokens in sentences]
            tags.labels = ["PER"]
            def triples(sentences):
                return [[(0, 1, "PER")] for _ in sentences]
            def orphan(sentences):
                return [["I-PER"] * len(tokens) for tokens in sentences]
            def short(sentences):
                return [["O"] for _ in sentences]
            def few(sentences):
                return []
            def odd(sentences):
                return [["PERSON"] * len(tokens) for tokens in sentences]
            def nonsense(sentences):
                return [[(0, 0, "PER")] for _ in sentences]
            number = 3
            """
        ),
        "utf-8",
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    _find.cache_clear()


def tagger(name: str) -> FunctionTagger:
    return FunctionTagger(f"mine_for_tests:{name}")


def test_tags_and_triples() -> None:
    assert tagger("tags").labels() == {"PER"}
    assert tagger("tags").predict([("Anna", "met", "Bo")])[0].spans == (Span(0, 1, "PER"), Span(2, 3, "PER"))
    assert tagger("triples").labels() is None
    assert tagger("triples").predict([("Anna",), ("Bo",)])[1].spans == (Span(0, 1, "PER"),)


def test_ill_formed_tags_are_read_and_counted() -> None:
    answer = tagger("orphan").predict([("Anna", "Lind")])[0]
    assert (answer.spans, answer.invalid) == ((Span(0, 2, "PER"),), 1)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("short", "1 tags for 2 tokens"),
        ("few", "0 answers for 1"),
        ("odd", "is no tag"),
        ("nonsense", "expected one tag a token"),
    ],
)
def test_answers_that_are_none(name: str, message: str) -> None:
    with pytest.raises(PluginError, match=message):
        tagger(name).predict([("Anna", "Lind")])


@pytest.mark.parametrize(
    "target", ["mine_for_tests", "mine_for_tests:absent", "mine_for_tests:number", "no_such_module:f"]
)
def test_targets_that_are_none(target: str) -> None:
    with pytest.raises(UsageError, match="callable:"):
        FunctionTagger(target).predict([("Anna",)])
