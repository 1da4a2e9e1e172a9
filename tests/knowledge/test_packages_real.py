"""The builder from data packages on the packages themselves."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator

import pytest
from tests.conftest import skip_or_fail

from nerquake.knowledge.build import build_in_memory
from nerquake.knowledge.dictionary import Dictionary
from nerquake.knowledge.figures import class_rows, figures
from nerquake.knowledge.packages import PACKAGES, Packages
from nerquake.knowledge.packages_rows import fits_script

LANGUAGES = ("en", "de", "hi")


@pytest.fixture(scope="session")
def data_packages() -> None:
    """All data packages are installed."""
    for name in PACKAGES:
        if importlib.util.find_spec(name) is None:
            skip_or_fail(f'{name} is not installed: pip install "nerquake[packages]"')


@pytest.fixture(scope="module")
def dictionary(data_packages: None) -> Iterator[Dictionary]:
    connection, meta = build_in_memory([Packages()])
    yield Dictionary("packages", connection, meta)
    connection.close()


def members(dictionary: Dictionary, class_id: str, language: str = "en") -> set[str]:
    type_ = dictionary.types_of([class_id]).get(class_id, ("",))[0]
    size = dictionary.sizes([class_id], language, type_)[class_id]
    return {one.name for one in dictionary.instances([(class_id, place) for place in range(size)], language, type_)}


@pytest.mark.parametrize(
    ("class_id", "language", "some", "fewest"),
    [
        ("Q1637706", "en", {"Berlin", "Mumbai", "Los Angeles"}, 400),
        ("Q1549591", "en", {"Leipzig", "Boston"}, 3000),
        ("Q3957", "en", {"Emden"}, 15_000),
        ("Q1637706", "hi", {"बर्लिन"}, 200),
        ("Q1549591", "de", {"Leipzig"}, 50),
        ("Q5119", "en", {"Paris", "Nairobi", "Yaoundé"}, 180),
        ("Q6256", "de", {"Deutschland", "Indien"}, 190),
        ("Q3624078", "hi", {"भारत", "जर्मनी"}, 190),
        ("Q5107", "en", {"Africa", "Asia", "Antarctica"}, 7),
        ("Q35657", "en", {"Texas", "Ohio"}, 50),
        ("Q1221156", "de", {"Bayern", "Hessen"}, 16),
        ("Q11828004", "en", {"Ontario"}, 10),
        ("Q6465", "en", {"Gironde"}, 90),
        ("Q34770", "hi", {"हिन्दी", "जर्मन"}, 400),
        ("Q1288568", "en", {"Hindi", "German"}, 5000),
        ("local:currency", "de", {"Euro", "Indische Rupie"}, 150),
        ("Q1248784", "en", {"Lhasa Gonggar Airport"}, 5000),
        ("Q644371", "en", {"Nadi International Airport"}, 500),
        ("Q891723", "de", {"BMW", "Puma"}, 1500),
        ("Q22687", "en", {"Commerzbank"}, 30),
    ],
)
def test_classes_hold_what_they_should(
    dictionary: Dictionary, class_id: str, language: str, some: set[str], fewest: int
) -> None:
    found = members(dictionary, class_id, language)
    assert some <= found
    assert len(found) >= fewest


def test_no_name_twice_in_a_class_of_places_or_airports(dictionary: Dictionary) -> None:
    for class_id in ("Q1637706", "Q1549591", "Q3957", "Q1248784", "Q891723", "Q6256"):
        type_ = dictionary.types_of([class_id])[class_id][0]
        assert len(members(dictionary, class_id)) == dictionary.sizes([class_id], "en", type_)[class_id]


def test_all_names_are_clean(dictionary: Dictionary) -> None:
    found = dictionary.ask("SELECT lang, name FROM names")
    assert {language for language, _ in found} == {*LANGUAGES, "mul"}
    bad = [
        (language, name)
        for language, name in found
        if any(sign in name for sign in "()[]\t\n†")
        or "  " in name
        or (language != "mul" and not fits_script(name, language))
    ]
    assert not bad, bad[:20]


def test_wikidata_ids_stand_for_checked_classes_alone(dictionary: Dictionary) -> None:
    """Those of the study of real dictionaries; no item has one."""
    checked = {1549591, 1637706, 515, 3957, 486972, 1093829, 5119, 6256, 3624078, 5107, 35657, 34770, 1288568, 1221156,
               11828004, 6465, 1248784, 644371, 891723, 22687, 46970, 786820}  # fmt: skip
    found = {one for (one,) in dictionary.ask("SELECT DISTINCT class FROM item_class WHERE class > 0")}
    assert found <= checked
    assert len(found) >= 20
    assert dictionary.ask("SELECT count(*) FROM items WHERE id > 0") == [(0,)]


def test_every_class_has_a_title_and_an_instance(dictionary: Dictionary) -> None:
    rows = class_rows(dictionary)
    assert len(rows) > 200
    assert all(row["title"] and row["instances"] for row in rows)
    assert {row["type"] for row in rows} == {"GPE", "LOC", "FAC", "ORG", "LANGUAGE"}


def test_the_figures_have_every_rule_and_all_attributions(dictionary: Dictionary) -> None:
    document = figures(dictionary)
    assert all(sum(found["removed"].values()) > 0 for found in document["filters"])
    rules = {found["name"].partition(": ")[0] for found in document["filters"]}
    assert rules == set(PACKAGES)
    assert len(document["filters"]) >= 35
    lines = "\n".join(document["attributions"])
    for said in ("GeoNames (www.geonames.org), CC BY 4.0", "Unicode License", "LGPL", "MIT", "Wikipedia"):
        assert said in lines
    assert len({source.version for source in dictionary.meta.sources}) == len(PACKAGES)
    assert all(source.version.split()[1] for source in dictionary.meta.sources)


def test_two_builds_are_equal(dictionary: Dictionary) -> None:
    connection, meta = build_in_memory([Packages()])
    connection.close()
    assert meta.digest == dictionary.meta.digest


@pytest.mark.parametrize("name", PACKAGES)
def test_each_package_serves_alone(data_packages: None, name: str) -> None:
    connection, meta = build_in_memory([Packages(chosen=(name,))])
    connection.close()
    assert meta.rows["members"] > 500
    assert [source.version.split()[0] for source in meta.sources] == [name]


def test_other_languages_of_babel(data_packages: None) -> None:
    connection, meta = build_in_memory([Packages(chosen=("babel",), languages=("fr", "ru"))])
    found = Dictionary("packages", connection, meta)
    assert {"Allemagne", "Inde"} <= members(found, "Q6256", "fr")
    assert {"Германия"} <= members(found, "Q6256", "ru")
    connection.close()
