"""Which name types of the dictionary the mentions of a data set's labels may have, from an editable table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from nerquake.core.errors import FormatError, InputError, Problem, UsageError

SHIPPED = Path(__file__).parent / "label_types.tsv"
NONE = "-"
"""The types of labels that mark no names, such as dates."""
_HEAD = ("label", "types")
_HINT = "a label, a tab, name types with blanks between them: LOC, a tab, GPE LOC FAC"
_ALIKE = str.maketrans("_ ", "--")


@dataclass(frozen=True, slots=True)
class LabelTypes:
    """Name types by label, as labels are compared (`same_label`)."""

    types: Mapping[str, tuple[str, ...]]

    def of(self, label: str, beside: Iterable[str] = ()) -> tuple[str, ...]:
        """The name types of a label; none where it marks no names, or is not known.

        beside   the data set's labels: a type that is one of them is not another label's (LOC beside GPE and FAC)
        """
        types = self.types.get(same_label(label), ())
        others = {same_label(other) for other in beside} - {same_label(label)}
        return tuple(type_ for type_ in types if same_label(type_) not in others) or types

    def unknown(self, labels: Iterable[str]) -> tuple[str, ...]:
        """Those of some labels that are not in the table, sorted."""
        return tuple(sorted({label for label in labels if same_label(label) not in self.types}))


def same_label(label: str) -> str:
    """A label as labels are compared: without case, `-`, `_` and blanks alike."""
    return label.strip().casefold().translate(_ALIKE)


def types_of_label(label: str) -> tuple[str, ...]:
    """The name types of a label after the table that is shipped."""
    return shipped().of(label)


@cache
def shipped() -> LabelTypes:
    """The table that is shipped."""
    return LabelTypes(read_label_types(SHIPPED))


def label_types(overrides: Sequence[str] = ()) -> LabelTypes:
    """The shipped table with what a user says instead, the last word first: `LOC=GPE/LOC`, or a table's file.

    Raises:
        UsageError: a text is neither of both.
        InputError, FormatError: a table cannot be read.
    """
    types = dict(shipped().types)
    for text in overrides:
        label, equals, value = text.partition("=")
        if not equals or Path(text).is_file():
            types.update(read_label_types(text))
            continue
        names = tuple(filter(None, map(str.strip, value.split("/"))))
        if not label.strip() or not names or any(len(name.split()) > 1 for name in names):
            raise UsageError(f"types={text}: expected LABEL=TYPE/TYPE, such as LOC=GPE/LOC, or the file of a table")
        types[same_label(label)] = () if names == (NONE,) else names
    return LabelTypes(types)


def read_label_types(path: str | Path) -> dict[str, tuple[str, ...]]:
    """Read a table: `label<TAB>types`, `#` begins comments.

    Raises:
        InputError: the file cannot be read.
        FormatError: lines that are no row, all of them listed.
    """
    try:
        lines = Path(path).read_text("utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path} cannot be read: {getattr(error, 'strerror', None) or error}") from None
    found: dict[str, tuple[str, ...]] = {}
    problems: list[Problem] = []
    for number, line in enumerate(lines, 1):
        cells = tuple(cell.strip() for cell in line.split("\t"))
        if not line.strip() or line.startswith("#") or cells == _HEAD:
            continue
        if len(cells) != 2 or not all(cells):
            problems.append(Problem("bad-label", number, "no label with its types", line, _HINT))
        elif same_label(cells[0]) in found:
            problems.append(Problem("repeated-label", number, "this label stands above already", cells[0]))
        else:
            found[same_label(cells[0])] = () if cells[1] == NONE else tuple(dict.fromkeys(cells[1].split()))
    if problems:
        raise FormatError(str(path), problems)
    return found
