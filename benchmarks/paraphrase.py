"""Paraphrases by rules: what they cost beside parsing, and how many sentences they reach.

    python -m benchmarks.paraphrase [FILE [LANGUAGE]]

By default the bundled English sample. Speed: the median over alternating runs, in processor time, of parsing alone and
of parsing with all rules. Reach: sentences with mentions that get an accepted paraphrase whose structure changed, that
is the order of words (a distance of 0.2 or more), of mentions, or the voice; contractions and words exchanged do not
count.
"""

from __future__ import annotations

import sys
from time import process_time

from benchmarks.common import alternate, print_table
from nerquake.core.protocols import ReadOptions
from nerquake.core.seeds import Draws
from nerquake.core.variant import Variant
from nerquake.io.load import load
from nerquake.language.paraphrase_rules import RuleParaphraser
from nerquake.language.rewriting.sources import source_of
from nerquake.perturb.choose import chains_from
from nerquake.perturb.paraphrase_quality import MOVED
from nerquake.perturb.run import attack

VOICE = frozenset({"passive", "active"})


def moved(variant: Variant) -> bool:
    """Whether the structure changed, by the definition above."""
    if variant.rewrite is None:
        return False
    said = dict(variant.rewrite.source)
    turned = float(said["mentions-moved"]) > 0 or bool(VOICE & set(said["rules"].split("+")))
    return turned or float(said["distance"]) >= MOVED


def main() -> None:
    file, language = [*sys.argv[1:], "sample:en", "en"][:2] if len(sys.argv) < 3 else sys.argv[1:3]
    dataset = load(file, "", ReadOptions(language=language))
    sentences = [sentence for sentence in dataset if sentence.spans]
    backend = RuleParaphraser().fitted(dataset, language)
    source, draws = source_of("", language), Draws(0, "paraphrase")
    medians = alternate(
        {"parsing": lambda: list(source.trees(sentences)), "with rules": lambda: backend.paraphrase(sentences, draws)},
        clock=process_time,
    )
    print_table(f"{len(sentences):,} sentences with mentions of {file}", medians, "parsing")
    (chain,) = chains_from(["paraphrase:rules"], language).chains
    variants = [one for one in attack(dataset, chain, 0).variants if one.sentence.spans]
    changed = [one for one in variants if one.status == "changed"]
    reached = sum(map(moved, changed))
    print(f"\naccepted: {len(changed):,} of {len(variants):,}; structure changed: {reached:,} "
          f"({reached / len(variants):.1%})")  # fmt: skip


if __name__ == "__main__":
    main()
