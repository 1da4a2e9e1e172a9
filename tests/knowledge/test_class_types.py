"""Name types of classes from linked mentions."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.cli.runner import nerquake
from tests.knowledge.given import Given, Row, made
from tests.knowledge.linked import corpus, item, sentence

from nerquake.core.dataset import Dataset
from nerquake.core.errors import InputError, UsageError
from nerquake.core.linking import Link
from nerquake.knowledge import parquet
from nerquake.knowledge.build import Choices, build
from nerquake.knowledge.builders import builders_of
from nerquake.knowledge.class_types import Linked, linked_mentions, types_from
from nerquake.knowledge.dictionary import Dictionary
from nerquake.knowledge.figures import class_rows, figures
from nerquake.knowledge.filter_names import Ascii
from nerquake.knowledge.filters import drawing, write_filtered
from nerquake.knowledge.label_types import label_types
from nerquake.knowledge.links import Links

ROWS: list[Row] = [
    *item("Q64", ["Berlin"], "Q515"), ("member", "Q64", "local:capital"),
    *item("Q90", ["Paris"], "Q515"),
    *item("Q41", ["Oder"], "Q4022"),
    *item("Q7", ["Zürich FC"], "local:club"),
    *item("Q8", ["Anna"], "local:listed"),
    ("item", "Q9", 1), ("name", "Q9", "en", "Nothing"),
    ("class_type", "Q515", "ORG", "root"), ("class_type", "Q4022", "LOC", "root"),
    ("class_type", "local:listed", "ORG", "file"), ("class_type", "local:other", "LAW", "root"),
]  # fmt: skip
WORDS = {"Berlin": "Q64", "Paris": "Q90", "Oder": "Q41", "Zürich": "Q7", "Anna": "Q8", "Nothing": "Q9", "Gone": "Q1"}


def linked(*mentions: tuple[str, str], name: str = "train", types: tuple[str, ...] = ()) -> Linked:
    """Mentions as (word, label), each linked to the item of its word; `?` is linked to none."""
    data = corpus(*(sentence(f"s{at}", f"in {word} .", (word, label)) for at, (word, label) in enumerate(mentions)),
                  name=name)  # fmt: skip
    return linked_mentions(data, links_of(data), label_types(types))


def links_of(data: Dataset) -> Links:
    return Links(tuple(Link(one.id, 1, 2, (), WORDS.get(one.tokens[1]), one.tokens[1]) for one in data), "links")


def sources(dictionary: Dictionary) -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = {}
    for row in class_rows(dictionary):
        found.setdefault(row["class"], {})[row["type"]] = row["source"]
    return found


def retyped(tmp_path: Path, *data: Linked, replace: bool = True) -> Dictionary:
    with made(ROWS) as dictionary, drawing(dictionary) as drawn:
        drawn.retype(types_from(dictionary, data, replace=replace))
        write_filtered(drawn, str(tmp_path / "g"))
    return Dictionary.open(str(tmp_path / "g"))


MENTIONS = (("Berlin", "GPE"), ("Berlin", "GPE"), ("Paris", "ORG"), ("Oder", "FAC"), ("Zürich", "ORG"))


def test_classes_have_the_types_of_the_mentions_linked_to_their_items(tmp_path: Path) -> None:
    with retyped(tmp_path, linked(*MENTIONS)) as found:
        assert sources(found) == {
            "Q515": {"GPE": "mentions 2", "ORG": "mentions 1"},  # seen under two types
            "local:capital": {"GPE": "mentions 2"},  # all direct classes of the item
            "Q4022": {"FAC": "mentions 1"},  # in the place of the root class's
            "local:club": {"ORG": "mentions 1"},  # had none
            "local:listed": {"ORG": "file"},  # untouched
            "local:other": {"LAW": "root"},
        }
        assert found.sizes(["Q515"], "en", "GPE") == {"Q515": 2}
        assert found.sizes(["Q4022"], "en", "FAC") == {"Q4022": 1}
        found.verify()


def test_types_of_root_classes_can_be_kept(tmp_path: Path) -> None:
    with retyped(tmp_path, linked(*MENTIONS), replace=False) as found:
        assert sources(found) == {
            "Q515": {"ORG": "root"}, "local:capital": {"GPE": "mentions 2"}, "Q4022": {"LOC": "root"},
            "local:club": {"ORG": "mentions 1"}, "local:listed": {"ORG": "file"}, "local:other": {"LAW": "root"},
        }  # fmt: skip
        (source,) = (one for one in found.meta.sources if one.builder == "mentions")
        assert source.filters[-1].name == "types from mentions, root_types=keep"
        assert source.filters[-1].removed == {"new types of classes that keep theirs": 3}


@pytest.mark.parametrize("replace", [True, False])
def test_what_a_file_listed_a_class_for_stays(replace: bool) -> None:
    with made(ROWS) as dictionary:
        found = types_from(dictionary, [linked(("Anna", "PERSON"), ("Zürich", "ORG"))], replace=replace)
        assert found.counts == {("local:club", "ORG"): 1}
        assert found.kept == 1


def test_several_data_sets_are_counted_together(tmp_path: Path) -> None:
    other = linked(("Paris", "GPE"), ("Oder", "LOC"), ("Oder", "GPE"), name="dev")
    with retyped(tmp_path, linked(*MENTIONS), other) as found:
        assert sources(found)["Q515"] == {"GPE": "mentions 3", "ORG": "mentions 1"}
        # beside GPE, LOC may be LOC, as the root class has it, or FAC, as another mention says: it counts for both
        assert sources(found)["Q4022"] == {"FAC": "mentions 2", "LOC": "mentions 1", "GPE": "mentions 1"}


def test_a_label_of_several_types_is_what_is_known_of_the_class() -> None:
    several = linked(("Oder", "LOC"), ("Oder", "LOC"), ("Zürich", "LOC"), ("Berlin", "LOC"))
    sure = linked(("Berlin", "FAC"), name="dev")
    with made(ROWS) as dictionary:
        assert types_from(dictionary, [several, sure]).counts == {
            ("Q4022", "LOC"): 2,  # the root class says that
            ("local:club", "GPE"): 1, ("local:club", "LOC"): 1, ("local:club", "FAC"): 1,  # nothing says which
            ("Q515", "FAC"): 2, ("local:capital", "FAC"): 2,  # another mention's label says that
        }  # fmt: skip


def test_labels_beside_others_and_labels_that_a_user_explains() -> None:
    data = linked(("Zürich", "LOC"), ("Paris", "GPE"), ("Oder", "FAC"), ("Berlin", "widget"))
    assert data.counts == {(("LOC",), "Q7"): 1, (("GPE",), "Q90"): 1, (("FAC",), "Q41"): 1}
    assert data.unknown == ("widget",)
    told = linked(("Zürich", "LOC"), ("Berlin", "widget"), types=("widget=LAW", "LOC=GPE"))
    assert told.counts == {(("GPE",), "Q7"): 1, (("LAW",), "Q64"): 1}


def test_what_counted_and_what_did_not_is_recorded(tmp_path: Path) -> None:
    data = linked(*MENTIONS, ("?", "GPE"), ("?", "ORG"), ("Nothing", "ORG"), ("Gone", "GPE"), ("Berlin", "DATE"),
                  ("Berlin", "widget"))  # fmt: skip
    with retyped(tmp_path, data) as found:
        (source,) = (one for one in found.meta.sources if one.builder == "mentions")
        assert source.properties == (
            "train: 1 linked mentions FAC", "train: 3 linked mentions GPE", "train: 3 linked mentions ORG"
        )  # fmt: skip
        assert source.types == ("FAC", "GPE", "ORG")
        assert {one.name: one.removed for one in source.filters} == {
            "types from mentions: train": {
                "mentions not linked": 2,
                "mentions of items that are not in the dictionary": 1,
                "mentions of items without classes": 1,
                "mentions of labels without name types": 2,
            },
            "types from mentions, root_types=replace": {"earlier types of classes": 2},
        }
        assert [one["name"] for one in figures(found)["filters"]] == [one.name for one in source.filters]


def test_filters_that_follow_count_by_the_new_types(tmp_path: Path) -> None:
    with made(ROWS) as dictionary, drawing(dictionary) as drawn:
        drawn.retype(types_from(dictionary, [linked(("Zürich", "ORG"))]))
        assert drawn.apply(Ascii()).removed == {"ORG": 1}
        assert ("Zürich FC", "ORG") not in drawn.names()
        write_filtered(drawn, str(tmp_path / "g"))
    with Dictionary.open(str(tmp_path / "g")) as found:
        assert found.sizes(["local:club"], "en", "ORG") == {"local:club": 0}


def test_the_dictionary_that_was_read_is_as_before() -> None:
    with made(ROWS) as dictionary:
        before = sources(dictionary)
        with drawing(dictionary) as drawn:
            drawn.retype(types_from(dictionary, [linked(*MENTIONS)]))
            assert sources(dictionary) != before
        assert sources(dictionary) == before


def test_a_second_time_replaces_the_first(tmp_path: Path) -> None:
    with retyped(tmp_path, linked(*MENTIONS)) as first, drawing(first) as drawn:
        drawn.retype(types_from(first, [linked(("Oder", "EVENT"), name="dev")]))
        write_filtered(drawn, str(tmp_path / "h"))
    with Dictionary.open(str(tmp_path / "h")) as second:
        assert sources(second)["Q4022"] == {"EVENT": "mentions 1"}
        assert sources(second)["Q515"] == {"GPE": "mentions 2", "ORG": "mentions 1"}


def test_an_export_comes_back_with_the_same_types(tmp_path: Path) -> None:
    with retyped(tmp_path, linked(*MENTIONS)) as found:
        list(parquet.write(found.connection, found.meta, tmp_path / "parquet"))
        again = build(builders_of([f"import:{tmp_path / 'parquet'}"]), tmp_path / "again",
                      Choices(found.meta.languages))  # fmt: skip
        assert again.digest == found.meta.digest


def test_mistakes() -> None:
    with pytest.raises(UsageError, match=r"train: none of its labels has name types; say them with --types widget=ORG"):
        linked(("Berlin", "widget"))
    data = corpus(sentence("s0", "in Rome .", ("Rome", "GPE")))
    with pytest.raises(InputError, match="'Berlin' there and 'Rome'"):
        linked_mentions(data, Links((Link("s0", 1, 2, (), "Q64", "Berlin"),), "links"), label_types())
    with made(ROWS) as dictionary, pytest.raises(InputError, match="no mention of train is linked to an item of test"):
        types_from(dictionary, [linked(("Nothing", "ORG"), ("?", "GPE"))])


pairs = st.lists(st.tuples(st.sampled_from(sorted(WORDS)), st.sampled_from(["GPE", "ORG", "LOC", "FAC", "MISC"])),
                 min_size=1, max_size=12)  # fmt: skip


@pytest.fixture(scope="module")
def everywhere() -> Iterator[Dictionary]:
    """Every item has a class."""
    with made([*ROWS, *item("Q1", ["x"], "Q515"), ("member", "Q9", "Q515")]) as dictionary:
        yield dictionary


@settings(max_examples=30)
@given(first=pairs, second=pairs)
def test_order_and_division_of_the_mentions_do_not_matter(
    everywhere: Dictionary, first: list[tuple[str, str]], second: list[tuple[str, str]]
) -> None:
    every = [*first, *second]
    beside = {label for _, label in every}
    # every part has all labels, since a label's types depend on the labels beside it
    padding = [("?", label) for label in sorted(beside)]
    parts = [linked(*first, *padding), linked(*second, *padding)]
    whole = types_from(everywhere, [linked(*reversed([*every, *padding]))])
    assert types_from(everywhere, parts).counts == types_from(everywhere, parts[::-1]).counts == whole.counts
    assert all(n > 0 for n in whole.counts.values())


def test_the_command(tmp_path: Path) -> None:
    built, data, links, out = (tmp_path / name for name in ("f", "a=b.conll", "l.jsonl", "g"))
    build([Given(ROWS)], str(built))
    data.write_text("In O\nBerlin B-GPE\n\nIn O\nParis B-ORG\n\nIn O\nXyz B-widget\n", "utf-8")
    assert nerquake("dictionary", "link", built, data, "-o", links, "--language", "en").code == 0
    records = [json.loads(line) for line in links.read_text("utf-8").splitlines()]
    for one, item_ in zip(records, ("Q64", "Q90", None), strict=True):  # reviewed by hand
        one["accepted"] = item_
    links.write_text("".join(json.dumps(one) + "\n" for one in records), "utf-8")
    ran = nerquake("dictionary", "filter", built, "-o", out, "--types-from", f"{data}={links}")
    assert ran.code == 0, ran.err
    assert "types from 2 linked mentions: classes 2 GPE, 1 ORG, 1 of them several" in ran.err
    assert "labels without name types do not count: widget (--types says them)" in ran.err
    shown = nerquake("dictionary", "stats", out, "--classes", "--verify", "--format", "json").json
    assert {(row["class"], row["type"]): row["source"] for row in shown["classes"]} == {
        ("Q515", "GPE"): "mentions 1", ("Q515", "ORG"): "mentions 1", ("local:capital", "GPE"): "mentions 1",
        ("Q4022", "LOC"): "root", ("local:listed", "ORG"): "file", ("local:other", "LAW"): "root",
    }  # fmt: skip
    assert "mentions" in shown["sources"]
    kept = nerquake("dictionary", "filter", built, "-o", out, "--types-from", f"{data}={links}", "--root-types", "keep",
                    "--ascii")  # fmt: skip
    assert "classes 1 GPE; 1 classes keep the types that they have" in kept.err
    assert "ascii: withheld" in kept.err
    wrong = nerquake("dictionary", "filter", built, "-o", out, "--types-from", data.with_name("x"))
    assert (wrong.code, "a labelled file and its links are expected" in wrong.err) == (2, True)
