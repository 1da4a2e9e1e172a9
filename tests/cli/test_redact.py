"""`--redact`: planted words stand in no output file, in no packed part of the page, and every number stays."""

from __future__ import annotations

import base64
import gzip
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.cli.runner import nerquake
from tests.report.island.decoding import decode

PLANTED = ("qzwalrus", "qzquokka", "qzokapi", "qznumbat", "qzdomain", "qzid", "qzdoc", "qzfile", "qzgaz", "qzrule",
           "qzdir", "qzpolicy", "कॢझ", "बॢझ")  # fmt: skip
"""Made up, so that no other text holds them: words, ids, groups, documents, file, folder and rule names."""
PEOPLE, PLACES = ("Qzwalrus", "Qzokapi", "कॢझमा"), ("Qzquokka", "Qznumbat-on-Sea", "बॢझपुर")


def sentences() -> Iterator[dict[str, Any]]:
    for number in range(60):
        person, place = PEOPLE[number % 3], PLACES[number % 3]
        spans: list[list[Any]] = [[1, 2, "PER"], [3, 4, "LOC"]]
        tokens = ["lately", person, "left", place, "qzwalrusing", str(1000 + number), "."]
        if number % 5 == 0:
            tokens, spans = ["Qzokapis", "are", "\u200bqzquokka's", "prey", "."], []
        yield {
            "id": f"QzId {number}", "tokens": tokens, "spans": spans, "doc_id": f"QzDoc-{number % 4}",
            "meta": {"domain": f"qzdomain {number % 2}"},
        }  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same audit twice, redacted and not."""
    home = tmp_path_factory.mktemp("qzdir")
    data = home / "qzfile.jsonl"
    header = {"format": "nerquake.dataset/1", "language": "en"}
    data.write_text("\n".join(map(json.dumps, [header, *sentences()])) + "\n", "utf-8")
    (home / "qzgaz.tsv").write_text("PER\tQznumbat Junior\nLOC\tQzquokka-Over-Qzokapi\n", "utf-8")
    (home / "qzrules.tsv").write_text("PER\tQzwalrus\nPER\tQzokapis\nLOC\t/Qz[a-z]+/\nPER\tकॢझमा\n", "utf-8")
    (home / "qzpolicy.toml").write_text(
        '[[rule]]\nname = "qzpolicy says"\nmax_drop = 0.0\n[[rule]]\ngroups = ["domain"]\nmin = 0.99\n'
        '[[rule]]\ngroups = ["domain=qzdomain 1", "domain=qzdomain 9"]\nmin = 0.5\n', "utf-8",
    )  # fmt: skip
    rules = home / "qzrules.tsv"
    common = ("audit", data, "-t", f"rules:{rules}", "-t", f"rules:{rules},name=folded,ignore_case=yes", "-p", "swap",
              "-p", f"gazetteer:{home / 'qzgaz.tsv'}", "-p", "mixup", "-p", "letters", "--resamples", "5", "--probe",
              "--train", data, "--draws", "2", "--curve", "50,100", "--gate", home / "qzpolicy.toml")  # fmt: skip
    ran = nerquake(*common, "-o", home / "then")
    assert ran.code in (1, 3), ran.err
    for name, more in (("plain", ()), ("redacted", ("--redact",))):
        ran = nerquake(*common, "--baseline", home / "then", "-o", home / name, *more)
        assert ran.code in (1, 3), ran.err
    return home


def unpacked(text: str) -> Iterator[str]:
    """A file, what its JSON, its islands and its data links hold."""
    yield text
    for kind, content in re.findall(r'<script type="application/([^"]+)"[^>]*>([^<]*)</script>', text):
        assert kind == "gzip+base64"
        yield gzip.decompress(base64.b64decode(content)).decode("utf-8", "replace")
    for content in re.findall(r"data:[^\"']*?;base64,([A-Za-z0-9+/=]+)", text):
        yield base64.b64decode(content).decode("utf-8", "replace")


def planted_in(text: str) -> set[str]:
    folded = text.casefold()
    escaped = {word: json.dumps(word)[1:-1] for word in PLANTED}
    return {word for word in PLANTED if word in folded or escaped[word] in folded}


def found_in(folder: Path) -> dict[str, set[str]]:
    files = [file for file in sorted(folder.rglob("*")) if file.is_file() and "work" not in file.parts]
    found = {
        file.name: set().union(*map(planted_in, unpacked(file.read_text("utf-8")))) | planted_in(file.name)
        for file in files
    }
    return {name: words for name, words in found.items() if words}


def test_planted_words_are_in_no_output(folder: Path) -> None:
    names = {file.name for file in (folder / "redacted").iterdir()}
    assert names == {"report.html", "report.md", "tables.csv", "tables.tex", "result.json", "cases.jsonl", "gate.json",
                     "junit.xml", "summary.md"}  # fmt: skip
    assert found_in(folder / "redacted") == {}


def test_the_same_search_finds_them_without_redaction(folder: Path) -> None:
    found = found_in(folder / "plain")
    assert set(PLANTED) == set().union(*found.values())
    html = (folder / "plain" / "report.html").read_text("utf-8")
    assert [bool(planted_in(part)) for part in unpacked(html)][1:].count(True) >= 2


def numbers(value: Any) -> Iterator[Any]:
    """Everything but texts, in order; of the keys of a mapping only how many there are."""
    if isinstance(value, dict):
        yield len(value)
        for one in value.values():
            yield from numbers(one)
    elif isinstance(value, list):
        yield len(value)
        for one in value:
            yield from numbers(one)
    elif not isinstance(value, str):
        yield value


def test_every_number_is_that_of_the_unredacted_run(folder: Path) -> None:
    plain, redacted = (json.loads((folder / name / "result.json").read_text("utf-8")) for name in ("plain", "redacted"))
    assert redacted["header"].pop("redacted") is True
    assert list(numbers(plain)) == list(numbers(redacted))
    both = [(folder / name / "cases.jsonl").read_text("utf-8").splitlines()[1:] for name in ("plain", "redacted")]
    for was, now in zip(*both, strict=True):
        assert list(numbers(json.loads(was))) == list(numbers(json.loads(now)))
        old, new = json.loads(was), json.loads(now)
        assert [len(token) for token in old["original"]] == [len(token) for token in new["original"]]
        assert old["original_spans"] == new["original_spans"]


def test_filters_of_the_explorer_still_work(folder: Path) -> None:
    islands = []
    for name in ("plain", "redacted"):
        html = (folder / name / "report.html").read_text("utf-8")
        (text,) = re.findall(r'<script[^>]* id="data">([^<]*)</script>', html)
        islands.append(decode(text))
    plain, redacted = islands
    assert redacted.header["redacted"] is True
    assert redacted.flags == plain.flags
    assert redacted.header["labels"] == plain.header["labels"]
    assert redacted.header["groups"] == plain.header["groups"]
    groups = {case.meta["domain"] for case in redacted.cases}
    assert groups == {"group 1", "group 2"}


def test_what_it_says_of_itself(folder: Path) -> None:
    text = (folder / "redacted" / "report.md").read_text("utf-8")
    assert "This report is redacted." in text
    data = json.loads((folder / "redacted" / "result.json").read_text("utf-8"))
    assert [entry["name"] for entry in data["taggers"]] == ["rules", "folded"]
    assert [entry["name"] for entry in data["sets"]] == ["original", "swap", "gazetteer", "mixup", "letters"]
    assert data["header"]["inputs"][0]["name"] == "input-1.jsonl"
    assert (folder / "redacted-work" / "dataset.jsonl").is_file()
    parents = {json.loads(line)["parent"] for line in
               (folder / "redacted" / "cases.jsonl").read_text("utf-8").splitlines()[1:]}  # fmt: skip
    assert parents == {f"s{number:05d}" for number in range(1, 61)}


def test_a_finished_audit_is_redacted_later(folder: Path, tmp_path: Path) -> None:
    ran = nerquake("report", folder / "plain", "--redact", "-o", tmp_path / "out")
    assert ran.code == 0, ran.err
    assert found_in(tmp_path / "out") == {}
    for name in ("result.json", "cases.jsonl", "report.md"):
        assert (tmp_path / "out" / name).read_text("utf-8") == (folder / "redacted" / name).read_text("utf-8")
    again = nerquake("report", tmp_path / "out", "-o", tmp_path / "again")
    assert again.code == 0
    assert (tmp_path / "again" / "report.html").read_text() == (folder / "redacted" / "report.html").read_text()


def test_joined_audits_are_redacted_one_by_one(folder: Path, tmp_path: Path) -> None:
    ran = nerquake("report", folder / "plain", folder / "then", "--redact", "-o", tmp_path / "out")
    assert ran.code == 0, ran.err
    assert found_in(tmp_path / "out") == {}
    assert "This report is redacted." in (tmp_path / "out" / "report.md").read_text("utf-8")


@pytest.mark.parametrize("more", [("--work", "out/inside"), ("--work", "out")])
def test_stage_files_never_lie_in_the_redacted_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, more: tuple[str, ...]
) -> None:
    monkeypatch.chdir(tmp_path)
    ran = nerquake("audit", "sample:en", "-t", "rules:x.tsv", "-o", "out", "--redact", *more)
    assert ran.code == 2
    assert "stage files hold the text of the data" in ran.err
    (tmp_path / "out" / "work").mkdir(parents=True)
    ran = nerquake("audit", "sample:en", "-t", "rules:x.tsv", "-o", "out", "--redact")
    assert ran.code == 2
    assert "with -o" in ran.err


def test_report_needs_another_folder(folder: Path) -> None:
    ran = nerquake("report", folder / "plain", "--redact")
    assert ran.code == 2
    assert "-o DIR" in ran.err
    ran = nerquake("report", folder / "plain", "--redact", "-o", folder / "plain")
    assert ran.code == 2
    assert "which has the text" in ran.err


def test_a_redacted_run_is_no_baseline(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "rules.tsv").write_text("PER\tAnna\n", "utf-8")
    ran = nerquake("audit", folder / "qzfile.jsonl", "-t", f"rules:{tmp_path / 'rules.tsv'}", "-p", "swap",
                   "-o", tmp_path / "out", "--baseline", folder / "redacted")  # fmt: skip
    assert ran.code == 2
    assert "is redacted" in ran.err
