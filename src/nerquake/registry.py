"""Plug-ins by name: built-ins in literal tables, third parties by entry points, ad hoc by `module:Class`.

A built-in is a string `module:Class`, resolved on first use, so that listing names loads nothing. A plug-in is a
frozen dataclass; its fields are its options.
"""

from __future__ import annotations

import dataclasses
import importlib
import math
import sys
import types
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Literal, NamedTuple, Union, cast, get_args, get_origin, get_type_hints

from nerquake.core.errors import MissingExtra, PluginError, SpecError, UnknownName
from nerquake.core.spec import POSITIONAL, Spec, Value, parse_spec


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
    """

    kind: str
    group: str
    builtins: Mapping[str, Builtin]
    aliases: Mapping[str, str] = dataclasses.field(default_factory=dict)

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
        """What an alias stands for, with the options that were typed on it, which win; other specifications as is."""
        if spec.name not in self.aliases:
            return spec
        alias = parse_spec(self.aliases[spec.name])
        params = {key.replace("_", "-"): value for key, value in (*alias.params, *spec.params)}
        ordered = sorted(params.items(), key=lambda pair: pair[0] != POSITIONAL)
        return Spec(alias.name, tuple(ordered), spec.text)

    def build(self, spec: Spec) -> Any:
        """The plug-in that a specification describes.

        Raises:
            SpecError: an option that it does not have, or a value of the wrong form.
        """
        spec = self.expand(spec.without("name"))
        if spec.name not in self.names() and (found := self._ad_hoc(spec)) is not None:
            plugin, spec = found
        else:
            plugin = self.load(spec.name, spec)
        return _instance(plugin, spec)

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


def _instance(plugin: type, spec: Spec) -> Any:
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


def positional(default: Any = dataclasses.MISSING) -> Any:
    """The field that takes the value directly after the colon."""
    return dataclasses.field(default=default, metadata={"positional": True})


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


READERS = Registry(
    "format",
    "nerquake.readers",
    {
        "conll": Builtin("nerquake.io.conll:Conll", "token and tag columns: CoNLL, WNUT, MultiCoNER, CoNLL-U comments"),
        "jsonl": Builtin("nerquake.io.jsonl:Jsonl", "nerquake's own lossless form, one JSON record a sentence"),
        "doccano": Builtin("nerquake.io.doccano:Doccano", "doccano's JSON Lines: texts with labels by characters"),
        "prodigy": Builtin("nerquake.io.prodigy:Prodigy", "Prodigy's JSON Lines: texts, tokens, spans and answers"),
        "labelstudio": Builtin("nerquake.io.labelstudio:LabelStudio", "Label Studio's JSON: tasks with annotations"),
        "brat": Builtin("nerquake.io.brat:Brat", "brat standoff: a folder of .txt and .ann files"),
        "spacy-json": Builtin("nerquake.io.spacy_json:SpacyJson", "spaCy's training data as JSON, v2 and v3"),
        "conll2012": Builtin("nerquake.io.conll2012:Conll2012", "OntoNotes as in CoNLL-2012: a file, a folder, a glob"),
        "conllu": Builtin("nerquake.io.conllu:Conllu", "CoNLL-U with entities in MISC: name=B-PER"),
        "hipe": Builtin("nerquake.io.hipe:Hipe", "HIPE 2020 and 2022: one of several entity columns"),
        "germeval": Builtin("nerquake.io.germeval:GermEval", "GermEval 2014: the outer or the inner mentions"),
        "csv": Builtin("nerquake.io.csv_table:Csv", "a table with a header, a row a token or a row a sentence"),
        "tsv": Builtin("nerquake.io.csv_table:Tsv", "the same with TABs between cells"),
        "docbin": Builtin("nerquake.io.docbin:SpacyDocs", "spaCy's binary training files, .spacy", "spacy", "spacy"),
        "hf": Builtin(
            "nerquake.io.hf_dataset:HfDataset",
            "a Hugging Face data set: a folder, a file, a name",
            "datasets",
            "datasets",
        ),
    },
    aliases={"huggingface": "hf"},
)
PERTURBATIONS = Registry(
    "perturbation",
    "nerquake.perturbations",
    {
        "swap": Builtin("nerquake.perturb.swap:Swap", "mentions of a type are dealt out again among them (M: RS)"),
        "faker": Builtin("nerquake.perturb.faker:FakerNames", "people and places invented by locale (M: Faker)"),
        "gazetteer": Builtin("nerquake.perturb.gazetteer:Gazetteer", "names from a file of the user's own"),
        "letters": Builtin("nerquake.perturb.letters:Letters", "letters of mentions at random (R: Random Masking)"),
        "mixup": Builtin("nerquake.perturb.mixup:Mixup", "halves of two sentences joined (R: Mixing up)"),
        "identity": Builtin("nerquake.perturb.identity:Identity", "changes nothing; the control"),
    },
    aliases={
        "rs": "swap",
        "entity-switching": "swap:replace=yes",
        "random-masking": "letters",
        "mixing-up": "mixup",
    },
)
SUITES: dict[str, tuple[str, ...]] = {"multilingual": ("rs", "faker", "mask", "para", "m+r")}
"""Names that stand for several attacks: what is not there yet, or not for the language, is left out and said."""
TAGGERS = Registry(
    "tagger",
    "nerquake.taggers",
    {
        "rules": Builtin("nerquake.taggers.rules:Rules", "names and patterns from a file; no model"),
        "file": Builtin("nerquake.taggers.file:FileTagger", "predictions made elsewhere, joined by sentence id"),
        "callable": Builtin("nerquake.taggers.function:FunctionTagger", "a Python function of the user's own"),
        "spacy": Builtin("nerquake.taggers.spacy:SpacyTagger", "a spaCy pipeline, by name or folder", "spacy", "spacy"),
        "huggingface": Builtin(
            "nerquake.taggers.huggingface:HuggingFaceTagger",
            "a transformers model, by folder or name on the hub",
            "transformers torch",
            "huggingface",
            (Variant("runtime=onnx", "transformers onnxruntime", "onnx"),),
        ),
        "flair": Builtin(
            "nerquake.taggers.flair:FlairTagger", "a Flair model, by file, folder or name", "flair torch", "flair"
        ),
        "stanza": Builtin(
            "nerquake.taggers.stanza:StanzaTagger", "a Stanza model, by folder or file", "stanza torch", "stanza"
        ),
        "llm": Builtin("nerquake.taggers.llm:LlmTagger", "a language model behind an OpenAI-compatible endpoint"),
    },
)
METRICS = Registry(
    "metric",
    "nerquake.metrics",
    {"semeval": Builtin("nerquake.score.metrics:SemEval", "strict, exact, partial and type F1 from one pairing")},
)
RENDERERS = Registry(
    "renderer",
    "nerquake.renderers",
    {
        "html": Builtin("nerquake.report.html:HtmlReport", "report.html, one file, readable offline"),
        "latex": Builtin("nerquake.report.latex:LatexTables", "tables.tex, for papers"),
        "markdown": Builtin("nerquake.report.markdown:MarkdownReport", "report.md"),
    },
)
REGISTRIES = (READERS, PERTURBATIONS, TAGGERS, METRICS, RENDERERS)
