"""What decode.js tells the page equals the cases that Python wrote."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest
from tests.report.example import Names, example
from tests.report.island import made, node

from nerquake.analyse.flips import outcomes
from nerquake.core.results import AuditResult, Case
from nerquake.core.sentence import Sentence
from nerquake.core.span import Span
from nerquake.core.variant import AttackedSet
from nerquake.report.island.encode import Since, island
from nerquake.report.view import View

pytestmark = pytest.mark.skipif(not node.available(), reason="Node.js 18 or later is not installed")
CODES = ("right", "type", "boundary", "missed", "gone")
STATUSES = ("changed", "unchanged", "not-applicable", "discarded", "")


class Expected:
    """What the page is to be told, from the cases alone."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.cases: dict[tuple[str, str], Case] = {(case.set, case.parent): case for case in view.all_cases}
        gold: dict[str, int] = {}
        self.parents = dict.fromkeys(case.parent for case in view.all_cases)
        self.any = {case.parent: case for case in view.all_cases}
        for case in self.any.values():
            for span in case.original_spans:
                gold[span.label] = gold.get(span.label, 0) + 1
        for case in view.all_cases:
            for span in (*case.attacked_spans, *(s for both in case.predicted.values() for said in both for s in said)):
                gold.setdefault(span.label, 0)
        self.labels = sorted(gold, key=lambda label: (-gold[label], label))

    def spans(self, spans: Sequence[Span]) -> list[list[int]]:
        return [[span.start, span.end, self.labels.index(span.label)] for span in spans]

    def rows(self, groups: Sequence[str]) -> list[dict[str, Any]]:
        return [self._row(parent, groups) for parent in self.parents]

    def _row(self, parent: str, groups: Sequence[str]) -> dict[str, Any]:
        case = self.any[parent]
        fields = {**case.meta, **({"doc_id": case.doc_id} if case.doc_id else {})}
        told = [self.cases.get((name, parent)) for name in self.view.sets]
        before: list[Any] = []
        for model in self.view.taggers:
            before.append(next((one.predicted[model][0] for one in told if one and model in one.predicted), None))
        gold = case.original_spans
        return {
            "id": parent,
            "tokens": list(case.original),
            "gold": self.spans(gold),
            "groups": [fields.get(name, "") for name in groups],
            "predicted": [None if said is None else self.spans(said) for said in before],
            "spurious": [self.spans(outcomes(gold, said or ()).spurious) for said in before],
            "sets": [
                self._told(parent, name, one) for name, one in zip(self.view.sets, told, strict=True)
            ],
        }  # fmt: skip

    def _told(self, parent: str, name: str, case: Case | None) -> dict[str, Any]:
        none: list[Any] = [None for _ in self.view.taggers]
        if case is None:
            size = len(self.any[parent].original_spans)
            text = {"tokens": [], "gold": [], "map": [-1] * size, "edits": [], "rewrite": False, "source": []}
            return {"status": "", "code": 4, "reason": "", "id": f"{parent}~{name}", "variant": text,
                    "predicted": none, "flags": [0 for _ in none], "outcomes": [[] for _ in none],
                    "spurious": [[] for _ in none], "codes": [[] for _ in none],
                    "mentions": [[old, -1] for old in range(size)],
                    "mentionLabels": self._labels(self.any[parent])}  # fmt: skip
        models = self.view.taggers
        whole = case.status == "changed" and not case.edits
        edits = [
            {"start": e["start"], "end": e["end"], "new": e["new"], "kind": e["kind"],
             "source": [[key, value] for key, value in e["source"].items()]}
            for e in case.edits
        ]  # fmt: skip
        told = [self._outcomes(case, m) if m in case.predicted else [] for m in models]
        mentions = [[old, -1 if new is None else new] for old, new in enumerate(case.mentions)]
        come = [new for new in range(len(case.attacked_spans)) if new not in case.mentions]
        labels = self._labels(case) + [self.labels.index(case.attacked_spans[new].label) for new in come]
        return {
            "status": case.status,
            "code": STATUSES.index(case.status),
            "reason": case.reason,
            "id": case.id,
            "variant": {
                "tokens": list(case.attacked), "gold": self.spans(case.attacked_spans),
                "map": [-1 if new is None else new for new in case.mentions], "edits": None if whole else edits,
                "rewrite": whole, "source": [[key, value] for key, value in case.source.items()],
            },
            "predicted": [self.spans(case.predicted[m][1]) if m in case.predicted else None for m in models],
            "flags": [self.flags(case, m) if m in case.predicted else 0 for m in models],
            "outcomes": told,
            "codes": [[one["before"] + 16 * one["after"] for one in found] for found in told],
            "mentions": [*mentions, *([-1, new] for new in come)],
            "mentionLabels": labels,
            "spurious": [self._spurious(case, m) if m in case.predicted else [] for m in models],
        }  # fmt: skip

    def _labels(self, case: Case) -> list[int]:
        return [self.labels.index(span.label) for span in case.original_spans]

    def flags(self, case: Case, model: str) -> int:
        now = outcomes(case.attacked_spans, case.predicted[model][1])
        kinds = [str(outcome.kind) for outcome in now.mentions]
        bits = (case.fell[model], case.rose[model], *("x" * kinds.count(kind) for kind in CODES[1:4]), now.spurious)
        return sum(1 << place for place, found in enumerate(bits) if found)

    def _outcomes(self, case: Case, model: str) -> list[dict[str, Any]]:
        before, after = (
            outcomes(gold, said).mentions
            for gold, said in zip((case.original_spans, case.attacked_spans), case.predicted[model], strict=True)
        )
        pairs = [(was, None if new is None else after[new]) for was, new in zip(before, case.mentions, strict=True)]
        pairs += [(None, now) for new, now in enumerate(after) if new not in case.mentions]  # type: ignore[misc]
        return [
            {
                "before": CODES.index(was.kind if was else "gone"), "after": CODES.index(now.kind if now else "gone"),
                "saidBefore": self.spans([was.said])[0] if was and was.said else None,
                "saidAfter": self.spans([now.said])[0] if now and now.said else None,
            }
            for was, now in pairs
        ]  # fmt: skip

    def _spurious(self, case: Case, model: str) -> list[list[int]]:
        return self.spans([case.predicted[model][1][place] for place in case.spurious[model]])


def check(view: View, folder: Path) -> Any:
    """The page is told exactly what the cases hold; returns the header."""
    told = node.ask(folder, island(view))
    expected = Expected(view)
    assert told["header"]["labels"] == expected.labels
    rows = expected.rows(told["header"]["groups"])
    assert len(told["found"]) == len(rows)
    for found, row in zip(told["found"], rows, strict=True):
        assert found == row
    return told["header"]


def test_three_thousand_cases_are_told_as_they_are(tmp_path: Path) -> None:
    view = made.audit(1000)
    assert len(view.all_cases) == 3000
    header = check(view, tmp_path)
    assert header["groups"] == ["domain", "doc_id"]
    assert header["cases"] == {"all": 3000, "kept": 3000}


def test_an_audit_of_the_report_tests_is_told_as_it_is(tmp_path: Path) -> None:
    check(View(example(Names(), 120)), tmp_path)


def test_a_sentence_of_many_mentions_is_told_as_it_is(tmp_path: Path) -> None:
    draw = Random(3)
    spans = tuple(Span(at, at + 1, "LOC") for at in range(0, 700, 2))
    assert len(spans) == 350
    long = Sentence("s1", tuple(f"w{at}" for at in range(700)), spans)
    short = made.sentence(draw, 2)
    sentences = [long, short]
    view = made.view(sentences, made.attacks(draw, sentences, ["a", "b", "c", "d"]))
    header = check(view, tmp_path)
    widths = {column["name"]: column["width"] for column in header["columns"]}
    assert widths["gold.count"] == widths["gold.start"] == 2
    assert widths["gold.length"] == 1


def test_a_vocabulary_of_seventy_thousand_words_is_told_as_it_is(tmp_path: Path) -> None:
    draw = Random(4)
    words = [f"w{number}" for number in range(70_000)]
    sentences = [
        Sentence(f"s{number}", tuple(words[number * 100 : (number + 1) * 100]), made.spans(draw, 100))
        for number in range(700)
    ]
    header = check(made.view(sentences, made.attacks(draw, sentences, ["swap"]), models=1), tmp_path)
    (column,) = (column for column in header["columns"] if column["name"] == "tokens")
    assert (column["width"], column["length"], column["planes"]) == (4, 70_000, True)


@pytest.mark.parametrize("names", [[], ["only"]])
def test_no_sets_and_no_sentences_are_no_fault(tmp_path: Path, names: list[str]) -> None:
    sets = tuple(AttackedSet(name, name, "none", ()) for name in names)
    told = node.ask(tmp_path, island(made.view([], sets)))
    assert (told["found"], told["header"]["sentences"], len(told["header"]["sets"])) == ([], 0, len(names))


def test_a_page_of_some_cases_has_no_status_for_the_others(tmp_path: Path) -> None:
    told = node.ask(tmp_path, island(made.holding(made.audit(60), 40)))
    statuses = [one["status"] for row in told["found"] for one in row["sets"]]
    assert sum(status != "" for status in statuses) == 40
    assert "" in statuses
    assert told["header"]["cases"] == {"all": 180, "kept": 40}


def test_what_changed_since_the_last_run_is_in_the_flags(tmp_path: Path) -> None:
    view = made.audit(30)
    model = view.taggers[1]
    since = Since(frozenset({("swap", model, "s00003")}), frozenset({("swap", model, "s00004")}))
    told = node.ask(tmp_path, island(view, since=since))
    plain = node.ask(tmp_path, island(view))
    changed = {
        (row["id"], place, number): new ^ old
        for row, before in zip(told["found"], plain["found"], strict=True)
        for place, (a, b) in enumerate(zip(row["sets"], before["sets"], strict=True))
        for number, (new, old) in enumerate(zip(a["flags"], b["flags"], strict=True))
        if new != old
    }
    answered = {case.parent for case in view.all_cases if case.set == "swap" and model in case.predicted}
    expected = {("s00003", 0, 1): 64, ("s00004", 0, 1): 128}
    assert changed == {key: bit for key, bit in expected.items() if key[0] in answered}
    assert changed


@pytest.mark.parametrize(
    ("damage", "reason"),
    [
        (lambda text: text[:-3], "Error: the text is not whole base64"),
        (lambda text: "§" + text, "Error: the text is not whole base64"),
        (lambda text: text[: len(text) // 8 * 4], "Error: the compressed data are damaged or cut short"),
        (lambda text: text[:200] + text[204:], "Error: the compressed data are damaged or cut short"),
        (lambda text: "", "Error: "),
        (lambda text: "aGVsbG8gd29ybGQh", "Error: the compressed data are damaged or cut short"),
    ],
)
def test_a_damaged_island_says_what_is_wrong(tmp_path: Path, damage: Any, reason: str) -> None:
    told = node.ask(tmp_path, damage(island(made.audit(20))))
    assert told["error"].startswith(reason)


# ---- search


def stands(query: str, texts: Sequence[str], name: str) -> bool:
    """Whether a query stands in a text, or begins or is an id."""
    wanted = unicodedata.normalize("NFC", query).lower()
    text = unicodedata.normalize("NFC", " ".join(texts)).lower()
    digits = any(sign in "0123456789" for sign in wanted)
    return wanted in text or wanted == name.lower() or (digits and name.lower().startswith(wanted))


def expected_hits(view: View, query: str, name: str | None) -> list[int]:
    """The sentences that a query is to find under a set."""
    hits: dict[str, bool] = {}
    for case in view.all_cases:
        hits.setdefault(case.parent, stands(query, case.original, case.parent))
        if case.set == name:
            hits[case.parent] |= stands(query, case.attacked, case.id)
    return [place for place, hit in enumerate(hits.values()) if hit]


QUERIES = (
    *("Berlin", "berl", "BAD HOMBURG", "ank of gha", "New York", "  berlin  york ", "İSTANBUL", "e\u0301", "👩"),
    *("मुंबई", "में राहुल", "inserted", "inserted words", "within", "at the end", "the at the", "nowhere"),
    *("s00007", "s0001", "s00007~swap+mask", "s", "</script>", "\u202e"),
)


def test_search_finds_what_python_finds(tmp_path: Path) -> None:
    view = made.audit(400, seed=8)
    asked = [(query, place) for query in QUERIES for place in range(-1, 3)]
    told = node.ask(tmp_path, island(view), asked)
    names = [None, *view.sets]
    counts = {}
    for (query, place), found in zip(asked, told["found"], strict=True):
        assert found == expected_hits(view, " ".join(query.split()), names[place + 1]), (query, place)
        counts[query, place] = len(found)
    assert counts["s00007", -1] == 1
    assert counts["inserted", -1] == 0 < counts["inserted", 0]
    assert counts["at the end", -1] == 0 < counts["at the end", 1]
    assert 0 < counts["मुंबई", -1] < 400
    assert counts["nowhere", 0] == 0
    assert node.ask(tmp_path, island(view), [(" ", 0)])["found"] == [list(range(400))]


def test_in_a_redacted_report_labels_are_found_as_well(tmp_path: Path) -> None:
    plain = made.audit(100, seed=1)
    data = {**plain.data, "header": {**plain.data["header"], "redacted": True}}
    view = View(AuditResult(data, plain.all_cases))
    parents = list({case.parent: case for case in plain.all_cases}.values())
    labelled = [place for place, case in enumerate(parents) if "PER" in [span.label for span in case.original_spans]]
    assert 0 < len(labelled) < 100
    (found,) = node.ask(tmp_path, island(view), [("per", -1)])["found"]
    assert found == sorted({*labelled, *expected_hits(plain, "per", None)})
    (unredacted,) = node.ask(tmp_path, island(plain), [("per", -1)])["found"]
    assert unredacted == expected_hits(plain, "per", None)
