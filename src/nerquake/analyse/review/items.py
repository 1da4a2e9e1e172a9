"""What can be reviewed: the sentences that attacks changed, by the strata that a sample is drawn from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from typing import NamedTuple

from nerquake.core.results import Case
from nerquake.core.span import Span

FELL, HELD = "fell", "held"
SIDES = (FELL, HELD)


class Stratum(NamedTuple):
    """Where a sentence belongs in a sample.

    side   "fell" where any model lost a mention in it that it had right, else "held"
    label  the rarest label of its set among the mentions that were replaced, so that rare labels are drawn too; of all
           mentions where none was, empty where there is none
    """

    set: str
    side: str
    label: str


def item_id(case: Case) -> str:
    """The id of an attacked sentence in a review: `<parent>~<set>`, also where the file has no ids."""
    return f"{case.parent}~{case.set}"


def reviewable(cases: Iterable[Case]) -> tuple[Case, ...]:
    """The cases that an attack changed: there is nothing to decide about the others."""
    return tuple(case for case in cases if case.status == "changed")


def strata(cases: Sequence[Case]) -> dict[str, Stratum]:
    """The stratum of each changed case, by its id in the review."""
    labels = {item_id(case): _labels(case) for case in cases}
    often: dict[str, Counter[str]] = {}
    for case in cases:
        often.setdefault(case.set, Counter()).update(labels[item_id(case)])
    return {key: _stratum(case, labels[key], often[case.set]) for case in cases for key in (item_id(case),)}


def _stratum(case: Case, labels: frozenset[str], often: Mapping[str, int]) -> Stratum:
    rarest = min(labels, key=lambda label: (often[label], label), default="")
    return Stratum(case.set, FELL if any(case.fell.values()) else HELD, rarest)


def _labels(case: Case) -> frozenset[str]:
    """The labels of the mentions that were replaced, or of all mentions."""
    pairs = [(old, case.attacked_spans[new]) for old, new in zip(case.original_spans, case.mentions, strict=False)
             if new is not None]  # fmt: skip
    replaced = {new.label for old, new in pairs if _text(case.original, old) != _text(case.attacked, new)}
    return frozenset(replaced or {span.label for span in case.attacked_spans})


def _text(tokens: tuple[str, ...], span: Span) -> tuple[str, ...]:
    return tokens[span.start : span.end]


def fingerprint(cases: Iterable[Case]) -> str:
    """SHA-256 over all changed sentences with their labels, in no order: what decisions are about.

    What models said is no part of it: an audit with one more model keeps the decisions of the one before.
    """
    digests = sorted(
        sha256(
            repr((item_id(c), c.original, _plain(c.original_spans), c.attacked, _plain(c.attacked_spans))).encode(
                "utf-8", "surrogatepass"
            )
        ).digest()
        for c in reviewable(cases)
    )
    return sha256(b"".join(digests)).hexdigest()


def _plain(spans: Iterable[Span]) -> list[tuple[int, int, str]]:
    return [(span.start, span.end, span.label) for span in spans]
