import re

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.report.example import Names, example
from tests.report.test_html import HOSTILE
from tests.report.tex import tables_of

from nerquake.core.variant import ORIGINAL
from nerquake.report.all_tables import all_tables
from nerquake.report.latex import LatexTables, escape, to_latex
from nerquake.report.table import Cell, Column, Row, Table, data_cell
from nerquake.report.view import View

ACTIVE = re.compile(r"(?<!\\)[%_&#$^~]")
COMMAND = re.compile(
    r"\\(?:[%_&#${}]|textbackslash|textasciitilde|textasciicircum|textless|textgreater|textbar|textendash)"
)


def test_what_tex_would_act_on_is_escaped() -> None:
    # case 19
    assert escape("50 % of_A&T #1 $x {y} ~z ^w \\input") == (
        r"50 \% of\_A\&T \#1 \$x \{y\} \textasciitilde{}z \textasciicircum{}w \textbackslash{}input"
    )


def test_direction_and_control_characters_are_made_visible() -> None:
    assert escape("a\u202eb\nc") == r"a$\langle$U+202E$\rangle$b$\langle$U+000A$\rangle$c"


@settings(max_examples=80)
@given(st.text("\\{}%_&#$~^|-<> a", max_size=12))
def test_every_special_character_stands_behind_a_backslash_and_braces_match(text: str) -> None:
    made = escape(text)
    assert not ACTIVE.search(re.sub(r"\\\\", "", made))
    depth = 0
    for brace in re.findall(r"(?<!\\)[{}]", made):
        depth += 1 if brace == "{" else -1
        assert depth in (0, 1)
    assert depth == 0
    assert len(re.findall(r"\\", made)) == len(COMMAND.findall(made))


def test_two_hyphens_stay_two() -> None:
    assert escape("a--b---c") == "a-{}-b-{}-{}-c"


def test_rows_have_one_cell_a_column_whatever_their_text() -> None:
    table = Table("t", "T", (Column("a_b"), Column("c")), (Row((data_cell("x & y"), Cell("1", "[2]"))),))
    assert to_latex(table).splitlines()[1:] == [
        r"\begin{tabular}{rr}",
        r"\hline",
        r"a\_b & c \\",
        r"\hline",
        r"x \& y & 1 \\",
        r" & {\footnotesize [2]} \\",
        r"\hline",
        r"\end{tabular}",
    ]


def test_the_tables_hold_the_scores_and_no_bare_special_of_a_hostile_name() -> None:
    result = example(HOSTILE, 60)
    text = LatexTables().render(result)
    for block in result.data["results"]:
        if block["set"] == ORIGINAL:
            assert f"{100 * block['overall']['strict']['f1']:.1f}" in text
    assert len(tables_of(text)) == len(all_tables(View(result))) > 2
    assert "\u202e" not in text
    assert r"\{\{7*7\}\}" in text


def test_it_is_named_for_papers_and_always_the_same() -> None:
    result = example(Names(), 60)
    assert LatexTables().name == "tables.tex"
    assert LatexTables().render(result) == LatexTables().render(result)


def test_what_stands_over_several_columns_is_printed_once_above_them() -> None:
    columns = (
        Column("m", number=False),
        Column("F_1 a", over="F_1"),
        Column("F_1 b", over="F_1"),
        Column("R a", over="R"),
    )
    table = Table("t", "T", columns, (Row(tuple(map(Cell, "x123"))),))
    assert to_latex(table).splitlines()[2:6] == [
        r"\hline",
        r" & \multicolumn{2}{c}{F\_1} & \multicolumn{1}{c}{R} \\",
        r"m & a & b & a \\",
        r"\hline",
    ]
