"""`nerquake train` and `nerquake experiment` as users run them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.cli.runner import nerquake
from tests.train.toy import conll, encoder, world

pytest.importorskip("torch")
pytestmark = pytest.mark.huggingface


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("train")
    conll(world(40), folder / "train.conll")
    conll(world(20, 5, "d"), folder / "dev.conll")
    conll(world(30, 9, "t"), folder / "test.conll")
    encoder(folder / "encoder")
    return folder


def model(place: Path, options: str = "epochs=2,lr=3e-3,batch=8") -> str:
    return f"transformer:{place / 'encoder'},{options}"


def test_train_then_run_the_model(place: Path, tmp_path: Path) -> None:
    out = tmp_path / "m"
    made = nerquake("train", place / "train.conll", "-m", model(place), "--dev", place / "dev.conll", "-o", out)
    assert made.code == 0, made.err
    assert "epoch 2 of 2: loss " in made.err
    assert f"-t native:{out}" in made.out
    found = nerquake("predict", place / "test.conll", "-t", f"native:{out}", "--format", "json")
    assert found.code == 0, found.err
    again = nerquake("train", place / "train.conll", "-m", model(place), "--dev", place / "dev.conll", "-o", out)
    assert again.code == 0
    assert "nothing was done" in again.err


def test_another_training_in_the_same_folder_is_refused(place: Path, tmp_path: Path) -> None:
    out = tmp_path / "m"
    assert nerquake("train", place / "train.conll", "-m", model(place), "-o", out).code == 0
    made = nerquake("train", place / "train.conll", "-m", model(place), "-o", out, "--seed", "1")
    assert made.code == 2
    assert "holds a model of another training" in made.err
    assert "-o" in made.err


def test_an_audit_of_training_sentences_is_refused(place: Path, tmp_path: Path) -> None:
    out = tmp_path / "m"
    asked = ("-m", model(place), "-p", "random-masking", "-o", out)
    assert nerquake("train", place / "train.conll", *asked).code == 0
    audit = ("-t", f"native:{out}", "-p", "swap", "-o", tmp_path / "out")
    made = nerquake("audit", place / "train.conll", *audit)
    assert made.code == 2
    assert "--allow-overlap" in made.err
    assert nerquake("audit", place / "test.conll", *audit).code == 0, "other sentences are fine"


def test_augmented_sentences_are_counted_with_their_sources(place: Path, tmp_path: Path) -> None:
    out = tmp_path / "m"
    asked = ("-p", "entity-switching", "-p", "mixing-up", "-m", model(place, "epochs=1,batch=8"), "-o", out)
    made = nerquake("train", place / "train.conll", *asked, "--format", "json")
    assert made.code == 0, made.err
    record = json.loads(made.out)
    assert record["train"]["augmented"] > 0
    assert record["train"]["sentences"] == 40 + record["train"]["augmented"]
    sources = [json.loads(line) for line in (out / "sources.jsonl").read_text("utf-8").splitlines()][1:]
    assert {one["id"] for one in sources} == {one.id for one in world(40)}


@pytest.mark.parametrize(
    ("dev", "said"),
    [
        ("Acme B-ORG\n\n", "the training data have no ORG (1), only LOC, PER"),
        ("it O\nrained O\n\n", "the dev set has no mentions"),
    ],
)
def test_dev_sets_that_cannot_be(dev: str, said: str, place: Path, tmp_path: Path) -> None:
    (tmp_path / "dev.conll").write_text(dev, "utf-8")
    made = nerquake("train", place / "train.conll", "-m", model(place), "--dev", tmp_path / "dev.conll", "-o",
                    tmp_path / "m")  # fmt: skip
    assert made.code == 2
    assert said in made.err
    assert not (tmp_path / "m").exists()


def test_nothing_to_learn(place: Path, tmp_path: Path) -> None:
    (tmp_path / "bare.conll").write_text("it O\nrained O\n\n" * 3, "utf-8")
    made = nerquake("train", tmp_path / "bare.conll", "-m", model(place), "-o", tmp_path / "m")
    assert made.code == 2
    assert "no mentions to learn from in 3 sentences" in made.err


def test_patience_without_a_dev_set_takes_a_tenth(place: Path, tmp_path: Path) -> None:
    made = nerquake("train", place / "train.conll", "-m", model(place, "epochs=1,patience=2"), "-o", tmp_path / "m")
    assert made.code == 0, made.err
    assert "4 of 40 sentences of train.conll are the dev set" in made.err


@pytest.mark.parametrize("spec", ["bilsm-crf", "transformer", "bilstm-crf:epoch=3"])
def test_recipes_that_are_not_there(spec: str, place: Path, tmp_path: Path) -> None:
    made = nerquake("train", place / "train.conll", "-m", spec, "-o", tmp_path / "m")
    assert made.code == 2
    assert "Traceback" not in made.err


def test_harden(place: Path, tmp_path: Path) -> None:
    asked = (
        "experiment", "harden", place / "test.conll", "--train", place / "train.conll", "-m", model(place),
        "-p", "swap", "--seeds", "2", "--fine-tune", "epochs=1", "--re-train", "epochs=1,lr=1e-3", "-o", tmp_path,
    )  # fmt: skip
    made = nerquake(*asked)
    assert made.code == 0, made.err
    assert "fine-tuning - re-training" in made.out
    result = json.loads((tmp_path / "result.json").read_text("utf-8"))
    assert result["sets"] == ["original", "adversarial", "original_unused"]
    assert "| set | base | fine-tuning | re-training |" in (tmp_path / "table.md").read_text("utf-8")
    before = (tmp_path / "result.json").read_bytes()
    again = nerquake(*asked, "--format", "json")
    assert json.loads(again.out) == result
    assert (tmp_path / "result.json").read_bytes() == before


def test_augment(place: Path, tmp_path: Path) -> None:
    made = nerquake("experiment", "augment", place / "test.conll", "--train", place / "train.conll", "-m", model(place),
                    "-p", "random-masking", "-a", "swap", "-a", "letters", "--seeds", "2", "-o", tmp_path,
                    "--format", "csv")  # fmt: skip
    assert made.code == 0, made.err
    assert made.out.splitlines()[0] == "arm,seed,set,precision,recall,f1"
    assert len(made.out.splitlines()) == 1 + 2 * 2 * 3


def test_harden_with_neither_data_nor_model(place: Path, tmp_path: Path) -> None:
    made = nerquake("experiment", "harden", place / "test.conll", "-m", model(place), "-p", "swap", "-o", tmp_path)
    assert made.code == 2
    assert "--train FILE" in made.err


@pytest.mark.parametrize(
    ("option", "text"),
    [("--fine-tune", "epochs"), ("--re-train", "lr=fast"), ("--fine-tune", "x=1"), ("--re-train", "patience=2")],
)
def test_options_of_the_arms(option: str, text: str, place: Path, tmp_path: Path) -> None:
    made = nerquake("experiment", "harden", place / "test.conll", "--train", place / "train.conll", "-m",
                    model(place, "epochs=1"), "-p", "swap", "--seeds", "1", option, text, "-o", tmp_path)  # fmt: skip
    assert made.code == 2, made.out
    assert "Traceback" not in made.err
    assert not (tmp_path / "runs").exists(), "it is said before anything is trained"


@pytest.mark.parametrize("rule", ["refuse", "drop", "allow"])
def test_evaluation_sentences_that_were_trained_on(rule: str, place: Path, tmp_path: Path) -> None:
    mixed = world(20, 7, "n").sentences
    conll(world(40).with_sentences([*world(40).sentences[:10], *mixed]), tmp_path / "mixed.conll")
    made = nerquake("experiment", "harden", tmp_path / "mixed.conll", "--train", place / "train.conll", "-m",
                    model(place, "epochs=1"), "-p", "swap", "--seeds", "1", "--re-train", "epochs=1", "--fine-tune",
                    "epochs=1", "--overlap", rule, "-o", tmp_path / "out")  # fmt: skip
    assert "of the 30 sentences of mixed.conll stand in train.conll too" in made.err
    assert made.code == (2 if rule == "refuse" else 0), made.err
    if rule == "refuse":
        assert "--overlap drop" in made.err
        return
    split = json.loads((tmp_path / "out" / "result.json").read_text("utf-8"))["split"]
    sources = set(split["sources_adapt"]) | set(split["sources_test"])
    assert bool(sources & {one.id for one in world(10)}) is (rule == "allow")


def test_a_model_that_was_not_made_here_is_not_written_over(place: Path, tmp_path: Path) -> None:
    made = nerquake("train", place / "train.conll", "-m", model(place, "epochs=1"), "-o", tmp_path / "m")
    assert made.code == 0, made.err
    (tmp_path / "m" / "train.json").unlink()
    before = (tmp_path / "m" / "model.safetensors").read_bytes()
    asked = ("train", place / "train.conll", "-m", f"fine-tune:{tmp_path / 'm'},epochs=1", "-o", tmp_path / "m")
    again = nerquake(*asked)
    assert again.code == 2
    assert "name another folder with -o" in again.err
    assert (tmp_path / "m" / "model.safetensors").read_bytes() == before


@pytest.mark.parametrize("record", ["[]", '"x"', "{"])
def test_a_damaged_record(record: str, place: Path, tmp_path: Path) -> None:
    (tmp_path / "train.json").write_text(record, "utf-8")
    made = nerquake("train", place / "train.conll", "-m", model(place, "epochs=1"), "-o", tmp_path)
    assert made.code == 2
    assert "train.json" in made.err
    assert "name another folder with -o" in made.err


def test_a_loss_that_is_no_number_ends_a_training(place: Path, tmp_path: Path) -> None:
    made = nerquake("train", place / "train.conll", "-m", model(place, "epochs=2,lr=1e30,clip=0,optimiser=sgd"), "-o",
                    tmp_path / "m")  # fmt: skip
    assert made.code == 2
    assert "lower rate" in made.err
    assert not (tmp_path / "m" / "train.json").exists()


def test_the_encoder_of_a_trained_model_brings_its_sources(place: Path, tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    assert nerquake("train", place / "train.conll", "-m", model(place, "epochs=1"), "-o", first).code == 0
    asked = ("-m", f"transformer:{first},epochs=1", "-o", second)
    assert nerquake("train", place / "dev.conll", *asked).code == 0
    made = nerquake("audit", place / "train.conll", "-t", f"native:{second}", "-p", "swap", "-o", tmp_path / "out")
    assert made.code == 2
    assert "--allow-overlap" in made.err


@pytest.mark.parametrize(("rule", "code"), [("refuse", 2), ("drop", 2), ("allow", 0)])
def test_a_base_that_was_trained_on_the_evaluation_set(rule: str, code: int, place: Path, tmp_path: Path) -> None:
    base = tmp_path / "base"
    assert nerquake("train", place / "test.conll", "-m", model(place, "epochs=1"), "-o", base).code == 0
    made = nerquake("experiment", "harden", place / "test.conll", "--base", base, "-m", model(place, "epochs=1"), "-p",
                    "swap", "--seeds", "1", "--overlap", rule, "-o", tmp_path / "out")  # fmt: skip
    assert made.code == code, made.err
    assert f"the training data of {base}" in made.err
