"""Write the page of plug-ins from the code: `python tools/plugin_pages.py docs/plugins.md`."""

from __future__ import annotations

import dataclasses
import importlib
import inspect
import re
import sys
from pathlib import Path
from typing import Any, get_type_hints

from nerquake.core.options import option_name, options_of
from nerquake.registry import REGISTRIES, SUITES, Registry

HEAD = """# Plug-ins and their options

Made from the code by `make docs`. `nerquake plugins` says which of them can run on your machine.
How to write options down: [specs.md](specs.md).
"""


def main() -> None:
    """Write the page into the file named on the command line, or print it."""
    text = page()
    if len(sys.argv) > 1:
        Path(sys.argv[1]).write_text(text, "utf-8")
    else:
        print(text, end="")


def page() -> str:
    """The whole page."""
    parts = [HEAD]
    for registry in REGISTRIES:
        parts.append(f"## {registry.kind.capitalize()}s\n")
        parts += [_plugin(registry, name) for name in sorted(registry.builtins)]
        if registry.aliases:
            rows = "\n".join(f"| `{name}` | `{meaning}` |" for name, meaning in sorted(registry.aliases.items()))
            parts.append(f"Other names:\n\n| name | the same as |\n|---|---|\n{rows}\n")
    rows = "\n".join(f"| `{name}` | {' '.join(f'`{m}`' for m in members)} |" for name, members in SUITES.items())
    parts.append(f"## Suites\n\nSeveral attacks under one name; what is not there yet, or not for the language, is "
                 f"left out and said.\n\n| suite | attacks |\n|---|---|\n{rows}\n")  # fmt: skip
    return "\n".join(parts)


def _plugin(registry: Registry, name: str) -> str:
    builtin = registry.builtins[name]
    needs = f' Needs `pip install "nerquake[{builtin.extra}]"`.' if builtin.extra else ""
    module, _, attribute = builtin.target.partition(":")
    plugin = getattr(importlib.import_module(module), attribute)  # also where its library is not installed
    text, told = _docstring(plugin)
    rows = [_row(field, told, get_type_hints(plugin)) for field in options_of(plugin).values()]
    table = "| option | values | default | |\n|---|---|---|---|\n" + "\n".join(rows) + "\n" if rows else "No options.\n"
    return f"### `{name}`\n\n{text}{needs}\n\n{table}"


def _docstring(plugin: type) -> tuple[str, dict[str, str]]:
    """A class's docstring without its list of options, and that list, with the options of the classes above it."""
    fields = dataclasses.fields(plugin)
    names = {name for field in fields for name in (field.name, option_name(field).replace("-", "_"))}
    text, told = _told(plugin, names)
    for parent in plugin.__mro__[1:]:
        told = {**_told(parent, names)[1], **told}
    return text, told


def _told(plugin: type, names: set[str]) -> tuple[str, dict[str, str]]:
    """The text of one class's docstring, and what it says of options. An option's line begins with its name."""
    text: list[str] = []
    told: dict[str, str] = {}
    current: list[str] = []
    for line in (inspect.cleandoc(plugin.__doc__) if plugin.__doc__ else "").split("\n"):
        found = re.match(r"(\w+(?:, \w+)*)  +(\S.*)", line)
        if found and set(found.group(1).split(", ")) <= names:
            current = found.group(1).split(", ")
            told |= dict.fromkeys(current, found.group(2))
        elif current and line.startswith(" "):
            told |= {name: f"{told[name]} {line.strip()}" for name in current}
        else:
            current = []
            text.append(line)
    return "\n".join(text).strip(), told


def _row(field: dataclasses.Field[Any], told: dict[str, str], hints: dict[str, Any]) -> str:
    name = option_name(field) + (" (after the colon)" if field.metadata.get("positional") else "")
    default = "needed" if field.default is dataclasses.MISSING else _value(field.default)
    what = told.get(field.name, told.get(option_name(field).replace("-", "_"), "")).replace("|", "\\|")
    return f"| `{name}` | {_kind(hints[field.name])} | {default} | {what} |"


def _kind(hint: Any) -> str:
    text = str(hint).replace("typing.", "")
    if "Literal" in text:
        return ", ".join(f"`{item}`" for item in re.findall(r"'([^']*)'", text))
    names = {
        "bool": "yes, no",
        "int": "whole number",
        "float": "number",
        "tuple": "list",
        "range": "range",
        "str": "text",
    }
    return next((word for key, word in names.items() if key in text), text)


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, range):
        value = f"{value[0]}-{value[-1]}" if value else ""
    if isinstance(value, tuple):
        value = "|".join(map(str, value))
    return f"`{str(value).replace('|', chr(92) + '|')}`" if value not in ("", None) else ""


if __name__ == "__main__":
    main()
