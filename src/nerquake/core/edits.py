"""Edits, and the one place where offsets move.

A perturbation proposes edits on a sentence; `apply_edits` makes the new sentence, moves every mention and keeps the
map from old mentions to new ones. What no edit can say (joining sentences, mixing up, paraphrase) is a `Rewrite`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeVar

from nerquake.core.errors import EditError
from nerquake.core.sentence import NEW_CELL, Layout, Sentence
from nerquake.core.span import Span

EditKind = Literal["mention", "context"]
Source = tuple[tuple[str, str], ...]
"""Where a replacement came from, as pairs: ("from", "s00871"), ("locale", "de_DE"). Names are the perturbation's."""
MentionMap = tuple[int | None, ...]
"""For each mention of the old sentence its index among the new sentence's mentions, or None where it is gone."""
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Edit:
    """Tokens `[start, end)` of the old sentence become `new`. An insertion has start == end, a deletion no `new`.

    kind   "mention": inside a mention or covering exactly one; "context": touching none
    """

    start: int
    end: int
    new: tuple[str, ...]
    kind: EditKind
    source: Source = ()

    def __post_init__(self) -> None:
        if not 0 <= self.start <= self.end:
            raise EditError(f"an edit needs 0 <= start <= end, got [{self.start}, {self.end})")
        if self.start == self.end and not self.new:
            raise EditError(f"an edit at {self.start} neither takes nor gives a token")


@dataclass(frozen=True, slots=True)
class Rewrite:
    """A new sentence that edits cannot express.

    mentions   for each mention of the old sentence its index among `spans`, or None where it is gone
    source     where the rest came from
    """

    tokens: tuple[str, ...]
    spans: tuple[Span, ...]
    mentions: MentionMap
    source: Source = ()


class Applied(NamedTuple):
    """What edits made of a sentence."""

    sentence: Sentence
    mentions: MentionMap


def apply_edits(sentence: Sentence, edits: Sequence[Edit], new_id: str | None = None) -> Applied:
    """The edited sentence, and the map of its mentions (always one to one: edits never lose a mention).

    Raises:
        EditError: an edit reaches outside, overlaps another, cuts a mention's border, or empties a mention.
    """
    ordered = sorted(edits, key=lambda edit: (edit.start, edit.end))
    spans = _move_spans(sentence, ordered)
    tokens: list[str] = []
    at = 0
    for edit in ordered:
        tokens += sentence.tokens[at : edit.start]
        tokens += edit.new
        at = edit.end
    tokens += sentence.tokens[at:]
    if not tokens:
        raise EditError(f"edits leave nothing of sentence {sentence.id!r}")
    made = Sentence(
        id=sentence.id if new_id is None else new_id,
        tokens=tuple(tokens),
        spans=spans,
        spaces=_carry_spaces(sentence, ordered),
        doc_id=sentence.doc_id,
        columns=_carry(sentence.columns, ordered, _new_cells(sentence)),
        meta=sentence.meta,
        source=sentence.source,
        hashed=sentence.hashed,
        layout=_carry_layout(sentence.layout, ordered),
    )
    return Applied(made, tuple(range(len(spans))))


def _move_spans(sentence: Sentence, ordered: Sequence[Edit]) -> tuple[Span, ...]:
    """The mentions after the edits, which are checked on the way."""
    moved: list[Span] = []
    shift, index, at = 0, 0, 0
    for span in sentence.spans:
        while index < len(ordered) and _stands_before(ordered[index], span):
            at = _check_edit(sentence, ordered, index, at)
            _check_kind(sentence, ordered[index], "context")
            shift += _growth(ordered[index])
            index += 1
        start, inside = span.start + shift, 0
        if index < len(ordered) and _replaces(ordered[index], span):  # the common case, without the checks of a part
            inside, at = _growth(ordered[index]), span.end
            index += 1
        while index < len(ordered) and _stands_inside(ordered[index], span):
            at = _check_edit(sentence, ordered, index, at)
            _check_kind(sentence, ordered[index], "mention")
            inside += _growth(ordered[index])
            index += 1
        if index < len(ordered) and ordered[index].start < span.end:
            cut = ordered[index]
            raise EditError(f"{_where(sentence)}: edit [{cut.start}, {cut.end}) cuts the mention {span}")
        if span.width + inside < 1:
            raise EditError(f"{_where(sentence)}: edits empty the mention {sentence.surface(span)!r}")
        shift += inside
        moved.append(Span(start, span.end + shift, span.label))
    for rest in range(index, len(ordered)):
        at = _check_edit(sentence, ordered, rest, at)
        _check_kind(sentence, ordered[rest], "context")
    return tuple(moved)


def _stands_before(edit: Edit, span: Span) -> bool:
    """Whether the edit ends at or before the mention; an insertion at its border stands outside it."""
    return edit.end <= span.start


def _stands_inside(edit: Edit, span: Span) -> bool:
    if edit.start == edit.end:
        return span.start < edit.start < span.end
    return span.start <= edit.start and edit.end <= span.end


def _replaces(edit: Edit, span: Span) -> bool:
    """Whether it puts something else in the place of just this mention."""
    return edit.start == span.start and edit.end == span.end and edit.kind == "mention" and edit.new != ()


def _growth(edit: Edit) -> int:
    return len(edit.new) - (edit.end - edit.start)


def _where(sentence: Sentence) -> str:
    return f"sentence {sentence.id!r}"


def _check_edit(sentence: Sentence, ordered: Sequence[Edit], index: int, at: int) -> int:
    """Raise unless the edit stands behind the one before it and inside the sentence; returns its end."""
    edit = ordered[index]
    twice = index > 0 and (edit.start, edit.end) == (ordered[index - 1].start, ordered[index - 1].end)
    if edit.start < at or twice:
        raise EditError(f"{_where(sentence)}: edit [{edit.start}, {edit.end}) overlaps the one before it")
    if edit.end > len(sentence.tokens):
        raise EditError(f"{_where(sentence)}: edit [{edit.start}, {edit.end}) reaches past its {len(sentence)} tokens")
    return edit.end


def _check_kind(sentence: Sentence, edit: Edit, kind: EditKind) -> None:
    if edit.kind != kind:
        place = "inside" if kind == "mention" else "outside"
        raise EditError(f"{_where(sentence)}: the {edit.kind} edit [{edit.start}, {edit.end}) stands {place} a mention")


def _carry_spaces(sentence: Sentence, ordered: Sequence[Edit]) -> tuple[bool, ...] | None:
    """Blanks after tokens: the last token of a replacement takes over what followed the old text.

    An insertion stands between blanks, so that no two words run together.
    """
    if sentence.spaces is None:
        return None
    spaces: list[bool] = []
    at = 0
    for edit in ordered:
        spaces += sentence.spaces[at : edit.start]
        if edit.new:
            at_end = edit.start == len(sentence.tokens)
            last = sentence.spaces[edit.end - 1] if edit.end > edit.start or at_end else True
            if spaces and edit.end == edit.start:
                spaces[-1] = True
            spaces += [True] * (len(edit.new) - 1) + [last]
        at = edit.end
    return (*spaces, *sentence.spaces[at:])


def _carry(values: tuple[T, ...], ordered: Sequence[Edit], new: T) -> tuple[T, ...]:
    """What stands beside the tokens (nothing where nothing does), with `new` beside each token that is put in."""
    if not values:
        return ()
    carried: list[T] = []
    at = 0
    for edit in ordered:
        carried += values[at : edit.start]
        carried += (new,) * len(edit.new)
        at = edit.end
    carried += values[at:]
    return tuple(carried)


def _new_cells(sentence: Sentence) -> tuple[str, ...]:
    """The other columns of a token that is put in."""
    return (NEW_CELL,) * len(sentence.columns[0]) if sentence.columns else ()


def _carry_layout(layout: Layout | None, ordered: Sequence[Edit]) -> Layout | None:
    if layout is None or (not layout.gaps and not layout.raw):
        return layout
    return Layout(layout.before, _carry(layout.gaps, ordered, layout.gaps[0] if layout.gaps else ()))


def apply_rewrite(sentence: Sentence, rewrite: Rewrite, new_id: str | None = None) -> Applied:
    """The rewritten sentence and its mention map. Other columns hold `_`, since nothing is known of the new tokens.

    Raises:
        EditError: the map names a mention that is not there, twice, or under another label; no tokens; spans that
            overlap, reach outside or are not sorted.
    """
    if len(rewrite.mentions) != len(sentence.spans):
        raise EditError(f"sentence {sentence.id!r}: a rewrite maps {len(rewrite.mentions)} of {len(sentence.spans)}")
    used = [index for index in rewrite.mentions if index is not None]
    if len(set(used)) != len(used) or any(not 0 <= index < len(rewrite.spans) for index in used):
        raise EditError(f"sentence {sentence.id!r}: a rewrite's mention map {rewrite.mentions} is not one to one")
    for old, index in zip(sentence.spans, rewrite.mentions, strict=True):
        if index is not None and rewrite.spans[index].label != old.label:
            raise EditError(f"sentence {sentence.id!r}: a rewrite maps {old} to {rewrite.spans[index]}")
    whole = [Edit(0, len(sentence.tokens), rewrite.tokens, "context")]
    try:
        made = Sentence(
            id=sentence.id if new_id is None else new_id,
            tokens=rewrite.tokens,
            spans=rewrite.spans,
            spaces=None,
            doc_id=sentence.doc_id,
            columns=_carry(sentence.columns, whole, _new_cells(sentence)),
            meta=sentence.meta,
            source=sentence.source,
            hashed=sentence.hashed,
            layout=_carry_layout(sentence.layout, whole),
        )
    except ValueError as error:
        raise EditError(f"a rewrite makes no valid sentence: {error}") from error
    return Applied(made, rewrite.mentions)


def compose_maps(first: MentionMap, second: MentionMap) -> MentionMap:
    """The map of two steps in a row."""
    return tuple(None if index is None else second[index] for index in first)
