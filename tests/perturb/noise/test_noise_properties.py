"""What holds for every kind of noise over every script: characters stay whole, mentions and labels right."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.perturb.helpers import by_parent, data, run
from tests.strategies import datasets

from nerquake.core.dataset import Dataset
from nerquake.core.sentence import Sentence
from nerquake.core.span import Span
from nerquake.core.variant import Variant
from nerquake.perturb.noise.clusters import clusters

WORDS = (
    "Straße", "Müller", "İzmir", "Groß", "e\u0301te\u0301", "Łódź", "O'Neill-Smith", "U.S.", "rn1ght", "modern",
    "क्षेत्र", "हैदराबाद", "ज़मीन", "में", "की", "সংবাদ", "தமிழ்", "ก็ได้", "ប្រទេស", "한국어", "각", "سوريا", "שָׁלוֹם", "Москва",
    "Αθήνα", "ΟΔΟΣ", "北京市", "とうきょう", "👩‍👩‍👧", "🇮🇳",
    "1️⃣", "👍🏽ok", "\u200b", "a\u200db", "\u00adso\u00adft", "…", "“", "--", "、",
)  # fmt: skip
SPECS = (
    "case:lower", "case:upper", "case:title", "typo:share=1", "typo:share=1,kinds=neighbour,shortest=2",
    "typo:share=1,kinds=drop,shortest=2", "typo:share=1,kinds=double", "typo:share=1,kinds=transpose", "ocr:share=1",
    "ocr:share=1,errors=3", "whitespace:share=1", "whitespace:share=1,kinds=split", "whitespace:share=1,kinds=join",
    "punctuation:drop", "punctuation:add", "punctuation:straight", "punctuation:curly", "diacritics:strip",
    "diacritics:fold", "diacritics:decompose", "name-order", "name-order:plain", "initials",
)  # fmt: skip
each_spec = pytest.mark.parametrize("spec", SPECS)


@st.composite
def corpora(draw: st.DrawFn, words: Sequence[str] = WORDS) -> Dataset:
    """Sentences of words of many scripts, with mentions of people and others, touching ones too."""
    made = []
    for number in range(draw(st.integers(1, 3))):
        tokens = tuple(draw(st.lists(st.sampled_from(words), min_size=1, max_size=8)))
        spans, at = [], 0
        while at < len(tokens) and draw(st.booleans()):
            end = draw(st.integers(at + 1, min(len(tokens), at + 3)))
            spans.append(Span(at, end, draw(st.sampled_from(("PER", "LOC")))))
            at = end + draw(st.integers(0, 1))
        made.append(Sentence(f"s{number}", tokens, tuple(spans)))
    return data(made, draw(st.sampled_from(("en", "de", "hi", "th", ""))))


def check_labels(original: Sentence, variant: Variant) -> None:
    """The same mentions under the same labels, in their order, none empty."""
    made = variant.sentence
    assert [span.label for span in made.spans] == [span.label for span in original.spans]
    assert variant.mentions == tuple(range(len(original.spans)))
    assert all(made.tokens)


def check_outside(original: Sentence, variant: Variant) -> None:
    """What no edit touches is as it was."""
    kept = list(original.tokens)
    for edit in reversed(variant.edits):
        kept[edit.start : edit.end] = edit.new
    assert tuple(kept) == variant.sentence.tokens


def is_whole(old: str, new: str) -> bool:
    """Whether each character of the new text that is more than one code point stood in the old one, but for one
    letter of it: no sign lost its letter, no letter its sign, no emoji was taken apart."""
    before = clusters(old)
    return all(
        len(part) == 1 or part in before or any(_one_off(part, other) for other in before) for part in clusters(new)
    )


def _one_off(new: str, old: str) -> bool:
    return len(new) == len(old) and sum(a != b for a, b in zip(new, old, strict=True)) == 1


@pytest.mark.parametrize("spec", [one for one in SPECS if one.startswith(("typo", "ocr", "whitespace"))])
def test_no_character_is_cut(spec: str) -> None:
    @settings(max_examples=30)
    @given(corpora(), st.integers(0, 2))
    def body(corpus: Dataset, seed: int) -> None:
        for variant in run(corpus, spec, seed).variants:
            for edit in variant.edits:
                old = "".join(dict(edit.source)["was"].split(" ")) if edit.end - edit.start > 1 else ""
                before = old or corpus.sentences[int(variant.parent[1:])].tokens[edit.start]
                assert is_whole(before, " ".join(edit.new))

    body()


@pytest.mark.parametrize("kinds", ["split", "join", "split|join"])
def test_blanks_move_and_nothing_else(kinds: str) -> None:
    @settings(max_examples=30)
    @given(corpora(), st.integers(0, 2))
    def body(corpus: Dataset, seed: int) -> None:
        for original, variant in zip(
            corpus, run(corpus, f"whitespace:share=1,kinds={kinds}", seed).variants, strict=True
        ):
            assert "".join(variant.sentence.tokens) == "".join(original.tokens)
            for old, new in zip(original.spans, variant.sentence.spans, strict=True):
                assert "".join(variant.sentence.mention(new)) == "".join(original.mention(old))

    body()


@each_spec
def test_any_data_set_and_a_sentence_more_changes_nothing(spec: str) -> None:
    @settings(max_examples=12)
    @given(datasets(max_size=3))
    def body(dataset: Dataset) -> None:
        named = [Sentence(f"d{i}", s.tokens, s.spans) for i, s in enumerate(dataset)]
        more = [Sentence("new", ("Anna", "Lind", "slept"), (Span(0, 2, "PER"),)), *reversed(named)]
        alone, beside = by_parent(run(data(named), spec)), by_parent(run(data(more), spec))
        assert {key: beside[key] for key in alone} == alone

    body()
