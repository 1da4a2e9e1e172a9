"""Name types of classes from root classes: a class has the type of the nearest root above it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from nerquake.core.errors import FormatError, InputError, Problem
from nerquake.knowledge.duck import rows
from nerquake.knowledge.ids import is_wikidata, number_of

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

SHIPPED = Path(__file__).parent / "root_classes.tsv"
SOURCE = "root"
"""What `class_type.source` says of types that come from root classes."""
NONE = "-"
"""The type of roots whose classes are of no name type, such as scholarly articles."""
_HEAD = ("class", "type", "title")


class Root(NamedTuple):
    """A root class and the name type of the classes below it."""

    class_id: str
    type: str


def read_roots(path: str | Path = SHIPPED) -> tuple[Root, ...]:
    """Read a table of root classes: `class<TAB>type<TAB>title`, `-` for classes of no type.

    Raises:
        InputError: the file cannot be read.
        FormatError: lines that are no row, all of them listed.
    """
    try:
        lines = Path(path).read_text("utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path} cannot be read: {getattr(error, 'strerror', None) or error}") from None
    roots: dict[str, Root] = {}
    problems: list[Problem] = []
    for number, line in enumerate(lines, 1):
        cells = tuple(cell.strip() for cell in line.split("\t"))
        if not line.strip() or line.startswith("#") or cells == _HEAD:
            continue
        if len(cells) < 2 or not cells[1] or not is_wikidata(cells[0]):
            problems.append(Problem("bad-root", number, "no root class", line, "Q515, a tab, GPE, a tab, city"))
        elif cells[0] in roots:
            problems.append(Problem("repeated-root", number, "this class stands above already", cells[0]))
        else:
            roots[cells[0]] = Root(cells[0], cells[1])
    if problems:
        raise FormatError(str(path), problems)
    return tuple(roots.values())


def assign(connection: DuckDBPyConnection, given: str, roots: Sequence[Root]) -> str:
    """A query for the types of `known_classes` that `given` has none for.

    The nearest root along `subclass` decides, of several equally near the first in the file.
    """
    connection.execute("CREATE OR REPLACE TEMP TABLE below (class BIGINT, rank INTEGER, step INTEGER)")
    connection.execute("CREATE OR REPLACE TEMP TABLE root_types (rank INTEGER, type VARCHAR)")
    if roots:
        _spread(connection, roots)
    return f"""
        (SELECT class, type, '{SOURCE}' AS source FROM below JOIN root_types USING (rank)
         WHERE type <> '{NONE}' AND class IN (FROM known_classes) AND class NOT IN (SELECT class FROM ({given})))
    """


def _spread(connection: DuckDBPyConnection, roots: Sequence[Root]) -> None:
    """Fill `below` with every class below a root, level by level."""
    columns = {
        "class": np.array([number_of(root.class_id) for root in roots], np.int64),
        "rank": np.arange(len(roots), dtype=np.int32),
        "type": np.array([root.type for root in roots], np.object_),
    }
    connection.register("roots", columns)
    connection.execute("INSERT INTO below SELECT class, rank, 0 FROM roots")
    connection.execute("INSERT INTO root_types SELECT rank, type FROM roots")
    connection.unregister("roots")
    step = 0
    while rows(connection, f"SELECT 1 FROM below WHERE step = {step} LIMIT 1"):
        connection.execute(
            f"""
            INSERT INTO below SELECT subclass.class, min(rank), {step + 1}
            FROM subclass JOIN below ON parent = below.class AND step = {step}
            WHERE subclass.class NOT IN (SELECT class FROM below) GROUP BY subclass.class
            """
        )
        step += 1
