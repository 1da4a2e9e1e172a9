"""Python's decoder gives back the cases that went in."""

from __future__ import annotations

import base64
import gzip
import json
import struct
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from tests.report.example import Names, example
from tests.report.island import made
from tests.report.island.decoding import decode
from tests.test_formats import SCHEMAS, check

from nerquake.analyse.records import case_lines, read_cases
from nerquake.core.errors import FormatError, InputError
from nerquake.core.results import AuditResult, Case
from nerquake.report.island.encode import Since, island
from nerquake.report.island.flags import Flag, flags_of
from nerquake.report.island.kept import choose
from nerquake.report.join import join_results
from nerquake.report.view import View
from nerquake.report.write import read_result, write_report


@pytest.mark.parametrize("seed", range(3))
def test_the_cases_come_back(seed: int) -> None:
    view = made.audit(200, seed=seed)
    assert decode(island(view)).cases == view.all_cases


def test_an_audit_of_the_report_tests_comes_back() -> None:
    view = View(example(Names(), 120))
    found = decode(island(view))
    assert found.cases == view.all_cases
    gold = Counter(span.label for case in view.all_cases if case.set == "swap" for span in case.original_spans)
    assert found.header["labels"] == sorted(gold, key=lambda label: (-gold[label], label))
    assert (found.header["groups"], found.header["redacted"], found.header["kept"]) == (["domain"], False, "all")
    assert [s["name"] for s in found.header["sets"]] == ["swap", "letters", "para"]
    assert {s["level"] for s in found.header["sets"]} == {"entity"}
    assert found.header["fingerprint"] == view.header["inputs"][0]["sha256"]


def test_joined_audits_keep_their_sentences_apart() -> None:
    joined = View(join_results({"a/en": example(Names(), 40), "a/de": example(Names(sets=("swap", "x", "y")), 30)}))
    found = decode(island(joined))
    assert found.cases == joined.all_cases
    assert found.header["sentences"] == 70
    assert found.header["groups"] == ["domain", "audit"]
    assert [s["audit"] for s in found.header["sets"]] == ["en"] * 3 + ["de"] * 3


def test_an_island_of_an_earlier_case_file_holds_what_is_there() -> None:
    result = example(Names(), 60)
    old = AuditResult(result.data, tuple(replace(c, outcomes={}, spurious={}) for c in result.cases if c.flipped))
    flipped = sorted((case for case in result.cases if case.flipped), key=lambda case: (case.set, case.parent))
    assert sorted(decode(island(View(old))).cases, key=lambda case: (case.set, case.parent)) == flipped


def test_the_same_result_gives_the_same_bytes_also_when_it_was_read_again() -> None:
    view = made.audit(80)
    again = View(AuditResult(view.data, read_cases(case_lines(view.all_cases))))
    assert island(view) == island(view) == island(again)
    assert base64.b64decode(island(view))[4:8] == bytes(4)


def test_the_island_is_laid_out_as_documented() -> None:
    data = gzip.decompress(base64.b64decode(island(made.audit(50))))
    head, texts = struct.unpack("<II", data[:8])
    header = json.loads(data[8 : 8 + head])
    known = json.loads(data[8 + head : 8 + head + texts])
    sizes = sum(column["width"] * column["length"] for column in header["columns"])
    assert len(data) == 8 + head + texts + sizes
    assert header["columns"][0]["name"] == "id"
    check(header, SCHEMAS["Sentence data of report.html"][0])
    counts = Counter(token for case in made.audit(50).all_cases for token in case.original)
    assert known["tokens"][0] in {token for token, number in counts.items() if number >= max(counts.values()) / 2}
    assert "</script>" not in island(made.audit(50))


def test_a_case_of_an_unknown_set_or_model_is_refused() -> None:
    view = made.audit(5)
    case = view.all_cases[0]
    with pytest.raises(InputError, match=r"a case is of the set other, which result\.json does not have"):
        island(View(AuditResult(view.data, (replace(case, set="other"),))))
    model = next(case for case in view.all_cases if case.predicted)
    renamed = replace(model, predicted={"other": next(iter(model.predicted.values()))})
    with pytest.raises(InputError, match="a case is of the models other"):
        island(View(AuditResult(view.data, (renamed,))))


@pytest.mark.parametrize(
    "damage",
    [
        lambda text: text[:-3],
        lambda text: "§" + text,
        lambda text: text[: len(text) // 8 * 4],
        lambda text: text[:200] + text[204:],
        lambda text: "",
        lambda text: _changed(text, b'"version":1', b'"version":2'),
        lambda text: _changed(text, b'"name":"id"', b'"name":"ix"'),
        lambda text: base64.b64encode(gzip.compress(gzip.decompress(base64.b64decode(text))[:-9])).decode(),
    ],
)  # fmt: skip
def test_a_damaged_island_says_so(damage: object) -> None:
    assert callable(damage)
    with pytest.raises(FormatError, match=r"it cannot be read: .+"):
        decode(damage(island(made.audit(20))))


def _changed(text: str, old: bytes, new: bytes) -> str:
    data = gzip.decompress(base64.b64decode(text))
    assert old in data
    return base64.b64encode(gzip.compress(data.replace(old, new))).decode()


# ---- flags


def test_flags_say_what_became_of_mentions() -> None:
    assert flags_of((("right", "right"),), ()) == 0
    assert flags_of((("right", "type"), ("missed", "right")), ()) == Flag.FELL | Flag.TYPE | Flag.ROSE
    assert flags_of((("type", "boundary"),), (0,)) == Flag.BOUNDARY | Flag.SPURIOUS
    assert flags_of((("right", "gone"), ("missed", "gone")), ()) == 0
    assert flags_of((("gone", "missed"), ("gone", "right")), ()) == Flag.MISSED


def test_the_flags_of_an_audit_count_what_the_findings_count() -> None:
    view = View(example(Names(), 120))
    found = decode(island(view))
    for place, name in enumerate(view.sets):
        for model, tagger in enumerate(view.taggers):
            fell = sum(bool(flag & Flag.FELL) for flag in found.flags[place, model])
            cases = [case for case in view.all_cases if case.set == name and case.predicted]
            assert fell == sum(bool(case.fell[tagger]) for case in cases) > 0


def test_changes_since_the_last_run_are_flags() -> None:
    view = made.audit(40)
    model = view.taggers[0]
    answered = [case.parent for case in view.all_cases if case.set == "swap" and model in case.predicted]
    since = Since(frozenset({("swap", model, answered[0])}), frozenset({("swap", model, answered[1])}))
    flags = decode(island(view, since=since)).flags
    new = [place for place, flag in enumerate(flags[0, 0]) if flag & Flag.NEWLY_FALLEN]
    back = [place for place, flag in enumerate(flags[0, 0]) if flag & Flag.RECOVERED]
    assert ([f"s{place:05d}" for place in new], [f"s{place:05d}" for place in back]) == (answered[:1], answered[1:2])
    assert not any(flag >= 64 for key, row in flags.items() if key != (0, 0) for flag in row)


# ---- some of the cases


def test_only_cases_that_fell_or_rose() -> None:
    view = made.holding(View(example(Names(), 60)), "fell")
    found = decode(island(view))
    expected = [case for case in view.all_cases if any(case.fell.values()) or any(case.rose.values())]
    assert list(found.cases) == expected
    assert 0 < len(expected) < len(view.all_cases)
    assert (found.header["kept"], found.header["cases"]) == ("fell", {"all": 180, "kept": len(expected)})


def test_some_cases_are_drawn_from_every_set_and_flag_and_stay_in_order() -> None:
    cases = made.audit(300).all_cases
    few = choose(cases, 400, 13)
    assert len(few) == 400
    assert [cases.index(case) for case in few] == sorted(cases.index(case) for case in few)
    strata = {(case.set, _flags(case)) for case in cases}
    counts = Counter((case.set, _flags(case)) for case in few)
    assert counts.keys() == strata
    rare = {key for key in strata if Counter((c.set, _flags(c)) for c in cases)[key] == 1}
    assert rare <= counts.keys()
    assert few == choose(cases, 400, 13) != choose(cases, 400, 14)
    fewer = choose(cases, 30, 13)
    assert set(map(id, fewer)) < set(map(id, few))
    assert len({case.set for case in fewer}) == 3


def _flags(case: Case) -> int:
    flags = 0
    for tagger in case.predicted:
        flags |= flags_of(case.outcomes[tagger], case.spurious[tagger])
    return flags


@pytest.mark.parametrize(("kept", "number"), [(1, 1), (10_000, 60), ("all", 60)])
def test_as_many_cases_as_asked_for(kept: int, number: int) -> None:
    view = made.holding(made.audit(20), kept)
    assert len(decode(island(view)).cases) == number


def test_the_island_of_a_written_audit_equals_that_of_the_audit(tmp_path: Path) -> None:
    result = example(Names(token="\ud800"), 60)
    write_report(result, tmp_path)
    assert island(View(read_result(tmp_path))) == island(View(result))
