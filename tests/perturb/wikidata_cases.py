"""Small dictionaries, link files and attacks with them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from tests.knowledge.given import Given, Row
from tests.perturb.helpers import run

from nerquake.core.dataset import Dataset
from nerquake.core.edits import Edit
from nerquake.core.variant import AttackedSet
from nerquake.knowledge.build import build

ATTACK = "wikidata"
LANGUAGES = ("ar", "de", "en", "hi")


def dictionary(folder: Path, rows: Sequence[Row], name: str = "d.duckdb") -> Path:
    """A dictionary's file."""
    build([Given(rows, languages=LANGUAGES)], folder / name)
    return folder / name


def members(class_id: str, type_: str, names: Mapping[str, str], language: str = "en") -> list[Row]:
    """A class with its type and its entities, names by id."""
    rows: list[Row] = [("class_type", class_id, type_, "test"), ("class_name", class_id, "en", f"title of {class_id}")]
    for item, name in names.items():
        rows += [("name", item, language, name), ("member", item, class_id)]
    return rows


def links(folder: Path, accepted: Mapping[tuple[str, int, int], str | None], name: str = "links.jsonl") -> Path:
    """A link file: items by sentence id and tokens."""
    lines = [
        json.dumps({"sentence": key, "start": start, "end": end, "candidates": [], "accepted": item}) + "\n"
        for (key, start, end), item in accepted.items()
    ]
    (folder / name).write_text("".join(lines), "utf-8")
    return folder / name


def attacked(
    corpus: Dataset, file: Path, *options: str, seed: int = 0, jobs: int = 1, linked: Path | None = None
) -> AttackedSet:
    """The data set under the attack with a dictionary, and with a link file."""
    given = [] if linked is None else [f'links="{linked}"']
    text = ",".join([ATTACK, f'dictionary="{file}"', *given, *options, "name=w"])
    return run(corpus, text, seed, jobs=jobs)


def edits(made: AttackedSet) -> dict[tuple[str, int], Edit]:
    """The edits by sentence id and first token."""
    return {(variant.parent, edit.start): edit for variant in made.variants for edit in variant.edits}


def texts(found: Iterable[Edit]) -> list[str]:
    return [" ".join(edit.new) for edit in found]
