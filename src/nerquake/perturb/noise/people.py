"""Names of people as forms write them: family name first, or given names as initials."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from nerquake.core.dataset import Dataset
from nerquake.core.options import positional
from nerquake.core.protocols import Context, Prepared, Proposal
from nerquake.core.seeds import Draws
from nerquake.core.sentence import Sentence
from nerquake.core.variant import Level
from nerquake.perturb.base import Mention, MentionOptions, Replacement, propose_replacements
from nerquake.perturb.kinds import PEOPLE, folded
from nerquake.perturb.noise.clusters import clusters, is_word

_PARTICLES = frozenset(
    {"al", "bin", "da", "de", "del", "della", "den", "der", "di", "do", "dos", "du", "el", "ibn", "la", "le", "san",
     "st", "st.", "ten", "ter", "van", "vom", "von", "y", "zu", "zum", "zur"}
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class _PeopleOptions(MentionOptions):
    """The options of attacks on names of people.

    types  labels to attack; by default those that data sets use for people (PER, PERSON, NEP ...)
    """

    @property
    def level(self) -> Level:
        """The form of a mention; who is named stays."""
        return "surface"

    def selects(self, label: str) -> bool:
        """Whether mentions with this label are attacked."""
        return label in self.types if self.types else label.casefold() in folded(PEOPLE)

    def prepare(self, corpus: Dataset, draws: Draws) -> Prepared:
        """Check the labels."""
        notes = self.notes_on(corpus)
        if not any(self.selects(label) for label in corpus.mentions):
            notes.append("no label for people in this data set; types= says which labels are")
        return Prepared(None, tuple(notes))


@dataclass(frozen=True, slots=True, kw_only=True)
class NameOrder(_PeopleOptions):
    """`Angela Merkel` as `Merkel , Angela`: the family name first.

    The family name is the last word with the particles before it (`van der Leyen`). Names of one word, and names that
    hold a comma or a bracket, stay.

    form  comma: with a comma between them; plain: without
    """

    form: Literal["comma", "plain"] = positional("comma")

    def propose(self, sentence: Sentence, draws: Draws, context: Context) -> Proposal:
        """Edits that replace the sentence's chosen mentions."""

        def replace(mention: Mention) -> Replacement | None:
            parted = _parted(mention.tokens)
            if parted is None:
                return None
            given, family = parted
            comma = (",",) if self.form == "comma" else ()
            return Replacement((*family, *comma, *given), (("was", mention.text),))

        return propose_replacements(sentence, self, draws, replace, "no name of two words or more")


@dataclass(frozen=True, slots=True, kw_only=True)
class Initials(_PeopleOptions):
    """`Angela Dorothea Merkel` as `A. D. Merkel`: given names as initials.

    The initial is the name's first grapheme cluster, a double name keeps both (`J.-P. Sartre`). Names of one word, and
    those whose given names are initials already, stay.
    """

    def propose(self, sentence: Sentence, draws: Draws, context: Context) -> Proposal:
        """Edits that replace the sentence's chosen mentions."""

        def replace(mention: Mention) -> Replacement | None:
            parted = _parted(mention.tokens)
            if parted is None:
                return None
            tokens = (*(_initial(name) for name in parted[0]), *parted[1])
            return None if tokens == mention.tokens else Replacement(tokens, (("was", mention.text),))

        return propose_replacements(sentence, self, draws, replace, "no given name beside a family name")


def _parted(tokens: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
    """Given names and family name; None where the tokens are not a name of that form."""
    if len(tokens) < 2 or not all(is_word(token) for token in tokens):
        return None
    at = len(tokens) - 1
    while at > 1 and tokens[at - 1].lower() in _PARTICLES:
        at -= 1
    if tokens[0].lower() in _PARTICLES:
        return None
    made = tokens[:at], tokens[at:]
    return made if made[0] != made[1] else None


def _initial(name: str) -> str:
    if name.endswith("."):
        return name
    return "-".join(f"{clusters(part)[0]}." for part in name.split("-") if part) or name
