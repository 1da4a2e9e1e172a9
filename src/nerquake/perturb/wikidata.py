"""Wikidata: mentions are replaced by real entities of the same fine-grained class (paper R, 2.1: RockNER's E)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

from nerquake.core.dataset import Dataset
from nerquake.core.edits import Edit, Rewrite, apply_edits
from nerquake.core.errors import InputError, PluginError, SpecError
from nerquake.core.options import positional, undrawn
from nerquake.core.protocols import Context, Prepared, Proposal
from nerquake.core.seeds import Draws
from nerquake.core.sentence import Sentence
from nerquake.core.span import Span
from nerquake.core.variant import Level
from nerquake.knowledge.dictionary import STARTER
from nerquake.knowledge.label_types import LabelTypes, label_types
from nerquake.perturb.base import NO_MENTION, NOT_COVERED, Key, Mention, MentionOptions
from nerquake.perturb.person_names import PersonPool
from nerquake.perturb.wikidata_language import in_script, language_for, opened
from nerquake.perturb.wikidata_links import LinkSource
from nerquake.perturb.wikidata_notes import notes_of, notes_of_types
from nerquake.perturb.wikidata_plan import GPE, OTHER_SCRIPT, Outcome, Planning
from nerquake.perturb.wikidata_pools import Types

PERSON, NORP = "PERSON", "NORP"


@dataclass(frozen=True, slots=True, kw_only=True)
class Wikidata(MentionOptions):
    """Each mention is replaced by a real entity of one of its own fine-grained classes, a city by a city.

    A mention is linked to an entity of the dictionary; of that entity's classes that have the mention's type and other
    entities one is drawn, each as likely as the next, and of it an entity, never the mention's own nor one with its
    text. People get a first, sometimes a middle, and a last name, linked or not. Mentions that are not linked stay.
    The pool is the dictionary's, so a sentence that is added changes no other. Draws do not depend on where
    files lie, so a link that is corrected changes its own mention alone.

    dictionary    a file that `nerquake dictionary build` wrote; starter: the one that is shipped
    links         which entity each mention is, a file that `nerquake dictionary link` wrote and somebody reviewed;
                  without it mentions are linked when the attack runs
    linker        what links them then
    fallback      type: a mention that is not linked, or whose classes have nothing else, gets an entity of any class of
                  its type
    middle        the share of people who get a middle name
    language      of the names; by default that of the data set. Sentences mostly in another script stay as they are
    label_types   name types of labels, `label-types=Ort=GPE/LOC` or a table's file, where the table that is shipped has
                  others or none
    relabel_norp  a NORP whose new class is a class of GPE too becomes a GPE, as in paper R's released data
    variant       released: as paper R's released data, that is relabel-norp=yes
    """

    dictionary: str = positional(STARTER, drawn=False)
    links: str = undrawn("")
    linker: str = undrawn("alias")
    fallback: Literal["none", "type"] = undrawn("none")
    middle: float = undrawn(0.3)
    language: str = ""
    label_types: tuple[str, ...] = undrawn(())
    relabel_norp: bool = undrawn(False)
    variant: Literal["text", "released"] = undrawn("text")

    def __post_init__(self) -> None:
        MentionOptions.__post_init__(self)
        if not 0 <= self.middle <= 1:
            raise SpecError(f"wikidata: middle: expected a share from 0 to 1, got {self.middle:g}")
        _types(self.label_types)
        if self.dictionary != STARTER and not Path(self.dictionary).is_file():
            raise InputError(
                f"{self.dictionary}: there is no such dictionary; `nerquake dictionary build -o {self.dictionary}` "
                f"makes one, {STARTER} is the one that is shipped"
            )
        self.link_source.check()

    @property
    def link_source(self) -> LinkSource:
        """Where links come from."""
        return LinkSource(self.links, self.linker, self.label_types)

    @property
    def level(self) -> Level:
        """Mentions."""
        return "entity"

    def selects(self, label: str) -> bool:
        """Whether mentions with this label are replaced: those that stand for a name type."""
        return _is_name(self.label_types, label) and MentionOptions.selects(self, label)

    def name_types(self, corpus: Dataset) -> dict[str, Types]:
        """The name types of every label of a data set whose mentions are replaced."""
        table = _types(self.label_types)
        return {label: table.of(label, corpus.labels) for label in corpus.labels if self.selects(label)}

    @property
    def relabels(self) -> bool:
        """Whether a NORP may become a GPE."""
        return self.relabel_norp or self.variant == "released"

    def prepare(self, corpus: Dataset, draws: Draws) -> Prepared:
        """Link the mentions and draw a replacement for every one that has any.

        Raises:
            InputError: the dictionary or the links cannot be read.
            UsageError: the dictionary has no names in the data set's language, or `types` names a label that it lacks.
        """
        notes = self.notes_on(corpus)
        with opened(self.dictionary) as dictionary:
            language = language_for(self.language, corpus, dictionary)
            planning = Planning(dictionary, language.code, draws)
            mentions = [mention for sentence in corpus for mention in self.mentions(sentence)]
            strange = {one.id for one in corpus if one.spans and not in_script(one, language.code)}
            planning.leave([m for m in mentions if m.sentence.id in strange], OTHER_SCRIPT)
            said = self._settle(corpus, planning, [m for m in mentions if m.sentence.id not in strange])
            notes += [f"wikidata: {language.note}"] if language.note else []
            notes += notes_of_types(dictionary, *self._doubtful(corpus))
            notes += notes_of(planning, corpus, mentions, said)
        return Prepared(dict(planning.outcomes), tuple(notes))

    def _doubtful(self, corpus: Dataset) -> tuple[dict[str, Types], list[str]]:
        """The name types of labels that the dictionary is to have classes for, and the labels whose types nobody knows.

        People have names of their own, and what a file links brings its classes along.
        """
        types = {} if self.links else self.name_types(corpus)
        unknown = _types(self.label_types).unknown(corpus.labels)
        return (
            {label: own for label, own in types.items() if PERSON not in own},
            [label for label in unknown if MentionOptions.selects(self, label)],
        )

    def _settle(self, corpus: Dataset, planning: Planning, mentions: list[Mention]) -> list[str]:
        """Settle the mentions; returns what is said of linking and of people."""
        types = self.name_types(corpus)
        dictionary, language = planning.dictionary, planning.language
        names = dictionary.person_names(language)
        pool = PersonPool(names.given, names.family, language, self.middle)
        people = [m for m in mentions if pool and PERSON in types[m.label]]
        planning.people(people, pool)
        others = [m for m in mentions if not (pool and PERSON in types[m.label])]
        links = self.link_source.items(dictionary, corpus, others, language)
        every = {label: _types(self.label_types).of(label, corpus.labels) for label in corpus.labels}
        relabel = _norp_to_gpe(every) if self.relabels else {}
        wider = {label: (*own, GPE) if label in relabel else own for label, own in types.items()}
        planning.entities(others, links.items, wider, untyped=bool(self.links), relabel=relabel)
        if self.fallback == "type":
            planning.by_type(others, types)
        said = list(links.notes)
        if people:
            said.append(
                f"{len(people):,} people get a given and a family name of {len(names.given):,} and "
                f"{len(names.family):,}, {self.middle:.0%} a second given name"
            )
        elif any(PERSON in own for own in types.values()) and not pool:
            said.append(f"the dictionary has no given and family names in {language}: people are entities like others")
        return said

    def propose(self, sentence: Sentence, draws: Draws, context: Context) -> Proposal:
        """Edits that replace the sentence's covered mentions."""
        edits: list[Edit] = []
        reasons: list[str] = []
        relabelled: dict[int, str] = {}
        mentions = attackable = 0
        for mention in self.mentions(sentence):
            mentions += 1
            outcome = _outcome(context.state, mention)
            attackable += not isinstance(outcome, str)
            if not self.covers(mention, draws):
                continue
            if isinstance(outcome, str):
                reasons.append(outcome)
                continue
            span = sentence.spans[mention.place]
            edits.append(Edit(span.start, span.end, outcome.tokens, "mention", outcome.source))
            new = dict(outcome.source).get("relabelled")
            if new:
                relabelled[mention.place] = new
        if not mentions:
            return Proposal(reason=NO_MENTION, applicable=False)
        if relabelled:
            made = _relabelled(sentence, edits, relabelled)
            return Proposal(rewrite=made, attackable=attackable, relabelled=len(relabelled))
        why = "" if edits else reasons[0] if reasons else NOT_COVERED
        return Proposal(tuple(edits), reason=why, attackable=attackable)

    def depends_on(self, corpus: Dataset) -> str | None:
        """The content of the dictionary and of the links."""
        with opened(self.dictionary) as dictionary:
            texts = [f"dictionary {dictionary.meta.digest}", self.link_source.fingerprint()]
        types = [f"{label}={'/'.join(own)}" for label, own in self.name_types(corpus).items()]
        return " ".join([*texts, "types", *types])


@cache
def _types(overrides: tuple[str, ...]) -> LabelTypes:
    return label_types(overrides)


@cache
def _is_name(overrides: tuple[str, ...], label: str) -> bool:
    return bool(_types(overrides).of(label))


def _norp_to_gpe(types: Mapping[str, Types]) -> dict[str, str]:
    """For every label that stands for NORP alone the one that stands for GPE."""
    places = [label for label, own in types.items() if own[:1] == (GPE,)]
    new = GPE if GPE in types or not places else places[0]
    return {label: new for label, own in types.items() if own == (NORP,)}


def _outcome(plan: Mapping[Key, Outcome], mention: Mention) -> Outcome:
    try:
        return plan[mention.key]
    except KeyError:
        raise PluginError(f"sentence {mention.sentence.id!r} was not in the data set that was prepared") from None


def _relabelled(sentence: Sentence, edits: list[Edit], labels: Mapping[int, str]) -> Rewrite:
    """The sentence with its edits, where some mentions have another label too: those count as gone and as new."""
    made = apply_edits(sentence, edits).sentence
    spans = tuple(Span(s.start, s.end, labels.get(at, s.label)) for at, s in enumerate(made.spans))
    kept = tuple(None if at in labels else at for at in range(len(spans)))
    source = tuple(
        (f"{edit.start}-{edit.end}.{key}", value) for edit in edits for key, value in edit.source
    )  # fmt: skip
    return Rewrite(made.tokens, spans, kept, source)
