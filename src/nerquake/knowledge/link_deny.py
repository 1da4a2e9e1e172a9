"""Deny lists: links that are known to be wrong, a line each, to be edited by hand.

```
# mention<TAB>item: this mention never means this item
Paris	Q167646
# an item alone: no mention means it
Q4115189
```
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace

from nerquake.core.errors import Problem
from nerquake.core.linking import Link
from nerquake.knowledge.ids import is_wikidata
from nerquake.knowledge.link_context import bare
from nerquake.knowledge.link_lines import DamagedLinks, read_file, text_lines
from nerquake.knowledge.links import Links

Pair = tuple[str, str]
"""A mention's bare text, "" for any, and an item."""


def read_deny(path: str) -> dict[Pair, str]:
    """The denied pairs of a list, with what their lines say.

    Raises:
        InputError: the file cannot be read.
        DamagedLinks: lines that are no pair, all of them listed.
    """
    problems: list[Problem] = []
    found: dict[Pair, str] = {}
    for number, line in text_lines(read_file(path, "a deny list is written by hand"), problems):
        cells = [cell.strip() for cell in line.split("\t")]
        if line.startswith("#") and not (len(cells) == 2 and cells[0][1:2].strip() and _is_id(cells[1])):
            continue  # a comment; a hashtag with an item behind it is a mention
        if len(cells) == 1 and _is_id(cells[0]):
            cells.insert(0, "")
        if len(cells) != 2 or len(cells[1].split()) != 1 or (is_wikidata(cells[0]) and not _is_id(cells[1])):
            hint = "a mention, a tab and an item's id: Paris, a tab, Q167646; or an item's id alone"
            problems.append(Problem("bad-pair", number, "no denied pair", line[:60], hint))
            continue
        found[bare(cells[0]), cells[1]] = line
    if problems:
        raise DamagedLinks(path, sorted(problems, key=lambda problem: problem.line))
    return found


def _is_id(text: str) -> bool:
    return is_wikidata(text) or (":" in text and len(text.split()) == 1)


def without_denied(links: Links, denied: Mapping[Pair, str]) -> tuple[Links, Counter[Pair]]:
    """The links without pairs that are denied, and how many links each pair has cost.

    A mention whose link is removed has none; its other candidates stay for the reader.
    """
    found: Counter[Pair] = Counter()
    kept: list[Link] = []
    for link in links:
        text = bare(link.text)
        accepted = next((pair for pair in _pairs(text, link.accepted or "") if pair in denied), None)
        candidates = tuple(one for one in link.candidates if not denied.keys() & set(_pairs(text, one.item)))
        if accepted is not None:
            found[accepted] += 1
        kept.append(replace(link, candidates=candidates, accepted=None if accepted else link.accepted))
    return replace(links, links=tuple(kept), denied=links.denied + found.total()), found


def _pairs(text: str, item: str) -> tuple[Pair, Pair]:
    return (text, item), ("", item)
