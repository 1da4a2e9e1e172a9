"""Tokens that no text has: word pieces, empty ones, comment lines; and inside tags that continue nothing."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from nerquake.analyse.pairing.model import Seen, Side
from nerquake.core.scheme import OUTSIDE, Scheme, chunks, detect_predicted, split_tag
from nerquake.core.span import Span
from nerquake.io.conll_comments import looks_like_comment
from nerquake.io.damaged import LooseSentence

_CONTINUES = "##"
_BEGINS = ("\u2581", "\u0120")
"""Marks of SentencePiece and of byte-level tokenizers for a piece that begins a word."""
_INVISIBLE = frozenset({"Zs", "Zl", "Zp", "Cc", "Cf"})


@dataclass(frozen=True, slots=True)
class Known:
    """What the original file has, so that it is no fault of the attack.

    tokens     all its tokens
    comments   its comment lines without blanks
    marks      marks of pieces that its own tokens begin with
    """

    tokens: frozenset[str]
    comments: frozenset[str]
    marks: frozenset[str]

    @classmethod
    def of(cls, sentences: Iterable[LooseSentence], comments: Iterable[str]) -> Known:
        """From the original file."""
        tokens = frozenset(token for one in sentences for token in one.tokens)
        marks = frozenset(mark for mark in (_CONTINUES, *_BEGINS) if any(token.startswith(mark) for token in tokens))
        return cls(tokens, frozenset("".join(line.split()) for line in comments), marks)


@dataclass(frozen=True, slots=True)
class Cleaned:
    """An attacked sentence without what is no text, and what that was; offsets are those of the file's tokens.

    side   None where the sentence is nothing but a comment
    """

    side: Side | None
    seen: tuple[Seen, ...]


def plain_side(one: LooseSentence, scheme: Scheme | None) -> Side | None:
    """An original sentence without tokens that are empty; None where all of them are."""
    kept = [at for at, token in enumerate(one.tokens) if token]
    if not kept:
        return None
    tags = tuple(one.tags[at] for at in kept)
    return Side(
        id=one.id,
        source=one.source,
        tokens=tuple(one.tokens[at] for at in kept),
        spans=chunks(tags),
        lines=tuple(one.lines[at] for at in kept),
        first_line=one.lines[0],
        text=" ".join(one.tokens),
        orphans=frozenset(_orphans(tags, scheme)),
    )


def clean(one: LooseSentence, known: Known, scheme: Scheme | None) -> Cleaned:
    """Take what is no text out of an attacked sentence. `scheme` is None where inside tags need no beginning."""
    seen: list[Seen] = []
    front = comment_size(one.tokens, known.comments)
    if front:
        shown = " ".join(one.tokens[:front])
        names = sum(span.start < front for span in chunks(one.tags))
        extra = f", with {names} mentions in it" if names else ""
        seen.append(Seen("comment-as-token", None, 0, f"the comment {shown!r} became {front} tokens{extra}"))
    tokens, tags = one.tokens[front:], list(one.tags[front:])
    if not tokens:
        return Cleaned(None, tuple(seen))
    odd = [found for at, token in enumerate(tokens) if (found := _odd_token(token, at, known)) is not None]
    places = {found.attacked for found in odd if found.attacked is not None}
    places |= {at for at, token in enumerate(tokens) if not token}
    for at in places:
        tags[at] = _tag_inside(tags, at)
    orphans = _orphans(tags, scheme)
    seen += [found._replace(attacked=front + (found.attacked or 0)) for found in odd]
    words = tuple(token.removeprefix(_mark(token)) if at in places else token for at, token in enumerate(tokens))
    side = Side(
        id=one.id,
        source=one.source,
        tokens=words,
        spans=chunks(tags),
        lines=one.lines[front:],
        first_line=one.lines[0],
        text=" ".join(one.tokens),
        wild=frozenset(places),
        orphans=frozenset(orphans),
    )
    return Cleaned(side, tuple(seen))


def _tag_inside(tags: Sequence[str], at: int) -> str:
    """The tag of an odd token: that of the mention around it where it stands in one without a label of its own."""
    if tags[at] != OUTSIDE or not 0 < at < len(tags) - 1:
        return tags[at]
    (prefix, label), (inner, same) = split_tag(tags[at - 1]), split_tag(tags[at + 1])
    inside = prefix in "BIM" and inner in "IMEL" and label == same
    return f"{'M' if inner in 'ME' and prefix in 'BM' else 'I'}-{label}" if inside else OUTSIDE


def rejoined(side: Side, words: Collection[str]) -> Side:
    """An attacked sentence whose word pieces are joined where that makes a word of its original sentence."""
    if not side.wild:
        return side
    groups: list[range] = []
    at = 0
    while at < len(side.tokens):
        size = next((size for size in range(2, 7) if _makes_word(side, at, size, words)), 1)
        groups.append(range(at, at + size))
        at += size
    if len(groups) == len(side.tokens):
        return side
    begin = {old: new for new, group in enumerate(groups) for old in group}
    spans = [
        Span(begin[s.start], begin[s.end - 1] + 1, s.label) for s in side.spans if groups[begin[s.start]][0] == s.start
    ]
    return replace(
        side,
        tokens=tuple("".join(side.tokens[group.start : group.stop]) for group in groups),
        spans=tuple(spans),
        lines=tuple(side.lines[group.start] for group in groups),
        wild=frozenset(new for new, group in enumerate(groups) if len(group) == 1 and group.start in side.wild),
        orphans=frozenset(begin[at] for at in side.orphans),
    )


def _makes_word(side: Side, at: int, size: int, words: Collection[str]) -> bool:
    pieces = side.tokens[at : at + size]
    if len(pieces) < size or not all(pieces) or not side.wild.intersection(range(at, at + size)):
        return False
    return "".join(pieces) in words


def comment_size(tokens: Sequence[str], comments: Collection[str]) -> int:
    """How many tokens in front of a sentence are a comment line that someone's script took for tokens."""
    if not tokens[0].startswith("#"):
        return 0
    joined = ""
    for size, token in enumerate(tokens, 1):
        joined += "".join(token.split())
        if len(joined) > 1 and joined in comments:
            return size
    words = (tokens[0], " ".join(tokens[1:3]), *tokens[3:4])
    return _size_by_form(tokens) if looks_like_comment(tokens) or looks_like_comment(words) else 0


def _size_by_form(tokens: Sequence[str]) -> int:
    """The size of a comment of a known form: a key, perhaps `=`, a value, and pairs behind it."""
    if " " in tokens[0].strip():
        return 1
    at = 1 if len(tokens[0]) > 1 else 2
    key = tokens[at - 1].lstrip("#")
    if key == "newdoc" and tokens[at : at + 1] == ("id",):
        at += 1
    if tokens[at : at + 1] == ("=",):
        at += 1
    if key == "text":
        return _text_size(tokens, at)
    at += 1
    while at < len(tokens) and "=" in tokens[at][1:]:
        at += 1
    return min(at, len(tokens))


def _text_size(tokens: Sequence[str], start: int) -> int:
    """Where the value of `# text = ...` ends: where the sentence begins, which has most of its words; else nowhere."""
    ends = range(start + 1, len(tokens))
    copies = [end for end in ends if "".join(tokens[end:]).startswith("".join(tokens[start:end]))]
    if copies:
        return copies[-1]
    shares = {end: _shared(tokens[start:end], tokens[end:]) for end in ends}
    best = max(ends, key=lambda end: (shares[end], end), default=0)
    return best if best and shares[best] >= 0.5 else len(tokens)


def _shared(one: Sequence[str], other: Sequence[str]) -> float:
    """Share of words that two stretches have in common."""
    both = Counter(one) & Counter(other)
    return 2 * both.total() / (len(one) + len(other))


def _odd_token(token: str, at: int, known: Known) -> Seen | None:
    if token in known.tokens:
        return None
    if all(unicodedata.category(letter) in _INVISIBLE for letter in token):
        what = "the token is empty" if not token else f"the token {token!a} has nothing that one can see"
        return Seen("empty-token", None, at, what)
    mark = _mark(token)
    if mark and (mark not in known.marks or token.removeprefix(mark) in known.tokens):
        return Seen("subword-piece", None, at, f"the token {token!r} is a piece of a model's tokenizer")
    return None


def _mark(token: str) -> str:
    """The mark of a word piece that a token begins with."""
    if token.startswith(_CONTINUES) and len(token) > len(_CONTINUES):
        return _CONTINUES
    return token[:1] if token.startswith(_BEGINS) else ""


def _orphans(tags: Sequence[str], scheme: Scheme | None) -> list[int]:
    """Positions of inside and last tags that follow neither a beginning nor an inside of their label."""
    if scheme is None:
        return []
    inner = {scheme.inside, scheme.last} - {scheme.first, scheme.single}
    found = []
    for at, (before, tag) in enumerate(pairwise((OUTSIDE, *tags))):
        if tag != OUTSIDE and split_tag(tag)[0] in inner and not scheme.allows(before, tag):
            found.append(at)
    return found


def attacked_scheme(gold: Scheme, attacked: Sequence[Sequence[str]]) -> Scheme | None:
    """The scheme that the attacked file is in; None where it is one without orphans.

    gold   the scheme of the original file

    A few orphans are damage; a file in which nearly every mention begins with an inside tag is in another scheme.
    """
    scheme = detect_predicted(attacked, gold)
    if scheme.first == scheme.inside:
        return None
    mentions = sum(len(chunks(tags)) for tags in attacked)
    orphans = sum(len(_orphans(tags, scheme)) for tags in attacked)
    return None if mentions >= 5 and orphans >= 0.9 * mentions else scheme
