"""Paraphrase: sentences said in another way, their mentions kept as they are (paper M, 3.2: Para)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, NamedTuple

from nerquake.core.dataset import Dataset
from nerquake.core.errors import InputError, PluginError, SpecError, UsageError
from nerquake.core.labels import LabelRules
from nerquake.core.language import Language, language_of
from nerquake.core.options import positional, undrawn
from nerquake.core.paraphrases import Answer, Candidate, Fitting, Paraphraser
from nerquake.core.protocols import Context, Prepared, Proposal
from nerquake.core.seeds import Draws
from nerquake.core.sentence import Sentence
from nerquake.core.spec import parse_spec
from nerquake.core.variant import Level
from nerquake.knowledge.dictionary import STARTER
from nerquake.language.build import build_filler
from nerquake.language.paraphrase_text import SAME
from nerquake.language.sentence_encoder import SentenceEncoder
from nerquake.perturb.paraphrase_aliases import KnownAliases, aliases_of
from nerquake.perturb.paraphrase_mentions import Mapped, Mapper
from nerquake.perturb.paraphrase_names import mentions_of
from nerquake.perturb.paraphrase_quality import LEXICAL, STRUCTURE, Difference, Judges, difference, source_of
from nerquake.perturb.paraphrase_tokens import Conventions
from nerquake.perturb.sample import sample_ids
from nerquake.perturb.wikidata_language import opened
from nerquake.perturb.wikidata_links import LinkSource
from nerquake.perturb.words import TOO_ODD, total
from nerquake.registry import PARAPHRASERS

NO_MENTION = "without a mention"
NOT_DRAWN = "not drawn for this attack's own sample"
IDENTICAL = "the paraphrase says the same in the same words"
NO_CANDIDATE = "no paraphrase"
OTHER_KIND = "not of the kind that is asked for"
TOO_NEAR = "moved less than min-change"
TOO_FAR = "meaning below min-meaning"


class Means(NamedTuple):
    """What the attack works with on one data set.

    drawn   ids of the sentences that are paraphrased
    """

    backend: Paraphraser
    mapper: Mapper
    judges: Judges
    aliases: KnownAliases
    drawn: frozenset[str]


class _Usable(NamedTuple):
    """A candidate whose mentions are found, and which differs enough."""

    candidate: Candidate
    mapped: Mapped
    made: Difference


@dataclass(frozen=True, slots=True, kw_only=True)
class Paraphrase:
    """Sentences are said in another way; every mention stays as it is written, in one piece, as often as before.

    A backend proposes candidates. One that loses, changes, splits or repeats a mention, or puts another known name in,
    is not taken; of the others the most different one is. Where none is left the sentence is discarded, with the
    reason, and takes part in no comparison. A candidate in the same words and order is no paraphrase: the sentence
    stays unchanged. Sentences without a mention are left as they are.

    backend               what paraphrases: rules, seq2seq:MODEL, llm:URL, file:FILE
    sample                how many sentences with mentions to paraphrase, drawn from the whole set; all other
                          sentences are discarded; 0: no sample
    min_change            the least distance of the order of words, 0 to 1
    kind                  structure: only rewrites of a sentence's structure; lexical: only those of its wording
    allow                 aliases: another name of the same item may stand in a mention's place, by the dictionary
    dictionary            the dictionary that has the names, a file that `nerquake dictionary build` wrote
    links                 which item each mention is, a file that `nerquake dictionary link` wrote; else linked as it
                          runs
    encoder               a sentence encoder, by folder or name, which measures how far the meaning is kept
    min_meaning           the least cosine between the two sentences, by the encoder
    filler                a masked language model that measures how natural a paraphrase is: transformers:MODEL, ngram
    max_perplexity_ratio  how many times the pseudo-perplexity of the original a paraphrase may have; 0: no limit
    """

    backend: str = positional("rules", drawn=False)
    sample: int = undrawn(0)
    min_change: float = undrawn(0.0)
    kind: Literal["any", "structure", "lexical"] = undrawn("any")
    allow: Literal["verbatim", "aliases"] = undrawn("verbatim")
    dictionary: str = undrawn("")
    links: str = undrawn("")
    encoder: str = undrawn("")
    min_meaning: float = undrawn(0.7)
    filler: str = undrawn("")
    max_perplexity_ratio: float = undrawn(0.0)

    def __post_init__(self) -> None:
        if self.sample < 0 or not 0 <= self.min_change <= 1:
            found = f"sample={self.sample}, min-change={self.min_change:g}"
            raise SpecError(f"paraphrase: sample is 0 or more, min-change from 0 to 1, got {found}")
        if not -1 <= self.min_meaning <= 1 or self.max_perplexity_ratio < 0:
            found = f"min-meaning={self.min_meaning:g}, max-perplexity-ratio={self.max_perplexity_ratio:g}"
            raise SpecError(f"paraphrase: min-meaning is from -1 to 1, max-perplexity-ratio 0 or above, got {found}")
        if self.max_perplexity_ratio and not self.filler:
            raise SpecError("paraphrase: max-perplexity-ratio needs a filler=, the model that measures it")
        self._backend()
        if self.filler:
            build_filler(self.filler)
        if self.allow == "aliases":
            self._check_dictionary()

    @property
    def level(self) -> Level:
        """The words around mentions; mentions too where other names may stand in their place."""
        return "both" if self.allow == "aliases" else "context"

    def lacks(self, language: str) -> str:
        """What the backend lacks for a language, empty where it lacks nothing."""
        return self._backend().lacks(language)

    def check(self, corpus: Dataset, rules: LabelRules) -> None:
        """See that the backend can paraphrase this data set, before anything is attacked.

        Raises:
            UsageError, InputError: it cannot, or what measures quality cannot run.
        """
        self._fitted(corpus, language_of(corpus))
        if self.encoder:
            SentenceEncoder(self.encoder).check()
        if self.filler:
            build_filler(self.filler).about()

    def prepare(self, corpus: Dataset, draws: Draws) -> Prepared:
        """Draw the sentences, learn how the data set is tokenised, load what measures quality.

        Raises:
            UsageError, InputError: the backend cannot paraphrase this data set.
        """
        language = language_of(corpus)
        backend = self._fitted(corpus, language)
        conventions = Conventions.of(corpus, language.code)
        aliases = KnownAliases({})
        if self.allow == "aliases":
            with opened(self.dictionary) as dictionary:
                aliases = aliases_of(corpus, dictionary, self._links(), language.code, conventions)
        judges = Judges(
            SentenceEncoder(self.encoder) if self.encoder else None,
            build_filler(self.filler).learn(corpus) if self.filler else None,
            self.min_meaning,
            self.max_perplexity_ratio,
        )
        mapper = Mapper(conventions, mentions_of(corpus))
        means = Means(backend, mapper, judges, aliases, self._drawn(corpus, draws))
        return Prepared(means, tuple(f"paraphrase: {line}" for line in self._notes(corpus, language, means)))

    def propose(self, sentence: Sentence, draws: Draws, context: Context) -> Proposal:
        """A rewrite of one sentence; the same as in a batch."""
        return self.propose_batch([sentence], draws, context)[0]

    def propose_batch(self, sentences: Sequence[Sentence], draws: Draws, context: Context) -> list[Proposal]:
        """A rewrite of each sentence, or why there is none."""
        means: Means = context.state
        asked = [one for one in sentences if one.id in means.drawn]
        made = list(means.backend.paraphrase(asked, draws)) if asked else []
        if len(made) != len(asked) or not all(isinstance(answer, Answer) for answer in made):
            raise PluginError(f"the paraphraser {self.backend} gave {len(made)} answers for {len(asked)} sentences; an "
                              "Answer for each is expected")  # fmt: skip
        for one, answer in zip(asked, made, strict=True):
            if not all(map(_well_formed, answer.candidates)):
                raise PluginError(f"sentence {one.id!r}: the paraphraser {self.backend} gave a candidate that is none; "
                                  "a Candidate is expected, its text a string, its tokens a tuple of strings, its "
                                  "origin a tuple of whole numbers and None")  # fmt: skip
        answers = dict(zip((one.id for one in asked), made, strict=True))
        return [
            self._proposal(one, answers[one.id], means) if one.id in answers else self._left_out(one)
            for one in sentences
        ]

    def depends_on(self, corpus: Dataset) -> str:
        """The backend, the models that measure, the dictionary and the links."""
        texts = [self._fitted(corpus, language_of(corpus)).fingerprint()]
        if self.encoder:
            texts.append(SentenceEncoder(self.encoder).fingerprint())
        if self.filler:
            texts.append(build_filler(self.filler).fingerprint())
        if self.allow == "aliases":
            with opened(self.dictionary) as dictionary:
                texts += [f"dictionary {dictionary.meta.digest}", self._links().fingerprint()]
        return " ".join(texts)

    def counted(self, proposals: Sequence[Proposal]) -> tuple[str, ...]:
        """What was made, in words: rewrites of structure and of wording counted apart, how far the order moved."""
        sources = [dict(one.rewrite.source) for one in proposals if one.rewrite is not None]
        if not sources:
            return ()
        kinds = Counter(source["kind"] for source in sources)
        mean = sum(float(source["distance"]) for source in sources) / len(sources)
        return (
            f"paraphrase: {kinds[STRUCTURE]:,} rewrites of structure, {kinds[LEXICAL]:,} of wording alone; mean "
            f"distance of the order of words {mean:.2f}",
        )

    def _check_dictionary(self) -> None:
        if not self.dictionary:
            raise SpecError("paraphrase: allow=aliases needs a dictionary=FILE that has the other names; the one that "
                            f"is shipped ({STARTER}) has one name an item")  # fmt: skip
        if self.dictionary != STARTER and not Path(self.dictionary).is_file():
            raise InputError(f"{self.dictionary}: there is no such dictionary; `nerquake dictionary build` makes one")
        self._links().check()

    def _backend(self) -> Paraphraser:
        made: Paraphraser = PARAPHRASERS.build(parse_spec(self.backend, PARAPHRASERS.names()))
        return made

    def _links(self) -> LinkSource:
        return LinkSource(self.links, "alias")

    def _fitted(self, corpus: Dataset, language: Language) -> Paraphraser:
        """The backend for a data set."""
        backend = self._backend()
        lack = backend.lacks(language.code)
        if lack:
            raise UsageError(f"paraphrase:{self.backend}: {lack}")
        return backend.fitted(corpus, language.code) if isinstance(backend, Fitting) else backend

    def _drawn(self, corpus: Dataset, draws: Draws) -> frozenset[str]:
        """Of the sentences with mentions those with the smallest hash of seed and id, as `--sample` draws."""
        able = corpus.with_sentences([one for one in corpus if one.spans])
        return sample_ids(able, self.sample or max(1, len(able)), draws.seed)

    def _notes(self, corpus: Dataset, language: Language, means: Means) -> list[str]:
        notes = [*([language.note] if language.note else []), *(f"by {line}" for line in means.backend.about())]
        if self.sample:
            able = sum(bool(one.spans) for one in corpus)
            notes.append(f"{len(means.drawn):,} of {able:,} sentences with mentions drawn")
        notes += means.aliases.notes
        for judge, what in ((means.judges.encoder, "meaning"), (means.judges.filler, "pseudo-perplexity")):
            notes += [f"{what} measured by {line}" for line in judge.about()] if judge is not None else []
        return notes

    def _left_out(self, sentence: Sentence) -> Proposal:
        """Sentences that are not asked about: those without a mention, and all but the sample."""
        if sentence.spans:
            return Proposal(reason=NOT_DRAWN, discard=True)
        return Proposal(reason=NO_MENTION, applicable=False, discard=self.sample > 0)

    def _proposal(self, sentence: Sentence, answer: Answer, means: Means) -> Proposal:
        """The most different candidate that is acceptable."""
        reasons: list[str] = []
        usable: list[_Usable] = []
        for candidate in dict.fromkeys(answer.candidates):
            found = self._usable(sentence, candidate, means)
            if isinstance(found, str):
                reasons.append(found)
            else:
                usable.append(found)
        for one in sorted(usable, key=lambda each: each.made.rank, reverse=True):
            quality = means.judges.quality(sentence, one.mapped)
            if not means.judges.means_the_same(quality):
                reasons.append(TOO_FAR)
            elif not means.judges.natural(quality):
                reasons.append(TOO_ODD)
            else:
                source = source_of(one.candidate, one.mapped, one.made, quality, self.backend)
                return Proposal(rewrite=one.mapped.rewrite(sentence, source), rejected=total([Counter(reasons)]))
        rejected = total([Counter(reasons)])
        if IDENTICAL in reasons or (not reasons and answer.reason == SAME):
            return Proposal(reason=IDENTICAL, rejected=rejected)
        reason = Counter(reasons).most_common(1)[0][0] if reasons else answer.reason or NO_CANDIDATE
        return Proposal(reason=reason, discard=True, rejected=rejected)

    def _usable(self, sentence: Sentence, candidate: Candidate, means: Means) -> _Usable | str:
        """A candidate with its mentions, or why it is not taken."""
        found = means.mapper.map(sentence, candidate, means.aliases.of(sentence.id, len(sentence.spans)))
        if isinstance(found, str):
            return found
        made = difference(sentence, found, candidate)
        if made.none and not found.aliases:
            return IDENTICAL
        if self.kind not in ("any", made.kind):
            return OTHER_KIND
        return TOO_NEAR if made.distance < self.min_change else _Usable(candidate, found, made)


def _well_formed(candidate: object) -> bool:
    """Whether a candidate holds what `Candidate` says; plug-ins are not type-checked."""
    return (
        isinstance(candidate, Candidate)
        and isinstance(candidate.text, str)
        and isinstance(candidate.tokens, tuple)
        and all(isinstance(token, str) for token in candidate.tokens)
        and isinstance(candidate.origin, tuple)
        and all(at is None or isinstance(at, int) for at in candidate.origin)
    )
