"""Items that a data set itself names, in one of its columns, as HIPE's NEL-LIT does."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from nerquake.core.errors import InputError, UsageError
from nerquake.core.linking import Known, LinkCandidate, Mentioned
from nerquake.knowledge.ids import LOCAL, is_wikidata

NIL = "NIL"


@dataclass(frozen=True, slots=True)
class IdColumn:
    """Takes the items that stand in a column of the data set, at the first token of each mention.

    column  which of the file's columns, its columns of tokens and tags not counted, from 0; by default the one that
            holds the most ids
    """

    column: int | None = None

    def __post_init__(self) -> None:
        if self.column is not None and self.column < 0:
            raise ValueError(f"column={self.column}: columns count from 0")

    def link(self, mentions: Sequence[Mentioned]) -> list[tuple[LinkCandidate, ...]]:
        """The items; none where a cell says that there is none, or nothing.

        Raises:
            InputError: no column holds items.
        """
        column = self._column(mentions)
        found = [_item(mention, column) for mention in mentions]
        return [(LinkCandidate(item, score=1.0),) if item else () for item in found]

    def known(self, mentions: Sequence[Mentioned]) -> list[Known]:
        """The mentions with their items; None where a cell says that there is none. Empty cells say nothing.

        Raises:
            InputError: no column holds items.
        """
        column = self._column(mentions)
        found = [(mention, _item(mention, column)) for mention in mentions]
        return [Known(mention, item or None) for mention, item in found if item is not None]

    def about(self) -> tuple[str, ...]:
        """Which column."""
        where = "the column that holds the most ids" if self.column is None else f"column {self.column}"
        return (f"ids: items that the data set names in {where}",)

    def fingerprint(self) -> str:
        """The column."""
        return f"ids {self.column}"

    def _column(self, mentions: Sequence[Mentioned]) -> int:
        counts = Counter(at for mention in mentions for at in _columns_with_ids(mention))
        wide = max((len(mention.sentence.columns[0]) for mention in mentions if mention.sentence.columns), default=0)
        if self.column is not None:
            if self.column >= wide and mentions:
                raise UsageError(f"column={self.column}: the data set has {wide} columns beside tokens and tags")
            return self.column
        if not counts and mentions:
            raise InputError(
                f"no column of the data set holds items' ids at its mentions ({wide} columns beside tokens and tags "
                "were looked through); expected cells such as Q64, as in HIPE's NEL-LIT"
            )
        return max(counts, key=lambda at: (counts[at], -at), default=0)


def _cells(mention: Mentioned) -> tuple[str, ...]:
    columns = mention.sentence.columns
    return columns[mention.sentence.spans[mention.index].start] if columns else ()


def _columns_with_ids(mention: Mentioned) -> Iterator[int]:
    return (at for at, cell in enumerate(_cells(mention)) if id_in(cell))


def _item(mention: Mentioned, column: int) -> str | None:
    cells = _cells(mention)
    return id_in(cells[column]) if column < len(cells) else None


def id_in(cell: str) -> str | None:
    """The id that a cell holds, alone or as the value of a feature (`Wikidata=Q64`); "" for NIL, None for neither."""
    for part in cell.split("|"):
        value = part.rpartition("=")[2].strip()
        if is_wikidata(value) or value.startswith(LOCAL):
            return value
        if value == NIL:
            return ""
    return None
