"""A real encoder, MiniLM, fine-tuned for a moment on the bundled English sample, saved and audited."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from tests.cli.runner import nerquake
from tests.integration.fine_tune import fine_tune

from nerquake.core.dataset import Dataset
from nerquake.core.labels import JoinedLabels, LabelRules, relabel
from nerquake.core.tagging import Named, run_tagger
from nerquake.io.load import load
from nerquake.models.means import processor_has_bf16
from nerquake.score.count import count
from nerquake.score.metrics import rates
from nerquake.taggers.huggingface import HuggingFaceTagger

pytestmark = pytest.mark.slow
LABELS = ("PERSON", "GPE", "ORG")
JOIN = JoinedLabels.of(LabelRules(), LABELS, "minilm")


@pytest.fixture(scope="module")
def sample() -> Dataset:
    return relabel(load("sample:en"), LabelRules(only=LABELS)).dataset


@pytest.fixture(scope="module")
def model(sample: Dataset, minilm: str, tmp_path_factory: pytest.TempPathFactory) -> str:
    with_mentions = [sentence for sentence in sample if sentence.spans]
    return fine_tune(minilm, with_mentions[:200], tmp_path_factory.mktemp("minilm"), steps=25)


def f1(tagger: HuggingFaceTagger, data: Dataset) -> float:
    answers = run_tagger(Named("minilm", "minilm", tagger), "original", data.sentences, JOIN)
    assert answers.unseen_tokens == 0
    found = rates(count(data.sentences, answers).overall.sum(axis=0), "strict").f1
    assert found is not None
    return found


def test_it_has_learnt_something(model: str, sample: Dataset) -> None:
    """Far above chance: a head that was never trained, or tags off by one token, are near zero."""
    tagger = HuggingFaceTagger(model, precision="fp32")
    assert tagger.labels() == set(LABELS)
    assert f1(tagger, sample) > 0.2


def test_bfloat16_changes_close_calls_only(model: str, sample: Dataset) -> None:
    if not processor_has_bf16():
        pytest.skip("this processor does not multiply in bfloat16")
    batch = [sentence.tokens for sentence in sample]
    exact, short = (HuggingFaceTagger(model, precision=p, device="cpu").predict(batch) for p in ("fp32", "bf16"))
    same = sum(a.spans == b.spans for a, b in zip(exact, short, strict=True))
    assert same > 0.9 * len(batch)


def test_windows_leave_nothing_out(model: str, sample: Dataset) -> None:
    """The sample as two long sentences against the model's 512 positions."""
    halves = [sample.sentences[:220], sample.sentences[220:]]
    long = [tuple(token for sentence in half for token in sentence.tokens) for half in halves]
    tagger = HuggingFaceTagger(model, precision="fp32")
    whole, cut = tagger.predict(long), replace(tagger, windows=False).predict(long)
    assert [answer.unseen for answer in whole] == [(), ()]
    assert all(len(answer.unseen) > len(tokens) // 2 for answer, tokens in zip(cut, long, strict=True))
    assert all(len(a.spans) > len(b.spans) for a, b in zip(whole, cut, strict=True))


def test_an_audit_from_the_command_line(model: str, tmp_path: Path) -> None:
    arguments = ["audit", "sample:en", "-t", f'huggingface:"{model}",name=minilm,precision=fp32', "-p", "swap"]
    arguments += ["--labels", ",".join(LABELS), "--sample", "120", "--resamples", "100", "-o", str(tmp_path / "out")]
    first = nerquake(*arguments)
    assert first.code == 0, first.err
    result = json.loads((tmp_path / "out" / "result.json").read_text("utf-8"))
    original = next(block for block in result["results"] if block["set"] == "original")
    assert original["overall"]["strict"]["f1"] > 0.2
    notes = result["findings"]["method"]["notes"]
    assert any("runs on cpu, fp32, torch" in note and "iob2 tags" in note for note in notes)
    again = nerquake(*arguments)
    assert "tags original" not in again.err, "answers that are there are not made again"
    assert json.loads((tmp_path / "out" / "result.json").read_text("utf-8"))["results"] == result["results"]
