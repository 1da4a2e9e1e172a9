"""spaCy's English pipeline, for real."""

from __future__ import annotations

from pathlib import Path

import pytest

from nerquake.core.errors import InputError, UnknownName
from nerquake.taggers.spacy import SpacyTagger

pytestmark = pytest.mark.spacy
BLUNDER = "It was the second costly blunder by {} in four minutes ."


def named(answer) -> dict[int, str]:  # type: ignore[no-untyped-def]
    return {span.start: span.label for span in answer.spans}


def test_a_city_decides_what_it_sees(pipeline: str) -> None:
    """Paper M, table 1."""
    tagger = SpacyTagger(pipeline)
    syria, hyderabad = tagger.predict([tuple(BLUNDER.format(name).split()) for name in ("Syria", "Hyderabad")])
    assert named(syria)[7] == "GPE"
    assert named(hyderabad)[7] == "ORG"


def test_offsets_are_those_of_the_tokens_given(pipeline: str) -> None:
    plain = ("Anna", "Lind", "flew", "to", "Berlin", ".")
    odd = ("Anna", "Lind", "", "flew", "to", "Berlin", ".")
    first, second = SpacyTagger(pipeline).predict([plain, odd])
    assert named(first)[4] == "GPE"
    assert named(second)[5] == "GPE"
    assert second.unseen == (2,)


def test_batches_do_not_matter(pipeline: str) -> None:
    sentences = [tuple(BLUNDER.format(name).split()) for name in ("Syria", "Peru", "Chad", "Bonn")]
    tagger = SpacyTagger(pipeline, batch=1)
    assert tagger.predict(sentences) == [tagger.predict([tokens])[0] for tokens in sentences]


def test_labels_are_those_of_its_entity_component(pipeline: str) -> None:
    labels = SpacyTagger(pipeline).labels()
    assert labels is not None
    assert {"PERSON", "GPE", "CARDINAL"} <= labels


def test_an_unknown_pipeline_lists_the_installed_ones(pipeline: str) -> None:
    with pytest.raises(UnknownName, match=pipeline):
        SpacyTagger("en_core_web_enormous").predict([("Anna",)])


def test_a_folder_that_is_no_pipeline(tmp_path: Path, pipeline: str) -> None:
    with pytest.raises(InputError, match="cannot be loaded"):
        SpacyTagger(str(tmp_path)).predict([("Anna",)])


def test_a_saved_pipeline_and_its_fingerprint(tmp_path: Path, pipeline: str) -> None:
    import spacy

    nlp = spacy.blank("en")
    ruler = nlp.add_pipe("entity_ruler")
    ruler.add_patterns([{"label": "LOC", "pattern": "Bonn"}])
    nlp.to_disk(tmp_path / "one")
    ruler.add_patterns([{"label": "LOC", "pattern": "Köln"}])
    nlp.to_disk(tmp_path / "two")
    one, two = SpacyTagger(str(tmp_path / "one")), SpacyTagger(str(tmp_path / "two"))
    assert named(one.predict([("in", "Bonn")])[0]) == {1: "LOC"}
    assert one.labels() == {"LOC"}
    assert one.fingerprint() != two.fingerprint()
    nothing = spacy.blank("en")
    nothing.to_disk(tmp_path / "three")
    with pytest.raises(InputError, match="no entity component"):
        SpacyTagger(str(tmp_path / "three")).predict([("Bonn",)])


def test_a_pipeline_saved_again_in_the_same_folder_is_loaded_again(tmp_path: Path, pipeline: str) -> None:
    import spacy

    nlp = spacy.blank("en")
    ruler = nlp.add_pipe("entity_ruler")
    for city in ("Bonn", "Köln"):
        ruler.add_patterns([{"label": "LOC", "pattern": city}])
        nlp.to_disk(tmp_path / "one")
        tagger = SpacyTagger(str(tmp_path / "one"))
        before = tagger.fingerprint()
        assert named(tagger.predict([("in", city)])[0]) == {1: "LOC"}
        assert tagger._nlp() is tagger._nlp()
        assert tagger.fingerprint() == before
