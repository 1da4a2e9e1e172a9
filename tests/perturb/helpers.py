"""Short ways to make sentences and to run attacks."""

from __future__ import annotations

from collections.abc import Iterable

from nerquake.core.dataset import Dataset
from nerquake.core.scheme import IOB2
from nerquake.core.sentence import Sentence
from nerquake.core.span import Span
from nerquake.core.variant import AttackedSet, Variant
from nerquake.perturb.choose import chains_from
from nerquake.perturb.run import attack


def sentence(key: str, text: str, tags: str = "") -> Sentence:
    """A sentence from tokens and IOB2 tags, both parted by blanks."""
    tokens = tuple(text.split(" "))
    return Sentence(key, tokens, IOB2.decode(tags.split(" ")) if tags else ())


def names(texts: Iterable[str], label: str = "ORG") -> list[Sentence]:
    """One sentence for each text, which is a mention at its start."""
    made = []
    for number, text in enumerate(texts):
        tokens = tuple(text.split(" "))
        made.append(Sentence(f"s{number}", (*tokens, "wins", "."), (Span(0, len(tokens), label),)))
    return made


def data(sentences: Iterable[Sentence], language: str = "en") -> Dataset:
    return Dataset("data.conll", tuple(sentences), language=language)


def run(dataset: Dataset, text: str, seed: int = 0, **options: object) -> AttackedSet:
    (chain,) = chains_from([text], dataset.language).chains
    return attack(dataset, chain, seed, **options)  # type: ignore[arg-type]


def by_parent(made: AttackedSet) -> dict[str, Variant]:
    return {variant.parent: variant for variant in made.variants}


def surfaces(dataset: Iterable[Sentence]) -> list[str]:
    """All mention texts, in order."""
    return [s.surface(span) for s in dataset for span in s.spans]


def new_surfaces(made: AttackedSet) -> list[str]:
    return surfaces(variant.sentence for variant in made.variants)


def outside(one: Sentence) -> list[str]:
    """The tokens outside mentions."""
    inside = {index for span in one.spans for index in range(span.start, span.end)}
    return [token for index, token in enumerate(one.tokens) if index not in inside]
