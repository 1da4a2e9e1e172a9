"""`summary.md`: the gate for a pull request, at most 30 kB, with nothing in it that could act."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import quote

from nerquake.report.gate.words import MARKS, Check, figure, headline, interval, measured, models_of, rule_parts, unit
from nerquake.report.markdown import code, prose, table_lines
from nerquake.report.numbers import plural
from nerquake.report.tables import score_table
from nerquake.report.verdict import Said, verdict
from nerquake.report.view import View

MARKER = "<!-- nerquake:gate:default -->"
LARGEST = 30_000
"""Bytes of the file: summaries of over 1 MiB and comments of over 65,536 characters are dropped without a word."""
EXAMPLES = 5
_PLAIN = re.compile(r"[A-Za-z](?:[A-Za-z0-9._+=-]{0,60}[A-Za-z0-9])?")
_LIVE = re.compile(r"[@#]\w|://|www\.|GH-\d|[0-9a-f]{7,}", re.IGNORECASE)
_ACTS = re.compile(r"GH-\d|[0-9a-f]{7,}$|www|//|\.[a-z]{2,}$", re.IGNORECASE)


def name(text: str, in_table: bool = True) -> str:
    """A name of the user's: as it is where nothing reads it as more than a word, else in a code span."""
    plain = _PLAIN.fullmatch(text) and not _ACTS.search(text)
    return text if plain else code(text, in_table)


def sentence(text: str, in_table: bool = False) -> str:
    """A sentence that may hold the user's names. Sites look for `@name`, `#12` and addresses in the finished text,
    where no backslash helps; a sentence with one of these stands in a code span as a whole."""
    return code(text, in_table) if _LIVE.search(text) else prose(text)


def summary(view: View) -> str:
    """The file's text: what failed first, what passed folded away; too long, whole blocks go from the end."""
    gate = view.findings("gate")
    head = [MARKER, f"### {headline(gate)}", _verdict_line(verdict(view).sentences[0]), ""]
    models = models_of(gate["checks"])
    open_checks = [check for check in gate["checks"] if check["status"] in ("failed", "undecided")]
    rest = [check for check in gate["checks"] if check["status"] in ("passed", "ignored")]
    tail = _tail(view)
    shown, left = _fitting(list(_table(open_checks, models, view.level)), LARGEST - _size([*head, *tail]) - 2000)
    note = [f"{left} more checks that did not pass stand in gate.json.", ""] if left else []
    blocks = [block for block in (_passed(gate, rest, models, view.level), _scores(view), _since(view)) if block]
    return _joined(head, [*shown, *note], blocks, tail)


def _joined(head: list[str], table: list[str], blocks: list[list[str]], tail: list[str]) -> str:
    """The parts in a row, with as many of the blocks as there is room for."""
    dropped = False
    while blocks and _size([*head, *table, *(line for block in blocks for line in block), *tail]) > LARGEST - 200:
        blocks.pop()
        dropped = True
    last = ["Some parts were left out to keep this short; report.md has them."] if dropped else []
    lines = [*head, *table, *(line for block in blocks for line in block), *tail, *last]
    return "\n".join(lines) + "\n"


def _size(lines: Iterable[str]) -> int:
    return sum(len(line.encode("utf-8")) + 1 for line in lines)


def _fitting(lines: list[str], room: int) -> tuple[list[str], int]:
    """As many whole lines of a table as there is room for, and how many rows are left out."""
    kept = list(lines)
    while len(kept) > 3 and _size(kept) > room:
        kept.pop(-2)  # the last line is empty and closes the table
    return kept, len(lines) - len(kept)


def _verdict_line(said: Said) -> str:
    return "".join(f"**{sentence(part.text)}**" if part.strong else sentence(part.text) for part in said.parts)


def _table(checks: Sequence[Check], models: int, level: float) -> Iterator[str]:
    if not checks:
        return
    yield f"| | Rule | Limit | Measured | {100 * level:g} % interval | Last run |"
    yield "|---|---|--:|--:|:-:|--:|"
    for check in checks:
        kind, *names = rule_parts(check, models)
        cells = [
            MARKS[check["status"]],
            " · ".join([kind, *map(name, names)]),
            figure(check, check["limit"]),
            _measured(check),
            interval(check),
            "" if check["last"] is None else figure(check, check["last"]),
        ]
        yield f"| {' | '.join(cells)} |"
    yield ""


def _measured(check: Check) -> str:
    """What was measured; the reason beside it may hold names."""
    text = measured(check)
    return text.removesuffix(check["why"]) + sentence(check["why"], True) if check["why"] else text


def _folded(title: str, lines: Iterable[str]) -> list[str]:
    return [f"<details><summary>{title}</summary>", "", *lines, "", "</details>", ""]


def _passed(gate: Mapping[str, Any], checks: Sequence[Check], models: int, level: float) -> list[str]:
    passed = sum(check["status"] == "passed" for check in checks)
    if not checks:
        return []
    ignored = len(checks) - passed
    title = f"{plural(passed, unit(gate['checks']))} passed" + (f", {ignored} ignored" if ignored else "")
    return _folded(title, _table(checks, models, level))


def _scores(view: View) -> list[str]:
    return _folded("All scores", table_lines(score_table(view), 4))


def _since(view: View) -> list[str]:
    """The first sentences that fell since the last run, where one is known."""
    since = view.findings("since") or {}
    found: Sequence[dict[str, Any]] = since.get("examples") or ()
    if not found:
        return []
    total = since.get("newly_fallen", len(found))
    lines = ["| Sentence | Original → attacked | Was → is |", "|---|---|---|"]
    for one in found[:EXAMPLES]:
        place = f"{code(one['id'], True)} · {name(one['set'])}"
        text = f"{code(one['original'], True)} → {code(one['attacked'], True)}"
        lines.append(f"| {place} | {text} | {sentence(one['was'], True)} → {sentence(one['is'], True)} |")
    return _folded(f"{total} new {'fall' if total == 1 else 'falls'} since the last run", lines)


def _tail(view: View) -> list[str]:
    gate, header = view.findings("gate"), view.header
    worst = next((check for check in gate["checks"] if check["status"] != "passed"), None)
    link = f"`report.html#set={_quoted(worst['set'])}&kind=fell`" if worst else "`report.html`"
    made = f"nerquake {header['version']} · strict · seed {header['seed']} · {header['resamples']:,} resamples"
    return [f"Open {link} in the artifact **ner-robustness**. {made} · policy {code(gate['policy'])}"]


def _quoted(text: str) -> str:
    return quote(text, safe="").replace("`", "%60")
