"""What scoring and comparing give. Counts are stored; precision, recall and F1 are derived, undefined is None.

`CountTable` holds, for every sentence, how its gold and predicted mentions pair up (docs/scoring.md). All four schemes
of SemEval-2013 task 9.1 (strict, exact, partial, type) are sums of these kinds:

kind      a pair of a gold and a predicted mention with ...    strict exact partial type
same      equal span, equal label                                COR    COR   COR    COR
clash     equal span, other label                                INC    COR   COR    INC
overlap   overlapping spans, equal label                         INC    INC   PAR    COR
astray    overlapping spans, other label                         INC    INC   PAR    INC
missed    a gold mention without a partner                       MIS    MIS   MIS    MIS
spurious  a predicted mention without a partner                  SPU    SPU   SPU    SPU
predicted a predicted mention, paired or not (for the per-type figures, by predicted label)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nerquake.core.span import Span
from nerquake.core.spec import Spec
from nerquake.core.variant import AttackedSet, Status

KINDS = ("same", "clash", "overlap", "astray", "missed", "spurious", "predicted")
SchemeName = Literal["strict", "exact", "partial", "type"]
SCHEME_NAMES: tuple[SchemeName, ...] = ("strict", "exact", "partial", "type")
Counts = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Predictions:
    """One model's answer for one set, joined to it by sentence id.

    ids       sentence ids, in the set's order
    spans     for each sentence the predicted mentions, under the gold set's labels
    unseen    for each sentence the positions of tokens that the model never saw
    invalid   transitions in its raw tags that the scheme does not allow, over all sentences
    left_out  predicted mentions left out by `--labels`, `--map` or `--unmapped`, by predicted label
    notes     what is worth saying of single answers, by sentence id
    """

    tagger: str
    ids: tuple[str, ...]
    spans: tuple[tuple[Span, ...], ...]
    unseen: tuple[tuple[int, ...], ...]
    invalid: int = 0
    left_out: Mapping[str, int] = field(default_factory=dict)
    notes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not len(self.ids) == len(self.spans) == len(self.unseen):
            raise ValueError(
                f"{self.tagger}: {len(self.ids)} ids, {len(self.spans)} answers, {len(self.unseen)} unseen"
            )

    def chosen(self, ids: Iterable[str]) -> Predictions:
        """The answers for some sentences, in this order; what counts over all sentences is left out.

        Raises:
            KeyError: there is no answer for one.
        """
        place = {key: at for at, key in enumerate(self.ids)}
        keep = [place[key] for key in ids]
        return Predictions(
            self.tagger,
            tuple(self.ids[at] for at in keep),
            tuple(self.spans[at] for at in keep),
            tuple(self.unseen[at] for at in keep),
        )

    @property
    def unseen_tokens(self) -> int:
        """Tokens that the model never saw."""
        return sum(map(len, self.unseen))

    def summary(self, shown: int = 3) -> tuple[str, ...]:
        """One line that counts the notes and quotes the first ones; nothing where there are none."""
        if not self.notes:
            return ()
        quoted = [f"{key}: {', '.join(notes)}" for key, notes in list(self.notes.items())[:shown]]
        count, more = len(self.notes), "; ..." if len(self.notes) > shown else ""
        what = "an answer" if count == 1 else f"{count:,} answers"
        return (f"{self.tagger}: {what} could not be taken as given ({'; '.join(quoted)}{more})",)


@dataclass(frozen=True, slots=True)
class CountTable:
    """How gold and predicted mentions pair up, sentence by sentence.

    ids       sentence ids, n
    overall   int array [n, 7], columns as KINDS
    types     labels of either side, sorted, t
    by_type   int array [n, t, 7]: pairs and missed mentions under the gold label, spurious and predicted ones under
              the predicted label
    """

    ids: tuple[str, ...]
    overall: Counts
    types: tuple[str, ...]
    by_type: Counts

    def rows(self, keep: Sequence[int] | NDArray[np.intp]) -> CountTable:
        """The table of some sentences, by position."""
        index = np.asarray(keep, dtype=np.intp)
        return CountTable(tuple(self.ids[int(i)] for i in index), self.overall[index], self.types, self.by_type[index])


class Interval(NamedTuple):
    """A bootstrap interval; None where the value is undefined in the sample or in too many resamples."""

    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class Comparison:
    """A difference a - b of two F1 scores over the same sentences.

    difference, low, high   fractions; None is undefined
    p        two-sided, paired approximate randomisation
    p_holm   p after Holm's correction over its family; None until the family is known
    pairs    sentences compared
    dropped  sentences left out on both sides
    """

    a: float | None
    b: float | None
    difference: float | None
    low: float | None
    high: float | None
    p: float | None
    pairs: int
    dropped: int
    p_holm: float | None = None


@dataclass(frozen=True, slots=True)
class Case:
    """One sentence under one attack, with everything a reader needs to judge it.

    original, attacked   tokens and gold mentions, under the labels that are scored
    predicted            for each tagger the mentions it found in the original and in the attacked sentence
    fell, rose           for each tagger the indices of the original's mentions that were right before and are wrong
                         now, and the other way round
    source               where a rewritten sentence came from; edits have their own
    status, reason       what the attack did, and why it is not "changed"; a discarded case has no attacked text and no
                         predictions
    doc_id               the document that the original stands in
    outcomes             for each tagger what became of every mention, before and after: "right", "type", "boundary",
                         "missed", or "gone" where the text does not hold it; first the original's mentions, then those
                         that stand in the attacked sentence alone
    spurious             for each tagger the indices of its mentions in the attacked sentence that answer to no gold one
    """

    set: str
    parent: str
    id: str
    original: tuple[str, ...]
    attacked: tuple[str, ...]
    original_spans: tuple[Span, ...]
    attacked_spans: tuple[Span, ...]
    edits: tuple[Mapping[str, Any], ...]
    mentions: tuple[int | None, ...]
    predicted: Mapping[str, tuple[tuple[Span, ...], tuple[Span, ...]]]
    fell: Mapping[str, tuple[int, ...]]
    rose: Mapping[str, tuple[int, ...]]
    meta: Mapping[str, str] = field(default_factory=dict)
    source: Mapping[str, str] = field(default_factory=dict)
    status: Status = "changed"
    reason: str = ""
    doc_id: str | None = None
    outcomes: Mapping[str, tuple[tuple[str, str], ...]] = field(default_factory=dict)
    spurious: Mapping[str, tuple[int, ...]] = field(default_factory=dict)

    @property
    def flipped(self) -> bool:
        """Whether the attack changed the sentence and a mention of any model fell or rose."""
        return self.status == "changed" and (any(self.fell.values()) or any(self.rose.values()))


@dataclass(frozen=True, slots=True, repr=False)
class AuditResult:
    """Everything that an audit found. `data` is `result.json` (docs/formats.md), `cases` stand in `cases.jsonl`.

    In a notebook it shows its verdict, charts and tables.
    """

    data: Mapping[str, Any]
    cases: tuple[Case, ...] = ()
    sets: tuple[AttackedSet, ...] = ()

    def __repr__(self) -> str:
        """One line: what was audited, not every sentence."""
        models = ", ".join(str(entry["name"]) for entry in self.data["taggers"])
        sets = ", ".join(str(entry["name"]) for entry in self.data["sets"])
        return f"<AuditResult: models {models}; sets {sets}; {len(self.cases):,} cases>"

    def _repr_html_(self) -> str:
        """What a notebook shows, by the renderer that the registry has under `html`."""
        # By name, since core knows nothing of what stands on it.
        registry = import_module("nerquake.registry")
        return str(registry.RENDERERS.build(Spec("html")).fragment(self))
