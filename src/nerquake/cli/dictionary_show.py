"""`nerquake dictionary stats`, `sample` and `export`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

from nerquake.cli.options import folder_option, output_option
from nerquake.cli.show import emit, note, to_csv, to_json, to_table
from nerquake.core.errors import InputError, UnknownName

if TYPE_CHECKING:
    from nerquake.knowledge.dictionary import Dictionary

Form = Literal["table", "json", "csv"]
_form = click.option("--format", "form", type=click.Choice(["table", "json", "csv"]), default="table",
                     show_default=True, help="Form of the result.")  # fmt: skip
_language = click.option("--language", default="en", show_default=True, metavar="CODE", help="Language of the names.")


@contextmanager
def opened(path: str) -> Iterator[Dictionary]:
    """A dictionary's file, or the one that is shipped."""
    from nerquake.knowledge.dictionary import STARTER, Dictionary, starter

    if path == STARTER and not Path(path).exists():
        yield starter()
        return
    with Dictionary.open(path) as dictionary:
        yield dictionary


@click.command("stats")
@click.argument("file", metavar="F")
@click.option("--classes", is_flag=True, help="List every class.")
@click.option("--faults", is_flag=True, help="List what could not be read, with its line.")
@click.option("--verify", is_flag=True, help="Read everything and compare it with the digest.")
@output_option
@_form
def stats_command(file: str, classes: bool, faults: bool, verify: bool, output: str, form: Form) -> None:
    """Classes, entities and names by type and language, what filters removed, attributions."""
    from nerquake.knowledge.figures import class_rows, fault_rows, figures

    with opened(file) as dictionary:
        if verify:
            dictionary.verify()
            note(f"{file}: the rows are those that were written")
        document = figures(dictionary)
        if classes:
            document["classes"] = class_rows(dictionary)
        if faults:
            document["fault_lines"] = fault_rows(dictionary)
    emit(_stats_shown(document, form), output)


def _stats_shown(document: Mapping[str, Any], form: Form) -> str:
    if form == "json":
        return to_json(document)
    languages = document["languages"]
    head = ["type", "original", "classes", "entities", *(f"{language} {what}" for language in languages
                                                         for what in ("classes", "entities"))]  # fmt: skip
    rows = [_type_row(document, type_, found) for type_, found in document["dictionary"].items()]
    class_head = ["class", "type", "title", "source", *languages]
    class_rows = [[row["class"], row["type"], row["title"], row["source"],
                   *(row["instances"].get(language, 0) for language in languages)]
                  for row in document.get("classes", ())]  # fmt: skip
    fault_head = ["source", "line", "code", "message"]
    fault_rows = [[row[name] for name in fault_head] for row in document.get("fault_lines", ())]
    if form == "csv":
        more = ((class_head, class_rows), (fault_head, fault_rows))
        return to_csv(head, rows) + "".join(to_csv(one, those) for one, those in more if those)
    parts = [to_table(head, [[_shown(cell) for cell in row] for row in rows])]
    if class_rows:
        parts.append(to_table(class_head, [[_shown(cell) for cell in row] for row in class_rows], title="classes"))
    lines = [
        *_lines(document),
        *(f"  {source}: line {line}: {what} [{code}]" for source, line, code, what in fault_rows),
    ]
    return "".join(parts) + "\n".join(lines) + "\n"


def _type_row(document: Mapping[str, Any], type_: str, found: Mapping[str, int | None]) -> list[str | int | None]:
    by_language = document["drawable"].get(type_, {})
    figures = [by_language.get(language, {}).get(what) for language in document["languages"]
               for what in ("classes", "entities")]  # fmt: skip
    return [type_, found["original"], found["classes"], found["entities"], *figures]


def _shown(cell: str | int | None) -> str:
    return "–" if cell is None else f"{cell:,}" if isinstance(cell, int) else cell


def _lines(document: Mapping[str, Any]) -> Iterator[str]:
    yield f"sources: {', '.join(document['sources'])}; digest {document['digest'][:12]}"
    yield f"name types from: {_counted(document['type_sources'])}; classes without one: {document['untyped_classes']:,}"
    yield f"names: {_counted(document['names'])}"
    for language, found in document["person_names"].items():
        yield f"names of people, {language}: {_counted(found)}"
    for found in document["filters"]:
        yield f"filter {found['name']}: removed {_counted(found['removed'])}"
    if document["faults"]:
        yield f"faults in what was read: {_counted(document['faults'])}"
    yield from (f"attribution: {line}" for line in document["attributions"])


def _counted(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {count:,}" for name, count in counts.items()) or "nothing"


@click.command("sample")
@click.argument("file", metavar="F")
@click.option("--class", "class_id", required=True, metavar="ID", help="A class: Q515, city-uk.")
@click.option("-n", "number", type=click.IntRange(min=1), default=5, show_default=True, help="How many entities.")
@click.option("--type", "type_", default="", metavar="TYPE", help="Where a class has several name types, which.")
@_language
@click.option("--seed", type=int, default=0, show_default=True, help="Everything random follows from it.")
@_form
def sample_command(file: str, class_id: str, number: int, type_: str, language: str, seed: int, form: Form) -> None:
    """Entities of a class, drawn at random."""
    from nerquake.core.seeds import Draws

    with opened(file) as dictionary:
        one = dictionary.class_id(class_id)
        types = dictionary.types_of([one]).get(one, ("",))
        if type_ and type_ not in types:
            raise UnknownName(f"name type of {class_id}", type_, types)
        chosen = type_ or types[0]
        size = dictionary.sizes([one], language, chosen)[one]
        if not size:
            raise InputError(f"{file}: the class {class_id} has no entities in {language}; there are the languages "
                             f"{', '.join(dictionary.meta.languages)}")  # fmt: skip
        places = Draws(seed, "dictionary sample").random(one).sample(range(size), min(number, size))
        found = dictionary.instances([(one, place) for place in places], language, chosen)
        title = dictionary.class_titles([one], language).get(one, "")
    if form == "json":
        instances = [{"item": instance.item, "name": instance.name} for instance in found]
        emit(to_json({"format": "nerquake.dictionary_sample/1", "class": one, "title": title, "type": chosen,
                      "language": language, "size": size, "instances": instances}), "-")  # fmt: skip
        return
    rows = [[instance.item, instance.name] for instance in found]
    emit(to_csv(["item", "name"], rows) if form == "csv" else to_table(["item", "name"], rows), "-")
    note(f"{len(rows)} of {size:,} entities of {one} ({title}), {chosen}")


@click.command("export")
@click.argument("file", metavar="F")
@folder_option
@click.option("--to", "target", type=click.Choice(["parquet", "classes"]), default="parquet", show_default=True,
              help="All tables, or the papers' class JSON Lines.")  # fmt: skip
@_language
def export_command(file: str, output: str, target: str, language: str) -> None:
    """Write a dictionary as Parquet files, or as the papers' class files, which `import` reads back."""
    from nerquake.io.output import explained, write_whole
    from nerquake.knowledge.duck import writing
    from nerquake.knowledge.export import class_files
    from nerquake.knowledge.parquet import write

    with opened(file) as dictionary:
        if target == "classes":
            written = []
            for name, lines in class_files(dictionary, language):
                write_whole(Path(output) / name, lines)
                written.append(name)
        else:
            with explained(output), writing(output):
                written = list(write(dictionary.connection, dictionary.meta, Path(output)))
    note(f"{output}: {len(written)} files: {', '.join(written)}")
