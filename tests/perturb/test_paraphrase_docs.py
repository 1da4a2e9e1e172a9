"""The page on paraphrases: its commands run as they stand there, and it names every reason and option."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from tests.cli.runner import nerquake

from nerquake.core.options import options_of
from nerquake.perturb import paraphrase, paraphrase_mentions
from nerquake.registry import PARAPHRASERS

ROOT = Path(__file__).resolve().parent.parent.parent
PAGE = (ROOT / "docs" / "paraphrase.md").read_text("utf-8")
COMMANDS = re.findall(r"^\$ nerquake (.*)$", PAGE, re.MULTILINE)


@pytest.mark.slow
@pytest.mark.parametrize("command", COMMANDS)
def test_commands_run(command: str, pipeline: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "docs").symlink_to(ROOT / "docs")
    monkeypatch.chdir(tmp_path)
    ran = nerquake(*shlex.split(command), "--format", "json")
    assert ran.code == 0, ran.err
    sets = [entry for entry in ran.json["sets"] if entry["name"] != "original"]
    assert [entry["status"]["changed"] > 5 for entry in sets] == [True]


def test_there_are_commands() -> None:
    assert len(COMMANDS) == 4


def test_the_example_loses_changes_and_repeats(tmp_path: Path) -> None:
    """What the page says of reasons can be seen in its example, which needs no model."""
    file = ROOT / "docs" / "examples" / "paraphrases.tsv"
    ran = nerquake("perturb", "sample:en", "-p", f"paraphrase:file:{file},name=it", "-o", tmp_path, "--format", "json")
    assert ran.code == 0, ran.err
    entry = ran.json["sets"][1]
    assert entry["status"] == {"changed": 7, "unchanged": 1, "not-applicable": 81, "discarded": 351}
    assert entry["reasons"] == {
        "a mention was changed": 1,
        "a mention was lost": 1,
        "equal names cannot be told apart": 1,
        "no paraphrase in the file": 348,
        "the paraphrase says the same in the same words": 1,
        "without a mention": 81,
    }
    assert entry["rejected"]["a mention was lost"] == 1


def test_reasons_backends_and_options_are_named() -> None:
    names = ("LOST", "CHANGED", "SPLIT", "DUPLICATED", "NEW", "UNCLEAR", "EMPTY", "UNWRITABLE")
    reasons = [getattr(paraphrase_mentions, name) for name in names]
    reasons += [paraphrase.OTHER_KIND, paraphrase.TOO_NEAR, paraphrase.TOO_FAR, paraphrase.TOO_ODD]
    assert [reason for reason in reasons if reason not in PAGE] == []
    assert [name for name in PARAPHRASERS.builtins if f"`paraphrase:{name}" not in PAGE.replace('"', "")] == []
    assert [
        name
        for name in options_of(paraphrase.Paraphrase)
        if f"{name}=" not in PAGE and f"`{name}`" not in PAGE and name != "backend"
    ] == []
