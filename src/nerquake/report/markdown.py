"""`report.md`: the same figures as the page, for places that show Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from nerquake.core.results import AuditResult
from nerquake.report import method, parts, sections, tables
from nerquake.report.curve import curves
from nerquake.report.label_tables import loss_table, rows_of, strict_exact_table
from nerquake.report.naturalness import naturalness_table
from nerquake.report.sentences import Chunk, Shown
from nerquake.report.table import Cell, Row, Table
from nerquake.report.verdict import Part, verdict
from nerquake.report.view import View
from nerquake.report.visible import visible

SHOWN = 20
"""Sentences a set; the page shows more, `cases.jsonl` all."""


@dataclass(frozen=True)
class MarkdownReport:
    """The report as GitHub-flavoured Markdown, the user's own text in code spans."""

    name: ClassVar[str] = "report.md"

    def render(self, result: AuditResult) -> str:
        """The file's text; the same result gives the same bytes."""
        view = View(result)
        made = [_verdict(view), _scores(view), _models(view), _labels(view)]
        made += [_section("Errors", parts.errors(view)), _section("Flips and overlap", parts.flips(view))]
        made.append(_curves(view))
        made += [_section("Groups", parts.groups(view)), _section("Memory and context", parts.memory(view))]
        made += [_sets(view), _section("Clearest failures", parts.clearest(view)), _sentences(view)]
        made += [_section("Gate", parts.gate(view)), _section("Since the last run", parts.since(view)), _method(view)]
        return "\n".join("\n".join(part) for part in (list(lines) for lines in made) if part) + "\n"


def code(text: str, in_table: bool = False) -> str:
    """Text in a code span that it cannot leave: a fence longer than any run of backticks, one line, no bare pipe."""
    shown = visible(text)
    fence = "`" * (1 + max(map(len, re.findall("`+", shown)), default=0))
    if in_table:
        shown = shown.replace("|", "\\|")
    if not shown.strip():
        return f"{fence}{shown or ' '}{fence}"
    pad = " " if shown.startswith(("`", " ")) or shown.endswith(("`", " ")) else ""
    return f"{fence}{pad}{shown}{pad}{fence}"


def prose(text: str) -> str:
    """A sentence that may hold the user's text: everything that Markdown or HTML would act on is escaped."""
    return re.sub(r"([\\`*_{}\[\]<>#|~!@&$])", r"\\\1", visible(text))


def table_lines(table: Table, level: int = 3) -> Iterator[str]:
    """A table below its title."""
    if not table.rows:
        return
    yield f"{'#' * level} {prose(table.title)}\n"
    yield _row_line(code(c.head, in_table=True) if c.data else prose(c.head) for c in table.columns)
    yield _row_line("--:" if column.number else "---" for column in table.columns)
    for row in table.rows:
        yield from _rows(row, len(table.columns))
    yield ""
    for note in (*table.notes, *tables.footnotes(table)):
        yield f"{prose(note)}\n"


def _rows(row: Row, width: int) -> Iterator[str]:
    if row.group:
        yield _row_line([f"**{code(row.group, in_table=True)}**", *[""] * (width - 1)])
    yield _row_line(_cell(cell) for cell in row.cells)


def _cell(cell: Cell) -> str:
    text = code(cell.text, in_table=True) if cell.data and cell.text else prose(cell.text)
    return f"{text} <br> {prose(cell.sub)}" if cell.sub else text


def _row_line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _verdict(view: View) -> Iterator[str]:
    found = verdict(view)
    yield "# NER robustness\n"
    for said in found.sentences:
        yield f"{''.join(map(_part, said.parts))}\n"
    for line in found.warnings:
        yield f"- ⚠ {prose(line)}"
    yield ""


def _part(part: Part) -> str:
    text = f"**{prose(part.text)}**" if part.strong else prose(part.text)
    return f"[{text}](#{part.link})" if part.link and "=" not in part.link else text  # the page alone has filters


def _scores(view: View) -> Iterator[str]:
    yield "## Scores\n"
    for scheme, measure in tables.SCORE_CHOICES:
        if measure == "f1" or scheme == "strict":
            yield from table_lines(tables.score_table(view, scheme, measure))
    yield from table_lines(tables.paired_table(view))
    yield from table_lines(tables.status_table(view))
    yield from table_lines(tables.reasons_table(view))
    yield from _part_lines(parts.losses(view))


def _models(view: View) -> Iterator[str]:
    if view.comparisons:
        yield "## Models\n"
        yield from table_lines(tables.models_table(view))
        yield from _part_lines(parts.ranks(view))


def _labels(view: View) -> Iterator[str]:
    taggers = [tagger for tagger in view.taggers if rows_of(view, tagger)]
    if taggers:
        yield "## Labels\n"
    for tagger in taggers:
        yield f"### {code(tagger)}\n"
        yield from table_lines(loss_table(view, tagger), 4)
        yield from table_lines(strict_exact_table(view, tagger), 4)
    yield from _part_lines(parts.fine(view))


def _section(title: str, found: parts.Parts) -> Iterator[str]:
    if found:
        yield f"## {title}\n"
    yield from _part_lines(found)


def _part_lines(found: parts.Parts) -> Iterator[str]:
    for part in found:
        if part.head:
            yield f"### {code(part.head)}\n"
        for line in part.lines:
            yield f"{prose(line)}\n"
        for table in part.all_tables:
            yield from table_lines(table, 4)


def _curves(view: View) -> Iterator[str]:
    found = curves(view)
    if found:
        yield "## Attack curve\n"
    for curve in found:
        yield f"{prose(curve.title)}.\n"
        yield from table_lines(curve.table)


def _sets(view: View) -> Iterator[str]:
    found = sections.examples(view)
    if found:
        yield "## Attacked sets\n"
    yield from _part_lines(parts.curation(view))
    yield from table_lines(naturalness_table(view))
    for entry in found:
        yield f"### {code(entry.name)}\n"
        yield f"{code(entry.spec)} · {prose(entry.facts)}\n"
        for note in (*entry.said, *entry.notes):
            yield f"- {prose(note)}"
        if entry.examples:
            yield f"\n{len(entry.examples)} examples, drawn by seed, not picked.\n"
            yield from _pairs(entry.examples)
        yield ""


def _pairs(shown: Sequence[Shown]) -> Iterator[str]:
    yield _row_line(["Sentence", "Original", "Attacked"])
    yield _row_line(["---"] * 3)
    for case in shown:
        yield _row_line(
            code(text, in_table=True) for text in (case.parent, marked(case.original), marked(case.attacked))
        )


def marked(chunks: Sequence[Chunk]) -> str:
    """A text with its mentions in brackets, the label behind each: `[Bad Homburg]LOC`, as papers print it."""
    words = []
    for chunk in chunks:
        text = " ".join(token.text for token in chunk.tokens)
        words.append(f"[{text}]{chunk.label}" if chunk.label else text)
    return " ".join(words)


def _sentences(view: View) -> Iterator[str]:
    found = sections.fallen(view, SHOWN)
    if found:
        yield "## Sentences\n"
    for entry in found:
        yield f"### {code(entry.name)}\n"
        yield f"{prose(entry.summary)}\n"
        if entry.shown:
            yield _row_line(["Sentence", "Original", "Attacked", "What the models said"])
            yield _row_line(["---"] * 4)
            for case in entry.shown:
                texts = (case.parent, marked(case.original), marked(case.attacked), _turns(case, entry.models))
                yield _row_line(code(text, in_table=True) for text in texts)
            yield ""
        if entry.more:
            yield f"{prose(entry.more)}\n"


def _turns(case: Shown, models: Sequence[str]) -> str:
    lines = []
    for row in case.mentions:
        for model, answer in zip(models, row.answers, strict=True):
            if answer.turn in ("fell", "rose"):
                lines.append(f"{row.old} → {row.new} {row.label}: {model} {answer.before} → {answer.after}")
    return "; ".join(lines)


def _method(view: View) -> Iterator[str]:
    yield "## Method\n"
    for made in method.methods(view):
        if made.audit:
            yield f"### {code(made.audit)}\n"
        for fact in made.facts:
            yield f"- {prose(fact.what)}: {code(fact.value)}"
        for note in made.notes:
            yield f"- {prose(note)}"
        yield ""
    yield from table_lines(method.input_table(view))
    yield from table_lines(method.attack_table(view))
    for note in method.attack_notes(view):
        yield f"- {prose(note)}"
    yield ""
    yield from table_lines(method.tagger_table(view))
    yield prose(method.absent(view))
