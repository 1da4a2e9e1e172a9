"""From collected rows to Arrow tables, in the form that shards have."""

from __future__ import annotations

from typing import Any

import numpy as np

from nerquake.knowledge.dump_keys import EMPTY, keys_of
from nerquake.knowledge.dump_options import DumpOptions
from nerquake.knowledge.dump_rows import Rows, Targets

TABLES: dict[str, dict[str, str]] = {
    "items": {"id": "int64", "sitelinks": "int32"},
    "names": {"key": "uint64", "id": "int64", "lang": "", "kind": "uint8", "name": "string"},
    "titles": {"lang": "", "title": "string", "id": "int64"},
    "item_class": {"id": "int64", "class": "int64", "best": "bool"},
    "subclass": {"class": "int64", "parent": "int64", "best": "bool"},
    "country": {"id": "int64", "country": "int64", "best": "bool"},
    "descriptions": {"id": "int64", "lang": "", "text": "string"},
}
"""The tables of shards with their columns; languages are texts that Arrow has as places in a list of them."""
FEW = ("lang", "class", "parent", "country")
"""Columns with few different values."""


def tables_of(descriptions: bool) -> tuple[str, ...]:
    """The names of the tables."""
    return tuple(name for name in TABLES if descriptions or name != "descriptions")


class Columns:
    """Makes Arrow tables of rows."""

    def __init__(self, options: DumpOptions) -> None:
        import pyarrow

        self.library = pyarrow
        self.tables = tables_of(options.descriptions)
        self.languages = self.library.array(options.codes, self.library.string())

    def schema(self, table: str) -> Any:
        """The schema of a table."""
        library = self.library
        coded = library.dictionary(library.int8(), library.string())
        return library.schema([
            library.field(name, library.type_for_alias(kind) if kind else coded, nullable=False)
            for name, kind in TABLES[table].items()
        ])  # fmt: skip

    def of(self, rows: Rows, table: str) -> Any:
        """The rows of a table."""
        columns: list[Any]
        match table:
            case "items":
                columns = [rows.items, rows.sitelinks]
            case "names":
                columns = self._names(rows)
            case "titles":
                titles = rows.titles
                columns = [self._coded(titles.codes), titles.texts, titles.items]
            case "descriptions":
                texts = rows.descriptions
                columns = [texts.items, self._coded(texts.codes), texts.texts]
            case _:
                columns = self._targets(
                    {"item_class": rows.classes, "subclass": rows.parents}.get(table, rows.countries)
                )
        schema = self.schema(table)
        arrays = [self.library.array(column, field.type) for column, field in zip(columns, schema, strict=True)]
        return self.library.Table.from_arrays(arrays, schema=schema)

    def _names(self, rows: Rows) -> list[Any]:
        """Names with their keys, but for those that are nothing but blanks."""
        texts, codes = rows.names, np.array(rows.name_codes, np.int16)
        keys, items = keys_of(texts), np.repeat(np.array(rows.items, np.int64), rows.name_counts)
        blank = keys == EMPTY
        if blank.any():
            texts = [text for text, is_blank in zip(texts, blank, strict=True) if not is_blank]
            keys, codes, items = keys[~blank], codes[~blank], items[~blank]
        return [keys, items, self._coded(codes >> 1), (codes & 1).astype(np.uint8), texts]

    def _coded(self, codes: Any) -> Any:
        return self.library.DictionaryArray.from_arrays(np.array(codes, np.int8), self.languages)

    def _targets(self, targets: Targets) -> list[Any]:
        return [targets.items, targets.values, targets.best]
