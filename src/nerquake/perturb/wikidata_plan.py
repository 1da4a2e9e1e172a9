"""What becomes of every mention under `wikidata`: a replacement, or the reason why there is none."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from nerquake.core.seeds import Draws
from nerquake.knowledge.dictionary import Dictionary
from nerquake.perturb.base import Key, Mention, Replacement
from nerquake.perturb.person_names import PersonPool
from nerquake.perturb.tokens import by_character, characters_apart
from nerquake.perturb.wikidata_drawing import ClassPool, Drawn, Unit, Wanted, draw_entities, plain
from nerquake.perturb.wikidata_pools import Pools, Types, pools_of_type

NOT_LINKED = "mention not linked to an entity"
NO_CLASS = "no class of the entity has the mention's type and entities"
NO_OTHER = "no other entity in the classes"
OTHER_SCRIPT = "sentence in another script than the language's"
REASONS = (NOT_LINKED, NO_CLASS, NO_OTHER, OTHER_SCRIPT)
GPE = "GPE"
Outcome = Replacement | str
"""What replaces a mention, or why nothing does."""
TypesOf = Mapping[str, Types]
"""Name types by label."""


@dataclass(slots=True)
class Planning:
    """Settles mentions kind by kind; `outcomes` has them all in the end.

    draws     the attack's
    outcomes  by mention
    pools     for each label the classes that its mentions can draw from
    """

    dictionary: Dictionary
    language: str
    draws: Draws
    outcomes: dict[Key, Outcome] = field(default_factory=dict)
    pools: dict[str, set[ClassPool]] = field(default_factory=dict)

    def leave(self, mentions: Iterable[Mention], reason: str) -> None:
        """Mentions that stay, for this reason."""
        for mention in mentions:
            self.outcomes[mention.key] = reason

    def people(self, mentions: Sequence[Mention], pool: PersonPool) -> None:
        """Mentions that get a person's name."""
        made: dict[Unit, Outcome] = {}
        for unit, mention in _units(mentions).items():
            name = pool.draw(self.draws.of("").random("person", *unit), plain(mention.tokens))
            source = () if name is None else (*name.source, ("was", mention.text))
            made[unit] = NO_OTHER if name is None else Replacement(name.tokens, source)
        self._settle(mentions, made)

    def entities(
        self,
        mentions: Sequence[Mention],
        items: Mapping[Key, str],
        types: TypesOf,
        *,
        untyped: bool,
        relabel: Mapping[str, str],
    ) -> None:
        """Mentions that get an entity of one of the classes of their own.

        items     what mentions are linked to
        types     in which their classes must be
        untyped   classes without a name type serve for the mentions that are linked to them
        relabel   by label the one that mentions get instead whose new class is a class of GPE
        """
        units = _units(mentions)
        linked = _items(mentions, items)
        asked = {(item, types[units[unit].label]) for unit, item in linked.items()}
        pools = Pools.of(self.dictionary, self.language, asked, untyped=untyped)
        wanted: list[Wanted] = []
        made: dict[Unit, Outcome] = {}
        for unit, mention in units.items():
            item = linked.get(unit, "")
            found = pools.pools(item, types[mention.label]) if item else ()
            made[unit] = NO_OTHER if found else NO_CLASS if item else NOT_LINKED
            wanted.append(Wanted(unit, plain(mention.tokens), item, found))
            self._note(mention, found)
        drawn = draw_entities(self.dictionary, self.language, wanted, self.draws, "entity")
        titles = self.dictionary.class_titles({one.pool.id for one in drawn.values()})
        for unit, one in drawn.items():
            mention = units[unit]
            source = [*_source(one, mention, titles), ("was-item", linked[unit])]
            new = relabel.get(mention.label)
            if new and GPE in pools.types.get(one.pool.id, ()):
                source.append(("relabelled", new))
            made[unit] = Replacement(one.tokens, tuple(source))
        self._settle(mentions, made)

    def by_type(self, mentions: Sequence[Mention], types: TypesOf) -> None:
        """Mentions without an outcome of their own that get any entity of their coarse type."""
        units = _units([m for m in mentions if isinstance(self.outcomes.get(m.key), str)])
        known: dict[Types, tuple[ClassPool, ...]] = {}
        wanted: list[Wanted] = []
        for unit, mention in units.items():
            own = types[mention.label]
            if own not in known:
                known[own] = pools_of_type(self.dictionary, self.language, own)
            wanted.append(Wanted(unit, plain(mention.tokens), "", known[own]))
            self._note(mention, known[own])
        drawn = draw_entities(self.dictionary, self.language, wanted, self.draws, "type")
        titles = self.dictionary.class_titles({one.pool.id for one in drawn.values()})
        made: dict[Unit, Outcome] = {
            unit: Replacement(one.tokens, (*_source(one, units[unit], titles), ("fallback", one.pool.type)))
            for unit, one in drawn.items()
        }
        self._settle([mention for mention in mentions if mention.unit in made], made)

    def _settle(self, mentions: Iterable[Mention], made: Mapping[Unit, Outcome]) -> None:
        for mention in mentions:
            outcome = made[mention.unit]
            if isinstance(outcome, Replacement) and by_character(mention.sentence.tokens):
                outcome = outcome._replace(tokens=characters_apart(outcome.tokens))
            self.outcomes[mention.key] = outcome

    def _note(self, mention: Mention, pools: Iterable[ClassPool]) -> None:
        self.pools.setdefault(mention.label, set()).update(pools)


def _source(drawn: Drawn, mention: Mention, titles: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    one = drawn.pool.id
    title = titles.get(one, one)
    return (("item", drawn.item), ("class", one), ("class-title", title), ("was", mention.text))


def _units(mentions: Iterable[Mention]) -> dict[Unit, Mention]:
    """A mention for every unit; where a unit has several, they have the same text and label."""
    found: dict[Unit, Mention] = {}
    for mention in mentions:
        found.setdefault(mention.unit, mention)
    return found


def _items(mentions: Iterable[Mention], items: Mapping[Key, str]) -> dict[Unit, str]:
    """The entity of every unit: where its mentions are linked to several, the one that most are linked to."""
    counts: dict[Unit, Counter[str]] = {}
    for mention in mentions:
        if mention.key in items:
            counts.setdefault(mention.unit, Counter())[items[mention.key]] += 1
    return {unit: min(found, key=lambda item: (-found[item], item)) for unit, found in counts.items()}
