"""Linking real historical text from nothing but the mention-item pairs of its training part."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from tests.knowledge.given import made

from nerquake.core.dataset import Dataset
from nerquake.core.protocols import ReadOptions
from nerquake.io.load import load
from nerquake.knowledge.link_alias import AliasLinker
from nerquake.knowledge.link_context import bare
from nerquake.knowledge.linking import known_mentions, link_dataset


def ajmc(shared: Path, part: str) -> Dataset:
    file = shared / "data" / "hipe2022" / "ajmc" / f"HIPE-2022-v2.1-ajmc-{part}.tsv"
    return replace(load(str(file), "", ReadOptions(repair="conlleval")), language=part[-2:])


def right(shared: Path, part: str) -> tuple[int, int, int]:
    """Mentions with an item whose surface the training part has with an item; those linked rightly; all."""
    train = [one for one in known_mentions(ajmc(shared, "train-de")) if one.item]
    data = ajmc(shared, part)
    with made([]) as dictionary:
        links = link_dataset(dictionary, data, AliasLinker(), known_mentions(ajmc(shared, "train-de")))
    surfaces = {bare(one.mention.text) for one in train}
    gold = [one for one in known_mentions(data) if one.item]
    seen = [one for one in gold if bare(one.mention.text) in surfaces]
    found = [links.item(one.mention.sentence.id, one.mention.sentence.spans[one.mention.index]) for one in seen]
    return len(seen), sum(item == one.item for item, one in zip(found, seen, strict=True)), len(gold)


@pytest.mark.shared
@pytest.mark.parametrize(("part", "seen"), [("test-de", 160), ("dev-de", 166), ("test-en", 80), ("dev-en", 105)])
def test_mentions_whose_surface_was_seen_find_their_item(shared: Path, part: str, seen: int) -> None:
    asked, hits, _ = right(shared, part)
    assert asked >= seen
    assert hits / asked >= 0.9
