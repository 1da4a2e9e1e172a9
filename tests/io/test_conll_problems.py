"""Everything that is wrong in a CoNLL file is said at once, with its line."""

from __future__ import annotations

from pathlib import Path

import pytest

from nerquake.core.errors import FormatError, InputError, Problem, UnknownName, UsageError
from nerquake.core.protocols import ReadOptions
from nerquake.core.span import Span
from nerquake.io.conll import Conll

DATA = Path(__file__).parent.parent / "data"


def problems(name: str, conll: Conll = Conll(), **options: object) -> tuple[Problem, ...]:  # noqa: B008
    with pytest.raises(FormatError) as caught:
        conll.read(str(DATA / name), ReadOptions(**options))  # type: ignore[arg-type]
    assert name in str(caught.value)
    return caught.value.problems


def of_text(text: str | bytes, conll: Conll = Conll(), **options: object) -> tuple[Problem, ...]:  # noqa: B008
    data = text.encode() if isinstance(text, str) else text
    return conll.examine("x.conll", data, ReadOptions(**options)).problems  # type: ignore[arg-type]


def places(found: tuple[Problem, ...]) -> list[tuple[str, int]]:
    return [(problem.code, problem.line) for problem in found]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("torture-line-9.conll", [("mixed-columns", 9)]),
        ("mixed-columns.conll", [("mixed-columns", 9)]),
        ("bad-tags.conll", [("bad-tag", line) for line in (1, 2, 3, 5, 6)]),
        ("empty-token.conll", [("empty-token", 2), ("empty-token", 3)]),
        ("latin-1.conll", [("not-decodable", 1), ("not-decodable", 6)]),
        ("binary.conll", [("binary-file", 0)]),
        ("archive.conll", [("binary-file", 0)]),
        ("utf-16.conll", [("binary-file", 0)]),
        ("empty.conll", [("empty-file", 0)]),
        ("blank.conll", [("no-sentences", 0)]),
        ("duplicate-id.conll", [("duplicate-id", 8)]),
        ("one-column.conll", [("missing-column", 1)]),
        ("wrong-tag-column.conll", [("bad-tag", 1)]),
        (
            "everything-wrong.conll",
            [
                ("mixed-columns", 2),
                ("bad-tag", 3),
                ("not-decodable", 4),
                ("ill-formed-sequence", 6),
                ("duplicate-id", 14),
            ],
        ),
    ],
)
def test_every_fault_is_named_by_its_line(name: str, expected: list[tuple[str, int]]) -> None:
    assert places(problems(name)) == expected


def test_hints_say_how_to_mend_it() -> None:
    assert "--input conll:encoding=latin-1" in problems("latin-1.conll")[0].hint
    assert "encoding=utf-16" in problems("utf-16.conll")[0].message
    assert "zip" in problems("archive.conll")[0].message
    assert "--input conll:tag=1" in problems("wrong-tag-column.conll")[0].hint
    hints = [problem.hint for problem in problems("bad-tags.conll")]
    assert hints[0] == "B_LOC -> B-LOC"
    assert hints[1] == "o -> O"
    assert hints[2] == "b-LOC -> B-LOC"


def test_case_17_ill_formed_gold_names_line_token_and_fix() -> None:
    found = of_text("Bonn I-LOC\nUlm B-LOC\nnow O\n", scheme="iob2")
    assert places(found) == [("ill-formed-sequence", 1)]
    assert found[0].token == "Bonn"
    assert "I-LOC -> B-LOC" in found[0].hint
    assert "--repair-gold conlleval|discard" in found[0].hint


def test_an_unclosed_mention_is_named_where_it_can_be_mended() -> None:
    found = of_text("a B-LOC\nb O\n\nc B-LOC\nd I-LOC\n", scheme="bioes")
    assert places(found) == [("ill-formed-sequence", 2), ("ill-formed-sequence", 5)]
    assert "B-LOC -> S-LOC in line 1" in found[0].hint
    assert "I-LOC -> E-LOC" in found[1].hint
    assert "ends" in found[1].message


def test_a_prefix_of_another_scheme_is_no_tag_of_the_declared_one() -> None:
    found = of_text("a B-LOC\nb E-LOC\n", scheme="iob2")
    assert "is no tag of iob2" in found[0].message
    assert "E-LOC -> I-LOC" in found[0].hint


def test_line_numbers_hold_behind_comments_and_broken_lines() -> None:
    found = of_text("a O\n# file: 1 2 3\nb O\nc x y O\nd I-LOC\ne O\nf B-LOC\n", scheme="iob2")
    assert places(found) == [("mixed-columns", 4), ("ill-formed-sequence", 5)]


def test_gold_repair_is_counted_and_said() -> None:
    path = str(DATA / "ill-formed.conll")
    assert places(problems("ill-formed.conll", scheme="iob2")) == [
        ("ill-formed-sequence", 1),
        ("ill-formed-sequence", 5),
    ]
    kept = Conll().read(path, ReadOptions(scheme="iob2", repair="conlleval"))
    assert kept.sentences[0].spans == (Span(0, 1, "LOC"), Span(3, 4, "LOC"), Span(4, 5, "ORG"))
    assert any("2 ill-formed tags in 1 sentence" in note for note in kept.notes)
    fewer = Conll().read(path, ReadOptions(scheme="iob2", repair="discard"))
    assert fewer.sentences[0].spans == (Span(3, 4, "LOC"),)
    assert any("2 ill-formed mentions left out" in note for note in fewer.notes)


def test_ill_formed_output_of_a_model_is_no_error() -> None:
    found = Conll().read(str(DATA / "ill-formed.conll"), ReadOptions(scheme="iob2", predicted=True))
    assert len(found.sentences[0].spans) == 3
    assert any("conlleval rule" in note for note in found.notes)


def test_tags_are_handed_out_as_they_stand() -> None:
    found = Conll().read_tags(str(DATA / "ill-formed.conll"), ReadOptions())
    assert found.tags[0] == ("I-LOC", "O", "O", "B-LOC", "I-ORG")
    assert found.lines == (1, 7)
    assert found.hashed == (True, True)
    with pytest.raises(FormatError):
        Conll().read_tags(str(DATA / "mixed-columns.conll"), ReadOptions())


def test_lenient_leaves_out_what_is_broken_and_counts_it() -> None:
    found = Conll().read(str(DATA / "everything-wrong.conll"), ReadOptions(lenient=True))
    assert [sentence.tokens for sentence in found] == [("Bonn",), ("x",)]
    note = next(note for note in found.notes if note.startswith("left out"))
    assert "3 lines, 2 sentences" in note
    assert "bad-tag 1, duplicate-id 1, ill-formed-sequence 1, mixed-columns 1, not-decodable 1" in note
    torture = Conll().read(str(DATA / "torture-line-9.conll"), ReadOptions(lenient=True))
    assert torture.tokens == 9
    assert torture.sentences[-1].tokens == ("in", "Bonn")


def test_lenient_does_not_make_something_of_nothing() -> None:
    for name in ("empty.conll", "binary.conll", "blank.conll", "one-column.conll"):
        assert problems(name, lenient=True)


def test_a_broken_hashtag_is_no_comment() -> None:
    assert places(of_text("a\tO\n#b\tBLA\nc\tO\n")) == [("bad-tag", 2)]
    assert places(of_text("a\tO\n#b\nc\tO\n")) == [("mixed-columns", 2)]
    assert places(of_text("#b\tBLA\nc\tO\nd\tO\n")) == [("bad-tag", 1)]


@pytest.mark.parametrize("options", [{"token": 5}, {"tag": 2}, {"tag": -3}, {"token": 1}, {"token": -1}])
def test_a_column_that_is_not_there_is_one_message(options: dict[str, int]) -> None:
    found = of_text("Bonn B-LOC\nis O\n", Conll(**options))
    assert [problem.code for problem in found] == ["missing-column"]
    assert "2 columns" in found[0].message


def test_findings_are_legal_but_said() -> None:
    path = DATA / "comment-as-token.conll"
    found = Conll().examine("x", path.read_bytes(), ReadOptions())
    assert not found.problems
    assert [problem.code for problem in found.findings] == ["comment-as-token"]
    nothing = Conll().examine("x", (DATA / "no-mentions.conll").read_bytes(), ReadOptions())
    assert [problem.code for problem in nothing.findings] == ["no-mentions"]


def test_missing_files_directories_and_wrong_names_are_one_message(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("a O\n")
    for path in (tmp_path / "none.conll", tmp_path, file / "below", Path("a\0b")):
        with pytest.raises(InputError, match=str(path).replace("\0", "\0")):
            Conll().read(str(path), ReadOptions())
    with pytest.raises(UsageError, match="no such encoding"):
        Conll(encoding="utf-99").read(str(file), ReadOptions())
    with pytest.raises(UnknownName, match="bioes"):
        Conll().read(str(file), ReadOptions(scheme="bioe"))


def test_a_column_that_numbers_tokens_is_no_text() -> None:
    text = "1\tAnna\tO\tB-PER\n2\tmet\tO\tO\n\n1\tin\tO\tO\n2\tBonn\tO\tB-LOC\n"
    (problem,) = Conll().examine("x", text.encode(), ReadOptions()).problems
    assert (problem.code, problem.hint) == ("token-numbers", "--input conll:token=1")
    assert not Conll(token=1).examine("x", text.encode(), ReadOptions()).problems
    assert not Conll().examine("x", b"1 O\n2 O\n3 B-NUM\n", ReadOptions()).problems
    assert not Conll().examine("x", b"1 _ O\n3 _ B-NUM\n", ReadOptions()).problems
