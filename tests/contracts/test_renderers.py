"""What every renderer does: one text from one result, the same whenever it is made."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from tests.contracts.cases import CASES, cases_of
from tests.report.example import example

from nerquake.core.results import AuditResult
from nerquake.registry import RENDERERS


@pytest.fixture(params=cases_of(RENDERERS))
def renderer(request: pytest.FixtureRequest, tmp_path: Path) -> Any:
    return RENDERERS.build(CASES[RENDERERS.kind][request.param](tmp_path))


@pytest.fixture(scope="module")
def result() -> AuditResult:
    return example(size=60)


def test_it_names_its_file(renderer: Any) -> None:
    assert re.fullmatch(r"[a-z]+\.[a-z]+", renderer.name)


def test_every_set_and_model_is_in_the_text(renderer: Any, result: AuditResult) -> None:
    text = renderer.render(result).replace("\\_", "_")  # LaTeX escapes it
    for part in (*result.data["sets"], *result.data["taggers"]):
        assert part["name"] in text


def test_every_strict_f1_is_in_the_text_as_percent(renderer: Any, result: AuditResult) -> None:
    text = renderer.render(result)
    for row in result.data["results"]:
        f1 = row["overall"]["strict"]["f1"]
        assert f"{100 * f1:.1f}" in text


def test_the_same_result_gives_the_same_text_without_undefined_numbers(renderer: Any, result: AuditResult) -> None:
    first = renderer.render(result)
    assert first == renderer.render(result)
    assert re.search(r"\bNaN\b|\bnan\b", first) is None
