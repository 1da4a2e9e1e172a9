"""Attacks that are asked about many sentences at a time: protocol, progress, and going on after a kill."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import pytest
from tests.perturb.helpers import by_parent, data, run, sentence

from nerquake.core.dataset import Dataset
from nerquake.core.edits import Edit
from nerquake.core.errors import PluginError
from nerquake.core.protocols import Context, Prepared, Proposal
from nerquake.core.seeds import Draws
from nerquake.core.sentence import Sentence
from nerquake.core.variant import Level
from nerquake.io.proposals_file import unfinished
from nerquake.io.stages import StageKey
from nerquake.perturb import proposing

HERE = "tests.perturb.test_batches"


@dataclass(frozen=True)
class Upper:
    """Capitals for the last word; ends with an interrupt after some batches."""

    after: int = 99
    wrong: str = ""
    sizes: ClassVar[list[int]] = []

    @property
    def level(self) -> Level:
        return "context"

    def prepare(self, corpus: Dataset, draws: Draws) -> Prepared:
        return Prepared()

    def propose(self, sentence: Sentence, draws: Draws, context: Context) -> Proposal:
        raise AssertionError("it is asked in batches")

    def propose_batch(self, sentences: Sequence[Sentence], draws: Draws, context: Context) -> list[Any]:
        self.sizes.append(len(sentences))
        if len(self.sizes) > self.after:
            raise KeyboardInterrupt
        made: list[Any] = []
        for one in sentences:
            new = one.tokens[-1].upper() + str(draws.of(one.id).number("x") % 10)
            made.append(Proposal((Edit(len(one) - 1, len(one), (new,), "context", (("was", one.tokens[-1]),)),)))
        return made[1:] if self.wrong == "fewer" else [None] * len(made) if self.wrong == "none" else made


@pytest.fixture(autouse=True)
def _forgotten() -> None:
    Upper.sizes.clear()


def corpus(count: int) -> Dataset:
    return data([sentence(f"s{at}", "Anna sang here", "B-PER O O") for at in range(count)])


def test_it_is_asked_about_many_sentences_at_a_time_in_one_process() -> None:
    done: list[int] = []
    made = run(corpus(300), f"{HERE}:Upper", jobs=2, progress=done.append)
    assert Upper.sizes == [128, 128, 44] == done
    assert made.statuses["changed"] == 300


@pytest.mark.parametrize("after", [0, 1, 2, 99])
def test_a_run_that_was_stopped_goes_on_and_ends_the_same(
    after: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(proposing, "BATCH", 10)
    whole = run(corpus(35), f"swap+{HERE}:Upper,name=x")
    Upper.sizes.clear()
    key = StageKey("x", 0, "", "")
    stopped = f"swap+{HERE}:Upper,name=x,after={after}"
    try:
        with unfinished(tmp_path / "u.jsonl", key) as kept:
            run(corpus(35), stopped, kept=kept)
    except KeyboardInterrupt:
        pass
    Upper.sizes.clear()
    with unfinished(tmp_path / "u.jsonl", key) as kept:
        again = run(corpus(35), f"swap+{HERE}:Upper,name=x", kept=kept)
    assert sum(Upper.sizes) == max(0, 35 - 10 * after)
    if after in (0, 99):
        assert by_parent(again).keys() == by_parent(whole).keys()
    assert [v.sentence.tokens[:-1] for v in again.variants] == [v.sentence.tokens[:-1] for v in whole.variants]


@pytest.mark.parametrize(
    ("wrong", "message"), [("fewer", "2 proposals for 3 sentences"), ("none", r"propose_batch\(\) gave None")]
)
def test_a_plug_in_that_breaks_the_protocol_is_named(wrong: str, message: str) -> None:
    with pytest.raises(PluginError, match=message):
        run(corpus(3), f"{HERE}:Upper,wrong={wrong}")


def test_rejections_of_all_sentences_and_steps_are_added_up() -> None:
    stub = "tests.perturb.stub_fillers:Listed"
    made = run(corpus(3), f'mask:filler="{stub},words=##a"+mask:filler="{stub},words=##b",name=x')
    assert dict(made.rejected) == {"piece of a word": 12}


def lines(count: int) -> str:
    text = "the old man walked slowly through green fields near quiet water while birds sang"
    words = text.split(" ")
    parts = []
    for at in range(count):
        chosen = [words[(at * 7 + step * 3) % len(words)] for step in range(9)]
        tokens = [("Anna", "B-PER"), *((word, "O") for word in chosen), (f"Town{at % 9}", "B-LOC"), (".", "O")]
        parts.append("".join(f"{token}\t{tag}\n" for token, tag in tokens))
    return "\n".join(parts)


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_a_killed_command_goes_on_and_writes_the_same_bytes(tmp_path: Path) -> None:
    file = tmp_path / "in.conll"
    file.write_text(lines(600), "utf-8")
    command = [sys.executable, "-m", "nerquake", "perturb", str(file), "-p", "swap+mask:masks=4,name=it"]
    subprocess.run([*command, "-o", str(tmp_path / "whole")], check=True, capture_output=True)
    half = tmp_path / "half"
    started = subprocess.Popen([*command, "-o", str(half)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    kept = half / "it" / "unfinished.jsonl"
    until = time.monotonic() + 60
    while started.poll() is None and time.monotonic() < until and not (kept.exists() and kept.stat().st_size > 2_000):
        time.sleep(0.002)
    os.kill(started.pid, signal.SIGKILL)
    started.wait()
    assert kept.exists() and not (half / "it" / "variants.jsonl").exists(), "it was killed on the way"
    subprocess.run([*command, "-o", str(half)], check=True, capture_output=True)
    assert not kept.exists()
    names = sorted(str(path.relative_to(half)) for path in half.rglob("*") if path.is_file())
    made = ["it/attacked.conll", "it/naturalness.jsonl", "it/variants.jsonl"]
    assert names == [*made, "original/original.conll", "summary.json"]
    for name in names:
        assert (half / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()
