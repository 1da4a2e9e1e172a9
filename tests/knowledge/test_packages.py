"""The builder from data packages: every cleaning rule on a few entries, and what is chosen and missing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import pytest

from nerquake.knowledge.build import build_in_memory
from nerquake.knowledge.dictionary import Dictionary
from nerquake.knowledge.draft import Draft
from nerquake.knowledge.meta import Source
from nerquake.knowledge.packages_areas import DEPENDENCIES, DISPUTED, area_classes
from nerquake.knowledge.packages_babel import give_areas, give_currencies, give_languages
from nerquake.knowledge.packages_iso import Language, Subdivision, give_subdivisions, turned
from nerquake.knowledge.packages_iso import give_languages as give_iso_languages
from nerquake.knowledge.packages_lists import Airport, Company, give_airports, give_companies
from nerquake.knowledge.packages_places import Place, give_counties, give_places, give_states
from nerquake.knowledge.packages_rows import PackageRows, fits_script

Give = Callable[[PackageRows], None]


@dataclass(frozen=True)
class Rows:
    """A builder that gives what a function gives."""

    give: tuple[Give, ...]
    languages: tuple[str, ...] = ("en", "de", "hi")

    def fill(self, draft: Draft) -> list[Source]:
        labelled: set[tuple[str, str]] = set()
        sources = []
        for give in self.give:
            rows = PackageRows(draft, "fake", self.languages, labelled)
            give(rows)
            sources.append(Source("packages", languages=self.languages, filters=rows.filters, types=tuple(rows.types)))
        return sources


@contextmanager
def made(*give: Give, languages: tuple[str, ...] = ("en", "de", "hi")) -> Iterator[Dictionary]:
    connection, meta = build_in_memory([Rows(give, languages)])
    try:
        yield Dictionary("test", connection, meta)
    finally:
        connection.close()


def names(dictionary: Dictionary, language: str = "en") -> dict[str, str]:
    """Labels by local id."""
    sql = "SELECT text, name FROM names JOIN local_ids USING (id) WHERE kind = 0 AND lang = $language"
    return {text.removeprefix("local:"): name for text, name in dictionary.ask(sql, language=language)}


def aliases(dictionary: Dictionary, language: str = "en") -> set[str]:
    sql = "SELECT name FROM names WHERE kind = 1 AND lang = $language"
    return {name for (name,) in dictionary.ask(sql, language=language)}


def members(dictionary: Dictionary, class_id: str, language: str = "en") -> set[str]:
    type_ = dictionary.types_of([class_id]).get(class_id, ("",))[0]
    size = dictionary.sizes([class_id], language, type_)[class_id]
    return {one.name for one in dictionary.instances([(class_id, place) for place in range(size)], language, type_)}


def took(dictionary: Dictionary) -> dict[str, dict[str, int]]:
    return {
        found.name.removeprefix("fake: "): dict(found.removed)
        for source in dictionary.meta.sources
        for found in source.filters
    }


def test_areas() -> None:
    found = {
        "en": {"001": "world", "ZZ": "Unknown Region", "XA": "Pseudo-Accents", "UN": "United Nations", "DE": "Germany",
               "MM": "Myanmar (Burma)", "HK": "Hong Kong SAR China", "BA": "Bosnia & Herzegovina", "150": "Europe",
               "145": "Western Asia", "AQ": "Antarctica", "TW": "Taiwan", "CD": "Congo - Kinshasa"},
        "de": {"DE": "Deutschland", "HK": "Sonderverwaltungsregion Hongkong", "CD": "Kongo-Kinshasa"},
        "hi": {"DE": "जर्मनी", "HK": "हाँग काँग (चीन विशेष प्रशासनिक क्षेत्र)", "TW": "Taiwan"},
    }  # fmt: skip
    with made(lambda rows: give_areas(rows, found)) as dictionary:
        assert names(dictionary) == {
            "country/DE": "Germany", "country/MM": "Myanmar", "country/HK": "Hong Kong", "area/150": "Europe",
            "country/BA": "Bosnia and Herzegovina", "area/145": "Western Asia", "area/AQ": "Antarctica",
            "country/TW": "Taiwan",
        }  # fmt: skip
        assert names(dictionary, "de") == {
            "country/DE": "Deutschland", "country/HK": "Hongkong", "country/CD": "Kongo-Kinshasa"
        }  # fmt: skip
        assert names(dictionary, "hi") == {"country/DE": "जर्मनी", "country/HK": "हाँग काँग"}
        assert members(dictionary, "Q3624078") == {"Germany", "Myanmar", "Bosnia and Herzegovina"}
        assert members(dictionary, "Q6256") == {"Germany", "Myanmar", "Bosnia and Herzegovina", "Taiwan"}
        assert members(dictionary, "local:dependent-territory") == {"Hong Kong"}
        assert members(dictionary, "Q5107") == {"Europe", "Antarctica"}
        assert members(dictionary, "local:world-region") == {"Western Asia"}
        assert dictionary.types_of(["Q5107"]) == {"Q5107": ("LOC",)}
        assert took(dictionary) == {
            "pseudo codes": {"areas": 4}, "parts in brackets": {"areas": 2}, "words of administration": {"areas": 2},
            "ampersands spelled out": {"areas": 1}, "names not wholly in the language's script": {"areas, hi": 1},
            "names with dashes": {"areas": 1},
        }  # fmt: skip


def test_no_area_is_a_country_and_a_dependency() -> None:
    assert not DEPENDENCIES & DISPUTED
    assert area_classes("SU") == ()
    assert [one.class_id for one in area_classes("FR")] == ["Q6256", "Q3624078"]


def test_languages_of_babel() -> None:
    found = {
        "en": {"de": "German", "mul": "Multiple languages", "zxx": "No linguistic content", "fr_CH": "Swiss French",
               "hi_Latn": "Hindi (Latin)", "nb": "Norwegian Bokmål"},
        "de": {"de": "Deutsch", "nb": "Norwegisch (Bokmål)"},
    }  # fmt: skip
    with made(lambda rows: give_languages(rows, found)) as dictionary:
        assert names(dictionary) == {"language/de": "German", "language/nb": "Norwegian Bokmål"}
        assert names(dictionary, "de") == {"language/de": "Deutsch"}
        assert members(dictionary, "Q34770") == {"German", "Norwegian Bokmål"}
        assert took(dictionary) == {
            "pseudo codes": {"languages": 2}, "dialects": {"languages": 2}, "names with brackets": {"languages": 1}
        }  # fmt: skip


CURRENCIES = {
    "en": {"EUR": "Euro", "AFA": "Afghan Afghani (1927–2002)", "BEC": "Belgian Franc (convertible)", "XAG": "Silver",
           "XAF": "Central African CFA Franc", "BOV": "Bolivian Mvdol", "XXX": "Unknown Currency",
           "TTD": "Trinidad & Tobago Dollar"},
    "hi": {"EUR": "यूरो", "XPF": "[CFP] फ़्रैंक", "XAF": "केंद्रीय अफ़्रीकी CFA फ़्रैंक"},
}  # fmt: skip


def test_currencies() -> None:
    with made(lambda rows: give_currencies(rows, CURRENCIES, "")) as dictionary:
        expected = {"EUR": "Euro", "XAF": "Central African CFA Franc", "TTD": "Trinidad and Tobago Dollar"}
        assert names(dictionary) == {f"currency/{code}": name for code, name in expected.items()}
        assert names(dictionary, "hi") == {"currency/EUR": "यूरो"}
        assert took(dictionary) == {
            "pseudo codes": {"currencies": 3}, "names with years": {"currencies": 1},
            "names with brackets": {"currencies": 2}, "ampersands spelled out": {"currencies": 1},
            "names not wholly in the language's script": {"currencies, hi": 1},
        }  # fmt: skip
        assert dictionary.types_of(["local:currency"]) == {}
        assert members(dictionary, "local:currency") == set(expected.values())


def test_currencies_have_the_type_that_they_are_given() -> None:
    with made(lambda rows: give_currencies(rows, CURRENCIES, "MONEY")) as dictionary:
        assert dictionary.types_of(["local:currency"]) == {"local:currency": ("MONEY",)}


def place(number: int, name: str, country: str = "DE", population: int = 20_000, *others: str) -> Place:
    return Place(str(number), name, country, population, others)


COUNTRIES = {
    "DE": {"name": "Germany", "capital": "Berlin"},
    "US": {"name": "United States", "capital": "Washington"},
    "CW": {"name": "Curaçao", "capital": " Willemstad"},
    "KZ": {"name": "Kazakhstan", "capital": "Nur-Sultan"},
    "CS": {"name": "Serbia and Montenegro", "capital": "Belgrade"},
    "AQ": {"name": "Antarctica", "capital": ""},
}


def give(*places: Place) -> Give:
    return lambda rows: give_places(rows, places, COUNTRIES)


def test_places_by_size() -> None:
    places = [
        place(1, "Berlin", "DE", 3_426_354), place(2, "Jena", "DE", 100_000), place(3, "Varel", "DE", 15_000),
        place(4, "Hiddensee", "DE", 14_999), place(5, "Willemstad", "CW", 125_000), place(6, "Tombstone", "US", 0),
    ]  # fmt: skip
    with made(give(*places)) as dictionary:
        found = {one: members(dictionary, one) for one in ("Q1637706", "Q1549591", "Q3957", "Q486972", "Q5119")}
        assert found == {
            "Q1637706": {"Berlin"}, "Q1549591": {"Jena", "Willemstad"}, "Q3957": {"Varel"},
            "Q486972": {"Hiddensee", "Tombstone"}, "Q5119": {"Berlin", "Willemstad"},
        }  # fmt: skip
        assert took(dictionary) == {"capitals that are no places of the list": {"places": 2}}


def test_places_by_country_where_there_are_enough() -> None:
    letters = "abcdefghijklmnopqrst"
    with made(give(*(place(n, f"Aa{sign}", "US") for n, sign in enumerate(letters)), place(99, "Jena"))) as dictionary:
        assert len(members(dictionary, "Q1093829")) == len(letters) == 20
        assert dictionary.classes_of_type("GPE", "en") == {"Q3957": 21, "Q1093829": 20}
        assert dictionary.ask("SELECT count(*) FROM country") == [(21,)]
    with made(give(*(place(n, f"Aa{sign}") for n, sign in enumerate(letters)))) as dictionary:
        assert len(members(dictionary, "local:place-de")) == 20
        assert dictionary.class_titles(["local:place-de"], "en") == {"local:place-de": "city or town in Germany"}


@pytest.mark.parametrize(
    ("name", "rule"),
    [
        ("Halle (Saale)", "names with brackets"),
        ("Biel/Bienne", "names with slashes or commas"),
        ("Misato, Saitama", "names with slashes or commas"),
        ("Lyon 02", "names with numbers"),
        ("el Raval", "names of parts, without a capital letter"),
        ("‘Afak", "scholarly transliterations"),
        ("’Aïn Deheb", "scholarly transliterations"),
        ("Ḩimş", "scholarly transliterations"),
    ],
)
def test_main_names_that_no_text_has(name: str, rule: str) -> None:
    with made(give(place(1, name), place(2, "Jena"))) as dictionary:
        assert set(names(dictionary).values()) == {"Jena"}
        assert took(dictionary)[rule] == {"places": 1}


@pytest.mark.parametrize(
    "name", ["'s-Hertogenbosch", "Iași", "Târgu Mureş", "Şırnak", "Kraków", "Saint-Denis", "Škofja Loka"]
)
def test_main_names_that_are_as_they_are_written(name: str) -> None:
    with made(give(place(1, name, "RO"))) as dictionary:
        assert set(names(dictionary).values()) == {name}


def test_macrons() -> None:
    places = [place(1, "Alī Shahr", "IR"), place(2, "Jūrmala", "LV"), place(3, "Karaj", "IR")]
    with made(give(*places)) as dictionary:
        assert set(names(dictionary).values()) == {"Ali Shahr", "Jūrmala", "Karaj"}
        assert took(dictionary)["macrons taken off"] == {"places": 1}


def test_of_one_name_the_largest_place() -> None:
    places = [place(1, "Paris", "US", 25_000), place(2, "Paris", "FR", 2_000_000), place(3, "PARIS", "CA", 16_000)]
    with made(give(*places)) as dictionary:
        assert names(dictionary) == {"geonames/2": "Paris"}
        assert took(dictionary)["smaller places of the same name"] == {"places": 2}


def test_german_takes_main_names_of_german_places() -> None:
    places = [place(1, "Munich"), place(2, "Köln"), place(3, "Warsaw", "PL", 20_000, "Warschau", "Warszawa")]
    with made(give(*places)) as dictionary:
        assert names(dictionary, "de") == {"geonames/2": "Köln"}
        assert took(dictionary)["English names of German places"] == {"places, de": 1}
        assert took(dictionary)["alternate names of unknown language"] == {"names": 2}


def test_alternate_names_in_the_script() -> None:
    places = [place(1, "Moscow", "RU", 20_000, "Moskau", "mosukuwa", "Москва", "मास्को", "मॉस्को"),
              place(2, "Vwawa", "TZ", 20_000, "ووावा", "व्वावा"),
              place(3, "Lonar", "IN", 20_000, "लोणार", "लोनाळ"),
              place(4, "Paris", "FR", 20_000, "पाइनlलस")]  # fmt: skip
    with made(give(*places)) as dictionary:
        assert names(dictionary, "hi") == {"geonames/1": "मास्को", "geonames/2": "व्वावा", "geonames/3": "लोणार"}
        assert aliases(dictionary, "hi") == {"मॉस्को"}
        assert aliases(dictionary) == set()
        assert took(dictionary)["names not wholly in the language's script"] == {"places, hi": 2}
        assert took(dictionary)["spelled as in Marathi or Nepali"] == {"places, hi": 1}
        assert took(dictionary)["alternate names of unknown language"] == {"names": 3}
    with made(give(*places), languages=("hi", "ru")) as dictionary:
        assert names(dictionary) == {}
        assert names(dictionary, "ru") == {"geonames/1": "Москва"}


def test_states_and_counties() -> None:
    counties = ["Jefferson County", "Jefferson County", "Orleans Parish", "Norton city", "Florida Municipio"]
    states = {"CA": {"name": "California"}, "DC": {"name": "Washington, D.C."}}
    with made(lambda rows: give_states(rows, states), lambda rows: give_counties(rows, counties)) as dictionary:
        assert members(dictionary, "Q35657") == {"California"}
        assert members(dictionary, "local:us-county") == {"Jefferson County", "Orleans Parish"}
        assert took(dictionary) == {
            "no state": {"states": 1}, "repeats": {"counties": 1},
            "counties that are cities or other areas": {"counties": 2},
        }  # fmt: skip


@pytest.mark.parametrize(
    ("name", "right"),
    [
        ("Bristol, City of", "City of Bristol"),
        ("Durham, County", "County Durham"),
        ("Virgin Islands, U.S.", "U.S. Virgin Islands"),
        ("Vale of Glamorgan, The", "The Vale of Glamorgan"),
        ("Congo, The Democratic Republic of the", "The Democratic Republic of the Congo"),
        ("Newry, Mourne and Down", "Newry, Mourne and Down"),
        ("Southern Nations, Nationalities and Peoples", "Southern Nations, Nationalities and Peoples"),
    ],
)
def test_inverted_names(name: str, right: str) -> None:
    assert turned(name) == right


def test_subdivisions() -> None:
    found = [
        Subdivision("US-CA", "California", "State"), Subdivision("US-GU", "Guam", "Outlying area"),
        Subdivision("DE-BY", "Bayern", "Land"), Subdivision("CA-ON", "Ontario", "Province"),
        Subdivision("FR-21", "Côte-d'Or", "Metropolitan department"), Subdivision("FR-20R", "Corse", "Collectivity"),
        Subdivision("GB-BST", "Bristol, City of", "Unitary authority"),
        Subdivision("GB-CRF", "Cardiff [Caerdydd GB-CRD]", "Unitary authority"),
        Subdivision("IN-KA", "Karnātaka", "State"), Subdivision("UG-W", "Western", "Geographical region"),
        Subdivision("KE-39", "Taita/Taveta", "County"), Subdivision("IT-25", "Lombardia", "Region"),
    ]  # fmt: skip
    with made(lambda rows: give_subdivisions(rows, found, {"GB": "United Kingdom"})) as dictionary:
        assert members(dictionary, "Q35657") == {"California"}
        assert members(dictionary, "Q1221156", "de") == {"Bayern"}
        assert members(dictionary, "Q1221156") == set()
        assert members(dictionary, "Q11828004") == {"Ontario"}
        assert members(dictionary, "Q6465") == members(dictionary, "Q6465", "de") == {"Côte-d'Or"}
        assert members(dictionary, "local:subdivision-gb-unitary-authority") == {"City of Bristol", "Cardiff"}
        titles = dictionary.class_titles(["local:subdivision-gb-unitary-authority"], "en")
        assert set(titles.values()) == {"unitary authority of United Kingdom"}
        assert members(dictionary, "local:subdivision-in-state") == {"Karnataka"}
        assert took(dictionary) == {
            "parts in brackets": {"subdivisions": 1}, "inverted names turned round": {"subdivisions": 1},
            "macrons taken off": {"subdivisions": 1}, "words of the compass alone": {"subdivisions": 1},
            "names with slashes or marks": {"subdivisions": 1},
            "names in the country's own language": {"subdivisions": 2},
        }  # fmt: skip


def test_iso_languages_and_those_of_babel() -> None:
    """What babel calls Punjabi is not called otherwise because another name comes first in the alphabet."""
    babel = {"en": {"de": "German", "pa": "Punjabi"}, "de": {"doi": "Dogri"}}
    found = [
        Language("de", "German", "I", "L"), Language("pa", "Panjabi", "I", "L"),
        Language("zxx", "No content", "S", "S"),
        Language("doi", "Dogri (macrolanguage)", "M", "L"), Language("ain", "Ainu (Japan)", "I", "L"),
        Language("akk", "Akkadian", "I", "H"), Language("mul", "Multiple languages", "I", "L"),
        Language("qaa", "Reserved for local use", "S", "S"),
    ]  # fmt: skip
    with made(lambda rows: give_languages(rows, babel), lambda rows: give_iso_languages(rows, found)) as dictionary:
        assert members(dictionary, "Q34770") == {"German", "Punjabi", "Akkadian"}
        assert members(dictionary, "Q1288568") == {"German", "Punjabi"}
        assert members(dictionary, "Q1288568", "de") == {"Dogri"}
        assert aliases(dictionary) == {"Panjabi"}
        assert took(dictionary) == {"pseudo codes": {"languages": 3}, "names with brackets": {"languages": 2}}


def test_airports() -> None:
    found = [
        Airport("AAA", "Jena International Airport", "DE"), Airport("BBB", "Santa Maria Airport", "PT"),
        Airport("CCC", "Santa Maria Airport", "BR"), Airport("DDD", "Oxford (Kidlington) Airport", "GB"),
        Airport("EEE", "Perth/Scone Airport", "GB"), Airport("FFF", "Beale Afb Airport", "US"),
        Airport("GGG", "Kabwum", "PG"), Airport("HHH", "Yibin  Airport", "CN"), Airport("III", "Union, Troy Field", ""),
        Airport("JJJ", "Alma Airfield", ""),
    ]  # fmt: skip
    with made(lambda rows: give_airports(rows, found)) as dictionary:
        every = {"Jena International Airport", "Santa Maria Airport", "Yibin Airport", "Alma Airfield"}
        assert members(dictionary, "Q1248784") == every
        assert members(dictionary, "Q644371") == {"Jena International Airport"}
        assert dictionary.types_of(["Q644371"]) == {"Q644371": ("FAC",)}
        assert names(dictionary, "de") == {}
        assert took(dictionary) == {
            "repeats": {"airports": 1}, "names with brackets": {"airports": 1},
            "names with slashes or other signs": {"airports": 2}, "names with shortened words": {"airports": 1},
            "names without a word for an airport": {"airports": 1}, "blanks straightened": {"airports": 1},
        }  # fmt: skip


def test_companies() -> None:
    found = [
        Company("Puma (brand)", ("Shoes & Sports",)), Company("Clearway Energy (Class A)", ("Energy",)),
        Company("Clearway Energy (Class C)", ("Power",)), Company("Swedbank", ("Banks",)),
        Company("Delta Air Lines", ("Passenger Airlines",)), Company("BMW", ("Auto & Truck Manufacturers",)),
        *(Company(f"Steel{sign}", ("Steel", "STEEL")) for sign in "abcdefghij"),
    ]  # fmt: skip
    with made(lambda rows: give_companies(rows, found)) as dictionary:
        assert {"Puma", "Clearway Energy", "BMW"} < members(dictionary, "Q891723")
        assert members(dictionary, "Q891723") == members(dictionary, "Q891723", "de")
        assert members(dictionary, "Q891723", "hi") == set()
        assert members(dictionary, "Q22687") == {"Swedbank"}
        assert members(dictionary, "Q46970") == {"Delta Air Lines"}
        assert members(dictionary, "Q786820") == {"BMW"}
        assert len(members(dictionary, "local:company-steel")) == 10
        assert dictionary.ask("SELECT count(*) FROM country") == [(0,)]
        assert took(dictionary) == {
            "parts in brackets": {"companies": 3}, "repeats": {"companies": 1},
            "industries of fewer than 10 companies": {"memberships": 3},
        }  # fmt: skip


def test_names_that_cannot_be_stored_are_counted() -> None:
    with made(lambda rows: give_states(rows, {"CA": {"name": " "}, "TX": {"name": "Te\ud800xas"}})) as dictionary:
        assert names(dictionary) == {}
        assert took(dictionary) == {"empty names": {"states": 2}}


@pytest.mark.parametrize(
    ("name", "language", "fits"),
    [
        ("Köln", "de", True), ("N’Djamena", "en", True), ("Gwichʼin", "en", True), ("Москва", "en", False),
        ("दिल्ली", "hi", True), ("दिल्लi", "hi", False), ("तल्लाহাসি", "hi", False), ("12", "hi", False),
        ("北京", "zh", True), ("東京タワー", "ja", True), ("Tokyo", "ja", False), ("anything", "xx", True),
    ],
)  # fmt: skip
def test_scripts(name: str, language: str, fits: bool) -> None:
    assert fits_script(name, language) is fits
