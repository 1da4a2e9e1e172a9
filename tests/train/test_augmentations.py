"""Augmentations against one another under attack."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from nerquake.core.errors import InputError, UsageError
from nerquake.core.sentence import Sentence
from nerquake.core.span import Span
from nerquake.perturb.choose import chains_from
from nerquake.perturb.run import attack
from nerquake.train.augmentations import Trying, try_augmentations
from tests.train.toy import world

pytest.importorskip("torch")
pytestmark = pytest.mark.huggingface

TEST, TRAIN = world(30, 1, "t", "test.conll"), world(30, 2, "s", "train.conll")


def asked(encoder: str, folder: Path, **changes: Any) -> Trying:
    ways = chains_from(["entity-switching", "random-masking", "mixing-up"], "en").chains
    attacks = [attack(TEST, chain, 0) for chain in chains_from(["swap", "letters"], "en").chains]
    values: dict[str, Any] = {
        "model": f'transformer:"{encoder}",epochs=1,lr=3e-3,batch=8', "original": TEST, "attacked": attacks,
        "train": TRAIN, "dev": None, "augmentations": ways, "folder": folder, "seeds": 2,
    }  # fmt: skip
    return Trying(**{**values, **changes})


def test_every_way_is_compared_with_the_base_on_every_set(tiny_encoder: str, tmp_path: Path) -> None:
    made = try_augmentations(asked(tiny_encoder, tmp_path))
    assert made["arms"] == ["base", "entity-switching", "random-masking", "mixing-up"]
    assert made["sets"] == ["none", "swap", "letters"]
    assert len(made["runs"]) == 4 * 2 * 3
    assert len(made["tests"]) == 3 * 3
    assert {row["b"] for row in made["tests"]} == {"base"}
    assert all(row["p_holm"] is None or row["p_holm"] >= row["p"] for row in made["tests"])
    json.dumps(made, allow_nan=False)
    for arm, size in made["settings"]["train_sentences"].items():
        record = json.loads((tmp_path / "runs" / f"{arm}-0" / "train.json").read_text("utf-8"))
        assert record["train"]["sentences"] == size
        assert record["train"]["augmented"] == size - len(TRAIN)
    assert made["settings"]["train_sentences"]["random-masking"] > len(TRAIN)


def test_nothing_to_compare(tiny_encoder: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="one augmentation or more"):
        try_augmentations(asked(tiny_encoder, tmp_path, augmentations=[]))


def test_labels_that_cannot_be_learnt(tiny_encoder: str, tmp_path: Path) -> None:
    strange = TEST.with_sentences([*TEST.sentences, Sentence("x", ("Acme",), (Span(0, 1, "ORG"),))])
    with pytest.raises(InputError, match="ORG"):
        try_augmentations(asked(tiny_encoder, tmp_path, original=strange))
