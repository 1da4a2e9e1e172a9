"""Where parses come from, and what is said where they do not."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from tests.language.rewriting.german.lines import ANNA_CAME, YESTERDAY
from tests.language.rewriting.german.parsed import sentence_of, tree_of, write_conllu

from nerquake.core.errors import InputError, MissingExtra, UsageError
from nerquake.core.sentence import Sentence
from nerquake.core.span import Span
from nerquake.language.rewriting import stanza_parse
from nerquake.language.rewriting.parse import UNSEEN
from nerquake.language.rewriting.sources import ConlluParse, SpacyParse, StanzaParse, lacks, source_of


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return write_conllu(tmp_path / "parses.conllu", [ANNA_CAME, YESTERDAY])


@pytest.fixture
def nothing_downloaded(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("STANZA_RESOURCES_DIR", str(tmp_path / "none"))


def test_trees_of_a_file(file: Path) -> None:
    source = source_of(f"conllu:{file}", "de")
    assert source == ConlluParse(str(file))
    unknown = Sentence("u", ("Wer", "?"))
    assert source.trees([sentence_of(YESTERDAY), unknown]) == [tree_of(YESTERDAY), None]
    assert source.about() == "parses.conllu, which holds 2 sentences"
    before = source.fingerprint()
    write_conllu(file, [YESTERDAY])
    assert source.fingerprint() != before


def test_blank_tokens_stand_alone(file: Path) -> None:
    tokens = ("Anna", " ", "kam", "gestern", "nach", "\u3000", "Bonn", ".")
    (tree,) = ConlluParse(str(file)).trees([Sentence("s", tokens, (Span(0, 1, "PER"),))])
    assert tree is not None
    assert [word.dep for word in tree.words] == [
        "nsubj", UNSEEN, "root", "advmod", "case", UNSEEN, "obl", "punct",
    ]  # fmt: skip
    assert [word.head for word in tree.words] == [2, 1, 2, 2, 6, 5, 2, 2]
    assert (tree.mentions, tree.labels) == (((0, 1),), ("PER",))
    assert ConlluParse(str(file)).trees([Sentence("s", (" ",))]) == [None]


@pytest.mark.spacy
def test_which_source_is_meant(pipeline: str, tmp_path: Path) -> None:
    assert source_of(f"stanza:{tmp_path}", "de") == StanzaParse(str(tmp_path), "de")
    assert (
        source_of("some_pipeline", "en") == source_of("spacy:some_pipeline", "en") == SpacyParse("some_pipeline", "en")
    )
    assert source_of("some_pipeline", "de") == SpacyParse("some_pipeline", "de")
    for pipeline in ("stanza:x", "conllu:x"):
        with pytest.raises(UsageError, match="are for German"):
            source_of(pipeline, "en")
    for pipeline in ("stanza:", "conllu:"):
        with pytest.raises(UsageError, match="is expected"):
            source_of(pipeline, "de")


def test_what_german_lacks(nothing_downloaded: None, file: Path) -> None:
    assert lacks("", "de").startswith("rules for de need parses in Universal Dependencies form")
    assert "pipeline=conllu:FILE" in lacks("", "de")
    assert "pipeline=stanza:FOLDER" in lacks("", "de")
    assert lacks(f"conllu:{file}", "de") == ""
    with pytest.raises(UsageError, match=r"name pipeline=conllu:FILE"):
        source_of("", "de")


def test_what_is_downloaded_is_taken(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("STANZA_RESOURCES_DIR", str(tmp_path))
    (tmp_path / "resources.json").write_text("{}", "utf-8")
    assert stanza_parse.downloaded("de") == ""
    vectors = {"dependencies": [{"model": "pretrain", "package": "vectors"}]}
    models = {"pos": {"gsd": vectors}, "lemma": {"gsd": {}}, "depparse": {"gsd": vectors, "hdt": {}}}
    default = {"pos": "gsd", "lemma": "gsd", "depparse": "gsd"}
    german = {**models, "packages": {"default": default}}
    (tmp_path / "resources.json").write_text(json.dumps({"de": german, "deu": {"alias": "de"}}), "utf-8")
    for part in ("depparse/gsd.pt", "pos/gsd.pt", "lemma/gsd.pt", "depparse/hdt.pt"):
        (tmp_path / "de" / part).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "de" / part).touch()
    assert stanza_parse.downloaded("de") == "", "the word vectors are missing, and another parser is not the default"
    assert "no Stanza parser for de is downloaded" in lacks("", "de")
    (tmp_path / "de" / "pretrain").mkdir()
    (tmp_path / "de" / "pretrain" / "vectors.pt").touch()
    assert lacks("", "de") == ""
    assert source_of("", "de") == StanzaParse(str(tmp_path), "de")
    assert stanza_parse.downloaded("deu") == str(tmp_path)
    (tmp_path / "de" / "lemma" / "gsd.pt").unlink()
    assert stanza_parse.downloaded("de") == ""
    default["lemma"] = "identity"
    (tmp_path / "resources.json").write_text(json.dumps({"de": german}), "utf-8")
    assert stanza_parse.downloaded("de") == str(tmp_path), "words as their own lemmas need no file"


def test_folders_that_are_none(tmp_path: Path) -> None:
    for folder in (tmp_path, tmp_path / "absent"):
        with pytest.raises(InputError, match=r"Download models with stanza\.download\(.de."):
            StanzaParse(str(folder), "de").about()
    (tmp_path / "file").touch()
    with pytest.raises(InputError, match=r"is a file; the folder that stanza\.download made is expected"):
        StanzaParse(str(tmp_path / "file"), "de").about()


def test_without_stanza(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "stanza", None)
    (tmp_path / "resources.json").write_text('{"de": {"depparse": {"gsd": {}}}}', "utf-8")
    with pytest.raises(MissingExtra, match=r"a parser of Stanza's needs Stanza.*nerquake\[stanza\]"):
        StanzaParse(str(tmp_path), "de").about()


def test_without_spacy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "spacy", None)
    assert lacks("", "en") == "spaCy is not installed: pip install 'nerquake[spacy]'"
    for pipeline in ("", "en_core_web_sm"):
        with pytest.raises(MissingExtra, match=r"nerquake\[spacy\]"):
            source_of(pipeline, "en")
    with pytest.raises(MissingExtra, match=r"nerquake\[spacy\]"):
        SpacyParse("some_pipeline", "de").about()


@pytest.mark.spacy
def test_a_spacy_pipeline_with_other_labels_is_told_so(pipeline: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="read Universal Dependencies"):
        SpacyParse(pipeline, "de").trees([Sentence("s", ("Ja",))])
    english = SpacyParse(pipeline, "en")
    (tree,) = english.trees([Sentence("s", ("She", "left"))])
    assert tree is not None
    assert tree.words[0].dep == "nsubj"
    assert "spaCy" in english.about()
    assert english.fingerprint().startswith("spacy ")


@pytest.mark.spacy
def test_a_spacy_pipeline_in_universal_form_is_taken(pipeline: str, tmp_path: Path) -> None:
    import spacy

    nlp = spacy.blank("de")
    parser = nlp.add_pipe("parser")
    for label in ("ROOT", "nsubj", "obj", "obl", "punct"):
        parser.add_label(label)
    nlp.initialize()
    nlp.to_disk(tmp_path / "universal")
    (tree,) = SpacyParse(str(tmp_path / "universal"), "de").trees([sentence_of(ANNA_CAME)])
    assert tree is not None
    assert [word.text for word in tree.words] == ["Anna", "kam", "gestern", "nach", "Bonn", "."]
    assert tree.mentions == ((0, 1), (4, 5))
