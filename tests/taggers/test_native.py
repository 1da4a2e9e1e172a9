"""Models of `nerquake train`, by folder."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from tests.taggers import tiny_models

from nerquake.core.errors import InputError, SpecError, UsageError
from nerquake.core.sentence import Sentence
from nerquake.core.span import Span
from nerquake.core.spec import parse_spec
from nerquake.registry import TAGGERS
from nerquake.taggers.native import NativeTagger

pytestmark = pytest.mark.usefixtures("huggingface_library")
SENTENCES = [
    Sentence("1", ("Anna", "met", "Bo", "in", "Bonn"), (Span(0, 1, "PER"), Span(2, 3, "PER"), Span(4, 5, "LOC"))),
    Sentence("2", ("Bo", "met", "nobody"), (Span(0, 1, "PER"),)),
    Sentence("3", ("Bonn",), (Span(0, 1, "LOC"),)),
]
TOKENS = [sentence.tokens for sentence in SENTENCES]


def trained(seed: int = 1, steps: int = 60) -> Any:
    import torch

    from nerquake.nn.bilstm import BilstmCrf, BilstmSizes
    from nerquake.nn.tags import tag_set
    from nerquake.nn.vocabulary import vocabulary_of
    from nerquake.nn.word_encoder import WordSizes

    with torch.random.fork_rng():
        torch.manual_seed(seed)
        sizes = BilstmSizes(WordSizes(12, 4, 4, 8, 16), hidden=16)
        model = BilstmCrf(tag_set(("PER", "LOC"), "bioes"), vocabulary_of(TOKENS), sizes)
        optimiser = torch.optim.Adam(model.parameters(), lr=0.02)
        for _ in range(steps):
            optimiser.zero_grad()
            model.loss(model.examples(SENTENCES)).total.backward()
            optimiser.step()
    return model


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("models") / "bilstm"
    trained().save(folder)
    return folder


@pytest.fixture
def folder(kept: Path, tmp_path: Path) -> Path:
    """A copy that a test may damage."""
    return Path(shutil.copytree(kept, tmp_path / "bilstm"))


def found(tagger: NativeTagger) -> list[tuple[Span, ...]]:
    return [answer.spans for answer in tagger.predict(TOKENS)]


def test_it_tags_as_the_network_that_was_saved(kept: Path) -> None:
    tagger = TAGGERS.build(parse_spec(f"native:{kept}"))
    assert found(tagger) == [sentence.spans for sentence in SENTENCES]
    assert tagger.labels() == {"PER", "LOC"}
    said, unknown = tagger.about()
    assert "has no sources.jsonl" in unknown
    assert said.startswith(f"native:{kept} runs on c")
    assert "bilstm-crf, bioes tags, decoded by its CRF" in said


def test_batches_do_not_matter(kept: Path) -> None:
    assert found(NativeTagger(str(kept), batch=1)) == found(NativeTagger(str(kept), batch=100))


def test_a_model_that_was_trained_again_is_loaded_again(folder: Path) -> None:
    tagger = NativeTagger(str(folder))
    first, before = found(tagger), tagger.fingerprint()
    assert tagger.fingerprint() == before
    trained(seed=2, steps=0).save(folder)
    assert found(tagger) != first
    assert tagger.fingerprint() != before


def test_the_fingerprint_has_the_repair_and_what_it_runs_on(kept: Path) -> None:
    import torch

    said = NativeTagger(str(kept)).fingerprint()
    assert said != NativeTagger(str(kept), repair="discard").fingerprint()
    assert f"fp32, torch {torch.__version__.partition('+')[0]}" in said


def test_copies_have_the_same_fingerprint(kept: Path, folder: Path) -> None:
    assert NativeTagger(str(kept)).fingerprint() == NativeTagger(str(folder)).fingerprint()


@pytest.mark.parametrize("kind", ["transformer", "transformer-crf", ""])
def test_a_transformers_checkpoint(tmp_path: Path, kind: str) -> None:
    """With or without settings of nerquake's beside it."""
    where = tiny_models.bert(tmp_path / "bert", extra={"crf_state_dict": tiny_models.CRF})
    if kind:
        about = {"format": "nerquake.model/1", "sha256": "", "kind": kind, "tags": list(tiny_models.IOB2)}
        (tmp_path / "bert" / "nerquake.json").write_text(json.dumps({**about, "scheme": "iob2"}), "utf-8")
    tagger = NativeTagger(where, precision="fp32", batch=2)
    (answer,) = tagger.predict([tiny_models.TEXT])
    assert answer.spans == tiny_models.SPANS
    assert tagger.labels() == {"PER", "LOC", "ORG"}
    assert "decoded by its CRF" in tagger.about()[0]
    assert tagger.fingerprint() == NativeTagger(where, precision="fp32").fingerprint()
    assert tagger.fingerprint() != NativeTagger(where, precision="fp32", repair="discard").fingerprint()


def test_no_such_folder(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"there is no folder .*absent; name one that `nerquake train` wrote"):
        NativeTagger(str(tmp_path / "absent")).labels()


def test_a_folder_that_holds_something_else(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("nothing", "utf-8")
    with pytest.raises(InputError, match=r"holds no model of `nerquake train`, only notes\.txt"):
        NativeTagger(str(tmp_path)).predict(TOKENS)


def test_a_file(kept: Path) -> None:
    with pytest.raises(InputError, match="is a file; name the folder"):
        NativeTagger(str(kept / "nerquake.json")).labels()


@pytest.mark.parametrize("name", ["nerquake.json", "model.safetensors"])
def test_a_truncated_file(folder: Path, name: str) -> None:
    path = folder / name
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(InputError, match=rf"{name} is cut short"):
        NativeTagger(str(folder)).predict(TOKENS)


def test_a_file_that_is_missing(folder: Path) -> None:
    (folder / "model.safetensors").unlink()
    with pytest.raises(InputError, match=r"model\.safetensors is missing"):
        NativeTagger(str(folder)).predict(TOKENS)


def test_a_kind_that_is_not_known(folder: Path) -> None:
    path = folder / "nerquake.json"
    path.write_text(path.read_text("utf-8").replace('"bilstm-crf"', '"windmill"'), "utf-8")
    with pytest.raises(InputError, match=r"the kind windmill, which this version does not know \(bilstm-crf, transf"):
        NativeTagger(str(folder)).labels()


def test_what_cannot_be_asked_of_it(kept: Path) -> None:
    with pytest.raises(SpecError, match="native needs a folder"):
        NativeTagger("")
    with pytest.raises(SpecError, match="batch=-1"):
        NativeTagger(str(kept), batch=-1)
    with pytest.raises(UsageError, match="is a bilstm-crf, which runs in float32"):
        NativeTagger(str(kept), precision="bf16").predict(TOKENS)


def test_a_gpu_that_is_not_there(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("torch.cuda.is_available", lambda: False)
    with pytest.raises(UsageError, match="native: device=cuda, but torch finds no GPU"):
        NativeTagger(str(kept), device="cuda").predict(TOKENS)
