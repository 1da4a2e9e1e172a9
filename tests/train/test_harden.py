"""Fine-tuning against re-training: who sees which sentence, what is compared, what is used again."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nerquake.core.errors import InputError, UsageError
from nerquake.core.spec import parse_chain, parse_spec
from nerquake.core.variant import AttackedSet
from nerquake.perturb.run import attack
from nerquake.train.harden import Hardening, Parts, fine_tune_spec, harden, re_train_spec, split
from nerquake.train.run import Made, Request, train
from tests.train.toy import world

pytest.importorskip("torch")
pytestmark = pytest.mark.huggingface

TEST, TRAIN = world(40, 1, "t", "test.conll"), world(40, 2, "s", "train.conll")
SWAPPED: AttackedSet = attack(TEST, parse_chain("swap"), 0)


def asked(encoder: str, folder: Path, **changes: Any) -> Hardening:
    made = Hardening(
        f'transformer:"{encoder}",epochs=4,lr=3e-3,batch=8', "", TEST, SWAPPED, TRAIN, None, folder, seeds=3,
        fine_tuned={"epochs": "1"}, re_trained={"epochs": "1", "lr": "1e-3"},
    )  # fmt: skip
    return replace(made, **changes)


@given(st.integers(0, 50), st.floats(0.2, 0.8))
def test_no_source_is_on_both_sides(seed: int, share: float) -> None:
    parts: Parts = split(asked("x", Path("x"), seed=seed, share=share))
    adapt, test = ({sentence.source for sentence in part} for part in (parts.adapt, parts.test))
    assert not adapt & test
    assert adapt | test == {variant.parent for variant in SWAPPED.variants if variant.status != "discarded"}
    assert not adapt & {sentence.id for sentence in parts.unused}
    assert len(adapt) == pytest.approx(share * len(TEST), abs=1)


@pytest.fixture(scope="module")
def done(tiny_encoder: str, tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, Any], Path]:
    folder = tmp_path_factory.mktemp("harden")
    return harden(asked(tiny_encoder, folder)), folder


def test_what_the_contract_says(done: tuple[dict[str, Any], Path]) -> None:
    made, _ = done
    assert made["arms"] == ["base", "fine-tuning", "re-training"]
    assert made["sets"] == ["original", "adversarial", "original_unused"]
    assert len(made["runs"]) == (1 + 3 + 3) * 3
    assert {(row["arm"], row["set"]): row["n"] for row in made["summary"]} == {
        (arm, name): 1 if arm == "base" else 3 for arm in made["arms"] for name in made["sets"]
    }
    assert {(row["a"], row["b"]) for row in made["tests"]} == {
        ("fine-tuning", "re-training"), ("fine-tuning", "base"), ("re-training", "base")
    }  # fmt: skip
    assert not set(made["split"]["sources_adapt"]) & set(made["split"]["sources_test"])
    json.dumps(made, allow_nan=False)


def test_figures_follow_from_the_runs(done: tuple[dict[str, Any], Path]) -> None:
    made, _ = done
    for row in made["summary"]:
        values = [run["f1"] or 0 for run in made["runs"] if (run["arm"], run["set"]) == (row["arm"], row["set"])]
        assert row["mean"] == pytest.approx(sum(values) / len(values))
    for row in made["tests"]:
        means = {one["arm"]: one["mean"] for one in made["summary"] if one["set"] == row["set"]}
        assert row["mean_difference"] == pytest.approx(means[row["a"]] - means[row["b"]])
        assert row["df"] == 2


def test_training_saw_the_adapting_part_and_nothing_of_the_other(done: tuple[dict[str, Any], Path]) -> None:
    made, folder = done
    parts = split(asked("x", folder))
    for arm, extra in (("fine-tuning", 0), ("re-training", len(TRAIN))):
        record = json.loads((folder / "runs" / f"{arm}-1" / "train.json").read_text("utf-8"))
        assert record["train"]["sentences"] == extra + len(parts.adapt)
        sources = (folder / "runs" / f"{arm}-1" / "sources.jsonl").read_text("utf-8")
        assert not [one for one in made["split"]["sources_test"] if f'"{one}"' in sources]


def test_models_are_removed_but_for_the_base(done: tuple[dict[str, Any], Path]) -> None:
    _, folder = done
    left = {path.parent.name for path in folder.rglob("*.safetensors")}
    assert left == {"base-0"}


def test_what_is_finished_is_used_again(
    done: tuple[dict[str, Any], Path], tiny_encoder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    made, folder = done
    monkeypatch.setattr("nerquake.train.experiment.train", lambda *_: pytest.fail("a run was made again"))
    assert harden(asked(tiny_encoder, folder)) == made


def test_a_killed_experiment_comes_to_the_same_figures(
    done: tuple[dict[str, Any], Path], tiny_encoder: str, tmp_path: Path
) -> None:
    class Killed(Exception):
        """The experiment ends here."""

    def killing(arm: str, seed: int, epochs: int) -> Any:
        if (arm, seed) == ("fine-tuning", 1):
            raise Killed
        from contextlib import nullcontext

        return nullcontext()

    with pytest.raises(Killed):
        harden(asked(tiny_encoder, tmp_path, tell=killing))
    again = harden(asked(tiny_encoder, tmp_path))
    expected = done[0]
    for key in ("runs", "summary", "tests", "split"):
        assert again[key] == expected[key]


def test_other_settings_are_run_anew_and_the_rest_is_used_again(
    done: tuple[dict[str, Any], Path], tiny_encoder: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(done[1], tmp_path / "copy")
    made: list[str] = []

    def noting(request: Request, watching: Any = None) -> Made:
        made.append(request.folder.name)
        return train(request, watching)

    monkeypatch.setattr("nerquake.train.experiment.train", noting)
    again = harden(asked(tiny_encoder, tmp_path / "copy", fine_tuned={"epochs": "2"}))
    assert made == ["fine-tuning-0", "fine-tuning-1", "fine-tuning-2"]
    assert [run for run in again["runs"] if run["arm"] != "fine-tuning"] == [
        run for run in done[0]["runs"] if run["arm"] != "fine-tuning"
    ]


def test_another_experiments_figures_are_not_lost(tiny_encoder: str, tmp_path: Path) -> None:
    """A finished experiment under another attack, or of another kind, is not written over."""
    file = tmp_path / "result.json"
    for text, words in (
        ('{"format": "nerquake.augment/1", "settings": {}}', "format nerquake.augment/1 (now nerquake.harden/1)"),
        ('{"format": "nerquake.harden/1", "settings": {"attack": "other"}}', "attack other (now "),
    ):
        file.write_text(text, "utf-8")
        with pytest.raises(UsageError) as caught:
            harden(asked(tiny_encoder, tmp_path))
        assert words in str(caught.value)
        assert file.read_text("utf-8") == text


def test_a_base_model_without_training_data(
    done: tuple[dict[str, Any], Path], tiny_encoder: str, tmp_path: Path
) -> None:
    base = str(done[1] / "runs" / "base-0")
    made = harden(asked(tiny_encoder, tmp_path, base=base, train=None, seeds=2))
    assert made["arms"] == ["base", "fine-tuning"]
    rows = {(row["arm"], row["set"]): row for row in made["summary"]}
    before = {(row["arm"], row["set"]): row for row in done[0]["summary"]}
    assert rows["base", "original"]["mean"] == before["base", "original"]["mean"]


def test_neither_data_nor_model(tiny_encoder: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"--train FILE\), or a trained model"):
        harden(asked(tiny_encoder, tmp_path, train=None))


def test_labels_that_cannot_be_learnt(tiny_encoder: str, tmp_path: Path) -> None:
    bare = TRAIN.with_sentences([one.with_spans([s for s in one.spans if s.label == "PER"]) for one in TRAIN])
    with pytest.raises(InputError, match=r"train\.conll does not have: LOC"):
        harden(asked(tiny_encoder, tmp_path, train=bare))


def test_settings_of_the_paper(tmp_path: Path) -> None:
    plain = asked("enc", tmp_path, fine_tuned={}, re_trained={})
    tuned = dict(fine_tune_spec(plain, Path("base"), None).params)
    assert tuned == {"": "base", "epochs": "4", "lr": "1e-4", "batch": "16", "patience": "0"}
    again = dict(re_train_spec(plain).params)
    assert again == {"": "enc", "epochs": "6", "lr": "1e-4", "batch": "16", "patience": "0"}
    own = re_train_spec(replace(plain, model="bilstm-crf:epochs=7"))
    assert dict(own.params) == {"epochs": "7"}


def test_a_bilstm_is_fine_tuned_at_a_rate_chosen_on_held_out_sentences(tmp_path: Path) -> None:
    small = "bilstm-crf:epochs=2,patience=0,batch=8"
    made = harden(asked("x", tmp_path, model=small, fine_tuned={"epochs": "1"}, re_trained={}, seeds=2))
    tried = made["settings"]["rates_tried"]
    assert len(tried) == 3
    options = dict(parse_spec(made["settings"]["fine_tuning"]).params)
    assert tried[options["lr"]] == max(tried.values())
