"""Gazetteer: mentions are replaced by names from a file of the user's own."""

from __future__ import annotations

from dataclasses import dataclass

from nerquake.core.dataset import Dataset
from nerquake.core.options import positional
from nerquake.core.protocols import Context, Prepared, Proposal
from nerquake.core.seeds import Draws
from nerquake.core.sentence import Sentence
from nerquake.core.variant import Level
from nerquake.perturb.base import MentionOptions, planned, propose_replacements
from nerquake.perturb.names import check_names_file, names_plan, read_names


@dataclass(frozen=True, slots=True, kw_only=True)
class Gazetteer(MentionOptions):
    """Each mention is replaced by a name of its label from a file, never by its own text.

    The pool is the file's, so a sentence that is added changes no other. Names are split into tokens as data sets
    have them: at blanks, with punctuation at their ends apart.

    file          names by label: `LABEL<TAB>name` lines, `[LABEL]` sections, a folder with a file for each label, or
                  lines of classes `{"class_id", "class_title", "instances": {id: name}}`
    label         the label of a plain list of names or of a file of classes
    match_length  only names with as many tokens as the mention
    """

    file: str = positional(drawn=False)
    label: str = ""
    match_length: bool = False

    def __post_init__(self) -> None:
        MentionOptions.__post_init__(self)
        check_names_file(self.file)

    @property
    def level(self) -> Level:
        """Mentions."""
        return "entity"

    def prepare(self, corpus: Dataset, draws: Draws) -> Prepared:
        """Read the names and draw one for every chosen mention.

        Raises:
            InputError: the file cannot be read, or lines hold no name.
            UsageError: no name is for a label of the data set.
        """
        notes = self.notes_on(corpus)
        names = read_names(self.file, self.label)
        plan, more = names_plan(self.chosen(corpus, draws), names, draws, self.match_length)
        return Prepared(plan, (*notes, *more))

    def propose(self, sentence: Sentence, draws: Draws, context: Context) -> Proposal:
        """Edits that replace the sentence's chosen mentions."""
        return propose_replacements(sentence, self, draws, planned(context.state))
