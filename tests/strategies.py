"""Hypothesis strategies, named after what they make."""

from __future__ import annotations

from hypothesis import strategies as st

from nerquake.core.dataset import Dataset
from nerquake.core.edits import Edit, EditKind
from nerquake.core.scheme import OUTSIDE, Scheme
from nerquake.core.sentence import Sentence, TokenIds
from nerquake.core.span import Span
from nerquake.core.spec import POSITIONAL, Spec, Value

NASTY_TOKENS = (
    "\u00a0", "\u200b", "\u2028", "\u3000", "\ufe0f", "\u00ad", "\u200d", "a\u00a0b",  # blanks and marks one cannot see
    "i\u0307zmir", "İzmir", "Groß", "Übermut", "e\u0301", "Ångström",  # letters that change length or carry marks
    "🙂", "👩‍👩‍👧", "\U0001f1ee\U0001f1f3",
    '"', "'", "''", "``", "“", "#", "#NER", "|", "a|b", "_", "-", "--", ",", "+", "\\", "<b>AT&T</b>", "{{7*7}}", "%",
    "O", "B-PER", "I-LOC", "-DOCSTART-", "NA", "Null", "nan", "None", "true", "0", "1e5", "=SUM(A1)",
    "हैदराबाद", "क्षेत्र", "की", "سوريا", "שלום", "\u202eevil", "北京", "Troia-Ausstellung", "AT&T", "U.S.", "...",
)  # fmt: skip
"""Tokens that readers, writers and attacks stumble over; none is empty, holds a line end or a TAB."""

PLAIN_TOKENS = ("Anna", "met", "Bonn", "in", "May", "the", "Iran", "Iranian", "EU", "said", ".", "United", "Nations")

LABELS = ("PER", "LOC", "ORG", "MISC", "creative-work", "WORK_OF_ART", "PER-SON", "O", "B-X", "LOCpart", "शहर")
"""Labels in use, and some that look like tags or hold a hyphen."""

_CHARACTERS = st.characters(exclude_categories=("Cs", "Cc"), exclude_characters="\u2028\u2029")


def tokens() -> st.SearchStrategy[str]:
    """One token: plain, nasty, or any text without control characters."""
    return st.one_of(
        st.sampled_from(PLAIN_TOKENS), st.sampled_from(NASTY_TOKENS), st.text(_CHARACTERS, min_size=1, max_size=6)
    )


def labels() -> st.SearchStrategy[str]:
    """One label."""
    return st.sampled_from(LABELS)


@st.composite
def flat_spans(draw: st.DrawFn, size: int, names: st.SearchStrategy[str] | None = None) -> tuple[Span, ...]:
    """Sorted mentions inside `size` tokens that do not overlap; touching ones, of one label too, are common."""
    names = labels() if names is None else names
    spans: list[Span] = []
    at = 0
    while at < size and draw(st.integers(0, 5)):
        start = min(at + draw(st.sampled_from((0, 0, 0, 1, 2))), size - 1)
        end = draw(st.integers(start + 1, min(size, start + 4)))
        spans.append(Span(start, end, draw(names)))
        at = end
    return tuple(spans)


@st.composite
def sentences(draw: st.DrawFn, max_size: int = 9, laid_out: bool = True) -> Sentence:
    """One sentence with flat mentions and, sometimes, everything else a file may say of it."""
    words = tuple(draw(st.lists(tokens(), min_size=1, max_size=max_size)))
    size = len(words)
    spaces = columns = None
    if laid_out:
        spaces = draw(st.none() | st.tuples(*[st.booleans()] * size))
        columns = draw(st.none() | st.just(tuple((f"POS{i}", str(i)) for i in range(size))))
    return Sentence("s1", words, draw(flat_spans(size)), spaces=spaces, columns=columns or ())


@st.composite
def datasets(draw: st.DrawFn, min_size: int = 1, max_size: int = 6, laid_out: bool = False) -> Dataset:
    """A data set; ids are from the file or hashes of the tokens, and unique."""
    hashed = draw(st.booleans())
    ids = TokenIds()
    made: list[Sentence] = []
    for number in range(draw(st.integers(min_size, max_size))):
        one = draw(sentences(laid_out=laid_out))
        key = ids.next(one.tokens) if hashed else f"s{number}"
        made.append(Sentence(key, one.tokens, one.spans, one.spaces, columns=one.columns, hashed=hashed))
    return Dataset("data.conll", tuple(made))


@st.composite
def tags(draw: st.DrawFn, scheme: Scheme, max_size: int = 8) -> list[str]:
    """A well-formed tag sequence, made by walking the scheme's transition table."""
    names = st.sampled_from(("PER", "LOC", "creative-work"))
    size = draw(st.integers(0, max_size))
    made: list[str] = []
    before = OUTSIDE
    while len(made) < size or not scheme.allows(before, OUTSIDE):
        is_open = not scheme.allows(before, OUTSIDE)
        label = before.partition("-")[2] if is_open else draw(names)
        choices = [OUTSIDE, *(f"{prefix}-{label}" for prefix in sorted(scheme.prefixes))]
        allowed = [tag for tag in choices if scheme.allows(before, tag)]
        if len(made) >= size:  # close the open mention at once
            allowed = [tag for tag in allowed if scheme.allows(tag, OUTSIDE)]
        before = draw(st.sampled_from(allowed))
        made.append(before)
    return made


def any_tags(max_size: int = 8, prefixes: str = "BIESLUM") -> st.SearchStrategy[list[str]]:
    """Tags in any order, well formed or not."""
    known = [OUTSIDE, *(f"{prefix}-{label}" for prefix in prefixes for label in ("PER", "LOC", "creative-work"))]
    return st.lists(st.sampled_from(known), max_size=max_size)


def _zones(sentence: Sentence) -> list[tuple[int, int, EditKind]]:
    """The ranges in which edits may stand: mentions, and what lies before, between and behind them."""
    zones: list[tuple[int, int, EditKind]] = []
    at = 0
    for span in sentence.spans:
        zones += [(at, span.start, "context"), (span.start, span.end, "mention")]
        at = span.end
    return [*zones, (at, len(sentence), "context")]


@st.composite
def _edits_in(draw: st.DrawFn, zone: tuple[int, int, EditKind], step: str) -> list[Edit]:
    low, high, kind = zone
    made: list[Edit] = []
    at = low
    for number in range(draw(st.integers(0, 2))):
        start = draw(st.integers(at, high))
        end = draw(st.integers(start, min(high, start + 3)))
        new = tuple(draw(st.lists(tokens(), max_size=3)))
        border = kind == "mention" and start in (low, high) and start == end
        repeated = bool(made) and made[-1].start == made[-1].end == start == end
        if border or repeated or (start == end and not new):
            continue
        made.append(Edit(start, end, new, kind, (("step", f"{step} {kind} {low} {number}"),)))
        at = end
    return made


@st.composite
def edits(draw: st.DrawFn, sentence: Sentence, step: str = "") -> list[Edit]:
    """Edits that a sentence allows, in any order: replacements, insertions and deletions, at mention borders too."""
    made: list[Edit] = []
    for zone in _zones(sentence):
        inside = draw(_edits_in(zone, step))
        low, high, kind = zone
        left = high - low + sum(len(edit.new) - (edit.end - edit.start) for edit in inside)
        if kind == "context" or left > 0:  # edits never empty a mention
            made += inside
    if len(sentence) + sum(len(edit.new) - (edit.end - edit.start) for edit in made) < 1:
        made = []
    return draw(st.permutations(made))


AWKWARD_TEXTS = (
    "", " ", " a", "a ", "a  b", "a b", "a=b", "=", "a,b", "a+b", "a|b", '"', '""', "\\", "\\\\", 'a\\"b', "\\n", "\n",
    "a\tb", "C:\\data\\new.conll", "\\\\server\\share", "/data/a b/c,d.conll", "https://example.org/x?a=b&c=d#e",
    "names=list.txt", "हिन्दी", "Größe", "\u00a0", "\u2028", "🙂", "100-200", "name:value", ":", "+", "-", "yes",
)  # fmt: skip


def spec_items() -> st.SearchStrategy[str]:
    """One item of a specification's value."""
    return st.one_of(st.sampled_from(AWKWARD_TEXTS), st.text(max_size=8), st.text('ab=,+|"\\: ', max_size=8))


def spec_values() -> st.SearchStrategy[Value]:
    """A value: one text, or a list of two or more."""
    return st.one_of(spec_items(), st.lists(spec_items(), min_size=2, max_size=3).map(tuple))


@st.composite
def specs(draw: st.DrawFn) -> Spec:
    """A specification with any options."""
    name = draw(st.sampled_from(("swap", "faker", "file", "my_module", "pkg.mod", "random-masking", "größe")))
    keys = draw(
        st.lists(st.sampled_from(("types", "pool", "match-length", "name", "a_b", "X")), unique=True, max_size=3)
    )
    if draw(st.booleans()):
        keys = [POSITIONAL, *keys]
    return Spec(name, tuple((key, draw(spec_values())) for key in keys))
