"""From sentences as a reader found them to a data set: ids, mentions, repeated ids, what was left out and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from nerquake.core.dataset import Dataset
from nerquake.core.errors import Problem
from nerquake.core.protocols import ReadOptions
from nerquake.core.scheme import IOB2
from nerquake.core.sentence import Layout, Sentence, TokenIds
from nerquake.core.span import Span
from nerquake.io.tags import Examined, TagDecoder, TagFile, settle

Pairs = tuple[tuple[str, str], ...]


@dataclass(slots=True)
class Found:
    """One sentence as a reader found it.

    lines   for each token the number of its line
    tags    its tags, or None where the format holds mentions and `spans` has them
    id      None where the file gives none
    """

    tokens: tuple[str, ...]
    lines: Sequence[int]
    tags: tuple[str, ...] | None = None
    spans: tuple[Span, ...] = ()
    id: str | None = None
    doc_id: str | None = None
    spaces: tuple[bool, ...] | None = None
    columns: tuple[tuple[str, ...], ...] = ()
    meta: Pairs = ()
    source: str | None = None
    layout: Layout | None = None


def assemble(
    file: str, empty: Dataset, found: Sequence[Found], options: ReadOptions, problems: Iterable[Problem]
) -> Examined:
    """What a file holds.

    empty      the data set without sentences: name, reader, fingerprint, layout and the notes so far
    problems   what the reader found wrong; the sentences at fault are not among `found`
    """
    tagged = [one.tags for one in found if one.tags is not None]
    settled = settle(tagged, options)
    decoder = TagDecoder(settled, options)
    making = _Making(decoder)
    pairs = [(one, made) for one in found if (made := making.sentence(one)) is not None]
    wrong = tuple(sorted([*problems, *decoder.problems, *making.repeated], key=lambda problem: problem.line))
    if not pairs:
        nothing = () if wrong else (Problem("no-sentences", 0, "the file holds no sentences"),)
        return Examined(file, None, (*wrong, *nothing))
    notes = [*empty.notes, *([settled.note] if tagged else []), *decoder.notes]
    if options.lenient and wrong:
        notes.append(_left_out(wrong))
    dataset = replace(
        empty,
        sentences=tuple(made for _, made in pairs),
        scheme=settled.scheme if tagged else empty.scheme,
        notes=tuple(notes),
    )
    silent = not any(made.spans for _, made in pairs)
    findings = (Problem("no-mentions", 0, "no token stands in a mention"),) if silent else ()
    return Examined(file, dataset, wrong, findings, _tag_file(dataset, [one for one, _ in pairs]))


class _Making:
    """Makes sentences, giving ids and refusing those that stand twice."""

    def __init__(self, decoder: TagDecoder) -> None:
        self.decoder = decoder
        self.repeated: list[Problem] = []
        self._ids = TokenIds()
        self._lines: dict[str, int] = {}

    def sentence(self, one: Found) -> Sentence | None:
        """The sentence, or None where it is left out."""
        spans: tuple[Span, ...] | None = one.spans
        if one.tags is not None:
            spans = self.decoder.spans(one.tokens, one.tags, one.lines)
        key = self._ids.next(one.tokens) if one.id is None else one.id
        if spans is None or not self._is_new(key, one):
            return None
        return Sentence(
            id=key,
            tokens=one.tokens,
            spans=spans,
            spaces=one.spaces,
            doc_id=one.doc_id,
            columns=one.columns,
            meta=one.meta,
            source=one.source,
            hashed=one.id is None,
            layout=one.layout,
        )

    def _is_new(self, key: str, one: Found) -> bool:
        if key not in self._lines:
            self._lines[key] = one.lines[0]
            return True
        what = f"the id {key!r} stands for another sentence too (line {self._lines[key]})"
        hint = "give each sentence its own id, and let its tokens stand together"
        self.repeated.append(Problem("duplicate-id", one.lines[0], what, one.tokens[0], hint))
        return False


def _left_out(problems: Sequence[Problem]) -> str:
    codes = Counter(problem.code for problem in problems)
    listed = ", ".join(f"{code} {count}" for code, count in sorted(codes.items()))
    return f"left out (lenient): what is broken in {len({problem.line for problem in problems})} lines ({listed})"


def _tag_file(dataset: Dataset, found: Sequence[Found]) -> TagFile:
    return TagFile(
        name=dataset.name,
        ids=tuple(sentence.id for sentence in dataset.sentences),
        hashed=tuple(sentence.hashed for sentence in dataset.sentences),
        tokens=tuple(one.tokens for one in found),
        tags=tuple(
            one.tags if one.tags is not None else tuple(IOB2.encode(one.spans, len(one.tokens))) for one in found
        ),
        lines=tuple(one.lines[0] for one in found),
        reader=dataset.reader,
        notes=dataset.notes,
    )
