"""Audits, joined ones and experiments as values for the papers' tables."""

from dataclasses import replace
from typing import Any

import pytest
from tests.report.example import Names, example

from nerquake.core.results import AuditResult
from nerquake.core.variant import ORIGINAL
from nerquake.report.audit_values import experiment_values, place_of, values_of
from nerquake.report.join import join_results
from nerquake.report.layouts import SETS, language_name, set_order, way_name
from nerquake.report.paper_tables import hardening_table, paper_tables, relative_table, sets_table

ENGLISH = example(Names(sets=("rockner-e", "rs", "para")), 120)
GERMAN = example(Names(models=("flair:ner", "stanza:de"), sets=("rockner-e", "rs", "para")), 140)


def of_file(result: AuditResult, name: str, sha: str, language: str = "en", model: str = "") -> AuditResult:
    """The same audit of a file of another name, for a single model where one is given."""
    header = {**result.data["header"], "inputs": [{"name": name, "sha256": sha}]}
    found = {**result.data["findings"]}
    found["method"] = {**found["method"], "language": language}
    taggers = [entry for entry in result.data["taggers"] if model in ("", entry["name"])]
    blocks = [block for block in result.data["results"] if model in ("", block["tagger"])]
    data = {
        **result.data,
        "header": header,
        "findings": found,
        "taggers": taggers,
        "results": blocks,
        "comparisons": [],
    }
    return replace(result, data=data)


def cells(table: Any) -> list[list[str]]:
    return [[cell.text for cell in row.cells] for row in table.rows]


@pytest.mark.parametrize(
    ("file", "dataset", "split"),
    [
        ("conll03-en.test.conll", "conll03-en", "test"),
        ("wnut17_dev.tsv", "wnut17", "dev"),
        ("eng.testa", "eng", "dev"),
        ("ner.validation.jsonl", "ner", "dev"),
        ("test.conll", "out/en", "test"),
        ("contest.conll", "contest", ""),
        ("v1.2.conll", "v1.2", ""),
        ("stdin", "stdin", ""),
    ],
)
def test_data_set_and_split_are_in_the_name_of_the_file(file: str, dataset: str, split: str) -> None:
    assert place_of(file, "out/en")[:2] == (dataset, split)
    assert place_of("test.conll")[:2] == ("test", "test")


def test_every_score_of_an_audit_is_in_the_tables() -> None:
    found = values_of(ENGLISH)
    (place,) = {item.place for item in found.items}
    assert place == ("example", "", "en")
    table = relative_table(found, place)
    assert [column.head for column in table.columns] == ["Model", "None", "E", "RS", "Para"]
    for row in table.rows:
        blocks = {b["set"]: b for b in ENGLISH.data["results"] if b["tagger"] == row.cells[0].text}
        for name, cell in zip((ORIGINAL, "rockner-e", "rs", "para"), row.cells[1:], strict=True):
            expected = f"{100 * blocks[name]['overall']['strict']['f1']:.1f}"
            if name != ORIGINAL:
                drop = blocks[name]["paired"]["relative_drop"]
                expected += f" ({'↓' if drop > 0 else '↑'}{abs(100 * drop):.0f} %)"
            assert cell.text == expected


def test_left_out_sentences_are_said_below_the_first_table() -> None:
    assert paper_tables(values_of(ENGLISH))[0].notes[1:] == (
        "para of example leaves out 80 of 120 sentences: its scores are over fewer than those of the original; "
        "relative drops are over the same sentences.",
    )


def test_joined_audits_of_two_languages_are_two_tables_of_m() -> None:
    joined = join_results({
        "out/en": of_file(ENGLISH, "conll03-en.test.conll", "a"),
        "out/de": of_file(GERMAN, "conll03-de.test.conll", "b", "de"),
    })  # fmt: skip
    found = values_of(joined)
    names = [table.name for table in paper_tables(found)]
    assert names == [
        "paper-r1-conll03-en-test-en", "paper-r6-conll03-en-test-en", "paper-r1-conll03-de-test-de",
        "paper-r6-conll03-de-test-de", "paper-m3-en", "paper-m3-de",
    ]  # fmt: skip
    german = sets_table(found, "de")
    assert german.title == "German NER performance (micro F1)"
    assert [(column.over, column.under) for column in german.columns] == [
        ("", "Test set"), ("conll03-de", "flair:ner"), ("conll03-de", "stanza:de"),
    ]  # fmt: skip
    f1 = {(b["tagger"], b["set"]): b["overall"]["strict"]["f1"] for b in GERMAN.data["results"]}
    assert cells(german)[1:3] == [
        [shown, f"{f1['flair:ner', name]:.2f}", f"{f1['stanza:de', name]:.2f}"]
        for shown, name in (("E", "rockner-e"), ("RS", "rs"))
    ]


def test_two_models_audited_apart_on_one_file_are_two_rows_of_one_table() -> None:
    joined = join_results({
        "one": of_file(ENGLISH, "x.conll", "a", model="flair:ner"),
        "two": of_file(ENGLISH, "x.conll", "a", model="spacy:en_core_web_sm"),
    })  # fmt: skip
    found = values_of(joined)
    assert cells(relative_table(found, found.items[0].place)) == cells(
        relative_table(values_of(ENGLISH), values_of(ENGLISH).items[0].place)
    )


def test_files_of_one_name_with_different_data_are_called_by_their_folders() -> None:
    joined = join_results(
        {"en": of_file(ENGLISH, "x.test.conll", "a"), "de": of_file(GERMAN, "x.test.conll", "b", "de")}
    )
    assert {item.place for item in values_of(joined).items} == {("x", "test", "en"), ("x", "test", "de")}
    joined = join_results({"en": of_file(ENGLISH, "x.test.conll", "a"), "de": of_file(GERMAN, "x.test.conll", "b")})
    assert {item.place for item in values_of(joined).items} == {("en", "test", "en"), ("de", "test", "en")}


def test_a_model_that_two_audits_scored_differently_keeps_its_folder() -> None:
    joined = join_results({"one": of_file(ENGLISH, "x.conll", "a"), "two": of_file(GERMAN, "x.conll", "a")})
    assert list(dict.fromkeys(item.model for item in values_of(joined).items)) == [
        "one: flair:ner", "spacy:en_core_web_sm", "two: flair:ner", "stanza:de",
    ]  # fmt: skip


def experiment(
    difference: float, p: float | None, sets: tuple[str, ...] = ("original", "adversarial")
) -> dict[str, Any]:
    arms = ["base", "fine-tuning", "re-training"]
    mean = {"base": 0.5, "fine-tuning": 0.6, "re-training": 0.6 - difference}
    spread = {"base": None, "fine-tuning": 0.02, "re-training": 0.02}
    runs = {"base": 1, "fine-tuning": 10, "re-training": 10}
    return {
        "format": "nerquake.harden/1",
        "arms": arms,
        "sets": list(sets),
        "summary": [
            {"arm": arm, "set": name, "mean": mean[arm], "sd": spread[arm], "n": runs[arm]}
            for arm in arms
            for name in sets
        ],
        "tests": [
            {"set": name, "a": "fine-tuning", "b": other, "mean_difference": difference, "p": p, "p_holm": p}
            for other in ("re-training", "base")
            for name in sets
        ],
        "settings": {"original": "mconer-hi.test.conll"},
    }  # fmt: skip


def test_an_experiment_is_table_7() -> None:
    found = experiment_values(experiment(-0.2, 0.001, ("original", "original_unused", "adversarial")))
    (table,) = paper_tables(found)
    assert [column.head for column in table.columns] == ["Test set", "orig.", "adv. fine-tuning", "aug. re-training"]
    assert cells(table) == [
        ["Original", "0.50", "0.60", "0.80*"],
        ["Original, unused sources", "0.50", "0.60", "0.80*"],
        ["Adv Test", "0.50", "0.60", "0.80*"],
    ]
    assert [row.group for row in table.rows] == ["mconer-hi, test", "", ""]
    assert [cell.sub for cell in table.rows[0].cells] == ["", "", "± 0.020", "± 0.020"]
    assert "base 1, fine-tuning 10, re-training 10" in table.notes[-1]


@pytest.mark.parametrize(("difference", "p", "star"), [(0.2, 0.01, 2), (-0.2, 0.06, 0), (-0.2, None, 0)])
def test_the_star_stands_at_the_better_way_and_only_with_a_small_p(
    difference: float, p: float | None, star: int
) -> None:
    table = hardening_table(experiment_values(experiment(difference, p)))
    assert [place for place, cell in enumerate(table.rows[1].cells) if cell.text.endswith("*")] == (
        [star] if star else []
    )


def test_an_experiment_on_augmentations_is_table_1_of_r() -> None:
    means = [("none", "original", 0.924), ("none", "rockner-e", 0.634), ("letters", "original", 0.926)]
    data = {
        "summary": [{"arm": arm, "set": name, "mean": mean, "sd": 0.01, "n": 3} for arm, name, mean in means],
        "settings": {"original": "on.test.conll"},
    }  # fmt: skip
    table = paper_tables(experiment_values(data))[0]
    assert cells(table) == [["none", "92.4", "63.4 (↓31 %)"], ["letters", "92.6", "–"]]
    assert table.rows[0].cells[2].sub == "± 1.0"


def test_names_of_sets_languages_and_ways() -> None:
    assert set_order([*reversed(SETS), "x", "orig"])[0] == "orig"
    assert [language_name(code) for code in ("hi", "de-AT", "EN_us", "xx", "")] == [
        "Hindi",
        "German",
        "English",
        "xx",
        "",
    ]
    assert [way_name(name) for name in ("Base", "aug. re-training", "flair")] == ["orig.", "aug. re-training", ""]
