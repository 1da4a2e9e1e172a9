"""The flags that every command reading data shares (docs/commands.md), gathered into one value."""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Literal, TypeVar

import click

from nerquake.core.dataset import Dataset
from nerquake.core.errors import UsageError
from nerquake.core.labels import LabelRules, RelabelledGold, Unmapped, relabel
from nerquake.core.protocols import Align, Flatten, ReadOptions
from nerquake.core.spec import Chain

Function = TypeVar("Function", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class Settings:
    """What the shared flags say."""

    input: str
    scheme: str
    repair_gold: str
    repair: Literal["conlleval", "discard", "none"]
    labels: str
    map: str
    unmapped: Unmapped
    entity_free: Literal["score", "skip"]
    language: str
    align: Align
    flatten: Flatten
    lenient: bool
    sample: int | None
    jobs: int
    seed: int
    resamples: int
    level: float
    format: Literal["table", "json", "csv"]

    @property
    def reading(self) -> ReadOptions:
        """How to read gold."""
        return ReadOptions(
            scheme=self.scheme,
            repair=self.repair_gold,
            lenient=self.lenient,
            align=self.align,
            flatten=self.flatten,
            language=self.language,
        )

    @property
    def rules(self) -> LabelRules:
        """How to join labels."""
        return LabelRules.parse(self.labels, self.map, self.unmapped)

    def gold(self, path: str) -> RelabelledGold:
        """Read a labelled file, restrict and rename its labels, set its language."""
        from dataclasses import replace

        from nerquake.io.load import load

        dataset: Dataset = load(path, self.input, self.reading)
        if self.language:
            dataset = replace(dataset, language=self.language)
        return relabel(dataset, self.rules)

    def sampled(self, path: str) -> RelabelledGold:
        """The same, with the sentences that `--sample` draws, in file order; all without it."""
        return self._sampled(self.gold(path))

    def restricted(self, dataset: Dataset) -> RelabelledGold:
        """A data set that was read, restricted to the labels and sentences that are asked for."""
        return self._sampled(relabel(dataset, self.rules))

    def _sampled(self, found: RelabelledGold) -> RelabelledGold:
        if self.sample is None:
            return found
        from nerquake.perturb.sample import sample_ids

        keep = sample_ids(found.dataset, self.sample, self.seed)
        kept = found.dataset.with_sentences([sentence for sentence in found.dataset if sentence.id in keep])
        return RelabelledGold(kept, found.left_out)


def _config(context: click.Context, parameter: click.Parameter, value: str | None) -> None:
    """Take defaults from a TOML file with the flags' own names."""
    if value is None:
        return
    try:
        data = tomllib.loads(Path(value).read_text("utf-8"))
    except OSError as error:
        raise UsageError(f"--config {value}: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"--config {value}: {error}") from error
    names = {option.lstrip("-"): p.name for p in context.command.params for option in p.opts}
    unknown = sorted(set(data) - set(names))
    if unknown:
        raise UsageError(f"--config {value}: no option is called {', '.join(unknown)}; there are: "
                         f"{', '.join(sorted(name for name in names if len(name) > 1))}")  # fmt: skip
    several = {p.name for p in context.command.params if isinstance(p, click.Option) and p.multiple}
    found = {names[key] or key: _typed(val, names[key] in several) for key, val in data.items()}
    context.default_map = {**(context.default_map or {}), **found}


def _typed(value: Any, several: bool) -> Any:
    """A TOML value as the command line would have it: lists and tables as `A,B` and `A=B`, numbers as text."""
    if isinstance(value, dict):
        return ",".join(f"{key}={target}" for key, target in value.items())
    if isinstance(value, list):
        items = [str(item) for item in value]
        return items if several else ",".join(items)
    if isinstance(value, bool):
        return value
    return [str(value)] if several else str(value)


_OPTIONS = (
    click.option("--config", is_eager=True, expose_value=False, callback=_config, metavar="FILE.toml",
                 help="Take options from a TOML file; the command line wins."),
    click.option("--input", "input", default="", metavar="FORMAT", help="Format and columns: conll:token=0,tag=-1."),
    click.option("--scheme", default="auto", help="auto, io, iob1, iob2, bioes, bilou or bmes.", show_default=True),
    click.option("--repair-gold", type=click.Choice(["conlleval", "discard"]),
                 help="Repair ill-formed gold tags; without it they are an error."),
    click.option("--repair", type=click.Choice(["conlleval", "discard", "none"]), default="conlleval",
                 show_default=True, help="What to do with ill-formed predicted tags."),
    click.option("--labels", default="", metavar="A,B", help="Only these labels, or a named set (ontonotes-names)."),
    click.option("--map", "map", default="", metavar="A=B,C=", help="Rename labels; an empty target drops one."),
    click.option("--unmapped", type=click.Choice(["stop", "keep", "drop"]), default="stop", show_default=True,
                 help="Predicted labels that the gold set does not have."),
    click.option("--entity-free", type=click.Choice(["score", "skip"]), default="score", show_default=True,
                 help="Sentences without gold mentions."),
    click.option("--language", default="", metavar="CODE", help="Language of the data: en, de, hi, ..."),
    click.option("--align", type=click.Choice(["strict", "expand", "contract"]), default="strict", show_default=True,
                 help="Spans that cut a token, in formats with character offsets."),
    click.option("--flatten", type=click.Choice(["outer", "inner", "longest"]),
                 help="Which of nested or overlapping mentions to keep; without it they are an error."),
    click.option("--lenient", is_flag=True, help="Skip and count what is broken in a file."),
    click.option("--sample", type=click.IntRange(min=1), metavar="N", help="Take N sentences, drawn by the seed."),
    click.option("--jobs", type=click.IntRange(min=1), default=1, show_default=True, help="Processes."),
    click.option("--seed", type=int, default=0, show_default=True, help="Everything random follows from it."),
    click.option("--resamples", type=click.IntRange(min=1), default=1000, show_default=True,
                 help="Bootstrap resamples and random swaps."),
    click.option("--level", type=click.FloatRange(0, 1, min_open=True, max_open=True), default=0.95,
                 show_default=True, help="Level of the intervals."),
    click.option("--format", "format", type=click.Choice(["table", "json", "csv"]), default="table",
                 show_default=True, help="Form of the result on standard output."),
)  # fmt: skip


def data_options(function: Function) -> Function:
    """Add the shared flags; the command receives them as `settings`."""

    @functools.wraps(function)
    def wrapped(*args: Any, **kwargs: Any) -> Any:
        values = {name: kwargs.pop(name) for name in _NAMES}
        values["repair_gold"] = values["repair_gold"] or ""
        values["flatten"] = values["flatten"] or ""
        return function(*args, settings=Settings(**values), **kwargs)

    for option in reversed(_OPTIONS):
        wrapped = option(wrapped)
    return wrapped  # type: ignore[return-value]


def attacks_of(
    texts: Sequence[str], dataset: Dataset, rules: LabelRules | None = None
) -> tuple[list[Chain], tuple[str, ...]]:
    """The attacks that `-p` asks for, with their options checked before anything runs, and what suites left out."""
    from nerquake.perturb.choose import build, chains_from, check

    chains, notes = chains_from(texts, dataset.language)
    for chain in chains:
        build(chain)
    check(chains, dataset, rules or LabelRules())
    return chains, notes


def extension_of(dataset: Dataset) -> str:
    """Ending of the files that are written in the data set's own format: that of the input file where it has one."""
    from nerquake.io.load import writer_for

    suffix = Path(dataset.name).suffix.lstrip(".")
    return suffix if suffix.isalnum() else str(writer_for(dataset).extension)


_NAMES = tuple(field.name for field in fields(Settings))
SHARED = frozenset({*_NAMES, "config"})
"""The parameters of the flags that all commands reading data share."""
output_option = click.option(
    "-o", "--output", default="-", metavar="FILE", help="Where to write; - is standard output."
)


def _folder(context: click.Context, parameter: click.Parameter, value: str) -> str:
    if value in ("", "-"):
        raise UsageError(f"-o {value or chr(39) * 2}: a folder to write into is expected")
    return value


folder_option = click.option(
    "-o", "--output", required=True, metavar="DIR", callback=_folder, help="Folder to write into."
)
attacks_option = click.option("-p", "--perturbation", "attacks", multiple=True, metavar="SPEC",
                              help="An attack, several joined by +, or a suite; may be given again.")  # fmt: skip
taggers_option = click.option("-t", "--tagger", "taggers", multiple=True, required=True, metavar="SPEC",
                              help="A recogniser; may be given again.")  # fmt: skip
judge_option = click.option("--judge", default="", metavar="SPEC",
                            help="Masked language model that measures how natural context attacks are; by default the "
                                 "attack's own; none: nothing is measured.")  # fmt: skip
