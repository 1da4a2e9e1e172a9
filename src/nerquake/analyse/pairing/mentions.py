"""What became of the mentions and the context of one sentence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from nerquake.analyse.pairing.model import Kind, Seen, Side
from nerquake.analyse.pairing.tokens import TokenMap, align_tokens
from nerquake.core.span import Span


class Compared(NamedTuple):
    """What was seen in a pair, and the attacked tokens whose inside tag is explained by it."""

    seen: list[Seen]
    settled: frozenset[int]


def compare(original: Side, attacked: Side, kind: Kind, known: Collection[str]) -> Compared:
    """Everything that an attack of this kind may not do to a sentence. Offsets are those of the two sides' tokens.

    known   mention texts of the original file, for telling how far a new mention reaches
    """
    if not (attacked.wild or attacked.orphans) and _plainly_sound(original, attacked, kind):
        return Compared([], frozenset())
    found = _Comparison(original, attacked, kind, known)
    return Compared(found.run(), frozenset(found.settled))


def _plainly_sound(a: Side, b: Side, kind: Kind) -> bool:
    """Whether a look at the mentions is enough to see that nothing is wrong."""
    same_labels = [span.label for span in a.spans] == [span.label for span in b.spans]
    if kind == "entity":
        return same_labels and a.frame() == b.frame()
    if same_labels and kind != "context" and (a.frame() == b.frame() or _gaps(a) == _gaps(b)):
        # A label that slides, reaches out or shrinks makes the stretch of words beside it longer or shorter.
        return True
    mine, theirs = (Counter((side.surface(span), span.label) for span in side.spans) for side in (a, b))
    if mine != theirs:
        return False
    if len(a.tokens) == len(b.tokens) and a.spans == b.spans and same_labels:
        return all(a.surface(span) == b.surface(span) for span in a.spans)
    return all(_count(b.tokens, b.tokens[span.start : span.end]) == 1 for span in b.spans)


def _count(tokens: tuple[str, ...], wanted: tuple[str, ...]) -> int:
    """How often some words stand in a sentence."""
    size = len(wanted)
    return sum(tokens[at : at + size] == wanted for at in range(len(tokens) - size + 1))


def _gaps(side: Side) -> list[int]:
    """How many words stand before, between and behind the mentions."""
    edges = [0, *(edge for span in side.spans for edge in (span.start, span.end)), len(side.tokens)]
    return [edges[at + 1] - edges[at] for at in range(0, len(edges), 2)]


def _small(word: str) -> bool:
    """Whether a word begins with a small letter, as names hardly do."""
    return word[:1].islower()


@dataclass(slots=True)
class _Fate:
    """What became of one original mention.

    own      attacked tokens that its tokens became
    pieces   indices of attacked mentions on it
    """

    own: list[int]
    pieces: list[int]


class _Comparison:
    def __init__(self, original: Side, attacked: Side, kind: Kind, known: Collection[str]) -> None:
        self.a, self.b, self.kind, self.known = original, attacked, kind, known
        self.map: TokenMap = align_tokens(original, attacked, kind)
        self.fates = [
            _Fate([j for i in range(s.start, s.end) if (j := self.map.target[i]) >= 0], []) for s in original.spans
        ]
        self.strays: list[int] = []
        self.claims: set[int] = set()
        self.explained: set[int] = set()
        self.settled: set[int] = set()
        self.seen: list[Seen] = []

    def run(self) -> list[Seen]:
        """All steps in a row."""
        self._share_out()
        self.claims = self._claim()
        lost = [index for index in range(len(self.fates)) if not self._judge(index)]
        self._lost_and_gained(lost)
        if self.kind == "entity":
            self._context()
        return self.seen

    def _share_out(self) -> None:
        """Give every attacked mention to the original one that it came from."""
        for index, span in enumerate(self.b.spans):
            owners = Counter(
                self.map.mine[i] for j in range(span.start, span.end)
                if (i := self.map.origin[j]) >= 0 and self.map.mine[i] >= 0
            )  # fmt: skip
            owner = min(owners, key=lambda m: (-owners[m], m)) if owners else self._around(span)
            if owner is None:
                self.strays.append(index)
            else:
                self.fates[owner].pieces.append(index)

    def _around(self, span: Span) -> int | None:
        """The original mention at whose place new words with a label stand, for attacks that change mentions."""
        if self.kind == "context" or any(self.map.origin[j] >= 0 for j in range(span.start, span.end)):
            return None
        for index, fate in enumerate(self.fates):
            low, high = self._slot(index)
            torn = span.label == self.a.spans[index].label and not _small(self.b.tokens[span.start])
            fits = self.kind == "entity" or not fate.own or torn
            if low <= span.start and span.end <= high and fits:
                return index
        return None

    def _slot(self, index: int) -> tuple[int, int]:
        """The attacked tokens between the nearest partners of the words before and behind a mention."""
        span, target = self.a.spans[index], self.map.target
        low = next((target[i] + 1 for i in range(span.start - 1, -1, -1) if target[i] >= 0), 0)
        high = next((target[i] for i in range(span.end, len(target)) if target[i] >= 0), len(self.b.tokens))
        return low, high

    def _judge(self, index: int) -> bool:
        """Look at one original mention; False where nothing of it has a label."""
        fate, was = self.fates[index], self.a.spans[index]
        if not fate.pieces:
            return False
        spans = [self.b.spans[piece] for piece in fate.pieces]
        now = spans[0]
        orphaned = any(span.start in self.b.orphans for span in spans)
        code = self._structure(index, spans)
        if code == "mention-detached":
            self.settled.update(span.start for span in spans[1:])
        if code == "mention-detached" or (code and not orphaned):
            self._say(code, was, now)
        elif not orphaned:
            if now.label != was.label:
                self._say("mention-retyped", was, now)
            if self.kind == "context" and not self._same_text(was, now):
                self._say("mention-text-changed", was, now)
        if code or orphaned:
            self.explained.update(range(*self._slot(index)))
        return True

    def _structure(self, index: int, spans: list[Span]) -> str:
        """The code of a label that does not lie on its mention and on nothing else; empty where it does."""
        if len(spans) > 1:
            touching = all(x.end == y.start for x, y in pairwise(spans))
            orphaned = any(span.start in self.b.orphans for span in spans[1:])
            return "" if touching and orphaned else "mention-detached"
        (now,) = spans
        if self._reaches_out(index, now) or self._on_context(now):
            return "mention-detached"
        bare = any(self.map.theirs[j] < 0 and j not in self.b.wild and self._stays(j) for j in self.fates[index].own)
        return "mention-shortened" if bare or self.fates[index].pieces[0] in self.claims else ""

    def _on_context(self, now: Span) -> bool:
        """Whether a label stands on a word of the original context."""
        return any(
            (i := self.map.origin[j]) >= 0 and self.map.mine[i] < 0 and j not in self.b.wild
            for j in range(now.start, now.end)
        )

    def _stays(self, j: int) -> bool:
        """Whether an attacked token is the original one."""
        return self.b.tokens[j] == self.a.tokens[self.map.origin[j]]

    def _claim(self) -> set[int]:
        """Attacked mentions beside which new words without a label stand that belong to them."""
        if self.kind == "context":
            return set()
        lost = {j for index, fate in enumerate(self.fates) if not fate.pieces for j in range(*self._slot(index))}
        free = [j for j in range(len(self.b.tokens)) if self._is_free(j) and j not in lost]
        runs: list[list[int]] = []
        for j in free:
            if runs and runs[-1][-1] == j - 1:
                runs[-1].append(j)
            else:
                runs.append([j])
        claims = (self._claimant(run[0], run[-1] + 1) for run in runs)
        return {claim for claim in claims if claim is not None}

    def _is_free(self, j: int) -> bool:
        """Whether a token without a label has no partner, or one in a mention whose words were replaced."""
        i = self.map.origin[j]
        loose = i < 0 or (self.map.mine[i] >= 0 and not self._stays(j))
        return loose and self.map.theirs[j] < 0 and j not in self.b.wild

    def _claimant(self, start: int, end: int) -> int | None:
        """The attacked mention that new words without a label belong to, if any."""
        owner = {piece: index for index, fate in enumerate(self.fates) for piece in fate.pieces}
        best: tuple[int, int] = (0, -1)
        for piece, span in enumerate(self.b.spans):
            if piece not in owner or (span.end != start and span.start != end):
                continue
            if span.start in self.b.orphans or self._on_context(span):
                return None
            full = Span(min(start, span.start), max(end, span.end), span.label)
            was = self.a.spans[owner[piece]]
            wide = self.kind == "entity" and full.width == was.width and not self._plain(start, end, was)
            named = all(token[:1].isupper() for token in self.b.tokens[start:end])
            best = max(best, (4 * (self.b.surface(full) in self.known) + 2 * wide + named, -piece - 1))
        return -best[1] - 1 if best[0] else None

    def _plain(self, start: int, end: int, was: Span) -> bool:
        """Whether words begin with small letters, unlike the borders of a mention."""
        borders = (self.a.tokens[was.start], self.a.tokens[was.end - 1])
        return any(map(_small, self.b.tokens[start:end])) and not all(map(_small, borders))

    def _reaches_out(self, index: int, now: Span) -> bool:
        """Whether the label begins or ends with a word that took the place of the word beside the mention."""
        was, own = self.a.spans[index], self.fates[index].own
        if self.kind == "entity" or not own:
            return False
        edges = (
            (was.start - 1, was.start, now.start, now.start < own[0]),
            (was.end, was.end - 1, now.end - 1, now.end - 1 > own[-1]),
        )
        return any(
            0 <= i < len(self.a.tokens) and self.map.target[i] < 0 and self.map.mine[i] < 0
            and (outside if self.kind == "context" else _small(self.b.tokens[j]) and not _small(self.a.tokens[edge]))
            for i, edge, j, outside in edges
        )  # fmt: skip

    def _same_text(self, was: Span, now: Span) -> bool:
        """Whether two mentions have the same words, what stands for any text left aside."""
        words = [self.b.tokens[j] for j in range(now.start, now.end) if j not in self.b.wild]
        if len(words) == now.width:
            return tuple(words) == self.a.tokens[was.start : was.end]
        left = Counter(self.a.tokens[was.start : was.end])
        return not Counter(words) - left

    def _lost_and_gained(self, lost: list[int]) -> None:
        """What has no label any more, and labels that came from nowhere; together they are labels that slid off."""
        strays = [index for index in self.strays if self.b.spans[index].start not in self.b.orphans]
        orphaned = len(strays) < len(self.strays)
        for index in lost:
            was, own = self.a.spans[index], self.fates[index].own
            partner = next((s for s in strays if self.b.spans[s].label == was.label), None)
            self.explained.update(range(*self._slot(index)))
            if partner is not None:
                strays.remove(partner)
                if self._wandered(was, self.b.spans[partner], own):
                    continue
                self._say("mention-detached", was, self.b.spans[partner])
            elif not (orphaned and self._orphan_near(index)):
                at = own[0] if own else min(self._slot(index)[0], len(self.b.tokens) - 1)
                if self.kind != "context":
                    at = next((j for j in range(*self._slot(index)) if self.map.theirs[j] < 0), at)
                self.seen.append(
                    Seen("mention-lost", was.start, at, f"the mention {self._shown(self.a, was)} has no label any more")
                )
        for index in strays:
            span = self.b.spans[index]
            start = self._beside(span.start)
            self.seen.append(
                Seen("mention-gained", start, span.start, f"{self._shown(self.b, span)} was no mention")
            )  # fmt: skip

    def _wandered(self, was: Span, now: Span, own: list[int]) -> bool:
        """Whether a mention as a whole moved within its sentence, as in a paraphrase."""
        stays = any(self.b.tokens[j] in self.a.tokens[was.start : was.end] for j in own)
        return self.kind != "entity" and not stays and self._same_text(was, now)

    def _orphan_near(self, index: int) -> bool:
        """Whether a mention that begins with an inside tag stands at a lost mention's place or touches it."""
        low, high = self._slot(index)
        strays = (self.b.spans[stray] for stray in self.strays)
        return any(s.start in self.b.orphans and low <= s.end and s.start <= high for s in strays)

    def _context(self) -> None:
        """The first word outside mentions that is another than before."""
        for i, word in enumerate(self.a.tokens):
            if self.map.mine[i] >= 0:
                continue
            j = self.map.target[i]
            if j < 0:
                if not self._swallowed(i):
                    at = self._partner_before(i)
                    self.seen.append(Seen("context-changed", i, at, f"{word!r} is missing"))
                    return
            elif self.b.tokens[j] != word and j not in self.b.wild:
                self.seen.append(Seen("context-changed", i, j, f"{word!r} became {self.b.tokens[j]!r}"))
                return
        for j, word in enumerate(self.b.tokens):
            if self._is_free(j) and j not in self.explained:
                self.seen.append(Seen("context-changed", self._beside(j), j, f"{word!r} is new"))
                return

    def _swallowed(self, i: int) -> bool:
        """Whether a word's place is taken by an odd token that has no partner itself."""
        low = self._partner_before(i)
        after = next((j for j in self.map.target[i + 1 :] if j >= 0), len(self.b.tokens))
        return any(j in self.b.wild and self.map.origin[j] < 0 for j in range(low, after))

    def _partner_before(self, i: int) -> int:
        """The attacked token nearest to an original one that has no partner."""
        return next((j for j in reversed(self.map.target[:i]) if j >= 0), 0)

    def _beside(self, j: int) -> int:
        """The original token of an attacked one, or of the nearest before it that has one."""
        return next((i for i in reversed(self.map.origin[: j + 1]) if i >= 0), 0)

    def _shown(self, side: Side, span: Span) -> str:
        return f"[{side.surface(span)} {span.label}]"

    def _say(self, code: str, was: Span, now: Span) -> None:
        message = f"{self._shown(self.a, was)} became {self._shown(self.b, now)}"
        self.seen.append(Seen(code, was.start, now.start, message))
