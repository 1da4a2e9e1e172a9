"""Two steps of edits in a row, merged into edits of the original sentence."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import NamedTuple

from nerquake.core.edits import Edit, EditKind, Source
from nerquake.core.sentence import Sentence


class _Piece(NamedTuple):
    """The range of an edit in the middle sentence, and by how much its step has moved what follows.

    zone   2i for the words in front of mention i, 2i + 1 for mention i; edits of different zones are never joined,
           since the one would then reach over the border of the mention
    """

    zone: int
    start: int
    end: int
    shift: int
    edit: Edit
    second: bool


def merge_edits(original: Sentence, first: Sequence[Edit], middle: Sentence, second: Sequence[Edit]) -> list[Edit]:
    """The edits that lead from `original` straight to what `second` makes of `middle`.

    first    edits of `original` that made `middle`
    second   edits of `middle`

    Edits of both steps that share a token, or meet where one of them only inserts or deletes, become one, as long as
    they stand in the same mention, or between the same two. What changes nothing in the end is left out.
    """
    pieces = [*_made_by(original, first), *_made_from(middle, second)]
    pieces.sort(key=lambda piece: (piece.zone, piece.start, piece.end, piece.second))
    merged: list[Edit] = []
    shift = 0
    for group in _groups(pieces):
        start, end = min(piece.start for piece in group), max(piece.end for piece in group)
        inside = sum(piece.shift for piece in group)
        edit = _as_edit(group, middle, (start, end), (start - shift, end - shift - inside))
        shift += inside
        if edit is not None and edit.new != original.tokens[edit.start : edit.end]:
            merged.append(edit)
    return merged


def _zone(sentence: Sentence, edit: Edit) -> int:
    if edit.kind == "mention":
        return 2 * bisect_right(sentence.spans, edit.start, key=lambda span: span.start) - 1
    return 2 * bisect_right(sentence.spans, edit.start, key=lambda span: span.end)


def _made_by(original: Sentence, edits: Sequence[Edit]) -> list[_Piece]:
    """Where the first step's replacements stand in the middle sentence."""
    pieces, shift = [], 0
    for edit in sorted(edits, key=lambda e: (e.start, e.end)):
        start = edit.start + shift
        grown = len(edit.new) - (edit.end - edit.start)
        pieces.append(_Piece(_zone(original, edit), start, start + len(edit.new), grown, edit, second=False))
        shift += grown
    return pieces


def _made_from(middle: Sentence, edits: Sequence[Edit]) -> list[_Piece]:
    return [_Piece(_zone(middle, edit), edit.start, edit.end, 0, edit, second=True) for edit in edits]


def _groups(pieces: Sequence[_Piece]) -> list[list[_Piece]]:
    groups: list[list[_Piece]] = []
    end = -1
    for piece in pieces:
        last = groups[-1] if groups else []
        meets = piece.start == end and (piece.start == piece.end or any(p.start == p.end == end for p in last))
        if last and piece.zone == last[0].zone and (piece.start < end or meets):
            last.append(piece)
            end = max(end, piece.end)
        else:
            groups.append([piece])
            end = piece.end
    return groups


def _as_edit(group: Sequence[_Piece], middle: Sentence, span: tuple[int, int], old: tuple[int, int]) -> Edit | None:
    tokens: list[str] = []
    at, end = span
    for piece in group:
        if piece.second:
            tokens += middle.tokens[at : piece.start]
            tokens += piece.edit.new
            at = piece.end
    tokens += middle.tokens[at:end]
    if not tokens and old[0] == old[1]:
        return None
    kind: EditKind = "mention" if any(piece.edit.kind == "mention" for piece in group) else "context"
    steps = sorted(group, key=lambda piece: piece.second)
    source: Source = tuple(pair for piece in steps for pair in piece.edit.source)
    return Edit(old[0], old[1], tuple(tokens), kind, source)
