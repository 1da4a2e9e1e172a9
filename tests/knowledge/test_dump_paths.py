"""The fast and the tolerant way of reading a line give the same rows, and names get the keys that they are found by."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from tests.knowledge import synthetic_dump as synthetic
from tests.knowledge.dump_parts import need_extra

from nerquake.knowledge.dump_keys import EMPTY, keys_of
from nerquake.knowledge.dump_notes import Notes
from nerquake.knowledge.dump_options import DumpOptions
from nerquake.knowledge.dump_rows import Rows
from nerquake.knowledge.dump_shape import Entity, shape_of
from nerquake.knowledge.dump_walk import Walker
from nerquake.knowledge.text import key_of

need_extra()
OPTIONS = DumpOptions(("en", "hi"), descriptions=True, deny=("Q5",))
SHAPE = shape_of(OPTIONS.codes, True)

TEXT = st.fixed_dictionaries(
    {}, optional={"language": st.just("en"), "value": st.sampled_from(["a", "ä \U0001f600", "", None])}
)
CODES = st.sampled_from(["en", "hi", "mul", "fr"])
TARGET = st.fixed_dictionaries(
    {},
    optional={
        "id": st.sampled_from(["Q5", "Q515", "P31", "", "Q07"]),
        "numeric-id": st.sampled_from([0, 5, 515, -1, 10**20, None]),
        "entity-type": st.sampled_from(["item", "property"]),
    },
)
SNAK = st.fixed_dictionaries(
    {},
    optional={
        "snaktype": st.sampled_from(["value", "somevalue", "novalue", "other"]),
        "datavalue": st.one_of(st.none(), st.fixed_dictionaries({"value": st.one_of(TARGET, st.just("x"))})),
    },
)
STATEMENT = st.fixed_dictionaries(
    {"mainsnak": SNAK}, optional={"rank": st.sampled_from(["normal", "preferred", "deprecated", "odd"])}
)
PROPERTIES = st.sampled_from(["P31", "P279", "P17", "P18"])
LINK = st.fixed_dictionaries({}, optional={"title": st.sampled_from(["T", "", None])})
EMPTY_PART: st.SearchStrategy[Any] = st.sampled_from([[], None, "x"])
ENTITY = st.fixed_dictionaries(
    {"type": st.sampled_from(["item", "property"]), "id": st.sampled_from(["Q1", "Q42", "P1", "Q0"])},
    optional={
        "labels": st.one_of(st.dictionaries(CODES, TEXT), EMPTY_PART),
        "aliases": st.one_of(st.dictionaries(CODES, st.lists(TEXT, max_size=3)), EMPTY_PART),
        "descriptions": st.one_of(st.dictionaries(CODES, TEXT), EMPTY_PART),
        "claims": st.one_of(st.dictionaries(PROPERTIES, st.lists(STATEMENT, max_size=3)), EMPTY_PART),
        "sitelinks": st.one_of(st.dictionaries(st.sampled_from(["enwiki", "frwiki"]), LINK), EMPTY_PART),
        "other": st.sampled_from([1, [{}], "x"]),
    },
)


def columns(entities: list[Entity]) -> tuple[dict[str, Any], dict[str, int]]:
    """All rows of some entities, and what was noted."""
    notes = Notes()
    rows = Rows(OPTIONS, SHAPE, notes, lambda rows: None)
    for entity in entities:
        rows.add(entity)
    kept: dict[str, Any] = {name: value for name, value in vars(rows).items() if isinstance(value, list)}
    others = (rows.titles, rows.descriptions, rows.classes, rows.parents, rows.countries)
    return kept | {"counts": rows.counts, "denied": rows.left_out, "others": list(map(vars, others))}, dict(
        notes.counts
    )


def walked(line: bytes) -> tuple[list[Entity], Notes]:
    """What the tolerant way makes of a line."""
    notes = Notes()
    return Walker(SHAPE, notes).read(line), notes


@given(entity=ENTITY)
def test_both_ways_give_the_same_rows(entity: dict[str, Any]) -> None:
    line = json.dumps(entity).encode()
    slow, noted = walked(line)
    try:
        fast = SHAPE.decode(memoryview(line))
    except SHAPE.errors:
        assert set(noted.counts) == ({"field"} if entity["type"] == "item" else set())
        return
    assert columns([fast]) == columns(slow)
    assert not noted.counts


def test_most_lines_go_the_fast_way() -> None:
    for number in range(50):
        line = synthetic.item(number)
        slow, noted = walked(line)
        found, notes = columns([SHAPE.decode(memoryview(line))])
        assert (found, notes) == columns(slow)
        assert not noted.counts
        assert found["counts"]["items"] == 1


@given(names=st.lists(st.text(max_size=5) | st.text("aA ßİςΣ\n\x1c\u00a0\u0301\u2028ﬁ가각", max_size=6)))
def test_keys_of_many_names_are_those_of_each(names: list[str]) -> None:
    assert keys_of(names).tolist() == [key_of(name) for name in names]


def test_the_key_of_blanks() -> None:
    assert keys_of(["", " \t\u00a0", "a"]).tolist() == [EMPTY, EMPTY, key_of("A")]
    assert key_of("") == EMPTY
