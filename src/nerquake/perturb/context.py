"""Context: content words are filled in again by a masked language model, as a surrogate likes least (paper R, 2.2)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, NamedTuple

from nerquake.core.dataset import Dataset
from nerquake.core.edits import Source, apply_edits
from nerquake.core.errors import SpecError
from nerquake.core.fillers import CONTENT_WORDS, PosSource
from nerquake.core.labels import LabelRules
from nerquake.core.options import undrawn
from nerquake.core.protocols import Context, Prepared, Proposal
from nerquake.core.seeds import Draws
from nerquake.core.sentence import Sentence
from nerquake.language.choose_pos import choose_pos
from nerquake.perturb.drawing import Window
from nerquake.perturb.filling import Filling, fill_all, outside_mentions
from nerquake.perturb.fills import FillRules
from nerquake.perturb.surrogate import Surrogate
from nerquake.perturb.words import NO_FILL, NO_WORD, TOO_ODD, Means, WordOptions, total

NOT_HURTING = "no candidate makes the surrogate miss more"
TEXT, RELEASED = range(100, 201), range(51, 101)
"""Ranks of the paper's text (BERT) and of its released code (RoBERTa)."""
NO_SURROGATE = (
    "no surrogate was named, so which of the {} candidates is taken is a seeded draw: not the paper's setting; "
    "surrogate=spacy:PIPELINE, surrogate=huggingface:FOLDER or surrogate=rules:FILE takes the one that this recogniser "
    "misses most mentions of"
)


class _Helpers(NamedTuple):
    parts: PosSource
    surrogate: Surrogate | None


@dataclass(slots=True)
class _Job:
    """A sentence with its candidates, in an order that decides ties.

    usable   those that differ from the sentence and from each other, and are natural enough
    odd      whether any was not natural enough
    """

    sentence: Sentence
    fillings: list[Filling]
    usable: list[Filling] = field(default_factory=list)
    odd: bool = False

    def distinct(self, fillings: Sequence[Filling]) -> list[Filling]:
        """The first of those that say the same, without those in which no word was replaced."""
        found = {one.tokens: one for one in reversed(fillings) if one.filled}
        return [one for one in fillings if found.get(one.tokens) is one]

    def proposal(self, chosen: Filling | None, reason: str = "", source: Source = ()) -> Proposal:
        """What is proposed for the sentence."""
        rejected = total(one.rejected for one in self.fillings)
        if chosen is not None:
            return Proposal(tuple(replace(e, source=e.source + source) for e in chosen.edits), rejected=rejected)
        if not self.fillings:
            return Proposal(reason=NO_WORD, applicable=False)
        return Proposal(reason=reason or (TOO_ODD if self.odd else NO_FILL), rejected=rejected)


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextWords(WordOptions):
    """Content words outside mentions are replaced; of k candidates the one that hurts a surrogate most is taken.

    In each candidate 1 to 3 content words (nouns, verbs, adjectives, adverbs) are masked and filled from left to right,
    each fill seeing the earlier ones. A fill is drawn from a window of the model's ranks, of those that pass the rules.
    Where none passes, another word is masked in its stead.

    k           candidates for a sentence
    masks       words to replace in each, drawn between these
    ranks       of the full vocabulary, 1 is the model's best; by default 100-200 (text) or 51-100 (released)
    pos         what tells content words: spacy:PIPELINE, stanza:FOLDER, stopwords, or auto, by language
    surrogate   a tagger; the candidate is taken in which it misses most gold mentions, ties at random. Without one the
                candidate is drawn
    keep        hurting: only where the surrogate misses more mentions than in the original; always: in any case
    variant     released: as paper R's code, proper nouns too, and fills in ASCII only
    """

    k: int = 5
    masks: range = range(1, 4)
    ranks: range = undrawn(range(0))
    pos: str = undrawn("auto")
    surrogate: str = undrawn("")
    keep: Literal["always", "hurting"] = undrawn("always")
    variant: Literal["text", "released"] = "text"

    def __post_init__(self) -> None:
        WordOptions.__post_init__(self)
        if self.k < 1 or self.masks[0] < 1 or (self.ranks and self.ranks[0] < 1):
            found = f"k={self.k}, masks from {self.masks[0]}, ranks from {self.ranks[0] if self.ranks else 1}"
            raise SpecError(f"context: k, masks and ranks begin at 1, got {found}")
        if self.keep == "hurting" and not self.surrogate:
            raise SpecError("context: keep=hurting needs a surrogate=, which says what hurts")
        if self.surrogate:
            Surrogate.of(self.surrogate)

    def check(self, corpus: Dataset, rules: LabelRules) -> None:
        """See that its models can run and fit the data set, before anything is attacked.

        Raises:
            UsageError, InputError: one cannot run, or its labels cannot be joined.
        """
        choose_pos(self.pos, corpus).about()
        if self.surrogate:
            Surrogate.of(self.surrogate, corpus).check(corpus, rules)

    def prepare(self, corpus: Dataset, draws: Draws) -> Prepared:
        """Load what it works with: the filler, the source of parts of speech, the surrogate.

        Raises:
            UsageError: one of them cannot run here.
            InputError: files cannot be read.
        """
        filler, said = self.filler_for(corpus)
        parts = choose_pos(self.pos, corpus)
        surrogate = Surrogate.of(self.surrogate, corpus) if self.surrogate else None
        said += [f"content words by {line}" for line in parts.about()]
        said.append(f"chosen by the surrogate {self.surrogate}" if surrogate else NO_SURROGATE.format(self.k))
        released = self.variant == "released"
        if released:
            ranks = self._window.ranks
            said.append(f"as paper R's released code: ranks {ranks[0]}-{ranks[-1]}, proper nouns too, ASCII fills only")
        rules = FillRules.of(corpus, self.listed_names(), ascii_only=released, marked=filler.cased)
        means = Means(filler, rules, self.judge_for(corpus, filler), _Helpers(parts, surrogate))
        return Prepared(means, tuple(f"context: {line}" for line in said))

    def propose(self, sentence: Sentence, draws: Draws, context: Context) -> Proposal:
        """Edits for one sentence; the same as in a batch."""
        return self.propose_batch([sentence], draws, context)[0]

    def propose_batch(self, sentences: Sequence[Sentence], draws: Draws, context: Context) -> list[Proposal]:
        """Edits that replace words of each sentence."""
        means: Means = context.state
        helpers: _Helpers = means.more
        content = self._content(sentences, helpers.parts)
        jobs = [self._job(one, words, draws.of(one.id)) for one, words in zip(sentences, content, strict=True)]
        if helpers.surrogate is None:
            for at in range(self.k):
                self._fill([(job, job.fillings[at : at + 1]) for job in jobs if not job.usable], means)
            return [job.proposal(job.usable[0] if job.usable else None) for job in jobs]
        self._fill([(job, job.fillings) for job in jobs], means)
        return self._chosen(jobs, helpers.surrogate, context)

    @property
    def _window(self) -> Window:
        return Window(self.ranks or (RELEASED if self.variant == "released" else TEXT))

    def _content(self, sentences: Sequence[Sentence], parts: PosSource) -> Iterator[list[int]]:
        """For each sentence the positions that may be masked."""
        taken = CONTENT_WORDS | {"PROPN"} if self.variant == "released" else CONTENT_WORDS
        for sentence, tags in zip(sentences, parts.tag([one.tokens for one in sentences]), strict=True):
            yield [at for at in outside_mentions(sentence) if tags[at] in taken]

    def _job(self, sentence: Sentence, words: Sequence[int], draws: Draws) -> _Job:
        fillings = []
        for number in sorted(range(self.k if words else 0), key=lambda number: draws.number("candidate", number)):
            rng = draws.random("positions", number)
            low, high = min(self.masks[0], len(words)), min(self.masks[-1], len(words))
            order = rng.sample(words, len(words))
            count = rng.randint(low, high)
            fillings.append(Filling(sentence, draws, (number,), sorted(order[:count]), order[count:]))
        return _Job(sentence, fillings)

    def _fill(self, asked: Sequence[tuple[_Job, Sequence[Filling]]], means: Means) -> None:
        """Fill candidates, and keep those that are usable."""
        fill_all([filling for _, fillings in asked for filling in fillings], means.filler, means.rules, self._window)
        pairs = [(job, filling) for job, fillings in asked for filling in job.distinct(fillings)]
        natural = self.within_limit([filling for _, filling in pairs], means.judge)
        for (job, filling), good in zip(pairs, natural, strict=True):
            if good:
                job.usable.append(filling)
            job.odd |= not good

    def _chosen(self, jobs: Sequence[_Job], surrogate: Surrogate, context: Context) -> list[Proposal]:
        """Of each sentence's candidates the one that the surrogate misses most mentions in; it is asked once."""
        asked = [one for job in jobs for one in self._asked(job)]
        counts = iter(surrogate.missed(asked, context.corpus, context.rules))
        proposals = []
        for job in jobs:
            missed = [next(counts) for _ in self._asked(job)]
            before = missed.pop() if self.keep == "hurting" and missed else -1
            best = max(range(len(missed)), key=missed.__getitem__, default=None)
            if best is None:
                proposals.append(job.proposal(None))
            elif missed[best] <= before:
                proposals.append(job.proposal(None, NOT_HURTING))
            else:
                source = (("surrogate-missed", f"{missed[best]} of {len(job.sentence.spans)} mentions"),)
                proposals.append(job.proposal(job.usable[best], source=source))
        return proposals

    def _asked(self, job: _Job) -> list[Sentence]:
        """What the surrogate is asked about: the candidates, and where it is compared the sentence itself, last."""
        made = [apply_edits(job.sentence, one.edits).sentence for one in job.usable]
        return [*made, job.sentence] if self.keep == "hurting" and made else made

    def depends_on(self, corpus: Dataset) -> str | None:
        """The fillers, the listed names, parts of speech, the surrogate; None where that cannot tell its own."""
        texts = [*self.words_depend_on(), choose_pos(self.pos, corpus).fingerprint()]
        if self.surrogate:
            on = Surrogate.of(self.surrogate, corpus).depends_on()
            if on is None:
                return None
            texts.append(on)
        return " ".join(texts)
