"""A small reader of the LaTeX that the report writes: it refuses what pdflatex would stumble over.

Where pdflatex is installed the text is compiled as well.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path
from typing import NamedTuple

COMMANDS = {
    "textbackslash": "\\", "textasciitilde": "~", "textasciicircum": "^", "textless": "<", "textgreater": ">",
    "textbar": "|", "textendash": "–", "rightarrow": "→", "downarrow": "↓", "uparrow": "↑", "langle": "‹",
    "rangle": "›", "emptyset": "∅", "dagger": "†", "bullet": "●", "surd": "✓", "times": "✗",
    "leq": "≤", "geq": "≥", "diamond": "◆", "triangleleft": "◧", "circ": "○", "cdot": "·", "ldots": "…",
}  # fmt: skip
STYLES = {"footnotesize", "textit"}
ESCAPED = set("%_&#${}")


class TexTable(NamedTuple):
    """A tabular: letters of its columns, the lines above its second rule, and those below, cells as plain text.

    A cell over several columns is followed by empty ones. `groups` are lines of one cell over all columns.
    """

    columns: str
    heads: list[list[str]]
    rows: list[list[str]]
    groups: dict[int, str]


def tables_of(text: str) -> list[TexTable]:
    """Every tabular of a text; whatever stands outside of them is a comment or blank."""
    check_braces(text)
    found: list[TexTable] = []
    inside: list[str] | None = None
    for line in text.splitlines():
        if line.startswith(r"\begin{tabular}"):
            assert inside is None, f"a table in a table: {line}"
            inside = [line]
        elif line == r"\end{tabular}":
            assert inside is not None, "an end without a beginning"
            found.append(_table(inside))
            inside = None
        elif inside is not None:
            inside.append(line)
        else:
            assert not line.strip() or line.startswith("%"), f"stray text: {line}"
    assert inside is None, "a table without an end"
    return found


def check_braces(text: str) -> None:
    """Braces match on every line that is no comment."""
    for line in text.splitlines():
        depth = 0
        for brace in re.findall(r"(?<!\\)(?:\\\\)*([{}])", "" if line.startswith("%") else line):
            depth += 1 if brace == "{" else -1
            assert depth >= 0, line
        assert depth == 0, line


def _table(lines: list[str]) -> TexTable:
    opening = re.fullmatch(r"\\begin\{tabular\}\{([lr]+)\}", lines[0])
    assert opening, lines[0]
    columns = opening[1]
    made = TexTable(columns, [], [], {})
    rules = 0
    for line in lines[1:]:
        if line == r"\hline":
            rules += 1
            continue
        cells = _cells(line)
        assert len(cells) == len(columns), f"{len(cells)} cells for {len(columns)} columns: {line}"
        if rules == 1:
            made.heads.append(cells)
        elif line.startswith(rf"\multicolumn{{{len(columns)}}}"):
            made.groups[len(made.rows)] = cells[0]
        else:
            made.rows.append(cells)
    assert rules == 3, f"{rules} rules"
    return made


def _cells(line: str) -> list[str]:
    assert line.endswith(r" \\"), line
    cells: list[str] = []
    for cell in re.split(r"(?<!\\)&", line.removesuffix(r"\\")):
        wide = re.fullmatch(r"\\multicolumn\{(\d+)\}\{[lrc]\}\{(.*)\}", cell.strip())
        cells.append(plain(wide[2] if wide else cell.strip()))
        cells += [""] * (int(wide[1]) - 1 if wide else 0)
    return cells


def plain(cell: str) -> str:
    """What LaTeX prints of a cell; fails on a character or command that would do anything else."""
    made: list[str] = []
    at = 0
    math = False
    while at < len(cell):
        character = cell[at]
        command = re.match(r"\\([a-z]+)(\{\}| ?)", cell[at:])
        if command:
            name = command[1]
            assert name in COMMANDS or name in STYLES, f"unknown command {name} in {cell}"
            made.append(COMMANDS.get(name, ""))
            at += command.end()
            continue
        if character == "\\":
            assert cell[at + 1] in ESCAPED, cell
            made.append(cell[at + 1])
            at += 2
            continue
        if character == "$":
            math = not math
        elif math and character == "-":
            made.append("−")
        else:
            assert character not in "%_&#~^", f"bare {character} in {cell}"
            made.append("" if character in "{}" else character)
        at += 1
    assert not math, cell
    return "".join(made)


def compile_where_installed(text: str, folder: Path) -> None:
    """Let pdflatex set the tables; nothing where there is none."""
    if shutil.which("pdflatex") is None:
        return
    whole = f"\\documentclass{{article}}\\begin{{document}}\n{text}\n\\end{{document}}\n"
    (folder / "tables.tex").write_text(whole, "utf-8")
    run = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "tables.tex"]
    done = subprocess.run(run, cwd=folder, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stdout[-2000:]
