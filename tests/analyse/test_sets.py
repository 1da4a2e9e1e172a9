from __future__ import annotations

from pathlib import Path

import pytest
from tests.fakes import ScriptedTagger

from nerquake.analyse.sets import chosen_against, original_block, set_block, surrogates_of
from nerquake.core.dataset import Dataset
from nerquake.core.sentence import Sentence
from nerquake.core.spec import parse_chain, parse_spec
from nerquake.core.tagging import Named
from nerquake.core.variant import AttackedSet
from nerquake.registry import TAGGERS

DATA = Dataset("d", (Sentence("s", ("a",)),))
EMPTY = AttackedSet("c", "context", "context", (), rejected=(("piece of a word", 3),))


def named(*specs: str) -> list[Named]:
    return [Named(f"m{at}", spec, ScriptedTagger()) for at, spec in enumerate(specs)]


@pytest.mark.parametrize(
    ("surrogate", "tagger", "same"),
    [
        ("spacy:en", "spacy:en", True),
        ("spacy:en", "spacy:en,name=mine", True),
        ("rules:a.tsv,ignore_case=yes,name=s", "rules:a.tsv,ignore-case=yes", True),
        ("huggingface:m,batch=8,device=cpu", "huggingface:m,device=cpu,batch=8", True),
        ("huggingface:m,batch=8,precision=fp32", "huggingface:m", True),
        ("spacy:en", "spacy:de", False),
        ("spacy:en", "stanza:en", False),
        ("rules:a.tsv,ignore_case=yes", "rules:a.tsv", False),
    ],
)
def test_a_model_is_the_surrogate_where_its_specification_is(surrogate: str, tagger: str, same: bool) -> None:
    assert chosen_against([surrogate], named("rules:other.tsv", tagger)) == (["m1"] if same else [])


def test_a_model_is_the_surrogate_where_its_answers_depend_on_the_same(tmp_path: Path) -> None:
    """`./names.tsv` and `names.tsv`, a default spelled out: one model."""
    file = tmp_path / "names.tsv"
    file.write_text("PER\tAnna\n", "utf-8")
    specs = (f"rules:{file},ignore-case=no", f"rules:{tmp_path}/./names.tsv", f"rules:{file},ignore-case=yes")
    taggers = [Named(spec, spec, TAGGERS.build(parse_spec(spec))) for spec in specs]
    assert chosen_against([f"rules:{file}"], taggers) == list(specs[:2])


def test_the_surrogate_is_that_of_any_step_whatever_joins_it() -> None:
    assert surrogates_of(parse_chain("swap+context:surrogate=rules:a.tsv,k=2")) == ("rules:a.tsv",)
    assert surrogates_of(parse_chain('context:surrogate="rules:a.tsv,ignore_case=yes"')) == (
        "rules:a.tsv,ignore_case=yes",
    )
    assert surrogates_of(parse_chain("swap+context")) == ()


def test_a_block_names_the_surrogate_and_the_models_that_are_it() -> None:
    chain = parse_chain("context:surrogate=rules:a.tsv")
    taggers = named("rules:b.tsv", "rules:a.tsv,name=x")
    block = set_block(DATA, EMPTY, chain, taggers)
    assert (block["surrogate"], block["chosen_against"]) == ("rules:a.tsv", ["m1"])
    assert block["rejected"] == {"piece of a word": 3}
    assert set_block(DATA, EMPTY, parse_chain("context"), taggers)["chosen_against"] == []
    alone = set_block(DATA, EMPTY, chain)
    assert alone["surrogate"] == "rules:a.tsv"
    assert "chosen_against" not in alone
    assert original_block(DATA, ["s"])["surrogate"] is None


def test_a_chain_with_two_surrogates_marks_the_models_of_both() -> None:
    chain = parse_chain("context:surrogate=rules:a.tsv+context:surrogate=rules:b.tsv")
    block = set_block(DATA, EMPTY, chain, named("rules:b.tsv", "rules:a.tsv", "rules:c.tsv"))
    assert block["chosen_against"] == ["m0", "m1"]
