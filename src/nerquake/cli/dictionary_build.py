"""`nerquake dictionary build` and `nerquake dictionary import`."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeVar

import click

from nerquake.cli.show import note
from nerquake.core.errors import UsageError

if TYPE_CHECKING:
    from nerquake.knowledge.build import Builder, Choices
    from nerquake.knowledge.meta import Meta

Function = TypeVar("Function", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class Making:
    """What the flags of all commands that write a dictionary say; None and "" where nothing is said."""

    output: str
    languages: str
    limit_per_class: int | None
    seed: int | None
    roots: str
    memory: str
    jobs: int

    def choices(self, meta: Meta | None = None) -> Choices:
        """The choices, where nothing is said those of a dictionary that is read back."""
        from nerquake.knowledge.build import Choices
        from nerquake.knowledge.roots import SHIPPED, read_roots

        languages = tuple(filter(None, map(str.strip, self.languages.split(","))))
        roots = () if self.roots == "none" else read_roots(self.roots or SHIPPED)
        seed = self.seed if self.seed is not None else meta.seed if meta else None
        choices = Choices(tuple(sorted(set(languages))), self.limit_per_class, seed, roots)
        return replace(choices, languages=meta.languages) if meta and not languages else choices

    def make(self, builders: Sequence[Builder], meta: Meta | None = None) -> None:
        """Write the dictionary and say what is in it."""
        from nerquake.io.output import explained
        from nerquake.knowledge.build import build
        from nerquake.knowledge.duck import Limits

        with explained(self.output):
            made = build(builders, self.output, self.choices(meta), Limits(self.memory, self.jobs))
            empty = _without_entities(self.output, made) if self.languages else ()
        counts = ", ".join(f"{made.rows[name]:,} {what}" for name, what in _COUNTED.items())
        note(f"{self.output}: {counts}; languages {', '.join(made.languages) or 'none'}; digest {made.digest[:12]}")
        for found in made.filters:
            removed = ", ".join(f"{count:,} {what}" for what, count in found.removed.items())
            note(f"  {found.name}: {removed or 'nothing'}")
        if empty:
            named = ", ".join(sorted({code for source in made.sources for code in source.languages})) or "none"
            note(f"  nothing can be drawn in {', '.join(empty)}: the sources have no entities there; they have names "
                 f"in {named} (--languages)")  # fmt: skip
        if made.rows["faults"]:
            note(
                f"  {made.rows['faults']:,} faults in what was read; `nerquake dictionary stats {self.output} --faults`"
            )


def _without_entities(path: str, made: Meta) -> list[str]:
    """The languages of a dictionary in which nothing can be drawn."""
    from nerquake.knowledge.dictionary import Dictionary

    with Dictionary.open(path) as dictionary:
        found = {language for (language,) in dictionary.ask("SELECT DISTINCT lang FROM class_index")}
    return [language for language in made.languages if language not in found]


_COUNTED = {"items": "items", "names": "names", "item_class": "memberships", "class_type": "classes with a name type"}


def _file(context: click.Context, parameter: click.Parameter, value: str) -> str:
    if value in ("", "-"):
        raise UsageError(f"-o {value or chr(39) * 2}: a file to write is expected, such as -o people.ndict")
    return value


_OPTIONS = (
    click.option("-o", "--output", required=True, metavar="F", callback=_file, help="The dictionary to write."),
    click.option("--languages", default="", metavar="A,B", help="Draw entities in these; by default in all there are."),
    click.option("--limit-per-class", type=click.IntRange(min=0), metavar="N",
                 help="Draw from N entities of a class at most, those with the smallest hash; 0 for all."),
    click.option("--seed", type=int, help="Of the order of entities and the choice below the limit.  [default: 0]"),
    click.option("--roots", default="", metavar="FILE", help="Root classes with their name types, or none; by default "
                 "the table that is shipped."),
    click.option("--memory", default="512MiB", show_default=True, metavar="SIZE", help="Memory that DuckDB may use."),
    click.option("--jobs", type=click.IntRange(min=0), default=0, help="Threads; 0 for all, four at most."),
)  # fmt: skip


def _making(function: Function) -> Function:
    """Add the flags; the command receives them as `making`."""

    @functools.wraps(function)
    def wrapped(*args: Any, **kwargs: Any) -> Any:
        values = {name: kwargs.pop(name) for name in Making.__dataclass_fields__}
        return function(*args, making=Making(**values), **kwargs)

    for option in reversed(_OPTIONS):
        wrapped = option(wrapped)
    return wrapped  # type: ignore[return-value]


@click.command("build")
@click.option("--from", "specs", multiple=True, required=True, metavar="SPEC",
              help="A builder: starter, import:DIR; may be given again.")  # fmt: skip
@_making
def build_command(specs: Sequence[str], making: Making) -> None:
    """Build a dictionary from one source or several."""
    from nerquake.knowledge.builders import builders_of

    making.make(builders_of(specs))


@click.command("import")
@click.argument("folder", metavar="DIR")
@click.option("--language", default="en", show_default=True, metavar="CODE", help="Language of the names.")
@click.option("--lenient", is_flag=True, help="Leave out what is wrong and count it.")
@_making
def import_command(folder: str, language: str, lenient: bool, making: Making) -> None:
    """Read class files of papers, one a name type (GPE.jsonl), or a folder that `export` wrote."""
    from nerquake.knowledge.class_files import ClassFiles
    from nerquake.knowledge.parquet import is_export, read_meta_file

    meta = read_meta_file(folder) if is_export(folder) else None
    making.make([ClassFiles(folder=folder, language=language, lenient=lenient)], meta)
