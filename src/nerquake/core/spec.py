"""Specifications: the one grammar of perturbations, taggers, formats and everything else that has a name and options.

```
chain      = spec { "+" spec }
spec       = name [ ":" positional ] { "," option }   |   name ":" option { "," option }
option     = key "=" value
value      = item { "|" item }                        a list has two or more items
item       = characters without , + | "               |   " any characters, \\ before \\ and " "
```
A registered name may hold a `+` itself (`m+r`): it is read first where it is the whole text, or where options follow
it. The docs have a table of examples.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple, NoReturn

from nerquake.core.errors import SpecError

Value = str | tuple[str, ...]
POSITIONAL = ""
"""The key of the value directly after the first colon."""

_KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*(?==)")
_NAME = re.compile(r"[^:,+=|\"\s]+")
_SAFE = re.compile(r'[^,+|"\\\s]+(?: [^,+|"\\\s]+)*')
_UNSAFE_IN_NAME = re.compile(r"[^A-Za-z0-9._+=-]")


@dataclass(frozen=True, slots=True)
class Spec:
    """One plug-in with its options.

    name     the plug-in's registered name, or a module for `module:Class`
    params   options in the order given; key "" is the positional value; a tuple is a list
    text     as it was typed, not compared
    """

    name: str
    params: tuple[tuple[str, Value], ...] = ()
    text: str = field(default="", compare=False)

    def __post_init__(self) -> None:
        if not all(map(_NAME.fullmatch, self.name.split("+"))):  # a registered name such as m+r is one name
            raise SpecError(f"{self.name!r} is not a name")
        for key, value in self.params:
            if key != POSITIONAL and not re.fullmatch(_KEY.pattern.replace("(?==)", ""), key):
                raise SpecError(f"{self.name}: {key!r} is not the name of an option")
            if isinstance(value, tuple) and len(value) < 2:
                raise SpecError(f"{self.name}: a list has two or more items, {key} has {len(value)}")
        keys = [key for key, _ in self.params]
        if len(set(keys)) != len(keys):
            raise SpecError(f"{self.name}: an option is given twice: {', '.join(k or 'the value' for k in keys)}")
        if POSITIONAL in keys[1:]:
            raise SpecError(f"{self.name}: the value stands directly after the colon")

    def __str__(self) -> str:
        parts = [
            _print_value(value, key) if key == POSITIONAL else f"{key}={_print_value(value, key)}"
            for key, value in self.params
        ]
        return f"{self.name}:{','.join(parts)}" if parts else self.name

    def get(self, key: str) -> Value | None:
        """An option's value, None where it is not given."""
        return dict(self.params).get(key)

    def without(self, *keys: str) -> Spec:
        """The same without some options."""
        return Spec(self.name, tuple(pair for pair in self.params if pair[0] not in keys), self.text)

    def to_json(self) -> dict[str, object]:
        """As JSON values; `from_json` reads it back."""
        return {"name": self.name, "params": [[k, list(v) if isinstance(v, tuple) else v] for k, v in self.params]}

    @classmethod
    def from_json(cls, data: Mapping[str, object]) -> Spec:
        """Read what `to_json` wrote."""
        pairs = data["params"]
        assert isinstance(pairs, list)
        return cls(str(data["name"]), tuple((k, tuple(v) if isinstance(v, list) else v) for k, v in pairs))


class Chain(NamedTuple):
    """Specifications joined by `+`, run one after another, with the name that outputs use."""

    steps: tuple[Spec, ...]
    text: str

    def __str__(self) -> str:
        return "+".join(map(str, self.steps))

    @property
    def name(self) -> str:
        """`name=` of any step, else the text as typed; what file names cannot hold becomes `_`."""
        given = [value for step in self.steps for key, value in step.params if key == "name"]
        chosen = given[-1] if given else self.text
        return safe_name(chosen if isinstance(chosen, str) else "|".join(chosen))

    @property
    def plain(self) -> Chain:
        """The same without `name=`."""
        return Chain(tuple(step.without("name") for step in self.steps), self.text)


def safe_name(text: str) -> str:
    """A text as a set or tagger name: other characters than letters, digits and `._+=-` become `_`.

    The name is a folder's or file's name too, so that "", "." and ".." become `_` as well.
    """
    return _UNSAFE_IN_NAME.sub("_", text) if text.strip(".") else "_" * max(1, len(text))


def parse_chain(text: str, known: Collection[str] = ()) -> Chain:
    """Read specifications joined by `+`; `known` are registered names, which may hold a `+` themselves.

    Raises:
        SpecError: the text does not follow the grammar; the message points at the place.
    """
    if text in known:
        return Chain((Spec(text, text=text),), text)
    reader = _Reader(text, names=known)
    steps = [reader.spec()]
    while reader.take("+"):
        steps.append(reader.spec())
    if reader.at < len(text):
        reader.fail("expected `,`, `+` or the end")
    return Chain(tuple(steps), text)


def parse_spec(text: str, known: Collection[str] = ()) -> Spec:
    """Read a specification that is not a chain; a `+` in its value needs no quotes."""
    if text in known:
        return Spec(text, text=text)
    reader = _Reader(text, plus=True)
    spec = reader.spec()
    if reader.at < len(text):
        reader.fail("expected `,` or the end")
    return Spec(spec.name, spec.params, text)


def print_chain(steps: Iterable[Spec]) -> str:
    """Steps as a text that `parse_chain` reads back to the same steps."""
    return "+".join(map(str, steps))


def _print_value(value: Value, key: str) -> str:
    first, *rest = value if isinstance(value, tuple) else (value,)
    looks_like_option = key == POSITIONAL and _KEY.match(first) is not None
    return "|".join([_quote(first) if looks_like_option else _print_item(first), *map(_print_item, rest)])


def _print_item(item: str) -> str:
    return item if _SAFE.fullmatch(item) else _quote(item)


def _quote(item: str) -> str:
    escaped = item.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


class _Reader:
    """Reads one text from left to right."""

    def __init__(self, text: str, plus: bool = False, names: Collection[str] = ()) -> None:
        self.text, self.at = text, 0
        self.joined = [name for name in names if "+" in name]
        self.plain = re.compile(r'[^,|"]*' if plus else r'[^,+|"]*')

    def fail(self, message: str) -> NoReturn:
        raise SpecError(
            f"specification {self.text!r}: {message} at position {self.at + 1}"
            " (a value with , + | or quotes in it stands in double quotes)"
        )

    def take(self, character: str) -> bool:
        if self.text.startswith(character, self.at):
            self.at += len(character)
            return True
        return False

    def spec(self) -> Spec:
        start = self.at
        name = self.name()
        params: list[tuple[str, Value]] = []
        if self.take(":"):
            params.append(self.first())
            while self.take(","):
                params.append(self.option())
        elif self.take(","):
            params.append(self.option())
            while self.take(","):
                params.append(self.option())
        return Spec(name, tuple(params), self.text[start : self.at])

    def name(self) -> str:
        """A name; a registered one with a `+` in it where options follow."""
        for name in self.joined:
            if self.text.startswith((f"{name}:", f"{name},"), self.at):
                self.at += len(name)
                return name
        found = _NAME.match(self.text, self.at)
        if found is None:
            self.fail("expected a name")
        self.at = found.end()
        return found.group()

    def first(self) -> tuple[str, Value]:
        return self.option() if _KEY.match(self.text, self.at) else (POSITIONAL, self.value())

    def option(self) -> tuple[str, Value]:
        found = _KEY.match(self.text, self.at)
        if found is None:
            self.fail("expected key=value")
        self.at = found.end() + 1
        return found.group(), self.value()

    def value(self) -> Value:
        items = [self.item()]
        while self.take("|"):
            items.append(self.item())
        return items[0] if len(items) == 1 else tuple(items)

    def item(self) -> str:
        if not self.take('"'):
            found = self.plain.match(self.text, self.at)
            assert found is not None
            self.at = found.end()
            return found.group()
        return self.quoted()

    def quoted(self) -> str:
        """The rest of a quoted item; a backslash stands for itself except before a backslash or a quote."""
        characters: list[str] = []
        while self.at < len(self.text):
            if self.take('"'):
                return "".join(characters)
            if self.text[self.at] == "\\" and self.text[self.at + 1 : self.at + 2] in ("\\", '"'):
                self.at += 1
            characters.append(self.text[self.at])
            self.at += 1
        return self.fail("a quoted value has no end")
