"""`-m flair:...`: tiny taggers trained by Flair's own trainer, in seconds, and run from disk."""

from __future__ import annotations

import importlib.util
import io
import json
import random
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.cli.runner import nerquake
from tests.taggers.tiny_models import bert
from tests.train.toy import conll, world

from nerquake.core.errors import InputError, MissingExtra, OutputError, SpecError, UsageError
from nerquake.core.sentence import Sentence
from nerquake.core.span import Span
from nerquake.core.spec import POSITIONAL, Spec, parse_spec
from nerquake.registry import RECIPES, TAGGERS
from nerquake.train.recipe import trains_itself
from nerquake.train.run import Request, run_key, train

DATA, DEV = world(24), world(12, 5, "d", "dev.conll")
TINY = "hidden-size=16,word=12,min-count=1,batch=4,word-dropout=0,dropout=0"


def build(spec: str) -> Any:
    return RECIPES.build(parse_spec(spec))


def request(spec: str, folder: Path, seed: int = 0, dev: Any = DEV, data: Any = DATA) -> Request:
    return Request(spec, build(spec), data, dev, seed, folder)


def saved(folder: Path) -> Spec:
    return Spec("native", ((POSITIONAL, str(folder)),))


def tagger(kind: str, folder: Path | str) -> Any:
    return TAGGERS.build(parse_spec(f'{kind}:"{folder}"'))


def state(folder: Path) -> dict[str, Any]:
    return dict(tagger("flair", folder)._model().state_dict())


@pytest.fixture(scope="module")
def made(flair_library: str, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    """A model of six epochs, and its record."""
    folder = tmp_path_factory.mktemp("made") / "model"
    return folder, train(request(f"flair:epochs=6,{TINY}", folder)).record


def test_what_it_leaves_and_what_it_says(made: tuple[Path, dict[str, Any]]) -> None:
    folder, record = made
    assert {path.name for path in folder.iterdir()} == {"best-model.pt", "train.json", "sources.jsonl"}
    assert json.loads((folder / "train.json").read_text("utf-8")) == record
    assert (record["labels"], record["scheme"]) == (["LOC", "PER"], "bioes")
    assert set(record["tags"]) == {"O"} | {f"{p}-{label}" for p in "BIES" for label in ("LOC", "PER")}
    assert record["parameters"] == sum(tensor.numel() for tensor in state(folder).values())
    assert [log["epoch"] for log in record["epochs"]] == [1, 2, 3, 4, 5, 6]
    assert record["epochs"][-1]["loss"] < record["epochs"][0]["loss"] / 4
    assert record["libraries"]["flair"]


def test_the_best_epochs_weights_stay_and_score_as_it_was_said(made: tuple[Path, dict[str, Any]]) -> None:
    from nerquake.train.dev import tagged_scores

    folder, record = made
    told = [log["f1"] for log in record["epochs"]]
    assert record["best_epoch"] == told.index(max(told)) + 1
    best = record["epochs"][record["best_epoch"] - 1]
    assert best["f1"] > 0.5
    assert tagged_scores(saved(folder), DEV.sentences) == pytest.approx((best["precision"], best["recall"], best["f1"]))


def test_both_taggers_run_it_alike(made: tuple[Path, dict[str, Any]]) -> None:
    folder, _ = made
    native, flair = tagger("native", folder), tagger("flair", folder)
    tokens = [one.tokens for one in (*DATA, *DEV)]
    found = native.predict(tokens)
    assert any(answer.spans for answer in found)
    assert found == flair.predict(tokens)
    assert native.labels() == flair.labels() == {"PER", "LOC"}
    assert native.fingerprint() == flair.fingerprint()
    assert native.trained_on() is not None
    assert "is a Flair model" in native.about()[0]
    with pytest.raises(UsageError, match="leave precision=bf16 out"):
        TAGGERS.build(parse_spec(f'native:"{folder}",precision=bf16')).predict([("Anna",)])


def test_without_flair_a_folder_with_its_model_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "final-model.pt").write_bytes(b"")
    monkeypatch.setattr("nerquake.taggers.native.find_spec", lambda name: None)
    with pytest.raises(MissingExtra, match=r'needs flair, which is not installed: pip install "nerquake\[flair\]"'):
        tagger("native", tmp_path).labels()


def test_one_seed_is_one_model_and_no_random_state_is_left_behind(flair_library: str, tmp_path: Path) -> None:
    import numpy as np
    import torch

    def numbers() -> tuple[float, float, float]:
        return random.random(), float(np.random.random()), float(torch.rand(()))

    random.seed(7), np.random.seed(7), torch.manual_seed(7)
    expected = numbers()
    found = []
    for name, seed in (("a", 0), ("b", 0), ("c", 1)):
        random.seed(7), np.random.seed(7), torch.manual_seed(7)
        record = train(request(f"flair:epochs=1,{TINY}", tmp_path / name, seed)).record
        assert numbers() == expected
        found.append((record["epochs"], state(tmp_path / name)))
    (a, b, c) = found
    assert a[0] == b[0]
    assert all(a[1][name].equal(b[1][name]) for name in a[1])
    assert a[0] != c[0]


def test_without_a_dev_set_the_last_epochs_weights_stay(flair_library: str, tmp_path: Path) -> None:
    record = train(request(f"flair:epochs=4,patience=0,{TINY}", tmp_path / "m", dev=None)).record
    assert {path.name for path in (tmp_path / "m").iterdir()} == {"final-model.pt", "train.json", "sources.jsonl"}
    assert record["best_epoch"] == 4
    assert record["epochs"][0]["f1"] is None
    assert [log["rate"] for log in record["epochs"]] == [0.1] * 4
    assert any(answer.spans for answer in tagger("native", tmp_path / "m").predict([one.tokens for one in DATA]))
    with pytest.raises(UsageError, match="name one with --dev, or patience=0"):
        train(request(f"flair:epochs=2,{TINY}", tmp_path / "n", dev=None))


def test_the_rate_falls_and_training_stops_below_the_least(flair_library: str, tmp_path: Path) -> None:
    spec = f"flair:epochs=20,lr=20,patience=1,anneal=0.001,min-lr=0.1,{TINY}"
    record = train(request(spec, tmp_path / "m", data=DATA.with_sentences(DATA.sentences[:8]))).record
    assert record["stopped_early"], "at such a rate epochs rarely bring anything"
    assert 3 <= len(record["epochs"]) < 20
    assert {log["rate"] for log in record["epochs"]} == {20.0}
    assert (tmp_path / "m" / "best-model.pt").is_file()


def test_a_model_that_finds_nothing_is_that_of_the_last_epoch(flair_library: str, tmp_path: Path) -> None:
    from nerquake.train.dev import tagged_scores

    strange = DEV.with_sentences([Sentence("x", ("Anna", "left"), (Span(0, 2, "LOC"),))])
    record = train(request(f"flair:epochs=2,lr=1e-30,min-lr=0,{TINY}", tmp_path / "m", dev=strange)).record
    assert [log["f1"] for log in record["epochs"]] == [0.0, 0.0]
    assert record["best_epoch"] == 2
    assert tagged_scores(saved(tmp_path / "m"), strange.sentences).f1 == 0.0


def test_blank_tokens_and_long_sentences_are_learnt_around(flair_library: str, tmp_path: Path) -> None:
    odd = [
        Sentence("o1", ("", "Anna", "\u3000", "Lind", "", "left", "Bonn"), (Span(1, 4, "PER"), Span(6, 7, "LOC"))),
        Sentence("o2", ("", " "), (Span(0, 1, "PER"),)),
        Sentence("o3", ("\u200b", "Anna", "a b", "Bo"), (Span(1, 2, "PER"), Span(3, 4, "PER"))),
        Sentence("o4", ("Anna", "left", "Rome", ".") * 40, tuple(
            Span(4 * at + place, 4 * at + place + 1, label) for at in range(40)
            for place, label in ((0, "PER"), (2, "LOC")))),
    ]  # fmt: skip
    data = DATA.with_sentences([*DATA.sentences, *odd])
    train(request(f"flair:epochs=12,patience=0,{TINY}", tmp_path / "m", dev=None, data=data))
    (first, *_), (_, second) = (one.predict([odd[0].tokens, odd[1].tokens]) for one in (
        tagger("native", tmp_path / "m"), tagger("flair", tmp_path / "m")))  # fmt: skip
    assert first.spans == odd[0].spans
    assert (second.spans, second.unseen) == ((), (0, 1))


def test_a_transformer_is_tuned(flair_library: str, tmp_path: Path) -> None:
    record = train(request(f'flair:"transformers:{bert(tmp_path / "bert")}",epochs=1,batch=8', tmp_path / "m")).record
    assert record["epochs"][0]["rate"] == 0.0, "the rate has fallen to nothing"
    assert "no LSTM, no CRF" in record["about"][0]
    assert len(tagger("native", tmp_path / "m").predict([("Anna", "left")])) == 1


def test_vectors_from_a_file_and_letters_together(flair_library: str, tmp_path: Path) -> None:
    vectors = tmp_path / "vectors.txt"
    vectors.write_text("anna 1 0 0\nbonn 0 1 0\nleft 0 0 1\n", "utf-8")
    spec = f'flair:chars|"{vectors}",epochs=1,{TINY}'
    asked = request(spec, tmp_path / "m")
    key = run_key(asked)
    train(asked)
    kept = state(tmp_path / "m")
    rows = next(tensor for name, tensor in kept.items() if tensor.shape == (4, 3))
    assert rows.tolist() == [[1, 0, 0], [0, 1, 0], [0, 0, 1], [0, 0, 0]]
    vectors.write_text("anna 1 0 0\nbonn 0 1 0\nleft 0 0 2\n", "utf-8")
    assert run_key(asked) != key, "a file of vectors that changed is another training"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("no-such-forward", "no-such-forward are no file here, and Flair does not have them"),
        ("transformers:no/such", "transformers:no/such are no file here"),
        ("broken.pt", "broken.pt are there but cannot be loaded"),
        ("broken.txt", "broken.txt"),
    ],
)
def test_embeddings_that_are_not_to_be_had(
    flair_library: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    for file in ("broken.pt", "broken.txt"):
        (tmp_path / file).write_text("not what it should be\n", "utf-8")
    with pytest.raises(InputError, match=message):
        train(request(f"flair:{name},{TINY}", tmp_path / "m"))
    assert not (tmp_path / "m").exists()


def test_vectors_by_name_without_their_library(flair_library: str, tmp_path: Path) -> None:
    if importlib.util.find_spec("gensim") is not None:
        pytest.skip("gensim is installed")
    (tmp_path / "x.gensim").write_bytes(b"")
    with pytest.raises(UsageError, match="pip install gensim"):
        train(request(f'flair:"{tmp_path / "x.gensim"}",{TINY}', tmp_path / "m"))


class Watch:
    """Writes down what it is told, on standard error too."""

    def __init__(self, error: type[BaseException] | None = None) -> None:
        self.steps: list[tuple[int, int, int]] = []
        self.epochs: list[int] = []
        self.error = error

    def step(self, epoch: int, done: int, steps: int, loss: float) -> None:
        assert loss > 0
        self.steps.append((epoch, done, steps))
        print("step", file=sys.stderr)
        if self.error and len(self.steps) == 8:
            raise self.error

    def epoch(self, log: Any) -> None:
        self.epochs.append(log.epoch)
        print("epoch", file=sys.stderr)


def test_training_is_watched_and_flair_says_nothing(
    flair_library: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    watch = Watch()
    train(request(f"flair:epochs=2,{TINY}", tmp_path / "m"), watch)
    assert watch.steps == [(epoch, done, 6) for epoch in (1, 2) for done in range(1, 7)]
    assert watch.epochs == [1, 2]
    out, err = capsys.readouterr()
    assert out == ""
    assert err.split() == (["step"] * 6 + ["epoch"]) * 2


def test_a_bar_that_begins_while_flair_evaluates_leaves_standard_error_open(flair_library: str, tmp_path: Path) -> None:
    """Rich puts back what it found as standard error, which then is Flair's."""
    from nerquake.train import flair_run

    found: list[Any] = []

    class Evaluating(flair_run.Epochs):
        def hush(self, **more: Any) -> None:
            super().hush()
            found.append(sys.stderr)
            sys.stderr = io.StringIO()

    class Bar(Watch):
        def epoch(self, log: Any) -> None:
            sys.stderr = found[-1]

    before = sys.stderr
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(flair_run, "Epochs", Evaluating)
        train(request(f"flair:epochs=2,{TINY}", tmp_path / "m"), Bar())
    assert len(found) == 2
    assert sys.stderr is before


@pytest.mark.parametrize("error", [KeyboardInterrupt, ValueError])
def test_a_run_that_is_stopped_leaves_no_model_and_begins_anew(
    flair_library: str, tmp_path: Path, error: type[BaseException]
) -> None:
    before = sys.stderr
    with pytest.raises(error):
        train(request(f"flair:epochs=3,{TINY}", tmp_path / "m"), Watch(error))
    assert sys.stderr is before
    assert not (tmp_path / "m").exists()
    again = train(request(f"flair:epochs=3,{TINY}", tmp_path / "m"))
    assert not again.already
    assert train(request(f"flair:epochs=3,{TINY}", tmp_path / "m")).already


def test_a_folder_that_cannot_be_written(flair_library: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", "utf-8")
    with pytest.raises((OutputError, UsageError)):
        train(request(f"flair:epochs=1,{TINY}", tmp_path / "file" / "m"))


def test_the_command_and_the_leak_guard(flair_library: str, tmp_path: Path) -> None:
    file, model = conll(DATA, tmp_path / "train.conll"), str(tmp_path / "m")
    dev = conll(DEV, tmp_path / "dev.conll")
    ran = nerquake("train", file, "--dev", dev, "-m", f"flair:epochs=1,{TINY}", "-o", model)
    assert ran.code == 0, ran.err
    assert f"run it with -t native:{model}" in ran.out
    assert "epoch 1 of 1: loss" in ran.err
    assert "is a pickle" in ran.err
    ran = nerquake("audit", file, "-t", f"native:{model}", "-p", "letters", "-o", str(tmp_path / "out"))
    assert ran.code == 2
    assert "--allow-overlap" in ran.err


def test_the_papers_settings(flair_library: str) -> None:
    for spec in ("flair", "rockner-flair"):
        recipe = build(spec)
        assert trains_itself(recipe)
        assert (recipe.schedule.batch, recipe.storage) == (64, "none")
        assert "train_with_dev=False, embeddings_storage_mode=none" in recipe.about()[1]
    assert build("rockner-flair").embeddings == ("crawl", "news-forward", "news-backward")
    assert build("rockner-flair:chars").embeddings == ("chars",)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("flair:chars|chars", "one or more different ones"),
        ("flair:transformers:", "needs a name or folder"),
        ("flair:transformers:x,patience=2", "falls to 0 by itself; leave it out"),
        ("flair:batch=0,dropout=1,lr=-1", "batch=0: 1 or more; lr=-1.0: 0 or more; dropout=1.0: 0 or more, below 1"),
        ("flair:lr=1e-5", "would stop after the first epoch"),
        ("flair:storage=disk", "expected one of none, cpu, gpu"),
    ],
)
def test_options_that_cannot_be(flair_library: str, spec: str, message: str) -> None:
    with pytest.raises(SpecError, match=message):
        build(spec)


def test_other_folders_are_no_flair_models(
    flair_library: str, made: tuple[Path, dict[str, Any]], tmp_path: Path
) -> None:
    shutil.copy(made[0] / "train.json", tmp_path / "train.json")
    with pytest.raises(InputError):
        tagger("native", tmp_path).predict([("Anna",)])
