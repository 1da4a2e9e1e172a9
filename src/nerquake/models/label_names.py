"""What the label names in a checkpoint's configuration mean: tags, their scheme, or an error with advice.

Names are read by name, never by index order; no model library is needed here.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from nerquake.core.errors import InputError, UsageError
from nerquake.core.scheme import ALIASES, IO, IOB1, IOB2, OUTSIDE, SCHEMES, Scheme, split_tag

_TAG = re.compile(r"([BIESLUMbieslum])[-_](.+)")
_MARK = re.compile(r"([BIESLUM])[-_:./ ]*", re.IGNORECASE)
_BEFORE = re.compile(r"(?P<mark>[BIESLUM])[:./ ](?P<label>.+)", re.IGNORECASE)
_BEHIND = re.compile(r"(?P<label>.+)[-_:./ ](?P<mark>[BIESLUM])", re.IGNORECASE)
_NAMELESS = re.compile(r"label_?\d+", re.IGNORECASE)
_SPECIAL = re.compile(r"\[[A-Z]+\]|<[^>]+>")
"""Names that training programs keep for special pieces; none of them is a mention."""
_MAYBE_SPECIAL = frozenset({"X", "PAD"})
"""Names of second pieces and padding where the others are tags; else labels like any other."""
_USUAL = ("O", "B-PER", "I-PER", "B-LOC", "I-LOC")
_ADVISED = 6


class Name(NamedTuple):
    """A name of the configuration, what it stands for, and whether the user said so."""

    old: str
    new: str
    given: bool


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
    nameless = [name.old for name in names if not name.given and _NAMELESS.fullmatch(name.old)]
    if nameless:
        taken = {name.new for name in names}
        usual = [tag for tag in _USUAL if tag not in taken][:2]
        shown = _advice(names, dict(zip(nameless, usual, strict=False)), len(nameless) > len(usual))
        raise InputError(
            f"{where}: its configuration does not name its labels, only {_listed(nameless)}. Give their names in the "
            f"order of training: labels={shown}, or write them into id2label of its config.json"
        )
    tags = _as_tags(_plain(names), where)
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


def _renamed(id2label: Mapping[int, str], pairs: Mapping[str, str], where: str) -> list[Name]:
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
    return [Name(name, pairs.get(name, name), name in pairs) for name in names]


def _plain(names: Sequence[Name]) -> list[Name]:
    """The names with O for those of special pieces; what the user named is none of them."""
    ours = [name for name in names if name.given or not _SPECIAL.fullmatch(name.new)]
    sure = [name.new for name in ours if name.new != OUTSIDE and (name.given or name.new not in _MAYBE_SPECIAL)]
    tagged = any(map(_TAG.fullmatch, sure))

    def special(name: Name) -> bool:
        return bool(_SPECIAL.fullmatch(name.new)) or (tagged and name.new in _MAYBE_SPECIAL)

    return [name._replace(new=OUTSIDE) if not name.given and special(name) else name for name in names]


def _advice(names: Sequence[Name], suggested: Mapping[str, str], more: bool = False) -> str:
    """What to type behind `labels=`: what was given already, and what is suggested."""
    parts = [f"{name.old}={suggested.get(name.old, name.new)}" for name in names if name.given or name.old in suggested]
    return "|".join([*parts, *(["..."] if more else [])])


def _as_tags(names: Sequence[Name], where: str) -> tuple[str, ...]:
    """Names as tags: bare labels become IO tags, `B_PER` and `b-PER` become `B-PER`."""
    inside = [name for name in names if name.new != OUTSIDE]
    if not inside:
        raise InputError(f"{where}: no label besides O; its names: {_listed(name.old for name in names)}")
    bare = [name for name in inside if not _TAG.fullmatch(name.new)]
    odd = _doubtful(bare) if len(bare) == len(inside) else bare
    if odd:
        raise InputError(_no_tags(names, odd, where))
    if bare:
        return tuple(name.new if name.new == OUTSIDE else f"I-{name.new}" for name in names)
    found = (_TAG.fullmatch(name.new) for name in names)
    return tuple(f"{m.group(1).upper()}-{m.group(2)}" if m else OUTSIDE for m in found)


def _doubtful(bare: Sequence[Name]) -> list[Name]:
    """Those of the bare names that look like something else than a label: o, a mark alone, tags of other forms.

    One name with a letter at its end may be a label, such as vitamin-B; all of them, or two that differ in the letter
    alone, are tags. What the user named is a label.
    """
    open_ = [name for name in bare if not name.given]
    odd = {name for name in open_ if name.new.lower() == "o"}
    if all(_MARK.fullmatch(name.new) for name in bare) or any(len(name.new) > 1 and _MARK.fullmatch(name.new)
                                                              for name in open_):  # fmt: skip
        odd |= {name for name in open_ if _MARK.fullmatch(name.new)}
    others = [name for name in open_ if name not in odd]
    for form in (_BEFORE, _BEHIND):
        found = [(name, m["label"]) for name in others if (m := form.fullmatch(name.new))]
        counts = Counter(label for _, label in found)
        odd |= {name for name, label in found if len(found) == len(others) or counts[label] > 1}
    return [name for name in open_ if name in odd]


def _no_tags(names: Sequence[Name], odd: Sequence[Name], where: str) -> str:
    """The message for names that are no tags. Its advice can be typed as it stands."""
    tagged = any(_suggested(name.new) != OUTSIDE for name in odd)  # then no name may stay bare beside them
    wrong = [
        name for name in names
        if name in odd or (tagged and name.new != OUTSIDE and not _TAG.fullmatch(name.new))
    ]  # fmt: skip
    if any(name.new == "o" for name in odd):  # names in small letters throughout: the others are better renamed too
        small = {name for name in names if not name.given and _TAG.fullmatch(name.new) and name.new.islower()}
        wrong = [name for name in names if name in wrong or name in small]
    shown = wrong[:_ADVISED]
    told = _advice(names, {name.old: _suggested(name.new) for name in shown}, len(wrong) > len(shown))
    listed = _listed(name.new for name in odd)
    return (
        f"{where}: {listed} {'are no tags' if len(odd) > 1 else 'is no tag'} of any scheme, such as B-PER. "
        f"Say what they stand for: labels={told}, or =O for what is no mention"
        + ("" if any(_TAG.fullmatch(name.new) for name in names) else "; a label that is one stays NAME=NAME")
    )


def _suggested(name: str) -> str:
    """The tag that a name most likely stands for."""
    if name.lower() == "o":
        return OUTSIDE
    if found := _MARK.fullmatch(name):
        return f"{found.group(1).upper()}-LABEL"
    if found := _TAG.fullmatch(name):
        label = found.group(2)
        return f"{found.group(1).upper()}-{label.upper() if label.islower() else label}"
    if found := _BEFORE.fullmatch(name) or _BEHIND.fullmatch(name):
        return f"{found['mark'].upper()}-{found['label']}"
    return f"B-{name}"


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


def _listed(names: Iterable[str], shown: int = 12) -> str:
    items = list(names)
    return ", ".join(items[:shown]) + (f" and {len(items) - shown} more" if len(items) > shown else "")
