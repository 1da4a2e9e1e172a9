"""`nerquake dictionary filter`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
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
    from nerquake.knowledge.class_types import Linked
    from nerquake.knowledge.filters import DictionaryFilter, Drawn
    from nerquake.knowledge.label_types import LabelTypes
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
@click.option(
    "--types-from",
    multiple=True,
    metavar="DATA=LINKS",
    help="Give classes the name types of the mentions of this labelled file that are linked to their entities; LINKS "
    "is what `nerquake dictionary link` wrote. May be given again.",
)
@click.option(
    "--root-types",
    type=click.Choice(["replace", "keep"]),
    default="replace",
    show_default=True,
    help="With --types-from: what becomes of the name types that root classes or earlier mentions gave to a class. "
    "Those that a source's own files gave are kept.",
)
@click.option("--languages", default="", metavar="A,B", help="Look at names in these; by default in all.")
@click.option(
    "--types",
    default="",
    metavar="A=B/C,...",
    help="Name types of labels, the tagger's and those of --types-from, or a table's file; by default the table that "
    "is shipped.",
)
@click.option("--memory", default="512MiB", show_default=True, metavar="SIZE", help="Memory that DuckDB may use.")
@data_options
def filter_command(
    file: str, more: Sequence[str], output: str, unseen: Sequence[str], easy: Sequence[str], only_ascii: bool,
    curated: Sequence[str], types_from: Sequence[str], root_types: str, languages: str, types: str, memory: str,
    settings: Settings,
) -> None:  # fmt: skip
    """Write a dictionary from which attacks do not draw what the filters withhold.

    What is withheld can still be linked. Filters run in this order: --curated, --ascii, --unseen, --easy, each on what
    the ones before have left; `dictionary stats` says what each withheld.

    --types-from, alone or before the filters, settles the name types of classes as in paper R: a mention's linked item,
    its direct classes, the mention's label. A class that is seen under two types has both; `dictionary stats --classes`
    says of each where it is from and how many mentions said so.
    """
    from nerquake.io.output import explained
    from nerquake.knowledge.duck import Limits
    from nerquake.knowledge.filters import drawing, write_filtered

    if more and not unseen:
        raise UsageError(f"{' '.join(more)}: one dictionary is expected; labelled files stand behind --unseen")
    if not (unseen or easy or only_ascii or curated or types_from):
        raise UsageError(
            "no filter is asked for: --unseen FILE, --easy TAGGER, --ascii, --curated LIST, --types-from DATA=LINKS"
        )
    table = _table(types)
    linked = [_linked(text, table, settings) for text in types_from]
    chosen = _plain(curated, only_ascii, (*unseen, *more), settings)
    taggers = [_tagger(text, settings) for text in easy]
    spoken = tuple(filter(None, map(str.strip, languages.split(","))))
    with opened(file) as dictionary, drawing(dictionary, spoken) as drawn:
        if linked:
            _retype(drawn, linked, root_types)
        for one in chosen:
            _say(drawn.apply(one))
        for text, tagger in zip(easy, taggers, strict=True):
            _say(_easy(drawn, text, tagger, table))
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


def _table(types: str) -> LabelTypes:
    """The table of labels that --types changes."""
    from nerquake.knowledge.label_types import label_types

    return label_types(tuple(filter(None, map(str.strip, types.split(",")))))


def _linked(text: str, table: LabelTypes, settings: Settings) -> Linked:
    """The linked mentions of one --types-from."""
    from nerquake.knowledge.class_types import linked_mentions
    from nerquake.knowledge.links import read_links

    data, links = _pair(text)
    found = linked_mentions(_read(data, settings), read_links(links), table)
    for line in found.notes:
        note(line)
    if found.unknown:
        note(f"--types-from {data}: mentions of labels without name types do not count: {', '.join(found.unknown)} "
             "(--types says them)")  # fmt: skip
    return found


def _pair(text: str) -> tuple[str, str]:
    """DATA and LINKS; where more than one `=` stands there, that between two files, else the last."""
    pairs = [(text[:at], text[at + 1 :]) for at, sign in enumerate(text) if sign == "="]
    pairs = [(data, links) for data, links in pairs if data and links]
    if not pairs:
        raise UsageError(f"--types-from {text}: a labelled file and its links are expected, such as "
                         "train.conll=train.links.jsonl")  # fmt: skip
    return next((pair for pair in pairs if all(Path(one).exists() for one in pair)), pairs[-1])


def _retype(drawn: Drawn, linked: Sequence[Linked], root_types: str) -> None:
    """Give classes the name types that mentions say, and say how many."""
    from nerquake.knowledge.class_types import types_from

    found = types_from(drawn.dictionary, linked, replace=root_types == "replace")
    drawn.retype(found)
    counts = ", ".join(f"{n:,} {type_}" for type_, n in sorted(found.classes.items()))
    mentions = sum(n for one in linked for n in one.counts.values())
    several = f", {found.several:,} of them several" if found.several else ""
    kept = f"; {found.kept:,} classes keep the types that they have" if found.kept else ""
    note(f"types from {mentions:,} linked mentions: classes {counts or 'none'}{several}{kept}")


def _tagger(text: str, settings: Settings) -> Tagger:
    from nerquake.core.dataset import Dataset
    from nerquake.core.protocols import Tagger
    from nerquake.taggers.build import build_taggers

    tagger = build_taggers([text], Dataset("names", ()), settings.repair)[0].tagger
    if not isinstance(tagger, Tagger):
        raise UsageError(f"--easy {text}: a tagger that can be asked about new sentences is expected")
    return tagger


def _easy(drawn: Drawn, text: str, tagger: Tagger, table: LabelTypes) -> Filter:
    """Run --easy."""
    from nerquake.knowledge.filter_names import Easy
    from nerquake.perturb.tokens import retokenise

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
