"""What a gate says, with figures worked out by hand."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from tests.analyse.plain_material import material, record, under

from nerquake.analyse.gate import judge, parse_policy
from nerquake.analyse.material import Material
from nerquake.core.edits import Edit
from nerquake.core.errors import UsageError

A, B = (0, 1, "PER"), (2, 3, "LOC")


def policy(text: str) -> Any:
    return parse_policy(f"[[rule]]\n{text}\n", "gate.toml")


def one(text: str, found: Material, baseline: Any = None) -> dict[str, Any]:
    checks = judge(policy(text), found, baseline)["checks"]
    assert len(checks) == 1
    return dict(checks[0])


def ten(fallen: int, **more: Any) -> Material:
    """Ten sentences with a person and a place, all found before; people are lost in the first so many after."""
    records = [
        record([A, B], {"m": [A, B]}, {"swap": under([A, B], {"m": [B] if number < fallen else [A, B]})})
        for number in range(10)
    ]
    return material(records, **more)


def test_each_limit_by_hand() -> None:
    """Before 20 of 20; after 16 found of 20, all right: precision 1, recall 0.8, F1 32/36."""
    found = ten(4)
    f1 = 32 / 36
    for text, value in (
        ("max_drop = 0.2", 1 - f1),
        ("max_relative_drop = 0.2", 1 - f1),
        ("min = 0.8", f1),
        ('min = 0.8\nmetric = "strict_recall"', 0.8),
        ('max_drop = 0.0\nmetric = "type_precision"', 0.0),
        ("max_flip_rate = 0.3", 4 / 20),
        ('max_flip_rate = 0.5\nlabels = ["PER"]', 4 / 10),
        ('max_drop = 0.5\nlabels = ["PER"]\ncompare = "point"', 1 - 12 / 16),
    ):
        check = one(text, found)
        assert check["measured"] == pytest.approx(value)
        assert check["status"] == "passed"
        assert check["low"] <= check["measured"] <= check["high"]
    assert one("max_drop = 0.1", found)["status"] == "failed"
    assert one("min = 0.9", found)["status"] == "failed"
    assert one("max_flip_rate = 0.19", found)["status"] == "failed"


def test_a_limit_is_kept_where_it_is_met_exactly() -> None:
    assert one("max_flip_rate = 0.2", ten(4))["status"] == "passed"
    assert one('min = 0.8\nmetric = "strict_recall"', ten(4))["status"] == "passed"


def test_undefined_never_passes() -> None:
    """Case 2: FAC stands nowhere in the attacked set, or nowhere at all."""
    fac = (0, 1, "FAC")
    gone = record([fac], {"m": [fac]}, {"swap": under([], {"m": []}, map=[None])})
    found = material([gone, *[record([B], {"m": [B]}, {"swap": under([B], {"m": [B]})}) for _ in range(4)]])
    for label, why in (("FAC", "no FAC mention in the attacked set"), ("LAW", "no LAW mention in the original text")):
        for limit in ("max_drop = 0.05", "max_relative_drop = 0.05"):
            check = one(f'{limit}\nlabels = ["{label}"]', found)
            assert (check["status"], check["measured"], check["why"]) == ("undecided", None, why)
        judged = judge(policy(f'max_drop = 0.05\nlabels = ["{label}", "LOC"]'), found)
        assert judged["status"] == "undecided"
        assert judged["counts"] == {"failed": 0, "undecided": 1, "passed": 1, "ignored": 0}
    assert one('max_drop = 0.05\nlabels = ["FAC"]\non_undefined = "fail"', found)["status"] == "failed"
    ignored = judge(policy('max_drop = 0.05\nlabels = ["FAC"]\non_undefined = "ignore"'), found)
    assert ignored["checks"][0]["status"] == "ignored"
    assert ignored["status"] == "undecided", "nothing passed, so the gate has not"


def test_every_label_of_data_without_labels_is_undecided() -> None:
    bare = material([record([], {"m": []}, {"swap": under([], {"m": []})})])
    found = judge(policy('labels = ["*"]\nmin = 0.5'), bare)
    assert [(check["label"], check["status"]) for check in found["checks"]] == [("*", "undecided")]
    assert found["status"] == "undecided"
    assert found["checks"][0]["why"] == "no mention in the original text"


def test_a_label_that_is_only_predicted_is_not_evaluated() -> None:
    found = material([record([A], {"m": [A, (5, 6, "LAW")]}, {"swap": under([A], {"m": [A]})})])
    assert one('max_drop = 0.05\nlabels = ["LAW"]', found)["status"] == "undecided"


def test_too_little_support_is_undefined() -> None:
    check = one('max_drop = 0.9\nlabels = ["PER"]\nmin_support = 11', ten(4))
    assert (check["status"], check["why"]) == ("undecided", "support 10, below min_support 11")
    assert one('max_drop = 0.9\nlabels = ["PER"]\nmin_support = 10', ten(4))["measured"] is not None


def test_an_interval_that_holds_the_limit_decides_nothing() -> None:
    """The default for losses of labels, since small sets make gates on points flap."""
    assert one('max_drop = 0.25\nlabels = ["PER"]', ten(4))["status"] == "undecided"
    assert one('max_drop = 0.25\nlabels = ["PER"]\ncompare = "point"', ten(4))["status"] == "passed"
    assert one('max_drop = 0.0\nlabels = ["PER"]', ten(10))["status"] == "failed"
    assert one('max_drop = 0.0\nlabels = ["LOC"]', ten(10))["status"] == "passed"
    assert one('max_drop = 0.25\nlabels = ["PER"]', ten(4, resamples=0))["why"].startswith("its interval is unknown")


def test_a_failure_outranks_what_is_undecided() -> None:
    judged = judge(policy('max_drop = 0.05\nlabels = ["PER", "LAW"]\ncompare = "point"'), ten(4))
    assert judged["status"] == "failed"
    assert [check["status"] for check in judged["checks"]] == ["failed", "undecided"]


def grouped(missed: str) -> Material:
    """Short and long names, twenty each; those of one kind are all missed after the attack."""
    long, records = (0, 2, "PER"), []
    for number in range(40):
        gold = [A] if number % 2 else [long]
        kind = "short" if number % 2 else "long"
        records.append(record(gold, {"m": gold}, {"swap": under(gold, {"m": [] if kind == missed else gold})}))
    return material(records)


def test_planted_groups() -> None:
    """One group wholly missed has recall 0, the other 1; without a planted fault they are equal."""
    judged = judge(policy('min = 0.5\ngroups = ["mention-length"]'), grouped("short"))
    by_group = {check["group"]: (check["measured"], check["status"]) for check in judged["checks"]}
    assert by_group == {
        "mention-length=1 token": (0.0, "failed"),
        "mention-length=2 tokens": (1.0, "passed"),
    }
    same = judge(policy('max_drop = 0\ngroups = ["mention-length"]'), grouped("neither"))
    assert {check["measured"] for check in same["checks"]} == {0.0}
    assert same["status"] == "passed"
    absent = one('min = 0.5\ngroups = ["mention-length=9 tokens"]', grouped("short"))
    assert (absent["status"], absent["why"]) == ("undecided", "no mention with mention-length=9 tokens")


def test_false_alarms_on_sentences_without_a_mention() -> None:
    records = [record([], {"m": []}, {"swap": under([], {"m": [A] if number < 3 else []})}) for number in range(10)]
    found = material([*records, record([A], {"m": [A]}, {"swap": under([A], {"m": [A, B]})})])
    assert one('max = 0.2\nmetric = "false_alarm_rate"', found)["measured"] == pytest.approx(0.3)
    assert one('max = 0.2\nmetric = "false_alarm_rate"', found)["status"] == "failed"
    assert one('max = 0.3\nmetric = "false_alarm_rate"', found)["status"] == "passed"
    none = one('max = 0.3\nmetric = "false_alarm_rate"', ten(4))
    assert (none["status"], none["why"]) == ("undecided", "no sentence without a mention")
    free = one('max = 0.3\nmetric = "false_alarm_rate"\nmin_support = 10', material(records))
    assert (free["support"], free["status"]) == (10, "passed"), "data without a mention can be judged"
    few = one('max = 0.3\nmetric = "false_alarm_rate"\nmin_support = 11', found)
    assert (few["support"], few["status"]) == (10, "undecided")


@pytest.mark.parametrize("group", ["source:locale", "locale", "locale=en_US"])
def test_a_grouping_that_only_another_set_has_is_undecided(group: str) -> None:
    """What replaced names come from is known of replaced names alone; a set without them cannot pass such a rule."""
    sets = {name: under([A], {"m": [A]}) for name in ("faker", "case")}
    found = material([record([A], {"m": [A]}, sets) for _ in range(5)], ("faker", "case"))
    edit = Edit(0, 1, ("new0",), "mention", (("locale", "en_US"),))
    faker, case = found.sets
    faker = replace(faker, variants=tuple(replace(variant, edits=(edit,)) for variant in faker.variants))
    judged = judge(policy(f'min = 0.5\ngroups = ["{group}"]'), replace(found, sets=(faker, case)))
    assert judged["status"] == "undecided"
    assert [(check["set"], check["status"], check["why"][:11]) for check in judged["checks"]] == [
        ("case", "undecided", "no mention "),
        ("faker", "passed", ""),
    ]


def earlier(f1: float | None, gold: int = 10) -> dict[str, Any]:
    block = {"tagger": "m", "set": "swap", "overall": {"strict": {"f1": f1}}}
    return {"results": [{**block, "per_type": {"PER": {"gold": gold, "strict": {"f1": f1}}}}]}


def test_against_an_earlier_run() -> None:
    """F1 is now 32/36; it was 0.95. A label that the earlier run did not evaluate is undecided."""
    text = 'max_drop = 0.05\nagainst = "baseline"'
    check = one(text, ten(4), earlier(0.95))
    assert check["measured"] == pytest.approx(0.95 - 32 / 36)
    assert check["status"] == "failed"
    assert one('max_drop = 0.07\nagainst = "baseline"', ten(4), earlier(0.95))["status"] == "passed"
    for then in (earlier(None), earlier(0.8, gold=0), {"results": []}):
        assert one(f'{text}\nlabels = ["PER"]', ten(4), then)["status"] == "undecided"
    with pytest.raises(UsageError, match="--baseline DIR"):
        judge(policy(text), ten(4))


def test_last_values_stand_beside_these() -> None:
    before = judge(policy("max_drop = 0.2"), ten(1))
    now = judge(policy("max_drop = 0.2"), ten(4), {"findings": {"gate": before}})
    assert now["checks"][0]["last"] == before["checks"][0]["measured"]


def test_names_that_are_not_there() -> None:
    with pytest.raises(UsageError) as caught:
        judge(policy('min = 0.1\nsets = ["swop"]\nmodels = ["n"]\ngroups = ["dmain"]'), ten(4))
    assert "sets swop not in this audit; there: swap" in str(caught.value)
    assert "models n not in this audit; there: m" in str(caught.value)
    with pytest.raises(UsageError, match="no grouping 'dmain'"):
        judge(policy('min = 0.1\ngroups = ["dmain"]'), ten(4))


@pytest.mark.parametrize("limit", ["min = 0.5", "max = 1", "max_flip_rate = 0.5"])
def test_limits_of_this_run_say_nothing_of_an_earlier_one(limit: str) -> None:
    """A floor beside a loss since the last run is a floor still, and has its value in that run beside it."""
    checks = judge(policy(f'max_drop = 1.0\n{limit}\nagainst = "baseline"'), ten(4), earlier(0.95))["checks"]
    against = {check["kind"]: check["against"] for check in checks}
    kind = limit.partition(" ")[0]
    assert against == {"max_drop": "baseline", kind: "original"}
    (other,) = [check for check in checks if check["kind"] == kind]
    assert other["last"] == (None if kind == "max_flip_rate" else 0.95)
