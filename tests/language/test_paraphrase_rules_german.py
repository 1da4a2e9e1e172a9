"""The backend `rules` for German, over parses from a file."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.language.rewriting.german.lines import ALL, ANNA_CAME, BECAUSE_LAST, SIGNED
from tests.language.rewriting.german.parsed import sentence_of, write_conllu

from nerquake.core.dataset import Dataset
from nerquake.core.errors import FormatError, InputError, UsageError
from nerquake.core.options import instance
from nerquake.core.seeds import Draws
from nerquake.core.sentence import Sentence
from nerquake.core.span import Span
from nerquake.core.spec import parse_spec
from nerquake.language.paraphrase_rules import RuleParaphraser
from nerquake.perturb.choose import chains_from
from nerquake.perturb.run import attack

DRAWS = Draws(13, "paraphrase")
CORPUS = Dataset("hand", tuple(sentence_of(line, f"s{at}") for at, line in enumerate(ALL)), language="de")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return write_conllu(tmp_path / "parses.conllu", ALL)


def _rules(file: Path, **options: object) -> RuleParaphraser:
    return RuleParaphraser(f"conllu:{file}", **options).fitted(CORPUS, "de")  # type: ignore[arg-type]


def test_a_specification(file: Path) -> None:
    spec = parse_spec(f"rules:pipeline=conllu:{file},rules=fronted-phrase|fronted-subject", ("rules",))
    made = instance(RuleParaphraser, spec)
    assert made == RuleParaphraser(f"conllu:{file}", rules=("fronted-phrase", "fronted-subject"))
    assert made.lacks("de") == ""


def test_sentences_are_said_in_another_way(file: Path) -> None:
    answers = _rules(file).paraphrase(list(CORPUS), DRAWS)
    texts = [[" ".join(one.tokens) for one in answer.candidates] for answer in answers]
    assert texts[ALL.index(ANNA_CAME)] == ["Gestern kam Anna nach Bonn ."]
    assert set(texts[ALL.index(SIGNED)]) == {
        "Am Montag wurde der Vertrag von Siemens unterzeichnet .",
        "Von Siemens wurde der Vertrag am Montag unterzeichnet .",
    }
    assert "Weil es regnete , blieb der Minister in Bonn ." in texts[ALL.index(BECAUSE_LAST)]
    assert answers[::-1] == _rules(file).paraphrase(list(CORPUS)[::-1], DRAWS)


def test_a_sentence_without_a_parse_says_so(file: Path) -> None:
    (answer,) = _rules(file).paraphrase([Sentence("x", ("Nein", "!"))], DRAWS)
    assert answer.reason == "no parse in the file"


def test_what_it_says_of_itself(file: Path) -> None:
    rules = _rules(file)
    assert rules.about() == (
        f"12 rules for de, up to 3 combined, over the parse of parses.conllu, which holds {len(ALL)} sentences",
    )
    before = rules.fingerprint()
    write_conllu(file, ALL[:3])
    assert rules.fingerprint() != before


def test_a_file_about_another_data_set(file: Path, tmp_path: Path) -> None:
    other = Dataset("other", (Sentence("x", ("Bonn", "siegt"), (Span(0, 1, "LOC"),)),))
    with pytest.raises(InputError, match="has no sentence of other that has mentions"):
        RuleParaphraser(f"conllu:{file}").fitted(other, "de")
    (tmp_path / "wrong").write_text("no parse", "utf-8")
    with pytest.raises(FormatError, match="ten columns"):
        RuleParaphraser(f"conllu:{tmp_path / 'wrong'}").fitted(CORPUS, "de")
    with pytest.raises(UsageError, match="are for German"):
        RuleParaphraser(f"conllu:{file}").fitted(CORPUS, "en")


def test_without_a_parse_german_is_left_out_of_a_suite(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("STANZA_RESOURCES_DIR", str(tmp_path / "none"))
    lack = RuleParaphraser().lacks("de")
    assert "Universal Dependencies" in lack
    assert "pipeline=conllu:FILE" in lack
    with pytest.raises(UsageError, match="pipeline=stanza:FOLDER"):
        RuleParaphraser().fitted(CORPUS, "de").paraphrase(list(CORPUS), DRAWS)
    suite = chains_from(["multilingual"], "de")
    assert "para" not in [chain.text for chain in suite.chains]
    assert "pipeline=conllu:FILE" in suite.notes[0]


def test_an_attack_by_a_file_keeps_every_mention(file: Path) -> None:
    (chain,) = chains_from([f'paraphrase:"rules:pipeline=conllu:{file}",name=said'], "de").chains
    made = attack(CORPUS, chain, 13)
    changed = {variant.parent: variant for variant in made.variants if variant.status == "changed"}
    assert len(changed) > len(ALL) // 2
    for sentence in CORPUS:
        if sentence.id in changed:
            new = changed[sentence.id].sentence
            assert new is not None
            assert sorted((new.mention(span), span.label) for span in new.spans) == sorted(
                (sentence.mention(span), span.label) for span in sentence.spans
            )
