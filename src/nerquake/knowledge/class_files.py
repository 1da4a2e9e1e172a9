"""The papers' form of a dictionary: a file a name type, a class a line, in and out.

```
GPE.jsonl   {"class_id": "Q515", "class_title": "city", "instance_num": 1, "instances": {"Q64": "Berlin"}}
```
All that a line holds comes back, in the order of ids: the same class for two types with other instances, an item under
another name in each class, classes without instances. `instance_num` is counted.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

from nerquake.core.errors import InputError, Problem
from nerquake.core.options import positional
from nerquake.knowledge import parquet
from nerquake.knowledge.draft import Draft
from nerquake.knowledge.meta import Source
from nerquake.knowledge.text import presentable, storable

TYPE_SOURCE = "file"
_KEYS = ("class_id", "class_title", "instance_num", "instances")
_HINT = '{"class_id": "Q515", "class_title": "city", "instances": {"Q64": "Berlin"}}'
_SHOWN = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassFiles:
    """The papers' class JSON Lines, a file for each name type, or a folder of Parquet files that nerquake wrote.

    folder    with files such as `GPE.jsonl`; or one such file
    language  of the names in JSON Lines
    lenient   leave out what is wrong and count it
    """

    folder: str = positional()
    language: str = "en"
    lenient: bool = False

    def fill(self, draft: Draft) -> list[Source]:
        """Give all classes and instances.

        Raises:
            InputError: there are no such files, or lines are no class records, all of them listed.
        """
        if parquet.is_export(self.folder):
            return parquet.fill(self.folder, draft)
        files = class_files_in(self.folder)
        reading = _Reading(draft, self.language)
        for file in files:
            reading.read(file)
        if reading.problems and not self.lenient:
            raise InputError(_listed(self.folder, reading.problems))
        for class_id, title in reading.titles.items():
            draft.class_name(class_id, self.language, title)
        for name, problem in (*reading.problems, *reading.noticed):
            draft.fault(name, problem.line, problem.code, f"{problem.message} {problem.token}".strip())
        types = tuple(sorted({file.stem for file in files}))
        return [Source("import", reading.digest.hexdigest(), (self.language,), types=types)]


def class_files_in(folder: str) -> list[Path]:
    """The files of classes in a folder, or the file itself.

    Raises:
        InputError: there are none, or the file is a dictionary or another that holds no text.
    """
    place = Path(folder)
    if place.is_file():
        _refuse_other_kinds(place)
        return [place]
    if not place.is_dir():
        raise InputError(f"{folder}: there is no such file or folder of classes")
    files = [file for file in sorted(place.iterdir()) if file.suffix in (".jsonl", ".json") and file.name[0] != "."]
    if not files:
        raise InputError(f"{folder}: there are no classes in it; expected a file for each name type, such as GPE.jsonl")
    return files


def _refuse_other_kinds(file: Path) -> None:
    """A file that holds no text is one message, not one for each of its lines."""
    with suppress(OSError), file.open("rb") as stream:
        head = stream.read(16)
        if b"\0" in head or head.startswith(b"PAR1"):
            dictionary = head[8:12] == b"DUCK"
            what = f"a dictionary: `nerquake dictionary export {file} -o FOLDER` makes a folder of it that can be read"
            raise InputError(
                f"{file}: this is no file of classes but {what if dictionary else 'one that holds no text'}; expected "
                f"lines such as {_HINT}"
            )


def _listed(folder: str, problems: list[tuple[str, Problem]]) -> str:
    lines = [f"{folder}: {len(problems)} lines or entries are not as expected:"]
    lines += [f"  {name}: {problem}" for name, problem in problems[:_SHOWN]]
    if len(problems) > _SHOWN:
        lines.append(f"  and {len(problems) - _SHOWN} more")
    return "\n".join([*lines, f"expected lines such as {_HINT}; --lenient leaves them out and counts them"])


@dataclass(slots=True)
class _Reading:
    """What was read so far.

    problems  what cannot be taken as it is, with the name of its file
    noticed   what can, but is worth saying
    """

    draft: Draft
    language: str
    problems: list[tuple[str, Problem]] = field(default_factory=list)
    noticed: list[tuple[str, Problem]] = field(default_factory=list)
    titles: dict[str, str] = field(default_factory=dict)
    seen: dict[tuple[str, str], str] = field(default_factory=dict)
    strange: set[tuple[str, str]] = field(default_factory=set)
    digest: Any = field(default_factory=sha256)

    def read(self, file: Path) -> None:
        """Read a file; its name is the type of its classes."""
        self.digest.update(file.name.encode() + b"\0")
        try:
            with file.open("rb") as stream:
                for number, raw in enumerate(stream, 1):
                    self.digest.update(raw)
                    try:
                        self._line(file, number, raw.removeprefix(b"\xef\xbb\xbf") if number == 1 else raw)
                    except (ValueError, RecursionError) as error:
                        self._problem(file, number, "bad-class", f"no class record: {_said(error)}")
        except OSError as error:
            raise InputError(f"{file} cannot be read: {error.strerror or error}") from None

    def _line(self, file: Path, number: int, raw: bytes) -> None:
        text = raw.decode("utf-8").strip()
        if not text:
            return
        record = json.loads(text, object_pairs_hook=_without_repeats)
        class_id, title, instances = _fields(record)
        key = (file.stem, class_id)
        if key in self.seen:
            self._problem(file, number, "repeated-class", f"this class stands in {self.seen[key]} already", class_id)
            return
        self.titles[class_id] = self.titles.get(class_id) or title
        if title and self.titles[class_id] != title:
            message = f"this class has another title above: {self.titles[class_id]!r}"
            self._problem(file, number, "title-differs", message, class_id)
            return
        self.seen[key] = f"{file.name}:{number}"
        self.draft.class_type(class_id, file.stem, TYPE_SOURCE)
        for item, name in instances.items():
            self._instance(file, number, class_id, item, name)
        self._notice(file, number, record, len(instances))

    def _instance(self, file: Path, number: int, class_id: str, item: str, name: object) -> None:
        if not item or not isinstance(name, str) or not name or not storable(item + name):
            self._problem(file, number, "no-name", f"an instance without an id or a name ({name!r})", item)
            return
        if name == item or not presentable(name):
            self.noticed.append((file.name, Problem("not-drawn", number, f"no name for a sentence: {name!a}", item)))
        self.draft.name(item, self.language, name)
        self.draft.member(item, class_id, file.stem, called=name)

    def _notice(self, file: Path, number: int, record: dict[str, Any], count: int) -> None:
        stated = record.get("instance_num", count)
        if stated != count:
            message = f"instance_num is {stated}, but there are {count} instances"
            self.noticed.append((file.name, Problem("instance-num", number, message)))
        for key in sorted(set(record) - set(_KEYS)):
            if (file.name, key) not in self.strange:
                self.strange.add((file.name, key))
                self.noticed.append((file.name, Problem("unknown-key", number, "a key that is not kept", key)))

    def _problem(self, file: Path, line: int, code: str, message: str, token: str = "") -> None:
        self.problems.append((file.name, Problem(code, line, message, token)))


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        raise ValueError(f"{next(key for key in keys if keys.count(key) > 1)!r} stands twice")
    return found


def _fields(record: object) -> tuple[str, str, dict[str, Any]]:
    """A record's class, title and instances.

    Raises:
        ValueError: something is missing or has another form.
    """
    if not isinstance(record, dict):
        raise ValueError("not a JSON object")
    class_id, title, instances = record.get("class_id"), record.get("class_title") or "", record.get("instances")
    if not isinstance(class_id, str) or not class_id:
        raise ValueError("class_id is missing or no text")
    if not isinstance(title, str):
        raise ValueError("class_title is no text")
    if not isinstance(instances, dict):
        raise ValueError("instances are missing or no object")
    if not storable(class_id + title):
        raise ValueError("half of a surrogate pair in class_id or class_title")
    return class_id, title, instances


def _said(error: BaseException) -> str:
    if isinstance(error, UnicodeDecodeError):
        return f"byte 0x{error.object[error.start]:02x} is not UTF-8"
    if isinstance(error, json.JSONDecodeError):
        return f"no JSON, {error.msg} in column {error.colno}"
    return "nested too deeply" if isinstance(error, RecursionError) else str(error)


def class_lines(rows: Iterator[tuple[str, str, str | None, str | None]]) -> Iterator[str]:
    """Lines of a file of classes.

    rows   class, title, item, name, sorted by class and item; a class without instances has one row without an item
    """
    class_id, title = "", ""
    instances: dict[str, str] = {}
    for one, its_title, item, name in rows:
        if one != class_id:
            if class_id:
                yield _class_line(class_id, title, instances)
            class_id, title, instances = one, its_title, {}
        if item is not None and name is not None:
            instances[item] = name
    if class_id:
        yield _class_line(class_id, title, instances)


def _class_line(class_id: str, title: str, instances: dict[str, str]) -> str:
    record = {"class_id": class_id, "class_title": title, "instance_num": len(instances), "instances": instances}
    return json.dumps(record, ensure_ascii=False) + "\n"
