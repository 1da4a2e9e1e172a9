"""The recipe of the network of words, letters, a two-way LSTM and a CRF."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from nerquake.core.errors import InputError, SpecError
from nerquake.core.sentence import Sentence
from nerquake.core.span import Span
from nerquake.core.spec import parse_spec
from nerquake.registry import RECIPES

pytestmark = pytest.mark.usefixtures("huggingface_library")
SENTENCES = [
    Sentence("1", ("Anna", "met", "Bo", "in", "Bonn"), (Span(0, 1, "PER"), Span(2, 3, "PER"), Span(4, 5, "LOC"))),
    Sentence("2", ("Bo", "met", "nobody"), (Span(0, 1, "PER"),)),
]
LABELS = ("LOC", "PER")


def recipe(options: str = "") -> Any:
    return RECIPES.build(parse_spec(f"bilstm-crf:{options}" if options else "bilstm-crf"))


def test_its_options_reach_the_network() -> None:
    made = recipe("word=10,affix=3,char=7,hidden=6,layers=2,dropout=0.2,word-dropout=0.3,scheme=bio,min-count=1")
    network = made.network(SENTENCES, LABELS, 1)
    sizes = network.sizes
    assert (sizes.words.word, sizes.words.affix, sizes.words.filters) == (10, 3, 7)
    assert (sizes.hidden, sizes.layers, sizes.dropout, sizes.word_dropout) == (6, 2, 0.2, 0.3)
    assert network.tags.scheme.name == "iob2"
    assert network.tags.labels == LABELS
    assert "nobody" in network.encoder.vocabulary.words
    assert "nobody" not in recipe("min-count=2").network(SENTENCES, LABELS, 1).encoder.vocabulary.words


@pytest.mark.parametrize("options", ["affix=0", "char=0", "affix=0,char=0"])
def test_parts_of_words_can_be_left_out(options: str) -> None:
    network = recipe(options).network(SENTENCES, LABELS, 1)
    loss = network.loss(network.examples(SENTENCES))
    loss.total.backward()
    assert loss.number == 2
    assert len(network.predict([one.tokens for one in SENTENCES])) == 2


def test_the_network_is_a_function_of_the_seed_and_leaves_the_draws_of_others_alone() -> None:
    import torch

    torch.manual_seed(5)
    state = torch.get_rng_state()
    first = dict(recipe().network(SENTENCES, LABELS, 1).named_tensors())
    assert torch.equal(torch.get_rng_state(), state)
    torch.rand(3)
    again = dict(recipe().network(SENTENCES, LABELS, 1).named_tensors())
    other = dict(recipe().network(SENTENCES, LABELS, 2).named_tensors())
    assert all(torch.equal(first[name], again[name]) for name in first)
    assert not all(torch.equal(first[name], other[name]) for name in first)


def test_the_schedule_is_its_own_and_can_be_changed() -> None:
    assert recipe().schedule.patience == 10  # R, appendix C
    changed = recipe("epochs=3,lr=0.01,batch=20").schedule
    assert (changed.epochs, changed.lr, changed.batch) == (3, 0.01, 20)


def test_the_paper_s_name() -> None:
    made = RECIPES.build(RECIPES.expand(parse_spec("rockner-blstm-crf")))
    assert (made.schedule.batch, made.schedule.patience) == (20, 10)


@pytest.mark.parametrize(("which", "known"), [("all", 3), ("training", 1)])
def test_pretrained_vectors(tmp_path: Path, which: str, known: int) -> None:
    file = tmp_path / "vectors.txt"
    file.write_text("bonn 1 2\noslo 3 4\nrome 5 6\n", "utf-8")
    made = recipe(f'vectors="{file}",vector-words={which}')
    found = made.network(SENTENCES, LABELS, 1).encoder.pretrained
    assert len(found.vectors.words) == known
    assert not found.trained
    assert str(file) in " ".join(made.about())


def test_pretrained_vectors_that_are_not_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no such file of word vectors"):
        recipe(f'vectors="{tmp_path / "absent"}"').network(SENTENCES, LABELS, 1)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("hidden=0", "hidden=0: 1 or more"),
        ("layers=0,word=0", "word=0: 1 or more; layers=0: 1 or more"),
        ("min-count=0", "min-count=0: 1 or more"),
        ("affix=-1", "affix=-1: 0 or more"),
        ("dropout=1", "dropout=1.0: 0 or more, below 1"),
        ("word-dropout=-0.1", "word-dropout=-0.1: 0 or more, below 1"),
        ("scheme=windmill", "there is no scheme windmill: iob2, bioes"),
        ("epochs=0", "epochs=0"),
    ],
)
def test_wrong_options(options: str, message: str) -> None:
    with pytest.raises(SpecError, match=message):
        recipe(options)


def test_what_it_says_of_itself() -> None:
    said = " ".join(recipe("scheme=iob2").about())
    assert "iob2" in said
    assert "without pretrained vectors" in said


def test_other_vectors_under_the_same_name_are_another_training(tmp_path: Path) -> None:
    from nerquake.train.run import Request, run_key
    from tests.train.toy import world

    vectors = tmp_path / "vectors.txt"
    keys = []
    for number in ("0.1", "0.2"):
        vectors.write_text(f"Bonn {number} 1.0\n", "utf-8")
        recipe = RECIPES.build(parse_spec(f'bilstm-crf:vectors="{vectors}"'))
        keys.append(run_key(Request("x", recipe, world(3), None, 0, tmp_path)))
    assert keys[0] != keys[1]
