"""Parses by a real Stanza model, trained in seconds on hand-made parses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.language.rewriting.german.lines import ANNA_CAME, BECAUSE_LAST, SIGNED, YESTERDAY
from tests.language.rewriting.german.parsed import rows_of, sentence_of
from tests.language.tiny_parser import stanza_parser_folder

from nerquake.core.errors import InputError
from nerquake.core.seeds import Draws
from nerquake.core.sentence import Sentence
from nerquake.language.paraphrase_rules import RuleParaphraser
from nerquake.language.rewriting.parse import UNSEEN
from nerquake.language.rewriting.sources import StanzaParse, lacks, source_of
from nerquake.models.stanza import RESOURCES

TAUGHT = (ANNA_CAME, YESTERDAY, SIGNED, BECAUSE_LAST)


@pytest.fixture
def folder(stanza_library: str, tmp_path: Path) -> str:
    return str(stanza_parser_folder(tmp_path / "models", [rows_of(line) for line in TAUGHT]))


def test_it_gives_what_it_was_taught(folder: str, capfd: pytest.CaptureFixture[str]) -> None:
    source = StanzaParse(folder, "de")
    for line, tree in zip(TAUGHT, source.trees([sentence_of(line) for line in TAUGHT]), strict=True):
        assert tree is not None
        assert [(word.text, word.pos, word.dep, word.head, dict(word.morph)) for word in tree.words] == [
            (row.text, row.pos, row.dep, row.head, row.morph) for row in rows_of(line)
        ]
    assert "the Stanza model for de (Stanza " in source.about()
    assert capfd.readouterr() == ("", ""), "the library is silent"


def test_blank_and_odd_tokens(folder: str) -> None:
    tokens = ("Anna", " ", "kam", "gestern", "nach", "\u3000", "Bonn", ".")
    odd = Sentence("o", ("a b", "x\ny", "\u200b", "😬", "m" * 5000))
    blank, none, other = StanzaParse(folder, "de").trees([Sentence("s", tokens), Sentence("n", (" ",)), odd])
    assert blank is not None
    assert none is not None
    assert other is not None
    assert [word.dep == UNSEEN for word in blank.words] == [False, True, False, False, False, True, False, False]
    assert [word.head for word in blank.words] == [2, 1, 2, 2, 6, 5, 2, 2]
    assert none.words[0].dep == UNSEEN
    assert [word.text for word in other.words] == list(odd.tokens)
    assert StanzaParse(folder, "de").trees([]) == []


def test_a_parse_depends_on_the_sentence_alone(folder: str) -> None:
    source, sentences = StanzaParse(folder, "de"), [sentence_of(line) for line in TAUGHT]
    assert source.trees(sentences) == [source.trees([one])[0] for one in sentences]


def test_the_fingerprint_is_of_the_models(folder: str) -> None:
    before = StanzaParse(folder, "de").fingerprint()
    assert before == StanzaParse(folder, "de").fingerprint()
    file = Path(folder) / "de" / "depparse" / "tiny.pt"
    file.write_bytes(b"no model")
    with pytest.raises(InputError, match=r"language=de cannot be loaded .* lists for pos, lemma, depparse"):
        StanzaParse(folder, "de").fingerprint()


@pytest.mark.parametrize("part", ["pos", "depparse"])
def test_the_fingerprint_is_of_the_tagger_too(folder: str, part: str) -> None:
    import torch

    before = StanzaParse(folder, "de").fingerprint()
    file = Path(folder) / "de" / part / "tiny.pt"
    state = torch.load(file, weights_only=True)
    state["config"]["lr"] = 0.5
    torch.save(state, file)
    assert StanzaParse(folder, "de").fingerprint() != before


def test_what_was_downloaded_is_taken(folder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STANZA_RESOURCES_DIR", folder)
    assert lacks("", "de") == ""
    source = source_of("", "de")
    assert source.trees([sentence_of(YESTERDAY)]) == StanzaParse(folder, "de").trees([sentence_of(YESTERDAY)])


def test_a_language_by_another_of_its_names(folder: str) -> None:
    described = json.loads((Path(folder) / RESOURCES).read_text("utf-8"))
    (Path(folder) / RESOURCES).write_text(json.dumps(described | {"german": {"alias": "de"}}), "utf-8")
    one = sentence_of(YESTERDAY)
    assert StanzaParse(folder, "german").trees([one]) == StanzaParse(folder, "de").trees([one])


def test_the_backend_runs_on_it(folder: str) -> None:
    rules = RuleParaphraser(f"stanza:{folder}", language="de")
    assert rules.lacks("de") == ""
    (answer,) = rules.paraphrase([sentence_of(YESTERDAY)], Draws(13, "paraphrase"))
    assert [" ".join(one.tokens) for one in answer.candidates] == ["Anna kam gestern nach Bonn ."]
    assert "over the parse of the Stanza model for de" in rules.about()[0]


def test_another_language_is_not_there(folder: str) -> None:
    with pytest.raises(InputError, match=r"no parser for language=nl; it has some for: de\. Download .*\(.nl., "):
        StanzaParse(folder, "nl").about()
