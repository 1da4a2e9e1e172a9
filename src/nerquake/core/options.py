"""A plug-in's options: the fields of its frozen dataclass, and texts from a specification as their values."""

from __future__ import annotations

import dataclasses
import math
import types
from collections.abc import Mapping
from typing import Any, Literal, Union, cast, get_args, get_origin, get_type_hints

from nerquake.core.errors import SpecError, UnknownName
from nerquake.core.spec import POSITIONAL, Spec, Value


def options_of(plugin: type) -> dict[str, dataclasses.Field[Any]]:
    """A plug-in's options: the fields of its dataclass, by their name in specifications."""
    if not dataclasses.is_dataclass(plugin):
        return {}
    return {
        option_name(field): field
        for field in dataclasses.fields(plugin)
        if field.init and not field.metadata.get("settled")
    }


def settled(default: Any) -> Any:
    """A field that is no option: what builds the plug-in settles it, such as the gold file's scheme."""
    return dataclasses.field(default=default, metadata={"settled": True})


def option_name(field: dataclasses.Field[Any]) -> str:
    """How an option is written: as its field, unless the field cannot have that name."""
    return str(field.metadata.get("option", field.name)).replace("_", "-")


def instance(plugin: type, spec: Spec) -> Any:
    """The plug-in with the options that a specification gives.

    Raises:
        SpecError: an option that it does not have, one that is missing, or a value of the wrong form.
    """
    options = options_of(plugin)
    hints = get_type_hints(plugin)
    values: dict[str, object] = {}
    for key, value in spec.params:
        field = _field(plugin, spec, options, key)
        if field.name in values:
            raise SpecError(f"{spec.name}: {field.name} is given twice")
        values[field.name] = convert(value, hints[field.name], f"{spec.name}: {key or 'value'}")
    needed = [
        name for name, field in options.items()
        if field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING
    ]  # fmt: skip
    absent = [name for name in needed if options[name].name not in values]
    if absent:
        raise SpecError(f"{spec.name} needs {', '.join(absent)}: {spec.name}:{absent[0].upper()}")
    try:
        return plugin(**values)
    except ValueError as error:
        raise SpecError(f"{spec.name}: {error}") from error


def _field(plugin: type, spec: Spec, options: Mapping[str, dataclasses.Field[Any]], key: str) -> dataclasses.Field[Any]:
    if key == POSITIONAL:
        positional = [field for field in options.values() if field.metadata.get("positional")]
        if not positional:
            raise SpecError(f"{spec.name} takes no value after the colon, only options: {', '.join(options) or 'none'}")
        return positional[0]
    found = options.get(key.replace("_", "-"))
    if found is None:
        raise UnknownName(f"option of {spec.name}", key, tuple(options))
    return found


def positional(default: Any = dataclasses.MISSING, *, drawn: bool = True) -> Any:
    """The field that takes the value directly after the colon. `drawn`: as for `undrawn`."""
    return dataclasses.field(default=default, metadata={"positional": True, "undrawn": not drawn})


def undrawn(default: Any) -> Any:
    """A field that draws do not depend on, such as the model that an attack asks.

    Under another one the same places are drawn, so that two models are compared over the same places.
    """
    return dataclasses.field(default=default, metadata={"undrawn": True})


def option(name: str, default: Any = dataclasses.MISSING) -> Any:
    """A field whose option has another name than the field, as where a method has the name already."""
    return dataclasses.field(default=default, metadata={"option": name})


def convert(value: Value, hint: Any, what: str) -> object:
    """A text or a list of texts as the type that an option asks for.

    Raises:
        SpecError: the value has another form; the message says which was expected.
    """
    origin, args = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        inner = [arg for arg in args if arg is not type(None)]
        return convert(value, inner[0], what)
    if origin is tuple:
        items = value if isinstance(value, tuple) else (value,)
        return tuple(convert(item, args[0], what) for item in items)
    if isinstance(value, tuple):
        raise SpecError(f"{what}: one value is expected, not a list")
    if origin is Literal:
        if value not in args:
            raise SpecError(f"{what}: expected one of {', '.join(map(str, args))}, got {value!r}")
        return value
    return _scalar(value, hint, what)


def _scalar(value: str, hint: Any, what: str) -> object:
    if hint is bool:
        if value.lower() not in ("yes", "no", "true", "false"):
            raise SpecError(f"{what}: expected yes or no, got {value!r}")
        return value.lower() in ("yes", "true")
    if hint in (int, float):
        try:
            number = hint(value)
        except ValueError:
            number = None
        if number is None or (hint is float and not math.isfinite(number)):
            expected = "a whole number" if hint is int else "a number"
            raise SpecError(f"{what}: expected {expected}, got {value!r}")
        return cast(object, number)
    if hint is range:
        low, hyphen, high = value.partition("-")
        if not (low.isdecimal() and (not hyphen or high.isdecimal())) or int(low) > int(high or low):
            raise SpecError(f"{what}: expected a range such as 100-200, got {value!r}")
        return range(int(low), int(high or low) + 1)
    return value
