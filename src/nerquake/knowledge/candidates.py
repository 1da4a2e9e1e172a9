"""Items that a mention may mean, best first, for all mentions in one query.

Mentions are found by the key of their text (`text.key_of`). Candidates are ranked by, in this order: whether one of the
item's classes has the mention's name type; whether the name is written as the mention is; label before alias; a name in
the mention's language before one for any language before others; the number of sitelinks; the id.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from nerquake.knowledge.dictionary import Dictionary
from nerquake.knowledge.ids import text_sql
from nerquake.knowledge.text import ANY, key_of


class Asked(NamedTuple):
    """A mention's text, with blanks between its words, and its name type as the dictionary calls it; "" for any."""

    text: str
    type: str = ""


class Candidate(NamedTuple):
    """An item, and what its rank comes from.

    agrees    one of its classes has the mention's type
    exact     one of its names is the mention's text, letter by letter
    alias     that name is an alias
    language  of that name: 0 the one asked for, 1 any, 2 another
    """

    item: str
    agrees: bool
    exact: bool
    alias: bool
    language: int
    sitelinks: int


_QUERY = f"""
WITH found AS (
    -- of an item's names under one key the best: exact form, then label, then language
    SELECT asked.n, names.id,
           min((names.name <> asked.text)::INTEGER * 100 + kind * 10
               + CASE lang WHEN $language THEN 0 WHEN '{ANY}' THEN 1 ELSE 2 END) AS form
    FROM names JOIN asked USING (key) GROUP BY asked.n, names.id),
agreeing AS (
    SELECT DISTINCT found.n, found.id FROM found JOIN asked USING (n)
    JOIN item_class ON item_class.id = found.id
    JOIN class_type ON class_type.class = item_class.class AND class_type.type = asked.type
    WHERE item_class.type IN ('', asked.type)),
ranked AS (
    SELECT found.n, found.id, agreeing.id IS NOT NULL AS agrees, form, sitelinks,
           row_number() OVER (PARTITION BY found.n ORDER BY agreeing.id IS NULL, form, sitelinks DESC,
                              found.id < 0, found.id) AS rank
    FROM found JOIN items ON items.id = found.id
    LEFT JOIN agreeing ON agreeing.n = found.n AND agreeing.id = found.id)
SELECT n, {text_sql("ranked.id", "local_ids.text")}, agrees, form, sitelinks
FROM ranked LEFT JOIN local_ids ON local_ids.id = ranked.id
WHERE rank <= $limit ORDER BY n, rank
"""


def candidates(
    dictionary: Dictionary, mentions: Iterable[Asked], language: str, limit: int = 10
) -> dict[Asked, tuple[Candidate, ...]]:
    """The best candidates of every mention; mentions without any are left out. Equal mentions are asked for once."""
    asked = list(dict.fromkeys(mentions))
    found: dict[Asked, list[Candidate]] = {}
    for n, item, agrees, form, sitelinks in dictionary.ask(_QUERY, _columns(asked), language=language, limit=limit):
        exact, rest = divmod(form, 100)
        found.setdefault(asked[n], []).append(Candidate(item, agrees, exact == 0, rest >= 10, rest % 10, sitelinks))
    return {mention: tuple(those) for mention, those in found.items()}


def _columns(asked: list[Asked]) -> dict[str, np.ndarray[Any, Any]]:
    return {
        "n": np.arange(len(asked), dtype=np.int64),
        "key": np.array([key_of(mention.text) for mention in asked], np.uint64),
        "text": np.array([mention.text.encode("utf-8", "replace").decode() for mention in asked], np.object_),
        "type": np.array([mention.type for mention in asked], np.object_),
    }
