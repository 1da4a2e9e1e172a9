"""brat's folders of documents."""

from __future__ import annotations

from pathlib import Path

import pytest

from nerquake.core.dataset import Dataset
from nerquake.core.edits import Edit, apply_edits
from nerquake.core.errors import FormatError, InputError, OutputError
from nerquake.core.protocols import ReadOptions
from nerquake.core.sentence import Sentence
from nerquake.core.span import Span
from nerquake.io.brat import Brat
from nerquake.io.load import inspect, load, save

TEXT = "Rosa Lind lebt in Bonn.\n\n  Bo auch\n"
ANN = (
    "T1\tPER 0 9\tRosa Lind\n"
    "T2\tLOC 18 22\tBonn\n"
    "A1\tFamous T1\n"
    "R1\tLives Arg1:T1 Arg2:T2\t\n"
    "#1\tAnnotatorNotes T1\tsure?\n"
    "T3\tPER 27 29\tBo\n"
)
BRAT = Brat()


def folder(path: Path, text: str = TEXT, ann: str = ANN, name: str = "doc") -> Path:
    (path / name).parent.mkdir(parents=True, exist_ok=True)
    (path / f"{name}.txt").write_bytes(text.encode())
    (path / f"{name}.ann").write_bytes(ann.encode())
    return path


def content(path: Path) -> dict[str, str]:
    files = (file for file in path.rglob("*") if file.is_file())
    return {file.relative_to(path).as_posix(): file.read_bytes().decode() for file in files}


def test_lines_are_sentences_and_everything_comes_back(tmp_path: Path) -> None:
    source = folder(folder(tmp_path / "in"), "Nothing here", "", "sub/other")
    folder(source, "", "", "empty")
    (source / "unlabelled.txt").write_text("Anna")
    found = load(str(source))
    assert found.reader == "brat"
    assert [(s.doc_id, s.tokens) for s in found] == [
        ("doc", ("Rosa", "Lind", "lebt", "in", "Bonn", ".")),
        ("doc", ("Bo", "auch")),
        ("sub/other", ("Nothing", "here")),
    ]  # fmt: skip
    assert [s.spans for s in found] == [(Span(0, 2, "PER"), Span(4, 5, "LOC")), (Span(0, 1, "PER"),), ()]
    for part in (
        "1 attribute not",
        "1 relation not",
        "1 note not",
        "1 document without a word",
        "1 text without annot",
    ):
        assert any(note.startswith(part) for note in found.notes), part
    assert save(found, tmp_path / "out") == ()
    (source / "unlabelled.txt").unlink()
    assert content(tmp_path / "out") == content(source)


@pytest.mark.parametrize("name", ["doc.txt", "doc.ann"])
def test_one_document_by_either_file(tmp_path: Path, name: str) -> None:
    found = load(str(folder(tmp_path) / name), "brat")
    assert (len(found), sum(found.mentions.values()), found.name) == (2, 3, name)
    assert load(str(tmp_path / "doc.ann")).sentences == found.sentences


def test_a_changed_document_is_written_anew_and_the_others_as_they_stood(tmp_path: Path) -> None:
    found = load(str(folder(folder(tmp_path / "in"), "Bo  lebt", "T9\tPER 0 2\tBo\n", "b")))
    first = apply_edits(found.sentences[1], [Edit(0, 2, ("Bo",), "mention")]).sentence
    made = BRAT.files(found.with_sentences([found.sentences[0], first, found.sentences[2]]))
    assert made == {
        "b.txt": "Bo  lebt",
        "b.ann": "T9\tPER 0 2\tBo\n",
        "doc.txt": "Bo lebt in Bonn.\n\n  Bo auch\n",
        "doc.ann": "T1\tPER 0 2\tBo\nT2\tLOC 11 15\tBonn\nT3\tPER 20 22\tBo\n",
    }
    without = BRAT.files(found.with_sentences(found.sentences[:2]))
    assert without["doc.txt"] == "Rosa Lind lebt in Bonn.\n\n"


def test_line_ends_bytes_and_other_encodings(tmp_path: Path) -> None:
    source = folder(tmp_path / "crlf", "Anna\r\nBo Groß\r\n", "T1\tPER 6 13\tBo Groß\r\n")
    found = load(str(source))
    assert [s.tokens for s in found] == [("Anna",), ("Bo", "Groß")]
    assert BRAT.files(found) == {"doc.txt": "Anna\r\nBo Groß\r\n", "doc.ann": "T1\tPER 6 13\tBo Groß\r\n"}
    one = folder(tmp_path / "one", "Anna\r\nBo Groß\r\n", "T1\tPER 5 12\tBo Groß\n")
    with pytest.raises(FormatError, match="with crlf=one it is 'Bo Groß'"):
        load(str(one))
    assert load(str(one), "brat:crlf=one").sentences == found.sentences
    by_bytes = folder(tmp_path / "bytes", "Groß 🙂 Bo", "T1\tPER 11 13\tBo\n")
    with pytest.raises(FormatError, match="with offset_unit=byte it is 'Bo'"):
        load(str(by_bytes))
    assert sum(load(str(by_bytes), "brat:offset_unit=byte").mentions.values()) == 1
    (tmp_path / "latin").mkdir()
    (tmp_path / "latin" / "a.txt").write_bytes("Groß".encode("latin-1"))
    (tmp_path / "latin" / "a.ann").write_bytes("T1\tPER 0 4\tGroß\n".encode("latin-1"))
    assert load(str(tmp_path / "latin"), "brat:encoding=latin-1").sentences[0].tokens == ("Groß",)


DISCONTINUOUS = "T1\tPER 0 4;10 14\tRosa lebt\n"


def test_discontinuous_mentions(tmp_path: Path) -> None:
    source = folder(tmp_path, ann=DISCONTINUOUS)
    with pytest.raises(FormatError, match=r"line 1: doc.ann: T1 \[0, 4\] \[10, 14\] PER: the mention is discontinuous"):
        load(str(source))
    for flatten, span in (("outer", Span(0, 3, "PER")), ("longest", Span(0, 1, "PER")), ("inner", Span(0, 1, "PER"))):
        found = load(str(source), "brat", ReadOptions(flatten=flatten))  # type: ignore[arg-type]
        assert found.sentences[0].spans == (span,)
        assert "1 mention discontinuous: made one" in found.notes


def test_parts_with_only_blanks_between_them_are_one_mention(tmp_path: Path) -> None:
    source = folder(tmp_path, ann="T1\tPER 0 4;5 9\tRosa Lind\n")
    assert load(str(source)).sentences[0].spans == (Span(0, 2, "PER"),)


def test_a_mention_over_a_line_end_needs_whole_texts(tmp_path: Path) -> None:
    source = folder(tmp_path, "in New\nYork\n", "T1\tLOC 3 6;7 11\tNew York\n")
    with pytest.raises(FormatError, match="split=record"):
        load(str(source))
    found = load(str(source), "brat:split=record")
    assert found.sentences[0].spans == (Span(1, 3, "LOC"),)
    made = Brat(split="record").files(found.with_sentences([found.sentences[0].with_spans([Span(1, 3, "X")])]))
    assert made["doc.ann"] == "T1\tX 3 11\tNew York\n"


MALFORMED = [
    ("X1\tPER 0 4\tRosa\n", "bad-annotation", "a line begins with"),
    ("T1 PER 0 4 Rosa\n", "bad-annotation", "a line begins with"),
    ("T1\tPER 0 4\n", "bad-annotation", "2 cells"),
    ("T1\tPER 0 4\tRosa\tx\n", "bad-annotation", "4 cells"),
    ("T1\tPER 0\tRosa\n", "bad-annotation", "no type and offsets"),
    ("T1\t0 4\tRosa\n", "bad-annotation", "no type and offsets"),
    ("T1\tPER 0 4;\tRosa\n", "bad-annotation", "no type and offsets"),
    ("T1\tPER -1 4\tRosa\n", "bad-annotation", "no type and offsets"),
    ("T1\tPER 0 400\tRosa\n", "offset-outside", "'Rosa' stands at [0, 4]"),
    ("T1\tPER 4 0\tRosa\n", "offset-outside", "does not lie behind"),
    ("T1\tPER 0 4\tAnna\n", "surface-differs", "'Anna' stands there"),
    ("T1\tPER 0 3\tRos\n", "cuts-token", "inside the word 'Rosa'"),
    ("T1\tPER 0 5\tRosa \n", "cuts-token", "with a blank"),
]


@pytest.mark.parametrize(("line", "code", "message"), MALFORMED)
def test_a_malformed_line_is_one_problem(tmp_path: Path, line: str, code: str, message: str) -> None:
    source = folder(folder(tmp_path, ann="T7\tLOC 18 22\tBonn\n\n" + line), name="good")
    with pytest.raises(FormatError) as caught:
        load(str(source))
    (problem,) = caught.value.problems
    assert (problem.code, problem.line) == (code, 3)
    assert message in str(problem)
    assert "doc.ann" in str(problem)
    assert {s.doc_id for s in load(str(source), "", ReadOptions(lenient=True))} == {"good"}


def test_every_fault_of_a_folder_is_named_in_one_run(tmp_path: Path) -> None:
    folder(tmp_path, ann="T1\tPER 0 4\tRosa\nT1\tPER 5 9\tLind\n", name="a")
    folder(tmp_path, ann="T1\tPER 0 9\tRosa Lind\nT2\tPER 5 9\tLind\n", name="b")
    folder(tmp_path, name="c")
    (tmp_path / "c.txt").write_bytes(b"a\n\xff")
    (tmp_path / "d.ann").write_text("")
    found = inspect(str(tmp_path))
    assert [(problem.code, problem.line) for problem in found.problems] == [
        ("duplicate-id", 2), ("nested", 2), ("not-decodable", 2), ("no-text", 0)
    ]  # fmt: skip


def test_paths_that_are_no_documents(tmp_path: Path) -> None:
    (tmp_path / "a.conll").write_text("a O\n")
    for path, message in ((tmp_path / "a.conll", "has a folder"), (tmp_path / "none", "no such file or folder")):
        with pytest.raises(InputError, match=message):
            BRAT.read(str(path), ReadOptions())
    (tmp_path / "b.ann").write_text("")
    with pytest.raises(InputError, match=r"b\.txt, which belongs to it, is not beside it"):
        load(str(tmp_path / "b.ann"))
    with pytest.raises(InputError, match="is a directory"):
        load(str(tmp_path / "b.ann").replace("b.ann", ""), "conll")
    (tmp_path / "b.ann").unlink()
    with pytest.raises(FormatError, match="no documents"):
        load(str(tmp_path), "brat")


def test_ids_and_tokens_stand_beside_a_document(tmp_path: Path) -> None:
    one = Sentence("s1", ("AT&T", "Bonn"), (Span(0, 1, "ORG"),), spaces=(True, False), doc_id="n/1")
    two = Sentence("s2", ("Bo", "."), doc_id="n/1", spaces=(False, False))
    save(Dataset("x", (one, two)), tmp_path / "out", "brat")
    assert content(tmp_path / "out") == {
        "n/1.txt": "AT&T Bonn\nBo.\n",
        "n/1.ann": "T1\tORG 0 4\tAT&T\n",
        "n/1.tokens.jsonl": '{"id": "s1", "tokens": [[0, 4], [5, 9]]}\n{"id": "s2", "tokens": [[10, 12], [12, 13]]}\n',
    }
    found = load(str(tmp_path / "out"))
    assert found.sentences == (one, two)
    save(found, tmp_path / "again")
    assert content(tmp_path / "again") == content(tmp_path / "out")
    for broken, code in (("[[0, 99]]", "bad-token"), ("5", "bad-token"), ("[]", "bad-token"), ("[[0, 4", "bad-json")):
        (tmp_path / "out" / "n" / "1.tokens.jsonl").write_text(f'{{"id": "s1", "tokens": {broken}}}\n')
        (problem,) = inspect(str(tmp_path / "out")).problems
        assert (problem.code, problem.line) == (code, 1)


def test_a_folder_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    found = load(str(folder(tmp_path / "in")))
    (tmp_path / "file").write_text("x")
    with pytest.raises(OutputError, match="brat writes a folder"):
        save(found, tmp_path / "file", "brat")
    with pytest.raises(OutputError, match="standard output"):
        save(found, "-", "brat")
    folder(tmp_path / "other", name="mine")
    with pytest.raises(OutputError, match=r"holds other documents \(mine.ann, mine.txt\)"):
        save(found, tmp_path / "other", "brat")
    assert set(content(tmp_path / "other")) == {"mine.ann", "mine.txt"}
    bad = found.with_sentences([found.sentences[0].with_spans([Span(0, 1, "a b")])])
    with pytest.raises(OutputError, match="brat cannot hold the label 'a b'"):
        save(bad, tmp_path / "new", "brat")
    assert not (tmp_path / "new").exists()
    save(found, tmp_path / "in", "brat")
    assert content(tmp_path / "in") == {"doc.txt": TEXT, "doc.ann": ANN}
    assert sorted(p.name for p in tmp_path.iterdir()) == ["file", "in", "other"]


def test_names_of_documents_are_safe_and_unique() -> None:
    one, two = (Sentence(key, ("Bo",), doc_id=doc, hashed=True) for key, doc in (("a", "../x:y"), ("b", "..//x?y")))
    assert [name for name in BRAT.files(Dataset("d", (one, two))) if name.endswith(".txt")] == [
        "_/x_y.txt",
        "_/x_y-2.txt",
    ]


def test_real_documents_come_back(shared: Path, tmp_path: Path) -> None:
    source = shared / "data" / "anem" / "standoff"
    found = load(str(source))
    assert (len(found), sum(found.mentions.values())) == (172, 125)
    assert len({s.doc_id for s in found}) == 37
    save(found, tmp_path / "out")
    assert content(tmp_path / "out") == content(source)
    save(found, tmp_path / "a.conll", "conll")
    save(load(str(tmp_path / "a.conll")), tmp_path / "back", "brat")
    again = load(str(tmp_path / "back"))
    assert [(s.tokens, s.spans, s.doc_id) for s in again] == [(s.tokens, s.spans, s.doc_id) for s in found]


def test_documents_of_one_name_stay_in_order() -> None:
    made = [Sentence(f"s{at}", ("Bo",), doc_id="a" if at % 2 else None, hashed=True) for at in range(24)]
    names = [name for name in BRAT.files(Dataset("x", tuple(made))) if name.endswith(".txt")]
    assert names[::2] == ["x.txt", *(f"x-{at:02}.txt" for at in range(2, 13))]
    assert sorted(name.removesuffix(".txt") for name in names[::2]) == [n.removesuffix(".txt") for n in names[::2]]


def test_a_name_that_an_unchanged_document_has_is_not_taken(tmp_path: Path) -> None:
    found = load(str(folder(folder(tmp_path / "in", "Anna\n", "", "a"), "Bo\n", "", "a-2")))
    first, second = found.sentences
    changed = [Sentence("n", ("Eva",), doc_id="a"), Sentence("m", ("Max",), doc_id="b"), first, second]
    files = BRAT.files(found.with_sentences(changed))
    assert {name: text for name, text in files.items() if name.endswith(".txt")} == {
        "a-3.txt": "Eva\n",
        "b.txt": "Max\n",
        "a.txt": "Anna\n",
        "a-2.txt": "Bo\n",
    }


@pytest.mark.parametrize(("label", "what"), [("X;Y", "a semicolon"), ("X Y", "a blank"), ("X\tY", "a blank")])
def test_what_a_label_cannot_hold_is_said(label: str, what: str) -> None:
    with pytest.raises(
        OutputError, match=f"sentence 's': brat cannot hold the label .*, which has {what} in it; --map"
    ):
        BRAT.files(Dataset("x", (Sentence("s", ("Bo",), (Span(0, 1, label),)),)))


def test_a_document_whose_tokens_are_given_is_not_without_a_word(tmp_path: Path) -> None:
    """A no-break space alone is a token where the data says so."""
    reader = Brat()
    reader.save(Dataset("d", (Sentence("a", ("\u00a0",)),)), str(tmp_path / "out"))
    (found,) = reader.read(str(tmp_path / "out"), ReadOptions())
    assert (found.id, found.tokens) == ("a", ("\u00a0",))
