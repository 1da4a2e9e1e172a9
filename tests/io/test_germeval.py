"""GermEval 2014: both layers of mentions, lines that name sources, numbers that stay right."""

from __future__ import annotations

from pathlib import Path

import pytest

from nerquake.core.dataset import Dataset
from nerquake.core.edits import Edit, apply_edits
from nerquake.core.protocols import ReadOptions
from nerquake.core.sentence import Sentence
from nerquake.core.span import Span
from nerquake.io.conll import Conll
from nerquake.io.germeval import GermEval

FILE = (
    "#\thttp://example.org/a\t[2010-01-01]\t\n"
    "1\tFC\tB-ORG\tO\n2\tBonn\tI-ORG\tB-LOC\n3\tTroia-Ausstellung\tB-LOCpart\tO\n4\t#\tO\tO\n\n"
    "#\thttp://example.org/b\t[2010-01-02]\t\n1\tUlm\tB-LOC\tO\n\n"
)


def read(text: str, reader: GermEval | Conll, options: ReadOptions = ReadOptions()) -> Dataset:  # noqa: B008
    return reader.read_bytes("x.tsv", text.encode(), options)


@pytest.mark.parametrize(
    ("layer", "tag", "mentions"),
    [("outer", 2, {"ORG": 1, "LOCpart": 1, "LOC": 1}), ("inner", 3, {"LOC": 1})],
)
def test_both_layers_by_name_and_by_column(layer: str, tag: int, mentions: dict[str, int]) -> None:
    named, by_column = GermEval(layer), Conll(1, tag)  # type: ignore[arg-type]
    for reader in (named, by_column):
        data = read(FILE, reader)
        assert data.mentions == mentions
        assert [s.tokens for s in data] == [("FC", "Bonn", "Troia-Ausstellung", "#"), ("Ulm",)]
        assert "".join(reader.lines(data)) == FILE


def test_what_an_attack_puts_in_is_numbered_and_has_no_other_layer() -> None:
    reader = GermEval()
    data = read(FILE, reader)
    made = apply_edits(data.sentences[0], [Edit(0, 2, ("VfL", "Bad", "Ems"), "mention")]).sentence
    text = "".join(reader.lines(data.with_sentences([made, data.sentences[1]])))
    assert "1\tVfL\tB-ORG\tO\n2\tBad\tI-ORG\tO\n3\tEms\tI-ORG\tO\n4\tTroia-Ausstellung\tB-LOCpart\tO\n" in text
    assert read(text, GermEval("inner")).mentions == {}


def test_a_data_set_from_elsewhere_gets_numbers_and_both_layers() -> None:
    data = Dataset("x", (Sentence("s1", ("Bonn", "."), (Span(0, 1, "LOC"),)),))
    assert "".join(GermEval().lines(data)) == "# id s1\n1\tBonn\tB-LOC\tO\n2\t.\tO\tO\n"
    assert "".join(GermEval("inner").lines(data)) == "# id s1\n1\tBonn\tO\tB-LOC\n2\t.\tO\tO\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1\tBonn\tB-LOC\tO\n2\tUlm\tB-LOC\n", [("mixed-columns", 2)]),
        ("1\tBonn\tB-LOC\tO\n2\t\tO\tO\n", [("empty-token", 2)]),
        ("1\tBonn\tLOC\tO\n2\ta\tO\tO\n", [("bad-tag", 1)]),
        ("1\tBonn\tB_LOC\tO\n2\ta\tO\tO\n3\tb\tO\tO\n", [("bad-tag", 1)]),
        ("1\tBonn\tB-LOC\tO\n2\tist\tI-PER\tO\n", [("ill-formed-sequence", 2)]),
        ("Bonn\n", [("missing-column", 1)]),
        ("Bonn B-LOC\n", [("missing-column", 1)]),
        ("#\thttp://example.org\t[2010]\t\n", [("no-sentences", 0)]),
        ("# id a\n1\ta\tO\tO\n\n# id a\n1\tb\tO\tO\n", [("duplicate-id", 5)]),
        ("1\ta\tO\tO\n#x\tO\tO\n2\tb\tO\tO\n", [("mixed-columns", 2)]),
    ],
)
def test_every_fault_is_named_by_its_line(text: str, expected: list[tuple[str, int]]) -> None:
    found = GermEval().examine("x.tsv", text.encode(), ReadOptions(scheme="iob2")).problems
    assert [(problem.code, problem.line) for problem in found] == expected


def test_the_real_file_comes_back_byte_for_byte_in_both_layers(shared: Path) -> None:
    file = shared / "data" / "germeval2014" / "NER-de-dev.tsv"
    for layer, mentions in (("outer", 2674), ("inner", 212)):
        reader = GermEval(layer)  # type: ignore[arg-type]
        data = reader.read(str(file), ReadOptions())
        assert (len(data), sum(data.mentions.values())) == (2200, mentions)
        assert "".join(reader.lines(data)).encode() == file.read_bytes()
