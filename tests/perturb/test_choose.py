from __future__ import annotations

from pathlib import Path

import pytest
from tests.perturb.helpers import data, sentence

from nerquake.core.errors import SpecError, UnknownName, UsageError
from nerquake.core.labels import LabelRules
from nerquake.perturb.choose import build, chains_from, check
from nerquake.perturb.letters import Letters
from nerquake.perturb.mixup import Mixup
from nerquake.perturb.swap import Swap


@pytest.mark.parametrize(("alias", "made"), [
    ("rs", [Swap()]),
    ("entity-switching", [Swap(replace=True)]),
    ("random-masking", [Letters()]),
    ("mixing-up", [Mixup()]),
    ("entity-switching:types=PER|LOC", [Swap(replace=True, types=("PER", "LOC"))]),
    ("entity-switching:replace=no", [Swap()]),
    ("rs:match_length=yes+random-masking", [Swap(match_length=True), Letters()]),
])  # fmt: skip
def test_aliases_stand_for_their_settings(alias: str, made: list[object]) -> None:
    (chain,) = chains_from([alias], "en").chains
    assert build(chain) == made
    assert chain.text == alias


def test_names_of_sets() -> None:
    texts = ["rs", "swap:types=PER|LOC", "swap+letters:name=both", "faker:locales=de_DE"]
    chains = chains_from(texts, "en").chains
    assert [chain.name for chain in chains] == ["rs", "swap_types=PER_LOC", "both", "faker_locales=de_DE"]


@pytest.mark.parametrize("texts", [["swap", "swap"], ["swap", "letters:name=swap"], ["swap:name=A", "letters:name=a"]])
def test_two_sets_with_one_name(texts: list[str]) -> None:
    with pytest.raises(UsageError, match=r"two attacks are called .*name="):
        chains_from(texts, "en")


@pytest.mark.parametrize("name", ["original", "Original", "summary.json"])
def test_names_that_no_set_may_have(name: str) -> None:
    with pytest.raises(UsageError, match="name="):
        chains_from([f'swap:name="{name}"'], "en")


@pytest.mark.parametrize("name", ["", ".", "..", "../up", "/data/x"])
def test_no_name_leads_out_of_the_folder(name: str) -> None:
    (chain,) = chains_from([f'swap:name="{name}"'], "en").chains
    assert chain.name not in ("", ".", "..")
    assert "/" not in chain.name


def test_a_name_too_long_for_a_file() -> None:
    with pytest.raises(UsageError, match="too long"):
        chains_from([f"swap:types={'|'.join(f'LABEL{n}' for n in range(40))}"], "en")


def test_a_suite_says_what_it_leaves_out() -> None:
    chosen = chains_from(["multilingual"], "de")
    assert [chain.text for chain in chosen.chains][:2] == ["rs", "faker"]
    (note,) = chosen.notes
    assert note.startswith("multilingual: left out ")
    french = chains_from(["multilingual"], "fr")
    assert "faker" not in [chain.text for chain in french.chains]
    assert "no locales for the language fr" in french.notes[0]
    assert "faker" in [chain.text for chain in chains_from(["multilingual"], "").chains]


@pytest.mark.parametrize("text", ["multilingual:name=x", "swap+multilingual", "multilingual+swap"])
def test_a_suite_stands_alone(text: str) -> None:
    with pytest.raises(SpecError, match="stands for several attacks"):
        chains_from([text], "en")


def test_unknown_names_and_options_before_anything_runs() -> None:
    with pytest.raises(UnknownName, match="swap"):
        build(chains_from(["swop"], "en").chains[0])
    with pytest.raises(UnknownName, match="match-length"):
        build(chains_from(["swap:match-lenght=yes"], "en").chains[0])
    with pytest.raises(SpecError, match="yes or no"):
        build(chains_from(["swap:replace=perhaps"], "en").chains[0])


def test_models_of_later_attacks_are_checked_before_the_first_begins() -> None:
    corpus = data([sentence("a", "Anna sang here", "B-PER O O")])
    chains = chains_from(["mask:name=a", "context:surrogate=rules:nope.txt,name=b", "context:pos=nope:x,name=c"], "en")
    with pytest.raises(UsageError) as caught:
        check(chains.chains, corpus, LabelRules())
    first, second = str(caught.value).split("\n")[0], str(caught.value).split("\n")[-1]
    assert "-p context:surrogate=rules:nope.txt,name=b: " in first and "nope.txt" in first
    assert "-p context:pos=nope:x,name=c: " in str(caught.value) and second


def test_labels_that_a_surrogate_declares_are_joined_before_the_first_attack(tmp_path: Path) -> None:
    (tmp_path / "rules.tsv").write_text("MAMMAL\tAnna\n", "utf-8")
    corpus = data([sentence("a", "Anna sang here", "B-PER O O")])
    chains = chains_from([f"context:surrogate=rules:{tmp_path / 'rules.tsv'},name=c"], "en").chains
    with pytest.raises(UsageError, match="MAMMAL"):
        check(chains, corpus, LabelRules())
    check(chains, corpus, LabelRules.parse(renames="MAMMAL=PER"))
