"""Real Flair and Stanza models through the whole main job, and through the commands."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.cli.runner import nerquake
from tests.taggers.tiny_taggers import TAUGHT, tiny_tagger

from nerquake.core.scheme import IOB2


@pytest.fixture
def gold(tmp_path: Path) -> Path:
    lines: list[str] = []
    for sentence in TAUGHT:
        tags = IOB2.encode(sentence.spans, len(sentence))
        lines += [f"# id {sentence.id}"]
        lines += [f"{token}\t{tag}" for token, tag in zip(sentence.tokens, tags, strict=True)]
        lines += [""]
    file = tmp_path / "gold.conll"
    file.write_text("\n".join(lines) + "\n", "utf-8")
    return file


def spec_of(library: str, folder: Path) -> str:
    return f"{library}:{tiny_tagger(library, folder)},name={library}" + (",lang=xx" if library == "stanza" else "")


def audited(spec: str, name: str, gold: Path, folder: Path) -> None:
    command = ["audit", gold, "-t", spec, "-p", "swap", "-p", "letters", "-o", folder / "out", "--resamples", 20,
               "--format", "csv"]  # fmt: skip
    first = nerquake(*command)
    assert first.code == 0, first.err
    assert first.out.startswith("tagger,set,"), "nothing of the library's stands in front of the table"
    result = json.loads((folder / "out" / "result.json").read_text("utf-8"))
    scores = {block["set"]: block["overall"]["strict"]["f1"] for block in result["results"]}
    assert scores["original"] == 1.0
    assert scores["letters"] < 1.0, "names spelt anew are unknown to it"
    kept = folder / "out" / "work" / "original" / f"{name}.predictions.jsonl"
    before = kept.stat().st_mtime_ns
    second = nerquake(*command)
    assert second.out == first.out
    assert kept.stat().st_mtime_ns == before, "the finished stage is used again"


def test_flair_from_file_to_report(flair_library: str, gold: Path, tmp_path: Path) -> None:
    audited(spec_of(flair_library, tmp_path), flair_library, gold, tmp_path)


def test_stanza_from_file_to_report(stanza_library: str, gold: Path, tmp_path: Path) -> None:
    audited(spec_of(stanza_library, tmp_path), stanza_library, gold, tmp_path)


def test_results_on_standard_output_are_clean_json(flair_library: str, gold: Path, tmp_path: Path) -> None:
    spec = spec_of(flair_library, tmp_path)
    ran = nerquake("audit", gold, "-t", spec, "-o", tmp_path / "out", "--resamples", 20, "--format", "json")
    assert ran.code == 0, ran.err
    assert ran.json["format"] == "nerquake.audit/1"
