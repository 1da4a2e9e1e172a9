import pytest
from tests.report.example import Names, example
from tests.report.page import read_page

from nerquake.core.errors import UsageError
from nerquake.core.results import AuditResult
from nerquake.report.html import HtmlReport
from nerquake.report.join import NOTE, join_results, short_names
from nerquake.report.markdown import MarkdownReport
from nerquake.report.tables import score_table
from nerquake.report.verdict import verdict
from nerquake.report.view import View

ENGLISH, GERMAN = example(Names(), 120), example(Names(models=("flair:ner", "stanza:de")), 140)
JOINED = join_results({"out/en": ENGLISH, "out/de": GERMAN})


def test_rows_are_named_by_folder_and_sets_of_one_name_share_a_column() -> None:
    table = score_table(View(JOINED))
    assert [row.cells[0].text for row in table.rows] == [
        "en: flair:ner", "en: spacy:en_core_web_sm", "de: flair:ner", "de: stanza:de",
    ]  # fmt: skip
    assert [column.head for column in table.columns] == ["Model", "original", "swap", "letters", "para"]


def test_every_figure_is_that_of_its_audit() -> None:
    for folder, result in (("en", ENGLISH), ("de", GERMAN)):
        for block in result.data["results"]:
            joined = View(JOINED).block(f"{folder}: {block['tagger']}", block["set"])
            assert joined is not None
            assert joined["overall"] == block["overall"]
            assert joined.get("paired") == block.get("paired")


def test_the_verdict_is_the_largest_loss_of_all() -> None:
    losses = {
        f"{folder}: {block['tagger']}": block["paired"]["drop"]
        for folder, result in (("en", ENGLISH), ("de", GERMAN))
        for block in result.data["results"]
        if block["set"] == "swap"
    }
    found = verdict(View(JOINED))
    assert found.title.startswith(f"{max(losses, key=lambda name: losses[name])} loses")
    # different data: no model is called the best
    assert not any("best model" in str(sentence) for sentence in found.sentences)


def test_sentences_examples_and_methods_stand_under_their_audit() -> None:
    page = read_page(HtmlReport().render(JOINED))
    heads = [box.one("summary").words for box in page.one(id="sentences").find("details", class_="cases")]
    fell = ENGLISH.data["findings"]["sentences"]["fell"]["swap"]
    assert heads[0] == f"en: swap · {fell} sentences where a mention that was right fell"
    assert any(head.startswith("de: swap · ") for head in heads)
    assert [h.words for h in page.one(id="method").find("h3")][:2] == ["en", "de"]
    assert NOTE in page.one(id="method").words
    assert f"en: {ENGLISH.data['header']['inputs'][0]['name']}" in page.one(id="method").words


def test_a_joined_result_can_be_written_in_every_form() -> None:
    assert "`de: stanza:de`" in MarkdownReport().render(JOINED)


def test_folders_of_one_name_are_told_apart_by_their_paths() -> None:
    assert short_names(["a/out", "b/out", "c/de"]) == ("a/out", "b/out", "de")


def test_nothing_and_different_levels_cannot_be_joined() -> None:
    with pytest.raises(UsageError, match="no audit to join"):
        join_results({})
    other = AuditResult({**GERMAN.data, "header": {**GERMAN.data["header"], "level": 0.9}})
    with pytest.raises(UsageError, match=r"different levels \(0.9, 0.95\)"):
        join_results({"a": ENGLISH, "b": other})


def test_what_is_joined_already_is_refused_by_name() -> None:
    with pytest.raises(UsageError, match="joined holds several audits joined already"):
        join_results({"joined": JOINED, "en": ENGLISH})
