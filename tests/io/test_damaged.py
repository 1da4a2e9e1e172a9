"""Reading damaged files: every broken line is named, and nothing that stands in the file is left out."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from nerquake.core.dataset import Dataset
from nerquake.core.errors import FormatError, InputError, UsageError
from nerquake.core.protocols import ReadOptions
from nerquake.core.sentence import Sentence
from nerquake.io.damaged import LooseFile, read_damaged
from nerquake.io.load import load


@dataclass(frozen=True)
class PlainLines:
    """A reader of somebody else's: every line is a sentence of one token."""

    def read(self, path: str, options: ReadOptions) -> Dataset:
        words = Path(path).read_text("utf-8").splitlines()
        return Dataset("plain", tuple(Sentence(str(at), (word,)) for at, word in enumerate(words)))


GOOD = "Anna\tB-PER\nmet\tO\n\nin\tO\nBonn\tB-LOC\n"


def read(folder: Path, text: str, name: str = "x.conll", spec: str = "conll") -> LooseFile:
    (folder / name).write_text(text, "utf-8")
    return read_damaged(str(folder / name), spec)


@pytest.mark.parametrize(
    ("broken", "code", "token", "tag"),
    [
        ("\tO", "empty-token", "", "O"),
        ("\tB-PER", "empty-token", "", "B-PER"),
        (" \tI-PER", "empty-token", "", "I-PER"),
        ("B-LOC", "mixed-columns", "", "B-LOC"),
        ("word", "mixed-columns", "word", "O"),
        ("word\tX\tB-LOC", "mixed-columns", "word", "B-LOC"),
        ("word\tB_LOC", "bad-tag", "word", "O"),
        ("word\t", "bad-tag", "word", "O"),
        ("word\tb-loc", "bad-tag", "word", "O"),
        ("\tBLOC", "empty-token", "", "O"),
    ],
)
def test_broken_conll_lines_stay_in_their_sentence(
    broken: str, code: str, token: str, tag: str, tmp_path: Path
) -> None:
    found = read(tmp_path, GOOD.replace("met\tO\n", f"met\tO\n{broken}\n"))
    assert [(problem.code, problem.line) for problem in found.problems] == [(code, 3)]
    first, second = found.sentences
    assert first.tokens == ("Anna", "met", token)
    assert first.tags == ("B-PER", "O", tag)
    assert first.lines == (1, 2, 3)
    assert (second.tokens, second.tags, second.lines) == (("in", "Bonn"), ("O", "B-LOC"), (5, 6))


@pytest.mark.parametrize("line", [" NNP B-NP B-PER", "NNP B-PER", "Anna B-PER"])
def test_blanks_hide_that_a_token_is_gone(line: str, tmp_path: Path) -> None:
    found = read(tmp_path, f"He PRP B-NP O\n{line}\nsat VBD B-VP O\n")
    (sentence,) = found.sentences
    assert len(sentence.tokens) == 3
    assert sentence.tokens[1] == ("" if line.startswith(" ") else line.split(maxsplit=1)[0])
    assert sentence.tags == ("O", "B-PER", "O")
    assert [problem.line for problem in found.problems] == [2]


@pytest.mark.parametrize(
    ("record", "code", "tokens", "tags"),
    [
        ('{"tokens": ["a", "", "b"], "spans": [[1, 3, "X"]]}', "empty-token", ("a", "", "b"), ("O", "B-X", "I-X")),
        ('{"tokens": ["a", 7], "spans": []}', "wrong-type", ("a", "7"), ("O", "O")),
        ('{"tokens": ["a", "b"], "spans": [[0, 3, "X"]]}', "bad-span", ("a", "b"), ("O", "O")),
        (
            '{"tokens": ["a", "b"], "spans": [[0, 2, "X"], [1, 2, "Y"]]}',
            "overlapping-spans",
            ("a", "b"),
            ("B-X", "I-X"),
        ),
        ('{"tokens": ["a", "b"], "spans": [[0, "X"]]}', "wrong-type", ("a", "b"), ("O", "O")),
        ('{"tokens": ["a", "b"], "spans": "none"}', "wrong-type", ("a", "b"), ("O", "O")),
        ('{"tokens": ["a", "b"], "tags": ["B-X"]}', "wrong-type", ("a", "b"), ("B-X", "O")),
        ('{"tokens": ["a", "b"], "tags": ["B-X", "BX"]}', "bad-tag", ("a", "b"), ("B-X", "O")),
        ('{"id": [], "tokens": ["a"], "tags": ["O"]}', "wrong-type", ("a",), ("O",)),
        ('{"tokens": ["a"], "tags": ["O"], "spaces": [1]}', "wrong-type", ("a",), ("O",)),
    ],
)
def test_broken_records_stay_as_far_as_they_can(
    record: str, code: str, tokens: tuple[str, ...], tags: tuple[str, ...], tmp_path: Path
) -> None:
    good = '{"id": "1", "tokens": ["Bonn"], "spans": [[0, 1, "LOC"]]}\n'
    found = read(tmp_path, good + record + "\n", "x.jsonl", "jsonl")
    assert [(problem.code, problem.line) for problem in found.problems] == [(code, 2)]
    assert (found.sentences[0].id, found.sentences[0].tags) == ("1", ("B-LOC",))
    assert (found.sentences[1].tokens, found.sentences[1].tags) == (tokens, tags)
    assert set(found.sentences[1].lines) == {2}


@pytest.mark.parametrize("record", ["{", "[]", '{"id": "2"}', '{"tokens": []}', '{"tokens": "a b"}', "\ufffe"])
def test_records_without_tokens_are_named(record: str, tmp_path: Path) -> None:
    found = read(tmp_path, '{"tokens": ["a"]}\n' + record + '\n{"tokens": ["b"]}\n', "x.jsonl", "jsonl")
    assert {problem.line for problem in found.problems} == {2}
    assert [one.tokens for one in found.sentences] == [("a",), ("b",)]


def test_a_repeated_id_is_kept(tmp_path: Path) -> None:
    found = read(tmp_path, "# id a\nx\tO\n\n# id a\ny\tO\n")
    assert [(one.id, one.tokens, one.lines) for one in found.sentences] == [("a", ("x",), (2,)), ("a", ("y",), (5,))]
    assert found.comments == ("# id a", "# id a")


def test_undecodable_lines_are_named(tmp_path: Path) -> None:
    (tmp_path / "x.conll").write_bytes(b"Anna\tB-PER\nM\xfcller\tI-PER\n.\tO\n")
    found = read_damaged(str(tmp_path / "x.conll"), "conll")
    assert [(problem.code, problem.line) for problem in found.problems] == [("not-decodable", 2)]
    assert found.sentences[0].lines == (1, 3)


@pytest.mark.parametrize("language", ["en", "de", "hi"])
def test_sound_files_are_read_as_ever(language: str) -> None:
    dataset = load(f"sample:{language}")
    found = read_damaged(f"sample:{language}")
    assert not found.problems
    assert [(one.id, one.tokens) for one in found.sentences] == [(one.id, one.tokens) for one in dataset]
    assert dataset.scheme is not None
    tags = [tuple(dataset.scheme.encode(one.spans, len(one))) for one in dataset]
    assert [one.tags for one in found.sentences] == tags


def test_any_other_format_is_read_as_far_as_its_reader_gets(tmp_path: Path) -> None:
    found = read(tmp_path, "Anna\tB-PER\nLind\tI-PER\n", spec="tests.io.test_damaged:PlainLines")
    assert [(one.tokens, one.lines) for one in found.sentences] == [
        (("Anna\tB-PER",), (None,)),
        (("Lind\tI-PER",), (None,)),
    ]


@pytest.mark.parametrize(
    ("text", "error"), [("", FormatError), ("\n\n", FormatError), ("only words\nhere", FormatError)]
)
def test_nothing_to_read_is_an_error(text: str, error: type[Exception], tmp_path: Path) -> None:
    with pytest.raises(error):
        read(tmp_path, text, spec="conll:tag=5")


def test_no_file_and_no_format(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        read_damaged(str(tmp_path / "absent.conll"))
    with pytest.raises(UsageError):
        read(tmp_path, GOOD, spec="nonsense")
    assert read_damaged("sample:de", options=ReadOptions(scheme="iob2")).sentences
