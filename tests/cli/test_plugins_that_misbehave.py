"""Whatever a plug-in does wrong is one message that names it, and exit code 2; nothing wrong reaches a file."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.cli.runner import nerquake

from nerquake.taggers.function import _find

ATTACKS = """
from dataclasses import dataclass
from nerquake.core.edits import Edit
from nerquake.core.protocols import Prepared, Proposal

@dataclass(frozen=True)
class Bad:
    how: str
    level = "entity"
    def prepare(self, corpus, draws):
        if self.how == "prepare":
            raise ValueError("cog slipped")
        return None if self.how == "prepared" else Prepared()
    def propose(self, sentence, draws, context):
        if self.how == "raise":
            raise ValueError("cog slipped")
        if self.how == "exit":
            raise SystemExit(0)
        if self.how == "none":
            return None
        if self.how == "reason":
            return Proposal(reason=5)
        new = {"text": "Berlin", "number": (5,), "empty": ("",), "wide": ("a",)}.get(self.how, ("a",))
        end = 2 if self.how == "wide" else 1
        source = {"a": 1} if self.how == "source" else ()
        return Proposal((Edit(0, end, new, "mention", source),))

@dataclass(frozen=True)
class Level(Bad):
    how: str = "level"
    level = "banana"
"""
TAGGERS = """
from nerquake.core.protocols import Tagging

def raises(sentences):
    raise ValueError("cog slipped")
def nothing(sentences):
    return None
def ends(sentences):
    raise SystemExit(0)
def labelled(sentences):
    return [[] for _ in sentences]
labelled.labels = "PER"

class Plain:
    def __init__(self):
        self.answer = Tagging((), unseen=(99,))
    def labels(self):
        return None
    def predict(self, batch):
        return [self.answer for _ in batch]
class Tuples(Plain):
    def __init__(self):
        self.answer = Tagging(((0, 1, "PER"),))
class Negative(Plain):
    def __init__(self):
        self.answer = Tagging((), invalid=-1)
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "bad_attacks.py").write_text(ATTACKS, "utf-8")
    (tmp_path / "bad_taggers.py").write_text(TAGGERS, "utf-8")
    (tmp_path / "broken_module.py").write_text("def (", "utf-8")
    (tmp_path / "data.conll").write_text("Anna\tB-PER\nmet\tO\nBo\tB-PER\n", "utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    _find.cache_clear()
    return tmp_path


@pytest.mark.parametrize(
    "how", ["prepare", "prepared", "raise", "exit", "none", "reason", "text", "number", "empty", "wide", "source"]
)
def test_attacks(how: str, folder: Path) -> None:
    ran = nerquake("perturb", "data.conll", "-p", f"bad_attacks:Bad,how={how},name=bad", "-o", "out")
    assert ran.code == 2, ran
    assert "plug-in ended" in ran.err if how == "exit" else "bad_attacks" in ran.err
    assert "fault in nerquake" not in ran.err
    assert not (folder / "out").exists()


def test_a_level_that_is_none() -> None:
    ran = nerquake("perturb", "data.conll", "-p", "bad_attacks:Level,name=bad", "-o", "out")
    assert ran.code == 2
    assert "banana" in ran.err


@pytest.mark.parametrize(
    "spec",
    ["callable:bad_taggers:raises", "callable:bad_taggers:nothing", "callable:bad_taggers:ends",
     "callable:bad_taggers:labelled", "callable:broken_module:f", "bad_taggers:Plain", "bad_taggers:Tuples",
     "bad_taggers:Negative"],
)  # fmt: skip
def test_taggers(spec: str, folder: Path) -> None:
    ran = nerquake("audit", "data.conll", "-t", spec, "-p", "letters", "-o", "out")
    assert ran.code == 2, ran
    assert "fault in nerquake" not in ran.err
    assert "bad_taggers" in ran.err or "broken_module" in ran.err or "plug-in ended" in ran.err
    assert not (folder / "out" / "result.json").exists()


def test_arrays_are_answers(folder: Path) -> None:
    (folder / "arrays_for_tests.py").write_text(
        "import numpy as np\ndef tag(sentences):\n    return [np.array(['B-PER'] * len(s)) for s in sentences]\n",
        "utf-8",
    )
    ran = nerquake("predict", "data.conll", "-t", "callable:arrays_for_tests:tag")
    assert ran.out == "[Anna PER] [met PER] [Bo PER]\n"
