"""Tiny transformers models that several modules use."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.taggers.chat_server import ChatServer, chat_server
from tests.taggers.tiny_models import bert, roberta

from nerquake.models import chat_client
from nerquake.taggers.huggingface import HuggingFaceTagger


@pytest.fixture(scope="session")
def models(tmp_path_factory: pytest.TempPathFactory, huggingface_library: None) -> dict[str, str]:
    """A folder for each kind of model."""
    folder = tmp_path_factory.mktemp("models")
    return {make.__name__: make(folder / make.__name__) for make in (bert, roberta)}


@pytest.fixture
def plain(models: dict[str, str]) -> HuggingFaceTagger:
    return HuggingFaceTagger(models["bert"], precision="fp32")


@pytest.fixture
def copy(models: dict[str, str], tmp_path: Path) -> Path:
    """A checkpoint to change or damage."""
    return Path(shutil.copytree(models["bert"], tmp_path / "copy"))


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[ChatServer]:
    """A chat endpoint that is asked without a key."""
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.setenv("no_proxy", "*")
    monkeypatch.setattr(chat_client, "SHORTEST_WAIT", 0.01)
    with chat_server() as running:
        yield running
