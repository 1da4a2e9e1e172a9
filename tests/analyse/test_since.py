"""Two runs compared mention by mention, by hand."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from tests.analyse.audited import attacked, audited, material, renamed

from nerquake.analyse.cases import build_cases
from nerquake.analyse.material import Material
from nerquake.analyse.since import since
from nerquake.core.results import AuditResult
from nerquake.core.sentence import Sentence
from nerquake.core.span import Span

TEXTS = ("[PER Anna] met [PER Ben] in [LOC Bonn]", "[LOC दिल्ली] 🙂", "nobody came", "[PER Ida]")
SIGNATURE = "nerquake:0|scheme:iob2|repair:conlleval|metric:strict|entity-free:score|seed:0"


def result(found: Material, signature: str = SIGNATURE) -> AuditResult:
    """A result with what the comparison reads."""
    models = [{"name": name, "spec": name} for name in found.taggers]
    sets = [{"name": "original", "spec": "original", "reasons": {}, "status": {"unchanged": len(found.original)}}]
    paired = {"original": 1.0, "attacked": 0.5, "drop": 0.5, "low": 0.4, "high": 0.6}
    data: dict[str, Any] = {
        "header": {"version": "0", "signature": signature, "seed": 0, "inputs": [{"name": "d", "sha256": "0"}]},
        "sets": [*sets, *({"name": one.name, "spec": one.spec} for one in found.sets)],
        "taggers": models,
        "results": [{"tagger": m, "set": one.name, "paired": paired} for m in found.taggers for one in found.sets],
        "findings": {},
    }
    return AuditResult(data, build_cases(found.original, found.sets, found.predictions))


def finds(*known: tuple[str, int]) -> Any:
    """A model that has some mentions right, by their text and place, and calls the others X."""

    def model(sentence: Sentence) -> list[Span]:
        return [
            span if (sentence.surface(span), place) in known else Span(span.start, span.end, "X")
            for place, span in enumerate(sentence.spans)
        ]

    return model


def run(*known: tuple[str, int], **more: Any) -> AuditResult:
    data = audited(*TEXTS)
    return result(material(data, [attacked(data, renamed("Zoe"), "s")], {"m": finds(*known)}), **more)


ALL = (("Anna", 0), ("Ben", 1), ("Bonn", 2), ("दिल्ली", 0), ("Ida", 0))


def test_by_hand() -> None:
    """Then Zoe was right in places 0 and 1, so Bonn fell; now in place 2 alone, and Ben is wrong from the start."""
    then = run(*ALL, ("Zoe", 0), ("Zoe", 1))
    now = run(("Anna", 0), ("Bonn", 2), ("दिल्ली", 0), ("Ida", 0), ("Zoe", 2))
    found = since(now, then)
    (record,) = found["records"]
    assert record["mentions_newly_fallen"] == [["s0", 0], ["s1", 0], ["s3", 0]]
    assert record["mentions_recovered"] == [["s0", 2]]
    assert (record["fell_then"], record["fell_now"], record["mentions"], record["sentences"]) == (1, 3, 5, 4)
    assert (record["newly_fallen_wrong_then"], record["recovered_wrong_now"]) == (0, 0)
    assert (found["newly_fallen"], found["recovered"]) == (3, 1)
    example = next(one for one in found["examples"] if (one["parent"], one["mention"]) == ("s0", 0))
    assert (example["original"], example["attacked"]) == ("Anna met Ben …", "Zoe met Zoe …")
    assert (example["was"], example["is"]) == ("✓ PER", "◆ X")


def test_wrong_before_the_attack_too() -> None:
    """Ida was wrong on both sides, and falls now; Anna fell, and is wrong on both sides now."""
    (record,) = since(run(("Ida", 0)), run(("Anna", 0)))["records"]
    assert record["mentions_newly_fallen"] == [["s3", 0]]
    assert record["mentions_recovered"] == [["s0", 0]]
    assert (record["newly_fallen_wrong_then"], record["recovered_wrong_now"]) == (1, 1)


def test_the_same_run_twice() -> None:
    found = since(run(*ALL), run(*ALL))
    assert (found["newly_fallen"], found["recovered"], found["examples"]) == (0, 0, [])
    assert found["records"][0]["change"] == 0


def test_how_they_were_scored_is_said() -> None:
    found = since(run(*ALL), run(*ALL, signature=SIGNATURE.replace("conlleval", "discard")))
    assert found["notes"] == [
        "repair differs: the earlier run was scored with discard, this one with conlleval"
    ]  # fmt: skip


KNOWN = st.sets(st.sampled_from([*ALL, ("Zoe", 0), ("Zoe", 1), ("Zoe", 2)]))


@given(KNOWN, KNOWN)
def test_both_lists_are_set_differences(first: set[tuple[str, int]], second: set[tuple[str, int]]) -> None:
    then, now = run(*first), run(*second)
    fell = [{(c.parent, i) for c in one.cases for i in c.fell["m"]} for one in (then, now)]
    (record,) = since(now, then)["records"]
    assert set(map(tuple, record["mentions_newly_fallen"])) == fell[1] - fell[0]
    assert set(map(tuple, record["mentions_recovered"])) == fell[0] - fell[1]
    (back,) = since(then, now)["records"]
    assert back["mentions_newly_fallen"] == record["mentions_recovered"]
    assert back["newly_fallen_wrong_then"] == record["recovered_wrong_now"]
