"""What the label names of a checkpoint mean."""

from __future__ import annotations

import re

import pytest

from nerquake.core.errors import InputError, UsageError
from nerquake.models.label_names import TagNames, read_names


def read(*names: str, renames: tuple[str, ...] = (), scheme: str = "auto") -> TagNames:
    return read_names(dict(enumerate(names)), renames, scheme, "huggingface:m")


@pytest.mark.parametrize(
    ("names", "scheme"),
    [
        (["O", "B-PER", "I-PER"], "iob2"),
        (["B-LOC", "B-ORG", "I-LOC", "I-ORG", "I-PER", "O"], "iob1"),
        (["O", "B-PER", "I-PER", "E-PER", "S-PER"], "bioes"),
        (["O", "B-PER", "I-PER", "L-PER", "U-PER"], "bilou"),
        (["O", "B-PER", "M-PER", "E-PER", "S-PER"], "bmes"),
        (["O", "S-PER", "B-LOC", "E-LOC"], "bioes"),
        (["O", "B-PER", "B-LOC"], "iob2"),
        (["I-PER", "I-LOC", "O"], "io"),
        (["O", "PER", "LOC"], "io"),
    ],
)
def test_the_scheme_is_that_of_the_prefixes(names: list[str], scheme: str) -> None:
    found = read(*names)
    assert found.scheme.name == scheme
    assert len(found.tags) == len(names)
    assert found.labels <= {"PER", "LOC", "ORG"}


def test_names_are_read_by_name_and_keep_their_place() -> None:
    assert read_names({2: "O", 0: "I-PER", 1: "B-PER"}, (), "auto", "m").tags == ("I-PER", "B-PER", "O")


def test_bare_labels_are_io_tags() -> None:
    assert read("PER", "O", "creative-work").tags == ("I-PER", "O", "I-creative-work")


def test_labels_with_hyphens_are_split_at_the_first() -> None:
    assert read("O", "B-creative-work", "I-creative-work").labels == {"creative-work"}


def test_underscores_and_small_prefixes_are_read() -> None:
    assert read("O", "B_PER", "i-LOC").tags == ("O", "B-PER", "I-LOC")


@pytest.mark.parametrize("special", ["[PAD]", "[CLS]", "<pad>", "X", "PAD"])
def test_names_of_special_pieces_are_outside(special: str) -> None:
    assert read("O", "B-PER", "I-PER", special).tags == ("O", "B-PER", "I-PER", "O")


def test_a_declared_scheme_wins() -> None:
    assert read("O", "B-PER", "I-PER", scheme="iob1").scheme.name == "iob1"
    assert read("O", "B-PER", "I-PER", scheme="bio").scheme.name == "iob2"
    with pytest.raises(UsageError, match="scheme=bilou does not have the model's prefixes E, S"):
        read("O", "B-PER", "E-PER", "S-PER", scheme="bilou")
    with pytest.raises(UsageError, match="scheme=xyz is none of auto, iob2"):
        read("O", "B-PER", scheme="xyz")


def test_names_that_name_nothing_are_an_error_with_advice() -> None:
    with pytest.raises(InputError) as caught:
        read("LABEL_0", "LABEL_1", "LABEL_2")
    assert "does not name its labels, only LABEL_0, LABEL_1, LABEL_2" in str(caught.value)
    assert "labels=LABEL_0=O|LABEL_1=B-PER|..." in str(caught.value)


def test_renames_say_what_names_stand_for() -> None:
    found = read("LABEL_0", "LABEL_1", "LABEL_2", renames=("LABEL_0=O", "LABEL_1=B-PER", "LABEL_2=I-PER"))
    assert found.tags == ("O", "B-PER", "I-PER")


@pytest.mark.parametrize(
    ("names", "renames", "error", "message"),
    [
        (["O", "B-PER"], ["PER"], UsageError, "labels=PER: expected OLD=NEW"),
        (["O", "B-PER"], ["B-PER="], UsageError, "expected OLD=NEW"),
        (["O", "B-PER"], ["B-ORG=B-PER"], UsageError, "renames B-ORG; the model has O, B-PER"),
        (["O", "A"], ["A=B-PER", "A=B-LOC"], UsageError, "labels= names A twice"),
        (["LABEL_0", "LABEL_1"], ["LABEL_0=O"], InputError, "only LABEL_1"),
        (["O", "B", "I"], [], InputError, r"labels=B=B-LABEL\|I=I-LABEL"),
        (["O", "B-PER", "PER"], [], InputError, "PER is no tag of any scheme"),
        (["O", "B-PER", "L-PER", "E-PER"], [], InputError, "no scheme has all of the prefixes B, E, L"),
        (["O", "[PAD]"], [], InputError, "no label besides O"),
        (["O", "B-PER", "B-PER"], [], InputError, "the name B-PER to several outputs"),
        (["O", ""], [], InputError, "no name at index 1"),
    ],
)
def test_names_that_cannot_be_read(names: list[str], renames: list[str], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message) as caught:
        read(*names, renames=tuple(renames))
    assert str(caught.value).startswith("huggingface:m: ")


def test_indices_with_a_gap() -> None:
    with pytest.raises(InputError, match="id2label has the indices 0, 2, expected 0, 1, 2"):
        read_names({0: "O", 2: "B-PER"}, (), "auto", "m")


@pytest.mark.parametrize(
    ("names", "renames", "advice"),
    [
        ("O PER-B PER-I", "", "PER-B=B-PER|PER-I=I-PER"),
        ("O per_b per_i loc_b", "", "per_b=B-per|per_i=I-per|loc_b=B-loc"),
        ("O B:PER I:PER", "", "B:PER=B-PER|I:PER=I-PER"),
        ("O B.PER", "", "B.PER=B-PER"),
        ("O B- I-", "", "B-=B-LABEL|I-=I-LABEL"),
        ("O B- PER", "", "B-=B-LABEL|PER=B-PER"),
        ("O B-PER B:LOC", "", "B:LOC=B-LOC"),
        ("O MISC PER-B PER-I", "", "MISC=B-MISC|PER-B=B-PER|PER-I=I-PER"),
        ("o b-per i-per", "", "o=O|b-per=B-PER|i-per=I-PER"),
        ("o per loc", "", "o=O"),
        ("o b-per i-per", "b-per=B-P", "o=O|b-per=B-P|i-per=I-PER"),
        ("O B-PER X", "X=X", "X=B-X"),
        ("LABEL_0 LABEL_1 LABEL_2", "LABEL_0=O", "LABEL_0=O|LABEL_1=B-PER|LABEL_2=I-PER"),
        ("LABEL_0 LABEL_1 LABEL_2", "LABEL_1=B-PER", "LABEL_0=O|LABEL_1=B-PER|LABEL_2=I-PER"),
        ("LABEL_0 LABEL_1", "", "LABEL_0=O|LABEL_1=B-PER"),
    ],
)
def test_advice_can_be_typed_as_it_stands(names: str, renames: str, advice: str) -> None:
    given = tuple(renames.split())
    with pytest.raises(InputError, match=re.escape(f"labels={advice}") + "[,;]"):
        read(*names.split(), renames=given)
    read(*names.split(), renames=tuple(advice.split("|")))


def test_long_advice_is_cut() -> None:
    marked = [f"T{number}-{mark}" for number in range(5) for mark in "BI"]
    with pytest.raises(InputError, match=r"T2-I=I-T2\|\.\.\.,"):
        read("O", *marked)


@pytest.mark.parametrize(
    ("names", "renames", "labels"),
    [
        ("O X PER", "", "X PER"),
        ("O X", "", "X"),
        ("O PAD PER", "", "PAD PER"),
        ("O PER A", "A=X", "PER X"),
        ("O PER A", "A=[UNKNOWN]", "PER [UNKNOWN]"),
        ("O B-PER B-X X", "", "PER X"),
        ("O vitamin-B virus", "", "vitamin-B virus"),
        ("O E.coli yeast", "", "E.coli yeast"),
        ("O PER S", "", "PER S"),
        ("O vitamin-B vitamin-E", "vitamin-B=vitamin-B vitamin-E=vitamin-E", "vitamin-B vitamin-E"),
        ("O LABEL_1", "LABEL_1=LABEL_1", "LABEL_1"),
    ],
)
def test_names_that_are_labels_stay(names: str, renames: str, labels: str) -> None:
    assert read(*names.split(), renames=tuple(renames.split())).labels == set(labels.split())
