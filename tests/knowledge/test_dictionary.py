"""What a dictionary answers."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.knowledge.given import CITIES, Row, made

from nerquake.core.errors import InputError
from nerquake.knowledge.build import Choices
from nerquake.knowledge.candidates import Asked, Candidate, candidates
from nerquake.knowledge.dictionary import Dictionary, Instance, starter
from nerquake.knowledge.figures import class_rows, figures, table
from nerquake.knowledge.text import folded, key_of, presentable


@pytest.fixture(scope="module")
def cities() -> Iterator[Dictionary]:
    with made(CITIES) as dictionary:
        yield dictionary


def test_classes_types_and_titles(cities: Dictionary) -> None:
    assert cities.classes_of(["Q90", "Q64", "Q1", "Q90"]) == {"Q90": ("Q515", "local:capital"), "Q64": ("Q515",)}
    assert cities.types_of(["Q515", "Q9", "local:hero"]) == {"Q515": ("GPE",), "local:hero": ("PERSON",)}
    assert cities.class_titles(["Q515", "local:capital"]) == {"Q515": "city"}
    assert cities.classes_of([]) == cities.names([], "en") == {}
    assert cities.instances([], "en", "GPE") == []


def test_classes_of_a_type_are_those_with_instances(cities: Dictionary) -> None:
    assert cities.classes_of_type("GPE", "en") == {"Q515": 2, "local:capital": 1}
    assert cities.classes_of_type("GPE", "hi") == {"Q515": 1}
    assert cities.classes_of_type("LAW", "en") == {}
    assert cities.sizes(["local:empty", "local:hero"], "en", "LAW") == {"local:empty": 0, "local:hero": 1}


def test_instances_are_named_in_the_language_and_its_script(cities: Dictionary) -> None:
    assert cities.instances([("Q515", 0)], "hi", "GPE") == [Instance("Q64", "बर्लिन")]
    found = cities.instances([("Q515", 1), ("local:capital", 0), ("Q515", 0)], "en", "GPE")
    assert found[1] == Instance("Q90", "Paris")
    assert {found[0], found[2]} == {Instance("Q90", "Paris"), Instance("Q64", "Berlin")}
    for class_id, place in (("Q515", 2), ("Q515", -1), ("Q9", 0)):
        with pytest.raises(IndexError, match=f"{class_id} has no instance {place} in en"):
            cities.instances([("local:capital", 0), (class_id, place)], "en", "GPE")


def test_names_in_a_language(cities: Dictionary) -> None:
    assert cities.names(["Q64", "Q90"], "en") == {"Q64": ("Berlin", ("Berlin, Germany",)), "Q90": ("Paris", ())}
    assert cities.names(["Q64", "Q90"], "de") == {"Q90": ("Paris", ("Stadt Paris",))}
    assert cities.names(["Q64", "Q90"], "hi") == {"Q64": ("बर्लिन", ())}
    assert cities.names(["Q90"], "it's") == {"Q90": ("Paris", ())}


def test_names_of_people(cities: Dictionary) -> None:
    assert cities.person_names("en") == (("Anna",), ("Lind",))
    assert cities.person_names("hi") == ((), ("नायर",))


def test_a_hindi_name_without_a_hindi_letter_stays_out() -> None:
    rows = [("name", "Q1", "mul", "1984"), ("name", "Q2", "hi", "1984"), ("name", "Q3", "hi", "ISRO"),
            ("name", "Q4", "mul", "इसरो"), ("name", "Q5", "en", "Hawaiʻi"), ("name", "Q6", "en", "Αθήνα")]  # fmt: skip
    with made(rows) as dictionary:
        everything = [f"Q{n}" for n in range(1, 7)]
        assert set(dictionary.names(everything, "hi")) == {"Q2", "Q4"}
        assert set(dictionary.names(everything, "en")) == {"Q5"}
        assert set(dictionary.names(everything, "xx")) == {"Q1", "Q4"}


@pytest.mark.parametrize("language", ["en", "hi", "xx"])
def test_what_cannot_stand_in_a_sentence_is_never_drawn(language: str) -> None:
    right = {"en": ["Berlin", "AC/DC", "New\xa0York"], "hi": ["दिल्\u200dली"], "xx": ["Αθήνα", "1984"]}[language]
    wrong = ["   ", "\u200b", "\xad\ufeff", "a\0b", "a\tb", "a\nb", "a\x85b", "a\u2028b", "a\u2029b", "\x1f", "Q100"]
    rows: list[Row] = []
    for n, name in enumerate(wrong + right):
        rows += [("name", f"Q{90 + n}", language, name), ("member", f"Q{90 + n}", "Q515")]
    with made([("class_type", "Q515", "GPE", "test"), *rows], Choices((language,))) as dictionary:
        size = dictionary.sizes(["Q515"], language, "GPE")["Q515"]
        drawn = dictionary.instances([("Q515", place) for place in range(size)], language, "GPE")
    assert sorted(one.name for one in drawn) == sorted(right)
    assert [text for text in wrong[:-1] + right if presentable(text)] == right


def test_titles_of_wikipedia(cities: Dictionary) -> None:
    assert cities.items_titled(["Berlin", "Paris,_France", "Rome"], "en") == {"Berlin": "Q64", "Paris,_France": "Q90"}
    assert cities.items_titled(["Berlin"], "de") == {}


def test_a_class_as_a_user_writes_it(cities: Dictionary) -> None:
    assert [cities.class_id(text) for text in ("Q515", "capital", "local:capital")] == ["Q515", *["local:capital"] * 2]
    with pytest.raises(InputError, match="there is no class Q64"):
        cities.class_id("Q64")


def test_the_starter_is_made_once() -> None:
    assert starter() is starter()


def one(dictionary: Dictionary, text: str, type_: str = "", language: str = "en") -> list[str]:
    asked = Asked(text, type_)
    return [found.item for found in candidates(dictionary, [asked], language).get(asked, ())]


def test_candidates_are_found_by_folded_text(cities: Dictionary) -> None:
    assert one(cities, "  BERLIN\t,  Germany") == []
    assert one(cities, " BERLIN,  Germany") == ["Q64"]
    assert one(cities, "Ｂｅｒｌｉｎ") == ["Q64"]
    assert one(cities, "बर्लिन") == ["Q64"]
    assert one(cities, "Bonn") == one(cities, "") == one(cities, "\ud800") == []


def test_a_candidate_says_where_its_rank_comes_from(cities: Dictionary) -> None:
    asked = [Asked("paris", "GPE"), Asked("Paris", "PERSON"), Asked("Berlin, Germany", "ORG"), Asked("Stadt Paris")]
    found = candidates(cities, [*asked, asked[0]], "en")
    assert found == {
        asked[0]: (Candidate("Q90", True, False, False, 1, 400), Candidate("Q167646", False, False, False, 0, 20)),
        asked[1]: (Candidate("Q167646", True, True, False, 0, 20), Candidate("Q90", False, True, False, 1, 400)),
        asked[2]: (Candidate("Q64", False, True, True, 0, 300),),
        asked[3]: (Candidate("Q90", False, True, True, 2, 400),),
    }


RANKED: list[Row] = [
    ("name", "Q9", "en", "Bonn"), ("member", "Q9", "Q515"), ("class_type", "Q515", "GPE", "test"),
    ("name", "Q8", "en", "Bonn"), ("item", "Q8", 9),
    ("name", "Q7", "en", "Bonn"), ("item", "Q7", 5),
    ("name", "Q6", "mul", "Bonn"), ("item", "Q6", 99),
    ("name", "Q5", "hi", "Bonn"), ("item", "Q5", 99),
    ("alias", "Q4", "en", "Bonn"), ("item", "Q4", 99),
    ("name", "Q3", "en", "BONN"), ("alias", "Q3", "de", "Bonn"),
    ("name", "Q2", "en", "bonn"), ("item", "Q2", 99),
    ("name", "Q1", "en", "bonn"), ("item", "Q1", 99),
    ("name", "local:bonn", "en", "bonn"), ("item", "local:bonn", 99),
]  # fmt: skip


def test_candidates_are_ranked_by_type_form_kind_language_and_sitelinks() -> None:
    expected = ["Q9", "Q8", "Q7", "Q6", "Q5", "Q4", "Q3", "Q1", "Q2", "local:bonn"]
    with made(RANKED) as dictionary:
        assert one(dictionary, "Bonn", "GPE") == expected
        assert one(dictionary, "Bonn", "ORG") == ["Q8", "Q7", "Q9", *expected[3:]]
        asked = Asked("Bonn", "GPE")
        assert [found.item for found in candidates(dictionary, [asked], "en", limit=2)[asked]] == expected[:2]


def test_a_type_for_which_an_item_is_not_listed_does_not_agree() -> None:
    rows = [("name", "Q1", "en", "Bonn"), ("member", "Q1", "Q515", "NORP"), ("class_type", "Q515", "GPE", "test"),
            ("class_type", "Q515", "NORP", "test")]  # fmt: skip
    with made(rows) as dictionary:
        for type_, agrees in (("NORP", True), ("GPE", False)):
            asked = Asked("Bonn", type_)
            assert candidates(dictionary, [asked], "en")[asked][0].agrees is agrees
        assert dictionary.sizes(["Q515"], "en", "GPE") == {"Q515": 0}
        assert dictionary.sizes(["Q515"], "en", "NORP") == {"Q515": 1}


def test_keys_are_those_of_the_reference_implementation() -> None:
    # XXH3_64bits of the empty input with the default secret and seed 0.
    assert key_of(" ") == 0x2D06800538D394C2
    assert folded(" Straße\u00a0 ＮＹ\u0301 ") == "strasse n\u00fd"
    assert key_of("STRASSE") == key_of("straße")
    for text in ("İstanbul", "\u1e9e ﬁ", "ͅα", "ǰ", "क़"):
        assert folded(folded(text)) == folded(text)


def test_figures_are_paper_rs_table_2_and_more(cities: Dictionary) -> None:
    found = figures(cities)
    assert found["dictionary"] == {
        "GPE": {"original": None, "classes": 2, "entities": 2},
        "LAW": {"original": None, "classes": 1, "entities": 0},
        "PERSON": {"original": None, "classes": 1, "entities": 1},
        "ALL": {"original": None, "classes": 4, "entities": 3},
    }
    assert found["drawable"]["GPE"] == {
        "de": {"classes": 2, "entities": 1}, "en": {"classes": 2, "entities": 2}, "hi": {"classes": 1, "entities": 1},
    }  # fmt: skip
    assert found["names"] == {"de": 1, "en": 3, "hi": 1, "mul": 1}
    assert found["person_names"] == {"en": {"given": 1, "family": 1}, "hi": {"given": 0, "family": 1}}
    assert found["type_sources"] == {"test": 4}
    assert found["untyped_classes"] == 0
    counted = table(cities, {"GPE": 7, "ORG": 2})
    assert counted["GPE"]["original"] == 7
    assert counted["ORG"] == {"original": 2, "classes": 0, "entities": 0}
    assert counted["ALL"]["original"] == 9
    rows = class_rows(cities)
    assert [(row["class"], row["type"]) for row in rows] == [
        ("Q515", "GPE"), ("local:capital", "GPE"), ("local:empty", "LAW"), ("local:hero", "PERSON"),
    ]  # fmt: skip
    assert rows[0] == {"class": "Q515", "title": "city", "type": "GPE", "source": "test",
                       "instances": {"de": 1, "en": 2, "hi": 1}}  # fmt: skip
