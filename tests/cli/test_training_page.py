"""Every command of docs/training.md runs as it is written."""

from __future__ import annotations

import re
import shlex
from importlib import import_module
from pathlib import Path

import pytest
from tests.cli.runner import nerquake

from nerquake.core.options import instance
from nerquake.core.spec import parse_spec
from nerquake.registry import RECIPES

pytest.importorskip("torch")
pytestmark = pytest.mark.huggingface
ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "training.md").read_text("utf-8")


def commands() -> list[list[str]]:
    blocks = re.findall(r"```console\n(.*?)```", PAGE, re.DOTALL)
    lines = "".join(blocks).replace("\\\n", " ").splitlines()
    return [shlex.split(line.removeprefix("$ ")) for line in lines]


@pytest.mark.slow
def test_the_commands_of_the_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "docs").symlink_to(ROOT / "docs")
    for command in commands():
        assert command[0] == "nerquake"
        made = nerquake(*command[1:])
        assert made.code == 0, (command, made.err)


def test_presets_are_as_the_page_says() -> None:
    said = dict(re.findall(r"^\| `([a-z-]+)(?::MODEL)?` \| `([^`]+)` \(", PAGE, re.MULTILINE))
    assert said["rockner-blstm-crf"] == RECIPES.aliases["rockner-blstm-crf"]
    assert said["multilingual-retrain"] == RECIPES.aliases["multilingual-retrain"]


@pytest.mark.parametrize("preset", sorted(RECIPES.aliases))
def test_a_preset_has_the_options_that_it_names(preset: str) -> None:
    asked = parse_spec(RECIPES.aliases[preset])
    typed = RECIPES.expand(parse_spec(f"{preset}:m" if asked.name == "fine-tune" else preset))
    module, _, attribute = RECIPES.builtins[typed.name].target.partition(":")
    made = instance(getattr(import_module(module), attribute), typed)  # also where its library is not installed
    for key, value in asked.params:
        held = getattr(made, key) if key else value
        assert held == (type(held)(value) if isinstance(held, int | float) else value)
