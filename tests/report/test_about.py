"""What was compared, in words, and where the page says how to do the same again."""

from __future__ import annotations

import pytest
from tests.report.example import Names, example

from nerquake.core.results import AuditResult
from nerquake.report.about import compared_lines
from nerquake.report.attack_words import attack_words
from nerquake.report.html import HtmlReport
from nerquake.report.method import OWN, methods
from nerquake.report.tables import status_table
from nerquake.report.verdict import verdict
from nerquake.report.view import View


@pytest.mark.parametrize(("spec", "says"), [
    ("swap", "mentions of a type are dealt out again among them (M: RS)"),
    ("swap:coverage=50,name=half", "mentions of a type are dealt out again among them (M: RS)"),
    ("rs", "mentions of a type are dealt out again among them (M: RS)"),
    ("m+r", "mentions of a type are dealt out again among them (M: RS); then up to three other words by a masked "
            "language model (M: Mask)"),
    ("someone.else:Attack", ""),
    ("swap+someone.else:Attack", ""),
    ("no/spec at all=", ""),
])  # fmt: skip
def test_what_an_attack_does(spec: str, says: str) -> None:
    assert attack_words(spec) == says


def test_what_was_compared() -> None:
    result = example(Names(), 60)
    lines = compared_lines(View(result))
    assert "60 sentences" in lines[0]
    for entry in result.data["taggers"]:
        assert entry["name"] in lines[1]
    assert [name in lines[2] for name in View(result).sets] == [True] * len(View(result).sets)
    bare = {**result.data, "sets": result.data["sets"][:1], "results": []}
    assert len(compared_lines(View(AuditResult(bare)))) == 2


def test_every_attack_is_explained_where_it_is_counted() -> None:
    view = View(example(Names(sets=("swap", "letters", "other")), 60))
    for row, entry in zip(status_table(view).rows, view.attacks, strict=True):
        assert row.cells[0].sub == attack_words(entry["spec"])


def test_figures_of_the_verdict_lead_to_their_sentences() -> None:
    view = View(example(Names(), 60))
    links = [part.link for said in verdict(view).sentences for part in said.parts if part.link]
    assert any("kind=fell" in link and "set=" in link and "label=" not in link for link in links)
    without = View(AuditResult(view.data))
    assert not [part.link for said in verdict(without).sentences for part in said.parts if "=" in part.link]


def test_the_command_can_be_copied_and_changed() -> None:
    result = example(Names(), 60)
    findings = {
        **result.data["findings"],
        "method": {**result.data["findings"]["method"], "command": "nerquake audit x"},
    }
    told = AuditResult({**result.data, "findings": findings}, result.cases)
    assert [made.own for made in methods(View(told))] == [OWN]
    page = HtmlReport().render(told)
    assert page.count("data-copy aria-label") == 1 and OWN.partition(" (")[0].replace("`", "") in page.replace("`", "")
    findings["method"].pop("command")
    assert [made.own for made in methods(View(AuditResult({**result.data, "findings": findings})))] == [""]
