"""Paraphrases by rules over a parse: voice, order of clauses and phrases, and a few exchanges of words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from hashlib import sha256
from pathlib import Path

from nerquake.core.dataset import Dataset
from nerquake.core.errors import InputError, UnknownName
from nerquake.core.options import settled
from nerquake.core.paraphrases import Answer
from nerquake.core.seeds import Draws
from nerquake.core.sentence import Sentence
from nerquake.language.rewriting import LANGUAGES, engine, rules_of, sources
from nerquake.language.rewriting.tree import Rule

ENGLISH = "en"
"""The language of a data set that does not say which it is in."""
MOST_TOKENS = 200
"""Longer rows are no sentences; they are not parsed."""
UNPARSED = "no parse in the file"


@dataclass(frozen=True, slots=True)
class RuleParaphraser:
    """Paraphrases by rules over a parse; each rule leaves alone what it is in doubt about.

    pipeline   a spaCy pipeline with a parser, or the folder where it was saved; by default the smallest installed one.
               For German, whose rules read Universal Dependencies: stanza:FOLDER, by default what Stanza downloaded,
               or conllu:FILE, parses made elsewhere of the same tokens
    budget     how many rewritings a candidate may combine
    rules      names of the rules to use, by default all
    language   the data set's (`fitted`)
    """

    pipeline: str = ""
    budget: int = 3
    rules: tuple[str, ...] = ()
    language: str = settled(ENGLISH)

    def __post_init__(self) -> None:
        if self.budget < 1:
            raise ValueError(f"budget={self.budget}: at least 1 rewriting is expected")
        if self.rules:
            known = sorted({rule.name for language in LANGUAGES for rule in rules_of(language)})
            for name in self.rules:
                if name not in known:
                    raise UnknownName("rule for paraphrases", name, known, "rules=A|B takes only these.")

    def fitted(self, corpus: Dataset, language: str) -> RuleParaphraser:
        """The paraphraser with the rules of the data set's language; English where it is not known.

        Raises:
            InputError: the file with parses has none of a sentence with mentions: it is of another data set.
            FormatError: the file is no CoNLL-U.
        """
        fitted = replace(self, language=language or ENGLISH)
        there = [one for one in corpus if one.spans] if self.pipeline.startswith("conllu:") else []
        if there and not any(fitted._source().trees(there)):
            raise InputError(
                f"{self.pipeline}: it has no sentence of {corpus.name} that has mentions; sentences are found by their "
                f"tokens, those of the data set begin {' '.join(there[0].tokens[:8])!r}"
            )
        return fitted

    def lacks(self, language: str) -> str:
        """Why it cannot run for a language; empty where it can."""
        code = language or ENGLISH
        if code not in LANGUAGES:
            return f"there are rules for {', '.join(LANGUAGES)}, not for {code}"
        if not any(not self.rules or rule.name in self.rules for rule in rules_of(code)):
            return f"none of the rules named is one for {code}: {', '.join(self.rules)}"
        return sources.lacks(self.pipeline, code)

    def paraphrase(self, sentences: Sequence[Sentence], draws: Draws) -> list[Answer]:
        """One answer for each sentence, in order; it depends on the sentence alone, not on the batch."""
        rules = self._rules()
        short = [one for one in sentences if len(one) <= MOST_TOKENS]
        trees = iter(self._source().trees(short))
        answers: list[Answer] = []
        for one in sentences:
            if len(one) > MOST_TOKENS:
                answers.append(Answer(reason=f"longer than {MOST_TOKENS} tokens"))
                continue
            tree = next(trees)
            if tree is None:
                answers.append(Answer(reason=UNPARSED))
                continue
            found = engine.candidates(tree, rules, self.budget, draws.of(one.id))
            answers.append(Answer(found, "" if found else "no rule applies"))
        return answers

    def about(self) -> tuple[str, ...]:
        """The rules and what parses, with versions."""
        return (
            f"{len(self._rules())} rules for {self.language}, up to {self.budget} combined, over the parse of "
            f"{self._source().about()}",
        )

    def fingerprint(self) -> str:
        """A hash over the rules' own files, the options that count, the parser's version and files."""
        names = ",".join(rule.name for rule in self._rules())
        return f"rules {_code()} budget {self.budget} {names} {self._source().fingerprint()}"

    def _rules(self) -> list[Rule]:
        return [rule for rule in rules_of(self.language) if not self.rules or rule.name in self.rules]

    def _source(self) -> sources.ParseSource:
        return sources.source_of(self.pipeline, self.language)


@lru_cache(maxsize=1)
def _code() -> str:
    """A hash over the rules' files: whoever changes a rule changes what it answers."""
    digest = sha256()
    for file in sorted((Path(__file__).parent / "rewriting").rglob("*.py")):
        digest.update(file.read_bytes())
    return digest.hexdigest()[:12]
