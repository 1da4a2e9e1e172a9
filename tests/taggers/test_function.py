"""A function of the user's own as a recogniser."""

from __future__ import annotations

import textwrap
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest

from nerquake.core.dataset import Dataset
from nerquake.core.errors import PluginError, UsageError
from nerquake.core.span import Span
from nerquake.taggers.build import build_taggers
from nerquake.taggers.function import FunctionTagger, _find


@pytest.fixture(autouse=True)
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "mine_for_tests.py").write_text(
        textwrap.dedent(
            """
            from dataclasses import dataclass
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
            def unnamed(sentences):
                return [[(0, 1, None)] for _ in sentences]
            def open_end(sentences):
                return [["O"] * (len(tokens) - 1) + ["B-PER"] for tokens in sentences]
            number = 3
            @dataclass(frozen=True)
            class Own:
                repair: str = "conlleval"
                def labels(self):
                    return None
                def predict(self, batch):
                    return []
            @dataclass(frozen=True)
            class Workshop(Own):
                repair: str = "yes"
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
        ("unnamed", r"expected one tag a token, or .* triples, got \[\(0, 1, None\)\]"),
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


def test_ill_formed_tags_are_repaired_as_asked() -> None:
    discarding = replace(tagger("orphan"), repair="discard").predict([("Anna", "Lind")])[0]
    assert (discarding.spans, discarding.invalid) == ((), 1)
    with pytest.raises(PluginError, match="ill-formed iob2 tags, and repair is none: I-PER at 'Anna', in: Anna Lind"):
        replace(tagger("orphan"), repair="none").predict([("Anna", "Lind")])
    with pytest.raises(PluginError, match="the end after B-PER at 'Bo', in: met Bo"):
        replace(tagger("open_end"), scheme="bioes", repair="none").predict([("met", "Bo")])
    assert replace(tagger("tags"), repair="none").predict([("Anna", "met")])[0].spans == (Span(0, 1, "PER"),)


@pytest.mark.parametrize("text", ["callable:mine_for_tests:orphan", "file:x", "mine_for_tests:Own"])
def test_the_repair_of_a_run_reaches_every_tagger_that_repairs(text: str) -> None:
    gold = Dataset("gold", ())
    (default,), (given,) = build_taggers([text], gold, "none"), build_taggers([f"{text},repair=discard"], gold, "none")
    assert cast(Any, default.tagger).repair == "none"
    assert cast(Any, given.tagger).repair == "discard"


def test_a_repair_that_means_something_else_is_left_alone() -> None:
    (built,) = build_taggers(["mine_for_tests:Workshop"], Dataset("gold", ()), "none")
    assert cast(Any, built.tagger).repair == "yes"
