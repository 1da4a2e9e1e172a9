import json
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token
from tests.report.example import Names, example
from tests.report.test_html import HOSTILE

from nerquake.analyse.records import case_lines, read_cases
from nerquake.core.results import AuditResult
from nerquake.report import tables
from nerquake.report.markdown import MarkdownReport, code, prose
from nerquake.report.view import View
from nerquake.report.visible import visible


def parse(text: str) -> list[Token]:
    return MarkdownIt("commonmark").enable("table").parse(text)


def rows_of(tokens: list[Token]) -> list[list[str]]:
    """The cells of all table rows, as text."""
    rows: list[list[str]] = []
    inside = False
    for token in tokens:
        if token.type in ("tr_open", "tr_close"):
            inside = token.type == "tr_open"
            if inside:
                rows.append([])
        elif token.type == "inline" and inside and token.children is not None:
            rows[-1].append("".join(child.content for child in token.children))
    return rows


TEXT = st.text(st.characters(exclude_categories=("Cs",)), min_size=1, max_size=12) | st.text(
    "`|\\ a<*_", min_size=1, max_size=8
)


@settings(max_examples=80)
@given(TEXT)
def test_data_text_is_one_code_span_with_nothing_lost(text: str) -> None:
    (paragraph,) = [token for token in parse(f"x {code(text)} y") if token.type == "inline"]
    assert paragraph.children is not None
    spans = [child.content for child in paragraph.children if child.type == "code_inline"]
    assert spans == [visible(text)] or not text.strip()
    assert not [child for child in paragraph.children if child.type not in ("text", "code_inline")]


@settings(max_examples=80)
@given(TEXT.filter(lambda text: bool(text.strip()) and "\\|" not in text))
def test_data_text_stays_in_its_cell(text: str) -> None:
    tokens = parse(f"| a | b |\n| --- | --- |\n| {code(text, in_table=True)} | {code('b', in_table=True)} |\n")
    assert rows_of(tokens)[1] == [visible(text), "b"]


@settings(max_examples=80)
@given(TEXT.map(lambda text: f"a{text}a"))
def test_prose_is_never_acted_on(text: str) -> None:
    (paragraph,) = [token for token in parse(prose(text)) if token.type == "inline"]
    assert paragraph.children is not None
    assert {child.type for child in paragraph.children} <= {"text", "text_special"}
    assert "".join(child.content for child in paragraph.children) == visible(text)


@pytest.mark.parametrize("names", [Names(), HOSTILE])
def test_every_table_has_as_many_cells_in_each_row(names: Names) -> None:
    text = MarkdownReport().render(example(names, 60))
    for block in re.findall(r"(?:^\|.*\n)+", text, flags=re.MULTILINE):
        widths = {len(row) for row in rows_of(parse(block))}
        assert len(widths) == 1, block.splitlines()[0]


def test_a_pipe_survives_a_table() -> None:
    # case 19
    text = MarkdownReport().render(example(Names(labels=("P|ER", "LOC", "ORG", "MISC")), 60))
    assert "P|ER" in {cell for row in rows_of(parse(text)) for cell in row}


def test_it_shows_the_tables_of_the_page() -> None:
    result = example()
    cells = rows_of(parse(MarkdownReport().render(result)))
    for row in (*tables.score_table(View(result)).rows, *tables.paired_table(View(result)).rows):
        shown = [cell.text for cell in row.cells]
        assert any(
            all(cell.split(" <br>")[0] == text for cell, text in zip(found, shown, strict=True))
            for found in cells
            if len(found) == len(shown)
        )


def test_hostile_text_makes_neither_markup_nor_links() -> None:
    types = set()
    for token in parse(MarkdownReport().render(example(HOSTILE, 60))):
        for child in token.children or ():
            types.add(child.type)
            if child.type == "html_inline":
                assert child.content == "<br>"
    assert not types & {"link_open", "image"}


def test_the_same_result_gives_the_same_bytes_also_when_read_back() -> None:
    result = example()
    again = AuditResult(json.loads(json.dumps(result.data)), read_cases(case_lines(result.cases)))
    first = MarkdownReport().render(result).encode("utf-8")
    assert MarkdownReport().render(again).encode("utf-8") == first


def test_sentences_show_their_mentions_and_what_changed_its_answer() -> None:
    text = MarkdownReport().render(example())
    (row,) = [row for row in rows_of(parse(text)) if row[0] == "s00000" and len(row) == 4 and "→" in row[3]][:1]
    assert re.search(r"\[.+\](PER|LOC|ORG)", row[1])
    assert re.search(r"✓ → [◆◧○]", row[3])
