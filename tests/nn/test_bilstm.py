"""The network of words, letters, a two-way LSTM and a CRF."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nerquake.core.errors import InputError, SpecError
from nerquake.core.sentence import Sentence
from nerquake.core.span import Span

pytestmark = pytest.mark.usefixtures("huggingface_library")
TINY = {"word": 12, "affix": 4, "letter": 4, "filters": 8, "width": 16}
TEXT = (
    ("Anna Lind met Bo in New York .", (Span(0, 2, "PER"), Span(3, 4, "PER"), Span(5, 7, "LOC"))),
    ("Bo flew to Bonn", (Span(0, 1, "PER"), Span(3, 4, "LOC"))),
    ("It rained in York on Monday .", (Span(3, 4, "LOC"),)),
    ("nobody was there", ()),
    ("Lind", (Span(0, 1, "PER"),)),
    ("Bonn York Bonn", (Span(0, 1, "LOC"), Span(1, 2, "LOC"), Span(2, 3, "LOC"))),
)
SENTENCES = [Sentence(str(at), tuple(text.split()), spans) for at, (text, spans) in enumerate(TEXT)]
TOKENS = [sentence.tokens for sentence in SENTENCES]


def network(seed: int = 1, scheme: str = "bioes", vectors: Any = None, **sizes: Any) -> Any:
    import torch

    from nerquake.nn.bilstm import BilstmCrf, BilstmSizes
    from nerquake.nn.tags import tag_set
    from nerquake.nn.vocabulary import vocabulary_of
    from nerquake.nn.word_encoder import WordSizes

    with torch.random.fork_rng():
        torch.manual_seed(seed)
        made = BilstmSizes(WordSizes(**TINY), **{"hidden": 16, **sizes})
        return BilstmCrf(tag_set(("PER", "LOC"), scheme), vocabulary_of(TOKENS), made, vectors)


def spans(model: Any, batch: Sequence[tuple[str, ...]]) -> list[tuple[Span, ...]]:
    return [answer.spans for answer in model.predict(batch)]


def fit(model: Any, steps: int, seed: int = 0) -> list[float]:
    import torch

    torch.manual_seed(seed)
    examples = model.examples(SENTENCES)
    optimiser = torch.optim.Adam([one for group in model.groups() for one in group.parameters], lr=0.02)
    losses = []
    for _ in range(steps):
        model.train()
        loss = model.loss(examples)
        optimiser.zero_grad()
        (loss.total / loss.number).backward()
        optimiser.step()
        losses.append(float(loss.total.detach()) / loss.number)
    return losses


def pretrained(*, trained: bool) -> Any:
    import numpy as np

    from nerquake.nn.vectors import WordVectors
    from nerquake.nn.word_encoder import Pretrained

    words = ("bonn", "york", "oslo", "rome")
    return Pretrained(WordVectors(words, np.arange(12, dtype=np.float32).reshape(4, 3) / 10), trained)


@pytest.mark.parametrize(("scheme", "layers"), [("iob2", 1), ("bioes", 2)])
def test_it_learns_a_few_sentences_by_heart(scheme: str, layers: int) -> None:
    model = network(scheme=scheme, layers=layers)
    losses = fit(model, 80)
    assert losses[-1] < losses[0] / 10
    assert spans(model, TOKENS) == [sentence.spans for sentence in SENTENCES]


def test_the_same_seed_gives_the_same_weights() -> None:
    import torch

    models = [network(3), network(3), network(4)]
    for model in models:
        fit(model, 3)
    first, second, other = (dict(model.named_tensors()) for model in models)
    assert all(torch.equal(first[name], second[name]) for name in first)
    assert not all(torch.equal(first[name], other[name]) for name in first)


def test_neither_batch_nor_order_changes_an_answer() -> None:
    model = network()
    fit(model, 10)
    words = [word for tokens in TOKENS for word in tokens]
    batch = [*TOKENS, tuple(words), tuple(words[::-1]), *((word,) for word in words)]
    alone = [spans(network_after(model), [tokens])[0] for tokens in batch]
    assert len({span for one in alone for span in one}) > 5
    assert spans(model, batch) == alone
    assert spans(model, batch[::-1]) == alone[::-1]
    assert [one.spans for one in model.predict(batch, rows=3)] == alone


def network_after(model: Any) -> Any:
    """The same weights, and nothing remembered of words."""
    made = network(9)
    made.load_state_dict(model.state_dict())
    return made


def test_padding_changes_no_score() -> None:
    import torch

    model = network(layers=2).eval()
    examples = model.examples(SENTENCES)
    with torch.no_grad():
        together = float(model.loss(examples).total)
        alone = sum(float(model.loss([example]).total) for example in examples)
    assert together == pytest.approx(alone, rel=1e-5)


def test_the_loss_counts_sentences() -> None:
    model = network()
    assert model.loss(model.examples(SENTENCES[:3])).number == 3
    assert [model.size(example) for example in model.examples(SENTENCES)] == [8, 4, 7, 3, 1, 3]


def test_the_table_of_words_grows() -> None:
    import torch

    from nerquake.nn.word_encoder import WordMemory

    encoder = network().eval().encoder
    memory = WordMemory(encoder)
    words = list(dict.fromkeys(word for tokens in TOKENS for word in tokens))
    with torch.no_grad():
        rows = [memory.rows([word, words[0], word]) for word in words]
        expected = encoder(words)
    assert [row[0] for row in rows] == [row[2] for row in rows] == memory.rows(words)
    assert torch.allclose(memory.table[memory.rows(words)], expected, atol=1e-6)


def test_training_after_tagging_makes_words_anew() -> None:
    """Vectors of words are kept between calls, but never beyond a change of the weights, whatever the mode."""
    import torch

    model = network().eval()
    model.predict(TOKENS)
    other = network(2)
    fit(other, 20)
    with torch.no_grad():
        for name, tensor in model.named_tensors():
            tensor.copy_(dict(other.named_tensors())[name])
    assert spans(model, TOKENS) == spans(other, TOKENS)
    assert spans(model, TOKENS) != [()] * len(TOKENS)


@pytest.mark.parametrize("training", [True, False])
def test_an_optimiser_that_writes_without_telling(*, training: bool) -> None:
    """Fused ones do not count their writing, by which the others are seen."""
    import torch

    model = network().train(training)
    model.predict(TOKENS)
    optimiser = torch.optim.AdamW(model.parameters(), lr=0.02, fused=True)
    for _ in range(40):
        model.loss(model.examples(SENTENCES)).total.backward()
        optimiser.step()
        optimiser.zero_grad()
    assert spans(model, TOKENS) == spans(network_after(model), TOKENS) == [one.spans for one in SENTENCES]


def test_words_beyond_what_is_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    model = network()
    fit(model, 20)
    expected = spans(model, TOKENS)
    monkeypatch.setattr("nerquake.nn.word_encoder.REMEMBERED", 2)
    again = network_after(model)
    assert [spans(again, [tokens])[0] for tokens in TOKENS] == expected
    assert spans(again, TOKENS) == expected


def test_predicting_puts_the_mode_back_and_draws_nothing() -> None:
    import torch

    model = network().train()
    before = torch.get_rng_state()
    model.predict(TOKENS)
    assert model.training
    assert torch.equal(torch.get_rng_state(), before)
    assert not model.eval().predict([])
    assert not model.training


ODD = {
    "empty": ("",),
    "all-empty": ("", "", ""),
    "one-empty": ("Anna", "", "Bonn"),
    "unknown": ("☃", "字", "\ud800", "\u200b"),
    "very-long-word": ("x" * 10_000, "Bonn"),
    "very-long-sentence": ("Oslo",) * 2000,
}


@pytest.mark.parametrize("tokens", ODD.values(), ids=ODD)
def test_odd_sentences(tokens: tuple[str, ...]) -> None:
    model = network(layers=2)
    fit(model, 5)
    (alone,) = model.predict([tokens])
    assert all(span.end <= len(tokens) for span in alone.spans)
    assert model.predict([*TOKENS, tokens])[-1] == alone
    assert model.predict([()]) == [replace(alone, spans=())]


@settings(max_examples=25)
@given(st.lists(st.lists(st.text(max_size=6), min_size=1, max_size=9).map(tuple), min_size=1, max_size=6))
def test_any_tokens_get_well_formed_tags(batch: list[tuple[str, ...]]) -> None:
    for answer, tokens in zip(network(7).predict(batch), batch, strict=True):
        assert answer.invalid == 0
        assert all(span.end <= len(tokens) for span in answer.spans)


def test_labels_that_it_was_not_made_for() -> None:
    strange = Sentence("x", ("Acme",), (Span(0, 1, "ORG"),))
    with pytest.raises(InputError, match="no tags for ORG, only for LOC, PER"):
        network().examples([strange])


def test_words_are_taken_for_unknown_ones_in_training_only() -> None:
    import torch

    model = network(word_dropout=0.999, dropout=0.0)
    numbers = [model.encoder.vocabulary.numbers(word).word for word in ("Anna", "Bonn")]
    model.train().loss(model.examples(SENTENCES)).total.backward()
    assert not model.encoder.words.weight.grad[numbers].any()
    model.zero_grad()
    model.eval().loss(model.examples(SENTENCES)).total.backward()
    assert model.encoder.words.weight.grad[numbers].any(dim=1).all()
    assert torch.isfinite(model.encoder.words.weight.grad).all()


@pytest.mark.parametrize("trained", [True, False])
def test_pretrained_vectors(tmp_path: Path, *, trained: bool) -> None:
    model = network(vectors=pretrained(trained=trained), dropout=0.0)
    before = model.encoder.vectors.detach().clone()
    fit(model, 3)
    changed = (model.encoder.vectors != before).any(dim=1).tolist()
    assert changed == [trained, trained, trained, False, False]  # no vector at all, Bonn, York, Oslo, Rome
    assert spans_of_two_unknown_words_differ(model)
    model.save(tmp_path)
    again = loaded(tmp_path)
    assert spans(again, TOKENS) == spans(model, TOKENS)
    assert spans_of_two_unknown_words_differ(again)
    assert sum(len(group.parameters) for group in again.groups()) == sum(len(one.parameters) for one in model.groups())


def spans_of_two_unknown_words_differ(model: Any) -> bool:
    """Oslo and Rome stand in no training sentence; their vectors tell them apart beyond their letters."""
    import torch

    model.eval()
    with torch.no_grad():
        known = model.encoder(["Oslo", "Olso"])
        model.encoder.vectors[3] += 1
        moved = model.encoder(["Oslo", "Olso"])
        model.encoder.vectors[3] -= 1
    return bool((known[0] != moved[0]).any()) and torch.equal(known[1], moved[1])


def loaded(folder: Path, **options: Any) -> Any:
    from nerquake.nn.bilstm import BilstmCrf

    return BilstmCrf.load(folder, **options)


def test_it_comes_back_from_a_folder_as_it_was(tmp_path: Path) -> None:
    import torch

    model = network(scheme="iob2", layers=2, dropout=0.3)
    fit(model, 20)
    model.save(tmp_path / "model")
    again = loaded(tmp_path / "model")
    assert sorted(path.name for path in (tmp_path / "model").iterdir()) == ["model.safetensors", "nerquake.json"]
    assert (again.tags, again.sizes, again.encoder.vocabulary) == (model.tags, model.sizes, model.encoder.vocabulary)
    assert spans(again, TOKENS) == spans(model, TOKENS) != [()] * len(TOKENS)
    ours, theirs = dict(model.named_tensors()), dict(again.named_tensors())
    assert all(torch.equal(ours[name], theirs[name]) for name in ours)


def test_loading_draws_nothing(tmp_path: Path) -> None:
    import torch

    network().save(tmp_path)
    before = torch.get_rng_state()
    loaded(tmp_path)
    assert torch.equal(torch.get_rng_state(), before)


def test_frozen_parameters_stay(tmp_path: Path) -> None:
    network().save(tmp_path)
    model = loaded(tmp_path, freeze=("encoder", "onward"))
    before = {name: tensor.clone() for name, tensor in model.named_tensors()}
    fit(model, 2)
    changed = {name for name, tensor in model.named_tensors() if (tensor != before[name]).any()}
    assert changed
    assert not {name for name in changed if "encoder" in name or "onward" in name}
    with pytest.raises(SpecError, match="freeze=nothing: no parameter has that in its name, which begin with crf"):
        loaded(tmp_path, freeze=("nothing",))


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("kind", "windmill", "a model of the kind windmill, expected bilstm-crf"),
        ("vocabulary", {"words": 3}, "its vocabulary is damaged"),
        ("sizes", {"hidden": 16}, "its sizes or vectors are damaged"),
        ("sizes", {"hidden": 16, "words": {"word": -1}}, "its sizes or vectors are damaged"),
        ("vectors", {"words": ["a"]}, "its sizes or vectors are damaged"),
        ("tags", ["O", "B-LOC"], "does not fit nerquake.json beside it"),
    ],
)
def test_damaged_settings(tmp_path: Path, key: str, value: object, message: str) -> None:
    network().save(tmp_path)
    path = tmp_path / "nerquake.json"
    path.write_text(json.dumps({**json.loads(path.read_text("utf-8")), key: value}), "utf-8")
    with pytest.raises(InputError, match=message):
        loaded(tmp_path)


def test_all_parameters_are_in_one_group_each() -> None:
    model = network()
    grouped = [id(one) for group in model.groups() for one in group.parameters]
    assert sorted(grouped) == sorted(id(one) for one in model.parameters())
    decayed = {id(one) for group in model.groups() if group.decay for one in group.parameters}
    named = {name for name, one in model.named_parameters() if id(one) in decayed}
    assert {"encoder.words.weight", "scores.weight"} <= named
    assert not {"crf.transitions", "scores.bias", "encoder.norm.weight"} & named
