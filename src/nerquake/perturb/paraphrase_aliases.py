"""Other names of what mentions stand for, where a paraphrase may use them: `U.S.` for `United States`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from nerquake.core.dataset import Dataset
from nerquake.core.errors import UsageError
from nerquake.knowledge.dictionary import Dictionary
from nerquake.perturb.base import Key, Mention
from nerquake.perturb.paraphrase_names import Tokens, written_as_name
from nerquake.perturb.paraphrase_tokens import Conventions
from nerquake.perturb.wikidata_links import LinkSource


class KnownAliases(NamedTuple):
    """For each linked mention its item's other names, tokenised as the data set is, and what there is to say."""

    names: Mapping[Key, tuple[Tokens, ...]]
    notes: tuple[str, ...] = ()

    def of(self, sentence_id: str, mentions: int) -> dict[int, tuple[Tokens, ...]]:
        """Those of one sentence's mentions, by index."""
        found = ((index, self.names.get((sentence_id, index), ())) for index in range(mentions))
        return {index: names for index, names in found if names}


def aliases_of(
    corpus: Dataset, dictionary: Dictionary, links: LinkSource, language: str, conventions: Conventions
) -> KnownAliases:
    """The other names of all mentions of a data set that are linked to an item of the dictionary.

    Raises:
        UsageError: the dictionary has no names in the language.
        InputError: the links cannot be read.
    """
    if language not in dictionary.meta.languages:
        there = ", ".join(dictionary.meta.languages) or "none"
        raise UsageError(
            f"paraphrase: allow=aliases: the dictionary {dictionary.path} has no names in "
            f"{language or 'a language that is not known'}; it has {there}. Name another with dictionary="
        )
    mentions = [Mention(one, index, (one.id, index)) for one in corpus for index in range(len(one.spans))]
    linked = links.items(dictionary, corpus, mentions, language)
    names = dictionary.names(dict.fromkeys(linked.items.values()), language)
    tokenised = {
        item: [conventions.tokenise(name) for name in (found.label, *found.aliases) if len(name) > 1]
        for item, found in names.items()
    }
    others: dict[Key, tuple[Tokens, ...]] = {}
    for mention in mentions:
        item = linked.items.get(mention.key)
        those = tokenised.get(item, []) if item is not None else []
        found = tuple(dict.fromkeys(name for name in those if name != mention.tokens and written_as_name(name)))
        if found:
            others[mention.key] = found
    said = f"{len(others):,} of {len(mentions):,} mentions have other names that a paraphrase may use"
    return KnownAliases(others, (*linked.notes, said))
