"""A real Flair model, trained in seconds and saved."""

from __future__ import annotations

import logging
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.taggers.tiny_taggers import BO, TAUGHT, flair_token_tagger, tiny_tagger

from nerquake.core.errors import InputError, SpecError, UsageError
from nerquake.core.span import Span
from nerquake.core.spec import parse_spec
from nerquake.registry import TAGGERS
from nerquake.taggers.flair import FlairTagger


@pytest.fixture
def model(flair_library: str, tmp_path: Path) -> Path:
    return tiny_tagger(flair_library, tmp_path)


def test_it_finds_what_it_was_taught(model: Path, capfd: pytest.CaptureFixture[str]) -> None:
    found = FlairTagger(str(model)).predict([sentence.tokens for sentence in TAUGHT])
    assert [one.spans for one in found] == [sentence.spans for sentence in TAUGHT]
    assert all(span.score is not None and 0 < span.score <= 1 for one in found for span in one.spans)
    assert all(one.unseen == () and one.notes == () for one in found)
    assert capfd.readouterr() == ("", ""), "the library is silent"


def test_its_logger_is_as_it_was(model: Path) -> None:
    import flair

    flair.logger.setLevel(logging.INFO)
    FlairTagger(str(model)).predict([("Anna",)])
    assert flair.logger.level == logging.INFO


def test_labels_are_those_of_its_dictionary(model: Path) -> None:
    assert FlairTagger(str(model)).labels() == {"PER", "LOC"}


def test_empty_and_blank_tokens_are_unseen(model: Path) -> None:
    blank = ("", " ", "\u00a0", "\u3000")
    spread = [token for word in BO.tokens for token in (*blank, word)]
    found = FlairTagger(str(model)).predict([tuple(spread), blank, ()])
    assert found[0].spans == tuple(Span(5 * s.start + 4, 5 * s.start + 5, s.label) for s in BO.spans)
    assert found[0].unseen == tuple(at for at, token in enumerate(spread) if token in blank)
    assert [(one.spans, one.unseen) for one in found[1:]] == [((), (0, 1, 2, 3)), ((), ())]


def test_tokens_keep_their_places_whatever_they_hold(model: Path) -> None:
    """Case 4: what Flair could drop or split moves no mention."""
    for odd in ("\u200b", "\u00ad", "\ufe0f", "a b", "a\u00a0b", "x\u2028y", "New York", "e\u0301"):
        found, plain = FlairTagger(str(model)).predict([(word, *BO.tokens, word) for word in (odd, "unknown")])
        assert found == plain, odd
        assert found.spans


def test_an_answer_depends_on_its_sentence_alone(model: Path) -> None:
    """Flair hands every sentence its neighbours, and some models look at them."""
    from flair.data import Sentence

    seen: list[Any] = []
    from nerquake.taggers import flair as module

    loaded = module._load(str(model), "auto", module.version_of(str(model)))
    predict = loaded.predict
    loaded.predict = lambda sentences, **more: (seen.extend(sentences), predict(sentences, **more))
    try:
        FlairTagger(str(model)).predict([("Anna",), ("Bo",), ("Bonn",)])
    finally:
        del loaded.predict
    assert len(seen) == 3
    assert all(isinstance(one, Sentence) and one.is_context_set() for one in seen)
    assert all(one._previous_sentence is None and one._next_sentence is None for one in seen)


def test_batches_do_not_matter(model: Path) -> None:
    sentences = [sentence.tokens for sentence in TAUGHT] * 3
    assert FlairTagger(str(model), batch=1).predict(sentences) == FlairTagger(str(model), batch=5).predict(sentences)


@pytest.mark.parametrize("name", ["best-model.pt", "final-model.pt", "pytorch_model.bin", "other.pt"])
def test_a_folder_is_searched_for_its_model(model: Path, tmp_path: Path, name: str) -> None:
    folder = tmp_path / "trained"
    folder.mkdir()
    shutil.copy(model, folder / name)
    assert FlairTagger(str(folder)).predict([BO.tokens])[0].spans == BO.spans
    assert FlairTagger(str(folder)).fingerprint() == FlairTagger(str(model)).fingerprint()


def test_a_folder_with_no_model_or_several(model: Path, tmp_path: Path) -> None:
    folder = tmp_path / "trained"
    folder.mkdir()
    with pytest.raises(InputError, match=r"holds no model: expected best-model\.pt"):
        FlairTagger(str(folder)).predict([("Anna",)])
    for name in ("a.pt", "b.pt"):
        shutil.copy(model, folder / name)
    with pytest.raises(InputError, match=r"holds several models: a\.pt, b\.pt"):
        FlairTagger(str(folder)).predict([("Anna",)])


def test_the_fingerprint_is_of_the_file(model: Path, tmp_path: Path) -> None:
    before = FlairTagger(str(model)).fingerprint()
    assert before == FlairTagger(str(model)).fingerprint()
    model.write_bytes(model.read_bytes() + b"\0")
    assert FlairTagger(str(model)).fingerprint() != before


def test_a_tagger_of_tokens_is_no_recogniser(flair_library: str, tmp_path: Path) -> None:
    flair_token_tagger(tmp_path / "case.pt")
    with pytest.raises(InputError, match="is a SequenceTagger for the label type 'case', which predicts no spans"):
        FlairTagger(str(tmp_path / "case.pt")).labels()


@pytest.mark.parametrize("data", [b"", b"not a model", b"PK\x03\x04broken", b"\x80\x04N."])
def test_a_broken_file_says_so(flair_library: str, tmp_path: Path, data: bytes) -> None:
    (tmp_path / "broken.pt").write_bytes(data)
    with pytest.raises(InputError, match=r"broken\.pt is there but cannot be loaded \("):
        FlairTagger(str(tmp_path / "broken.pt")).predict([("Anna",)])


def test_an_unknown_name_says_what_to_do(flair_library: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError, match=r"no file or folder here.*needs the network the first time"):
        FlairTagger("nobody/no-such-model").predict([("Anna",)])


def test_a_device_that_is_not_there(model: Path) -> None:
    import torch

    if torch.cuda.is_available():
        pytest.skip("there is a graphics processor here")
    with pytest.raises(InputError, match="device=cuda: this machine has none"):
        FlairTagger(str(model), device="cuda").predict([("Anna",)])


def test_beside_a_library_that_it_does_not_work_with(model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name == "flair" or name.startswith("flair.")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "transformers", None)  # type: ignore[arg-type]
    with pytest.raises(UsageError, match=r"transformers below 5: pip install \"nerquake\[flair\]\", in an environment"):
        FlairTagger(str(model)).fingerprint()


@pytest.mark.parametrize(
    ("spec", "message"),
    [('flair:""', "needs a model"), ("flair", "needs model"), ("flair:x,batch=0", "at least 1"),
     ("flair:x,device=tpu", "expected one of")],
)  # fmt: skip
def test_wrong_specifications(flair_library: str, spec: str, message: str) -> None:
    with pytest.raises(SpecError, match=message):
        TAGGERS.build(parse_spec(spec))


def test_a_model_trained_again_in_the_same_folder_is_loaded_again(model: Path, tmp_path: Path) -> None:
    folder = tmp_path / "trained"
    folder.mkdir()
    shutil.copy(model, folder / "best-model.pt")
    tagger = FlairTagger(str(folder))
    assert tagger.predict([BO.tokens])[0].spans == BO.spans
    kept = tagger._model()
    assert tagger._model() is kept
    with (folder / "best-model.pt").open("r+b") as stream:  # in place: the folder itself stays as it is
        stream.truncate(0)
    with pytest.raises(InputError, match="cannot be loaded"):
        tagger.predict([BO.tokens])
    shutil.copy(model, folder / "best-model.pt")
    assert tagger._model() is not kept
