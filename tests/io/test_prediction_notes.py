"""What is worth saying of a model's answers is kept with them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.test_formats import check_lines

from nerquake.core.errors import InputError
from nerquake.core.labels import JoinedLabels, LabelRules
from nerquake.core.protocols import Tagging
from nerquake.core.results import Predictions
from nerquake.core.sentence import Sentence
from nerquake.core.tagging import Named, run_tagger
from nerquake.io.predictions_file import read_predictions, write_predictions
from nerquake.io.stages import StageKey

SENTENCES = tuple(Sentence(key, ("Anna", "met", "Bo")) for key in ("s1", "s2", "s3"))
KEY = StageKey("llm:x", 0, "f", "c")


class Talkative:
    """Says something of every second sentence."""

    def labels(self) -> None:
        return None

    def predict(self, batch: Any) -> list[Tagging]:
        return [Tagging((), notes=("'Ulm' is not there", "x") if at % 2 else ()) for at in range(len(batch))]


def predicted() -> Predictions:
    join = JoinedLabels.of(LabelRules(), (), "llm")
    return run_tagger(Named("llm", "llm:x", Talkative()), "original", SENTENCES, join)


def test_notes_are_kept_by_sentence() -> None:
    made = predicted()
    assert made.notes == {"s2": ("'Ulm' is not there", "x")}
    assert made.summary() == ("llm: an answer could not be taken as given (s2: 'Ulm' is not there, x)",)


def test_the_summary_counts_all_and_quotes_the_first() -> None:
    made = Predictions("m", (), (), (), notes={f"s{i}": ("y",) for i in range(1234)})
    assert made.summary(2) == ("m: 1,234 answers could not be taken as given (s0: y; s1: y; ...)",)
    assert Predictions("m", (), (), ()).summary() == ()


def test_a_stage_file_holds_them(tmp_path: Path) -> None:
    file = tmp_path / "p.jsonl"
    write_predictions(file, predicted(), KEY)
    assert read_predictions(file, SENTENCES, KEY) == predicted()
    check_lines(file, "predictions.jsonl")


@pytest.mark.parametrize("notes", [3, "text", [1], {"a": 1}, None])
def test_damaged_notes_are_named(tmp_path: Path, notes: Any) -> None:
    file = tmp_path / "p.jsonl"
    write_predictions(file, predicted(), KEY)
    lines = file.read_text("utf-8").splitlines()
    lines[2] = json.dumps({**json.loads(lines[2]), "notes": notes})
    file.write_text("\n".join(lines) + "\n", "utf-8")
    with pytest.raises(InputError, match=r"line 3: this stage file is damaged \(notes are a list of texts\)"):
        read_predictions(file, SENTENCES, KEY)
