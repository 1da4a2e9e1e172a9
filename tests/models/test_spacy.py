"""Which spaCy pipelines are installed, by what they say of themselves."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from nerquake.models.spacy import Installed, installed_for, load_pipeline

pytestmark = pytest.mark.spacy


def install(monkeypatch: pytest.MonkeyPatch, folder: Path, *told: tuple[str, object]) -> None:
    """As if these pipelines were installed: a name and what stands in its description."""
    for name, meta in told:
        (folder / name).mkdir()
        (folder / name / "meta.json").write_text(meta if isinstance(meta, str) else json.dumps(meta), "utf-8")
    monkeypatch.setattr("spacy.util.get_installed_models", lambda: [name for name, _ in reversed(told)] + ["gone"])

    def path(name: str) -> Path:
        if name == "gone":
            raise ModuleNotFoundError(name)
        return folder / name

    monkeypatch.setattr("spacy.util.get_package_path", path)


def test_the_pipeline_of_the_tests_is_found(pipeline: str) -> None:
    found = {one.name: one for one in installed_for("en")}
    assert {"tagger", "attribute_ruler", "ner"} <= set(found[pipeline].components)
    assert installed_for("hi") == []


def test_small_ones_come_first_and_what_cannot_be_read_is_left_out(
    pipeline: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    meta = {"lang": "de", "pipeline": ["morphologizer"]}
    names = ("de_a_trf", "de_own", "de_core_news_lg", "de_core_news_md", "de_z_sm", "de_core_news_sm")
    broken = [("de_x", "{"), ("de_y", []), ("de_w", {"name": "w"}), ("de_v", {"lang": "de", "pipeline": None})]
    install(monkeypatch, tmp_path, *((name, meta) for name in names), ("en_a_sm", {"lang": "en"}), *broken)
    assert [one.name for one in installed_for("de")] == [
        "de_core_news_sm", "de_z_sm", "de_core_news_md", "de_core_news_lg", "de_a_trf", "de_own",
    ]  # fmt: skip
    assert installed_for("en") == [Installed("en_a_sm", "en", ())]


def test_a_pipeline_is_loaded_once_for_each_set_of_components(pipeline: str) -> None:
    whole, less = load_pipeline(pipeline, ()), load_pipeline(pipeline, ("ner",))
    assert load_pipeline(pipeline, ["ner"]) is less
    assert "ner" in whole.pipe_names
    assert "ner" not in less.pipe_names
