"""Linking a data set: linkers that others made, from files, from columns of ids, from third parties."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.knowledge.given import CITIES, made
from tests.knowledge.linked import corpus, mentions, sentence

from nerquake.core.dataset import Dataset
from nerquake.core.errors import FormatError, InputError, PluginError, SpecError, UnknownName, UsageError
from nerquake.core.linking import Known, LinkCandidate, Linker, Mentioned
from nerquake.knowledge.link_file import FileLinker
from nerquake.knowledge.link_ids import IdColumn, id_in
from nerquake.knowledge.linking import build_linker, known_mentions, link_dataset, share
from nerquake.knowledge.links import Links

DATA = corpus(
    sentence("s1", "Berlin and Paris", ("Berlin", "LOC"), ("Paris", "LOC")),
    sentence("s2", "nothing here"),
    sentence("s3", "Paris Hilton", ("Paris Hilton", "PER")),
)


def linked(linker: Linker, data: Dataset = DATA) -> Links:
    with made(CITIES) as dictionary:
        return link_dataset(dictionary, data, linker)


def from_file(path: Path, text: str, **options: str) -> list[str | None]:
    path.write_text(text, "utf-8")
    return [link.accepted for link in linked(FileLinker(path=str(path), **options))]


@dataclass(frozen=True)
class Scripted:
    """Gives what is written down."""

    answers: Sequence[Sequence[LinkCandidate]]

    def link(self, mentions: Sequence[Mentioned]) -> Sequence[Sequence[LinkCandidate]]:
        return self.answers

    def about(self) -> tuple[str, ...]:
        return ("scripted",)

    def fingerprint(self) -> str:
        return "scripted"


def test_every_mention_has_a_line_and_labels_are_counted() -> None:
    found = linked(Scripted([[LinkCandidate("Q64")], [], [LinkCandidate("Q5", "Paris Hilton", 2.0)]]))
    assert [(one.sentence, one.start, one.end, one.text, one.type, one.accepted) for one in found] == [
        ("s1", 0, 1, "Berlin", "LOC", "Q64"), ("s1", 2, 3, "Paris", "LOC", None),
        ("s3", 0, 2, "Paris Hilton", "PER", "Q5"),
    ]  # fmt: skip
    assert [one.title for link in found for one in link.candidates] == ["Berlin", "Paris Hilton"]
    assert share(found) == {"LOC": {"mentions": 2, "linked": 1, "unlinked": 1},
                            "PER": {"mentions": 1, "linked": 1, "unlinked": 0}}  # fmt: skip
    assert "scripted" in found.notes


def test_titles_are_looked_up_in_the_mentions_language_or_the_one_that_is_said() -> None:
    answers = [
        [LinkCandidate("", "Paris,_France"), LinkCandidate("Q90", score=1.0), LinkCandidate("", "No such")],
        [LinkCandidate("", "Berlin", language="de"), LinkCandidate("", "Berlin", language="en")],
        [],
    ]
    found = linked(Scripted(answers))
    assert [[one.item for one in link.candidates] for link in found] == [["Q90"], ["Q64"], []]
    assert "2 titles are of no article that test knows" in found.notes


@pytest.mark.parametrize(
    ("answers", "said"),
    [
        ([[]], "gave 1 answers for 3 mentions"),
        ([["Q64"], [], []], "'Q64'; a LinkCandidate is expected"),
        (None, "TypeError"),
    ],
)
def test_a_linker_that_breaks_its_protocol(answers: object, said: str) -> None:
    with pytest.raises(PluginError, match=said):
        linked(Scripted(answers))  # type: ignore[arg-type]


def test_a_linker_that_does_not_learn() -> None:
    known = [Known(one, "Q64") for one in mentions(*DATA.sentences)]
    with made(CITIES) as dictionary, pytest.raises(UsageError, match="Scripted does not learn"):
        link_dataset(dictionary, DATA, Scripted([]), known)


def test_a_data_set_without_mentions() -> None:
    assert linked(Scripted([[]]), corpus(sentence("s", "nothing"))).links == ()


def test_specifications() -> None:
    assert build_linker("file:x.tsv,language=de") == FileLinker(path="x.tsv", language="de")
    assert build_linker("ids:column=3") == IdColumn(3)
    assert build_linker("tests.knowledge.test_linking:Scripted,answers=x").fingerprint() == "scripted"
    with pytest.raises(SpecError, match="columns count from 0"):
        build_linker("ids:column=-1")
    with pytest.raises(SpecError, match="keep=99"):
        build_linker("alias:keep=99")
    with pytest.raises(UnknownName, match="alias"):
        build_linker("allias")
    with pytest.raises(PluginError, match="is no linker: it has no link, about"):
        build_linker("tests.knowledge.given:Given,rows=x")


JSON = """\
{"sentence": "s1", "start": 0, "end": 1, "candidates": [{"title": "Berlin", "score": 3}]}
{"sentence": "s1", "start": 2, "end": 3, "candidates": [{"item": "Q167646"}, {"item": "Q90"}], "accepted": "Q90"}
{"sentence": "s3", "start": 0, "end": 2, "candidates": [{"item": "Q90"}], "accepted": null}
"""


def test_json_of_another_program_by_title_accepted_or_emptied(tmp_path: Path) -> None:
    assert from_file(tmp_path / "l", JSON) == ["Q64", "Q90", None]


@pytest.mark.parametrize(
    ("target", "item"),
    [
        ("Q7", "Q7"),
        ("Berlin", "Q64"),
        ("Paris,_France", "Q90"),
        ("https://en.wikipedia.org/wiki/Paris%2C_France", "Q90"),
        ("https://en.wikipedia.org/wiki/Berlin#History", "Q64"),
        ("http://www.wikidata.org/entity/Q7", "Q7"),
        ("https://de.wikipedia.org/wiki/Berlin", None),
        ("local:city/x", "local:city/x"),
        ("NIL", None),
        ("", None),
        ("no such article", None),
    ],
)
def test_columns_of_another_program(tmp_path: Path, target: str, item: str | None) -> None:
    text = f"sentence\tstart\tend\titem\n# a comment\ns1\t0\t1\t{target}\ns1\t2\t3\tQ90\t0.5\n"
    assert from_file(tmp_path / "l", text) == [item, "Q90", None]


def test_titles_of_another_wikipedia(tmp_path: Path) -> None:
    assert from_file(tmp_path / "l", "s1\t0\t1\tBerlin\n", language="de") == [None, None, None]
    assert from_file(tmp_path / "l", "s1\t0\t1\tBerlin\n", language="en") == ["Q64", None, None]


def test_what_did_not_find_each_other_is_said(tmp_path: Path) -> None:
    path = tmp_path / "l"
    path.write_text("s1\t0\t1\tQ64\ns9\t0\t1\tQ1\n", "utf-8")
    notes = linked(FileLinker(path=str(path))).notes
    assert f"2 mentions have no line in {path}" in notes
    assert f"1 lines are about no mention: {path}" in notes


def test_a_file_about_something_else(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="none of 1 lines is about a mention"):
        from_file(tmp_path / "l", "s9\t0\t1\tQ64\n")


def test_every_bad_row_is_listed(tmp_path: Path) -> None:
    rows = ["s1\t0\t1\tQ64", "s1 0 1 Q64", "s1\tx\t1\tQ64", "s1\t1\t1\tQ64", "\t0\t1\tQ64", "s1\t0\t1\tQ1",
            "s3\t0\t2\tQ1\thigh", "s3\t0\t2\tQ1\tnan"]  # fmt: skip
    with pytest.raises(FormatError) as caught:
        from_file(tmp_path / "l", "\n".join(rows))
    assert [problem.line for problem in caught.value.problems] == [2, 3, 4, 5, 6, 7, 8]


def test_the_fingerprint_is_the_files(tmp_path: Path) -> None:
    path = tmp_path / "l"
    path.write_text("s1\t0\t1\tQ64\n", "utf-8")
    before = FileLinker(path=str(path)).fingerprint()
    path.write_text("s1\t0\t1\tQ90\n", "utf-8")
    assert FileLinker(path=str(path)).fingerprint() != before


COLUMNS = (("x", "Q64", "_"), ("x", "_", "_"), ("x", "NIL", "Q1"))
TABLE = corpus(sentence("s1", "Berlin and Paris", ("Berlin", "LOC"), ("Paris", "LOC"), columns=COLUMNS),
               sentence("s2", "Rome", ("Rome", "LOC"), columns=(("x", "Q220", "_"),)),
               sentence("s3", "Oslo", ("Oslo", "LOC"), columns=(("x", "_", "_"),)))  # fmt: skip


def test_ids_of_a_column() -> None:
    assert [link.accepted for link in linked(IdColumn(), TABLE)] == ["Q64", None, "Q220", None]
    assert [link.accepted for link in linked(IdColumn(2), TABLE)] == [None, "Q1", None, None]
    assert [(one.mention.text, one.item) for one in known_mentions(TABLE)] == [
        ("Berlin", "Q64"), ("Paris", None), ("Rome", "Q220"),
    ]  # fmt: skip


def test_no_such_column_and_no_ids() -> None:
    with pytest.raises(UsageError, match="has 3 columns"):
        linked(IdColumn(3), TABLE)
    with pytest.raises(InputError, match="no column of the data set holds items' ids"):
        known_mentions(DATA)


@pytest.mark.parametrize(
    ("cell", "item"),
    [("Q64", "Q64"), ("name=x|Wikidata=Q64", "Q64"), ("NIL", ""), ("_", None), ("Q0", None), ("64", None), ("", None),
     ("local:city/x", "local:city/x")],
)  # fmt: skip
def test_ids_in_cells(cell: str, item: str | None) -> None:
    assert id_in(cell) == item
