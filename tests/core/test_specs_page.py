"""The tables of `docs/specs.md`, row by row."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from nerquake.core import spec as grammar
from nerquake.core.errors import SpecError
from nerquake.core.spec import parse_chain

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "specs.md").read_text(encoding="utf-8")


def rows(heading: str) -> list[list[str]]:
    """The cells of the table under a heading, without code marks and the backslashes before pipes."""
    section = PAGE.split(f"## {heading}\n")[1].split("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("| `")]
    cells = [re.split(r"(?<!\\)\|", line.strip().strip("|")) for line in lines]
    return [[re.sub(r"^(`+)(.*)\1$", r"\2", cell.strip()).replace("\\|", "|") for cell in row] for row in cells]


def test_the_page_has_its_tables() -> None:
    assert len(rows("Examples")) >= 20
    assert len(rows("Mistakes")) >= 5


@pytest.mark.parametrize(("typed", "meaning", "printed"), rows("Examples"))
def test_an_example_means_what_the_page_says(typed: str, meaning: str, printed: str) -> None:
    chain = parse_chain(typed)
    said = [[step.name, [[k, list(v) if isinstance(v, tuple) else v] for k, v in step.params]] for step in chain.steps]
    assert said == json.loads(meaning)
    assert str(chain) == printed
    assert parse_chain(printed).steps == chain.steps


@pytest.mark.parametrize(("typed", "message"), rows("Mistakes"))
def test_a_mistake_gets_the_message_on_the_page(typed: str, message: str) -> None:
    with pytest.raises(SpecError) as caught:
        parse_chain(typed)
    assert message in str(caught.value)


def test_the_page_and_the_module_show_the_same_grammar() -> None:
    shown = PAGE.split("```\n")[1].split("\n```")[0].splitlines()
    assert grammar.__doc__ is not None
    in_module = grammar.__doc__.split("```\n")[1].split("\n```")[0].splitlines()
    assert shown[: len(in_module)] == in_module
