"""Tags as every format reads them: which scheme, what is ill-formed, and the mentions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from nerquake.core.dataset import Dataset
from nerquake.core.errors import FormatError, Problem, UnknownName
from nerquake.core.protocols import ReadOptions
from nerquake.core.scheme import (
    ALIASES,
    IOB1,
    IOB2,
    OUTSIDE,
    SCHEMES,
    Repair,
    Scheme,
    chunks,
    detect_pairs,
    split_tag,
    tag_pairs,
)  # fmt: skip
from nerquake.core.span import Span

CHOICE = "--repair-gold conlleval|discard"


def scheme_named(name: str) -> Scheme | None:
    """The scheme of a name or an alias (bio, iobes); None for "auto".

    Raises:
        UnknownName: there is no such scheme.
    """
    lowered = name.lower()
    if lowered == "auto":
        return None
    found = SCHEMES.get(ALIASES.get(lowered, lowered))
    if found is None:
        raise UnknownName("tag scheme", name, ("auto", *SCHEMES, *ALIASES))
    return found


@dataclass(frozen=True, slots=True)
class Settled:
    """The scheme of a file.

    clean   no sentence has an ill-formed tag, so none needs to be looked at
    note    how the scheme was found, in words
    """

    scheme: Scheme
    clean: bool
    note: str


def settle(sequences: Iterable[Sequence[str]], options: ReadOptions) -> Settled:
    """Declared, or the first that fits, or the one with the fewest ill-formed tags; and said which."""
    pairs = tag_pairs(sequences)
    declared = scheme_named(options.scheme)
    if declared is not None:
        clean = all(declared.allows(*pair) for pair in pairs)
        return Settled(declared, clean, f"scheme declared: {declared.name}")
    if not pairs:
        return Settled(IOB2, True, f"scheme detected: {IOB2.name} (there are no mentions, any scheme fits)")
    found = detect_pairs(pairs)
    others = [name for name in found.fits if name != found.scheme.name]
    extra = f" ({', '.join(others)} would fit too)" if others else ""
    if not found.well_formed:
        extra = " (none fits without ill-formed tags)"
    return Settled(found.scheme, found.well_formed, f"scheme detected: {found.scheme.name}{extra}")


class TagDecoder:
    """Makes mentions of tag sequences, collecting or counting what is ill-formed."""

    def __init__(self, settled: Settled, options: ReadOptions) -> None:
        self.scheme, self.clean = settled.scheme, settled.clean
        self.strict = not (options.repair or options.predicted)
        self.lenient = options.lenient
        self.repair: Repair = "discard" if options.repair == "discard" else "conlleval"
        self.problems: list[Problem] = []
        self.invalid = self.sentences = self.dropped = 0

    def spans(self, tokens: Sequence[str], tags: Sequence[str], lines: Sequence[int]) -> tuple[Span, ...] | None:
        """The mentions; None where an ill-formed sentence is to be left out (`lenient` without a repair)."""
        if self.clean:
            return chunks(tags)
        wrong = self.scheme.violations(tags)
        if not wrong:
            return chunks(tags)
        self.sentences += 1
        self.invalid += len(wrong)
        if self.strict:
            self.problems += [ill_formed(self.scheme, tokens, tags, lines, at) for at in wrong]
            return None if self.lenient else chunks(tags)
        kept = self.scheme.decode(tags, self.repair)
        self.dropped += len(chunks(tags)) - len(kept)
        return kept

    @property
    def notes(self) -> list[str]:
        """What was repaired."""
        if self.strict or not self.invalid:
            return []
        what = f"{_many(self.invalid, 'ill-formed tag')} in {_many(self.sentences, 'sentence')}"
        if self.repair == "discard":
            return [f"{what}: {_many(self.dropped, 'ill-formed mention')} left out (discard)"]
        return [f"{what}: read by the conlleval rule"]


def _many(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"


def ill_formed(
    scheme: Scheme, tokens: Sequence[str], tags: Sequence[str], lines: Sequence[int], at: int, choice: str = CHOICE
) -> Problem:
    """The problem of a tag that may not stand at position `at`, with the change that would mend it."""
    last = len(tags) - 1
    fixed = scheme.encode(chunks(tags), len(tags))
    shown = min(at, last)
    before = tags[at - 1] if at else ""
    if at > last:
        what = f"the sentence ends after {tags[last]}, which {scheme.name} does not allow"
    elif not at:
        what = f"the sentence begins with {tags[0]}, which {scheme.name} does not allow"
    else:
        what = f"{tags[at]} follows {before}, which {scheme.name} does not allow"
    if at <= last and split_tag(tags[at])[0] not in scheme.prefixes | {OUTSIDE}:
        what = f"{tags[at]} is no tag of {scheme.name}"
    hints = [
        f"{tags[i]} -> {fixed[i]}" + (f" in line {lines[i]}" if i != shown else "")
        for i in (at, at - 1) if 0 <= i <= last and fixed[i] != tags[i]
    ]  # fmt: skip
    return Problem("ill-formed-sequence", lines[shown], what, tokens[shown], ", or ".join([*hints[:1], choice]))


def tag_hint(tag: str) -> str:
    """What a cell that is no tag was probably meant to be."""
    mended = tag.replace("_", "-", 1) if "-" not in tag else tag
    prefix, hyphen, label = mended.partition("-")
    mended = f"{prefix.upper()}{hyphen}{label}"
    if split_tag(mended)[0] and mended != tag:
        return f"{tag} -> {mended}"
    return "a tag is O, or B- I- E- L- M- S- U- and a label"


def written_scheme(dataset: Dataset) -> tuple[Scheme, str]:
    """The scheme that a data set's tags are written in, and a note where that is not its own.

    IO cannot hold touching mentions of one label; they are written as IOB1, which differs from IO there alone.
    """
    scheme = dataset.scheme or IOB2
    if scheme.name == "io" and not all(scheme.holds(sentence.spans) for sentence in dataset.sentences):
        return IOB1, "written as iob1: io cannot tell touching mentions of one label apart"
    return scheme, ""


@dataclass(frozen=True, slots=True)
class TagFile:
    """A file's tag sequences as they stand in it, well formed or not, for callers that decode them themselves.

    ids      sentence ids, unique
    hashed   for each sentence whether its id is the hash of its tokens
    lines    for each sentence the number of its first line
    spans    for each sentence its mentions with their scores, where the file holds mentions and no tags
    """

    name: str
    ids: tuple[str, ...]
    hashed: tuple[bool, ...]
    tokens: tuple[tuple[str, ...], ...]
    tags: tuple[tuple[str, ...], ...]
    lines: tuple[int, ...]
    reader: str = ""
    notes: tuple[str, ...] = ()
    spans: tuple[tuple[Span, ...], ...] | None = None


@dataclass(frozen=True, slots=True)
class Examined:
    """A file's content, read as far as it can be.

    dataset    None where nothing can be read
    problems   what makes the file unfit, all of it
    findings   what `validate` says besides: legal, but hardly meant
    tags       the tag sequences behind the sentences
    """

    file: str
    dataset: Dataset | None
    problems: tuple[Problem, ...] = ()
    findings: tuple[Problem, ...] = ()
    tags: TagFile | None = None
    advice: str = ""


def checked(examined: Examined, options: ReadOptions) -> Dataset:
    """The data set of a file that was read, or all its problems as an error."""
    fatal = examined.problems if examined.dataset is None or not options.lenient else ()
    if fatal or examined.dataset is None:
        advice = examined.advice
        if examined.dataset is not None and not advice:
            advice = "--lenient leaves out what is broken and counts it."
        raise FormatError(examined.file, fatal, advice)
    return examined.dataset


def checked_tags(examined: Examined, options: ReadOptions) -> TagFile:
    """The tag sequences of a file that was read as a model's output, or all its problems as an error."""
    checked(examined, options)
    assert examined.tags is not None
    return examined.tags
