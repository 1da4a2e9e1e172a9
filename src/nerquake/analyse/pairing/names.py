"""Labels that have another name in the attacked file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from nerquake.analyse.pairing.model import Side

_SHARE = 0.8
_ENOUGH = 3


def renamed_labels(pairs: Iterable[tuple[Side, Side]]) -> dict[str, str]:
    """For each label that only the attacked file has: the original one that it is another name of.

    It is another name where nearly all its mentions stand for mentions of one label, and the two names are alike (PER
    and PERSON, CW and creative-work) or the old name is gone altogether.
    """
    joint: Counter[tuple[str, str]] = Counter()
    old: Counter[str] = Counter()
    new: Counter[str] = Counter()
    for a, b in pairs:
        old.update(span.label for span in a.spans)
        new.update(span.label for span in b.spans)
        if len(a.spans) == len(b.spans):
            joint.update((x.label, y.label) for x, y in zip(a.spans, b.spans, strict=True))
    found: dict[str, str] = {}
    for name in sorted(set(new) - set(old)):
        meant, count = max(((label, joint[label, name]) for label in sorted(old)), key=lambda pair: pair[1])
        mostly = count >= _SHARE * sum(joint[label, name] for label in old)
        gone = meant not in new and count >= _ENOUGH
        if count and mostly and (gone or alike(meant, name)):
            found[name] = meant
    return found


def alike(one: str, other: str) -> bool:
    """Whether two labels are spellings of one name: equal but for case and hyphens, or one is short for the other."""
    short, long = sorted((_letters(one), _letters(other)), key=len)
    if len(short) < 2 or short[0] != long[0]:
        return False
    rest = iter(long)
    return all(letter in rest for letter in short)


def _letters(label: str) -> str:
    return "".join(letter for letter in label.casefold() if letter.isalnum())
