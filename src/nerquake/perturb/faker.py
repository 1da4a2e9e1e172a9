"""Faker: people, places and organisations are replaced by invented ones of a locale (paper M's Faker)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Literal, NamedTuple

from nerquake.core.dataset import Dataset
from nerquake.core.errors import SpecError, UsageError
from nerquake.core.language import language_of
from nerquake.core.protocols import Context, Prepared, Proposal
from nerquake.core.seeds import Draws
from nerquake.core.sentence import Sentence
from nerquake.core.variant import Level
from nerquake.perturb.base import Mention, MentionOptions, Plan, Replacement, planned, propose_replacements, width_note
from nerquake.perturb.faker_pools import LocalePools, Patterns, PlaceKind, available_locales, check_locales, pools_of
from nerquake.perturb.kinds import NATURAL_PLACES, ORGANISATIONS, PEOPLE, PLACES, POLITICAL_PLACES, folded
from nerquake.perturb.tokens import folded_text

LOCALES: dict[str, tuple[str, ...]] = {
    "en": ("en_US", "en_CA", "en_IN"),
    "de": ("de_DE", "de_AT", "de_CH"),
    "hi": ("hi_IN",),
}
"""The locales of each language, those of paper M."""
PLACE_KINDS: tuple[PlaceKind, ...] = ("city", "country", "state")
_TRIES = 16
Kind = Literal["people", "places", "organisations"]
KINDS: tuple[Kind, ...] = ("people", "places", "organisations")


@dataclass(frozen=True, slots=True, kw_only=True)
class FakerNames(MentionOptions):
    """People and places become invented ones, whole names of one locale a mention, never with a title or degree.

    The pool is fixed, and every mention has a seed of its own, so neither order nor other sentences matter.

    locales        Faker locales to draw from; by default those of the data set's language (en, de, hi)
    orgs           replace organisations too
    people         labels that stand for people (upper and lower case alike)
    places         labels that stand for places; left to itself it leaves LOC alone beside GPE, where it holds
                   mountains and rivers, whose label no town's name would fit
    organisations  labels that stand for organisations
    place_kinds    what places become: `city`, `country`, `state`, or several. Cities come from the locale's list of
                   real towns where it has one (de_*, en_IN, hi_IN with 50), else from its patterns (en_US, en_CA)
    variant        text: whole names; released: as paper M's code, filled token by token, so that the number of
                   tokens stays and a place may become the single word "United"
    """

    locales: tuple[str, ...] = ()
    orgs: bool = False
    people: tuple[str, ...] = PEOPLE
    places: tuple[str, ...] = PLACES
    organisations: tuple[str, ...] = ORGANISATIONS
    place_kinds: tuple[str, ...] = ("city",)
    variant: Literal["text", "released"] = "text"

    def __post_init__(self) -> None:
        MentionOptions.__post_init__(self)
        strange = [kind for kind in self.place_kinds if kind not in PLACE_KINDS]
        if strange or not self.place_kinds:
            raise SpecError(f"faker: place-kinds: expected city, country or state, got {', '.join(strange) or 'none'}")
        tables = [("people", self.people), ("places", self.places)]
        tables += [("organisations", self.organisations)] if self.orgs else []
        seen: dict[str, str] = {}
        for kind, labels in tables:
            for label in folded(labels):
                if seen.setdefault(label, kind) != kind:
                    raise SpecError(f"faker: the label {label} stands under {seen[label]} and under {kind}")
        if self.locales:
            check_locales(self.locales)

    @property
    def level(self) -> Level:
        """Mentions."""
        return "entity"

    def selects(self, label: str) -> bool:
        """Whether mentions with this label are replaced."""
        return self._kind(label) is not None and (not self.types or label in self.types)

    def _kind(self, label: str) -> Kind | None:
        own = label.casefold()
        if own in folded(self.people):
            return "people"
        if own in folded(self.places):
            return "places"
        return "organisations" if self.orgs and own in folded(self.organisations) else None

    def prepare(self, corpus: Dataset, draws: Draws) -> Prepared:
        """Build the locales' pools and draw a name for every chosen mention.

        Raises:
            UsageError: no locales are given, and the data set's language has no default.
        """
        fitted = self._fitted(corpus)
        found = fitted._prepared(corpus, draws)
        return Prepared((fitted, found.state), found.notes)

    def _fitted(self, corpus: Dataset) -> FakerNames:
        """The options for this data set's labels: which of them are places."""
        labels = folded(corpus.labels)
        if self.places != PLACES or self.types or not labels & folded(POLITICAL_PLACES):
            return self
        natural = folded(NATURAL_PLACES)
        return replace(self, places=tuple(label for label in PLACES if label.casefold() not in natural))

    def _prepared(self, corpus: Dataset, draws: Draws) -> Prepared:
        notes = self.notes_on(corpus)
        locales = self.locales
        if not locales:
            locales, note = _default_locales(corpus)
            notes += [f"faker: {note}"] if note else []
        pools = [pools_of(locale) for locale in dict.fromkeys(locales)]
        kinds = {label: kind for label in corpus.labels if (kind := self._kind(label)) is not None}
        rows = {kind: self._rows(kind, pools) for kind in KINDS}
        plan: Plan = {}
        drawn: dict[tuple[str | int, ...], Replacement | None] = {}
        served: Counter[tuple[Kind, str]] = Counter()
        for mention in self.chosen(corpus, draws):
            kind = kinds[mention.label]
            if mention.unit not in drawn:
                drawn[mention.unit] = self._invent(mention, rows[kind], draws)
            found = plan[mention.key] = drawn[mention.unit]
            served[kind, dict(found.source)["locale"] if found else ""] += 1
        for kind in KINDS:
            labels = ", ".join(label for label, own in kinds.items() if own == kind)
            notes += _pool_notes(
                f"{kind} ({labels})", {key[1]: n for key, n in served.items() if key[0] == kind}, rows[kind]
            )
        left = [label for label in corpus.labels if not self.selects(label)]
        notes += [f"faker: other labels left alone: {', '.join(left)}"] if left else []
        return Prepared(plan, (*notes, width_note(plan, "faker")))

    def propose(self, sentence: Sentence, draws: Draws, context: Context) -> Proposal:
        """Edits that replace the sentence's chosen mentions."""
        fitted, plan = context.state
        return propose_replacements(sentence, fitted, draws, planned(plan))

    def _rows(self, kind: Kind, locales: Sequence[LocalePools]) -> list[_Row]:
        """The locales that have names of this kind."""
        wanted: list[PlaceKind] = [name for name in PLACE_KINDS if name in self.place_kinds]
        rows: list[_Row] = []
        for pools in locales:
            if kind == "people":
                rows.append(_Row(pools.locale, [pools.people], pools))
            elif kind == "places":
                rows.append(_Row(pools.locale, pools.places(wanted)))
            else:
                rows.append(_Row(pools.locale, [pools.organisations] if len(pools.organisations) else []))
        return [row for row in rows if row.pools]

    def _invent(self, mention: Mention, rows: Sequence[_Row], draws: Draws) -> Replacement | None:
        """A name that differs from the mention by more than case; None where there is no other."""
        if not rows:
            return None
        rng = draws.of("").random(*mention.unit)
        row = rows[int(rng.random() * len(rows))]
        tokens = mention.tokens
        old = folded_text(tokens)
        for _ in range(_TRIES):
            made = row.draw(rng) if self.variant == "text" else row.fill(len(tokens), rng)
            if folded_text(made) != old:
                return Replacement(made, (("locale", row.locale), ("was", " ".join(tokens))))
        return None


class _Row(NamedTuple):
    """One locale's names of one kind; `person` has the first and last names where they are people."""

    locale: str
    pools: list[Patterns]
    person: LocalePools | None = None

    def draw(self, rng: Random) -> tuple[str, ...]:
        """The tokens of a whole name."""
        return self.pools[int(rng.random() * len(self.pools))].draw(rng)

    def fill(self, width: int, rng: Random) -> tuple[str, ...]:
        """So many tokens: a first name and then last names, else the first word of a name each."""
        if self.person is None:
            return tuple(self.draw(rng)[0] for _ in range(width))
        texts = [self.person.first.draw(rng), *(self.person.last.draw(rng) for _ in range(width - 1))]
        return tuple(text.split()[0] for text in texts)


def _default_locales(corpus: Dataset) -> tuple[tuple[str, ...], str]:
    language, note = language_of(corpus)
    if language in LOCALES:
        return LOCALES[language], note
    own = [locale for locale in available_locales() if locale.partition("_")[0] == language]
    hint = f"faker:locales={'|'.join(own)}" if own else "faker:locales=en_US, or --language"
    known = ", ".join(sorted(LOCALES))
    what = f"the language {language!r} has no default locales" if language else note
    raise UsageError(f"faker: {what}; there are defaults for {known}. Say which to use: {hint}")


def _pool_notes(what: str, served: Mapping[str, int], rows: Sequence[_Row]) -> list[str]:
    """How many names each locale offers for how many mentions, and which have too few."""
    if not served:
        return []
    sizes = {row.locale: sum(map(len, row.pools)) for row in rows}
    each = [f"{locale} {size:,} for {served.get(locale, 0):,}" for locale, size in sizes.items()]
    notes = [f"faker: {what}, names for mentions: {', '.join(each) or 'none'}"]
    short = [locale for locale, size in sizes.items() if size < served.get(locale, 0)]
    if short:
        notes.append(f"faker: warning: {what}: fewer names than mentions in {', '.join(short)}, so names repeat")
    if served.get(""):
        notes.append(f"faker: warning: {what}: no name for {served['']:,} mentions, which stay")
    return notes
