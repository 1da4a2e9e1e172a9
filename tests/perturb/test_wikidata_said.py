"""What the entity attack says of labels and links of which it can make nothing."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.perturb.helpers import data, names
from tests.perturb.wikidata_cases import attacked, dictionary, links, members


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    rows = members("local:town", "GPE", {"Q1": "Town1", "Q2": "Town2"})
    return dictionary(tmp_path_factory.mktemp("world"), rows)


def said(world: Path, label: str, *options: str, linked: Path | None = None) -> str:
    return "\n".join(attacked(data(names(["Town1"], label)), world, *options, linked=linked).notes)


def test_labels_whose_types_are_not_known(world: Path) -> None:
    told = "not known are left alone: Stadt; say them with label-types=Stadt=ORG"
    assert told in said(world, "Stadt")
    for label, options in (("GPE", ()), ("DATE", ()), ("LOCpart", ()), ("Stadt", ("label-types=Stadt=GPE",))):
        assert "not known" not in said(world, label, *options)


def test_name_types_that_the_dictionary_lacks(world: Path, tmp_path: Path) -> None:
    for label, options in (("Stadt (GEP)", ("label-types=Stadt=GEP",)), ("LAW (LAW)", ())):
        told = f"no class of the name types of {label}; it has GPE"
        assert told in said(world, label.split()[0], *options)
    assert "no class of the name types" not in said(world, "GPE") + said(world, "PER")
    given = links(tmp_path, {("s0", 0, 1): "Q1"})
    assert "no class of the name types" not in said(world, "LAW", linked=given)


@pytest.mark.parametrize("item", ["Q77", "Town2", "local:town/none"])
def test_links_to_items_that_the_dictionary_lacks(world: Path, tmp_path: Path, item: str) -> None:
    told = said(world, "GPE", linked=links(tmp_path, {("s0", 0, 1): item}))
    assert f"1 of 1 items that mentions are linked to are not in {world}: {item}" in told
    assert "are not in" not in said(world, "GPE", linked=links(tmp_path, {("s0", 0, 1): "Q1"}))
    assert "are not in" not in said(world, "GPE")
