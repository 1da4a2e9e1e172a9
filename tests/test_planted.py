"""Recognisers with one known fault each, through whole audits: findings, verdict and sentences say what is planted."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests import planted
from tests.cli.runner import nerquake

pytestmark = pytest.mark.usefixtures("uncharted")

NEW = "new-names"
ENTITY = ("swap", "letters", NEW)
INTERVAL = r"\(interval [\d.]+ to [\d.]+\)"


class Audited(NamedTuple):
    """What an audit wrote: `found` are the findings; `verdict` and `text` are sentences of report.md, unescaped."""

    data: Any
    verdict: list[str]
    text: str

    @property
    def found(self) -> Any:
        return self.data["findings"]

    def paired(self, name: str, tagger: str = "") -> Any:
        blocks = self.data["results"]
        return next(b["paired"] for b in blocks if b["set"] == name and b["tagger"] == (tagger or blocks[0]["tagger"]))

    def under(self, section: str, name: str) -> Any:
        return next(record for record in self.found[section] if record["set"] == name)

    def kinds(self, name: str) -> dict[str, int]:
        """How many more of each outcome the attack made."""
        return {kind["kind"]: kind["after"] - kind["before"] for kind in self.under("errors", name)["kinds"]}

    def says(self, *patterns: str) -> None:
        """Each of these stands as a sentence of its own in the verdict, in this order."""
        at = 0
        for pattern in patterns:
            found = [n for n, line in enumerate(self.verdict) if n >= at and re.fullmatch(pattern, line)]
            assert found, f"{pattern} is not in {self.verdict[at:]}"
            at = found[0] + 1


Auditor = Callable[..., Audited]


@pytest.fixture(scope="module")
def audit(tmp_path_factory: pytest.TempPathFactory) -> Auditor:
    """Audits models of tests/planted.py; the attacked sets are made once for all."""
    folder = tmp_path_factory.mktemp("planted")
    planted.write(folder)

    @cache
    def audited(*models: str) -> Audited:
        out = folder / "-".join(models)
        attacks = ("swap", "letters", f"gazetteer:{folder / 'new.tsv'},name={NEW}", "mask")
        ran = nerquake("audit", folder / "data.conll",
                       *(part for name in models for part in ("-t", f"callable:tests.planted:{name},name={name}")),
                       *(part for name in attacks for part in ("-p", name)), "--train", folder / "train.conll",
                       "--probe", "--judge", "none", "--resamples", 300, "--work", folder / "work",
                       "-o", out)  # fmt: skip
        assert ran.code == 0, ran.err
        return read(out)

    return audited


def read(folder: Path) -> Audited:
    text = re.sub(r"\\(.)", r"\1", (folder / "report.md").read_text("utf-8")).replace("**", "")
    verdict = [line for line in text.split("\n## ")[0].splitlines()[1:] if line]
    return Audited(json.loads((folder / "result.json").read_text("utf-8")), verdict, text)


def loses(model: str, name: str) -> str:
    compared = "120 of 120 sentences compared"
    return rf"{model} loses [\d.]+ points of F1 under {name}: .* of the loss .* to .*; p [=<] 0\.0.*; {compared}\)\."


def given(model: str, name: str, context: str) -> str:
    return rf"Of 100 mentions that {model} has right, the name alone gives {name} and the context alone {context}.*"


def test_a_model_that_knows_only_names(audit: Auditor) -> None:
    found = audit("names_only")
    found.says(
        loses("names_only", "letters"),
        "Of 100 mentions that it had right, 100 are no longer right; 0 are right only after the attack.",
        r"Most new errors are missed \(\+[\d.]+ points of all mentions\)\.",
        rf"Attacks on mentions hurt more than attacks on the context, by [\d.]+ points {INTERVAL}\.",
        given("names_only", r"100\.0", r"0\.0 \(neutral\) and 0\.0 \(nonsense\); 0\.0 take the two together\."),
    )
    for name in ("letters", NEW):
        assert found.paired(name)["attacked"] == 0
        assert {kind for kind, more in found.kinds(name).items() if more > 0} == {"missed"}
    assert abs(found.paired("mask")["drop"]) < 0.05
    whole = found.found["probe"]["shares"][0]
    assert (whole["label"], whole["given"]["name_only"]["value"], whole["given"]["context"]["mentions"]) == (None, 1, 0)


def test_a_model_that_knows_only_names_finds_none_that_it_has_not_seen(audit: Auditor) -> None:
    found = audit("names_only")
    (seen,) = [r for r in found.found["groups"] if (r["set"], r["grouping"]) == ("mask", "seen-same-label")]
    recall = {group["group"]: group["before"]["value"] for group in seen["groups"]}
    assert recall == {"seen": 1, "unseen": 0}
    assert "it finds 0.0 % of “unseen” and 100.0 % of “seen”, a gap of 100.0 points" in found.text


def test_a_model_that_reads_only_contexts(audit: Auditor) -> None:
    found = audit("contexts_only")
    found.says(
        loses("contexts_only", "mask"),
        r"Most new errors are missed \(.*",
        rf"Attacks on the context hurt more than attacks on mentions, by [\d.]+ points {INTERVAL}\.",
        given("contexts_only", r"0\.0", r"100\.0 \(neutral\) and 100\.0 \(nonsense\); 0\.0 take .*"),
        r"Least harm: contexts_only under swap, 0\.0 points \[0\.0, 0\.0\]\.",
    )
    for name in ENTITY:
        assert (found.paired(name)["drop"], found.paired(name)["right_to_wrong"]) == (0, 0)
    seen = found.under("seen_context", "mask")["interaction"]
    assert seen["low"] < 0 < seen["high"]
    assert "in the contexts of mask, no difference between seen and unseen mentions is shown" in found.text
    assert not re.search(r"fall under (swap|letters|new-names) or", found.text), "sets that break nothing are not alike"


def test_no_loss_is_shown_for_contexts_where_only_names_are_attacked(audit: Auditor, tmp_path: Path) -> None:
    planted.write(tmp_path)
    ran = nerquake("audit", tmp_path / "data.conll", "-t", "callable:tests.planted:contexts_only,name=contexts",
                   "-p", "letters", "-p", "swap", "--resamples", 200, "-o", tmp_path / "out")  # fmt: skip
    assert ran.code == 0, ran.err
    assert (
        read(tmp_path / "out")
        .verdict[0]
        .startswith(
            "No loss shown for contexts under letters: 100.0 → 100.0; the 95 % interval 0.0 to 0.0 includes zero."
        )
    )


def test_a_model_that_reads_contexts_where_it_knows_no_name(audit: Auditor) -> None:
    found = audit("names_then_contexts")
    found.says(
        loses("names_then_contexts", "mask"),
        rf"Attacks on the context hurt more than attacks on mentions, by [\d.]+ points {INTERVAL}\.",
        r"names_then_contexts: in the contexts of mask, unseen mentions lose [\d.]+ points more than seen ones .*",
    )
    record = found.under("seen_context", "mask")
    assert record["interaction"]["low"] > 0.2
    assert record["seen"]["drop"]["value"] < 0.05 < record["unseen"]["drop"]["value"]
    taken = found.under("seen_context", "probe.name")
    assert taken["seen"]["changed"]["value"] == 1
    assert taken["unseen"]["changed"]["value"] == 0


def test_a_model_that_guesses(audit: Auditor) -> None:
    """Its answers hold nothing of names or contexts: what it has right is gone after any attack, as much comes anew."""
    found = audit("at_random")
    assert found.verdict[0].startswith("No loss shown for at_random under ")
    for name in (*ENTITY, "mask"):
        flips = found.under("flips", name)
        assert found.paired(name)["low"] is None or found.paired(name)["p_holm"] >= 0.05
        assert flips["fell"] >= 0.7 * flips["right"], "most of it is gone: the texts are others"
    assert sum(found.under("flips", name)["rose"] for name in (*ENTITY, "mask")) > 5
    whole = found.found["probe"]["shares"][0]
    assert whole["given"]["neither"]["value"] > 0.5
    assert found.under("seen_context", "mask")["interaction"]["low"] < 0
    assert not [line for line in found.verdict if "hurt more" in line or "points more than seen" in line]


def test_a_model_that_mislabels_one_class_under_attack(audit: Auditor) -> None:
    found = audit("mislabels_one_class")
    found.says(
        loses("mislabels_one_class", "letters"),
        r"Most new errors are wrong type \(\+[\d.]+ points of all mentions\)\.",
        r"Most often ORG is now taken for LOC: 0\.0 → 100\.0 % of its mentions\.",
        r"Hit hardest: ORG 100\.0 → 0\.0 \(support \d+\)\.",
    )
    for name in ("letters", NEW):
        drops = found.under("drops", name)
        assert (drops["exact"]["drop"], drops["type_share"]) == (0, pytest.approx(1))
        moved = found.under("confusion", name)["moved"]
        assert (moved["gold"], moved["predicted"], moved["change"]) == ("ORG", "LOC", 1)
        by_label = found.under("flip_table", name)["by_label"]
        assert next(iter(by_label)) == "ORG"
        assert {label for label, block in by_label.items() if block["fell"]} == {"ORG"}
    assert "because a right span has another label (100 % of the loss)" in found.text
    orgs = [share for share in found.found["probe"]["shares"] if share["label"] == "ORG"]
    assert [share["given"]["context"]["value"] for share in orgs] == [0, 0]


def test_a_model_that_shortens_spans_under_attack(audit: Auditor) -> None:
    found = audit("shortens_spans")
    found.says(
        loses("shortens_spans", NEW),
        r"Most new errors are wrong boundary \(\+[\d.]+ points of all mentions\)\.",
        r"New wrong boundaries are most often too short, inside the mention: (\d+) of \1\.",
        rf"Attacks on mentions hurt more than attacks on the context, by [\d.]+ points {INTERVAL}\.",
    )
    errors = found.under("errors", NEW)
    rows = {(row["type"], row["d"]): row["counts"]["after"] for row in errors["rows"]}
    grown = found.kinds(NEW)
    assert rows["right", 1] == grown["boundary"] == -grown["right"] > 0
    assert [(one["what"], one["before"]) for one in errors["boundaries"]] == [
        ("shorter", 0),
        ("longer", 0),
        ("shifted", 0),
    ]
    assert [one["after"] for one in errors["boundaries"]] == [grown["boundary"], 0, 0]
    drops = found.under("drops", NEW)
    assert (drops["type"]["drop"], drops["exact"]["drop"]) == (0, drops["f1"]["drop"])
    assert "0.0 because a right span has another label (0 % of the loss)" in found.text
    lengths = next(r for r in found.found["groups"] if (r["set"], r["grouping"]) == ("letters", "mention-length"))
    after = {group["group"]: group["after"]["value"] for group in lengths["groups"]}
    assert (after["1 token"], after["2 tokens"]) == (1, 0)
    assert "by “Length of the mention”" in found.text


def test_models_together_say_who_is_overtaken_and_where(audit: Auditor) -> None:
    found = audit("contexts_only", "names_then_contexts", "names_only")
    best = found.verdict[-1]
    lead = found.paired("mask", "names_then_contexts")["attacked"] - found.paired("mask", "contexts_only")["attacked"]
    assert best.startswith(
        "The best model on original text, contexts_only, is overtaken by names_then_contexts under mask"
    )
    assert f"(+{100 * lead:.1f} points, p " in best
    found.says(loses("names_only", "letters"), given("names_only", r"100\.0", ".*"))
    ranks = found.under("model_ranks", "mask")
    assert ranks["order_changes"]
    assert {(pair["ahead"], pair["behind"]) for pair in ranks["overtaken"]} >= {
        ("names_then_contexts", "contexts_only")
    }
