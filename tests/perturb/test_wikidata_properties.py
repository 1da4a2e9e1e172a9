"""What holds under any dictionary: entities in several classes, empty classes, one name in several types."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.knowledge.given import Row, made
from tests.perturb.helpers import outside
from tests.perturb.wikidata_cases import links

from nerquake.core.dataset import Dataset
from nerquake.core.edits import apply_edits
from nerquake.core.protocols import Context, Proposal
from nerquake.core.seeds import Draws
from nerquake.core.sentence import Sentence
from nerquake.core.span import Span
from nerquake.knowledge.build import Choices
from nerquake.perturb import wikidata_language
from nerquake.perturb.wikidata import Wikidata
from nerquake.perturb.wikidata_drawing import name_tokens, plain

TYPES = ("GPE", "ORG", "NORP", "WORK_OF_ART")
LABELS = (*TYPES, "PERSON", "TIME")
NAMES = (
    "Bonn", "bonn", "The Bonn", "New York", "New York City", "O'Brien", "Washington, D.C.", "D.C.", "AT&T",
    "St. Gallen", "Stratford-upon-Avon", "مدينة نصر", "नई दिल्ली", "1984", "Rock 'n' Roll", "\u200eHidden Marks\u200f",
)  # fmt: skip


@dataclass(frozen=True)
class World:
    """A dictionary's content, and links of mentions.

    types     of classes
    classes   of items
    labels    of items: their names
    """

    types: Mapping[str, frozenset[str]]
    classes: Mapping[str, frozenset[str]]
    labels: Mapping[str, str]
    aliases: tuple[tuple[str, str], ...]
    people: bool

    def rows(self) -> Iterator[Row]:
        for one, types in self.types.items():
            yield ("class_name", one, "en", f"title of {one}")
            yield from (("class_type", one, type_, "test") for type_ in types)
        for item, name in self.labels.items():
            yield ("name", item, "xx", name)
            yield from (("member", item, one) for one in self.classes[item])
        yield from (("alias", item, "xx", name) for item, name in self.aliases)
        if self.people:
            yield from (
                ("person_name", kind, "xx", name) for kind in ("given", "family") for name in ("Ada", "Bo", "Cy")
            )

    def others(self, item: str, label: str, text: str) -> set[str]:
        """What may replace a mention."""
        own = {one for one in self.classes.get(item, ()) if label in self.types[one]}
        return {
            other for other, name in self.labels.items()
            if other != item and own & self.classes[other] and plain(name_tokens(name)) != text
        }  # fmt: skip


@st.composite
def worlds(draw: st.DrawFn) -> World:
    classes = [f"Q{n}" for n in range(1, draw(st.integers(1, 5)) + 1)]
    items = [f"Q{n}" for n in range(101, 101 + draw(st.integers(1, 8)))]
    types = {one: draw(st.frozensets(st.sampled_from(TYPES), min_size=1, max_size=2)) for one in classes}
    labels = {item: draw(st.sampled_from(NAMES)) for item in items}
    return World(
        types,
        {item: draw(st.frozensets(st.sampled_from(classes), max_size=3)) for item in items},
        labels,
        tuple((item, draw(st.sampled_from(NAMES))) for item in draw(st.lists(st.sampled_from(items), max_size=4))),
        draw(st.booleans()),
    )


@st.composite
def corpora(draw: st.DrawFn) -> Dataset:
    """Sentences full of names, some side by side."""
    made: list[Sentence] = []
    for number in range(draw(st.integers(1, 4))):
        tokens: list[str] = []
        spans: list[Span] = []
        for name, label, after in draw(st.lists(st.tuples(
            st.sampled_from(NAMES), st.sampled_from(LABELS), st.sampled_from(("", "in", "Bonn", ",")),
        ), min_size=1, max_size=4)):  # fmt: skip
            start = len(tokens)
            tokens += name_tokens(name)
            spans.append(Span(start, len(tokens), label))
            tokens += [after] if after else []
        made.append(Sentence(f"s{number}", tuple(tokens), tuple(spans)))
    return Dataset("data.conll", tuple(made), language="xx")


@contextmanager
def opened(world: World) -> Iterator[None]:
    """The dictionary in the place of the one that is shipped."""
    with made(list(world.rows()), Choices(languages=("xx",))) as found, pytest.MonkeyPatch.context() as patch:
        patch.setattr(wikidata_language, "starter", lambda: found)
        yield


def proposals(attack: Wikidata, corpus: Dataset, seed: int = 0) -> dict[str, Proposal]:
    draws = Draws(seed, "wikidata")
    context = Context(corpus, attack.prepare(corpus, draws).state)
    return {one.id: attack.propose(one, draws.of(one.id), context) for one in corpus}


def check_kept(sentence: Sentence, proposal: Proposal) -> None:
    """Types and all that is no replaced mention stay."""
    after = apply_edits(sentence, proposal.edits)
    assert after.mentions == tuple(range(len(sentence.spans)))
    assert [span.label for span in after.sentence.spans] == [span.label for span in sentence.spans]
    assert outside(after.sentence) == outside(sentence)
    touched = {(edit.start, edit.end) for edit in proposal.edits}
    for old, new in zip(sentence.spans, after.sentence.spans, strict=True):
        same = sentence.mention(old) == after.sentence.mention(new)
        assert same == ((old.start, old.end) not in touched)


def test_linked_by_a_file(tmp_path: Path) -> None:
    """A new class is one of the mention's own; whoever has another entity to get gets one, nobody else does."""

    @settings(max_examples=30)
    @given(worlds(), corpora(), st.data(), st.integers(0, 3))
    def body(world: World, corpus: Dataset, data: st.DataObject, seed: int) -> None:
        items = st.none() | st.sampled_from(sorted(world.labels))
        accepted = {(one.id, span.start, span.end): data.draw(items) for one in corpus for span in one.spans}
        file = links(tmp_path, accepted)
        with opened(world):
            found = proposals(Wikidata(links=str(file)), corpus, seed)
        for sentence in corpus:
            check_kept(sentence, found[sentence.id])
            mine = {start: item or "" for (key, start, _), item in accepted.items() if key == sentence.id}
            check_replaced(world, sentence, found[sentence.id], mine)

    body()


def check_replaced(world: World, sentence: Sentence, proposal: Proposal, items: Mapping[int, str]) -> None:
    """Mentions that have another entity of their classes got one, others did not; `items` are linked to."""
    by_start = {edit.start: edit for edit in proposal.edits}
    attackable = 0
    for span in sentence.spans:
        edit = by_start.get(span.start)
        if span.label == "PERSON" and world.people:
            attackable += 1
            assert edit is not None and len(edit.new) in (2, 3)
            continue
        others = world.others(items[span.start], span.label, plain(sentence.mention(span)))
        attackable += bool(others)
        assert (edit is None) == (not others)
        if edit is not None:
            source = dict(edit.source)
            assert source["item"] in others
            assert source["class"] in world.classes[items[span.start]] & world.classes[source["item"]]
            assert span.label in world.types[source["class"]]
            assert source["class-title"] == f"title of {source['class']}"
            assert edit.new == name_tokens(world.labels[source["item"]])
    assert proposal.attackable == attackable


@settings(max_examples=20)
@given(worlds(), corpora(), st.sampled_from(("none", "type")), st.integers(0, 3))
def test_linked_by_names(world: World, corpus: Dataset, fallback: Literal["none", "type"], seed: int) -> None:
    with opened(world):
        attack = Wikidata(fallback=fallback)
        found = proposals(attack, corpus, seed)
        alone = {one.id: proposals(attack, Dataset("d", (one,), "xx"), seed)[one.id] for one in corpus}
    assert found == alone, "other sentences do not matter"
    for sentence in corpus:
        check_kept(sentence, found[sentence.id])
        labels = {span.start: span.label for span in sentence.spans}
        for edit in found[sentence.id].edits:
            source = dict(edit.source)
            if "given" in source:
                assert labels[edit.start] == "PERSON"
                continue
            assert labels[edit.start] in world.types[source["class"]]
            assert source["class"] in world.classes[source["item"]]
            if "fallback" not in source:
                assert source["class"] in world.classes[source["was-item"]]
