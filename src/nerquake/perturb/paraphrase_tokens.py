"""Running text tokenised as a data set is: what it joins and what it parts is learnt from its own tokens.

Tokens of the sentence that the text was made from come first, then words of the data set, then the rules: blanks part
tokens, punctuation at the ends stands alone, and what hyphens, apostrophes and slashes do is what most words of the
data set do.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from nerquake.core.dataset import Dataset
from nerquake.io.standoff_tokens import regex
from nerquake.perturb.tokens import by_character, characters_apart, retokenise

Clitics = Literal["treebank", "whole", "parted"]
"""`do n't`, `don't`, `don ' t`."""
JOINTS = "-–/&"
"""What stands inside words or parts them, as the data set has it."""
_CLITIC = re.compile(r"(?<=\w)(?:n['’]t|['’](?:s|S|m|d|re|ve|ll))$|(?<=\w[sS])['’]$")
_CLITIC_ALONE = re.compile(r"n['’]t|['’](?:s|S|m|d|re|ve|ll)")
_CLITIC_REST = frozenset({"s", "t", "m", "d", "re", "ve", "ll"})
_LINK = re.compile(r"(?:https?://|www\.)\S|[^\s@]+@[^\s@]+\.\w")
_EQUIVALENT: Mapping[str, tuple[str, ...]] = {
    "“": ("``", '"'), "”": ("''", '"'), "„": ("``", '"'), "«": ("``", '"'), "»": ("''", '"'),
    "‘": ("`", "'"), "’": ("'",), "'": ("’",), "—": ("--", "–", "-"), "–": ("--", "-"), "…": ("...",),
    "(": ("-LRB-",), ")": ("-RRB-",), "[": ("-LSB-",), "]": ("-RSB-",),
}  # fmt: skip
"""How data sets write marks that they do not have as such."""
_PLAIN = str.maketrans("’‘ʼ`´“”„«»‐‑–", "'''''\"\"\"\"\"---")
_END = frozenset({".", "।", "。"})
_LONGEST_RUN = 8
_LONGEST_WORD = 12
"""Characters of a word that is looked up where no blanks part words."""


@dataclass(frozen=True, slots=True)
class Conventions:
    """How a data set writes its tokens.

    words     its tokens with their number
    parts     the joints that it parts words at
    clitics   what it does with `don't` and `Anna's`
    """

    words: Mapping[str, int]
    parts: frozenset[str] = frozenset()
    clitics: Clitics = "treebank"

    @classmethod
    def of(cls, corpus: Dataset, language: str = "") -> Conventions:
        """What the data set does in most cases; where it never does, as the Penn treebank for English."""
        words = Counter(token for sentence in corpus for token in sentence.tokens)
        parted = Counter[str]()
        clitics = Counter[str]()
        for sentence in corpus:
            for at, token in enumerate(sentence.tokens):
                if token in JOINTS and _glued(sentence.tokens, sentence.spaces, at):
                    parted[token] += 1
                elif len(token) > 2 and not token.isalnum():
                    parted.subtract({sign for sign in JOINTS if re.search(rf"\w{re.escape(sign)}\w", token)})
                clitics.update(_clitic_case(sentence.tokens, at))
        usual: Clitics = "treebank" if language in ("", "en") else "whole"
        cases: tuple[Clitics, ...] = (usual, "treebank", "whole", "parted")
        chosen = max(cases, key=lambda case: clitics[case])
        return cls(words, frozenset(sign for sign, count in parted.items() if count > 0), chosen)

    def tokenise(self, text: str, own: Sequence[str] = ()) -> tuple[str, ...]:
        """A text's tokens.

        own   the tokens of the sentence that it was made from
        """
        words = _Own.of(own)
        tokens: list[str] = []
        for chunk in text.split():
            made = list(self._chunk(chunk, words))
            tokens += (self._written(token, words, opening=at == 0) for at, token in enumerate(made))
        if own and own[-1] in _END and tokens and tokens[-1] not in _END and tokens[-1][-1:] in _END:
            tokens.append(own[-1])  # the final point of "in the U.S." does the work of two
        if by_character(own):
            return characters_apart(tokens)
        return tuple(tokens)

    def adapted(
        self, tokens: Sequence[str], origin: Sequence[int | None]
    ) -> tuple[tuple[str, ...], tuple[int | None, ...]]:
        """Tokens of a backend that parts new words as the Penn treebank does, and their origins, as the data set is.

        Tokens of the original stay as they are, but for one that a new clitic joins: `is` before `n't` in a data set
        that has `isn't`.
        """
        made: list[str] = []
        places: list[int | None] = []
        for token, at in zip(tokens, origin, strict=True):
            new = at is None and self.clitics != "treebank" and _CLITIC_ALONE.fullmatch(token)
            if new and self.clitics == "whole" and made:
                made[-1] += token
                continue
            parts = re.findall(r"['’]|[^'’]+", token) if new and self.clitics == "parted" else [token]
            made += parts
            places += [at] * len(parts)
        return tuple(made), tuple(places)

    def _chunk(self, chunk: str, own: _Own) -> Iterator[str]:
        """The tokens of what stands between two blanks."""
        known = own.tokens_of(chunk)
        if known:
            yield from known
            return
        if self._is_word(chunk) or _LINK.match(chunk):
            core = chunk.rstrip(".,;:!?") if _LINK.match(chunk) else chunk
            yield core
            yield from chunk[len(core) :]
            return
        quoted = re.split("(``|'')", chunk) if "``" in own.tokens or "''" in own.tokens else [chunk]
        for piece in _with_possessives([piece for part in quoted if part for piece in _parted(part)]):
            yield from own.tokens_of(piece) or self._piece(piece, own)

    def _is_word(self, chunk: str) -> bool:
        """Whether the data set has it as one token, and not oftener without the punctuation at its end."""
        count = self.words.get(chunk, 0)
        stem = chunk.rstrip(".,;:!?")
        return count > 0 and (stem in ("", chunk) or count > self.words.get(stem, 0))

    def _piece(self, piece: str, own: _Own) -> Iterator[str]:
        if self._is_word(piece) or (piece.isascii() and piece.isalnum()):
            yield piece
            return
        clitic = _CLITIC.search(piece)
        if clitic and self.clitics != "whole":
            whole = self.clitics == "treebank"
            stem, rest = piece[: clitic.start()], clitic.group()
            if not whole:
                stem, mark, rest = re.split("(['’])", piece)[-3:]
            yield from own.tokens_of(stem) or self._piece(stem, own)
            yield from (rest,) if whole else filter(None, (mark, rest))
            return
        parts = (
            [part for part in re.split(f"([{re.escape(''.join(self.parts))}])", piece) if part] if self.parts else []
        )
        if len(parts) > 1:
            for part in parts:
                yield from own.tokens_of(part) or (part,)
        else:
            yield from self._unspaced(piece, own) if _unspaced(piece) else (piece,)

    def _unspaced(self, piece: str, own: _Own) -> Iterator[str]:
        """The tokens of a text without blanks: the longest that the sentence or the data set has, else a character."""
        starts = [start for start, _ in regex(piece)] + [len(piece)]
        at = 0
        while at < len(starts) - 1:
            ends = range(min(len(starts) - 1, at + _LONGEST_WORD), at, -1)
            texts = ((end, piece[starts[at] : starts[end]]) for end in ends)
            end, text = next(
                ((end, text) for end, text in texts if text in own.tokens or text in self.words),
                (at + 1, piece[starts[at] : starts[at + 1]]),
            )
            yield text
            at = end

    def _written(self, token: str, own: _Own, opening: bool) -> str:
        """A token with the sentence's own marks, else with those that the data set has."""
        if token in own.tokens or token in self.words or token.isalnum():
            return token
        plain = own.plain.get(token.translate(_PLAIN))
        if plain is not None:
            return plain
        if token == '"':
            marks: tuple[str, ...] = ("``",) if opening else ("''",)
        else:
            marks = _EQUIVALENT.get(token, ())
        found = next((mark for mark in marks if mark in self.words), "")
        swapped = token.translate(_PLAIN)
        return found or (swapped if swapped in self.words else token)


@dataclass(frozen=True, slots=True)
class _Own:
    """The tokens of the sentence that a text was made from.

    plain   its tokens by their form with plain quotes and hyphens
    runs    its neighbouring tokens by what they are without the blanks between them: `Bonn-based` for `Bonn - based`
    """

    tokens: frozenset[str]
    plain: Mapping[str, str]
    runs: Mapping[str, tuple[str, ...]]

    @classmethod
    def of(cls, tokens: Sequence[str]) -> _Own:
        runs: dict[str, tuple[str, ...]] = {}
        for start in range(len(tokens)):
            for end in range(start + 2, min(len(tokens), start + _LONGEST_RUN) + 1):
                text = "".join(tokens[start:end]).translate(_PLAIN)
                if not text.isalnum() and not any(map(str.isspace, text)):
                    runs.setdefault(text, tuple(tokens[start:end]))
        return cls(frozenset(tokens), {token.translate(_PLAIN): token for token in tokens}, runs)

    def tokens_of(self, text: str) -> tuple[str, ...]:
        """The sentence's own tokens that make up a text; none where none do."""
        if text in self.tokens:
            return (text,)
        plain = text.translate(_PLAIN)
        return (self.plain[plain],) if plain in self.plain else self.runs.get(plain, ())


def _parted(chunk: str) -> list[str]:
    """A chunk's core and the punctuation around it, layer by layer: `once).` holds three."""
    pieces = retokenise(chunk)
    return [chunk] if len(pieces) < 2 else [part for piece in pieces for part in _parted(piece)]


def _with_possessives(pieces: Sequence[str]) -> list[str]:
    """Pieces with a possessive 's at its word, as it was written."""
    joined: list[str] = []
    for piece in pieces:
        if joined and piece in ("'s", "’s", "'S", "’S"):
            joined[-1] += piece
        else:
            joined.append(piece)
    return joined


def _glued(tokens: Sequence[str], spaces: Sequence[bool] | None, at: int) -> bool:
    """Whether a joint that is a token of its own stands between two words, without blanks where that is known."""
    if not 0 < at < len(tokens) - 1 or not (tokens[at - 1][-1:].isalnum() and tokens[at + 1][:1].isalnum()):
        return False
    return spaces is None or not (spaces[at - 1] or spaces[at])


def _clitic_case(tokens: Sequence[str], at: int) -> Iterator[str]:
    """What a token says of the data set's clitics."""
    token = tokens[at]
    if token.isalnum():
        return
    if _CLITIC_ALONE.fullmatch(token):
        yield "treebank"
    elif _CLITIC.search(token):
        yield "whole"
    elif token in ("'", "’") and at + 1 < len(tokens) and tokens[at + 1] in _CLITIC_REST:
        yield "parted"


def _unspaced(text: str) -> bool:
    """Whether a text is of a script that puts no blanks between words."""
    return any("\u3041" <= sign <= "\u9fff" or "\u0e01" <= sign <= "\u0eff" or "\u1000" <= sign <= "\u109f"
               or "\u1780" <= sign <= "\u17ff" or sign >= "\U00020000" for sign in text)  # fmt: skip
