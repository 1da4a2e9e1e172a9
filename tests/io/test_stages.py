"""Stage files hold everything, and are found again only where nothing has changed."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.strategies import datasets, edits

from nerquake.core.dataset import Dataset
from nerquake.core.edits import Edit, Rewrite, apply_edits, apply_rewrite
from nerquake.core.errors import InputError, OutputError
from nerquake.core.results import Predictions
from nerquake.core.sentence import Sentence
from nerquake.core.span import Span
from nerquake.core.variant import NO_CANDIDATE, NOT_SAMPLED, AttackedSet, Variant
from nerquake.io import variants_file
from nerquake.io.predictions_file import read_predictions, write_predictions
from nerquake.io.stages import StageKey
from nerquake.io.variants_file import read_variants

GOLD = Dataset(
    "gold.conll",
    (
        Sentence("s1", ("Anna", "met", "Bo"), (Span(0, 1, "PER"), Span(2, 3, "PER")), columns=(("X",), ("Y",), ("Z",))),
        Sentence("s2", ("nothing", "here"), meta=(("domain", "news"),), doc_id="d"),
        Sentence("s3", ("Ulm",), (Span(0, 1, "LOC"),), spaces=(False,)),
        Sentence("s4", ("left", "out")),
    ),
)


def write_variants(path: Path, dataset: Dataset, attacked: AttackedSet, seed: int, **more: Any) -> None:
    variants_file.write_variants(path, attacked, dataset, StageKey.of(attacked.spec, seed, dataset, **more))


def find_variants(path: Path, dataset: Dataset, spec: str, seed: int, **more: Any) -> AttackedSet | None:
    return read_variants(path, dataset, StageKey.of(spec, seed, dataset, **more))


def edited(sentence: Sentence, changes: list[Edit]) -> Variant:
    applied = apply_edits(sentence, changes, f"{sentence.id}~swap")
    made = replace(applied.sentence, source=sentence.id)
    return Variant(made, sentence.id, "changed", "", tuple(changes), None, applied.mentions, 2, 1)


def kept(sentence: Sentence, status: str, reason: str) -> Variant:
    same = replace(sentence, id=f"{sentence.id}~swap", source=sentence.id)
    return Variant(same, sentence.id, status, reason, mentions=tuple(range(len(sentence.spans))))  # type: ignore[arg-type]


def attacked_set() -> AttackedSet:
    s1, s2, s3, s4 = GOLD.sentences
    source = (("from", "s3"), ("locale", "de_DE"), ("from", "s9"))
    first = edited(s1, [Edit(0, 1, ("Rosa", "Lind"), "mention", source)])
    rewrite = Rewrite(("Ulm", "now"), (), (None,), (("partner", "s1"),))
    applied = apply_rewrite(s3, rewrite, "s3~swap")
    third = Variant(replace(applied.sentence, source="s3"), "s3", "changed", "", (), rewrite, applied.mentions, 1, 0)
    variants = (first, kept(s2, "not-applicable", "no mention"), third, kept(s4, "discarded", NOT_SAMPLED))
    return AttackedSet("swap", "swap:types=PER", "entity", variants, ("a note",))


def test_an_attacked_set_is_read_back_equal(tmp_path: Path) -> None:
    path = tmp_path / "variants.jsonl"
    write_variants(path, GOLD, attacked_set(), 7)
    assert read_variants(path, GOLD) == attacked_set()


def test_the_file_is_as_the_contract_says(tmp_path: Path) -> None:
    path = tmp_path / "variants.jsonl"
    write_variants(path, GOLD, attacked_set(), 7)
    header, first, second, *_ = map(json.loads, path.read_text("utf-8").splitlines())
    assert header["format"] == "nerquake.variants/1"
    assert (header["seed"], header["input"], header["spec"]) == (7, GOLD.fingerprint, "swap:types=PER")
    assert {"version", "content", "name", "level"} <= set(header)
    assert first == {
        "id": "s1~swap", "parent": "s1", "status": "changed", "reason": "",
        "tokens": ["Rosa", "Lind", "met", "Bo"], "spans": [[0, 2, "PER"], [3, 4, "PER"]],
        "edits": [{"start": 0, "end": 1, "old": ["Anna"], "new": ["Rosa", "Lind"], "kind": "mention",
                   "source": {"from": "s9", "locale": "de_DE"},
                   "sources": [["from", "s3"], ["locale", "de_DE"], ["from", "s9"]]}],
        "mentions": [[0, 0], [1, 1]], "attackable": 2, "replaced": 1,
    }  # fmt: skip
    assert (second["status"], second["reason"], second["edits"]) == ("not-applicable", "no mention", [])


def test_the_same_set_writes_the_same_bytes(tmp_path: Path) -> None:
    for name in ("a", "b"):
        write_variants(tmp_path / name, GOLD, attacked_set(), 0, sample=3)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_what_does_not_follow_from_the_edits_is_said(tmp_path: Path) -> None:
    odd = attacked_set()
    sentence = replace(odd.variants[0].sentence, meta=(("k", "v"),), columns=(), source=None, doc_id="x", hashed=True)
    stray = replace(odd.variants[1].sentence, tokens=("other", "tokens", "altogether"))
    changed = replace(odd, variants=(
        replace(odd.variants[0], sentence=sentence), replace(odd.variants[1], sentence=stray), *odd.variants[2:]
    ))  # fmt: skip
    write_variants(tmp_path / "v", GOLD, changed, 0)
    assert read_variants(tmp_path / "v", GOLD) == changed


@settings(max_examples=40)
@given(st.data())
def test_any_edited_set_is_read_back_equal(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    dataset = data.draw(datasets(laid_out=True, max_size=4))
    variants = []
    for sentence in dataset:
        changes = tuple(data.draw(edits(sentence)))
        applied = apply_edits(sentence, changes, f"{sentence.id}~x")
        made = replace(applied.sentence, source=sentence.id)
        variants.append(Variant(made, sentence.id, "changed", NO_CANDIDATE, changes, None, applied.mentions))
    attacked = AttackedSet("x", "x", "both", tuple(variants))
    path = tmp_path_factory.getbasetemp() / "any.jsonl"
    write_variants(path, dataset, attacked, 0)
    assert read_variants(path, dataset) == attacked


def test_a_rerun_finds_a_stage_only_where_nothing_has_changed(tmp_path: Path) -> None:
    path = tmp_path / "v"
    write_variants(path, GOLD, attacked_set(), 7, sample=None, files=("a",))
    spec = attacked_set().spec
    assert find_variants(path, GOLD, spec, 7, sample=None, files=("a",)) == attacked_set()
    assert find_variants(path, GOLD, spec, 8, sample=None, files=("a",)) is None
    assert find_variants(path, GOLD, "swap", 7, sample=None, files=("a",)) is None
    assert find_variants(path, GOLD, spec, 7, sample=4, files=("a",)) is None
    relabelled = replace(GOLD, sentences=(GOLD.sentences[0].with_spans([]), *GOLD.sentences[1:]))
    assert find_variants(path, relabelled, spec, 7, sample=None, files=("a",)) is None
    assert find_variants(tmp_path / "none", GOLD, spec, 7) is None


def damage(path: Path, how: str) -> None:
    lines = path.read_text("utf-8").splitlines(keepends=True)
    if how == "cut":
        path.write_text("".join(lines)[:-20], "utf-8")
    elif how == "line lost":
        path.write_text("".join(lines[:2] + lines[3:]), "utf-8")
    elif how == "bytes":
        path.write_bytes(path.read_bytes()[:300] + b"\xff" + path.read_bytes()[300:])
    elif how == "no header":
        path.write_text("".join(lines[1:]), "utf-8")
    elif how == "empty":
        path.write_bytes(b"")
    else:
        old, new = how.split(" -> ")
        assert old in path.read_text("utf-8")
        path.write_text("".join(lines).replace(old, new), "utf-8")


@pytest.mark.parametrize(
    "how",
    ["cut", "line lost", "bytes", "no header", "empty", '"Anna" -> "Inga"', '"status": "changed" -> "status": "odd"',
     '"parent": "s1" -> "parent": "s8"', '"edits" -> "edit"', '[[0, 2, "PER"] -> [[0, 9, "PER"]',
     '"kind": "mention" -> "kind": "word"', '"level": "entity" -> "level": "deep"', '[[0, 0], [1, 1]] -> [[0, 0]]'],
)  # fmt: skip
def test_a_damaged_file_is_one_message(tmp_path: Path, how: str) -> None:
    path = tmp_path / "variants.jsonl"
    write_variants(path, GOLD, attacked_set(), 7)
    damage(path, how)
    with pytest.raises(InputError, match=r"variants\.jsonl.*damaged.*delete it"):
        read_variants(path, GOLD)


def test_files_that_are_not_there_or_of_another_kind_are_one_message(tmp_path: Path) -> None:
    assert read_variants(tmp_path / "none", GOLD) is None
    with pytest.raises(InputError, match="cannot be read"):
        read_variants(tmp_path, GOLD)
    write_predictions(tmp_path / "p", PREDICTIONS, StageKey.of("rules", 0, GOLD))
    with pytest.raises(InputError, match=r"nerquake\.predictions/1"):
        read_variants(tmp_path / "p", GOLD)
    foreign = replace(attacked_set(), variants=(replace(attacked_set().variants[0], parent="s99"),))
    with pytest.raises(OutputError, match="s99"):
        write_variants(tmp_path / "v", GOLD, foreign, 0)


PREDICTIONS = Predictions(
    tagger="model",
    ids=("s1", "s2", "s3", "s4"),
    spans=((Span(0, 1, "PER", 0.25),), (), (Span(0, 1, "LOC"),), ()),
    unseen=((2,), (), (), (0, 1)),
    invalid=3,
    left_out={"B": 1, "A": 2},
)


def test_predictions_are_read_back_equal(tmp_path: Path) -> None:
    path, key = tmp_path / "p.jsonl", StageKey.of("rules:names.tsv", 0, GOLD, labels=["PER"])
    write_predictions(path, PREDICTIONS, key, "swap")
    found = read_predictions(path, GOLD.sentences, key, "swap")
    assert found == PREDICTIONS
    assert found is not None
    assert found.spans[0][0].score == 0.25
    assert len(path.read_text("utf-8").splitlines()) == 5
    assert read_predictions(path, GOLD.sentences, key, "original") is None
    assert read_predictions(path, GOLD.sentences, StageKey.of("rules", 0, GOLD), "swap") is None
    assert read_predictions(tmp_path / "none", GOLD.sentences, key) is None


@pytest.mark.parametrize(
    "how", ["cut", "line lost", '"id": "s2" -> "id": "s9"', "[0, 1, -> [0, 7,", '"unseen" -> "seen"',
            '"invalid_transitions" -> "invalid"']
)  # fmt: skip
def test_damaged_predictions_are_one_message(tmp_path: Path, how: str) -> None:
    path, key = tmp_path / "p.jsonl", StageKey.of("rules", 0, GOLD)
    write_predictions(path, PREDICTIONS, key)
    damage(path, how)
    with pytest.raises(InputError, match=r"p\.jsonl.*damaged.*delete it"):
        read_predictions(path, GOLD.sentences, key)
