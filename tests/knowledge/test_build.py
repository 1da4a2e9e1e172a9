"""What goes into a dictionary comes out, whatever the order of rows and however often they come."""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.knowledge.given import CITIES, Given, Row, made

from nerquake.core.errors import InputError, PluginError
from nerquake.knowledge import ids
from nerquake.knowledge.build import Choices, build
from nerquake.knowledge.dictionary import Dictionary
from nerquake.knowledge.duck import Limits
from nerquake.knowledge.members import mix64
from nerquake.knowledge.schema import TABLES

IDS = st.sampled_from(["Q1", "Q2", "Q30", "Q515", "local:a", "local:a/b", "x y", "Q0", "QX"])
CLASSES = st.sampled_from(["Q5", "Q515", "local:c", "local:d"])
LANGUAGES = st.sampled_from(["en", "de", "hi", "mul"])
NAMES = st.text("aÄ1क-' .", min_size=1, max_size=4)
TYPES = st.sampled_from(["GPE", "ORG", "PERSON"])
ROWS = st.one_of(
    st.tuples(st.just("item"), IDS, st.integers(0, 9)),
    st.tuples(st.sampled_from(["name", "alias"]), IDS, LANGUAGES, NAMES),
    st.tuples(st.just("member"), IDS, CLASSES),
    st.tuples(st.just("member"), IDS, CLASSES, TYPES, NAMES),
    st.tuples(st.just("class_type"), CLASSES, TYPES, st.just("test")),
    st.tuples(st.just("class_name"), CLASSES, LANGUAGES, NAMES),
    st.tuples(st.just("subclass"), CLASSES, CLASSES),
    st.tuples(st.just("country"), IDS, IDS),
    st.tuples(st.just("title"), IDS, LANGUAGES, NAMES),
    st.tuples(st.just("description"), IDS, LANGUAGES, NAMES),
    st.tuples(st.just("person_name"), st.sampled_from(["given", "family"]), LANGUAGES, NAMES),
    st.tuples(st.just("fault"), st.just("file"), st.integers(0, 9), st.just("code"), NAMES),
)


def content(dictionary: Dictionary) -> dict[str, list[Row]]:
    """All rows of all tables, as they lie."""
    return {name: dictionary.ask(f"FROM {name}") for name in TABLES if name != "meta"}


@settings(max_examples=15)
@given(rows=st.lists(ROWS, max_size=30), seed=st.integers(0, 3), limit=st.integers(0, 2), data=st.data())
def test_order_and_repeats_of_rows_change_nothing(rows: list[Row], seed: int, limit: int, data: st.DataObject) -> None:
    others = data.draw(st.permutations([*rows, *rows[:5]]))
    with made(rows, Choices(seed=seed), limit) as one, made(others, Choices(seed=seed), limit) as other:
        assert content(one) == content(other)
        assert one.meta.digest == other.meta.digest
        one.verify()


@settings(max_examples=8)
@given(rows=st.lists(ROWS, min_size=1, max_size=12))
def test_a_row_more_is_another_digest(rows: list[Row]) -> None:
    extra = ("name", "Q77777", "en", "Nowhere")
    with made(rows) as one, made([*rows, extra]) as other:
        assert one.meta.digest != other.meta.digest


def script_of(text: str) -> set[str]:
    return {unicodedata.name(letter).split()[0] for letter in text if letter.isalpha()}


def fits(name: str, language: str, wanted: str) -> bool:
    own = "DEVANAGARI" if wanted == "hi" else "LATIN"
    return script_of(name) <= {own} and (language == wanted or script_of(name) == {own})


@settings(max_examples=25)
@given(rows=st.lists(ROWS, max_size=40))
def test_what_goes_in_comes_out(rows: list[Row]) -> None:
    labels: dict[tuple[str, str], set[str]] = defaultdict(set)
    every: dict[str, set[tuple[str, str]]] = defaultdict(set)
    classes: dict[str, set[str]] = defaultdict(set)
    types: dict[str, set[str]] = defaultdict(set)
    for method, *values in rows:
        if method in ("name", "alias"):
            every[values[0]].add((values[1], values[2]))
        if method == "name":
            labels[values[0], values[1]].add(values[2])
        if method == "member":
            classes[values[0]].add(values[1])
        if method == "class_type":
            types[values[0]].add(values[1])
    with made(rows) as dictionary:
        assert dictionary.types_of([*types, "Q9"]) == {one: tuple(sorted(those)) for one, those in types.items()}
        for language in ("en", "de", "hi"):
            found = dictionary.names([*every, "Q9"], language)
            for item, names in every.items():
                own, default = labels[item, language], labels[item, "mul"]
                label = min(own) if own and fits(min(own), language, language) else ""
                label = label or (min(default) if default and fits(min(default), "mul", language) else "")
                fitting = {name for code, name in names if code in (language, "mul") and fits(name, code, language)}
                assert (item in found) == bool(fitting)
                if fitting:
                    assert found[item].label == label
                    assert {*found[item].aliases, found[item].label} - {""} == fitting
        typed = {values[1] for method, *values in rows if method == "member" and len(values) > 2}
        for item, those in dictionary.classes_of(classes).items():
            # classes with items for one type alone hold untyped ones for each type that they have, which may be none
            assert set(those) <= classes[item]
            assert classes[item] - set(those) <= typed


@settings(max_examples=25)
@given(rows=st.lists(ROWS, max_size=40), seed=st.integers(0, 2), limit=st.integers(0, 2))
def test_every_place_of_a_class_has_an_item_of_it(rows: list[Row], seed: int, limit: int) -> None:
    plain = [row for row in rows if row[0] != "member" or len(row) == 3]
    labels: dict[tuple[str, str], set[str]] = defaultdict(set)
    members: dict[str, set[str]] = defaultdict(set)
    for method, *values in plain:
        if method == "name":
            labels[values[0], values[1]].add(values[2])
        if method == "member":
            members[values[1]].add(values[0])
    with made(plain, Choices(seed=seed), limit) as dictionary:
        for language in ("en", "hi"):
            sizes = dictionary.sizes([*members, "Q9"], language, "GPE")
            for one, items in members.items():
                usable = {}
                for item in items:
                    for code in (language, "mul"):
                        if item not in usable and labels[item, code] and fits(min(labels[item, code]), code, language):
                            usable[item] = min(labels[item, code])
                kept = sorted(usable, key=lambda item: (mix64(ids.number_of(item), seed), ids.number_of(item)))
                kept = kept[: limit or None]
                assert sizes[one] == len(kept)
                found = dictionary.instances([(one, at) for at in range(len(kept))], language, "GPE")
                assert [(x.item, x.name) for x in found] == [(item, usable[item]) for item in kept]
            assert sizes["Q9"] == 0


def test_mix64_is_splitmix64_and_the_same_in_sql() -> None:
    # The first output of the reference implementation for the seed 42.
    assert mix64(42) == 13679457532755275413
    from nerquake.knowledge.members import mix64_sql

    with made([]) as dictionary:
        for number in (0, 1, 42, -1, 2**63 - 1, -(2**63)):
            for seed in (0, 7):
                sql = f"SELECT {mix64_sql('n', seed)} FROM (SELECT ({number})::BIGINT AS n)"
                assert dictionary.ask(sql) == [(mix64(number, seed),)]


def test_a_seed_is_another_order_and_choice() -> None:
    rows: list[Row] = [
        row for n in range(1, 60) for row in (("name", f"Q{n}", "en", f"n{n}"), ("member", f"Q{n}", "Q5"))
    ]
    kept = []
    for seed in (0, 1):
        with made(rows, Choices(seed=seed, limit_per_class=10)) as dictionary:
            kept.append([x.item for x in dictionary.instances([("Q5", at) for at in range(10)], "en", "")])
            (cut, entities) = dictionary.meta.filters
            assert (dict(cut.removed), dict(entities.removed)) == ({"en": 1}, {"en": 49})
            assert len(dictionary.classes_of([f"Q{n}" for n in range(1, 60)])) == 59
    assert set(kept[0]) != set(kept[1])


def test_hashes_that_are_spread_unevenly_change_no_choice(monkeypatch: pytest.MonkeyPatch) -> None:
    rows: list[Row] = [
        row for n in range(1, 60) for row in (("name", f"Q{n}", "en", f"n{n}"), ("member", f"Q{n}", "Q5"))
    ]
    with made(rows, Choices(limit_per_class=3)) as dictionary:
        expected = content(dictionary)
    asked = []
    monkeypatch.setattr(
        "nerquake.knowledge.members._likely", lambda limit: asked.append(limit) or "FROM listed LIMIT 1"
    )
    with made(rows, Choices(limit_per_class=3)) as dictionary:
        assert content(dictionary) == expected
    assert asked == [3]


def test_no_column_is_null_and_every_table_is_sorted() -> None:
    rows = [*CITIES, ("subclass", "Q515", "Q486972"), ("country", "Q64", "Q183"), ("description", "Q64", "en", "city"),
            ("fault", "dump", 3, "bad", "x"), ("withhold", "Q515", "", "en", "Q64")]  # fmt: skip
    with made(rows) as dictionary:
        for name, table in TABLES.items():
            if name != "meta":
                assert dictionary.ask(f"FROM {name}") == dictionary.ask(f"FROM {name} ORDER BY {table.sort}") != []
                nulls = " OR ".join(f"{column} IS NULL" for column in table.column_names)
                assert dictionary.ask(f"SELECT count(*) FROM {name} WHERE {nulls}") == [(0,)]


def test_of_several_labels_the_first_stays_one() -> None:
    with made([("name", "Q1", "en", "b"), ("name", "Q1", "en", "a"), ("alias", "Q1", "en", "a")]) as dictionary:
        assert dictionary.names(["Q1"], "en")["Q1"] == ("a", ("b",))
        assert dictionary.ask("SELECT name, kind FROM names ORDER BY name") == [("a", 0), ("b", 1)]


def test_classes_without_a_title_have_the_label_of_their_item() -> None:
    rows = [("member", "Q1", "Q515"), ("name", "Q515", "en", "city"), ("name", "Q515", "de", "Stadt"),
            ("class_name", "Q515", "en", "a city"), ("name", "Q1", "en", "Bonn")]  # fmt: skip
    with made(rows) as dictionary:
        assert dictionary.class_titles(["Q515"]) == {"Q515": "a city"}
        assert dictionary.class_titles(["Q515"], "de") == {"Q515": "Stadt"}


def test_names_of_people_come_from_wikidatas_classes_of_names_too() -> None:
    rows = [("member", "Q1", "Q202444"), ("name", "Q1", "mul", "Anna"), ("alias", "Q1", "en", "Annie"),
            ("member", "Q2", "Q101352"), ("name", "Q2", "en", "Lind")]  # fmt: skip
    with made(rows) as dictionary:
        assert dictionary.person_names("en") == (("Anna",), ("Lind",))
        assert dictionary.person_names("hi") == ((), ())


def test_a_builder_that_breaks_is_named(tmp_path: Path) -> None:
    for row in (("name", "Q1", "en", ""), ("name", "Q1", "en", "\ud800"), ("item", "", 1)):
        with pytest.raises(PluginError, match="Given, giving rows"):
            build([Given([row])], tmp_path / "f")
    assert list(tmp_path.iterdir()) == []


def test_ids_that_fall_on_one_number_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nerquake.knowledge.draft.number_of", lambda text: -5)
    with pytest.raises(InputError, match="'local:a' and 'local:b'"), made([("item", "local:a"), ("item", "local:b")]):
        pass


def test_a_file_is_the_same_as_memory_with_any_number_of_threads(tmp_path: Path) -> None:
    digests = set()
    for threads in (1, 2):
        path = tmp_path / "d"
        build([Given(CITIES)], path, limits=Limits(threads=threads))
        with Dictionary.open(str(path)) as dictionary, made(CITIES) as memory:
            assert content(dictionary) == content(memory)
            digests |= {dictionary.meta.digest, memory.meta.digest}
    assert len(digests) == 1
    assert [file.name for file in tmp_path.iterdir()] == ["d"]


def test_nothing_is_replaced_when_a_build_fails(tmp_path: Path) -> None:
    path = tmp_path / "d"
    path.write_text("old", "utf-8")
    with pytest.raises(PluginError):
        build([Given([*CITIES, ("name", "Q1", "en", "")])], path)
    assert path.read_text("utf-8") == "old"
    assert [file.name for file in tmp_path.iterdir()] == ["d"]
    with pytest.raises(IsADirectoryError):
        build([Given(CITIES)], tmp_path)


def test_little_memory_is_enough_for_much_more_data(tmp_path: Path) -> None:
    rows: list[Row] = []
    for n in range(1, 20_000):
        rows += [("name", f"Q{n}", "en", f"name {n % 5000} of {n}"), ("member", f"Q{n}", f"Q{n % 7 + 1}")]
    build([Given(rows)], tmp_path / "d", limits=Limits("40MB", 1))
    with Dictionary.open(str(tmp_path / "d")) as dictionary:
        assert sum(dictionary.sizes([f"Q{n}" for n in range(1, 8)], "en", "").values()) == 19_999
