"""A dictionary in the papers' form: for every name type the lines of a file of classes."""

from __future__ import annotations

from collections.abc import Iterator

from nerquake.knowledge.class_files import class_lines
from nerquake.knowledge.dictionary import Dictionary
from nerquake.knowledge.duck import quoted
from nerquake.knowledge.ids import text_sql
from nerquake.knowledge.schema import LABEL
from nerquake.knowledge.text import ANY, fits_sql


def class_files(dictionary: Dictionary, language: str) -> Iterator[tuple[str, Iterator[str]]]:
    """For every name type the name of its file and its lines.

    Instances stand under the name by which they were listed, else under their label in the language, else under their
    label for any. Where the dictionary has a limit or was filtered, only the instances that can be drawn.
    """
    found = {type_ for (type_,) in dictionary.ask("SELECT DISTINCT type FROM class_type")}
    for type_ in sorted(found | set(dictionary.meta.types)):
        yield f"{type_}.jsonl", class_lines(iter(dictionary.ask(_query(dictionary, language), type=type_)))


def _query(dictionary: Dictionary, language: str) -> str:
    spoken, limited = quoted(language), ""
    if dictionary.meta.limit_per_class or dictionary.meta.rows.get("withheld"):
        limited = f"""AND (item_class.class, item_class.type, item_class.id) IN
            (SELECT (class, type, id) FROM members WHERE lang = {spoken})"""
    return f"""
        WITH listed AS (
            SELECT class_type.class, item_class.id, item_class.called FROM class_type
            LEFT JOIN item_class ON item_class.class = class_type.class
                AND item_class.type IN ('', class_type.type) {limited}
            WHERE class_type.type = $type GROUP BY ALL),
        called AS (
            SELECT id, name AS called FROM names
            WHERE lang = {spoken} AND id IN (SELECT id FROM listed WHERE called <> '') GROUP BY ALL),
        labels AS (
            SELECT id, arg_min(name, lang <> {spoken}) AS name FROM names
            WHERE kind = {LABEL} AND (lang = {spoken} OR (lang = '{ANY}' AND {fits_sql(language)}))
                AND id IN (SELECT id FROM listed) GROUP BY id),
        titles AS (
            SELECT class, arg_min(name, (lang <> {spoken}, lang <> '{ANY}', lang <> 'en', lang)) AS title
            FROM class_names GROUP BY class)
        SELECT {text_sql("listed.class", "class_ids.text")}, coalesce(title, ''),
               {text_sql("listed.id", "item_ids.text")}, coalesce(called.called, labels.name)
        FROM listed LEFT JOIN called USING (id, called) LEFT JOIN labels USING (id) LEFT JOIN titles USING (class)
        LEFT JOIN local_ids AS class_ids ON class_ids.id = listed.class
        LEFT JOIN local_ids AS item_ids ON item_ids.id = listed.id
        ORDER BY listed.class < 0, listed.class, 1, listed.id < 0, listed.id, 3
    """
