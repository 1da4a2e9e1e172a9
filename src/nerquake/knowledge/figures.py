"""How much a dictionary holds: paper R's table 2, names by language, what says the name types, what was left out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from nerquake.knowledge.dictionary import Dictionary
from nerquake.knowledge.ids import order_of, text_sql

ALL = "ALL"

_POOL = """
    (SELECT DISTINCT class_type.type, members.class, members.lang, members.id
     FROM members JOIN class_type ON class_type.class = members.class AND members.type IN ('', class_type.type))
"""
"""What can be drawn: name type, class, language, item."""


def figures(dictionary: Dictionary) -> dict[str, Any]:
    """All figures as JSON values."""
    meta = dictionary.meta
    return {
        "format": "nerquake.dictionary_stats/1",
        "digest": meta.digest,
        "languages": list(meta.languages),
        "dictionary": table(dictionary),
        "drawable": _drawable(dictionary),
        "names": dict(dictionary.ask("SELECT lang, count(*) FROM names GROUP BY lang ORDER BY lang")),
        "person_names": _person_names(dictionary),
        "type_sources": dict(dictionary.ask(
            "SELECT regexp_replace(source, ' [0-9]+$', '') AS said, count(DISTINCT class) FROM class_type "
            "GROUP BY said ORDER BY said"
        )),
        "untyped_classes": _untyped(dictionary),
        "rows": dict(meta.rows),
        "faults": dict(dictionary.ask("SELECT code, count(*) FROM faults GROUP BY code ORDER BY code")),
        "sources": [source["builder"] for source in meta.to_json()["sources"]],
        "filters": [
            {"name": found.name, "removed": dict(found.removed)}
            for found in (*(one for source in meta.sources for one in source.filters), *meta.filters)
        ],
        "attributions": list(meta.attributions),
    }  # fmt: skip


def table(dictionary: Dictionary, original: Mapping[str, int] | None = None) -> dict[str, dict[str, int | None]]:
    """Paper R's table 2: for every name type the mentions it was made for, classes, and entities to draw from.

    original   mentions by type; undefined where a dictionary was not made for a data set
    """
    found = dictionary.ask(
        f"""
        SELECT type, max(classes), max(entities) FROM (
            SELECT type, count(DISTINCT class) AS classes, 0 AS entities FROM class_type GROUP BY type
            UNION ALL SELECT type, 0, count(DISTINCT id) FROM {_POOL} GROUP BY type)
        GROUP BY type ORDER BY type
        """,
    )
    result: dict[str, dict[str, int | None]] = {type_: _row(type_, original, *rest) for type_, *rest in found}
    for type_ in sorted({*dictionary.meta.types, *(original or {})} - result.keys()):
        result[type_] = _row(type_, original, 0, 0)
    classes = dictionary.ask("SELECT count(DISTINCT class) FROM class_type")[0][0]
    entities = dictionary.ask(f"SELECT count(DISTINCT id) FROM {_POOL}")[0][0]
    result[ALL] = {
        "original": None if original is None else sum(original.values()), "classes": classes, "entities": entities
    }  # fmt: skip
    return result


def _row(type_: str, original: Mapping[str, int] | None, classes: int, entities: int) -> dict[str, int | None]:
    return {"original": None if original is None else original.get(type_, 0), "classes": classes, "entities": entities}


def _drawable(dictionary: Dictionary) -> dict[str, dict[str, dict[str, int]]]:
    """For every name type and language: classes with instances, and entities."""
    result: dict[str, dict[str, dict[str, int]]] = {}
    sql = f"SELECT type, lang, count(DISTINCT class), count(DISTINCT id) FROM {_POOL} GROUP BY ALL ORDER BY ALL"
    for type_, language, classes, entities in dictionary.ask(sql):
        result.setdefault(type_, {})[language] = {"classes": classes, "entities": entities}
    return result


def _person_names(dictionary: Dictionary) -> dict[str, dict[str, int]]:
    result: dict[str, dict[str, int]] = {}
    for language in dictionary.meta.languages:
        found = dictionary.person_names(language)
        if found.given or found.family:
            result[language] = {"given": len(found.given), "family": len(found.family)}
    return result


def _untyped(dictionary: Dictionary) -> int:
    sql = "SELECT count(DISTINCT class) FROM item_class WHERE class NOT IN (SELECT class FROM class_type)"
    return int(dictionary.ask(sql)[0][0])


def fault_rows(dictionary: Dictionary) -> list[dict[str, Any]]:
    """What could not be read, with its line in its source; 0 where it is about the whole."""
    found = dictionary.ask("SELECT source, line, code, message FROM faults ORDER BY ALL")
    return [dict(zip(("source", "line", "code", "message"), row, strict=True)) for row in found]


def class_rows(dictionary: Dictionary) -> list[dict[str, Any]]:
    """Every class with its types, title and the number of its instances by language, in the order of ids."""
    found: dict[str, dict[str, Any]] = {}
    sql = f"""
        SELECT {text_sql("class_type.class", "text")}, class_type.type, source, coalesce(lang, ''), coalesce(n, 0)
        FROM class_type LEFT JOIN class_index
            ON class_index.class = class_type.class AND class_index.type IN ('', class_type.type)
        LEFT JOIN local_ids ON local_ids.id = class_type.class ORDER BY ALL
    """
    for one, type_, source, language, n in dictionary.ask(sql):
        row = found.setdefault(
            f"{one}\t{type_}", {"class": one, "title": "", "type": type_, "source": source, "instances": {}}
        )
        if language:
            row["instances"][language] = n
    titles = dictionary.class_titles(row["class"] for row in found.values())
    for row in found.values():
        row["title"] = titles.get(row["class"], "")
    return sorted(found.values(), key=lambda row: (row["type"], order_of(row["class"])))
