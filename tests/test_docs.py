"""The docs say what the code does: the page of plug-ins is made from it, the README's opening is a command's output."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner
from tools import command_pages, half_names
from tools.plugin_pages import page

from nerquake.cli.main import COMMANDS, cli
from tests.cli.runner import nerquake

ROOT = Path(__file__).resolve().parent.parent


def test_the_page_of_plugins_is_up_to_date() -> None:
    assert (ROOT / "docs" / "plugins.md").read_text("utf-8") == page(), "run make docs"


def test_the_page_of_commands_is_up_to_date() -> None:
    assert (ROOT / "docs" / "commands.md").read_text("utf-8") == command_pages.page(), "run make docs"


def test_the_names_of_the_demo_are_up_to_date() -> None:
    for name, text in half_names.files().items():
        assert (ROOT / "docs" / "examples" / name).read_text("utf-8") == text, "run make docs"


def test_every_option_of_a_plugin_is_explained() -> None:
    rows = [line for line in page().split("\n") if re.match(r"\| `[\w-]+", line)]
    assert len(rows) > 20
    assert [line for line in rows if line.rstrip().endswith("|  |")] == []


def test_the_readme_opens_with_the_output_of_a_command(pipeline: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Paper M, table 1."""
    readme = (ROOT / "README.md").read_text("utf-8")
    block = re.search(r"```console\n\$ nerquake (.*)\n((?:.*\n)*?)```", readme)
    assert block is not None
    monkeypatch.chdir(ROOT)
    ran = CliRunner().invoke(cli, shlex.split(block.group(1)))
    assert ran.exit_code == 0, ran.output
    assert ran.stdout == block.group(2)


def test_the_readme_names_every_command() -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    assert all(f"`nerquake {name}" in readme for name in COMMANDS)


def test_links_between_pages_lead_somewhere() -> None:
    for file in [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]:
        for target in re.findall(r"\]\(([^)#:]+)\)", file.read_text("utf-8")):
            assert (file.parent / target).exists(), f"{file.name} links to {target}"


def test_the_examples_of_plugins_work_as_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / "docs" / "extending.md").read_text("utf-8"), re.DOTALL)
    shouting, fills, function, tagger = blocks
    assert fills.startswith("# fills.py")
    (tmp_path / "fills.py").write_text(fills, "utf-8")
    assert shouting.startswith("# shouting.py")
    assert function.startswith("# mine.py")
    (tmp_path / "shouting.py").write_text(shouting, "utf-8")
    (tmp_path / "mine.py").write_text(function + tagger, "utf-8")
    (tmp_path / "my.conll").write_text("Anna\tB-PER\nmet\tO\nBo\tB-PER\n", "utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    ran = nerquake("perturb", "sample:en", "-p", "shouting:Shout,share=0.5", "-o", "sets", "--format", "json")
    assert ran.code == 0, ran.err
    replaced = ran.json["sets"][1]["mentions"]["replaced"]
    assert 200 < replaced < 600
    ran = nerquake("perturb", "sample:en", "-p", "mask:filler=fills:Echo,name=echo", "-o", "sets", "--format", "json",
                   "--sample", "20")  # fmt: skip
    assert ran.code == 0, ran.err
    assert ran.json["sets"][1]["context_words"] > 20
    for model in ("callable:mine:tag", "mine:Caps"):
        ran = nerquake("audit", "my.conll", "-t", model, "-p", "shouting:Shout", "-o", "out")
        assert ran.code == 0, ran.err
