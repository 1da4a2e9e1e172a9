"""The clearest failures as tables: texts as models read them, in the manner of R's Figure 5 and M's Tables 1, 6, 12."""

import copy
import re
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from tests.report.tex import tables_of

from nerquake.core.results import AuditResult
from nerquake.report.case_tables import as_read, case_tables, cases_said, model_case_table, named_cases
from nerquake.report.latex import to_latex
from nerquake.report.markdown import table_lines
from nerquake.report.table import to_csv
from nerquake.report.view import View

CASE: dict[str, Any] = {
    "parent": "s7",
    "tokens": ["Ida", "Kern", "beat", "Bonn"],
    "spans": [[0, 2, "PER"], [3, 4, "ORG"]],
    "said": {"a": [[0, 2, "PER"], [3, 4, "ORG"]], "b": [[0, 2, "PER"], [3, 4, "LOC"]]},
    "fell": {"models": 2, "pairs": 2, "sets": ["rs"]},
    "margin": 0.85,
    "naturalness": 1.42,
    "attacks": [
        {
            "set": "rs",
            "id": "s7~rs",
            "status": "changed",
            "reason": "",
            "tokens": ["May", "Lee", "Fox", "beat", "Ulm"],
            "spans": [[0, 3, "PER"], [4, 5, "ORG"]],
            "mentions": [[0, 0], [1, 1]],
            "said": {"a": [[1, 2, "PER"]], "b": [[0, 3, "LOC"], [4, 5, "ORG"]]},
            "fell": {"a": [[0, "boundary", [1, 2, "PER"]], [1, "missed", None]], "b": [[0, "type", [0, 3, "LOC"]]]},
        },
        {
            "set": "mask",
            "id": "s7~mask",
            "status": "unchanged",
            "reason": "no other candidate",
            "tokens": ["Ida", "Kern", "beat", "Bonn"],
            "spans": [[0, 2, "PER"], [3, 4, "ORG"]],
            "mentions": [[0, 0], [1, 1]],
            "said": {"a": [], "b": []},
            "fell": {},
        },
    ],
}


def view(*cases: dict[str, Any]) -> View:
    return View(AuditResult({"findings": {"clearest": list(cases)}}))


def cells(table: Any) -> list[list[str]]:
    return [[row.group, *(cell.text for cell in row.cells)] for row in table.rows]


def test_what_is_not_identified_is_written_out_also_beside_a_shorter_answer() -> None:
    tokens = ["in", "Stadt", "Hanau", "am", "Main", "heute"]
    gold = [[1, 5, "LOC"]]
    assert as_read(tokens, gold, []) == "in [Stadt Hanau am Main](not identified) heute"
    assert as_read(tokens, gold, [[1, 2, "LOC"]]) == "in [Stadt]LOC [Hanau am Main](not identified) heute"
    assert as_read(tokens, gold, [[2, 3, "PER"]]) == (
        "in [Stadt](not identified) [Hanau]PER [am Main](not identified) heute"
    )
    assert as_read(tokens, gold, [[0, 6, "LOC"]]) == "[in Stadt Hanau am Main heute]LOC"
    assert as_read(tokens, [], [[5, 6, "DATE"]]) == "in Stadt Hanau am Main [heute]DATE"
    assert as_read([], [], []) == ""


def test_one_sentence_under_every_attack_with_every_model() -> None:
    (table,) = case_tables(view(CASE))
    assert cells(table) == [
        ["original", "gold, a", "[Ida Kern]PER beat [Bonn]ORG", ""],
        ["", "b", "[Ida Kern]PER beat [Bonn]LOC", ""],
        ["rs", "gold", "[May Lee Fox]PER beat [Ulm]ORG", ""],
        [
            "",
            "a",
            "[May](not identified) [Lee]PER [Fox](not identified) beat [Ulm](not identified)",
            "Ida Kern → May Lee Fox: PER → [Lee]PER; Bonn → Ulm: ORG → not identified",
        ],
        ["", "b", "[May Lee Fox]LOC beat [Ulm]ORG", "Ida Kern → May Lee Fox: PER → LOC"],
        ["mask", "–", "unchanged: no other candidate", ""],
    ]
    assert table.title == (
        "s7: 2 models fell, under rs, confidence 85.0 % in the mean, pseudo-perplexity 1.42 times the original's"
    )
    assert table.name == "case-1"


def test_models_that_read_alike_share_a_row_and_what_fell_for_some_names_them() -> None:
    case = copy.deepcopy(CASE)
    attack = case["attacks"][0]
    attack["said"]["b"] = attack["said"]["a"]
    attack["fell"]["b"] = attack["fell"]["a"][:1]
    rows = cells(case_tables(view(case))[0])
    assert rows[3][1] == "a, b"
    assert rows[3][3] == "Ida Kern → May Lee Fox: PER → [Lee]PER; Bonn → Ulm: ORG → not identified (a)"


def test_a_discarded_attack_says_why() -> None:
    case = copy.deepcopy(CASE)
    case["attacks"][1] |= {"status": "discarded", "reason": "", "tokens": [], "spans": [], "said": {}, "mentions": []}
    assert cells(case_tables(view(case))[0])[-1] == ["mask", "–", "discarded", ""]


def test_the_cases_of_one_model_are_the_original_and_the_attacks_it_fell_under() -> None:
    other = copy.deepcopy(CASE) | {"parent": "s9"}
    del other["attacks"][0]["fell"]["a"]
    found = view(CASE, other)
    assert cells(model_case_table(found, "a")) == [
        ["(a) s7", "original", "[Ida Kern]PER beat [Bonn]ORG"],
        ["", "rs", "[May](not identified) [Lee]PER [Fox](not identified) beat [Ulm](not identified)"],
    ]
    assert [row.group for row in model_case_table(found, "b").rows] == ["(a) s7", "", "(b) s9", ""]
    many = model_case_table(view(*[CASE] * 28), "a")
    assert [row.group for row in many.rows if row.group][25:] == ["(z) s7", "(aa) s7", "(ab) s7"]


def test_nothing_fell_is_no_table_and_no_sentence() -> None:
    assert case_tables(view()) == ()
    assert cases_said(view()) == ""
    assert model_case_table(view(), "a").rows == ()
    assert case_tables(View(AuditResult({}))) == ()


def test_joined_cases_stand_under_their_audit() -> None:
    (named,) = named_cases("en", [CASE])
    table = model_case_table(view(named), "en: b")
    assert cells(table)[0] == ["(a) en: s7", "original", "[Ida Kern]PER beat [Bonn]LOC"]
    assert case_tables(view(named))[0].title.startswith("en: s7: 2 models fell")
    assert cells(case_tables(view(named))[0])[0][1] == "gold, en: a"


def test_hostile_text_stays_text_in_every_form() -> None:
    hostile = ["<script>", "\u202eevil", "a|b", "50%_&#$", '"><img', "[x"]
    case = copy.deepcopy(CASE)
    case["attacks"][0]["tokens"] = hostile[:5]
    case |= {"parent": "=A1|*x*", "tokens": hostile[2:]}
    for table in (*case_tables(view(case)), model_case_table(view(case), "a")):
        (found,) = tables_of(to_latex(table))
        assert len(found.rows) == len(table.rows)
        assert "\u202e" not in to_latex(table) + to_csv(table) + "".join(table_lines(table))
        for line in table_lines(table):
            if line.startswith("|"):
                assert len(re.findall(r"(?<!\\)\|", line)) == len(table.columns) + 1


SPANS = st.lists(st.tuples(st.integers(0, 7), st.integers(1, 3)), max_size=4)


def flat(drawn: list[tuple[int, int]], label: str) -> list[list[Any]]:
    """Spans that do not overlap, inside eight tokens."""
    found: list[list[Any]] = []
    for start, width in sorted(drawn):
        if start + width <= 8 and (not found or found[-1][1] <= start):
            found.append([start, start + width, label])
    return found


@given(SPANS, SPANS)
def test_no_token_is_lost_and_every_gold_token_is_in_brackets(gold: list[Any], said: list[Any]) -> None:
    tokens = [f"t{n}" for n in range(8)]
    golden, answer = flat(gold, "G"), flat(said, "S")
    text = as_read(tokens, golden, answer)
    assert re.findall(r"t\d", text) == tokens
    marked = {at for start, end, _ in [*golden, *answer] for at in range(start, end)}
    inside = re.findall(r"\[([^\]]*)\]", text)
    assert {int(word[1:]) for part in inside for word in part.split()} == marked
    found = [part.split() for part in re.findall(r"\[([^\]]*)\]S", text)]
    assert found == [tokens[start:end] for start, end, _ in answer]
