"""Models on disk: they come back to the bit, and what is damaged or foreign gets one clear message."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from safetensors.torch import save_file
from torch import Tensor

from nerquake.core.errors import InputError, OutputError
from nerquake.nn import store
from nerquake.nn.store import SETTINGS, TENSORS, read_settings, read_tensors, tag_set_of, write_model
from nerquake.nn.tags import tag_set

pytestmark = pytest.mark.huggingface

ABOUT: dict[str, object] = {
    "kind": "bilstm-crf",
    "tags": ["O", "B-LOC", "I-LOC"],
    "scheme": "iob2",
    "hidden": 8,
    "words": ["नमस्ते", "naïve", "\ud800", '"'],
}
SHAPES = {"weight": (2, 3), "bias": (3,)}


def weights() -> dict[str, Tensor]:
    return {"weight": torch.arange(6.0).view(2, 3), "bias": torch.tensor([0.1, torch.inf, -0.0])}


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    folder = tmp_path / "new" / "model"
    write_model(folder, weights().items(), ABOUT)
    return folder


def test_a_model_comes_back(saved: Path) -> None:
    assert sorted(file.name for file in saved.iterdir()) == [TENSORS, SETTINGS]
    assert read_settings(saved) == ABOUT
    found = read_tensors(saved, SHAPES)
    assert {name: (value.dtype, value.tolist()) for name, value in found.items()} == {
        name: (value.dtype, value.tolist()) for name, value in weights().items()
    }
    tags = tag_set_of(saved, read_settings(saved))
    assert tags == tag_set(["LOC"], "iob2")
    written = json.loads((saved / SETTINGS).read_text("utf-8"))
    assert written["format"] == "nerquake.model/1"


@given(st.dictionaries(st.text(max_size=8), st.lists(st.floats(width=32), max_size=4), max_size=4))
def test_any_names_and_numbers_come_back_to_the_bit(
    tmp_path_factory: pytest.TempPathFactory, values: dict[str, list[float]]
) -> None:
    values.pop("__metadata__", None)
    folder = tmp_path_factory.mktemp("model")
    given_tensors = {f"x{name}": torch.tensor(value) for name, value in values.items()}
    write_model(folder, given_tensors.items(), ABOUT)
    found = read_tensors(folder, {name: value.shape for name, value in given_tensors.items()})
    for name, value in given_tensors.items():
        assert torch.equal(found[name].view(torch.int32), value.view(torch.int32))


def test_views_and_shared_tensors_are_written_each_by_itself(tmp_path: Path) -> None:
    base = torch.arange(12.0).view(3, 4).requires_grad_()
    given_tensors = {"all": base, "again": base, "turned": base.t(), "column": base[:, 1], "half": base.bfloat16()}
    write_model(tmp_path, given_tensors.items(), ABOUT)
    found = read_tensors(tmp_path, {name: value.shape for name, value in given_tensors.items()})
    assert all(torch.equal(found[name], value) for name, value in given_tensors.items())
    assert found["half"].dtype == torch.bfloat16
    assert (tmp_path / TENSORS).stat().st_size < 1000, "a view is no larger than itself"


def test_the_same_model_is_the_same_bytes(saved: Path, tmp_path: Path) -> None:
    write_model(tmp_path, weights().items(), ABOUT)
    for name in (TENSORS, SETTINGS):
        assert (tmp_path / name).read_bytes() == (saved / name).read_bytes()


def test_all_tensors_that_do_not_fit_are_named(saved: Path) -> None:
    with pytest.raises(InputError) as caught:
        read_tensors(saved, {"weight": (3, 2), "gain": (1,), "crf.start": torch.Size([3])})
    message = str(caught.value)
    assert "crf.start is missing, expected [3]" in message
    assert "gain is missing, expected [1]" in message
    assert "bias is not expected" in message
    assert "weight is [2, 3], expected [3, 2]" in message
    assert str(saved / TENSORS) in message


@pytest.mark.parametrize("kept", [0, 4, 60, -1])
def test_tensors_cut_short(saved: Path, kept: int) -> None:
    file = saved / TENSORS
    file.write_bytes(file.read_bytes()[:kept])
    with pytest.raises(InputError, match=r"model\.safetensors is cut short or no safetensors file .*copy the whole"):
        read_tensors(saved, SHAPES)


def test_tensors_that_are_a_pickle_are_not_read(saved: Path) -> None:
    torch.save(weights(), saved / TENSORS)
    with pytest.raises(InputError, match="no safetensors file"):
        read_tensors(saved, SHAPES)


def test_tensors_of_another_model(saved: Path) -> None:
    save_file({name: value + 1 for name, value in weights().items()}, saved / TENSORS)
    with pytest.raises(InputError, match=r"is not the file that nerquake\.json beside it was written with"):
        read_tensors(saved, SHAPES)


def test_tensors_that_are_missing(saved: Path) -> None:
    (saved / TENSORS).unlink()
    with pytest.raises(InputError, match=r"model\.safetensors is missing"):
        read_tensors(saved, SHAPES)


def test_a_folder_in_the_tensors_place(saved: Path) -> None:
    (saved / TENSORS).unlink()
    (saved / TENSORS).mkdir()
    with pytest.raises(InputError, match=r"model\.safetensors cannot be read: Is a directory"):
        read_tensors(saved, SHAPES)


def changed(**change: object) -> Callable[[str], str]:
    return lambda text: json.dumps({**json.loads(text), **change})


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda text: text[:40], "cut short or no JSON"),
        (lambda text: "", "cut short or no JSON"),
        (lambda text: "[" * 100_000, "cut short or no JSON"),
        (lambda text: "[]", r"not what `nerquake train` writes: expected an object with format nerquake\.model/1"),
        (lambda text: '{"model_type": "bert"}', "not what `nerquake train` writes"),
        (changed(format="nerquake.variants/1"), "not what `nerquake train` writes"),
        (changed(format="nerquake.model/x"), "not what `nerquake train` writes"),
        (changed(format="nerquake.model/2"), r"has format nerquake\.model/2, this version .*/1: update nerquake"),
        (changed(kind=3), "kind is 3"),
        (changed(scheme="iob3"), "scheme is 'iob3', expected one of iob2, bioes"),
        (changed(scheme=["iob2"]), r"scheme is \['iob2'\]"),
        (changed(tags="O"), "tags are 'O', expected a list"),
        (changed(tags=["O", 1]), "expected a list of strings"),
        (changed(tags=None), "tags are None"),
        (changed(tags=["B-X", "I-X"]), "O is among the tags"),
    ],
)
def test_settings_that_are_damaged_or_foreign(saved: Path, change: Callable[[str], str], message: str) -> None:
    file = saved / SETTINGS
    file.write_text(change(file.read_text("utf-8")), "utf-8")
    for read in (read_settings, lambda folder: read_tensors(folder, SHAPES)):
        with pytest.raises(InputError, match=message) as caught:
            read(saved)
        assert str(file) in str(caught.value)


def test_settings_that_are_no_text(saved: Path) -> None:
    (saved / SETTINGS).write_bytes(b"\xff\xfe\xfd")
    with pytest.raises(InputError, match="cut short or no JSON"):
        read_settings(saved)


def test_where_no_model_is(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"there is no folder .*away"):
        read_settings(tmp_path / "away")
    (tmp_path / "notes.txt").write_text("")
    with pytest.raises(InputError, match="is a file; name the folder"):
        read_settings(tmp_path / "notes.txt")
    with pytest.raises(InputError, match=r"has no nerquake\.json, so it holds no model .*, only notes\.txt"):
        read_settings(tmp_path)
    (tmp_path / "config.json").write_text("{}")
    with pytest.raises(InputError, match="its name is huggingface:"):
        read_settings(tmp_path)


def test_a_model_takes_the_place_of_an_older_one(saved: Path) -> None:
    write_model(saved, [("bias", torch.zeros(1))], {**ABOUT, "hidden": 9})
    assert read_settings(saved)["hidden"] == 9
    assert read_tensors(saved, {"bias": (1,)})["bias"].tolist() == [0]


def test_what_cannot_be_written_leaves_the_older_model(saved: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []

    def full(number: int) -> None:
        calls.append(number)
        if len(calls) == 2:
            raise OSError(28, "No space left on device")

    monkeypatch.setattr(store.os, "fsync", full)
    with pytest.raises(OutputError, match=r"the model cannot be written to .*model: No space left on device"):
        write_model(saved, [("bias", torch.zeros(1))], {**ABOUT, "hidden": 9})
    assert read_settings(saved) == ABOUT
    assert read_tensors(saved, SHAPES)["bias"].shape == (3,)
    assert sorted(file.name for file in saved.iterdir()) == [TENSORS, SETTINGS], "nothing half-written stays"


def test_folders_that_were_made_in_vain_go_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(number: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(store.os, "fsync", full)
    with pytest.raises(OutputError):
        write_model(tmp_path / "a" / "b", weights().items(), ABOUT)
    assert list(tmp_path.iterdir()) == []


def test_a_file_in_the_folders_place(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    for folder in (tmp_path / "file", tmp_path / "file" / "model"):
        with pytest.raises(OutputError, match=r"the model cannot be written to .*file.*\(name another folder"):
            write_model(folder, weights().items(), ABOUT)
    assert (tmp_path / "file").read_text() == "mine"


def test_a_folder_in_a_files_place_is_seen_before_anything_is_replaced(saved: Path) -> None:
    before = (saved / TENSORS).read_bytes()
    (saved / SETTINGS).unlink()
    (saved / SETTINGS).mkdir()
    with pytest.raises(OutputError, match=r"nerquake\.json: Is a directory"):
        write_model(saved, [("bias", torch.zeros(1))], ABOUT)
    assert (saved / TENSORS).read_bytes() == before


@pytest.mark.parametrize(
    ("tensors", "settings", "message"),
    [
        ([("a", torch.zeros(1)), ("a", torch.ones(1))], ABOUT, "two tensors are called a"),
        ([], {**ABOUT, "format": "x"}, "may not be called format"),
        ([], {**ABOUT, "scheme": "x"}, "scheme is 'x'"),
        ([], {"tags": ["O"], "scheme": "io"}, "kind is None"),
        ([], {**ABOUT, "rate": float("nan")}, "JSON"),
    ],
)
def test_mistakes_of_the_caller(tmp_path: Path, tensors: Any, settings: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        write_model(tmp_path / "model", tensors, settings)
    assert list(tmp_path.iterdir()) == []
