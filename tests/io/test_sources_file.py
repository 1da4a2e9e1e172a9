"""`sources.jsonl`: what a model was trained on is read back equal, or refused in one message."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.strategies import AWKWARD_TEXTS, datasets
from tests.test_formats import check_lines

from nerquake.core.dataset import Dataset
from nerquake.core.errors import InputError, OutputError
from nerquake.core.sentence import Sentence
from nerquake.core.sources import Source, SourceKey, Sources
from nerquake.io import output
from nerquake.io.sources_file import FILE, read_sources, write_sources
from nerquake.io.stages import StageKey
from nerquake.taggers.trained_on import read_trained_on

DATA = Dataset("train.conll", (Sentence("s1", ("Anna", "left")), Sentence("s2~rs", ("Bo", "came"))))
KEY = StageKey.of("bilstm-crf", 3, DATA)
KEPT = Sources.of(DATA, DATA.name)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    write_sources(tmp_path / FILE, KEPT, KEY)
    return tmp_path / FILE


def test_it_is_as_the_page_says(file: Path) -> None:
    check_lines(file, "sources.jsonl")
    header, *lines = map(json.loads, file.read_text("utf-8").splitlines())
    assert (header["spec"], header["seed"], header["input"]) == ("bilstm-crf", 3, DATA.fingerprint)
    assert (header["name"], header["sources"]) == ("train.conll", 2)
    assert [(line["id"], line["hash"] is None) for line in lines] == [("s1", False), ("s2", True)]


def test_it_is_found_in_a_models_folder(file: Path) -> None:
    assert read_trained_on(str(file.parent)) == KEPT
    assert read_trained_on(str(file)) is None, "a file is no folder"
    file.unlink()
    assert read_trained_on(str(file.parent)) is None
    assert read_trained_on("organisation/name-on-a-hub") is None


@given(datasets(), st.lists(st.sampled_from(AWKWARD_TEXTS), max_size=3))
def test_everything_is_read_back_equal(dataset: Dataset, names: list[str]) -> None:
    import tempfile

    odd = tuple(Source(SourceKey(f"\u2028{name}", None), ("0" * 12,)) for name in sorted(set(names)))
    for kept in (Sources.of(dataset, "a"), Sources(odd, "größe\u2028")):
        with tempfile.TemporaryDirectory() as folder:
            write_sources(Path(folder) / FILE, kept, KEY)
            assert read_sources(Path(folder) / FILE) == kept


def cut(text: str) -> str:
    """The file as it is when its last line was never written."""
    return "\n".join(text.split("\n")[:-2]) + "\n"


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (cut, "line 2: this stage file is damaged (it has 1 of 2 sources)"),
        (lambda text: text[:-4], "line 3: this stage file is damaged"),
        (lambda text: "", "line 1"),
        (lambda text: text.replace('"s1"', "7"), "line 2: this stage file is damaged (an id, and a hash or null"),
        (lambda text: text.replace('"hash": null, ', ""), "line 3: this stage file is damaged (an id, and a hash"),
        (lambda text: text.replace('"sentences": [', '"sentences": [7, '), "line 2: this stage file is damaged (sent"),
        (lambda text: text.replace(', "sources": 2', ""), "line 1: this stage file is damaged (its header has no"),
        (lambda text: text.replace("sources/1", "sources/2"), "of the format 'nerquake.sources/2'"),
        (lambda text: text.replace("s1", "\udcff"), "it is no UTF-8 text"),
    ],
)  # fmt: skip
def test_a_damaged_file_is_one_error(file: Path, damage: Callable[[str], str], said: str) -> None:
    file.write_bytes(damage(file.read_text("utf-8")).encode("utf-8", "surrogateescape"))
    with pytest.raises(InputError) as caught:
        read_sources(file)
    assert str(file) in str(caught.value) and said in str(caught.value)
    assert "without it no audit can tell" in str(caught.value)


def test_it_is_written_whole_or_not_at_all(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = file.read_bytes()

    def full(path: str, stream: object, pieces: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(output, "_write", full)
    with pytest.raises(OutputError):
        write_sources(file, KEPT, KEY)
    assert file.read_bytes() == before and [entry.name for entry in file.parent.iterdir()] == [FILE]
