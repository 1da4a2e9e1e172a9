"""What a killed run leaves behind, and that the next one goes on from there."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nerquake.core.edits import Edit, Rewrite
from nerquake.core.errors import OutputError
from nerquake.core.protocols import Proposal
from nerquake.core.span import Span
from nerquake.io.proposals_file import ProposalsFile, unfinished
from nerquake.io.stages import StageKey

KEY = StageKey("mask", 0, "abc", "def", {"models": ["one"]})
PLAIN = Proposal((Edit(1, 2, ("sang",), "context", (("was", "said"), ("was", "again"))),), rejected=(("empty", 2),))
WHOLE = Proposal(
    rewrite=Rewrite(("a", "b"), (Span(0, 1, "PER"),), (0, None), (("from", "s1"),)),
    attackable=2,
    relabelled=1,
    reason="x",
)
NONE = Proposal(reason="no word", applicable=False)
GONE = Proposal(reason="lost", discard=True)
MADE = {"s1": PLAIN, "s2": WHOLE, "शहर\u2028": NONE, "\ud800": GONE}


def test_what_goes_in_comes_out(tmp_path: Path) -> None:
    path = tmp_path / "set" / "unfinished.jsonl"
    with unfinished(path, KEY) as kept:
        assert kept is not None
        kept.add(0, MADE)
        kept.add(1, {"s1": NONE})
    again = ProposalsFile(path, KEY)
    assert again.of_step(0) == MADE
    assert again.of_step(1) == {"s1": NONE}
    assert again.of_step(2) == {}


def test_the_file_is_made_only_when_something_is_kept(tmp_path: Path) -> None:
    with unfinished(tmp_path / "set" / "u.jsonl", KEY):
        pass
    assert not (tmp_path / "set").exists()


def test_another_run_does_not_use_it_and_begins_anew(tmp_path: Path) -> None:
    path = tmp_path / "u.jsonl"
    with unfinished(path, KEY) as kept:
        kept.add(0, MADE)  # type: ignore[union-attr]
    other = StageKey("mask", 1, "abc", "def", {"models": ["one"]})
    with unfinished(path, other) as kept:
        assert kept is not None and kept.of_step(0) == {}
        kept.add(0, {"s1": PLAIN})
    assert ProposalsFile(path, KEY).of_step(0) == {}
    assert ProposalsFile(path, other).of_step(0) == {"s1": PLAIN}


def test_without_a_key_nothing_is_kept(tmp_path: Path) -> None:
    with unfinished(tmp_path / "u.jsonl", None) as kept:
        assert kept is None


@given(st.data())
def test_a_torn_file_loses_only_what_is_torn(tmp_path_factory: pytest.TempPathFactory, drawn: st.DataObject) -> None:
    path = tmp_path_factory.mktemp("torn") / "u.jsonl"
    with unfinished(path, KEY) as kept:
        kept.add(0, MADE)  # type: ignore[union-attr]
    whole = path.read_bytes()
    cut = drawn.draw(st.integers(0, len(whole)))
    path.write_bytes(whole[:cut] + drawn.draw(st.sampled_from([b"", b"\x00", b"{", b"\xff\n"])))
    again = ProposalsFile(path, KEY)
    lines = whole[:cut].count(b"\n") - 1
    assert list(again.of_step(0)) == list(MADE)[: max(0, lines)]
    again.add(0, {key: value for key, value in MADE.items() if key not in again.of_step(0)})
    again.close()
    assert path.read_bytes() == whole
    assert ProposalsFile(path, KEY).of_step(0) == MADE


def test_a_place_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "set").write_text("a file")
    kept = ProposalsFile(tmp_path / "set" / "u.jsonl", KEY)
    with pytest.raises(OutputError, match=r"cannot be written"):
        kept.add(0, MADE)
