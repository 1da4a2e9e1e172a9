"""Context attacks with real masked language models: the small English one kept beside the project, and tiny ones."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.language.tiny_masked import bert_filler, roberta_filler
from tests.perturb.helpers import by_parent, data, outside, run
from tests.strategies import datasets

from nerquake.core.dataset import Dataset
from nerquake.core.protocols import ReadOptions
from nerquake.core.variant import AttackedSet
from nerquake.io.load import load
from nerquake.models.means import processor_has_bf16, processor_has_int8
from nerquake.perturb import proposing
from nerquake.perturb.fills import is_word


@pytest.fixture(scope="module")
def english(shared: Path, huggingface_library: None) -> str:
    return str(shared / "models" / "minilm-mlm-en")


@pytest.fixture(scope="module")
def tweets(shared: Path) -> Dataset:
    read = load(str(shared / "data" / "wnut17" / "emerging.test.annotated"), options=ReadOptions(lenient=True))
    return read.with_sentences(read.sentences[:40])


def texts(made: AttackedSet) -> dict[str, tuple[str, ...]]:
    return {key: variant.sentence.tokens for key, variant in by_parent(made).items()}


@pytest.mark.slow
@pytest.mark.shared
@pytest.mark.parametrize("precision", ["fp32", "bf16", "int8"])
def test_batch_size_and_order_change_nothing(
    precision: str, english: str, tweets: Dataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    spec = f'mask:filler="transformers:{english},precision={precision}",name=it'
    able = {"fp32": True, "bf16": processor_has_bf16(), "int8": processor_has_int8()}
    if not able[precision]:
        pytest.skip(f"this processor has no instructions for {precision}")
    first = texts(run(tweets, spec))
    assert sum(tokens != one.tokens for one, tokens in zip(tweets, first.values(), strict=True)) > 30
    for size, batch, turned in ((3, 32, False), (40, 4, True)):
        monkeypatch.setattr(proposing, "BATCH", size)
        corpus = tweets.with_sentences(tweets.sentences[::-1]) if turned else tweets
        again = f'mask:filler="transformers:{english},precision={precision},batch={batch}",name=it'
        assert texts(run(corpus, again)) == first


@pytest.mark.shared
def test_no_special_token_piece_or_empty_fill_and_mentions_stay(english: str, tweets: Dataset) -> None:
    made = run(tweets, f'context:filler="transformers:{english},precision=fp32",pos=stopwords,k=2,name=it')
    for sentence, variant in zip(tweets, made.variants, strict=True):
        new = variant.sentence
        assert [new.mention(span) for span in new.spans] == [sentence.mention(span) for span in sentence.spans]
        for edit in variant.edits:
            (word,) = edit.new
            assert is_word(word) and "[" not in word and not word.startswith("##") and word.strip() == word
    assert made.statuses["changed"] > 25


@pytest.mark.parametrize("make", [bert_filler, roberta_filler], ids=["wordpiece", "bytes"])
def test_any_data_set_with_tiny_models(
    make,
    huggingface_library: None,
    tmp_path_factory: pytest.TempPathFactory,  # type: ignore[no-untyped-def]
) -> None:
    folder = make(tmp_path_factory.mktemp("tiny"))

    @settings(max_examples=25, suppress_health_check=[HealthCheck.too_slow])
    @given(datasets(max_size=4), st.integers(0, 2), st.sampled_from(["mask:", "context:ranks=1-20,pos=stopwords,"]))
    def body(dataset: Dataset, seed: int, attack: str) -> None:
        made = run(dataset, f'{attack}filler="transformers:{folder},precision=fp32",name=it', seed)
        for sentence, variant in zip(dataset, made.variants, strict=True):
            new = variant.sentence
            assert len(new) == len(sentence)
            assert [new.mention(span) for span in new.spans] == [sentence.mention(span) for span in sentence.spans]
            touched = {edit.start for edit in variant.edits}
            assert all(new.tokens[at] == old for at, old in enumerate(sentence.tokens) if at not in touched)
            assert all(is_word(edit.new[0]) and not any(map(str.isspace, edit.new[0])) for edit in variant.edits)
            assert (outside(new) != outside(sentence)) == bool(touched)

    body()


def test_a_missing_model_is_told_before_anything_runs(huggingface_library: None, tmp_path: Path) -> None:
    with pytest.raises(Exception, match=r"config\.json"):
        run(data([]), f"mask:transformers:{tmp_path}")
