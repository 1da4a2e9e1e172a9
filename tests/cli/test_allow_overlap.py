"""An audit of a model on the sentences that it was trained on is refused (case 5 of the contract's cases)."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from tests.cli.runner import Ran, nerquake
from tests.test_formats import SCHEMAS, check

from nerquake.core.dataset import Dataset
from nerquake.core.sources import Sources
from nerquake.core.splits import split_by_source
from nerquake.io.load import load, save
from nerquake.io.sources_file import FILE, write_sources
from nerquake.io.stages import StageKey

NAMES = ("Anna", "Bo", "Cem", "Dana", "Eva", "Finn", "Gül", "Hans", "Ines", "Jan")
SETS = ("letters:name=L1", "letters:name=L2,coverage=70", "rs:name=rs", "identity:name=same", "rs+letters:name=both")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """10 sources x (1 original + 5 variants), with and without ids, whole and split 60/40 by source."""
    made = tmp_path_factory.mktemp("leaks")
    plain = "".join(f"# id s{at}\n{name}\tB-PER\nmet\tO\n{at}\tO\npeople\tO\n\n" for at, name in enumerate(NAMES))
    (made / "plain.conll").write_text(plain, "utf-8")
    (made / "bare.conll").write_text(re.sub(r"#.*\n", "", plain), "utf-8")
    attacks = [part for spec in SETS for part in ("-p", spec)]
    assert nerquake("perturb", made / "plain.conll", *attacks, "-o", made / "sets").code == 0
    files = [made / "plain.conll", *sorted((made / "sets").glob("*/attacked.conll"))]
    gold = load(str(made / "plain.conll"))
    everything = [sentence for file in files for sentence in load(str(file)).sentences]
    assert len(everything) == 60 and all(sentence.source is None for sentence in everything)
    train, test = split_by_source(everything, 0.6, 0)
    for name, part in (("all", everything), ("train", train), ("test", test)):
        save(gold.with_sentences(part), str(made / f"{name}.conll"), "conll")
    for name in ("all", "train", "test", "plain", "bare", "sets/rs/attacked"):
        schooled(made / Path(name).name, load(str(made / f"{name}.conll")))
    return made


def schooled(folder: Path, dataset: Dataset) -> None:
    """What training on this file would leave in the model's folder."""
    folder.mkdir()
    write_sources(folder / FILE, Sources.of(dataset, dataset.name), StageKey.of("x", 0, dataset))


def audit(folder: Path, file: str, *models: str, flags: tuple[object, ...] = (), kind: str = "Schooled") -> Ran:
    taggers = [
        part for name in models for part in ("-t", f"tests.cli.schooled:{kind},folder={folder / name},name=m.{name}")
    ]
    return nerquake("audit", folder / file, *taggers, "-p", "letters", "--resamples", 20, *flags, "-o", folder / "out")


def result(folder: Path) -> Any:
    found = json.loads((folder / "out" / "result.json").read_text("utf-8"))
    check(found, SCHEMAS["result.json"][0])
    return found["findings"]


@pytest.fixture(autouse=True)
def no_result(folder: Path) -> None:
    import shutil

    shutil.rmtree(folder / "out", ignore_errors=True)


def test_case_5_the_other_sources_are_audited(folder: Path) -> None:
    ran = audit(folder, "test.conll", "train")
    assert ran.code == 0, ran.err
    (entry,) = result(folder)["training_overlap"]
    assert entry == {"tagger": "m.train", "trained_on": "train.conll", "sources": 6, "audited": 24,
                     "both": [], "id_only": [], "hash_only": []}  # fmt: skip
    assert "m.train: none of 24 audited sentences stands in its training data (train.conll)" in ran.err


@pytest.mark.parametrize(
    ("model", "file", "counts"),
    [("all", "test.conll", "24 of the 24"), ("plain", "test.conll", "24 of the 24"),
     ("attacked", "test.conll", "24 of the 24"), ("test", "plain.conll", "4 of the 10"),
     ("plain", "sets/L2/attacked.conll", "10 of the 10"), ("attacked", "sets/L2/attacked.conll", "10 of the 10"),
     ("attacked", "plain.conll", "10 of the 10"), ("bare", "bare.conll", "10 of the 10")],
)  # fmt: skip
def test_case_5_the_same_sources_are_refused(folder: Path, model: str, file: str, counts: str) -> None:
    ran = audit(folder, file, model)
    assert (ran.code, ran.out) == (2, "")
    assert not (folder / "out").exists(), "nothing is written"
    message = ran.err[ran.err.index("m.") :]
    assert f"m.{model} was trained on {counts} sentences of {Path(file).name}" in message
    assert f"(its training data: {model}.conll)" in message and "--allow-overlap" in message
    assert re.search(r"\): [^ ]+, [^ ]+, ", message) and message.count("\n") == 2


def test_all_models_are_named_in_one_message(folder: Path) -> None:
    ran = audit(folder, "test.conll", "train", "all", "plain")
    assert ran.code == 2
    assert ran.err.count("was trained on") == 2 and ran.err.count("--allow-overlap") == 1
    assert "m.train was" not in ran.err


def test_what_is_allowed_is_shown(folder: Path) -> None:
    ran = audit(folder, "plain.conll", "test", flags=("--allow-overlap",))
    assert ran.code == 0, ran.err
    found = result(folder)
    (entry,) = found["training_overlap"]
    assert len(entry["both"]) == 4 and entry["id_only"] == entry["hash_only"] == []
    said = "m.test: 4 of 10 audited sentences, or what they were made from, stand in its training data (test.conll)"
    assert any(line.startswith(said) for line in found["method"]["notes"])
    assert said in ran.err
    assert said in (folder / "out" / "report.md").read_text("utf-8")
    assert "--allow-overlap let pass" in (folder / "out" / "report.html").read_text("utf-8")


def test_either_alone_is_a_counted_warning(folder: Path, tmp_path: Path) -> None:
    lines = (folder / "plain.conll").read_text("utf-8").replace("Anna", "Rosa").replace("# id s1\n", "# id t1\n")
    (tmp_path / "plain.conll").write_text(lines.split("# id s2")[0], "utf-8")
    schooled(tmp_path / "plain", load(str(folder / "plain.conll")))
    ran = audit(tmp_path, "plain.conll", "plain")
    assert ran.code == 0, ran.err
    (entry,) = result(tmp_path)["training_overlap"]
    assert (entry["both"], entry["id_only"], entry["hash_only"]) == ([], ["s0"], ["t1"])
    assert "1 of 2 audited sentences have an id of its training data (plain.conll) and other tokens: s0" in ran.err
    assert "1 of 2 audited sentences stand in its training data (plain.conll) under another id: t1" in ran.err


def test_only_the_sentences_that_are_drawn_count(folder: Path) -> None:
    counts = set()
    for seed in range(6):
        ran = audit(folder, "plain.conll", "test", flags=("--sample", 3, "--seed", seed, "--allow-overlap"))
        assert ran.code == 0, ran.err
        (entry,) = result(folder)["training_overlap"]
        assert entry["audited"] == 3
        counts.add(len(entry["both"]))
        refused = audit(folder, "plain.conll", "test", flags=("--sample", 3, "--seed", seed))
        assert refused.code == (2 if entry["both"] else 0)
    assert len(counts) > 1


def test_a_model_that_does_not_know_it_is_not_guarded(folder: Path) -> None:
    ran = audit(folder, "plain.conll", "sets")
    assert ran.code == 0, ran.err
    assert "training_overlap" not in result(folder)


def test_a_damaged_file_or_a_broken_plug_in_is_one_message(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "plain.conll").write_bytes((folder / "plain.conll").read_bytes())
    (tmp_path / "bad").mkdir()
    (tmp_path / "bad" / FILE).write_text((folder / "plain" / FILE).read_text("utf-8")[:-5], "utf-8")
    ran = audit(tmp_path, "plain.conll", "bad", flags=("--allow-overlap",))
    assert ran.code == 2 and f"{tmp_path / 'bad' / FILE}, line 11" in ran.err
    ran = audit(tmp_path, "plain.conll", "bad", kind="Misled")
    assert ran.code == 2 and "trained_on() gives Sources or None, got a list" in ran.err
    ran = nerquake("audit", tmp_path / "plain.conll", "-t", "tests.cli.schooled:Misled,folder=raise,name=m",
                   "-o", tmp_path / "out")  # fmt: skip
    assert ran.code == 2 and "m, trained_on(): ValueError: cog slipped" in ran.err


def test_predict_asks_nothing(folder: Path) -> None:
    spec = f"tests.cli.schooled:Schooled,folder={folder / 'plain'}"
    assert nerquake("predict", folder / "plain.conll", "-t", spec).code == 0
