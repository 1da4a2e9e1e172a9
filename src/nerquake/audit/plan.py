"""What an audit is asked to do."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from typing import Any

from nerquake.analyse.curves import CurvePoint
from nerquake.analyse.earlier import Setting, labels_of
from nerquake.analyse.gate import Policy
from nerquake.core.dataset import Dataset
from nerquake.core.labels import JoinedLabels, LabelRules, RelabelledGold
from nerquake.core.results import AuditResult
from nerquake.core.spec import Chain
from nerquake.core.tagging import Named
from nerquake.score.metrics import EntityFree
from nerquake.stats.system import signature


def unwatched(total: int, what: str) -> AbstractContextManager[None]:
    """Nobody watches."""
    return nullcontext()


@dataclass(frozen=True, slots=True)
class Plan:
    """What to audit, and how.

    gold      the labelled data, under the labels that are scored
    sample    how many sentences to take, None for all
    repair    what becomes of ill-formed predicted tags, for the signature
    judge     the masked language model that measures how natural context attacks are: empty for each attack's own,
              `none` for none
    method    what the report's section Method is to say besides
    curve     the sets of the attack curve, which are scored and compared with nothing
    allow_overlap  audit a model on sentences that it was trained on, and say so, instead of refusing
    training  what the models were trained on, under the labels that are scored, for what depends on seen and unseen
    draws     how often each attack is drawn anew, with a seed each, for what survives all of them; 0: not at all
    probe     whether mentions are tried alone, and their sentences without them
    gate      what the models must hold, if anything
    baseline  an earlier run on the same data, to compare with, and `baseline_from` the folder that holds it
    """

    gold: RelabelledGold
    rules: LabelRules
    attacks: tuple[Chain, ...]
    taggers: tuple[Named, ...]
    seed: int = 0
    resamples: int = 1000
    level: float = 0.95
    sample: int | None = None
    jobs: int = 1
    entity_free: EntityFree = "score"
    repair: str = "conlleval"
    judge: str = ""
    method: Mapping[str, Any] = field(default_factory=dict)
    curve: tuple[CurvePoint, ...] = ()
    allow_overlap: bool = False
    training: Dataset | None = None
    draws: int = 0
    probe: bool = False
    gate: Policy | None = None
    baseline: AuditResult | None = None
    baseline_from: str = "the earlier run"

    @property
    def dataset(self) -> Dataset:
        """The labelled data."""
        return self.gold.dataset

    @property
    def signature(self) -> str:
        """What every table says about how it was made."""
        scheme = self.dataset.scheme.name if self.dataset.scheme else "none"
        return signature(
            scheme=scheme,
            repair=self.repair,
            seed=self.seed,
            resamples=self.resamples,
            level=self.level,
            entity_free=self.entity_free,
        )

    @property
    def setting(self) -> Setting:
        """What decides whether an earlier run can be compared with this one."""
        taken = None if self.sample is None or self.sample >= len(self.dataset.sentences) else self.sample
        return Setting(
            {self.dataset.name: self.dataset.fingerprint},
            labels_of(self.rules.only, dict(self.rules.renames), self.rules.unmapped),
            self.seed,
            taken,
            {chain.name: chain.text for chain in self.attacks},
            [named.name for named in self.taggers],
            self.signature,
        )

    def join(self, named: Named) -> JoinedLabels:
        """How a model's labels are joined to those of the data."""
        return JoinedLabels.of(self.rules, self.dataset.labels, named.name)
