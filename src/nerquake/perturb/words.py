"""What attacks on the words around mentions have in common: the filler, the rules for its words, the limit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, NamedTuple

from nerquake.core.dataset import Dataset
from nerquake.core.errors import SpecError
from nerquake.core.fillers import MaskFiller
from nerquake.core.options import positional, undrawn
from nerquake.core.spec import parse_spec
from nerquake.core.variant import Level
from nerquake.language.build import build_filler
from nerquake.language.perplexity import perplexity_ratios
from nerquake.perturb.filling import Filling
from nerquake.perturb.fills import FillRules
from nerquake.perturb.names import check_names_file, read_names
from nerquake.registry import FILLERS

NO_WORD = "no word outside mentions that can be masked"
NO_FILL = "no candidate left"
TOO_ODD = "above max_perplexity_ratio"
DEFAULT_FILLER = "ngram"


class Means(NamedTuple):
    """What a context attack works with on one data set.

    judge   measures perplexity, where there is a limit
    """

    filler: MaskFiller
    rules: FillRules
    judge: MaskFiller | None = None
    more: Any = None


@dataclass(frozen=True, slots=True, kw_only=True)
class WordOptions:
    """The options of every attack on the words around mentions.

    filler                the masked language model: ngram (estimated from the data set itself), transformers:MODEL
    names                 a file of names that no fill may equal, besides the mentions of the data set
    judge                 the masked language model that measures naturalness; by default the filler
    max_perplexity_ratio  how many times the pseudo-perplexity of the sentence before this step a sentence may have; in
                          a chain that is the sentence as the earlier steps left it; 0: no limit
    """

    filler: str = positional(DEFAULT_FILLER, drawn=False)
    names: str = undrawn("")
    judge: str = undrawn("")
    max_perplexity_ratio: float = undrawn(0.0)

    def __post_init__(self) -> None:
        if self.max_perplexity_ratio < 0:
            raise SpecError(f"max-perplexity-ratio is 0 (no limit) or above, got {self.max_perplexity_ratio:g}")
        for text in {self.filler, self.judge or self.filler}:
            build_filler(text)
        if self.names:
            check_names_file(self.names)

    @property
    def level(self) -> Level:
        """The words around mentions."""
        return "context"

    @property
    def measured_by(self) -> str:
        """The specification of the masked language model that measures naturalness."""
        return self.judge or self.filler

    def listed_names(self) -> list[str]:
        """The names of the user's file."""
        read = read_names(self.names, "NAME") if self.names else {}
        return [" ".join(name.tokens) for names in read.values() for name in names]

    def words_depend_on(self) -> list[str]:
        """The models' files, versions and precision, and the listed names."""
        names = sha256("\n".join(self.listed_names()).encode("utf-8", "surrogatepass")).hexdigest()
        return [*(build_filler(text).fingerprint() for text in (self.filler, self.measured_by)), f"names {names}"]

    def filler_for(self, corpus: Dataset) -> tuple[MaskFiller, list[str]]:
        """The filler for a data set, and what to say of it."""
        filler = build_filler(self.filler).learn(corpus)
        said = [f"filled by {line}" for line in filler.about()]
        if parse_spec(self.filler, FILLERS.names()).name == DEFAULT_FILLER:
            said.append("n-grams are no masked language model: not the paper's setting (filler=transformers:MODEL is)")
        return filler, said

    def judge_for(self, corpus: Dataset, filler: MaskFiller) -> MaskFiller | None:
        """What measures perplexity, where there is a limit."""
        if not self.max_perplexity_ratio:
            return None
        return build_filler(self.judge).learn(corpus) if self.judge and self.judge != self.filler else filler

    def within_limit(self, fillings: Sequence[Filling], judge: MaskFiller | None) -> list[bool]:
        """Which sentences are as natural as the limit asks; the same whatever else is measured with them."""
        if judge is None:
            return [True] * len(fillings)
        pairs = [(one.sentence.id, one.sentence.tokens, one.tokens) for one in fillings]
        ratios = perplexity_ratios(judge, pairs, exact_near=self.max_perplexity_ratio)
        return [ratio is None or ratio <= self.max_perplexity_ratio for ratio in ratios]


def total(counts: Iterable[Counter[str]]) -> tuple[tuple[str, int], ...]:
    """Rejections of several fillings, sorted."""
    return tuple(sorted(sum(counts, Counter()).items()))
