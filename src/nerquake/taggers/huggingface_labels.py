"""What the label names in a checkpoint's configuration mean: tags, their scheme, or an error with advice.

Names are read by name, never by index order; no model library is needed here.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from nerquake.core.errors import InputError, UsageError
from nerquake.core.scheme import ALIASES, IO, IOB1, IOB2, OUTSIDE, PREFIXES, SCHEMES, Scheme, split_tag

_TAG = re.compile(r"([BIESLUMbieslum])[-_](.+)")
_NAMELESS = re.compile(r"label_?\d+", re.IGNORECASE)
_SPECIAL = re.compile(r"\[[A-Z]+\]|<[^>]+>|X|PAD")
"""Names that some training programs keep for special and second sub-tokens; none of them is a mention."""


class TagNames(NamedTuple):
    """The tag of each of the model's outputs, by index, and their scheme."""

    tags: tuple[str, ...]
    scheme: Scheme

    @property
    def labels(self) -> frozenset[str]:
        """The labels that the model can give."""
        return frozenset(split_tag(tag)[1] for tag in self.tags if tag != OUTSIDE)


def read_names(id2label: Mapping[int, str], renames: Sequence[str], scheme: str, where: str) -> TagNames:
    """The tags behind the names of a configuration.

    id2label  the configuration's names by index
    renames   `OLD=NEW` each, applied first; NEW is a tag such as B-PER, a bare label, or O
    scheme    a scheme's name, or "auto": IOB1 where a label has an I- and no B-, else the first that has all prefixes
    where     what messages call the model

    Raises:
        InputError: the names do not say which labels they are, or mix tags and bare labels.
        UsageError: a rename is not OLD=NEW, or renames a name that the model does not have.
    """
    names = _renamed(id2label, _pairs(renames, where), where)
    nameless = [name for name in names if _NAMELESS.fullmatch(name)]
    if nameless:
        shown = "|".join(f"{name}={'O' if not at else 'B-PER'}" for at, name in enumerate(nameless[:2]))
        raise InputError(
            f"{where}: its configuration does not name its labels, only {_listed(nameless)}. Give their names in the "
            f"order of training: labels={shown}|..., or write them into id2label of its config.json"
        )
    plain = [OUTSIDE if name == OUTSIDE or _SPECIAL.fullmatch(name) else name for name in names]
    tags = _as_tags(plain, where)
    return TagNames(tags, _scheme(tags, scheme, where))


def _pairs(renames: Sequence[str], where: str) -> dict[str, str]:
    pairs: dict[str, str] = {}
    for item in renames:
        old, equals, new = map(str.strip, item.partition("="))
        if not equals or not old or not new:
            raise UsageError(f"{where}: labels={item}: expected OLD=NEW, such as LABEL_1=B-PER, joined by |")
        if old in pairs:
            raise UsageError(f"{where}: labels= names {old} twice")
        pairs[old] = new
    return pairs


def _renamed(id2label: Mapping[int, str], pairs: Mapping[str, str], where: str) -> list[str]:
    """The names in the order of the model's outputs, under their new names."""
    if sorted(id2label) != list(range(len(id2label))):
        raise InputError(
            f"{where}: id2label has the indices {_listed(map(str, sorted(id2label)))}, expected 0, 1, 2 ..."
        )
    names = [str(id2label[index]).strip() for index in range(len(id2label))]
    unknown = [old for old in pairs if old not in names]
    if unknown:
        raise UsageError(f"{where}: labels= renames {_listed(unknown)}; the model has {_listed(names)}")
    twice = [name for name, count in Counter(names).items() if count > 1]
    if twice:
        raise InputError(f"{where}: id2label gives the name {_listed(twice)} to several outputs")
    empty = [str(index) for index, name in enumerate(names) if not name]
    if empty:
        raise InputError(f"{where}: id2label has no name at index {_listed(empty)}")
    return [pairs.get(name, name) for name in names]


def _as_tags(names: Sequence[str], where: str) -> tuple[str, ...]:
    """Names as tags: bare labels become IO tags, `B_PER` and `b-PER` become `B-PER`."""
    inside = [name for name in names if name != OUTSIDE]
    if not inside:
        raise InputError(f"{where}: no label besides O; its names: {_listed(names)}")
    prefixed = [name for name in inside if _TAG.fullmatch(name)]
    bare = [name for name in inside if not _TAG.fullmatch(name)]
    if not prefixed and not all(name.upper() in PREFIXES for name in bare):
        return tuple(name if name == OUTSIDE else f"I-{name}" for name in names)
    if bare:
        advice = "|".join(f"{name}={name.upper() if len(name) == 1 else 'B'}-LABEL" for name in bare[:3])
        raise InputError(
            f"{where}: {_listed(bare)} {'are no tags' if len(bare) > 1 else 'is no tag'} of any scheme, such as B-PER. "
            f"Say what they stand for: labels={advice}, or =O for what is no mention"
        )
    found = (_TAG.fullmatch(name) for name in names)
    return tuple(f"{m.group(1).upper()}-{m.group(2)}" if m else OUTSIDE for m in found)


def _scheme(tags: Sequence[str], declared: str, where: str) -> Scheme:
    used: dict[str, set[str]] = {}
    for tag in tags:
        prefix, label = split_tag(tag)
        if tag != OUTSIDE:
            used.setdefault(label, set()).add(prefix)
    prefixes = frozenset().union(*used.values())
    if declared != "auto":
        return _declared(declared, prefixes, where)
    if prefixes == {"I"}:
        return IO
    if prefixes <= IOB2.prefixes:
        return IOB1 if any(marks == {"I"} for marks in used.values()) else IOB2
    fits = [scheme for scheme in SCHEMES.values() if prefixes <= scheme.prefixes]
    if not fits:
        raise InputError(f"{where}: no scheme has all of the prefixes {_listed(sorted(prefixes))}")
    return fits[0]


def _declared(name: str, prefixes: frozenset[str], where: str) -> Scheme:
    scheme = SCHEMES.get(ALIASES.get(name, name))
    if scheme is None:
        raise UsageError(f"{where}: scheme={name} is none of auto, {', '.join(SCHEMES)}")
    if not prefixes <= scheme.prefixes:
        surplus = _listed(sorted(prefixes - scheme.prefixes))
        raise UsageError(f"{where}: scheme={name} does not have the model's prefixes {surplus}")
    return scheme


def _listed(names: Sequence[str] | map[str], shown: int = 12) -> str:
    items = list(names)
    return ", ".join(items[:shown]) + (f" and {len(items) - shown} more" if len(items) > shown else "")
