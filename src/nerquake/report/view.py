"""Reading an audit's result: one accessor for each thing that tables and sentences ask for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from statistics import NormalDist
from typing import Any, Literal, NamedTuple

from nerquake.core.results import AuditResult, Case
from nerquake.core.variant import ORIGINAL
from nerquake.report.island.kept import Kept, choose

Block = Mapping[str, Any]
Scope = Literal["paired", "paired_changed"]
SCOPES: tuple[Scope, ...] = ("paired", "paired_changed")
SCOPE_WORDS: dict[Scope, str] = {"paired": "all sentences", "paired_changed": "changed only"}
MIN_SUPPORT = 20
"""Labels with fewer mentions are shown without colour and never called hardest hit."""
POWER = 0.8


class Pair(NamedTuple):
    """One model under one attacked set, with the comparison over all kept sentences."""

    tagger: str
    set: str
    paired: Block


@dataclass(frozen=True)
class View:
    """A result as the report sees it."""

    result: AuditResult

    @property
    def data(self) -> Mapping[str, Any]:
        """`result.json`."""
        return self.result.data

    @property
    def header(self) -> Mapping[str, Any]:
        """Version, signature, seed, inputs."""
        found: Mapping[str, Any] = self.data["header"]
        return found

    @cached_property
    def cases(self) -> tuple[Case, ...]:
        """The changed sentences where a mention fell or rose."""
        return tuple(case for case in self.result.cases if case.flipped)

    @property
    def all_cases(self) -> tuple[Case, ...]:
        """Every sentence under every attack, whatever became of it."""
        return self.result.cases

    @property
    def kept(self) -> Kept:
        """Which cases the page itself holds (`--cases`)."""
        found: Kept = self.header.get("cases") or "all"
        return found

    @cached_property
    def page_cases(self) -> tuple[Case, ...]:
        """The cases that the page itself holds."""
        return choose(self.all_cases, self.kept, int(self.header.get("seed") or 0))

    @cached_property
    def taggers(self) -> tuple[str, ...]:
        """Names, in the order of the audit."""
        return tuple(entry["name"] for entry in self.data["taggers"])

    @cached_property
    def sets(self) -> tuple[str, ...]:
        """Names of the attacked sets, each once, in the order of the audit."""
        return tuple(dict.fromkeys(entry["name"] for entry in self.attacks))

    @cached_property
    def attacks(self) -> tuple[Mapping[str, Any], ...]:
        """The entries of the attacked sets; joined audits may have several under one name."""
        return tuple(entry for entry in self.data["sets"] if entry["name"] != ORIGINAL)

    @cached_property
    def _blocks(self) -> dict[tuple[str, str], Block]:
        return {(block["tagger"], block["set"]): block for block in self.data["results"]}

    def block(self, tagger: str, set_name: str) -> Block | None:
        """The scores of one model on one set, None where it was not scored."""
        return self._blocks.get((tagger, set_name))

    def paired(self, tagger: str, set_name: str, scope: Scope = "paired") -> Block | None:
        """The comparison of original and attacked."""
        block = self.block(tagger, set_name)
        return None if block is None else block.get(scope)

    def comparable(self, tagger: str, paired: Block) -> bool:
        """Whether a comparison covers every sentence that the model's original score covers."""
        audits = {entry["name"]: entry.get("audit") for entry in self.data["taggers"]}
        originals = {e.get("audit"): e for e in self.data["sets"] if e["name"] == ORIGINAL}
        original = originals.get(audits[tagger])
        left_out = original["status"].get("discarded", 0) if original else 0
        return bool(paired["dropped"] <= left_out)

    @cached_property
    def pairs(self) -> tuple[Pair, ...]:
        """Every model under every attacked set, models first."""
        found = ((tagger, name, self.paired(tagger, name)) for tagger in self.taggers for name in self.sets)
        return tuple(Pair(tagger, name, paired) for tagger, name, paired in found if paired is not None)

    @cached_property
    def comparisons(self) -> tuple[Block, ...]:
        """Model against model, set by set."""
        return tuple(self.data.get("comparisons") or ())

    def findings(self, section: str) -> Any:
        """What stands in the findings for a section, empty where nothing does."""
        return (self.data.get("findings") or {}).get(section) or {}

    def set_findings(self, entry: Mapping[str, Any]) -> Mapping[str, Any]:
        """Notes and examples of an attacked set."""
        found: Mapping[str, Any] = self.findings("sets").get(set_key(entry)) or {}
        return found

    def chosen_against(self, tagger: str, set_name: str) -> bool:
        """Whether the attack of this set was chosen against this model, its surrogate."""
        entries = (entry for entry in self.attacks if entry["name"] == set_name)
        return any(tagger in (entry.get("chosen_against") or ()) for entry in entries)

    @cached_property
    def level(self) -> float:
        """Level of the intervals."""
        return float(self.header.get("level") or 0.95)

    def detectable(self, paired: Block) -> float | None:
        """The loss that this comparison would have shown with a power of 80 %, as a fraction.

        The interval's half width is z(level) standard errors; a loss of z(level) + z(power) of them is shown with
        that power (the usual normal approximation, two-sided at the interval's own level).
        """
        if paired["low"] is None or paired["high"] is None:
            return None
        z = NormalDist().inv_cdf((1 + self.level) / 2)
        error = (paired["high"] - paired["low"]) / 2 / z
        return float((z + NormalDist().inv_cdf(POWER)) * error)

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """All labels, most frequent in gold first: the order of their colours."""
        gold: Counter[str] = Counter()
        for block in self.data["results"]:
            for label, row in block["per_type"].items():
                gold[label] = max(gold[label], row["gold"] if block["set"] == ORIGINAL else 0)
        return tuple(sorted(gold, key=lambda label: (-gold[label], label)))


def set_key(entry: Mapping[str, Any]) -> str:
    """How the findings name a set: by its name, in joined audits behind the audit's."""
    return f"{entry['audit']}/{entry['name']}" if "audit" in entry else str(entry["name"])


def p_of(block: Block) -> float | None:
    """The corrected p, or the plain one where no family is known."""
    corrected: float | None = block.get("p_holm")
    return block["p"] if corrected is None else corrected
