"""Parts of speech by a real Stanza model, trained in seconds."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.language.tiny_pos import TAGS, WORDS, stanza_pos_folder

from nerquake.core.errors import InputError, SpecError
from nerquake.core.spec import parse_spec
from nerquake.language.stanza import StanzaPos
from nerquake.models.stanza import languages_there, packages_there
from nerquake.registry import PARTS_OF_SPEECH


@pytest.fixture
def folder(stanza_library: str, tmp_path: Path) -> Path:
    return stanza_pos_folder(tmp_path / "models", "xx", "vv")


def test_it_gives_what_it_was_taught(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    for source in (StanzaPos(str(folder), "xx"), StanzaPos(str(folder), "yy", package="tiny")):
        assert source.tag(WORDS) == list(TAGS)
        assert source.tells_classes
    assert capfd.readouterr() == ("", ""), "the library is silent"


def test_a_specification_and_the_language_of_the_data_set(folder: Path) -> None:
    built = PARTS_OF_SPEECH.build(parse_spec(f"stanza:{folder},language=xx"))
    assert built == StanzaPos(str(folder), "xx")
    assert built.for_language("de") == built
    assert StanzaPos(str(folder)).for_language("xx") == built
    assert "the Stanza model for xx (Stanza " in built.about()[0]
    assert "the Stanza model tiny for xx" in StanzaPos(str(folder), "xx", "tiny").about()[0]


def test_a_folder_with_one_language_needs_no_other_word(stanza_library: str, tmp_path: Path) -> None:
    alone = stanza_pos_folder(tmp_path / "alone")
    assert StanzaPos(str(alone)).tag(WORDS) == list(TAGS)
    assert "for xx" in StanzaPos(str(alone)).about()[0]


def test_tokens_are_neither_split_nor_changed_and_blank_ones_have_no_tag(folder: Path) -> None:
    source = StanzaPos(str(folder), "xx")
    spread = tuple(token for word in WORDS[0] for token in ("", word, "\u3000"))
    (tags,) = source.tag([spread])
    assert tags[1::3] == TAGS[0]
    assert set(tags[::3] + tags[2::3]) == {"X"}
    (tags,) = source.tag([("a b", "don't", "x\ny", "\u200b", "m" * 50_000)])
    assert len(tags) == 5


def test_batches_do_not_matter(folder: Path) -> None:
    alone, together = (StanzaPos(str(folder), "xx", batch=size) for size in (1, 50))
    assert alone.tag(WORDS * 5) == together.tag(WORDS * 5)
    assert alone.fingerprint() != together.fingerprint(), "the last digits of sums may differ"


def test_the_fingerprint_is_of_the_model(folder: Path) -> None:
    import torch

    before = StanzaPos(str(folder), "xx").fingerprint()
    assert StanzaPos(str(folder), "vv").fingerprint() == before, "the same file, under another language"
    file = folder / "xx" / "pos" / "tiny.pt"
    state = torch.load(file, weights_only=True)
    state["config"]["lr"] = 0.5
    torch.save(state, file)
    assert StanzaPos(str(folder), "xx").fingerprint() != before


@pytest.mark.parametrize(
    ("language", "package", "message"),
    [
        ("", "", "needs language=, the language of the data set, which has taggers for vv, xx"),
        ("de", "", "no part-of-speech tagger for language=de; it has some for: vv, xx, zz"),
        ("xx", "huge", "package=huge: for xx it lists big, tiny"),
        ("xx", "big", "language=xx cannot be loaded"),
        ("zz", "", "language=zz cannot be loaded"),
    ],
)
def test_a_folder_that_has_something_else(folder: Path, language: str, package: str, message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        StanzaPos(str(folder), language, package).about()
    assert "pretrain" not in str(caught.value)


def test_no_folder(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r'no such folder.*download\("de", .*processors="tokenize,pos"'):
        StanzaPos(str(tmp_path / "nowhere"), "de").tag([("a",)])
    with pytest.raises(InputError, match="is a file; the folder"):
        StanzaPos(str(folder / "resources.json"), "xx").tag([("a",)])
    (folder / "resources.json").write_text("{", "utf-8")
    with pytest.raises(InputError, match="is no folder of Stanza models"):
        StanzaPos(str(folder)).tag([("a",)])


@pytest.mark.parametrize(
    ("spec", "message"), [('stanza:""', "needs a folder"), ("stanza", "needs folder"), ("stanza:x,batch=0", "least 1")]
)
def test_wrong_specifications(stanza_library: str, spec: str, message: str) -> None:
    with pytest.raises(SpecError, match=message):
        PARTS_OF_SPEECH.build(parse_spec(spec))


def listed(folder: Path, pos: object, default: str = "") -> None:
    """A folder that lists models, without any model."""
    packages = {"default": {"pos": default}} if default else {}
    (folder / "resources.json").write_text(json.dumps({"de": {"pos": pos, "packages": packages}}), "utf-8")


def test_models_that_are_listed_and_those_that_are_there(tmp_path: Path) -> None:
    needed = {"dependencies": [{"model": "pretrain", "package": "vectors"}]}
    listed(tmp_path, {"a": {}, "b": {}, "c": needed, "d": None}, "b")
    home = tmp_path / "de" / "pos"
    home.mkdir(parents=True)
    assert packages_there(tmp_path, "de", "pos") == languages_there(tmp_path, "pos") == []
    for name in "abcd":
        (home / f"{name}.pt").touch()
    assert packages_there(tmp_path, "de", "pos") == ["b", "a", "d"]
    (tmp_path / "de" / "pretrain").mkdir()
    (tmp_path / "de" / "pretrain" / "vectors.pt").touch()
    assert packages_there(tmp_path, "de", "pos") == ["b", "a", "c", "d"]
    assert languages_there(tmp_path, "pos") == ["de"]
    assert packages_there(tmp_path, "hi", "pos") == languages_there(tmp_path, "ner") == []


@pytest.mark.parametrize("pos", [3, ["a"], {"a": {"dependencies": [{"x": 1}]}}, {"a": 3}])
def test_a_description_of_another_form(tmp_path: Path, pos: object) -> None:
    listed(tmp_path, pos)
    with pytest.raises(InputError, match="is no folder of Stanza models"):
        packages_there(tmp_path, "de", "pos")
