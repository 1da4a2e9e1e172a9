"""What plug-ins implement: few methods each. `taggers/rules.py` and `perturb/identity.py` are the plainest of them.

A plug-in is a frozen dataclass: its fields are its options on the command line, in TOML, in JSON and in the docs.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol, runtime_checkable

from nerquake.core.dataset import Dataset
from nerquake.core.edits import Edit, Rewrite
from nerquake.core.labels import LabelRules
from nerquake.core.seeds import Draws
from nerquake.core.sentence import Sentence
from nerquake.core.sources import Sources
from nerquake.core.span import Span
from nerquake.core.variant import Level

if TYPE_CHECKING:
    from nerquake.core.results import AuditResult

Align = Literal["strict", "expand", "contract"]
Flatten = Literal["", "outer", "inner", "longest"]


@dataclass(frozen=True, slots=True)
class Proposal:
    """What a perturbation proposes for one sentence: edits, or a rewrite, or neither and the reason.

    reason      why nothing is proposed
    applicable  False where the sentence offers nothing to change ("not applicable"), True where it does
    discard     the sentence is to be left out of the set (a paraphrase that lost a mention)
    attackable  mentions that the perturbation applies to; how many it replaced is counted from what it proposes
    relabelled  mentions that it replaced under another label, which a rewrite's map has as gone
    rejected    candidates that were not taken, by reason, sorted
    """

    edits: tuple[Edit, ...] = ()
    rewrite: Rewrite | None = None
    reason: str = ""
    applicable: bool = True
    discard: bool = False
    attackable: int = 0
    relabelled: int = 0
    rejected: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Context:
    """What a perturbation knows besides the sentence.

    corpus   the data set as this step sees it
    state    what `prepare` returned
    rules    how labels of models are joined to those of the data set, for a perturbation that asks one
    """

    corpus: Dataset
    state: Any = None
    rules: LabelRules = field(default_factory=LabelRules)


class KeptProposals(Protocol):
    """Where proposals of a run that is not finished are kept, step by step (`io/proposals_file.py`)."""

    def of_step(self, step: int) -> Mapping[str, Proposal]:
        """What an earlier run has proposed in a step of the chain, by sentence id."""
        ...

    def add(self, step: int, made: Mapping[str, Proposal]) -> None:
        """Keep what was proposed just now."""
        ...


class Prepared(NamedTuple):
    """What `prepare` found: the state handed to every `propose`, and notes for the outputs."""

    state: Any = None
    notes: tuple[str, ...] = ()


class Perturbation(Protocol):
    """Proposes changes, never makes them."""

    @property
    def level(self) -> Level:
        """What it changes."""
        ...

    def prepare(self, corpus: Dataset, draws: Draws) -> Prepared:
        """Look at the whole data set once (pools, plans). `draws` has no sentence yet: use `draws.of(id)`."""
        ...

    def propose(self, sentence: Sentence, draws: Draws, context: Context) -> Proposal:
        """What to change in one sentence; `draws` are this sentence's own."""
        ...


@runtime_checkable
class Batched(Protocol):
    """A perturbation that is asked about many sentences at a time, because a model of it is quicker so.

    What it proposes for a sentence does not depend on the others. It runs in one process, whatever `--jobs` says, and
    what it has proposed is kept while it runs, so that a run that was killed goes on where it stopped.
    """

    def propose_batch(self, sentences: Sequence[Sentence], draws: Draws, context: Context) -> Sequence[Proposal]:
        """What to change in each sentence, in order; `draws` have no sentence yet: use `draws.of(id)`."""
        ...


@runtime_checkable
class Checking(Protocol):
    """A perturbation with models that may not run, or not fit a data set, which is to be told before any attack."""

    def check(self, corpus: Dataset, rules: LabelRules) -> None:
        """Raise UsageError or InputError where it cannot run on this data set."""
        ...


@runtime_checkable
class Depending(Protocol):
    """A perturbation that depends on more than its options, the seed and the data set, such as a model."""

    def depends_on(self, corpus: Dataset) -> str | None:
        """A text that changes whenever what it proposes may change, files that it reads included; None where that
        cannot be known."""
        ...


@runtime_checkable
class Summing(Protocol):
    """A perturbation that has something to say of all that it proposed."""

    def counted(self, proposals: Sequence[Proposal]) -> tuple[str, ...]:
        """Notes for the outputs."""
        ...


@dataclass(frozen=True, slots=True)
class Tagging:
    """A tagger's answer for one sentence.

    unseen    positions of tokens that the model never saw (cut off, or without a sub-token)
    invalid   transitions in its raw tags that its scheme does not allow
    notes     what else is worth saying, such as mentions in a model's answer that have no place in the sentence
    """

    spans: tuple[Span, ...]
    unseen: tuple[int, ...] = ()
    invalid: int = 0
    notes: tuple[str, ...] = ()


@runtime_checkable
class Tagger(Protocol):
    """A recogniser. It sees tokens only."""

    def labels(self) -> frozenset[str] | None:
        """The labels it can give, or None where it does not say."""
        ...

    def predict(self, batch: Sequence[tuple[str, ...]]) -> Sequence[Tagging]:
        """One answer for each token sequence, in order."""
        ...


@runtime_checkable
class SetTagger(Protocol):
    """Predictions that were made elsewhere and are read by set and sentence id."""

    def expect(self, sets: Mapping[str, Sequence[Sentence]]) -> None:
        """Check that there are predictions for all these sets, before anything is scored.

        Raises:
            InputError: names every set that is missing and what to put where.
        """
        ...

    def labels(self) -> frozenset[str] | None:
        """The labels it can give, or None where it does not say."""
        ...

    def predict_set(self, name: str, sentences: Sequence[Sentence]) -> Sequence[Tagging]:
        """One answer for each of the set's sentences, in order, joined by id."""
        ...


@runtime_checkable
class Fingerprinted(Protocol):
    """A tagger whose answers may be kept between runs, because it can say what they depend on."""

    def fingerprint(self) -> str:
        """A text that changes whenever the tagger's answers may change."""
        ...


@runtime_checkable
class Fitting(Protocol):
    """A tagger that takes something from the gold data set, such as its scheme or its labels."""

    def fitted(self, gold: Dataset, extension: str) -> Any:
        """The tagger for this data set; `extension` is the ending of its files."""
        ...


@runtime_checkable
class Telling(Protocol):
    """A tagger that has something to say of itself: what it runs on, and what it made of its options."""

    def about(self) -> tuple[str, ...]:
        """Lines for the outputs; the same for the same tagger on the same machine."""
        ...


@runtime_checkable
class Trained(Protocol):
    """A tagger that may know which sentences it was trained on, so that no audit asks about them unnoticed."""

    def trained_on(self) -> Sources | None:
        """The sources of its training data; None where it does not know them.

        Raises:
            InputError: what it knows them from is damaged.
        """
        ...


class Reader(Protocol):
    """Reads one file format."""

    def read(self, path: str, options: ReadOptions) -> Dataset:
        """The data set; raises FormatError with every problem found."""
        ...


class Writer(Protocol):
    """Writes one file format."""

    @property
    def extension(self) -> str:
        """File name ending, without the dot."""
        ...

    def lines(self, dataset: Dataset) -> Iterable[str]:
        """The file's text, in pieces, with the line ends that belong in it."""
        ...


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """How to read: what `--scheme`, `--repair-gold`, `--lenient`, `--align` and `--flatten` ask for.

    scheme      a scheme's name, or "auto"
    repair      "" (ill-formed gold is an error), "conlleval" or "discard"
    lenient     skip what is broken and count it, instead of refusing the file
    predicted   the file holds a model's output: ill-formed tags are repaired and counted, never an error
    align       spans that cut a token: "strict" refuses them, "expand" takes whole tokens, "contract" those inside
    flatten     nested and overlapping mentions: "" refuses them, else which one stays
    language    language of the data where the file does not say it, for tokenisers
    """

    scheme: str = "auto"
    repair: str = ""
    lenient: bool = False
    predicted: bool = False
    align: Align = "strict"
    flatten: Flatten = ""
    language: str = ""


class Renderer(Protocol):
    """Makes one file of an audit."""

    @property
    def name(self) -> str:
        """The file's name."""
        ...

    def render(self, result: AuditResult) -> str:
        """The file's text."""
        ...
