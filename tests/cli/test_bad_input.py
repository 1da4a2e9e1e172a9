"""A user's mistake is one clear message and exit code 2; nothing half-written stays, nothing finished is lost."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.cli.runner import Ran, nerquake

from nerquake.io import output as output_module

GOOD = "Anna\tB-PER\nmet\tO\nBonn\tB-LOC\n\nUN\tB-ORG\nrests\tO\n"


@pytest.fixture
def good(tmp_path: Path) -> Path:
    file = tmp_path / "good.conll"
    file.write_text(GOOD, "utf-8")
    return file


def refused(ran: Ran, *words: str) -> None:
    """Exit code 2, one message with all these words, no traceback, nothing on standard output."""
    assert ran.code == 2, ran
    assert "Traceback" not in ran.err
    assert ran.out == ""
    for word in words:
        assert word in ran.err, ran.err


COMMANDS = [
    ("convert", "{}", "-"),
    ("score", "{}", "{}"),
    ("stats", "{}"),
    ("predict", "{}", "-t", "rules:x"),
    ("perturb", "{}", "-p", "swap", "-o", "out"),
    ("augment", "{}", "-p", "swap", "-o", "-"),
    ("audit", "{}", "-p", "swap", "-t", "rules:x", "-o", "out"),
]


def filled(command: tuple[str, ...], file: Path, folder: Path) -> list[str]:
    return [part.replace("{}", str(file)) if part != "out" else str(folder / "out") for part in command]


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command[0])
class TestFilesThatAreNone:
    def test_missing(self, command: tuple[str, ...], tmp_path: Path) -> None:
        file = tmp_path / "absent.conll"
        refused(nerquake(*filled(command, file, tmp_path)), "absent.conll")

    def test_directory(self, command: tuple[str, ...], tmp_path: Path) -> None:
        refused(nerquake(*filled(command, tmp_path, tmp_path)), str(tmp_path), "directory")

    def test_empty(self, command: tuple[str, ...], tmp_path: Path) -> None:
        (tmp_path / "empty.conll").write_text("", "utf-8")
        refused(nerquake(*filled(command, tmp_path / "empty.conll", tmp_path)), "empty")

    def test_binary(self, command: tuple[str, ...], tmp_path: Path) -> None:
        (tmp_path / "binary.conll").write_bytes(b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00")
        refused(nerquake(*filled(command, tmp_path / "binary.conll", tmp_path)), "binary.conll")

    def test_every_problem_is_listed(self, command: tuple[str, ...], tmp_path: Path) -> None:
        (tmp_path / "mixed.conll").write_text("Anna\tB-PER\nmet\nBonn\tX\tB-LOC\nUN\tQ-ORG\n", "utf-8")
        refused(nerquake(*filled(command, tmp_path / "mixed.conll", tmp_path)), "line 2", "line 3", "line 4")
        assert not (tmp_path / "out").exists()


def test_an_unknown_command_gets_a_near_match() -> None:
    refused(nerquake("audti", "x"), "audit")


def test_unknown_plugins_get_near_matches(good: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    refused(nerquake("perturb", good, "-p", "swpa", "-o", out), "swap")
    refused(nerquake("perturb", good, "-p", "swap:typs=PER", "-o", out), "types")
    refused(nerquake("audit", good, "-t", "spcy:x", "-o", out), "spacy")
    refused(nerquake("convert", good, "-", "--to", "conl"), "conll")
    refused(nerquake("convert", good, "-", "--scheme-out", "iob3"), "iob2")
    refused(nerquake("validate", good, "--input", "conll:tokn=1"), "token")
    refused(nerquake("validate", "sample:fr"), "sample:en")
    assert not out.exists()


def test_a_missing_extra_is_one_line_to_paste(good: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nerquake.registry.lookup.find_spec", lambda name: None)
    refused(
        nerquake("audit", good, "-t", "spacy:en_core_web_sm", "-o", tmp_path / "out"), 'pip install "nerquake[spacy]"'
    )


def test_labels_that_cannot_be_joined_name_both_sets(good: Path, tmp_path: Path) -> None:
    rules = tmp_path / "rules.tsv"
    rules.write_text("PERSON\tAnna\nGPE\tBonn\n", "utf-8")
    out = tmp_path / "out"
    ran = nerquake("audit", good, "-t", f"rules:{rules}", "-p", "swap", "-o", out)
    refused(ran, "gold:      LOC, ORG, PER", "predicted: GPE, PERSON", "--map GPE=LOC,PERSON=PER --unmapped drop")
    paste = ["--map", "GPE=LOC,PERSON=PER", "--unmapped", "drop"]
    assert nerquake("audit", good, "-t", f"rules:{rules}", "-p", "swap", "-o", out, *paste).code == 0


def test_labels_and_maps_that_leave_nothing(good: Path) -> None:
    refused(nerquake("stats", good, "--labels", "DRUG"), "LOC, ORG, PER")
    refused(nerquake("stats", good, "--map", "PER"), "PER", "OLD=NEW")


@pytest.mark.parametrize(
    "command",
    [
        ("convert", "{}", "{out}"),
        ("score", "{}", "{}", "-o", "{out}"),
        ("augment", "{}", "-p", "swap", "-o", "{out}"),
        ("stats", "{}", "-o", "{out}"),
    ],
    ids=lambda command: command[0],
)
class TestPlacesToWriteThatAreNone:
    def test_below_a_regular_file(self, command: tuple[str, ...], good: Path) -> None:
        target = str(good / "deeper" / "out.conll")
        refused(nerquake(*[p.replace("{out}", target).replace("{}", str(good)) for p in command]), target)
        assert good.read_text("utf-8") == GOOD

    def test_a_full_device(self, command: tuple[str, ...], good: Path) -> None:
        ran = nerquake(*[p.replace("{out}", "/dev/full").replace("{}", str(good)) for p in command])
        refused(ran, "/dev/full", "No space left")

    def test_space_runs_out_half_way(
        self, command: tuple[str, ...], good: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        target = tmp_path / "out.conll"
        target.write_text("what was there", "utf-8")
        run_out_of_space(monkeypatch)
        ran = nerquake(*[p.replace("{out}", str(target)).replace("{}", str(good)) for p in command])
        refused(ran, str(target), "No space left")
        assert target.read_text("utf-8") == "what was there"
        assert sorted(file.name for file in tmp_path.iterdir()) == ["good.conll", "out.conll"]


def run_out_of_space(monkeypatch: pytest.MonkeyPatch) -> None:
    """The disk takes a first piece and is full at the second."""

    def write(path: str, stream, pieces: Iterator[str]) -> None:  # type: ignore[no-untyped-def]
        stream.write(next(iter(pieces)).encode()[:5])
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(output_module, "_write", write)


def test_folders_that_cannot_be_made(good: Path) -> None:
    refused(nerquake("perturb", good, "-p", "swap", "-o", good / "sets"), str(good))
    refused(nerquake("audit", good, "-p", "swap", "-t", "callable:json:loads", "-o", good / "out"), str(good))


def test_options_of_the_wrong_form(good: Path, tmp_path: Path) -> None:
    refused(nerquake("stats", good, "--seed", "x"), "--seed")
    refused(nerquake("stats", good, "--level", "2"), "--level")
    refused(nerquake("stats", good, "--config", tmp_path / "none.toml"), "none.toml")
    (tmp_path / "bad.toml").write_text("seed = ", "utf-8")
    refused(nerquake("stats", good, "--config", tmp_path / "bad.toml"), "bad.toml")
    (tmp_path / "odd.toml").write_text("sed = 3", "utf-8")
    refused(nerquake("stats", good, "--config", tmp_path / "odd.toml"), "sed", "seed")
    refused(nerquake("perturb", good, "-p", "swap", "-p", "swap", "-o", tmp_path / "out"), "two attacks")
    refused(nerquake("perturb", good, "-o", tmp_path / "out"), "-p swap")


def test_a_fault_of_ours_is_no_traceback_unless_asked_for(good: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("cog slipped")

    monkeypatch.setattr("nerquake.io.load.load", broken)
    refused(nerquake("stats", good), "RuntimeError: cog slipped", "--debug")
    told = nerquake("stats", good, "--debug")
    assert told.code == 2
    assert "Traceback" in told.err
