"""Test 11 of the page's design for files: hostile tokens and names stay text in summary, JUnit, JSON and LaTeX."""

from __future__ import annotations

import itertools
import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from markdown_it import MarkdownIt
from tests.report.example import Names, example
from tests.report.gate.test_gate_files import check
from tests.report.tex import tables_of

from nerquake.core.results import AuditResult
from nerquake.report.gate.files import write_gate
from nerquake.report.latex import LatexTables
from nerquake.report.visible import visible

TEXTS = (
    "<script>window.pwned=1</script>", "</script>", '"><img src=x onerror=alert(1)>', "{{7*7}}", "a\u202eb\u200bc",
    "@user", "#123", "a|b", "``x`` `y`", "</details></td>", "https://example.org/x", "[click](javascript:alert(1))",
    "**bold** _it_", "two\nlines\r\n| of | them |", "]]>", "&lt;b&gt; &amp;", "0123abcdef", "\u0001\ufffe",
    "<!-- x -->", "$x^2$ %_{}\\~", "=1+1",
)  # fmt: skip
NAMES = Names(models=(TEXTS[0], TEXTS[2]), sets=(TEXTS[3], TEXTS[7], TEXTS[4]),
              labels=(TEXTS[1], TEXTS[8], TEXTS[5], TEXTS[12]), token=TEXTS[2], note=TEXTS[13])  # fmt: skip


class Shape(HTMLParser):
    """Elements with their attributes, comments, and the text outside of code."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: set[str] = set()
        self.attributes: set[str] = set()
        self.comments: list[str] = []
        self.texts: list[str] = []
        self.codes: list[str] = []
        self.code = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.add(tag)
        self.attributes |= {name for name, _ in attrs}
        self.code = self.code or tag == "code"

    def handle_endtag(self, tag: str) -> None:
        self.code = self.code and tag != "code"

    def handle_comment(self, data: str) -> None:
        self.comments.append(data)

    def handle_data(self, data: str) -> None:
        (self.codes if self.code else self.texts).append(data)


def shape(text: str) -> Shape:
    """What a site makes of it that knows tables, and lets elements of the text through."""
    made = Shape()
    made.feed(MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"]).render(text))
    return made


def audited(texts: tuple[str, ...], names: Names) -> AuditResult:
    """An audit with a gate in which each text stands once as every name, and as every text of a sentence."""
    made = example(names, 60)
    more = itertools.cycle(texts)
    checks = [check(set=text, label=next(more), model=next(more), group=f"domain={next(more)}", name=next(more),
                    why=f"no {next(more)} mention", status=status) for text, status
              in zip(texts, itertools.cycle(("failed", "undecided", "passed")))]  # fmt: skip
    counts = {one: sum(c["status"] == one for c in checks) for one in ("failed", "undecided", "passed", "ignored")}
    examples = [{"id": text, "parent": text, "set": text, "tagger": text, "mention": 0, "label": text, "original": text,
                 "attacked": text, "was": f"✓ {text}", "is": "○"} for text in texts]  # fmt: skip
    since = {"version": "0", "signature": "s", "newly_fallen": len(texts), "recovered": 0, "records": [], "notes": [],
             "models": {"only_then": [], "only_now": []}, "sets": {"only_then": [], "only_now": []}}  # fmt: skip
    found = {"gate": {"policy": f"{texts[0]}.toml", "status": "failed", "counts": counts, "checks": checks},
             "since": {**since, "examples": examples}}  # fmt: skip
    return AuditResult({**made.data, "findings": {**made.data["findings"], **found}}, made.cases)


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("hostile-gate")
    lines = write_gate(audited(TEXTS, NAMES), folder)
    (folder / "terminal").write_text("\n".join(lines), "utf-8")
    (folder / "tables.tex").write_text(LatexTables().render(audited(TEXTS, NAMES)), "utf-8")
    return folder


def test_the_summary_has_the_elements_of_a_harmless_one_and_no_other(written: Path) -> None:
    made = shape((written / "summary.md").read_text("utf-8"))
    write_gate(audited(tuple(f"plain{n}" for n in range(len(TEXTS))), Names()), written / "plain")
    plain = shape((written / "plain" / "summary.md").read_text("utf-8"))
    assert made.elements - {"code"} == plain.elements - {"code"}
    assert made.attributes <= plain.attributes
    assert made.comments == plain.comments == [" nerquake:gate:default "]


def test_nothing_outside_code_calls_a_person_an_issue_or_an_address(written: Path) -> None:
    made = shape((written / "summary.md").read_text("utf-8"))
    outside = "".join(made.texts)
    assert not re.search(r"@\w|#\d|://|www\.|[0-9a-f]{7,}", outside)
    assert "49" not in outside.split()


def test_every_text_is_seen_in_the_summary(written: Path) -> None:
    made = shape((written / "summary.md").read_text("utf-8"))
    seen = " ".join("".join([*made.texts, "\n", *(f"{code}\n" for code in made.codes)]).split())
    for text in TEXTS:
        assert " ".join(visible(text).split()) in seen, text


def test_every_row_of_the_summary_has_the_cells_of_its_head(written: Path) -> None:
    tokens = MarkdownIt("commonmark").enable("table").parse((written / "summary.md").read_text("utf-8"))
    rows = [0]
    for token in tokens:
        if token.type == "tr_open":
            rows.append(0)
        rows[-1] += token.type in ("td_open", "th_open")
    assert set(rows[1:]) <= {6, 3, 4, 5} and rows.count(6) > len(TEXTS)
    lines = (written / "summary.md").read_text("utf-8").splitlines()
    rules = sum(bool(re.fullmatch(r"\|[\s:|-]+\|", line)) for line in lines)
    assert sum(line.startswith("|") for line in lines) == len(rows) - 1 + rules
    assert not re.search("[\x00-\x09\x0b-\x1f\u200b\u202e]", "\n".join(lines))


def test_junit_parses_and_has_every_text_where_it_belongs(written: Path) -> None:
    root = ET.parse(written / "junit.xml").getroot()
    assert {element.tag for element in root.iter()} == {
        "testsuites", "testsuite", "testcase", "properties", "property", "failure", "error",
    }  # fmt: skip

    def kept(text: str) -> str:
        """Blanks other than spaces are spaces in an attribute, and what XML forbids is one sign."""
        return re.sub("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]", "\ufffd", text)

    suites = [str(suite.get("name")) for suite in root]
    assert suites == [f"nerquake.gate.{kept(text)}" for text in TEXTS]
    errors = [error.get("type") for error in root.iter("error")]
    assert errors == ["undecided"] * len(errors) and len(errors) == len(TEXTS) // 3
    assert not list(root.iter("skipped"))


def test_json_is_ascii_and_holds_the_texts_as_they_are(written: Path) -> None:
    text = (written / "gate.json").read_text("utf-8")
    assert text.isascii()
    checks: list[dict[str, Any]] = json.loads(text)["checks"]
    assert [one["set"] for one in checks] == list(TEXTS)


def test_no_character_reaches_a_terminal_that_could_move_it(written: Path) -> None:
    text = (written / "terminal").read_text("utf-8")
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f\u200b\u202e]", text)


def test_latex_reads_as_tables_with_as_many_cells(written: Path) -> None:
    text = (written / "tables.tex").read_text("utf-8")
    made = tables_of(text)
    seen = " ".join(cell for table in made for line in (*table.heads, *table.rows) for cell in line)
    assert "{{7*7}}" in seen and "$x^2$ %_{}\\~" in seen and "</script>" in seen
    assert text.isascii() or not re.search("[\u200b\u202e]", text)
