"""What the entity attack's draws do not depend on: where files lie, and options that only other mentions feel."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from tests.perturb.helpers import data, names, sentence
from tests.perturb.wikidata_cases import attacked, dictionary, edits, links, members, texts

TOWNS = {f"Q{n}": f"Town{n}" for n in range(1, 30)}
CORPUS = data(
    [*names(["Town1", "Town2", "Town3"] * 8, "GPE"), *(sentence(f"p{n}", f"Ann{n}", "B-PERSON") for n in range(8))]
)
PEOPLE = [("person_name", kind, "en", f"{kind}{n}") for kind in ("given", "family") for n in range(20)]


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return dictionary(tmp_path_factory.mktemp("world"), [*members("local:town", "GPE", TOWNS), *PEOPLE])


def test_the_names_of_files_do_not_matter(world: Path, tmp_path: Path) -> None:
    given = {(one.id, 0, 1): f"Q{one.tokens[0][4:]}" for one in CORPUS if one.tokens[0].startswith("Town")}
    (tmp_path / "other").mkdir()
    elsewhere = tmp_path / "other" / "name.ndict"
    shutil.copy(world, elsewhere)
    plain = edits(attacked(CORPUS, world))
    for file in (world, elsewhere):
        for linked in (links(tmp_path, given), links(tmp_path / "other", given)):
            assert texts(edits(attacked(CORPUS, file, linked=linked)).values()) == texts(plain.values())


@pytest.mark.parametrize("option", ["fallback=type", "variant=released", "relabel-norp=yes", "label-types=X=ORG"])
def test_options_about_other_mentions_do_not_matter(world: Path, option: str) -> None:
    assert edits(attacked(CORPUS, world, option)) == edits(attacked(CORPUS, world))


def test_a_link_that_is_corrected_changes_its_own_mention_alone(world: Path, tmp_path: Path) -> None:
    given = {(one.id, 0, 1): f"Q{one.tokens[0][4:]}" for one in CORPUS if one.tokens[0].startswith("Town")}
    first = edits(attacked(CORPUS, world, linked=links(tmp_path, given)))
    gone = next(iter(given))
    (tmp_path / "reviewed").mkdir()
    second = edits(attacked(CORPUS, world, linked=links(tmp_path / "reviewed", {**given, gone: None})))
    assert {key for key in first if first[key] != second.get(key)} == {(gone[0], 0)}


def test_the_label_of_places_is_the_data_sets_whichever_labels_are_attacked(tmp_path: Path) -> None:
    rows = [*members("Q6256", "GPE", {"Q1": "Peru", "Q2": "Chile"}), ("class_type", "Q6256", "NORP", "test")]
    corpus = data([*names(["Peru"], "NORP"), sentence("b", "Chile", "B-Ort")])
    for options in ((), ("types=NORP",)):
        made = attacked(corpus, dictionary(tmp_path, rows), "variant=released", "label-types=Ort=GPE", *options)
        assert made.variants[0].sentence.spans[0].label == "Ort"


def test_people_without_a_middle_name_are_the_same_whatever_the_share(world: Path) -> None:
    none, some = (edits(attacked(CORPUS, world, f"middle={share}")) for share in (0, 0.5))
    same = [key for key in none if key[0].startswith("p") and len(some[key].new) == 2]
    assert 0 < len(same) < 8 and all(none[key].new == some[key].new for key in same)
