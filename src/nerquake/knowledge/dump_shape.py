"""The parts of an entity that are needed, as typed values that msgspec reads straight from a line.

Whatever is not named here is checked to be JSON and passed over, five times as fast as reading it all.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from operator import attrgetter
from types import GenericAlias
from typing import Any, Protocol

from nerquake.knowledge.dump_options import COUNTRY, INSTANCE, SUBCLASS


class Entity(Protocol):
    """An entity's needed parts. Each but the first two may be [], which PHP writes for an empty {}."""

    type: str
    id: str
    labels: Any
    aliases: Any
    descriptions: Any
    claims: Any
    sitelinks: Any


@dataclass(frozen=True, slots=True)
class Shape:
    """The types, and what reads a line as them.

    codes         language codes, in the order in which `texts` gives an entity's labels or aliases
    descriptions  whether entities have them
    texts         labels, aliases or descriptions -> a tuple with a value a language, empty where there is none
    errors        what `decode` raises for a line that it cannot read
    """

    codes: tuple[str, ...]
    descriptions: bool
    decode: Callable[[memoryview], Entity]
    texts: Callable[[Any], tuple[Any, ...]]
    errors: tuple[type[Exception], ...]
    entity: Callable[..., Entity]
    labels: Callable[..., Any]
    aliases: Callable[..., Any]
    text: Callable[..., Any]
    claims: Callable[..., Any]
    statement: Callable[..., Any]
    snak: Callable[..., Any]
    data: Callable[..., Any]
    value: Callable[..., Any]
    site: Callable[..., Any]


@lru_cache(maxsize=8)
def shape_of(codes: tuple[str, ...], descriptions: bool) -> Shape:
    """The shape for some languages."""
    import msgspec

    def struct(name: str, *fields: Any, rename: dict[str, str] | None = None) -> Any:
        return msgspec.defstruct(name, fields, rename=rename, gc=False, kw_only=True)

    text = struct("Text", ("value", str))
    value = struct("Value", ("id", str, ""), ("number", int, 0), ("kind", str, "item"),
                   rename={"number": "numeric-id", "kind": "entity-type"})  # fmt: skip
    data = struct("DataValue", ("value", value))
    snak = struct("Snak", ("snaktype", str, "value"), ("datavalue", data | None, None))
    statement = struct("Statement", ("mainsnak", snak), ("rank", str, "normal"))
    claims = struct("Claims", *((name, GenericAlias(list, (statement,)), ()) for name in (INSTANCE, SUBCLASS, COUNTRY)))
    site = struct("Sitelink", ("title", str, ""))
    fields = tuple(f"text{place}" for place in range(len(codes)))
    named = dict(zip(fields, codes, strict=True))
    labels = struct("Labels", *((name, text | None, None) for name in fields), rename=named)
    aliases = struct("Aliases", *((name, GenericAlias(list, (text,)), ()) for name in fields), rename=named)
    parts = {"labels": labels, "aliases": aliases, "claims": claims, "sitelinks": GenericAlias(dict, (str, site))}
    if descriptions:
        parts["descriptions"] = labels
    entity = struct(
        "Entity", ("type", str, ""), ("id", str, ""), *((name, kind | list, ()) for name, kind in parts.items())
    )
    several = len(fields) > 1
    texts = attrgetter(*fields) if several else lambda one: (one.text0,)
    errors = (msgspec.MsgspecError, RecursionError, UnicodeDecodeError)
    decode = msgspec.json.Decoder(entity).decode
    return Shape(codes, descriptions, decode, texts, errors,
                 entity, labels, aliases, text, claims, statement, snak, data, value, site)  # fmt: skip
