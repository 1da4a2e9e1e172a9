"""Figures of the bundled samples: `python tests/samples/figures.py` prints them, the tests check them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import pairwise

from nerquake.core.dataset import Dataset
from nerquake.io.load import load

RUN = 6


@dataclass
class Figures:
    """What a sample holds. `surfaces`: labels by surface; `runs`: runs of six tokens that two sentences share."""

    sentences: int
    tokens: int
    mentions: Counter[str]
    surfaces: dict[str, set[str]]
    free: dict[str, tuple[int, int]]
    adjacent: int
    adjacent_same: int
    repeated: int
    lowered_posts: int
    runs: list[tuple[str, str, str]] = field(default_factory=list)

    @property
    def ambiguous(self) -> list[str]:
        return sorted(surface for surface, labels in self.surfaces.items() if len(labels) > 1)

    @property
    def free_share(self) -> float:
        return sum(free for free, _ in self.free.values()) / self.sentences


def figures(dataset: Dataset) -> Figures:
    surfaces: dict[str, set[str]] = defaultdict(set)
    free: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    adjacent = adjacent_same = repeated = lowered = 0
    for sentence in dataset:
        names = [sentence.surface(span) for span in sentence.spans]
        for span, name in zip(sentence.spans, names, strict=True):
            surfaces[name].add(span.label)
        touching = [(a, b) for a, b in pairwise(sentence.spans) if a.end == b.start]
        adjacent += len(touching)
        adjacent_same += sum(a.label == b.label for a, b in touching)
        repeated += max(Counter(names).values(), default=0) > 1
        domain = dict(sentence.meta)["domain"]
        lowered += domain == "social" and bool(names) and sentence.text == sentence.text.lower()
        free[domain][0] += not names
        free[domain][1] += 1
    return Figures(
        sentences=len(dataset),
        tokens=dataset.tokens,
        mentions=dataset.mentions,
        surfaces=dict(surfaces),
        free={domain: (counts[0], counts[1]) for domain, counts in free.items()},
        adjacent=adjacent,
        adjacent_same=adjacent_same,
        repeated=repeated,
        lowered_posts=lowered,
        runs=list(shared_runs((s.id, s.tokens) for s in dataset)),
    )


def shared_runs(sentences: Iterable[tuple[str, tuple[str, ...]]]) -> Iterable[tuple[str, str, str]]:
    """Runs of six tokens, whatever their case, that stand in two sentences: (id, id, run)."""
    first: dict[tuple[str, ...], str] = {}
    for name, tokens in sentences:
        words = tuple(map(str.lower, tokens))
        for run in {words[i : i + RUN] for i in range(len(words) - RUN + 1)}:
            if first.setdefault(run, name) != name:
                yield first[run], name, " ".join(run)


def main() -> None:
    for language in ("en", "de", "hi"):
        found = figures(load(f"sample:{language}"))
        print(
            f"{language}: {found.sentences} sentences, {found.tokens} tokens, {sum(found.mentions.values())} mentions"
        )
        print("  mentions by type:", ", ".join(f"{label} {n}" for label, n in found.mentions.most_common()))
        print(f"  distinct surfaces: {len(found.surfaces)}; under two labels: {len(found.ambiguous)}")
        print("   ", ", ".join(found.ambiguous))
        shares = ", ".join(f"{domain} {free} of {n}" for domain, (free, n) in found.free.items())
        print(f"  without mentions: {found.free_share:.1%} ({shares})")
        print(f"  adjacent mentions: {found.adjacent}, of one type {found.adjacent_same}; "
              f"sentences with a name twice: {found.repeated}; lower-cased posts: {found.lowered_posts}; "
              f"shared runs of {RUN}: {len(found.runs)}")  # fmt: skip


if __name__ == "__main__":
    main()
