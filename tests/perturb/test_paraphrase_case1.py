"""Case 1, from end to end: two of four sentences are discarded, and what is left is compared with itself."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.cli.runner import nerquake

TAGGER = """
def tag(sentences):
    found = []
    for words in sentences:
        tags = []
        for word in words:
            name = word in ("Anna", "Bo", "Bonn", "Rom")
            tags.append("O" if not name else "B-LOC" if word == "Bo" and "who" in words else "B-PER")
        found.append(tags)
    return found
"""
GOLD = (("s1", "Anna", "PER"), ("s2", "Bo", "PER"), ("s3", "Bonn", "LOC"), ("s4", "Rom", "LOC"))
PARAPHRASES = "s1\tIt was Anna who won.\ns2\tIt was Bo who won.\ns3\tIt was the capital that won.\ns4\tIt was ROM.\n"


@pytest.fixture
def result(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the audit."""
    lines = (f"# id {key}\n{name}\tB-{label}\nwon\tO\n.\tO\n\n" for key, name, label in GOLD)
    (tmp_path / "gold.conll").write_text("".join(lines), "utf-8")
    (tmp_path / "case_one_tagger.py").write_text(TAGGER, "utf-8")
    (tmp_path / "said.tsv").write_text(PARAPHRASES, "utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    ran = nerquake("audit", "gold.conll", "-t", "callable:case_one_tagger:tag", "-p",
                   "paraphrase:file:said.tsv,name=said", "--language", "en", "-o", "out")  # fmt: skip
    assert ran.code == 0, ran.err
    return tmp_path / "out"


def test_survivors_are_compared_with_themselves(result: Path) -> None:
    data = json.loads((result / "result.json").read_text("utf-8"))
    (block,) = [block for block in data["results"] if block["set"] == "said"]
    paired = block["paired"]
    assert (paired["pairs"], paired["dropped"]) == (2, 2)
    assert paired["metric"] == "strict_f1"
    assert (paired["original"], paired["attacked"], paired["drop"]) == (1.0, 0.5, 0.5)
    (entry,) = [entry for entry in data["sets"] if entry["name"] == "said"]
    assert entry["status"]["discarded"] == 2
    assert entry["reasons"] == {"a mention was changed": 1, "a mention was lost": 1}
    assert entry["rejected"] == {"a mention was changed": 1, "a mention was lost": 1}


def test_the_report_says_what_cannot_be_compared(result: Path) -> None:
    text = (result / "report.md").read_text("utf-8")
    assert "not comparable, since the set leaves out sentences that the original score includes" in text
    assert "said compares 2 of 4 sentences; its figures are not comparable with the other sets." in text


def test_discards_are_listed_with_their_reasons(result: Path) -> None:
    files = list(result.rglob("variants.jsonl"))
    records = [json.loads(line) for file in files for line in file.read_text("utf-8").splitlines()[1:]]
    gone = {record["parent"]: record["reason"] for record in records if record["status"] == "discarded"}
    assert gone == {"s3": "a mention was lost", "s4": "a mention was changed"}
