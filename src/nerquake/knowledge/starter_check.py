"""What the starter tables must hold; a test looks, so that a slip in a table is found before it is shipped."""

from __future__ import annotations

import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterator

from nerquake.core.errors import Problem
from nerquake.core.labels import LABEL_SETS
from nerquake.knowledge.ids import is_wikidata
from nerquake.knowledge.starter_tables import KINDS, LANGUAGES, Tables
from nerquake.knowledge.text import SCRIPTS, folded

TYPES = LABEL_SETS["ontonotes-names"]
CLASSES, NAMES, SHARED = 60, 40, 2
"""The fewest classes, the fewest English names a class, the most classes that may share a surface."""


def check(found: Tables) -> list[Problem]:
    """All that is wrong with the tables; the messages name file and line."""
    return [*_classes(found), *_cells(found), *_surfaces(found), *_people(found)]


def _classes(found: Tables) -> Iterator[Problem]:
    sizes = Counter(entity.class_id for entity in found.entities if entity.names[0])
    types = {type_ for type_, _ in found.classes.values()}
    if len(found.classes) < CLASSES:
        yield Problem("few-classes", 0, f"{len(found.classes)} classes, at least {CLASSES} are needed")
    for type_ in sorted(set(TYPES) ^ types):
        yield Problem("types", 0, "a name type without classes" if type_ in TYPES else "no name type", type_)
    for one, (_, title) in found.classes.items():
        if is_wikidata(one):
            yield Problem("wikidata-id", 0, "a Wikidata id stands only where data gave it", one)
        if not title:
            yield Problem("no-title", 0, "a class without a title", one)
        if sizes[one] < NAMES:
            yield Problem("few-names", 0, f"{sizes[one]} English names, at least {NAMES} are needed", one)
    for one in sorted({entity.class_id for entity in found.entities} - found.classes.keys()):
        yield Problem("unknown-class", 0, "a class that no table of classes has", one)


def _cells(found: Tables) -> Iterator[Problem]:
    for entity in found.entities:
        if not any(entity.names):
            yield Problem("no-name", entity.line, f"{entity.file}: no name at all")
        for language, name in zip(LANGUAGES, entity.names, strict=True):
            for what in _wrong(language, name):
                yield Problem("cell", entity.line, f"{entity.file}: {language}: {what}", name)


def _wrong(language: str, name: str) -> Iterator[str]:
    """What is wrong with how a name is written."""
    if unicodedata.normalize("NFC", name) != name:
        yield "not in normal form C"
    if " ".join(name.split()) != name:
        yield "blanks at the ends, doubled, or of another kind"
    if set(name) & set('()[]{}";|<>_'):
        yield "brackets or signs that do not stand in running text"
    allowed = [script.upper() for script in SCRIPTS[language]]
    letters = [character for character in name if character.isalpha()]
    foreign = [c for c in letters if not any(s in unicodedata.name(c, "") for s in allowed) and c not in "ʻʼ"]
    if foreign:
        yield f"a letter of another script: {foreign[0]}"
    if letters == [] and language == "hi" and name:
        yield "no letter of the script"


def _surfaces(found: Tables) -> Iterator[Problem]:
    places: dict[tuple[str, str], list[tuple[str, str, int]]] = defaultdict(list)
    for entity in found.entities:
        for language, name in zip(LANGUAGES, entity.names, strict=True):
            if name:
                places[language, folded(name)].append((entity.class_id, entity.file, entity.line))
    for (language, name), where in places.items():
        classes = Counter(one for one, _, _ in where)
        for one, times in classes.items():
            if times > 1:
                lines = ", ".join(f"{file}:{line}" for other, file, line in where if other == one)
                yield Problem("repeated", 0, f"{language}: twice in {one} ({lines})", name)
        if len(classes) > SHARED:
            yield Problem("shared", 0, f"{language}: in {len(classes)} classes ({', '.join(classes)})", name)


def _people(found: Tables) -> Iterator[Problem]:
    for (kind, language, name), times in Counter(found.people).items():
        if kind not in KINDS or language not in LANGUAGES or not name:
            yield Problem("bad-person-name", 0, f"{kind!r}, {language!r} is no kind and language of a name", name)
        else:
            for what in _wrong(language, name):
                yield Problem("cell", 0, f"{kind} name, {language}: {what}", name)
        if times > 1:
            yield Problem("repeated", 0, f"{kind} name, {language}: {times} times", name)
    for kind in KINDS:
        for language in LANGUAGES:
            if not any(found_kind == kind and code == language for found_kind, code, _ in found.people):
                yield Problem("no-person-names", 0, f"no {kind} names in {language}")
