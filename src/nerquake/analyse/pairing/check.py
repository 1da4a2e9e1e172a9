"""The audit of a pair of files: read, align, compare, and put what was seen in its place in the files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from nerquake.analyse.pairing.artefacts import Known, attacked_scheme, clean, plain_side, rejoined
from nerquake.analyse.pairing.mentions import compare
from nerquake.analyse.pairing.model import CODES, Fault, Kind, PairAudit, Place, Seen, Side
from nerquake.analyse.pairing.names import renamed_labels
from nerquake.analyse.pairing.sentences import pair_sentences
from nerquake.core.labels import LabelRules
from nerquake.core.protocols import ReadOptions
from nerquake.core.scheme import OUTSIDE, Scheme, split_tag
from nerquake.core.span import Span
from nerquake.io.damaged import LooseFile, LooseSentence, read_damaged
from nerquake.io.tags import settle

_SHOWN = 5


def check_pair(
    original: str,
    attacked: str,
    kind: Kind,
    inputs: tuple[str, str] = ("", ""),
    options: ReadOptions | None = None,
    rules: LabelRules | None = None,
) -> PairAudit:
    """Audit an adversarial set that someone else made.

    original, attacked   the two files; they may be damaged, everything that stands in them is looked at
    kind                 what the attack was to change
    inputs               their formats, empty: by ending or content
    options, rules       how to read, and which labels to look at under which names, for both files alike

    Raises:
        FormatError: nothing of a file can be read.
        InputError: there is no such file.
        UsageError: no such format, option or scheme.
    """
    options, rules = options or ReadOptions(), rules or LabelRules()
    ours = _relabelled(read_damaged(original, inputs[0], options), rules)
    theirs = _relabelled(read_damaged(attacked, inputs[1], options), rules)
    return _Audit(ours, theirs, kind, settle((one.tags for one in ours.sentences), options).scheme).run()


def _relabelled(file: LooseFile, rules: LabelRules) -> LooseFile:
    if rules.idle:
        return file
    renamed: dict[str, str] = {OUTSIDE: OUTSIDE}
    for tag in {tag for one in file.sentences for tag in one.tags} - {OUTSIDE}:
        prefix, label = split_tag(tag)
        target = rules.target(label)
        renamed[tag] = f"{prefix}-{target}" if target else OUTSIDE
    sentences = tuple(replace(one, tags=tuple(renamed[tag] for tag in one.tags)) for one in file.sentences)
    return replace(file, sentences=sentences)


@dataclass(frozen=True, slots=True)
class _Attacked:
    """A sentence of the attacked file: as it stands, and as it is compared."""

    loose: LooseSentence
    side: Side
    odd: tuple[Seen, ...]


class _Audit:
    def __init__(self, original: LooseFile, attacked: LooseFile, kind: Kind, gold: Scheme) -> None:
        self.files, self.kind = (original, attacked), kind
        scheme = attacked_scheme(gold, [one.tags for one in attacked.sentences])
        own = None if gold.first == gold.inside else gold
        self.original = [side for one in original.sentences if (side := plain_side(one, own)) is not None]
        self.known = Known.of(original.sentences, original.comments)
        self.attacked: list[_Attacked] = []
        self.found: list[tuple[int, Fault]] = []
        self.notes = [*_problem_notes(original), *_problem_notes(attacked)]
        if len(self.original) < len(original.sentences):
            count = len(original.sentences) - len(self.original)
            self.notes.append(f"{original.name}: sentences of empty tokens only, left aside: {count}")
        if scheme is None and own is not None:
            self.notes.append(f"{attacked.name}: mentions begin with inside tags throughout, read as another scheme")
        for one in attacked.sentences:
            made = clean(one, self.known, scheme)
            if made.side is None:
                self._note_odd(one, made.seen, None)
            else:
                self.attacked.append(_Attacked(one, made.side, made.seen))

    def run(self) -> PairAudit:
        """Align and compare."""
        pairing = pair_sentences(self.original, [one.side for one in self.attacked], self.kind)
        self.notes += pairing.notes
        partner = pairing.partner
        self._unpaired(set(partner.values()), set(partner))
        pairs = {j: (self.original[i], self.attacked[j].side) for j, i in partner.items()}
        names = renamed_labels(pairs.values())
        self._renamed(names, pairs)
        texts = frozenset(a.surface(span) for a in self.original for span in a.spans)
        for j, (a, b) in sorted(pairs.items()):
            if j in pairing.moved:
                message = f"it stands as sentence {j + 1}, in the original as sentence {partner[j] + 1}"
                self._add(j, Fault("sentence-moved", _start(a), _start(b), message))
            self._pair(j, a, _renamed_side(b, names), texts)
        order = list(CODES)
        faults = sorted(self.found, key=lambda pair: (order.index(pair[1].code), pair[0]))
        unread = {p.line for p in self.files[1].problems if p.code not in ("empty-token", "duplicate-id")}
        return PairAudit(
            kind=self.kind,
            faults=tuple(fault for _, fault in faults),
            pairs=len(partner),
            original=len(self.files[0].sentences),
            attacked=len(self.files[1].sentences),
            notes=tuple(self.notes),
            unread=len(unread),
        )

    def _add(self, order: int, fault: Fault) -> None:
        self.found.append((order, fault))

    def _pair(self, j: int, a: Side, b: Side, texts: frozenset[str]) -> None:
        one = self.attacked[j]
        self._note_odd(one.loose, one.odd, a, j)
        whole = rejoined(b, frozenset(a.tokens))
        found, settled = compare(a, whole, self.kind, texts)
        found += [
            orphan for orphan in _orphans(whole) if not settled & {orphan.attacked} and not _inherited(a, whole, orphan)
        ]
        for seen in found:
            self._add(j, Fault(seen.code, _at(a, seen.original), _at(whole, seen.attacked), seen.message))
        if not (one.odd or found) and a.tokens == whole.tokens and a.spans == one.side.spans:
            self._add(j, Fault("unchanged", _start(a), _start(b), "words and labels are those of the original"))

    def _note_odd(self, one: LooseSentence, seen: Iterable[Seen], a: Side | None, order: int = -1) -> None:
        text = " ".join(one.tokens)
        for found in seen:
            place = Place(one.lines[found.attacked or 0], text)
            self._add(order, Fault(found.code, _start(a) if a else None, place, found.message))

    def _unpaired(self, ours: set[int], theirs: set[int]) -> None:
        for i, side in enumerate(self.original):
            if i not in ours:
                self._add(i, Fault("sentence-lost", _start(side), None, "no sentence of the attacked file is like it"))
        for j, one in enumerate(self.attacked):
            if j not in theirs:
                what = "no sentence of the original file is like it"
                if one.loose.id is not None and any(side.id == one.loose.id for side in self.original):
                    what = f"another sentence of the attacked file has its id {one.loose.id!r}"
                self._add(j, Fault("sentence-added", None, _start(one.side), what))
                self._note_odd(one.loose, one.odd, None, j)
                for seen in _orphans(one.side):
                    self._add(j, Fault(seen.code, None, _at(one.side, seen.attacked), seen.message))

    def _renamed(self, names: dict[str, str], pairs: dict[int, tuple[Side, Side]]) -> None:
        counts = Counter(span.label for one in self.attacked for span in one.side.spans)
        for name, meant in names.items():
            j, at = next(_mentions_of(name, pairs))
            a, b = pairs[j]
            first = next((span.start for span in a.spans if span.label == meant), None)
            message = f"{meant} is called {name}: {counts[name]} mentions"
            self._add(j, Fault("label-name-differs", _at(a, first), _at(b, at), message))


def _orphans(side: Side) -> list[Seen]:
    """Mentions that begin with an inside tag."""
    return [
        Seen("orphan-inside", None, span.start, f"[{side.surface(span)} {span.label}] begins with an inside tag")
        for span in side.spans if span.start in side.orphans
    ]  # fmt: skip


def _inherited(a: Side, b: Side, seen: Seen) -> bool:
    """Whether the original has the same inside tag, counted from its beginning or its end: the attack kept it."""
    at = seen.attacked or 0
    return at in a.orphans or at + len(a.tokens) - len(b.tokens) in a.orphans


def _mentions_of(label: str, pairs: dict[int, tuple[Side, Side]]) -> Iterator[tuple[int, int]]:
    """The attacked sentences and tokens where mentions of a label begin."""
    for j, (_, b) in sorted(pairs.items()):
        yield from ((j, span.start) for span in b.spans if span.label == label)


def _renamed_side(side: Side, names: dict[str, str]) -> Side:
    if not any(span.label in names for span in side.spans):
        return side
    return replace(side, spans=tuple(Span(s.start, s.end, names.get(s.label, s.label)) for s in side.spans))


def _start(side: Side) -> Place:
    return Place(side.first_line, side.text)


def _at(side: Side, token: int | None) -> Place:
    """The place of a token; of the sentence where it has no such token."""
    return _start(side) if token is None else Place(side.lines[token], side.text)


def _problem_notes(file: LooseFile) -> list[str]:
    """What could not be read as it stands, besides what has a code of its own."""
    problems = [p for p in file.problems if p.code not in ("empty-token", "duplicate-id")]
    notes = [f"{file.name}: {problem}" for problem in problems[:_SHOWN]]
    if len(problems) > _SHOWN:
        notes.append(f"{file.name}: and {len(problems) - _SHOWN} more lines that cannot be read as they stand")
    return notes
