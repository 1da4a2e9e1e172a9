"""A model in another process, known only by its files, is audited end to end (docs/formats.md)."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from tests.cli.runner import nerquake

PROGRAM = Path(__file__).with_name("other_model.py")


def tag(source: Path, target: Path) -> None:
    subprocess.run([sys.executable, str(PROGRAM), str(source), str(target)], check=True)


@pytest.mark.parametrize("with_ids", [True, False])
def test_files_are_all_that_is_known_of_the_model(tmp_path: Path, with_ids: bool) -> None:
    text = nerquake("convert", "sample:en", "-").out
    if not with_ids:
        text = "\n".join(line for line in text.split("\n") if not line.startswith("# id"))
    data = tmp_path / "data.conll"
    data.write_text(text, "utf-8")
    sets, preds, out = tmp_path / "sets", tmp_path / "preds", tmp_path / "out"
    arguments = [data, "-p", "swap", "-p", "letters", "--sample", "200"]

    assert nerquake("perturb", *arguments, "-o", sets).code == 0
    first = nerquake("audit", *arguments, "-t", f"file:{preds},name=mine", "-o", out)
    assert first.code == 2
    for name in ("original", "swap", "letters"):
        assert f"{name}.pred.conll" in first.err
        todo = preds / f"{name}.todo.conll"
        assert {line.split("\t")[1] for line in todo.read_text("utf-8").split("\n") if "\t" in line
                and not line.startswith("# id")} == {"O"}  # fmt: skip

    for name in ("original", "swap", "letters"):
        folder = sets / name
        source = next(file for file in folder.iterdir() if file.suffix == ".conll")
        tag(source, preds / f"{name}.pred.conll")
    second = nerquake("audit", *arguments, "-t", f"file:{preds},name=mine", "-o", out, "--unmapped", "drop")
    assert second.code == 0, second.err
    data_found = json.loads((out / "result.json").read_text("utf-8"))
    scores = {block["set"]: block["overall"]["strict"] for block in data_found["results"]}
    assert scores["original"]["correct"] > 0
    assert scores["letters"]["correct"] < scores["original"]["correct"]
    assert all(block["invalid_transitions"] == 0 for block in data_found["results"])


def test_what_was_written_to_be_tagged_can_be_tagged(tmp_path: Path) -> None:
    """The todo files alone are enough: the user need not call perturb."""
    preds, out = tmp_path / "preds", tmp_path / "out"
    arguments = ["audit", "sample:en", "-p", "swap", "--sample", "50", "-t", f"file:{preds}", "-o", out]
    assert nerquake(*arguments).code == 2
    for todo in preds.glob("*.todo.conll"):
        tag(todo, preds / todo.name.replace(".todo.", ".pred."))
    assert nerquake(*arguments).code == 0


def test_predictions_for_other_sentences_are_refused(tmp_path: Path) -> None:
    preds = tmp_path / "preds"
    arguments = ["audit", "sample:en", "--sample", "5", "-t", f"file:{preds}", "-o", tmp_path / "out"]
    assert nerquake(*arguments).code == 2
    todo = (preds / "original.todo.conll").read_text("utf-8")
    lines = todo.split("\n")
    spot = next(i for i, line in enumerate(lines) if line.endswith("\tO"))
    lines[spot] = "Xylophone\tO"
    (preds / "original.pred.conll").write_text("\n".join(lines), "utf-8")
    refused = nerquake(*arguments)
    assert refused.code == 2
    assert "Xylophone" in refused.err
    assert "original.pred.conll" in refused.err
