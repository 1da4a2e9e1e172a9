"""A real Stanza model, trained in seconds and saved, alone and in a folder as Stanza's downloader leaves it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.taggers.tiny_taggers import BO, TAUGHT, stanza_folder, tiny_tagger

from nerquake.core.errors import InputError, PluginError, SpecError
from nerquake.core.span import Span
from nerquake.core.spec import parse_spec
from nerquake.registry import TAGGERS
from nerquake.taggers.stanza import StanzaTagger


@pytest.fixture
def file(stanza_library: str, tmp_path: Path) -> Path:
    return tiny_tagger(stanza_library, tmp_path)


@pytest.fixture
def folder(stanza_library: str, tmp_path: Path) -> Path:
    stanza_folder(tmp_path / "models")
    return tmp_path / "models"


def test_a_folder_finds_what_it_was_taught(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    found = StanzaTagger(str(folder), lang="xx").predict([sentence.tokens for sentence in TAUGHT])
    assert [one.spans for one in found] == [sentence.spans for sentence in TAUGHT]
    assert all((one.unseen, one.invalid, one.notes) == ((), 0, ()) for one in found)
    assert capfd.readouterr() == ("", ""), "the library is silent"


def test_a_file_gives_the_same_as_its_folder(folder: Path) -> None:
    whole = StanzaTagger(str(folder), lang="xx")
    alone = StanzaTagger(str(folder / "xx" / "ner" / "tiny.pt"), lang="xx")
    sentences = [sentence.tokens for sentence in TAUGHT]
    assert alone.predict(sentences) == whole.predict(sentences)
    assert alone.labels() == whole.labels() == {"PER", "LOC"}
    assert alone.fingerprint() == whole.fingerprint()


def test_another_name_of_the_language_and_a_named_package(folder: Path) -> None:
    assert StanzaTagger(str(folder), lang="yy").predict([BO.tokens])[0].spans == BO.spans
    built = TAGGERS.build(parse_spec(f"stanza:{folder},lang=xx,package=tiny"))
    assert built.predict([BO.tokens])[0].spans == BO.spans


def test_empty_and_blank_tokens_are_unseen(file: Path) -> None:
    blank = ("", " ", "\u00a0", "\u3000")
    spread = [token for word in BO.tokens for token in (*blank, word)]
    found = StanzaTagger(str(file), lang="xx").predict([tuple(spread), blank, ()])
    assert found[0].spans == tuple(Span(5 * s.start + 4, 5 * s.start + 5, s.label) for s in BO.spans)
    assert found[0].unseen == tuple(at for at, token in enumerate(spread) if token in blank)
    assert [(one.spans, one.unseen) for one in found[1:]] == [((), (0, 1, 2, 3)), ((), ())]


def test_tokens_keep_their_places_whatever_they_hold(file: Path) -> None:
    """Nothing is split or expanded, and a token with a blank stays one."""
    for odd in ("\u200b", "\u00ad", "a b", "a\u00a0b", "x\u2028y", "im", "x\ny", "a|b"):
        (found,) = StanzaTagger(str(file), lang="xx").predict([(*BO.tokens, ".", odd)])
        assert set(BO.spans) <= set(found.spans), odd
        assert found.unseen == ()


def test_batches_do_not_matter(file: Path) -> None:
    sentences = [sentence.tokens for sentence in TAUGHT] * 3
    one, five = StanzaTagger(str(file), lang="xx", batch=1), StanzaTagger(str(file), lang="xx", batch=5)
    assert one.predict(sentences) == five.predict(sentences)


def test_the_fingerprint_is_of_the_model(file: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.pt"
    other.write_bytes(file.read_bytes())
    assert StanzaTagger(str(other), lang="xx").fingerprint() == StanzaTagger(str(file), lang="xx").fingerprint()
    import torch

    state = torch.load(other, weights_only=True)
    state["config"]["lr"] = 0.5
    torch.save(state, other)
    assert StanzaTagger(str(other), lang="xx").fingerprint() != StanzaTagger(str(file), lang="xx").fingerprint()


def nothing(folder: Path) -> None:
    """Leaves it as it is."""


def no_resources(folder: Path) -> None:
    (folder / "resources.json").unlink()


def broken_resources(folder: Path) -> None:
    (folder / "resources.json").write_text("{", "utf-8")


def list_of_resources(folder: Path) -> None:
    (folder / "resources.json").write_text("[]", "utf-8")


def dangling_alias(folder: Path) -> None:
    (folder / "resources.json").write_text(json.dumps({"xx": {"alias": "zz"}}), "utf-8")


def no_model(folder: Path) -> None:
    (folder / "xx" / "ner" / "tiny.pt").unlink()


def broken_model(folder: Path) -> None:
    (folder / "xx" / "ner" / "tiny.pt").write_bytes(b"broken")


@pytest.mark.parametrize(
    ("damage", "options", "message"),
    [
        (nothing, {"lang": "zz"}, "no recogniser for lang=zz; it has some for: xx"),
        (nothing, {"package": ("big",)}, "package=big: for xx it lists tiny"),
        (no_resources, {}, "is no folder of Stanza models"),
        (broken_resources, {}, "is no folder of Stanza models"),
        (list_of_resources, {}, "is no folder of Stanza models"),
        (dangling_alias, {}, "is no folder of Stanza models"),
        (no_model, {}, "cannot be loaded"),
        (broken_model, {}, "cannot be loaded"),
    ],
)
def test_a_folder_that_is_not_as_it_should_be(
    folder: Path, damage: Callable[[Path], None], options: dict[str, object], message: str
) -> None:
    damage(folder)
    with pytest.raises(InputError, match=message):
        StanzaTagger(str(folder), **{"lang": "xx", **options}).predict([("Bonn",)])  # type: ignore[arg-type]


def test_a_file_that_is_none(stanza_library: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r'no such folder or file. Download models with stanza\.download\("de"'):
        StanzaTagger(str(tmp_path / "nothing"), lang="de").predict([("Bonn",)])
    (tmp_path / "x.pt").write_bytes(b"nothing")
    with pytest.raises(InputError, match=r"cannot be loaded.*pretrain="):
        StanzaTagger(str(tmp_path / "x.pt")).predict([("Bonn",)])
    with pytest.raises(InputError, match=r"there is no file .*vectors\.pt"):
        StanzaTagger(str(tmp_path / "x.pt"), pretrain=str(tmp_path / "vectors.pt")).predict([("Bonn",)])


@pytest.mark.parametrize(
    ("spec", "message"), [('stanza:""', "needs a model"), ("stanza", "needs model"), ("stanza:x,batch=0", "at least 1")]
)
def test_wrong_specifications(stanza_library: str, spec: str, message: str) -> None:
    with pytest.raises(SpecError, match=message):
        TAGGERS.build(parse_spec(spec))


def test_a_model_trained_again_in_the_same_folder_is_loaded_again(folder: Path) -> None:
    tagger = StanzaTagger(str(folder), lang="xx")
    assert tagger.predict([BO.tokens])[0].spans == BO.spans
    assert tagger._nlp() is tagger._nlp()
    with (folder / "xx" / "ner" / "tiny.pt").open("r+b") as stream:  # in place: the folder itself stays as it is
        stream.truncate(0)
    with pytest.raises(InputError, match="cannot be loaded"):
        tagger.predict([BO.tokens])


ILL = ["I-PER", "O", "O", "S-LOC", "O", "B-LOC"]


@pytest.mark.parametrize(
    ("repair", "spans"),
    [
        ("conlleval", (Span(0, 1, "PER"), Span(3, 4, "LOC"), Span(5, 6, "LOC"))),
        ("discard", (Span(3, 4, "LOC"),)),
        ("none", None),
    ],
)
def test_ill_formed_tags_are_repaired_as_asked(
    folder: Path, monkeypatch: pytest.MonkeyPatch, repair: Any, spans: tuple[Span, ...] | None
) -> None:
    tagger = StanzaTagger(str(folder), lang="xx", repair=repair)
    (trainer,) = tagger._nlp().processors["ner"].trainers
    monkeypatch.setattr(trainer, "predict", lambda batch: [ILL])
    if spans is None:
        with pytest.raises(PluginError, match=r"ill-formed bioes tags.*'Bo/I-PER flew/O .*--repair conlleval"):
            tagger.predict([BO.tokens])
        return
    (found,) = tagger.predict([BO.tokens])
    assert found.spans == spans
    assert found.invalid == 3


def test_well_formed_tags_need_no_repair_and_answers_are_kept_apart(folder: Path) -> None:
    strict, lenient = (StanzaTagger(str(folder), lang="xx", repair=how) for how in ("none", "conlleval"))  # type: ignore[arg-type]
    assert strict.predict([BO.tokens]) == lenient.predict([BO.tokens])
    assert strict.fingerprint() != lenient.fingerprint()
