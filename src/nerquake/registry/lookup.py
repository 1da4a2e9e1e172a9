"""Plug-ins by name: built-ins in literal tables, third parties by entry points, ad hoc by `module:Class`.

A built-in is a string `module:Class`, resolved on first use, so that listing names loads nothing. A plug-in is a
frozen dataclass; its fields are its options.
"""

from __future__ import annotations

import dataclasses
import importlib
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

from nerquake.core.errors import MissingExtra, PluginError, UnknownName
from nerquake.core.options import instance, options_of
from nerquake.core.spec import POSITIONAL, Spec, Value, parse_chain


class Variant(NamedTuple):
    """What a built-in needs instead where an option has a certain value: `option` is written as it is typed."""

    option: str
    library: str
    extra: str

    @property
    def missing(self) -> tuple[str, ...]:
        """Those of its libraries that are not installed."""
        return _missing(self.library)

    def asked_by(self, spec: Spec) -> bool:
        """Whether a specification has the option with this value."""
        return any(f"{key.replace('_', '-')}={value}" == self.option for key, value in spec.params)


@dataclass(frozen=True, slots=True)
class Builtin:
    """A built-in plug-in: where it is, what it does, and the libraries and the extra that it needs, if any.

    library   modules, with blanks between them; all of them are needed
    variants  what is needed instead with some value of an option
    """

    target: str
    summary: str
    library: str = ""
    extra: str = ""
    variants: tuple[Variant, ...] = ()

    @property
    def missing(self) -> tuple[str, ...]:
        """Those of its libraries that are not installed."""
        return _missing(self.library)

    @property
    def available(self) -> bool:
        """Whether its libraries are installed."""
        return not self.missing

    def check(self, what: str, spec: Spec | None = None) -> None:
        """See that what a specification needs is there; without one, that the plug-in can run in some way.

        Raises:
            MissingExtra: names what is not installed.
        """
        asked = [variant for variant in self.variants if spec is None or variant.asked_by(spec)]
        if spec is not None and asked:
            if asked[0].missing:
                raise MissingExtra(f"{what} with {asked[0].option}", _listed(asked[0].missing), asked[0].extra)
        elif not self.available and all(variant.missing for variant in asked):
            raise MissingExtra(what, _listed(self.missing), self.extra)


def _missing(library: str) -> tuple[str, ...]:
    return tuple(module for module in library.split() if find_spec(module) is None)


def _listed(modules: tuple[str, ...]) -> str:
    return modules[0] + (f" (and {', '.join(modules[1:])})" if modules[1:] else "")


@dataclass(frozen=True)
class Registry:
    """Plug-ins of one kind.

    kind     what messages call one, such as "perturbation"
    group    entry point group of third parties
    needs    what a plug-in must have: methods and properties of its protocol
    """

    kind: str
    group: str
    builtins: Mapping[str, Builtin]
    aliases: Mapping[str, str] = dataclasses.field(default_factory=dict)
    needs: tuple[str, ...] = ()

    def names(self) -> tuple[str, ...]:
        """All registered names, aliases included, sorted."""
        return tuple(sorted({*self.builtins, *self.aliases, *self.installed()}))

    def installed(self) -> dict[str, EntryPoint]:
        """Third parties' plug-ins by name. A name taken twice is an error."""
        found: dict[str, EntryPoint] = {}
        for entry in _entries(self.group):
            if entry.name in self.builtins or entry.name in self.aliases:
                raise PluginError(f"the {self.kind} {entry.name!r} of {entry.value} has the name of a built-in")
            if entry.name in found and found[entry.name].value != entry.value:
                raise PluginError(
                    f"two {self.kind}s are called {entry.name!r}: {found[entry.name].value}, {entry.value}"
                )
            found[entry.name] = entry
        return found

    def load(self, name: str, spec: Spec | None = None) -> type:
        """The class behind a registered name; `spec`, where there is one, says what it will be asked to do.

        Raises:
            UnknownName: with near matches.
            MissingExtra: a library of it is not installed; the message has the pip line.
        """
        builtin = self.builtins.get(name)
        if builtin is not None:
            builtin.check(f"the {self.kind} {name}", spec)
            return _resolve(builtin.target)
        entry = self.installed().get(name)
        if entry is None:
            raise UnknownName(self.kind, name, self.names(), "`nerquake plugins` says what each one does.")
        try:
            loaded: type = entry.load()
        except Exception as error:
            what = f"the {self.kind} {name} of {origin_of(entry)} cannot be loaded"
            raise PluginError(f"{what}: {type(error).__name__}: {error}") from error
        return loaded

    def expand(self, spec: Spec) -> Spec:
        """What an alias for a single plug-in stands for, as `expand_all`; other specifications as they are."""
        steps = self.expand_all(spec)
        return steps[0] if len(steps) == 1 else spec

    def expand_all(self, spec: Spec) -> tuple[Spec, ...]:
        """The steps that an alias stands for, with the options that were typed on it, which win.

        Of an alias for several steps each takes the options that it has; one that none has stays with the last, which
        refuses it by name. Other specifications are their own only step.
        """
        if spec.name not in self.aliases:
            return (spec,)
        steps = parse_chain(self.aliases[spec.name]).steps
        typed = [(key.replace("_", "-"), value) for key, value in spec.params]
        return tuple(Spec(step.name, params, spec.text) for step, params in self._shared_out(steps, typed))

    def _shared_out(
        self, steps: Sequence[Spec], typed: Sequence[tuple[str, Value]]
    ) -> Iterator[tuple[Spec, tuple[tuple[str, Value], ...]]]:
        """Each step with its own options and those of `typed` that are meant for it."""
        known = [frozenset({*options_of(self.load(step.name)), "name"}) for step in steps] if len(steps) > 1 else []
        for at, step in enumerate(steps):
            mine = [pair for pair in typed if not known or pair[0] in known[at]]
            if at == len(steps) - 1:
                mine += [pair for pair in typed if known and not any(pair[0] in options for options in known)]
            params = {key.replace("_", "-"): value for key, value in (*step.params, *mine)}
            yield step, tuple(sorted(params.items(), key=lambda pair: pair[0] != POSITIONAL))

    def build(self, spec: Spec) -> Any:
        """The plug-in that a specification describes.

        Raises:
            SpecError: an option that it does not have, or a value of the wrong form.
            PluginError: a class that is no plug-in of this kind.
        """
        asked = spec = self.expand(spec.without("name"))
        if spec.name not in self.names() and (found := self._ad_hoc(spec)) is not None:
            plugin, spec = found
        else:
            plugin = self.load(spec.name, spec)
        made = instance(plugin, spec)
        missing = [name for name in self.needs if not hasattr(made, name)]
        if missing:
            raise PluginError(f"{asked} is no {self.kind}: it has no {', '.join(missing)}")
        return made

    def _ad_hoc(self, spec: Spec) -> tuple[type, Spec] | None:
        """`module:Class,key=value`: a class of the user's own, from the working directory or installed."""
        attribute = spec.get(POSITIONAL)
        if not isinstance(attribute, str) or not attribute.isidentifier():
            return None
        here = str(Path.cwd())
        if here not in sys.path:
            sys.path.append(here)
        try:
            return _resolve(f"{spec.name}:{attribute}"), spec.without(POSITIONAL)
        except PluginError:
            raise
        except Exception as error:  # whatever the user's module does when it is imported
            missing = error.name if isinstance(error, ModuleNotFoundError) else None
            if spec.name.startswith(".") or (missing and f"{spec.name}.".startswith(f"{missing}.")):
                return None
            what = f"{type(error).__name__}: {error}"
            raise PluginError(f"{spec.name}:{attribute} cannot be loaded: {what}") from error


def origin_of(entry: EntryPoint) -> str:
    """The package that a third party's plug-in comes from."""
    return entry.dist.name if entry.dist else entry.value


@cache
def _entries(group: str) -> tuple[EntryPoint, ...]:
    return tuple(entry_points(group=group))


def _resolve(target: str) -> type:
    module, _, attribute = target.partition(":")
    loaded = importlib.import_module(module)
    found = getattr(loaded, attribute, None)
    if not isinstance(found, type):
        raise PluginError(f"{module} has no class {attribute}")
    return found
