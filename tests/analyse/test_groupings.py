"""Which group each mention belongs to, by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from tests.analyse.audited import attacked, audited, bracketed, material, perfect, renamed
from tests.strategies import datasets

from nerquake.analyse.groupings import Grouping, capitals, known_surfaces, mention_groupings, replacement_groupings
from nerquake.core.dataset import Dataset

TRAINING = audited(
    "[PER May] met [PER Anna Lee] in [LOC Bonn]",
    "[DATE May] in [LOC BONN] with [PER May] and [ORG Bonn] and [DATE March] and [DATE March]",
)
DATA = audited("[PER May] likes [LOC Bonn] and [PER anna lee] , not [ORG Acme] [DATE March]")


def named(found: tuple[Grouping, ...]) -> dict[str, list[str | None]]:
    return {one.name: [one.groups[code] if code >= 0 else None for code in one.codes] for one in found}


def test_seen_and_unseen_in_training_exactly_folded_under_the_label_or_any() -> None:
    data = audited("[LOC May] likes [LOC bonn] and [PER anna lee] , not [ORG Acme] [DATE March] [PER March]")
    found = named(mention_groupings(data, known_surfaces(TRAINING)))
    yes, no = "seen", "unseen"
    assert found["seen-same-label"] == [no, no, no, no, yes, no]
    assert found["seen-any-label"] == [yes, no, no, no, yes, yes]
    assert found["seen-folded-same-label"] == [no, yes, yes, no, yes, no]
    assert found["seen-folded-any-label"] == [yes, yes, yes, no, yes, yes]


def test_without_training_data_nothing_is_called_seen_or_unseen() -> None:
    found = named(mention_groupings(DATA, None))
    assert not [name for name in found if "seen" in name]
    assert set(found) == {"mention-length", "sentence-length", "position", "capitals", "consistency-audited"}


def test_lengths_and_positions() -> None:
    filler = " ".join(["w"] * 6)
    data = audited(f"[A a] [B b b] c [C d d d] [D e e e e e] {filler}")  # 18 tokens
    found = named(mention_groupings(data, None))
    assert found["mention-length"] == ["1 token", "2 tokens", "3 tokens", "4 or more tokens"]
    assert found["sentence-length"] == ["10 to 19 tokens"] * 4
    assert found["position"] == ["at the start", "in the first third", "in the first third", "in the middle third"]
    short = audited("x x [A a]", "[A a]", " ".join(["w"] * 44) + " [A a]", " ".join(["w"] * 29) + " [A a]")
    found = named(mention_groupings(short, None))
    assert found["sentence-length"] == ["under 10 tokens", "under 10 tokens", "40 or more tokens", "30 to 39 tokens"]
    assert found["position"] == ["in the last third", "at the start", "in the last third", "in the last third"]


@pytest.mark.parametrize(
    ("text", "pattern"),
    [
        ("Anna Lee", "every word capitalised"),
        ("McDonald", "every word capitalised"),
        ("McDonald 's", "mixed"),
        ("O'Hara", "every word capitalised"),
        ("A B", "every word capitalised"),
        ("ǅungla", "every word capitalised"),
        ("EU", "all capitals"),
        ("U.S. NAVY 7", "all capitals"),
        ("Bank of England", "mixed"),
        ("iPhone", "mixed"),
        ("'t Hooft", "mixed"),
        ("euro zone", "no capitals"),
        ("24 / 7", "no letter with case"),
        ("दिल्ली", "no letter with case"),
    ],
)
def test_capitals(text: str, pattern: str) -> None:
    assert capitals(tuple(text.split())) == pattern


def test_label_consistency_in_the_training_data() -> None:
    # May: PER, DATE, PER; Bonn: LOC, ORG; Anna Lee: PER; March: DATE twice
    data = audited("[PER May] [DATE May] [LOC Bonn] [PER Bonn] [DATE March] [PER Zoe] [PER anna Lee]")
    found = named(mention_groupings(data, known_surfaces(TRAINING)))["consistency-training"]
    always, mostly, seldom = "always the same label", "mostly the same label", "seldom the same label"
    nothing = "no other mention with this text"
    assert found == [mostly, seldom, mostly, "never the same label", always, nothing, nothing]


def test_label_consistency_in_the_audited_set_leaves_the_mention_itself_out() -> None:
    data = audited("[PER May] [DATE May] [PER May] [PER May] [LOC Bonn] [ORG EU] [ORG EU] [A x] [B x]")
    found = named(mention_groupings(data, None))["consistency-audited"]
    mostly, never = "mostly the same label", "never the same label"
    nothing, always = "no other mention with this text", "always the same label"
    assert found == [mostly, never, mostly, mostly, nothing, always, always, never, never]


def test_columns_documents_and_what_the_file_says_of_a_sentence() -> None:
    first = bracketed("a", "in [LOC Bad Ems] [X y]", doc_id="d1", meta=(("domain", "news"),),
                      columns=(("IN", "1"), ("JJ", "2"), ("NN", "3"), ("ZZ", "4")))  # fmt: skip
    second = bracketed("b", "[PER Bo]", doc_id="d2")
    found = mention_groupings(Dataset("d", (first, second)), None)
    shown = named(found)
    assert shown["document"] == ["d1", "d1", "d2"]
    assert shown["meta:domain"] == ["news", "news", None]
    assert (shown["column:1"], shown["column:2"]) == (["JJ", "ZZ", None], ["2", "4", None])
    assert {one.name for one in found if one.data} == {"document", "meta:domain", "column:1", "column:2"}


def test_where_a_replacement_comes_from() -> None:
    data = audited("[PER Anna] met [PER Bo] .", "[LOC Ulm]")
    origin = {
        "Anna": (("locale", "de_DE"), ("was", "Anna"), ("from", "x:1")),
        "Bo": (("item", "Q1"), ("class", "Q5"), ("class-title", "human")),
        "Ulm": (),
    }
    made = attacked(data, renamed("Ulm", lambda old: origin[old]))
    found = material(data, [made], {"m": perfect})
    variants = {variant.id: variant for variant in made.kept}
    fates = found.fates("m", made)
    shown = named(replacement_groupings(fates, variants, known_surfaces(audited("in [LOC ULM]"))))
    assert shown == {
        "replacement-seen": ["seen", "seen", None],
        "source:class": [None, "human", None],
        "source:locale": ["de_DE", None, None],
    }
    assert "replacement-seen" not in named(replacement_groupings(fates, variants, None))


@settings(max_examples=40)
@given(datasets(laid_out=True))
def test_every_mention_has_a_group_in_every_grouping_that_is_not_by_the_users_data(data: Dataset) -> None:
    for training in (None, known_surfaces(data)):
        for one in mention_groupings(data, training):
            assert len(one.codes) == data.mentions.total()
            assert one.data or (one.codes >= 0).all()
            assert list(one.groups) == sorted(set(one.groups))
    known = named(mention_groupings(data, known_surfaces(data)))
    assert set(known["seen-same-label"]) <= {"seen"}


@settings(max_examples=40)
@given(datasets(), datasets())
def test_what_is_seen_under_its_label_is_seen_and_what_is_seen_exactly_is_seen_folded(
    data: Dataset, other: Dataset
) -> None:
    known = named(mention_groupings(data, known_surfaces(replace(other, name="train"))))
    for narrow, wide in (
        ("seen-same-label", "seen-any-label"),
        ("seen-folded-same-label", "seen-folded-any-label"),
        ("seen-same-label", "seen-folded-same-label"),
        ("seen-any-label", "seen-folded-any-label"),
    ):
        assert all(w == "seen" for n, w in zip(known[narrow], known[wide], strict=True) if n == "seen")
