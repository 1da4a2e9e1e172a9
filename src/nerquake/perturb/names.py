"""Names from files of the user's own, and drawing from them.

Formats, told apart by their content:

```
PER<TAB>Rosa Lind          a label and a name a line
[PER]                      sections: a label in brackets, then a name a line
Rosa Lind                  with label=PER: a name a line
{"class_id": "Q515", "class_title": "city", "instances": {"Q64": "Berlin"}}     with label=GPE: a class a line
folder/PER.txt, GPE.jsonl  a file for each label, named after it
```
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from nerquake.core.edits import Source
from nerquake.core.errors import FormatError, InputError, Problem, UsageError
from nerquake.core.seeds import Draws
from nerquake.perturb.base import Mention, Plan, Replacement, width_note
from nerquake.perturb.tokens import folded_text, retokenise

_SECTION = re.compile(r"\[([^\[\]\t]+)\]")
_TRIES = 16


class Name(NamedTuple):
    """A name's tokens, and where it stands."""

    tokens: tuple[str, ...]
    source: Source


Names = Mapping[str, Sequence[Name]]
"""Names by label, without repeats, in the order of the file."""


def check_names_file(path: str) -> None:
    """Raise InputError unless there is a file or folder of this name."""
    if not Path(path).exists():
        raise InputError(f"{path}: there is no such file or folder of names")


def read_names(path: str, label: str = "") -> Names:
    """Read a file or a folder; `label` is the label of a file that does not name any.

    Raises:
        InputError: it cannot be read as text.
        FormatError: lines that hold no name, all of them listed.
    """
    found: dict[str, dict[tuple[str, ...], Name]] = {}
    place = Path(path)
    if place.is_dir():
        files = sorted(file for file in place.iterdir() if file.is_file() and not file.name.startswith("."))
        if not files:
            raise InputError(f"{path}: the folder holds no files; expected one for each label, such as PER.txt")
        for file in files:
            _read_file(file, file.stem, found)
    else:
        _read_file(place, label, found)
    return {name: tuple(names.values()) for name, names in found.items()}


def _read_file(file: Path, label: str, found: dict[str, dict[tuple[str, ...], Name]]) -> None:
    lines = _lines(file)
    first = next((line for line in lines if line.strip()), None)
    if first is None:
        raise InputError(f"{file}: the file is empty; expected names")
    read = _read_classes if first.lstrip().startswith("{") else _read_text
    problems: list[Problem] = []
    for name_label, name in read(file.name, lines, label, problems):
        found.setdefault(name_label, {}).setdefault(name.tokens, name)
    if problems:
        raise FormatError(str(file), problems, "expected LABEL<TAB>name, [LABEL] sections, or label= for a plain list")


def _lines(file: Path) -> list[str]:
    try:
        data = file.read_bytes()
    except OSError as error:
        raise InputError(f"{file}: {error.strerror or error}") from error
    if b"\0" in data:
        raise InputError(f"{file}: this is a binary file; expected text in UTF-8")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise InputError(
            f"{file}: line {line}: byte 0x{data[error.start]:02x} is not UTF-8; convert the file"
        ) from error
    return [line.removesuffix("\r") for line in text.split("\n")]


def _read_text(file: str, lines: Sequence[str], label: str, problems: list[Problem]) -> list[tuple[str, Name]]:
    names: list[tuple[str, Name]] = []
    for number, line in enumerate(lines, 1):
        section = _SECTION.fullmatch(line.strip())
        if section:
            label = section.group(1).strip()
            continue
        before, tab, after = line.partition("\t")
        if not line.strip() or (line.startswith("#") and not tab):
            continue
        own, text = (before.strip(), after) if tab else (label, line)
        tokens = retokenise(text)
        if not own:
            problems.append(Problem("no-label", number, "no label", line.strip(), "LABEL, a tab, then the name"))
        elif not tokens:
            problems.append(Problem("no-name", number, "no name after the label", own))
        else:
            names.append((own, Name(tokens, (("from", f"{file}:{number}"),))))
    return names


def _read_classes(file: str, lines: Sequence[str], label: str, problems: list[Problem]) -> list[tuple[str, Name]]:
    if not label:
        raise UsageError(f"{file} holds classes without labels; say which label they are for: label=GPE")
    names: list[tuple[str, Name]] = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
            title = str(record.get("class_title") or record["class_id"])
            instances = dict(record["instances"])
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            hint = '{"class_id": .., "class_title": .., "instances": {id: name}}'
            problems.append(Problem("bad-class", number, f"no class record ({type(error).__name__})", hint=hint))
            continue
        for item, text in instances.items():
            tokens = retokenise(text) if isinstance(text, str) else ()
            if tokens:
                names.append((label, Name(tokens, (("from", f"{file}:{number}"), ("class", title), ("item", item)))))
            else:
                problems.append(Problem("no-name", number, "an instance without a name", str(item)))
    return names


def names_plan(
    chosen: Sequence[Mention], names: Names, draws: Draws, match_length: bool = False
) -> tuple[Plan, tuple[str, ...]]:
    """A name of its own label for every mention, and notes on pool sizes.

    Raises:
        UsageError: the names are all for labels that no mention has.
    """
    labels = {mention.label for mention in chosen}
    if chosen and not labels & names.keys():
        raise UsageError(
            f"the names are for {', '.join(sorted(names)) or 'no label'}, the mentions are labelled "
            f"{', '.join(sorted(labels))}; --map or label= joins them"
        )
    plan: Plan = {}
    drawn: dict[tuple[str | int, ...], Name | None] = {}
    pools: dict[tuple[str, int], Sequence[Name]] = {}
    for mention in chosen:
        if mention.unit not in drawn:
            pool = _pool_of(mention, names, match_length, pools)
            drawn[mention.unit] = draw_name(mention, pool, draws)
        name = drawn[mention.unit]
        plan[mention.key] = None if name is None else Replacement(name.tokens, (*name.source, ("was", mention.text)))
    notes = [note for label in sorted(labels) for note in _pool_notes(label, chosen, names)]
    return plan, (*notes, width_note(plan, "names"))


def _pool_of(
    mention: Mention, names: Names, match_length: bool, pools: dict[tuple[str, int], Sequence[Name]]
) -> Sequence[Name]:
    width = len(mention.tokens) if match_length else 0
    key = (mention.label, width)
    if key not in pools:
        pools[key] = [name for name in names.get(mention.label, ()) if not width or len(name.tokens) == width]
    return pools[key]


def draw_name(mention: Mention, pool: Sequence[Name], draws: Draws) -> Name | None:
    """A name that differs from the mention by more than case; each such name is as likely as the next."""
    if not pool:
        return None
    old = folded_text(mention.tokens)
    rng = draws.of("").random(*mention.unit)
    for _ in range(_TRIES):
        name = pool[int(rng.random() * len(pool))]
        if folded_text(name.tokens) != old:
            return name
    others = [name for name in pool if folded_text(name.tokens) != old]
    return others[int(rng.random() * len(others))] if others else None


def _pool_notes(label: str, chosen: Sequence[Mention], names: Names) -> list[str]:
    size = len(names.get(label, ()))
    needed = sum(mention.label == label for mention in chosen)
    if not size:
        return [f"{label}: no names for its {needed} mentions"]
    if size < needed:
        return [f"{label}: warning: {size} names for {needed} mentions, so names repeat"]
    return [f"{label}: {size} names for {needed} mentions"]
