"""One body over every registered linker."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from tests.contracts.cases import CASES, CORPUS, ITEMS, NASTY, cases_of
from tests.knowledge.given import Row, made
from tests.knowledge.linked import CLASSES, item

from nerquake.core.dataset import Dataset
from nerquake.core.linking import LinkCandidate, Linker, LooksUp, Mentioned
from nerquake.core.sentence import Sentence
from nerquake.core.spec import Spec
from nerquake.knowledge.dictionary import Dictionary
from nerquake.knowledge.linking import link_dataset, mentions_of
from nerquake.registry import LINKERS

_CLASS = {"PER": "Q5", "LOC": "Q515", "ORG": "local:body"}
ROWS: list[Row] = [
    *CLASSES,
    ("class_type", "local:body", "ORG", "test"),
    *(row for name, (label, one) in ITEMS.items() for row in item(one, [name], _CLASS[label], 10)),
]


def with_ids(sentence: Sentence) -> Sentence:
    """The sentence with a column of items at the first token of its mentions, as HIPE has it."""
    cells = [("_",)] * len(sentence.tokens)
    for span in sentence.spans:
        label, one = ITEMS.get(sentence.surface(span), ("", ""))
        cells[span.start] = (one if label == span.label else "NIL",)
    return replace(sentence, columns=tuple(cells))


KNOWN = CORPUS.with_sentences([with_ids(sentence) for sentence in CORPUS])
STRANGE = CORPUS.with_sentences([with_ids(sentence) for sentence in (*CORPUS, *NASTY)])


@pytest.fixture(scope="module")
def dictionary() -> Iterator[Dictionary]:
    with made(ROWS) as found:
        yield found


@pytest.fixture(params=cases_of(LINKERS))
def spec(request: pytest.FixtureRequest, tmp_path: Path) -> Spec:
    found: Spec = CASES[LINKERS.kind][request.param](tmp_path)
    return found


def ready(spec: Spec, dictionary: Dictionary) -> Linker:
    """A new linker, over the dictionary where it looks names up."""
    made_: Linker = LINKERS.build(spec)
    return made_.looking_in(dictionary) if isinstance(made_, LooksUp) else made_


def answers(linker: Linker, mentions: Sequence[Mentioned]) -> list[tuple[LinkCandidate, ...]]:
    return [tuple(those) for those in linker.link(mentions)]


def test_every_mention_gets_the_item_that_it_stands_for(spec: Spec, dictionary: Dictionary) -> None:
    links = link_dataset(dictionary, KNOWN, LINKERS.build(spec))
    assert [(link.text, link.accepted) for link in links] == [
        (sentence.surface(span), ITEMS.get(sentence.surface(span), ("", None))[1])
        for sentence in KNOWN
        for span in sentence.spans
    ]
    assert all(link.candidates[0].title == link.text for link in links if link.accepted)


def test_candidates_are_ranked_and_each_stands_once(spec: Spec, dictionary: Dictionary) -> None:
    mentions = mentions_of(KNOWN)
    found = answers(ready(spec, dictionary), mentions)
    assert len(found) == len(mentions)
    assert any(found)
    for those in found:
        assert all(isinstance(one, LinkCandidate) and (one.item or one.title) for one in those)
        assert [one.score for one in those] == sorted((one.score for one in those), reverse=True)
        assert len({one.item or one.title for one in those}) == len(those)


def test_a_mention_has_the_same_candidates_whatever_is_asked_beside_it(spec: Spec, dictionary: Dictionary) -> None:
    mentions = mentions_of(KNOWN)
    linker = ready(spec, dictionary)
    together = answers(linker, mentions)
    assert answers(linker, mentions[::-1])[::-1] == together
    assert answers(linker, mentions[:5]) + answers(linker, mentions[5:]) == together
    assert answers(linker, [*mentions, *mentions]) == together * 2


def test_two_of_one_specification_are_alike(spec: Spec, dictionary: Dictionary) -> None:
    one, other = ready(spec, dictionary), ready(spec, dictionary)
    assert answers(one, mentions_of(KNOWN)) == answers(other, mentions_of(KNOWN))
    assert one.about() == other.about()
    assert one.about()
    assert one.fingerprint() == other.fingerprint()
    assert one.fingerprint()


def test_fingerprints_of_different_linkers_differ(tmp_path: Path) -> None:
    every = {LINKERS.build(CASES[LINKERS.kind][name](tmp_path)).fingerprint() for name in cases_of(LINKERS)}
    assert len(every) == len(cases_of(LINKERS))


def test_no_mentions_no_answers(spec: Spec, dictionary: Dictionary) -> None:
    assert answers(ready(spec, dictionary), []) == []
    assert len(link_dataset(dictionary, Dataset("empty", ()), LINKERS.build(spec))) == 0


def test_mentions_of_any_text_are_answered(spec: Spec, dictionary: Dictionary) -> None:
    found = link_dataset(dictionary, STRANGE, LINKERS.build(spec))
    assert len(found) == len(mentions_of(STRANGE))
    assert {link.accepted for link in found if link.sentence.startswith("n")} == {None}
    assert [link.accepted for link in found][: len(mentions_of(KNOWN))] == [
        link.accepted for link in link_dataset(dictionary, KNOWN, LINKERS.build(spec))
    ]
