"""From entities to what may replace them: the entities of their classes, or of their whole name type."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from nerquake.knowledge.dictionary import Dictionary
from nerquake.perturb.wikidata_drawing import ClassPool

Types = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Pools:
    """Classes that mentions draw from, looked up for all of them at once.

    classes   the direct classes of every entity that a mention is linked to
    types     the name types of every class
    sizes     for a name type and a class that has it, the entities that can be drawn
    """

    classes: Mapping[str, tuple[str, ...]]
    types: Mapping[str, tuple[str, ...]]
    sizes: Mapping[tuple[str, str], int]

    @classmethod
    def of(
        cls, dictionary: Dictionary, language: str, asked: Iterable[tuple[str, Types]], *, untyped: bool = False
    ) -> Pools:
        """For entities, each with the name types of its mentions.

        untyped   a class without a name type takes that of the mentions linked to it, as in the paper
        """
        pairs = set(asked)
        classes = dictionary.classes_of(sorted({item for item, _ in pairs}))
        every = sorted({one for those in classes.values() for one in those})
        types = dictionary.types_of(every)
        wanted = sorted({type_ for _, those in pairs for type_ in those})
        sizes: dict[tuple[str, str], int] = {}
        for type_ in wanted:
            having = [one for one in every if type_ in types.get(one, wanted if untyped else ())]
            sizes |= {(type_, one): n for one, n in dictionary.sizes(having, language, type_).items()}
        return cls(classes, types, sizes)

    def pools(self, item: str, types: Types) -> tuple[ClassPool, ...]:
        """The classes of an entity that have one of these name types, and entities; each for the first such type."""
        found = []
        for one in self.classes.get(item, ()):
            type_ = next((name for name in types if self.sizes.get((name, one))), None)
            if type_ is not None:
                found.append(ClassPool(one, type_, self.sizes[type_, one]))
        return tuple(found)


def pools_of_type(dictionary: Dictionary, language: str, types: Types) -> tuple[ClassPool, ...]:
    """All classes of these name types that have entities; one that has several types once."""
    found: dict[str, ClassPool] = {}
    for type_ in types:
        for one, size in dictionary.classes_of_type(type_, language).items():
            found.setdefault(one, ClassPool(one, type_, size))
    return tuple(found.values())
