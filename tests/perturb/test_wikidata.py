"""The entity attack: what mentions draw from, in which language, and what is said of those that stay."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random

import pytest
from tests.knowledge.given import Row
from tests.perturb.helpers import by_parent, data, names, new_surfaces, run, sentence
from tests.perturb.wikidata_cases import ATTACK, attacked, dictionary, edits, links, members, texts

from nerquake.core.dataset import Dataset
from nerquake.core.errors import InputError, SpecError, UsageError
from nerquake.core.sentence import Sentence
from nerquake.core.span import Span
from nerquake.perturb.person_names import PersonPool
from nerquake.perturb.wikidata import Wikidata
from nerquake.perturb.wikidata_drawing import plain
from nerquake.perturb.wikidata_plan import NO_CLASS, NO_OTHER, NOT_LINKED, OTHER_SCRIPT

TOWNS = {f"Q{n}": f"Town{n}" for n in range(1, 11)}
PEOPLE: list[Row] = [
    *(("person_name", "given", "en", name) for name in ("Anna", "Rosa", "Bo")),
    *(("person_name", "family", "en", name) for name in ("Lind", "O'Brien", "St. John")),
]
WORLD: list[Row] = [
    *members("local:town", "GPE", TOWNS),
    *members("local:port", "GPE", {"Q1": "Town1", "Q21": "Port21"}),
    *members("local:firm", "ORG", {"Q31": "Town1", "Q32": "Acme"}),
    *members("local:lone", "LAW", {"Q41": "Lex"}),
    ("name", "Q51", "en", "Nowhere"),
    *PEOPLE,
]


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return dictionary(tmp_path_factory.mktemp("world"), WORLD)


def test_a_mention_gets_another_entity_of_one_of_its_own_classes(world: Path) -> None:
    made = edits(attacked(data(names(["Town1"] * 60, "GPE")), world))
    assert set(texts(made.values())) == {*TOWNS.values(), "Port21"} - {"Town1"}
    source = dict(made["s0", 0].source)
    assert (source["was"], source["was-item"]) == ("Town1", "Q1")
    assert source["class"] in ("local:town", "local:port") and source["class-title"] == f"title of {source['class']}"
    assert source["item"] not in ("", "Q1")


def test_classes_are_as_likely_as_one_another_and_so_are_entities_within(world: Path) -> None:
    """One class has nine others, the other has one; a class whose only entity is the mention's own does not count."""
    drawn = Counter(texts(edits(attacked(data(names(["Town1"] * 2000, "GPE")), world)).values()))
    assert abs(drawn.pop("Port21") - 1000) < 120
    assert max(drawn.values()) - min(drawn.values()) < 80 and len(drawn) == 9


def test_a_class_where_nearly_all_have_the_mentions_own_name(tmp_path: Path) -> None:
    """All of its entities are looked at; where none has another name, the other class is drawn from."""
    springfields = {f"Q{n}": "Springfield" for n in range(1, 301)}
    rows = [
        *members("local:mixed", "GPE", {**springfields, "Q901": "Shelbyville", "Q902": "Ogdenville"}),
        *members("local:same", "ORG", springfields),
        *members("local:other", "ORG", {"Q1": "Springfield", "Q903": "Acme"}),
        *members("local:twins", "LAW", {f"Q{n}": "Springfield" for n in range(2, 40)}),
    ]
    corpus = data([
        *names(["Springfield"] * 60, "GPE"),
        sentence("org", "Springfield", "B-ORG"), sentence("law", "Springfield", "B-LAW"),
    ])  # fmt: skip
    given = {(one.id, 0, 1): "Q2" if one.id == "law" else "Q1" for one in corpus}
    made = attacked(corpus, dictionary(tmp_path, rows), linked=links(tmp_path, given))
    drawn = Counter(new_surfaces(made)[:60])
    assert drawn.keys() == {"Shelbyville", "Ogdenville"} and min(drawn.values()) > 15
    found = by_parent(made)
    assert found["org"].sentence.tokens == ("Acme",)
    assert (found["law"].status, found["law"].reason) == ("unchanged", NO_OTHER)


def test_the_type_decides_between_entities_with_one_name(world: Path) -> None:
    made = attacked(data([sentence("a", "Town1 bought Town1", "B-ORG O B-GPE")]), world)
    first, second = made.variants[0].edits
    assert first.new == ("Acme",) and second.new != ("Acme",)


def test_reasons_and_the_attackable_share(world: Path) -> None:
    corpus = data([
        sentence("a", "Atlantis sank", "B-GPE O"), sentence("b", "Lex rules", "B-LAW O"),
        sentence("c", "nothing"), sentence("d", "Town2 and Atlantis", "B-GPE O B-GPE"),
        sentence("e", "it is 5 pm", "O O B-TIME I-TIME"), sentence("f", "a Foo", "O B-FOO"),
    ])  # fmt: skip
    made = attacked(corpus, world)
    found = by_parent(made)
    assert (found["a"].status, found["a"].reason) == ("unchanged", NOT_LINKED)
    assert (found["b"].status, found["b"].reason) == ("unchanged", NO_OTHER)
    assert found["c"].status == found["e"].status == found["f"].status == "not-applicable"
    assert (found["d"].attackable, found["d"].replaced, found["d"].status) == (1, 1, "changed")
    assert found["a"].attackable == found["b"].attackable == 0
    said = "\n".join(made.notes)
    assert "1 of 6 mentions can be replaced (16.7%)" in said
    assert f"{NOT_LINKED}: 2 (GPE 2)" in said and f"{NO_OTHER}: 1 (LAW 1)" in said
    assert "other labels left alone: FOO 1, TIME 1" in said


def test_links_from_a_file_are_all_that_counts(world: Path, tmp_path: Path) -> None:
    corpus = data([sentence("a", "Town1 and Town2 and X and Y and Z", "B-GPE O B-GPE O B-GPE O B-GPE O B-LAW")])
    given = {("a", 0, 1): None, ("a", 2, 3): "Q1", ("a", 4, 5): "Q21", ("a", 6, 7): "Q51", ("a", 8, 9): "Q1"}
    made = attacked(corpus, world, linked=links(tmp_path, given))
    found = edits(made)
    assert set(found) == {("a", 2), ("a", 4)}
    assert found["a", 4].new == ("Town1",), "the one other entity of its class"
    said = "\n".join(made.notes)
    assert f"{NOT_LINKED}: 1 (GPE 1)" in said and f"{NO_CLASS}: 2 (GPE 1, LAW 1)" in said
    with pytest.raises(InputError, match="no line is about"):
        attacked(data([sentence("b", "Town1", "B-GPE")]), world, linked=links(tmp_path, given))


def test_a_class_without_a_type_takes_that_of_reviewed_links(tmp_path: Path) -> None:
    file = dictionary(tmp_path, [row for row in members("Q515", "GPE", TOWNS) if row[0] != "class_type"])
    corpus = data(names(["Town1"], "GPE"))
    assert not edits(attacked(corpus, file))
    made = attacked(corpus, file, linked=links(tmp_path, {("s0", 0, 1): "Q1"}))
    assert new_surfaces(made)[0] in TOWNS.values() and new_surfaces(made)[0] != "Town1"


def test_fallback_draws_from_the_coarse_type(world: Path) -> None:
    corpus = data([*names(["Atlantis"] * 40, "GPE"), sentence("law", "Lex rules", "B-LAW O")])
    made = edits(attacked(corpus, world, "fallback=type"))
    assert set(texts(made.values())) <= {*TOWNS.values(), "Port21"} and len(set(texts(made.values()))) > 5
    assert ("law", 0) not in made, "there is no other law at all"
    assert dict(made["s0", 0].source)["fallback"] == "GPE"


def test_people_get_given_and_family_names_linked_or_not(world: Path) -> None:
    corpus = data(names(["Somebody", "Anna Lind"] * 100, "PERSON"))
    found = edits(attacked(corpus, world, "middle=0"))
    assert len(found) == 200
    assert {edit.new for edit in found.values()} == {
        (given, *family) for given in ("Anna", "Rosa", "Bo") for family in (("Lind",), ("O'Brien",), ("St.", "John"))
    }
    assert all(found[f"s{n}", 0].new != ("Anna", "Lind") for n in range(1, 200, 2))
    assert [key for key, _ in found["s0", 0].source] == ["given", "family", "was"]
    with_middle = edits(attacked(corpus, world, "middle=0.5"))
    share = sum("middle" in dict(edit.source) for edit in with_middle.values()) / 200
    assert 0.2 < share < 0.46, "half of them draw one, a third of those their first name again"


def test_people_without_names_are_entities(tmp_path: Path) -> None:
    file = dictionary(tmp_path, members("Q5", "PERSON", {"Q1": "Ada", "Q2": "Bo"}))
    made = attacked(data(names(["Ada"], "PER")), file)
    assert new_surfaces(made) == ["Bo"]
    assert any("no given and family names in en" in note for note in made.notes)


@pytest.mark.parametrize(("language", "old", "new", "tokens"), [
    ("en", "Leeds", "Washington, D.C.", ("Washington", ",", "D.C.")),
    ("en", "Leeds", "O'Brien's Bridge", ("O'Brien", "'s", "Bridge")),
    ("en", "Leeds", "Stratford-upon-Avon", ("Stratford-upon-Avon",)),
    ("ar", "القاهرة", "\u200fمدينة نصر\u200e", ("مدينة", "نصر")),
    ("hi", "दिल्ली", "नई दिल्ली", ("नई", "दिल्ली")),
])  # fmt: skip
def test_names_are_tokenised_as_data_sets_are(
    language: str, old: str, new: str, tokens: tuple[str, ...], tmp_path: Path
) -> None:
    file = dictionary(tmp_path, members("Q515", "GPE", {"Q1": old, "Q2": new}, language))
    made = attacked(data([Sentence("a", (old,), (Span(0, 1, "LOC"),))], language), file)
    assert made.variants[0].sentence.tokens == tokens
    assert made.variants[0].sentence.spans == (Span(0, len(tokens), "LOC"),)


def test_neither_case_nor_an_article_makes_another_name(tmp_path: Path) -> None:
    rows = members("Q1", "FAC", {"Q2": "Hague Bridge", "Q3": "HAGUE  BRIDGE", "Q4": "The Hague-Bridge", "Q5": "Other"})
    made = attacked(data(names(["the Hague Bridge"] * 30, "FAC")), dictionary(tmp_path, rows))
    assert set(new_surfaces(made)) == {"The Hague-Bridge", "Other"}


def test_names_keep_language_and_script_of_the_sentence(tmp_path: Path) -> None:
    rows = [
        *members("Q515", "GPE", {"Q1": "Cologne", "Q2": "Munich", "Q3": "Only English"}),
        ("name", "Q1", "de", "Köln"), ("name", "Q2", "de", "München"),
        ("name", "Q1", "hi", "कोलोन"), ("name", "Q2", "hi", "म्यूनिख"), ("name", "Q4", "hi", "Latin Name"),
        ("member", "Q4", "Q515"),
    ]  # fmt: skip
    file = dictionary(tmp_path, rows)
    assert set(new_surfaces(attacked(data(names(["Köln"] * 9, "LOC"), "de"), file))) == {"München"}
    hindi = data([sentence("a", "वह कोलोन में है", "O B-LOC O O"), sentence("b", "she is in कोलोन", "O O O B-LOC")], "hi")
    made = by_parent(attacked(hindi, file))
    assert made["a"].sentence.tokens[1] == "म्यूनिख"
    assert (made["b"].status, made["b"].reason) == ("unchanged", OTHER_SCRIPT)
    with pytest.raises(UsageError, match=r"no names in fr; it has ar, de, en, hi"):
        attacked(data(names(["Köln"], "LOC"), "fr"), file)
    assert set(new_surfaces(attacked(data(names(["Köln"] * 9, "LOC"), "fr"), file, "language=de"))) == {"München"}


def test_a_norp_of_a_class_of_places_is_relabelled_on_request(tmp_path: Path) -> None:
    rows = [
        *members("Q6256", "GPE", {"Q1": "Peru", "Q2": "Chile"}), ("class_type", "Q6256", "NORP", "test"),
        *members("Q41710", "NORP", {"Q3": "Celts", "Q4": "Goths"}),
    ]  # fmt: skip
    file = dictionary(tmp_path, rows)
    corpus = data(
        [sentence("a", "Peru and Celts and Peru", "B-NORP O B-NORP O B-GPE"), sentence("b", "Celts", "B-NORP")]
    )
    plain = attacked(corpus, file)
    assert [span.label for span in plain.variants[0].sentence.spans] == ["NORP", "NORP", "GPE"]
    for option in ("relabel-norp=yes", "variant=released"):
        first, second = attacked(corpus, file, option).variants
        assert first.sentence.tokens == ("Chile", "and", "Goths", "and", "Chile")
        assert [span.label for span in first.sentence.spans] == ["GPE", "NORP", "GPE"]
        assert first.mentions == (None, 1, 2) and (first.attackable, first.replaced) == (3, 3)
        assert first.rewrite is not None and ("0-1.relabelled", "GPE") in first.rewrite.source
        assert second.rewrite is None and second.sentence.spans[0].label == "NORP"


def test_nested_coverage_only_adds_and_independent_draws_anew(world: Path) -> None:
    corpus = data(names(["Town1"] * 120, "GPE"))
    found = {
        (draw, share): {key: edit.new for key, edit in edits(
            attacked(corpus, world, f"coverage={share}", f"coverage-draw={draw}")).items()}
        for draw in ("nested", "independent") for share in (30, 60, 100)
    }  # fmt: skip
    for low, high in ((30, 60), (60, 100)):
        less, more = found["nested", low], found["nested", high]
        assert 0 < len(less) < len(more) and less.items() <= more.items()
        assert not found["independent", low].keys() <= found["independent", high].keys() or high == 100
    assert 20 < len(found["independent", 30]) < 55
    made = attacked(corpus, world, "coverage=30")
    assert sum(variant.attackable for variant in made.variants) == 120, "covered or not"


def test_consistent_replaces_a_text_by_one_name(world: Path) -> None:
    corpus = data(names(["Town1", "Town2", "Town1"] * 10, "GPE"))
    made = new_surfaces(attacked(corpus, world, "consistent=corpus"))
    assert len(set(made[0::3])) == 1 and made[0::3] == made[2::3] and len(set(made[1::3])) == 1


def test_order_workers_and_an_added_sentence_change_nothing(world: Path) -> None:
    corpus = names([f"Town{n % 10 + 1}" for n in range(12)], "GPE")
    people = [Sentence(f"p{n}", ("Bo", "left"), (Span(0, 1, "PERSON"),)) for n in range(4)]
    rows = [*corpus, *people]
    expected = by_parent(attacked(data(rows), world, seed=3))
    assert by_parent(attacked(data(rows), world, seed=3, jobs=3)) == expected
    assert by_parent(attacked(data(list(reversed(rows))), world, seed=3)) == expected
    front = [sentence("front", "Town3 and Bo", "B-GPE O B-PERSON"), *rows]
    after = by_parent(attacked(data(front), world, seed=3))
    assert {key: after[key] for key in expected} == expected
    assert by_parent(attacked(data(rows), world, seed=4)) != expected


def test_the_order_of_rows_in_a_dictionary_does_not_matter(tmp_path: Path) -> None:
    corpus = data(names([f"Town{n % 10 + 1}" for n in range(30)], "GPE"))
    one = dictionary(tmp_path, WORLD, "one.duckdb")
    first = by_parent(attacked(corpus, one))
    dictionary(tmp_path, list(reversed(WORLD)), "one.duckdb")
    assert by_parent(attacked(corpus, one)) == first


def test_what_it_depends_on(tmp_path: Path) -> None:
    corpus = data(names(["Town1"], "GPE"))
    file = dictionary(tmp_path, WORLD)
    first = Wikidata(dictionary=str(file)).depends_on(corpus)
    assert first and Wikidata(dictionary=str(file)).depends_on(corpus) == first
    given = links(tmp_path, {("s0", 0, 1): "Q1"})
    linked = Wikidata(dictionary=str(file), links=str(given)).depends_on(corpus)
    links(tmp_path, {("s0", 0, 1): "Q2"})
    assert len({first, linked, Wikidata(dictionary=str(file), links=str(given)).depends_on(corpus)}) == 3
    assert Wikidata(dictionary=str(file), label_types=("GPE=ORG",)).depends_on(corpus) != first
    dictionary(tmp_path, WORLD[:-1])
    assert Wikidata(dictionary=str(file)).depends_on(corpus) != first


def test_label_types_of_the_users_own(world: Path) -> None:
    corpus = data(names(["Town1"] * 5, "Ort"))
    assert new_surfaces(attacked(corpus, world)) == ["Town1"] * 5
    assert "Town1" not in new_surfaces(attacked(corpus, world, "label-types=Ort=GPE/LOC"))


@pytest.mark.parametrize(("option", "message"), [
    ("middle=2", "share from 0 to 1"), ("label-types=GPE", "cannot be read|LABEL=TYPE"), ("linker=magic", "magic"),
    ("links=nowhere.jsonl", "no such file of links"), ("variant=x", "text, released"), ("types=ORG", "no mention"),
])  # fmt: skip
def test_options_that_do_not_fit(option: str, message: str, world: Path) -> None:
    with pytest.raises((SpecError, UsageError, InputError), match=message):
        attacked(data(names(["Town1"], "GPE")), world, option)


def test_a_dictionary_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no such dictionary.*nerquake dictionary build"):
        attacked(data(names(["A"], "GPE")), tmp_path / "none.duckdb")


@pytest.mark.parametrize("language", ["en", "de", "hi"])
def test_the_starter_on_the_samples(language: str) -> None:
    """Attackable shares in the closing note; `fallback=type` reaches nearly every mention."""
    from nerquake.io.load import load

    corpus: Dataset = load(f"sample:{language}")
    for option, least in (("fallback=none", 0.55), ("fallback=type", 0.99)):
        made = run(corpus, f"{ATTACK},{option},name=w")
        attackable = sum(variant.attackable for variant in made.variants)
        assert attackable >= least * corpus.mentions.total()
        assert all(variant.replaced == variant.attackable for variant in made.variants)


def test_family_names_stand_in_front_where_the_language_has_them_so() -> None:
    pool = PersonPool(("Anna",), ("Kovács",), "hu", 0.0)
    made = pool.draw(Random(0), "")
    assert made is not None and made.tokens == ("Kovács", "Anna")
    assert pool.draw(Random(0), plain(("kovács", "ANNA"))) is None
    assert not PersonPool((), ("Kovács",), "hu", 0.0)
