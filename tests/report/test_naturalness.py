"""What the report says of context attacks: how natural they are, what was not taken, against whom they were chosen."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from tests.report.contextual import NATURAL, NOTE, UNNAMED, as_before, contextual
from tests.report.example import Names, example
from tests.report.page import read_page
from tests.report.test_html import HOSTILE

from nerquake.core.results import AuditResult
from nerquake.report.all_tables import all_tables
from nerquake.report.dumbbell import caption, dumbbell
from nerquake.report.html import HtmlReport
from nerquake.report.join import join_results
from nerquake.report.label_tables import loss_table, strict_exact_table
from nerquake.report.latex import LatexTables
from nerquake.report.markdown import MarkdownReport, prose
from nerquake.report.method import attack_notes, tagger_table
from nerquake.report.naturalness import naturalness_table, said_of
from nerquake.report.numbers import MARK, times
from nerquake.report.reasons import rejections
from nerquake.report.tables import (
    NOTE_AGAINST,
    footnotes,
    has_mark,
    models_table,
    paired_table,
    reasons_table,
    score_table,
    status_table,
)
from nerquake.report.verdict import verdict
from nerquake.report.view import View

RESULT = contextual()
VIEW = View(RESULT)
PLAIN = View(example(Names(), 120))
SPACY, FLAIR = "spacy:en_core_web_sm", "flair:ner"
RATIO = (
    "pseudo-perplexity 1.42 times the original's in the median (quartiles 1.10 and 12.3; 200 of 1,200 changed "
    "sentences, drawn by seed; 3 without a ratio; measured by transformers:base)"
)


def test_naturalness_in_words() -> None:
    assert list(said_of({"naturalness": NATURAL})) == [
        RATIO,
        "11.3 % of the words outside mentions of changed sentences replaced (1,203 of 10,640)",
        "part of speech kept in 53.8 % of 560 replaced words",
    ]


def test_what_was_not_measured_is_said_with_the_reason() -> None:
    found = {**NATURAL, "judge": None, "perplexity_ratio": None, "parts_of_speech": None, "notes": ["no model"]}
    found["sentences"] = {"changed": 5, "measured": 0, "without_ratio": 0}
    lines = list(said_of({"naturalness": found}))
    assert lines[0] == "pseudo-perplexity not evaluated (0 of 5 changed sentences, drawn by seed)"
    assert lines[-1] == "no model"
    assert list(said_of({"naturalness": None})) == list(said_of({})) == []
    whole = {**NATURAL, "sentences": {"changed": 1, "measured": 1, "without_ratio": 0}}
    assert "; 1 changed sentence; measured by" in next(said_of({"naturalness": whole}))


def test_the_table_has_a_row_for_every_measured_set() -> None:
    (row,) = naturalness_table(VIEW).rows
    assert [cell.text for cell in row.cells] == ["swap", "1.42", "[1.10, 12.3]", "197", "11.3", "53.8",
                                                 "transformers:base"]  # fmt: skip
    assert naturalness_table(PLAIN).rows == ()


def test_undefined_figures_of_the_table_say_why() -> None:
    data: Any = copy.deepcopy(dict(RESULT.data))
    data["findings"]["sets"]["swap"]["naturalness"] |= {
        "judge": None, "perplexity_ratio": None, "parts_of_speech": None, "notes": ["no model"],
    }  # fmt: skip
    table = naturalness_table(View(AuditResult(data)))
    assert [cell.text for cell in table.rows[0].cells[1:3]] == ["n/e", "n/e"]
    assert table.rows[0].cells[1].title == "no model"
    assert footnotes(table)


def test_rejections_are_few_and_the_most_frequent_come_first() -> None:
    entry = RESULT.data["sets"][1]
    shown = "piece of a word 1,203, punctuation 400, the word that stood there 98, special token 40, 2 other reasons 3"
    assert rejections(entry) == shown
    rows = {row.cells[0].text: row.cells[-1].text for row in reasons_table(VIEW).rows}
    assert rows["swap"] == shown
    assert [text for name, text in rows.items() if name != "swap"] == [""] * (len(rows) - 1)
    assert len(reasons_table(PLAIN).columns) == len(reasons_table(VIEW).columns) - 1
    assert rejections({"rejected": {}}) == rejections({}) == ""


def marked_rows(table: Any) -> list[Any]:
    return [
        row
        for row in table.rows
        if any(MARK in cell.sub or (MARK in cell.text and not cell.data) for cell in row.cells)
    ]


def test_rows_about_the_surrogate_and_no_others_are_marked() -> None:
    scores = score_table(VIEW)
    (row,) = marked_rows(scores)
    assert row.cells[0].text == SPACY
    assert [cell.sub.endswith(f" {MARK}") for cell in row.cells] == [False, False, True, False, False]
    paired = paired_table(VIEW)
    places = [at for at, row in enumerate(paired.rows) if row in marked_rows(paired)]
    assert [paired.rows[at].cells[0].text for at in places] == ["swap", "swap"]
    assert paired.rows[places[0]].group == SPACY
    assert [row.cells[1].text for row in marked_rows(paired)] == [f"all sentences {MARK}", f"changed only {MARK}"]
    (row,) = marked_rows(models_table(VIEW))
    assert (row.cells[0].text, row.cells[1].sub) == ("swap", f"{MARK} {SPACY}")
    (row,) = marked_rows(tagger_table(VIEW))
    assert row.cells[0].text == "swap"
    for table in (scores, paired, models_table(VIEW), tagger_table(VIEW)):
        assert NOTE_AGAINST in footnotes(table)
    for maker in (score_table, paired_table, models_table, tagger_table):
        assert NOTE_AGAINST not in footnotes(maker(PLAIN))


def test_tables_by_label_and_the_figure_say_it_too() -> None:
    for maker in (loss_table, strict_exact_table):
        assert maker(VIEW, SPACY).notes[-1] == f"{MARK} swap: the attack was chosen against this model, its surrogate."
        assert not any(MARK in note for note in maker(VIEW, FLAIR).notes)
    assert dumbbell(VIEW).count(f"swap {MARK}<") == 1
    assert MARK in caption(VIEW)
    assert MARK not in dumbbell(PLAIN) + caption(PLAIN)


def test_the_verdict_warns_of_a_surrogate() -> None:
    lines = [line for line in verdict(VIEW).warnings if "surrogate" in line]
    assert lines == [f"swap was chosen against {SPACY}, its surrogate; no other model had an attack made for it."]
    assert not any("surrogate" in line for line in verdict(PLAIN).warnings)


def test_a_dagger_in_the_users_own_text_is_no_mark() -> None:
    names = Names(models=("a †", "b"), sets=("s †", "t", "u"))
    for maker in (score_table, paired_table, models_table, status_table):
        assert NOTE_AGAINST not in footnotes(maker(View(example(names, 60))))


def test_the_page_shows_everything_in_its_place() -> None:
    page = read_page(HtmlReport().render(RESULT))
    sets = page.one(id="sets").words
    assert RATIO in sets
    assert f"the attack was chosen against {SPACY}" in sets
    assert "candidates not taken: piece of a word 1,203" in sets
    assert NOTE in sets
    method = page.one(id="method").words
    for line in (
        NOTE,
        UNNAMED,
        "naturalness measured by base, BertForMaskedLM, on cpu, fp32",
        "naturalness, parts of speech: spacy:en",
    ):
        assert line in method
    assert NOTE_AGAINST in page.one(id="scores").words


def test_markdown_and_latex_show_it() -> None:
    text = MarkdownReport().render(RESULT)
    sets = text[text.index("## Attacked sets") : text.index("## Sentences")]
    method = text[text.index("## Method") :]
    assert prose(RATIO) in sets
    assert "| `swap` | 1.42 |" in sets
    assert prose(UNNAMED) in method
    assert text.count(prose(NOTE_AGAINST)) >= 4
    tex = LatexTables().render(RESULT)
    assert r"[1.10, 12.3]" in tex
    marked = sum(has_mark(table) for table in all_tables(VIEW))
    note = r"{\footnotesize $\dagger$: the attack was chosen against this model, its surrogate.} \\"
    assert tex.count(note) == marked > 2
    assert MARK not in tex
    assert "dagger" not in LatexTables().render(example(Names(), 120))


def test_notes_of_the_method_are_those_of_attacks_on_words_and_name_their_set_once() -> None:
    assert attack_notes(VIEW)[0] == f"swap: {NOTE}"
    assert attack_notes(PLAIN) == ()
    renamed = View(contextual(Names(sets=("context", "letters", "para"))))
    assert attack_notes(renamed)[0] == NOTE


def test_hostile_names_stay_text() -> None:
    page = HtmlReport().render(contextual(HOSTILE, 60))
    assert "<script>alert" not in page
    MarkdownReport().render(contextual(HOSTILE, 60))
    LatexTables().render(contextual(HOSTILE, 60))


def test_audits_with_and_without_these_findings_stand_in_one_report() -> None:
    old = as_before(example(Names(models=(SPACY, "stanza:de")), 140))
    joined = join_results({"new": RESULT, "old": old})
    view = View(joined)
    assert view.chosen_against(f"new: {SPACY}", "swap")
    assert not view.chosen_against(f"old: {SPACY}", "swap")
    assert [row.cells[0].text for row in marked_rows(score_table(view))] == [f"new: {SPACY}"]
    assert [row.cells[0].text for row in naturalness_table(view).rows] == ["new: swap"]
    assert attack_notes(view)[0] == f"new: swap: {NOTE}"
    assert RATIO in read_page(HtmlReport().render(joined)).one(id="sets").words
    assert f"new: swap was chosen against new: {SPACY}" in " ".join(verdict(view).warnings)
    MarkdownReport().render(joined)
    LatexTables().render(joined)


def test_results_of_before_look_as_they_did() -> None:
    result = example(Names(), 120)
    for renderer in (HtmlReport(), MarkdownReport(), LatexTables()):
        assert renderer.render(as_before(result)) == renderer.render(result)


@pytest.mark.parametrize(
    ("ratio", "shown"), [(1.424, "1.42"), (0.5, "0.50"), (12.34, "12.3"), (1250.4, "1,250"), (None, "n/e")]
)
def test_ratios_have_three_digits(ratio: float | None, shown: str) -> None:
    assert times(ratio) == shown
