"""Which source of parts of speech runs, and what is said of it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

import pytest
from tests.language.tiny_pos import TAGS, WORDS, stanza_pos_folder

from nerquake import registry
from nerquake.core.dataset import Dataset
from nerquake.core.errors import MissingExtra, PluginError, SpecError, UnknownName
from nerquake.core.sentence import Sentence
from nerquake.language.choose_pos import Chosen, choose_pos
from nerquake.language.spacy import SpacyPos
from nerquake.language.stanza import StanzaPos
from nerquake.language.stopwords import StopWords
from nerquake.models.spacy import Installed

ENGLISH = Sentence("s", ("The", "dog"))
HINDI = Sentence("s", ("हैदराबाद", "में"))


def corpus(language: str = "", sentence: Sentence = ENGLISH) -> Dataset:
    return Dataset("data.conll", (sentence,), language=language)


@pytest.fixture
def missing(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """Libraries that are not installed; all others are."""
    absent = {"spacy", "stanza"}
    monkeypatch.setattr(registry.lookup, "_missing", lambda library: tuple(x for x in library.split() if x in absent))
    return absent


def source_and_lines(text: str, data: Dataset) -> tuple[object, tuple[str, ...]]:
    found = choose_pos(text, data)
    return (found.source, found.why) if isinstance(found, Chosen) else (found, ())


def test_without_libraries_it_is_the_list_of_stop_words(missing: set[str]) -> None:
    found = choose_pos("auto", corpus("de"))
    assert isinstance(found, Chosen)
    assert found.source == StopWords("de")
    assert found.about() == (
        *StopWords("de").about(),
        "parts of speech: chosen by auto: spaCy is not installed; Stanza is not installed; "
        "spacy:PIPELINE or stanza:FOLDER names one that lies elsewhere",
    )
    assert found.fingerprint() == StopWords("de").fingerprint()
    assert found.tag([("der", "Hund")]) == StopWords("de").tag([("der", "Hund")])
    assert not found.tells_classes
    assert choose_pos("auto", corpus("de")) == found


def test_the_language_is_settled_by_the_data_set_and_said_where_it_is_a_guess(missing: set[str]) -> None:
    assert choose_pos("stopwords", corpus("de_AT")) == StopWords("de")
    assert choose_pos("stopwords:hi", corpus()) == StopWords("hi")
    source, why = source_and_lines("stopwords", corpus(sentence=HINDI))
    assert source == StopWords("hi")
    assert why == ("parts of speech: no language is given; Hindi is assumed, by the script (--language says it)",)
    source, why = source_and_lines("auto", corpus())
    assert source == StopWords("en")
    assert "English is assumed" in why[1]
    source, why = source_and_lines("auto", corpus(sentence=Sentence("s", ("Москва", "город"))))
    assert source == StopWords()
    assert why[0] == "parts of speech: chosen by auto: the language is not known"
    assert "the script does not tell it" in why[1]


def test_a_spacy_pipeline_of_the_language_comes_first(missing: set[str], monkeypatch: pytest.MonkeyPatch) -> None:
    missing.discard("spacy")
    there = [
        Installed("de_ner_sm", "de", ("tok2vec", "ner")),
        Installed("de_xpos_sm", "de", ("tagger",)),
        Installed("de_core_news_sm", "de", ("tok2vec", "tagger", "morphologizer")),
        Installed("de_old_md", "de", ("tagger", "attribute_ruler")),
    ]
    monkeypatch.setattr("nerquake.models.spacy.installed_for", lambda code: there if code == "de" else [])
    source, why = source_and_lines("auto", corpus("de"))
    assert source == SpacyPos("de_core_news_sm")
    expected = "chosen by auto: a spaCy pipeline for de is installed; there are also de_old_md"
    assert why == (f"parts of speech: {expected}",)
    source, why = source_and_lines("auto", corpus("hi"))
    assert source == StopWords("hi")
    assert "no spaCy pipeline with parts of speech is installed for hi; Stanza is not" in why[0]


def test_then_a_model_that_stanza_has_downloaded(
    missing: set[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    missing.discard("stanza")
    monkeypatch.setenv("STANZA_RESOURCES_DIR", str(tmp_path))
    source, why = source_and_lines("auto", corpus("de"))
    assert source == StopWords("de"), "an empty folder"
    assert "no Stanza model with parts of speech is downloaded for de" in why[0]
    models = tmp_path / "de" / "pos"
    models.mkdir(parents=True)
    (models / "gsd.pt").touch()
    (tmp_path / "resources.json").write_text('{"de": {"pos": {"gsd": {}, "hdt": {}}}}', "utf-8")
    source, why = source_and_lines("auto", corpus("de"))
    assert source == StanzaPos(str(tmp_path), "de", "gsd")
    assert why == ("parts of speech: chosen by auto: spaCy is not installed; a Stanza model for de is downloaded",)
    assert source_and_lines("auto", corpus("hi"))[0] == StopWords("hi"), "listed or not, it is not there"


def test_a_library_that_cannot_be_imported_is_passed_over(missing: set[str], monkeypatch: pytest.MonkeyPatch) -> None:
    missing.clear()
    monkeypatch.delenv("STANZA_RESOURCES_DIR", raising=False)
    monkeypatch.setitem(sys.modules, "spacy.util", None)
    monkeypatch.setitem(sys.modules, "stanza.resources.common", None)
    source, why = source_and_lines("auto", corpus("de"))
    assert source == StopWords("de")
    assert "spaCy cannot be imported (ModuleNotFoundError); Stanza cannot be imported (ModuleNotFoundError)" in why[0]


@pytest.mark.spacy
def test_the_installed_english_pipeline_is_found(pipeline: str) -> None:
    found = choose_pos("auto", corpus("en"))
    assert found.tag([("The", "happy", "dog", "barked")]) == [("DET", "ADJ", "NOUN", "VERB")]
    assert found.tells_classes
    assert choose_pos(f"spacy:{pipeline}", corpus("en")) == SpacyPos(pipeline)


def test_a_stanza_folder_takes_the_language_of_the_data_set(stanza_library: str, tmp_path: Path) -> None:
    folder = stanza_pos_folder(tmp_path / "models", "de", "hi")
    found = choose_pos(f"stanza:{folder}", corpus("de"))
    assert found == StanzaPos(str(folder), "de")
    assert found.tag(WORDS) == list(TAGS)


def test_a_model_in_stanzas_own_folder_runs(
    stanza_library: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = stanza_pos_folder(tmp_path / "models", "fi")
    monkeypatch.setenv("STANZA_RESOURCES_DIR", str(folder))
    found = choose_pos("auto", corpus("fi"))
    assert found.tag(WORDS) == list(TAGS)
    assert "the Stanza model tiny for fi" in found.about()[0]


@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        ("auto:de", SpecError, "auto takes no options; name a source"),
        ("auto,x=1", SpecError, ""),
        ("stopword", UnknownName, "Did you mean stopwords? There are: auto, spacy, stanza, stopwords."),
        ("stopwords:de,x=1", UnknownName, "no option of stopwords is called 'x'"),
        ("spacy:x", MissingExtra, 'the part-of-speech source spacy needs spacy, which is not installed: pip install'),
        ("", SpecError, ""),
    ],
)  # fmt: skip
def test_what_cannot_be_chosen(missing: set[str], text: str, error: type[Exception], message: str) -> None:
    with pytest.raises(error) as caught:
        choose_pos(text, corpus("de"))
    assert message in str(caught.value)


@dataclass(frozen=True)
class Everything:
    """A source of somebody else's."""

    tells_classes: bool = False

    def tag(self, batch: Sequence[tuple[str, ...]]) -> list[tuple[str, ...]]:
        return [("CONTENT",) * len(tokens) for tokens in batch]

    def about(self) -> tuple[str, ...]:
        return ("parts of speech: all",)

    def fingerprint(self) -> str:
        return "all"


@dataclass(frozen=True)
class Nothing:
    """No source."""


def test_a_class_of_the_users_own(monkeypatch: pytest.MonkeyPatch) -> None:
    module = ModuleType("own_pos")
    for plugin in (Everything, Nothing):
        setattr(module, plugin.__name__, plugin)
    monkeypatch.setitem(sys.modules, "own_pos", module)
    assert choose_pos("own_pos:Everything", corpus()) == Everything()
    with pytest.raises(PluginError, match=r"own_pos:Nothing is no part-of-speech source: it has no tells_classes, tag"):
        choose_pos("own_pos:Nothing", corpus())


def test_without_the_libraries_nothing_heavy_is_imported() -> None:
    """What is not installed is not looked for any further, and a named list needs no library."""
    script = (
        "import sys\n"
        "from nerquake.core.dataset import Dataset\n"
        "from nerquake.language.choose_pos import choose_pos\n"
        "choose_pos('stopwords:de', Dataset('d', ())).tag([('Hund',)])\n"
        "print(sorted({'torch', 'spacy', 'stanza', 'transformers'} & set(sys.modules)))\n"
    )
    made = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert made.stdout == "[]\n"
