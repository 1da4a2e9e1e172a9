"""Trained models know from `sources.jsonl` in their folder what they were trained on."""

from __future__ import annotations

from pathlib import Path

from nerquake.core.protocols import Trained
from nerquake.core.sentence import Sentence
from nerquake.core.sources import Sources
from nerquake.io.sources_file import FILE, write_sources
from nerquake.io.stages import StageKey
from nerquake.taggers.huggingface import HuggingFaceTagger


def test_a_checkpoint_that_nerquake_trained_knows_it(tmp_path: Path) -> None:
    kept = Sources.of([Sentence("s1", ("Anna", "left"))], "train.conll")
    write_sources(tmp_path / FILE, kept, StageKey("transformer", 0, "", ""))
    tagger = HuggingFaceTagger(str(tmp_path))
    assert isinstance(tagger, Trained)
    assert tagger.trained_on() == kept
    assert HuggingFaceTagger(str(tmp_path / "elsewhere")).trained_on() is None
    assert HuggingFaceTagger("organisation/model").trained_on() is None
