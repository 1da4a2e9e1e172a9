"""Every kind of noise over every script: no sign loses its letter, and mentions keep their labels; none is left out."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.perturb.helpers import run
from tests.perturb.noise.test_noise_properties import SPECS, WORDS, check_labels, check_outside, corpora

from nerquake.core.dataset import Dataset
from nerquake.perturb.noise.clusters import clusters
from nerquake.registry.builtins import PERTURBATIONS

MORE = (
    "മലയാളം", "తెలుగు", "ಕನ್ನಡ", "ગુજરાતી", "ਪੰਜਾਬੀ", "සිංහල", "ଓଡ଼ିଆ", "မြန်မာ", "ລາວ",
    "བོད་ཡིག", "ქართული", "Հայերեն", "አማርኛ", "ᏣᎳᎩ", "カタカナ", "ｶﾞｷﾞ", "ދިވެހި", "ᠮᠣᠩᠭᠣᠯ",
    "می\u200cخواهم", "الْعَرَبِيَّة", "Tiếng", "ǅungla", "ﬁn", "ŉ", "ΐ", "Ǆ", "𝔉𝔯𝔞𝔨", "𞤀𞤣𞤤𞤢𞤥",
    "क्षत्रिय", "ज्ञ", "त्र्य", "ङ्ग", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "👨🏽‍🚀", "e\u0308\u0301e", "ḱṷ", "각각",
    "ᄒ\u1161\u11ab", "a\u20dd", "-", ".", ",", "’", "\"",
)  # fmt: skip
EVERY = (*WORDS, *MORE)
ALL = (*SPECS, "concat", "concat:order=before")


def noises() -> set[str]:
    """The names of all attacks that are noise."""
    return {name for name, one in PERTURBATIONS.builtins.items() if ".perturb.noise." in one.target}


def test_every_kind_of_noise_is_tried() -> None:
    assert {spec.partition(":")[0] for spec in ALL} == noises()
    assert len(noises()) == 9


def is_loose(token: str) -> bool:
    """Whether it begins with a sign that belongs to a letter before it."""
    first = token[0]
    return unicodedata.category(first) in ("Mn", "Mc", "Me") or first in "\u200c\u200d" or "🏻" <= first <= "🏿"


@pytest.mark.parametrize("spec", ALL)
def test_no_sign_loses_its_letter(spec: str) -> None:
    @settings(max_examples=25)
    @given(corpora(EVERY), st.integers(0, 3))
    def body(corpus: Dataset, seed: int) -> None:
        loose = {token for sentence in corpus for token in sentence.tokens if is_loose(token)}
        for variant in run(corpus, spec, seed).variants:
            new = variant.sentence.tokens
            assert [token for token in new if is_loose(token) and token not in loose] == []
            assert all(token and not token.isspace() for token in new)
            assert not any(0xD800 <= ord(character) <= 0xDFFF for token in new for character in token)

    body()


@pytest.mark.parametrize("spec", SPECS)
def test_mentions_keep_their_labels_and_places(spec: str) -> None:
    @settings(max_examples=20)
    @given(corpora(EVERY), st.integers(0, 3))
    def body(corpus: Dataset, seed: int) -> None:
        for original, variant in zip(corpus, run(corpus, spec, seed).variants, strict=True):
            check_labels(original, variant)
            check_outside(original, variant)

    body()


@pytest.mark.parametrize("spec", [one for one in ALL if one.startswith(("case", "diacritics"))])
def test_letters_change_one_by_one(spec: str) -> None:
    """No two characters become one, and none is lost; `ß` may become two."""

    @settings(max_examples=25)
    @given(corpora(EVERY), st.integers(0, 3))
    def body(corpus: Dataset, seed: int) -> None:
        for original, variant in zip(corpus, run(corpus, spec, seed).variants, strict=True):
            for old, new in zip(original.tokens, variant.sentence.tokens, strict=True):
                assert len(clusters(new)) >= len(clusters(old)), (old, new)

    body()


@pytest.mark.parametrize("order", ["concat", "concat:order=before"])
def test_joined_sentences_keep_their_mentions(order: str) -> None:
    @settings(max_examples=30)
    @given(corpora(EVERY), st.integers(0, 3))
    def body(corpus: Dataset, seed: int) -> None:
        known = {sentence.id: sentence for sentence in corpus}
        for variant in run(corpus, order, seed).variants:
            own = known[variant.parent]
            if variant.status != "changed":
                continue
            assert None not in variant.mentions
            for span, place in zip(own.spans, variant.mentions, strict=True):
                new = variant.sentence.spans[place]  # type: ignore[index]
                assert (new.label, variant.sentence.mention(new)) == (span.label, own.mention(span))
            others = [
                other for other in corpus if other.id != own.id
                and variant.sentence.tokens in (own.tokens + other.tokens, other.tokens + own.tokens)
                and len(variant.sentence.spans) == len(own.spans) + len(other.spans)
            ]  # fmt: skip
            assert others, "it is two whole sentences, with the mentions of both"

    body()
