"""How an attacked text and a model's answers are stored: as what they follow from, where they follow from something."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from nerquake.analyse.flips import outcomes
from nerquake.core.results import Case
from nerquake.core.span import Span
from nerquake.report.island.flags import BOUNDARY
from nerquake.report.island.moves import Place, edited, moved, places

SAME, EDITED, WHOLE, NOTHING = range(4)
"""The attacked text: it is the original, edits of it, a text of its own, or there is none."""
UNANSWERED, AS_GOLD, STORED, MOVED = range(4)
"""An answer: there is none, it is the gold one, a list of mentions, or the original's answer where edits moved it."""
Said = tuple[Span, ...]


class Text(NamedTuple):
    """How an attacked text is stored, and where its edits stand."""

    form: int
    places: Sequence[Place] = ()


def text_of(case: Case) -> Text:
    """The shortest way to store the attacked text of a case."""
    identity = case.mentions == tuple(range(len(case.original_spans)))
    if not case.attacked and not case.attacked_spans and all(new is None for new in case.mentions):
        return Text(NOTHING)
    if not case.edits:
        same = case.attacked == case.original and case.attacked_spans == case.original_spans
        return Text(SAME if same and identity else WHOLE)
    found = places(case.edits)
    in_order = [(edit["start"], edit["end"]) for edit in case.edits] == [(start, end) for start, end, _ in found]
    follows = identity and in_order and edited(case.original, case.edits) == case.attacked
    return Text(EDITED if follows and lies(moved(case.original_spans, found), case.attacked_spans) else WHOLE, found)


def lies(places_of: Sequence[tuple[int, int, str]] | None, spans: Said) -> bool:
    """Whether mentions stand at these places."""
    if places_of is None or len(places_of) != len(spans):
        return False
    return all((s.start, s.end, s.label) == place for s, place in zip(spans, places_of, strict=True))


def form_of(said: Said, before: Said | None, gold: Said, text: Text) -> int:
    """The shortest way to store an answer for an attacked text.

    before   the model's answer for the original
    """
    if said == gold:
        return AS_GOLD
    if before is None or text.form not in (SAME, EDITED):
        return STORED
    same = said == before if text.form == SAME else lies(moved(before, text.places), said)
    return MOVED if same else STORED


def come(case: Case) -> list[int]:
    """The mentions that stand in the attacked text alone."""
    if case.mentions == tuple(range(len(case.attacked_spans))):
        return []
    known = set(case.mentions)
    return [new for new in range(len(case.attacked_spans)) if new not in known]


class Answers:
    """The answers of one model for one set, as columns.

    forms      how each answer is stored
    stored     the answers that are stored as lists
    met        the outcome of each mention of the sentences that have an answer
    partners   for each wrong boundary the place of the mention that the model found instead
    spurious   for each answer that is not the gold one the places of mentions that answer to none, by their number
    """

    def __init__(self) -> None:
        self.forms = bytearray()
        self.stored: list[Said] = []
        self.met = bytearray()
        self.partners: list[int] = []
        self.spurious_counts: list[int] = []
        self.spurious: list[int] = []

    def none(self) -> None:
        """A sentence without an answer."""
        self.forms.append(UNANSWERED)

    def add(
        self, form: int, said: Said, gold: Said, codes: bytes, spurious: Sequence[int], at: Sequence[int | None]
    ) -> None:
        """A sentence with an answer.

        codes   the outcomes of its mentions
        at      their places among the gold mentions of this text; None where one is gone
        """
        self.forms.append(form)
        self.met += codes
        if form == AS_GOLD:
            return
        if form == STORED:
            self.stored.append(said)
        self.spurious_counts.append(len(spurious))
        self.spurious += spurious
        if BOUNDARY in codes:
            found = outcomes(gold, said).mentions
            for code, place in zip(codes, at, strict=True):
                answer = found[place].said if code == BOUNDARY and place is not None else None
                if answer is not None:
                    self.partners.append(said.index(answer))
