"""Paraphrases from files."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

import pytest

from nerquake.core.dataset import Dataset
from nerquake.core.errors import FormatError, InputError, SpecError
from nerquake.core.paraphrases import Answer, Candidate
from nerquake.core.seeds import Draws
from nerquake.core.sentence import Sentence
from nerquake.core.span import Span
from nerquake.language.paraphrase_file import ABSENT, FileParaphraser

CORPUS = Dataset("d", (Sentence("s1", ("Anna", "won"), (Span(0, 1, "PER"),)), Sentence("7", ("no", "name"))))


def written(folder: Path, text: str | bytes) -> FileParaphraser:
    file = folder / "p.txt"
    file.write_bytes(text.encode("utf-8") if isinstance(text, str) else text)
    return FileParaphraser(str(file))


def answers(backend: FileParaphraser) -> list[Answer]:
    return backend.paraphrase(CORPUS.sentences, Draws(0, "x"))


@pytest.mark.parametrize("text", [
    "s1\tIt was Anna\ns1\tAnna it was\n7\tनाम नहीं 🙂\n",
    "\ufeffid\ttext\r\ns1\tIt was Anna\r\n\r\ns1\t Anna it was \t\r\ns1\tIt was Anna\r\n7\tनाम नहीं 🙂",
    "\r\rid\ttext\rs1\tIt was Anna\rs1\tAnna it was\r7\tनाम नहीं 🙂\r",
    '{"id": "s1", "text": "It was Anna"}\n\n{"id": "s1", "text": "Anna it was", "score": 1}\n'
    '{"id": 7, "text": "नाम नहीं 🙂"}\n',
])  # fmt: skip
def test_forms(text: str, tmp_path: Path) -> None:
    first, second = answers(written(tmp_path, text))
    assert first == Answer((Candidate(text="It was Anna"), Candidate(text="Anna it was")))
    assert second == Answer((Candidate(text="नाम नहीं 🙂"),))


def test_tokens_and_absent_sentences(tmp_path: Path) -> None:
    backend = written(tmp_path, '{"id": "s1", "tokens": ["It", "was", "Anna"]}\n')
    assert answers(backend) == [Answer((Candidate(tokens=("It", "was", "Anna")),)), Answer(reason=ABSENT)]
    assert backend.about() == ("p.txt: 1 paraphrases of 1 sentences",)
    assert backend.lacks("xx") == ""


def test_every_bad_line_is_named(tmp_path: Path) -> None:
    backend = written(tmp_path, b"s1\tfine\nno tab\n\tno id\ns2\t \ns3\t\xff\ns4\tfine\t0.9\n")
    with pytest.raises(FormatError) as caught:
        answers(backend)
    assert [(problem.line, problem.code) for problem in caught.value.problems] == [
        (2, "no-id"), (3, "no-id"), (4, "no-text"), (5, "not-decodable"),
        (6, "second-tab"),
    ]  # fmt: skip


@pytest.mark.parametrize(("record", "code"), [
    ("{", "no-json"), ('{"text": "x"}', "no-id"), ('{"id": true, "text": "x"}', "no-id"), ('{"id": "a"}', "no-text"),
    ('{"id": "a", "text": 3}', "no-text"), ('{"id": "a", "tokens": []}', "no-text"),
    ('{"id": "a", "tokens": ["x", ""]}', "no-text"), ('{"id": "a", "tokens": "x"}', "no-text"), ("[1]", "no-id"),
])  # fmt: skip
def test_bad_records(record: str, code: str, tmp_path: Path) -> None:
    backend = written(tmp_path, f'{{"id": "s1", "text": "x"}}\n{record}\n')
    with pytest.raises(FormatError) as caught:
        answers(backend)
    assert [(problem.line, problem.code) for problem in caught.value.problems] == [(2, code)]


@pytest.mark.parametrize("text", ["", "\n \n", "id\ttext\n"])
def test_files_without_a_paraphrase(text: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds no paraphrase"):
        answers(written(tmp_path, text))


def test_a_file_about_another_data_set(tmp_path: Path) -> None:
    backend = written(tmp_path, "a\tx\nb\ty\n")
    with pytest.raises(InputError, match="its ids begin a, b, those of the data set s1"):
        backend.fitted(CORPUS, "en")
    assert written(tmp_path, "s1\tIt was Anna\n").fitted(CORPUS, "en") == backend
    mixed = written(tmp_path, "s1\tIt was Anna\n7\tx\na\tx\nb\ty\n").fitted(CORPUS, "en")
    assert mixed.about() == ("p.txt: 4 paraphrases of 4 sentences, 2 of which the data set does not have",)


def test_no_file() -> None:
    with pytest.raises(InputError, match="no such file of paraphrases"):
        FileParaphraser("nowhere.tsv")
    with pytest.raises(SpecError, match="file:PARAPHRASES"):
        FileParaphraser("")


def test_a_file_that_was_changed_is_read_again(tmp_path: Path) -> None:
    backend = written(tmp_path, "s1\tIt was Anna\n")
    before = answers(backend), backend.fingerprint()
    written(tmp_path, "s1\tIt really was Anna\n")
    assert answers(backend) != before[0] and backend.fingerprint() != before[1]


def test_the_fingerprint_is_of_the_file_and_a_file_that_is_gone_is_told(tmp_path: Path) -> None:
    backend = written(tmp_path, "s1\tBo lost to Anna .")
    assert backend.fingerprint() == f"file {sha256(Path(backend.file).read_bytes()).hexdigest()}"
    Path(backend.file).unlink()
    for asked in (backend.fingerprint, backend.about, lambda: answers(backend)):
        with pytest.raises(InputError, match=r"p\.txt cannot be read: No such file"):
            asked()
