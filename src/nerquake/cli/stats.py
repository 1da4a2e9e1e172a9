"""`nerquake stats FILE...`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import click

from nerquake.cli.options import Settings, data_options, output_option
from nerquake.cli.show import emit, note, note_of, to_csv, to_json, to_table
from nerquake.core.dataset import Dataset
from nerquake.core.errors import InputError, UsageError
from nerquake.core.sentence import Sentence
from nerquake.report.numbers import UNDEFINED, percent

OFFERED = ("original", "classes", "entities")
ATTACKED = ("mentions", "attacked", "attacked_share", "context_words", "sentences_attacked_share")
"""The columns of paper R's table 2."""
COUNTED = ("sentences", "exact", "near")
"""What is counted of duplicates."""


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option(
    "--train",
    default="",
    metavar="FILE",
    help="Training data: which entity words were seen in it, and which sentences stand in both files, or nearly.",
)
@click.option("--seen", type=click.Choice(["same-type", "any-type"]), default="same-type", show_default=True,
              help="Seen in a training mention of the same type, or of any.")  # fmt: skip
@click.option(
    "--attacked",
    multiple=True,
    metavar="DIR/<set>",
    help="A set that `perturb` wrote from FILE; again for each of several files, in their order.",
)
@click.option(
    "--dictionary",
    default="",
    metavar="F",
    help="Classes and entities that a dictionary has for the data; starter: the one that is shipped.",
)
@click.option(
    "--links",
    multiple=True,
    metavar="L",
    help="Count the classes of what the mentions are linked to; one file for all FILEs, or one for each.",
)
@output_option
@data_options
def command(
    files: Sequence[str],
    train: str,
    seen: Literal["same-type", "any-type"],
    attacked: Sequence[str],
    dictionary: str,
    links: Sequence[str],
    output: str,
    settings: Settings,
) -> None:
    """Sizes, entity words and the share of them seen in training, duplicates, what an attack reached or a dictionary
    offers."""
    from nerquake.analyse.corpus import entity_words, pooled, seen_words, sizes

    if attacked and len(attacked) != len(files):
        raise UsageError(f"--attacked belongs to one FILE, the original of the set; {len(files)} files need as many")
    if links and not dictionary:
        raise UsageError("--links needs --dictionary: the one that the mentions were linked to")
    if len(links) not in (0, 1, len(files)):
        raise UsageError(f"--links: expected one file, or one for each of {len(files)} FILEs, got {len(links)}")
    read = {name: settings.sampled(path) for name, path in zip(_names(files), files, strict=True)}
    datasets = {name: found.dataset for name, found in read.items()}
    for name, found in read.items():
        for line in found.notes:
            note_of(name, line)
    trained = settings.gold(train).dataset if train else None
    training = entity_words(trained) if trained is not None else None
    document: dict[str, Any] = {
        "format": "nerquake.stats/1",
        "files": {name: sizes(dataset) for name, dataset in datasets.items()},
        "left_out": {name: dict(found.left_out) for name, found in read.items()},
        "entity_words": seen_words(entity_words(pooled(list(datasets.values()))), training, seen),
    }
    if trained is not None:
        document["duplicates"] = _duplicates(datasets, train, trained)
    if attacked:
        document |= _attack(datasets, attacked, training, seen)
    if dictionary:
        document["dictionary"] = _dictionary(datasets, dictionary, links)
    emit(_shown(document, settings.format), output)


def _duplicates(datasets: Mapping[str, Dataset], train: str, trained: Dataset) -> list[dict[str, Any]]:
    """Sentences that stand in two of the files or twice in one, the training data behind the others."""
    from nerquake.analyse.duplicates import duplicate_table

    name = Path(train).name
    name = train if name in datasets else name
    name = f"{train} (--train)" if name in datasets else name
    return duplicate_table({key: dataset.sentences for key, dataset in datasets.items()}, name, trained.sentences)


def _attack(
    datasets: Mapping[str, Dataset], folders: Sequence[str], training: Any, seen: Literal["same-type", "any-type"]
) -> dict[str, Any]:
    """What attacks reached: `attack` over all files, `attacks` for each of several."""
    from nerquake.analyse.corpus import entity_words, reached, seen_words, together
    from nerquake.io.variants_file import read_variants

    sentences: list[Sentence] = []
    found = {}
    for (name, original), folder in zip(datasets.items(), folders, strict=True):
        file = Path(folder) / "variants.jsonl"
        variants = read_variants(file, original)
        if variants is None:
            raise InputError(f"--attacked {folder}: there is no {file}; it is what `nerquake perturb` writes")
        found[name] = reached(original, variants)
        sentences += [variant.sentence for variant in variants.kept]
    document: dict[str, Any] = {"attack": together(found.values()).to_json()}
    document["attack"]["entity_words"] = seen_words(entity_words(sentences), training, seen)
    if len(found) > 1:
        document["attacks"] = {name: one.to_json() for name, one in found.items()}
    return document


def _dictionary(datasets: Mapping[str, Dataset], path: str, links: Sequence[str]) -> dict[str, Any]:
    """Paper R's table 2."""
    from nerquake.analyse.corpus_dictionary import dictionary_table, linked_items
    from nerquake.knowledge.label_types import shipped
    from nerquake.perturb.kinds import is_name_part
    from nerquake.perturb.wikidata_language import language_for, opened

    with opened(path) as dictionary:
        languages = {name: language_for("", dataset, dictionary) for name, dataset in datasets.items()}
        if len({language.code for language in languages.values()}) > 1:
            listed = ", ".join(f"{name} {language.code}" for name, language in languages.items())
            raise UsageError(f"--dictionary counts names in one language, and the files are in several: {listed}; "
                             "run them one by one, or say --language")  # fmt: skip
        language = next(iter(languages.values()))
        if language.note:
            note(language.note)
        labels = {label for dataset in datasets.values() for label in dataset.labels}
        if unknown := [label for label in shipped().unknown(labels) if not is_name_part(label)]:
            note(f"labels whose name types are not known have no classes: {', '.join(unknown)}; "
                 f"--map {unknown[0]}=ORG says them")  # fmt: skip
        read = list(datasets.values())
        linked = linked_items(read, links) if links else None
        return dictionary_table(dictionary, language.code, read, lambda label: shipped().of(label, labels), linked)


def _names(paths: Sequence[str]) -> list[str]:
    names = [Path(path).name for path in paths]
    return names if len(set(names)) == len(names) else list(paths)


def _shown(document: Mapping[str, Any], form: str) -> str:
    if form == "json":
        return to_json(document)
    return _as_csv(document) if form == "csv" else _as_tables(document)


def _sizes(document: Mapping[str, Any]) -> list[tuple[str, str, int]]:
    return [(name, label, count) for name, found in document["files"].items()
            for label, count in (("sentences", found["sentences"]), ("tokens", found["tokens"]),
                                 ("mentions", found["mentions"]), *found["per_type"].items())]  # fmt: skip


def _as_csv(document: Mapping[str, Any]) -> str:
    figures = [["entity words" + where, label, figure, found[figure]]
               for where, table in _word_tables(document) for label, found in table.items()
               for figure in ("unique", "seen", "seen_share")]  # fmt: skip
    figures += [[table, name, figure, found[figure]] for table, name, found in _attack_tables(document)
                for figure in ATTACKED]  # fmt: skip
    figures += [["dictionary", label, figure, found[figure]]
                for label, found in document.get("dictionary", {}).items() for figure in OFFERED]  # fmt: skip
    tables = to_csv(["file", "what", "count"], _sizes(document)) + to_csv(["table", "type", "figure", "value"], figures)
    if "duplicates" not in document:
        return tables
    head = ["file", "of", "id", "of_id", "kind", "similarity"]
    pairs = ([row["file"], row["of"], *pair.values()] for row in document["duplicates"] for pair in row["pairs"])
    return tables + to_csv(head, pairs)


def _as_tables(document: Mapping[str, Any]) -> str:
    sizes = [[name, what, f"{count:,}"] for name, what, count in _sizes(document)]
    parts = [to_table(["file", "what", "count"], sizes)]
    for where, table in _word_tables(document):
        body = [[label, f"{found['unique']:,}", _count(found["seen"]), percent(found["seen_share"])]
                for label, found in table.items()]  # fmt: skip
        parts.append(to_table(["type", "entity words", "seen", "seen %"], body, title="entity words" + where))
    if "duplicates" in document:
        body = [[row["file"], "itself" if row["within"] else row["of"], *(f"{row[kind]:,}" for kind in COUNTED)]
                for row in document["duplicates"]]  # fmt: skip
        parts.append(to_table(["file", "standing in", *COUNTED], body, title="duplicates"))
    if "attack" in document:
        head = ["mentions", "attacked", "attacked %", "context words", "sentences attacked %"]
        if "attacks" in document:
            body = [[name, *_attack_row(found)] for name, found in document["attacks"].items()]
            parts.append(to_table(["file", *head], [*body, ["ALL", *_attack_row(document["attack"])]], title="attack"))
        else:
            parts.append(to_table(head, [_attack_row(document["attack"])], title="attack"))
    if "dictionary" in document:
        body = [[label, *(_count(found[figure]) for figure in OFFERED)]
                for label, found in document["dictionary"].items()]  # fmt: skip
        parts.append(to_table(["type", *OFFERED], body, title="dictionary"))
    return "".join(parts)


def _count(number: int | None) -> str:
    return UNDEFINED if number is None else f"{number:,}"


def _attack_row(attack: Mapping[str, Any]) -> list[str]:
    return [f"{attack['mentions']:,}", f"{attack['attacked']:,}", percent(attack["attacked_share"]),
            f"{attack['context_words']:,}", percent(attack["sentences_attacked_share"])]  # fmt: skip


def _attack_tables(document: Mapping[str, Any]) -> list[tuple[str, str, Mapping[str, Any]]]:
    """The figures of attacks, of each of several files and of all, as rows of CSV have them."""
    found = [("attack", name, one) for name, one in document.get("attacks", {}).items()]
    return [*found, ("attack", "ALL", document["attack"])] if "attack" in document else []


def _word_tables(document: Mapping[str, Any]) -> list[tuple[str, Mapping[str, Any]]]:
    tables = [("", document["entity_words"])]
    if "attack" in document:
        tables.append((" after the attack", document["attack"]["entity_words"]))
    return tables
