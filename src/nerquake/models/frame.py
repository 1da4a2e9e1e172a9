"""What a tokenizer puts around a sentence, and what it can be given."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from nerquake.core.errors import InputError

PROBES = ("a", "the", "in", "1", ".", "A", "x")


class Frame(NamedTuple):
    """The special pieces around every window, with their segment numbers, and the padding piece."""

    before: tuple[int, ...]
    after: tuple[int, ...]
    before_types: tuple[int, ...]
    inner_type: int
    after_types: tuple[int, ...]
    pad: int

    @property
    def width(self) -> int:
        """How many special pieces stand around a window."""
        return len(self.before) + len(self.after)

    @property
    def typed(self) -> bool:
        """Whether the segment numbers say anything: zeros are what models assume."""
        return any((*self.before_types, self.inner_type, *self.after_types))


def frame_of(tokenizer: Any, where: str) -> Frame:
    """What the tokenizer puts around a sentence, found by encoding a word with it and without it.

    Raises:
        InputError: the tokenizer changes a sentence in some other way than putting special pieces around it.
    """
    for probe in PROBES:
        bare = list(tokenizer([probe], is_split_into_words=True, add_special_tokens=False)["input_ids"])
        full = tokenizer([probe], is_split_into_words=True)
        pieces = list(full["input_ids"])
        starts = [at for at in range(len(pieces)) if pieces[at : at + len(bare)] == bare]
        if bare and starts:
            begin, end = starts[0], starts[0] + len(bare)
            types = list(full.get("token_type_ids", [0] * len(pieces)))
            pad = getattr(tokenizer, "pad_token_id", None)
            return Frame(
                tuple(pieces[:begin]), tuple(pieces[end:]), tuple(types[:begin]), types[begin], tuple(types[end:]),
                0 if pad is None else int(pad),
            )  # fmt: skip
    raise InputError(f"{where}: its tokenizer does not give a word's pieces back between special ones")


def whole(word: str) -> str:
    """A word without lone surrogates, which tokenizers refuse."""
    if word.isascii():
        return word
    return word.encode("utf-8", "replace").decode("utf-8")


def pieces_of(tokenizer: Any, sentences: Sequence[Sequence[str]]) -> Any:
    """What a fast tokenizer makes of sentences that are split into words: no special pieces, nothing cut or padded."""
    return tokenizer(
        [list(words) for words in sentences],
        is_split_into_words=True,
        add_special_tokens=False,
        padding=False,
        truncation=False,
        return_attention_mask=False,
        return_token_type_ids=False,
        verbose=False,
    )
