"""Parts of speech by spaCy's English pipeline, for real."""

from __future__ import annotations

from pathlib import Path

import pytest

from nerquake.core.errors import InputError, SpecError, UnknownName
from nerquake.core.spec import parse_spec
from nerquake.language.spacy import SpacyPos
from nerquake.registry import PARTS_OF_SPEECH

pytestmark = pytest.mark.spacy
SENTENCE = ("The", "happy", "children", "have", "quickly", "opened", "a", "red", "door", "in", "Bonn", ".")
TAGS = ("DET", "ADJ", "NOUN", "AUX", "ADV", "VERB", "DET", "ADJ", "NOUN", "ADP", "PROPN", "PUNCT")


def test_nouns_verbs_adjectives_and_adverbs(pipeline: str) -> None:
    source = SpacyPos(pipeline)
    assert source.tag([SENTENCE]) == [TAGS]
    assert source.tells_classes


def test_tokens_are_taken_as_they_are(pipeline: str) -> None:
    (tags,) = SpacyPos(pipeline).tag([("don't", "New York", "", "U.K.-based", "x\ny")])
    assert len(tags) == 5
    assert tags[2] == "X"


def test_auxiliaries_are_told_from_verbs_by_the_parse(pipeline: str) -> None:
    (tags,) = SpacyPos(pipeline).tag([("I", "have", "a", "dog", "and", "I", "have", "seen", "it", ".")])
    assert (tags[1], tags[6]) == ("VERB", "AUX")


def test_nothing_runs_that_no_part_of_speech_is_read_from(pipeline: str) -> None:
    assert SpacyPos(pipeline)._nlp().pipe_names == ["tok2vec", "tagger", "parser", "attribute_ruler"]


def test_batches_do_not_matter(pipeline: str) -> None:
    sentences = [SENTENCE[at:] + SENTENCE[:at] for at in range(len(SENTENCE))] * 3
    assert SpacyPos(pipeline, batch=1).tag(sentences) == SpacyPos(pipeline, batch=7).tag(sentences)


def test_it_says_which_pipeline_it_is(pipeline: str) -> None:
    (line,) = SpacyPos(pipeline).about()
    assert line.startswith(f"parts of speech: the spaCy pipeline {pipeline} 3.")


def saved(folder: Path, *components: str) -> str:
    import spacy

    nlp = spacy.blank("en")
    for component in components:
        nlp.add_pipe(component)
    nlp.to_disk(folder)
    return str(folder)


def test_a_saved_pipeline_and_its_fingerprint(tmp_path: Path, pipeline: str) -> None:
    import spacy

    prints = set()
    for tag in ("NOUN", "VERB", "nonsense"):
        nlp = spacy.blank("en")
        ruler = nlp.add_pipe("attribute_ruler")
        ruler.add([[{"TEXT": "dogs"}]], {"POS": tag if tag != "nonsense" else "SPACE"})
        nlp.to_disk(tmp_path / "one")  # again in the same folder
        source = SpacyPos(str(tmp_path / "one"))
        assert source.tag([("big", "dogs")]) == [("X", tag if tag != "nonsense" else "X")]
        prints.add(source.fingerprint())
    assert len(prints) == 3


@pytest.mark.parametrize("components", [(), ("entity_ruler",), ("sentencizer", "tagger")])
def test_a_pipeline_that_tells_no_parts_of_speech(tmp_path: Path, pipeline: str, components: tuple[str, ...]) -> None:
    """A tagger alone gives the tags of its treebank, not Universal ones."""
    if "tagger" in components:
        import spacy

        nlp = spacy.blank("en")
        nlp.add_pipe("tagger").add_label("NN")
        nlp.initialize()
        nlp.to_disk(tmp_path / "bare")
    else:
        saved(tmp_path / "bare", *components)
    with pytest.raises(InputError, match=r"bare gives no parts of speech: it has neither a morphologizer nor an"):
        SpacyPos(str(tmp_path / "bare")).tag([("dogs",)])


def test_a_component_of_somebody_elses_that_sets_them(tmp_path: Path, pipeline: str) -> None:
    import spacy
    from spacy.language import Language

    @Language.component("all_nouns", assigns=["token.pos"])
    def all_nouns(doc):  # type: ignore[no-untyped-def]
        for token in doc:
            token.pos_ = "NOUN"
        return doc

    nlp = spacy.blank("en")
    nlp.add_pipe("all_nouns")
    nlp.to_disk(tmp_path / "own")
    assert SpacyPos(str(tmp_path / "own")).tag([("a", "b")]) == [("NOUN", "NOUN")]


def test_a_parser_beside_a_morphologizer_is_not_run(tmp_path: Path, pipeline: str) -> None:
    import spacy
    from spacy.training import Example

    nlp = spacy.blank("de")
    nlp.add_pipe("morphologizer")
    nlp.add_pipe("parser")
    doc = nlp.make_doc("Hunde bellen")
    taught = {"pos": ["NOUN", "VERB"], "morphs": ["", ""], "heads": [1, 1], "deps": ["nsubj", "ROOT"]}
    nlp.initialize(lambda: [Example.from_dict(doc, taught)])
    nlp.to_disk(tmp_path / "de")
    source = SpacyPos(str(tmp_path / "de"))
    for _ in range(2):
        assert source._nlp().pipe_names == ["morphologizer"]
        assert len(source.tag([("Hunde", "bellen")])[0]) == 2


def test_what_is_not_there(tmp_path: Path, pipeline: str) -> None:
    with pytest.raises(UnknownName, match=pipeline):
        SpacyPos("en_core_web_enormous").about()
    with pytest.raises(InputError, match="is there but cannot be loaded"):
        SpacyPos(str(tmp_path)).about()


@pytest.mark.parametrize(
    ("spec", "message"),
    [('spacy:""', "needs a pipeline"), ("spacy", "needs pipeline"), ("spacy:x,batch=0", "at least 1")],
)
def test_wrong_specifications(pipeline: str, spec: str, message: str) -> None:
    with pytest.raises(SpecError, match=message):
        PARTS_OF_SPEECH.build(parse_spec(spec))
