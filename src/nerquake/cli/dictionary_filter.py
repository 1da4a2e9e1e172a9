"""`nerquake dictionary filter`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from nerquake.cli.dictionary_show import opened
from nerquake.cli.options import Settings, data_options
from nerquake.cli.progress import counting
from nerquake.cli.show import note
from nerquake.core.errors import UsageError

if TYPE_CHECKING:
    from nerquake.core.dataset import Dataset
    from nerquake.core.protocols import Tagger
    from nerquake.knowledge.filters import DictionaryFilter, Drawn
    from nerquake.knowledge.meta import Filter


def _file(context: click.Context, parameter: click.Parameter, value: str) -> str:
    if value in ("", "-"):
        raise UsageError(f"-o {value or chr(39) * 2}: a file to write is expected, such as -o unseen.ndict")
    return value


@click.command("filter")
@click.argument("file", metavar="F")
@click.argument("more", nargs=-1, metavar="")
@click.option("-o", "--output", required=True, metavar="G", callback=_file, help="The dictionary to write.")
@click.option(
    "--unseen", multiple=True, metavar="FILE...", help="Without names that are mentions in these labelled files."
)
@click.option(
    "--easy",
    multiple=True,
    metavar="TAGGER",
    help="Without names that this tagger gives the right type to when it sees nothing else.",
)
@click.option("--ascii", "only_ascii", is_flag=True, help="Without names that are not ASCII alone.")
@click.option(
    "--curated",
    multiple=True,
    metavar="LIST",
    help="Without what a list denies; where it allows anything, only what it allows.",
)
@click.option("--languages", default="", metavar="A,B", help="Look at names in these; by default in all.")
@click.option(
    "--types",
    default="",
    metavar="A=B/C,...",
    help="Name types of the tagger's labels, or a table's file; by default the table that is shipped.",
)
@click.option("--memory", default="512MiB", show_default=True, metavar="SIZE", help="Memory that DuckDB may use.")
@data_options
def filter_command(
    file: str, more: Sequence[str], output: str, unseen: Sequence[str], easy: Sequence[str], only_ascii: bool,
    curated: Sequence[str], languages: str, types: str, memory: str, settings: Settings,
) -> None:  # fmt: skip
    """Write a dictionary from which attacks do not draw what the filters withhold.

    What is withheld can still be linked. Filters run in this order: --curated, --ascii, --unseen, --easy, each on what
    the ones before have left; `dictionary stats` says what each withheld.
    """
    from nerquake.io.output import explained
    from nerquake.knowledge.duck import Limits
    from nerquake.knowledge.filters import drawing, write_filtered

    if more and not unseen:
        raise UsageError(f"{' '.join(more)}: one dictionary is expected; labelled files stand behind --unseen")
    if not (unseen or easy or only_ascii or curated):
        raise UsageError("no filter is asked for: --unseen FILE, --easy TAGGER, --ascii, --curated LIST")
    chosen = _plain(curated, only_ascii, (*unseen, *more), settings)
    taggers = [_tagger(text, settings) for text in easy]
    spoken = tuple(filter(None, map(str.strip, languages.split(","))))
    with opened(file) as dictionary, drawing(dictionary, spoken) as drawn:
        for one in chosen:
            _say(drawn.apply(one))
        for text, tagger in zip(easy, taggers, strict=True):
            _say(_easy(drawn, text, tagger, types))
        with explained(output):
            made = write_filtered(drawn, output, Limits(memory, 0))
    note(f"{output}: {made.rows['members']:,} places to draw from, {made.rows['withheld']:,} withheld; "
         f"digest {made.digest[:12]}")  # fmt: skip


def _plain(
    curated: Sequence[str], only_ascii: bool, unseen: Sequence[str], settings: Settings
) -> list[DictionaryFilter]:
    """The filters that need no model, in the order in which they run."""
    from nerquake.knowledge.filter_curated import read_curated
    from nerquake.knowledge.filter_names import Ascii, Unseen

    chosen: list[DictionaryFilter] = [*map(read_curated, curated), *([Ascii()] if only_ascii else [])]
    if unseen:
        chosen.append(Unseen(tuple(_read(path, settings) for path in unseen)))
    return chosen


def _read(path: str, settings: Settings) -> Dataset:
    read = settings.gold(path)
    for line in read.notes:
        note(f"{read.dataset.name}: {line}")
    return read.dataset


def _tagger(text: str, settings: Settings) -> Tagger:
    from nerquake.core.dataset import Dataset
    from nerquake.core.protocols import Tagger
    from nerquake.taggers.build import build_taggers

    tagger = build_taggers([text], Dataset("names", ()), settings.repair)[0].tagger
    if not isinstance(tagger, Tagger):
        raise UsageError(f"--easy {text}: a tagger that can be asked about new sentences is expected")
    return tagger


def _easy(drawn: Drawn, text: str, tagger: Tagger, types: str) -> Filter:
    """Run --easy."""
    from nerquake.knowledge.filter_names import Easy
    from nerquake.knowledge.label_types import label_types
    from nerquake.perturb.tokens import retokenise

    table = label_types(tuple(filter(None, map(str.strip, types.split(",")))))
    declared = tagger.labels() or frozenset()
    unknown = table.unknown(declared)
    if unknown:
        note(f"--easy {text}: labels without name types do not count: {', '.join(unknown)} (--types says them)")
    if declared and len(unknown) == len(declared):
        raise UsageError(f"--easy {text}: none of its labels has name types; say them with --types {unknown[0]}=ORG")
    names = {name for name, _ in drawn.names()}
    with counting(len(names), f"tagging names with {text}") as step:
        return drawn.apply(Easy(tagger, text, retokenise, table, step))


def _say(found: Filter) -> None:
    counts = ", ".join(f"{count:,} {type_}" for type_, count in found.removed.items())
    note(f"{found.name}: withheld {counts or 'nothing'}")
